//! Writes a whole story as JSON lines, and reads it back (`docs/format/archive.md`).
//!
//! Writing streams line by line; each line refers only to lines before it. Reading treats the file as
//! untrusted: all lines are checked first, states are computed again and compared, and the import is
//! one transaction.

mod problem;
mod read;
mod record;
mod restore;
mod write;

use std::io;

use storeyline_state::{StoryId, json};
use storeyline_store::Owner;
use storeyline_wire::archive::ArchiveImported;

pub use self::problem::{ArchiveError, ArchiveProblem};
use self::read::Archive;
use crate::branch::find_story;
use crate::engine::{Engine, ReadEngine};
use crate::error::Result;

/// Version of the format.
pub(crate) const VERSION: i64 = 1;

/// Options of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ArchiveOptions {
    /// Whether its functions may run. Otherwise they are removed, and pages that were computed with
    /// them keep the states of the archive.
    pub allow_functions: bool,
    /// Whether to create a new story, with new ids for the story and its refs and without host chats.
    pub copy: bool,
}

/// Tells from the first line whether a file is an archive.
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
    /// Imports a whole story; `progress` is called with the number of stored nodes and of all nodes.
    pub fn import_archive(
        &self,
        owner: &Owner,
        text: &str,
        options: ArchiveOptions,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<ArchiveImported> {
        let archive = Archive::read(text)?;
        self.change(owner, |tx| restore::restore(tx, &archive, options, &mut progress))
    }
}
