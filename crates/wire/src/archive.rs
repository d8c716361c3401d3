//! Parameters and result of importing an archive.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::ids::{RefId, StoryId};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ArchiveQuery {
    /// Whether a new story with new ids is made; otherwise an existing story is an error (`story_exists`).
    #[serde(default)]
    pub copy: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ArchiveImported {
    pub story: StoryId,
    /// The current branch.
    pub current: Option<RefId>,
    /// Number of branches and tags.
    pub refs: usize,
    pub nodes: usize,
    /// Number of versions of pages.
    pub pages: usize,
    /// Line numbers of nodes whose computed state differs from the archive; the computed one is used.
    pub differing: Vec<usize>,
    /// Number of nodes that keep the state of the archive because it cannot be computed here.
    pub kept: usize,
    /// Number of functions that were left out.
    pub held_functions: usize,
    /// Number of host chats that are bound to existing branches.
    pub unbound_chats: usize,
}
