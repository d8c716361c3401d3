//! A whole story as JSON lines, and back (`docs/format/archive.md`).
//!
//! Writing streams: one line after another, each naming only what stands before it. Reading trusts
//! nothing: lines are checked before the store is opened, states are computed again and compared,
//! and all of it is one transaction.

mod problem;
mod read;
mod record;
mod restore;
mod write;

use std::io;

use storeyline_state::{RefId, StoryId, json};
use storeyline_store::Owner;

pub use self::problem::{ArchiveError, ArchiveProblem};
use self::read::Archive;
use crate::branch::find_story;
use crate::engine::{Engine, ReadEngine};
use crate::error::Result;

/// The version of the format.
pub(crate) const VERSION: i64 = 1;

/// What counts while an archive is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ArchiveOptions {
    /// Whether the functions in it may run. Else they are left out, and pages that were computed with
    /// them keep the states of the archive.
    pub allow_functions: bool,
    /// Whether a new story is made, with new ids for the story and its refs and without host chats.
    pub copy: bool,
}

/// What came of reading an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveImported {
    pub story: StoryId,
    /// The branch that is read.
    pub current: Option<RefId>,
    /// How many branches and tags it has.
    pub refs: usize,
    pub nodes: usize,
    /// How many versions of pages.
    pub pages: usize,
    /// Nodes whose computed state is another than the archive says, by their lines; the computed one counts.
    pub differing: Vec<usize>,
    /// Nodes that keep the state of the archive because it cannot be computed here: other semantics,
    /// or functions that wait until they are allowed.
    pub kept: usize,
    /// Functions that were left out.
    pub held_functions: usize,
    /// Host chats that belong to branches which are there already.
    pub unbound_chats: usize,
}

/// Returns whether a file is an archive, going by its first line.
pub fn is_archive(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let first = text.lines().next().unwrap_or_default();
    // The first line of an archive is short; that of a chat may be long.
    first.len() < 1_000
        && json::read(first).is_ok_and(|value| value.get("storeyline").and_then(|own| own.as_text()) == Some("archive"))
}

impl ReadEngine {
    /// Writes a whole story, line by line; every line ends with LF.
    pub fn write_archive(
        &self,
        owner: &Owner,
        story: StoryId,
        mut out: impl FnMut(&str) -> io::Result<()>,
    ) -> Result<()> {
        self.read(owner, |tx| write::write(tx, &find_story(tx, story)?, &mut out))
    }
}

impl Engine {
    /// Reads a whole story; `told` hears how many nodes of all are done.
    pub fn import_archive(
        &self,
        owner: &Owner,
        text: &str,
        options: ArchiveOptions,
        mut told: impl FnMut(usize, usize),
    ) -> Result<ArchiveImported> {
        let archive = Archive::read(text)?;
        self.change(owner, |tx| restore::restore(tx, &archive, options, &mut told))
    }
}
