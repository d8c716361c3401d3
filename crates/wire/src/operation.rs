//! Every change of a branch, and its result.

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::common::Path;
use crate::ids::{NodeId, PageId, RefId};
use crate::value::{Json, JsonObject, present};
use crate::words::{KeepText, OperationKind, Role};

/// A page to be written.
#[derive(Debug, Clone, PartialEq, ToSchema)]
pub struct NewPage {
    /// Generated if missing.
    pub page: Option<PageId>,
    pub text: String,
    /// In milliseconds since 1970; now if missing.
    pub time: Option<i64>,
}

/// A turn to be written.
#[derive(Debug, Clone, PartialEq, ToSchema)]
pub struct NewTurn {
    pub role: Role,
    pub name: String,
    #[serde(flatten)]
    pub page: NewPage,
}

/// A path of a state: as a user writes it, such as `角色.金币`, or its steps, which are exact whatever is in a key.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum EditPath {
    Text(String),
    Steps(Path),
}

/// A change of a branch.
#[derive(Debug, Clone, PartialEq, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BranchEdit {
    /// Appends a turn.
    Append(NewTurn),
    /// Appends a reply: another page if the last turn is a reply, else a new turn.
    Reply(NewTurn),
    /// Inserts a turn at a floor; later ones move down.
    Insert {
        #[schema(value_type = u32)]
        floor: usize,
        #[serde(flatten)]
        turn: NewTurn,
    },
    /// Adds a page to a floor and makes it active.
    AddPage {
        #[schema(value_type = u32)]
        floor: usize,
        #[serde(flatten)]
        page: NewPage,
    },
    /// Makes another page active; what follows stays.
    Select { page: PageId },
    /// Makes another page active, with what followed it when it was last read.
    Swipe { page: PageId },
    /// Changes the text of a page.
    Edit {
        page: PageId,
        text: String,
        #[schema(required = false)]
        keep: KeepText,
    },
    /// Deletes a page.
    DeletePage { page: PageId },
    /// Deletes `count` turns, the first of them at `floor`.
    Delete {
        #[schema(value_type = u32)]
        floor: usize,
        #[schema(value_type = u32, required = false, default = 1)]
        count: usize,
    },
    /// Deletes a turn with all that follow it.
    Cut {
        #[schema(value_type = u32)]
        floor: usize,
    },
    /// Deletes all pages of a turn except one.
    KeepOnly { page: PageId },
    /// Moves a turn to another floor, counted without it.
    Move {
        #[schema(value_type = u32)]
        floor: usize,
        #[schema(value_type = u32)]
        to: usize,
    },
    /// Hides a turn from the prompt, or shows it again; never changes a state.
    Hide {
        #[schema(value_type = u32)]
        floor: usize,
        hidden: bool,
    },
    /// Marks a page as not valid, or as valid again: an invalid one has the state above it, and no model reads it.
    Validity { page: PageId, valid: bool },
    /// Inserts turns of another branch at a floor, with their pages.
    Graft {
        from: RefId,
        #[schema(value_type = u32)]
        first: usize,
        #[schema(value_type = u32)]
        count: usize,
        #[schema(value_type = u32)]
        floor: usize,
    },
    /// Overrides the state of a page, whatever was computed.
    Override { page: PageId, state: JsonObject },
    /// Removes the overrides of a page.
    ClearOverride { page: PageId },
    /// Sets one path of the state of a page.
    Set { page: PageId, path: EditPath, value: Json },
    /// Removes one path of the state of a page.
    Unset { page: PageId, path: EditPath },
}

/// All fields of all kinds. A value must be parsed in place: serde buffers it when `kind` is read
/// first, which would lose digits of its numbers. Numbers of floors are `u32`, so that sums of them
/// never overflow.
#[derive(Deserialize)]
struct Flat {
    kind: String,
    role: Option<Role>,
    name: Option<String>,
    text: Option<String>,
    page: Option<PageId>,
    time: Option<i64>,
    floor: Option<u32>,
    count: Option<u32>,
    first: Option<u32>,
    to: Option<u32>,
    from: Option<RefId>,
    hidden: Option<bool>,
    valid: Option<bool>,
    keep: Option<KeepText>,
    state: Option<JsonObject>,
    path: Option<EditPath>,
    #[serde(default, deserialize_with = "present")]
    value: Option<Json>,
}

