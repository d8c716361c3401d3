//! What came of reading an archive.

use serde::{Deserialize, Serialize};
use storeyline_engine::ArchiveImported;
use utoipa::{IntoParams, ToSchema};

use crate::wire::ids::{Branch, Story};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ArchiveQuery {
    /// Whether functions in the archive may run. Else they are left out, and pages that were computed with them keep the states of the archive, marked stale.
    #[serde(default)]
    pub(crate) allow_functions: bool,
    /// Whether a new story with new ids is made; else a story that is there already is an error (`story_exists`).
    #[serde(default)]
    pub(crate) copy: bool,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ArchiveImported)]
pub(crate) struct ArchiveImportedWire {
    story: Story,
    /// The branch that is read.
    current: Option<Branch>,
    /// How many branches and tags there are.
    refs: usize,
    nodes: usize,
    /// How many versions of pages there are.
    pages: usize,
    /// Lines of nodes whose computed state is another than the archive says; the computed one counts.
    differing: Vec<usize>,
    /// Nodes that keep the state of the archive because it cannot be computed here.
    kept: usize,
    /// Functions that were left out.
    held_functions: usize,
    /// Host chats that belong to branches which are there already.
    unbound_chats: usize,
}

impl From<ArchiveImported> for ArchiveImportedWire {
    fn from(imported: ArchiveImported) -> Self {
        let ArchiveImported { story, current, refs, nodes, pages, differing, kept, held_functions, unbound_chats } =
            imported;
        let (story, current) = (story.into(), current.map(Into::into));
        ArchiveImportedWire { story, current, refs, nodes, pages, differing, kept, held_functions, unbound_chats }
    }
}
