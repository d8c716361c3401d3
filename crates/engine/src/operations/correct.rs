//! Corrects one value of the state of a page by hand.

use storeyline_state::op::{self, OpError};
use storeyline_state::path::PathError;
use storeyline_state::{PageId, RefId, StatePath, StoryId, Value};
use storeyline_store::Owner;

use super::{BranchEdit, By, Edited};
use crate::branch::{find_branch, floor_of};
use crate::engine::Engine;
use crate::error::{EngineError, Result};
use crate::sync::node_name;

impl Engine {
    /// Sets one value in the state of a page by an override, or removes it if there is no value.
    #[expect(clippy::too_many_arguments, reason = "each says one thing that the user chooses")]
    pub fn correct(
        &self,
        owner: &Owner,
        story: StoryId,
        branch: RefId,
        page: PageId,
        path: &str,
        value: Option<Value>,
        by: By<'_>,
    ) -> Result<Edited> {
        let bad = |problem: String| EngineError::BadPath { path: path.to_owned(), problem };
        let place: StatePath = path.parse().map_err(|error: PathError| bad(error.to_string()))?;
        let (floor, head) = self.read(owner, |tx| {
            let found = find_branch(tx, story, branch)?;
            Ok((floor_of(tx, &found, page)?.0, node_name(tx, found.head)?))
        })?;
        let mut state = self.floor(owner, story, branch, floor, Some(page))?.state;
        let failed = |error: OpError| bad(error.to_string());
        match value {
            Some(value) => op::set(&mut state, &place, value).map(|_| ()).map_err(failed)?,
            None => {
                op::unset(&mut state, &place).map_err(failed)?.ok_or_else(|| failed(OpError::NoSuchPath))?;
            }
        }
        // The correction applies only to the branch that was read above.
        let by = By { head: by.head.or(head), ..by };
        self.edit_branch(owner, story, branch, &BranchEdit::Override { page, state }, by)
    }
}