/// Returns a field that is required for this kind.
fn need<T>(field: Option<T>, name: &str, kind: &str) -> Result<T, String> {
    field.ok_or_else(|| format!("`{kind}` needs `{name}`"))
}

impl Flat {
    fn edit(self) -> Result<BranchEdit, String> {
        let kind = self.kind.clone();
        let page = need(self.page, "page", &kind);
        let floor = need(self.floor, "floor", &kind).map(|at| at as usize);
        Ok(match kind.as_str() {
            "append" => BranchEdit::Append(self.turn()?),
            "reply" => BranchEdit::Reply(self.turn()?),
            "insert" => BranchEdit::Insert { floor: floor?, turn: self.turn()? },
            "add_page" => BranchEdit::AddPage { floor: floor?, page: self.new_page()? },
            "select" => BranchEdit::Select { page: page? },
            "swipe" => BranchEdit::Swipe { page: page? },
            "edit" => {
                let keep = self.keep.unwrap_or(KeepText::InPlace);
                BranchEdit::Edit { page: page?, text: need(self.text, "text", &kind)?, keep }
            }
            "delete_page" => BranchEdit::DeletePage { page: page? },
            "delete" => BranchEdit::Delete { floor: floor?, count: self.count.unwrap_or(1) as usize },
            "cut" => BranchEdit::Cut { floor: floor? },
            "keep_only" => BranchEdit::KeepOnly { page: page? },
            "move" => BranchEdit::Move { floor: floor?, to: need(self.to, "to", &kind)? as usize },
            "hide" => BranchEdit::Hide { floor: floor?, hidden: need(self.hidden, "hidden", &kind)? },
            "validity" => BranchEdit::Validity { page: page?, valid: need(self.valid, "valid", &kind)? },
            "graft" => BranchEdit::Graft {
                from: need(self.from, "from", &kind)?,
                first: need(self.first, "first", &kind)? as usize,
                count: need(self.count, "count", &kind)? as usize,
                floor: floor?,
            },
            "override" => BranchEdit::Override { page: page?, state: need(self.state, "state", &kind)? },
            "clear_override" => BranchEdit::ClearOverride { page: page? },
            "set" => {
                let value = need(self.value, "value", &kind)?;
                BranchEdit::Set { page: page?, path: need(self.path, "path", &kind)?, value }
            }
            "unset" => BranchEdit::Unset { page: page?, path: need(self.path, "path", &kind)? },
            other => return Err(format!("there is no change of the kind `{other}`")),
        })
    }

    fn new_page(&self) -> Result<NewPage, String> {
        let text = need(self.text.clone(), "text", &self.kind)?;
        Ok(NewPage { page: self.page, text, time: self.time })
    }

    fn turn(&self) -> Result<NewTurn, String> {
        Ok(NewTurn {
            role: need(self.role, "role", &self.kind)?,
            name: need(self.name.clone(), "name", &self.kind)?,
            page: self.new_page()?,
        })
    }
}

impl From<&str> for EditPath {
    fn from(path: &str) -> Self {
        EditPath::Text(path.to_owned())
    }
}

impl<'de> Deserialize<'de> for BranchEdit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Flat::deserialize(deserializer)?.edit().map_err(serde::de::Error::custom)
    }
}

/// The result of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Edited {
    /// Number of the operation; absent: nothing had to be changed, and nothing was written.
    pub operation: Option<i64>,
    /// New head of the branch.
    pub node: NodeId,
    /// The branch that was changed; another one than requested if an append came too late.
    #[serde(rename = "ref")]
    pub branch: RefId,
    /// The page that was written, if any.
    pub page: Option<PageId>,
    /// Floors that were evaluated.
    pub evaluated: Vec<usize>,
    /// Whether an append came too late and was stored as an alternative.
    pub late: bool,
}

/// Number of an operation.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Done {
    /// Absent: nothing had to be changed, and nothing was written.
    pub operation: Option<i64>,
}

/// The operation to undo or to redo.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct WhichOperation {
    /// Its number; absent: the last one.
    pub operation: Option<i64>,
}

/// An operation in the log.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Operation {
    pub operation: i64,
    pub kind: OperationKind,
    pub client: String,
    pub time: i64,
    pub undone: bool,
    pub undoes: Option<i64>,
    /// By how many floors the branch became longer; negative: shorter.
    pub floors: i64,
    /// Further details; not stable.
    pub detail: Json,
}

/// The operations of a branch, the newest first.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Log {
    pub operations: Vec<Operation>,
}
