//! Changes of a branch.

use serde::Deserialize;
use storeyline_engine::{BranchEdit, KeepText};
use storeyline_state::PageId;

use crate::wire::common::id;

/// `POST …/operations`
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum OperationWire {
    Select {
        #[serde(deserialize_with = "id")]
        page: PageId,
    },
    Edit {
        #[serde(deserialize_with = "id")]
        page: PageId,
        text: String,
    },
}

impl From<OperationWire> for BranchEdit {
    fn from(wire: OperationWire) -> Self {
        match wire {
            OperationWire::Select { page } => BranchEdit::Select { page },
            OperationWire::Edit { page, text } => BranchEdit::Edit { page, text, keep: KeepText::InPlace },
        }
    }
}
