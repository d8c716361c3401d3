//! Changes made in Storeyline itself. A bound host chat carries them out with its next sync.

use storeyline_history::path_states::fill_states;
use storeyline_history::{Body, Edit, edit};
use storeyline_state::{NodeId, PageId, RefId, StoryId};
use storeyline_store::{OperationKind, Owner};

use crate::branch::{find_branch, find_story, move_head, plain, put_list, turns_to};
use crate::engine::Engine;
use crate::error::EngineError;

/// A change of a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BranchEdit {
    /// Read another page of a turn.
    Select {
        /// Which one.
        page: PageId,
    },
    /// Give a page another text.
    Edit {
        /// Which one.
        page: PageId,
        /// The new text.
        text: String,
    },
}

/// What a change led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The number of the operation.
    pub operation: i64,
    /// Where the branch stands now.
    pub node: NodeId,
}

impl Engine {
    /// Changes a branch.
    pub fn edit_branch(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        change: &BranchEdit,
        client: &str,
    ) -> Result<Edited, EngineError> {
        let scripts = &mut self.scripts();
        self.transaction(owner, |tx| {
            let mut branch = find_branch(tx, story, branch)?;
            let story = find_story(tx, story)?;
            let turns = plain(&turns_to(tx, branch.head)?);
            let (edit, kind) = match change {
                BranchEdit::Select { page } => (Edit::Select { page: *page }, OperationKind::Select),
                BranchEdit::Edit { page, text } => {
                    let (floor, index) = edit::find_page(&turns, *page)?;
                    let text = tx.put_text(text)?;
                    let inputs = tx.body_inputs(turns[floor].pages[index].body)?;
                    let body = Body { stuck: tx.stuck(*page)?, ..inputs }.with_text(text);
                    (Edit::Rewrite { page: *page, text, body: tx.put_body(&body)? }, OperationKind::Edit)
                }
            };
            let turns = edit::apply(turns, edit)?;
            let head = put_list(tx, &story, &turns)?;
            fill_states(tx, head, &mut ***scripts)?;
            let operation = move_head(tx, &mut branch, head, kind, client)?;
            Ok(Edited { operation, node: head })
        })
    }
}
