//! Parameters and result of importing an archive.

use serde::{Deserialize, Serialize};
use storeyline_engine as engine;
use utoipa::{IntoParams, ToSchema};

use crate::wire::ids::{RefId, StoryId};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ArchiveQuery {
    /// Whether a new story with new ids is made; otherwise an existing story is an error (`story_exists`).
    #[serde(default)]
    pub(crate) copy: bool,
}

#[derive(Serialize, ToSchema)]
pub struct ArchiveImported {
    story: StoryId,
    /// The current branch.
    current: Option<RefId>,
    /// Number of branches and tags.
    refs: usize,
    nodes: usize,
    /// Number of versions of pages.
    pages: usize,
    /// Line numbers of nodes whose computed state differs from the archive; the computed one is used.
    differing: Vec<usize>,
    /// Number of nodes that keep the state of the archive because it cannot be computed here.
    kept: usize,
    /// Number of functions that were left out.
    held_functions: usize,
    /// Number of host chats that are bound to existing branches.
    unbound_chats: usize,
}

impl From<engine::ArchiveImported> for ArchiveImported {
    fn from(imported: engine::ArchiveImported) -> Self {
        let engine::ArchiveImported {
            story,
            current,
            refs,
            nodes,
            pages,
            differing,
            kept,
            held_functions,
            unbound_chats,
        } = imported;
        let (story, current) = (story.into(), current.map(Into::into));
        ArchiveImported { story, current, refs, nodes, pages, differing, kept, held_functions, unbound_chats }
    }
}
