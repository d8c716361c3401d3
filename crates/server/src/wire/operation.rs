//! Every change of a branch, and its result.

use serde::{Deserialize, Deserializer, Serialize};
use storeyline_engine::{self as engine, BranchEdit as Edit, Logged, NewPage, NewTurn};
use storeyline_state::{self as state, Value};
use utoipa::ToSchema;

use crate::wire::ids::{NodeId, PageId, RefId};
use crate::wire::value::{Any, Object, present};

/// Who speaks.
#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    Assistant,
    Narrator,
    User,
    Summary,
    Other,
}

impl From<Role> for engine::Role {
    fn from(role: Role) -> Self {
        match role {
            Role::Assistant => engine::Role::Assistant,
            Role::Narrator => engine::Role::Narrator,
            Role::User => engine::Role::User,
            Role::Summary => engine::Role::Summary,
            Role::Other => engine::Role::Other,
        }
    }
}

/// What happens to the old text.
#[derive(Clone, Copy, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum KeepText {
    /// The page gets the new text.
    #[default]
    InPlace,
    /// The new text becomes another page of the floor, which becomes active.
    AsAlternative,
    /// The page gets the new text on every branch.
    OnAllBranches,
}

/// A change of a branch.
#[derive(ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(dead_code, reason = "it describes; what is read is the flat form below")]
pub(crate) enum BranchEdit {
    /// Appends a turn.
    Append { role: Role, name: String, text: String, page: Option<PageId>, time: Option<i64> },
    /// Appends a reply: another page if the last turn is a reply, else a new turn.
    Reply { role: Role, name: String, text: String, page: Option<PageId>, time: Option<i64> },
    /// Inserts a turn at a floor; later ones move down.
    Insert { floor: u32, role: Role, name: String, text: String, page: Option<PageId>, time: Option<i64> },
    /// Adds a page to a floor and makes it active.
    AddPage { floor: u32, text: String, page: Option<PageId>, time: Option<i64> },
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
    /// Deletes turns.
    Delete {
        floor: u32,
        #[schema(required = false, default = 1)]
        count: u32,
    },
    /// Deletes a turn with all that follow it.
    Cut { floor: u32 },
    /// Deletes all pages of a turn except one.
    KeepOnly { page: PageId },
    /// Moves a turn to another floor, counted without it.
    Move { floor: u32, to: u32 },
    /// Hides a turn from the prompt, or shows it again; never changes a state.
    Hide { floor: u32, hidden: bool },
    /// Inserts turns of another branch at a floor, with their pages.
    Graft { from: RefId, first: u32, count: u32, floor: u32 },
    /// Overrides the state of a page, whatever was computed.
    Override { page: PageId, state: Object },
    /// Removes the overrides of a page.
    ClearOverride { page: PageId },
    /// Sets one path of the state of a page.
    Set { page: PageId, path: String, value: Any },
    /// Removes one path of the state of a page.
    Unset { page: PageId, path: String },
}

/// What is wanted of a branch.
pub(crate) enum Wanted {
    Edit(Edit),
    Correct { page: state::PageId, path: String, value: Option<Value> },
}

/// All fields of all kinds. A value must be parsed in place: serde buffers it when `kind` is read first, which would lose digits of its numbers.
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
    keep: Option<KeepText>,
    state: Option<Object>,
    path: Option<String>,
    #[serde(default, deserialize_with = "present")]
    value: Option<Any>,
}

/// Returns a field that is required for this kind.
fn need<T>(field: Option<T>, name: &str, kind: &str) -> Result<T, String> {
    field.ok_or_else(|| format!("`{kind}` needs `{name}`"))
}

impl Flat {
    fn wanted(self) -> Result<Wanted, String> {
        let kind = self.kind.clone();
        let page = need(self.page, "page", &kind).map(|page| page.0);
        let floor = need(self.floor, "floor", &kind).map(|at| at as usize);
        Ok(Wanted::Edit(match kind.as_str() {
            "append" => Edit::Append(self.turn()?),
            "reply" => Edit::Reply(self.turn()?),
            "insert" => Edit::Insert { floor: floor?, turn: self.turn()? },
            "add_page" => Edit::AddPage { floor: floor?, page: self.new_page()? },
            "select" => Edit::Select { page: page? },
            "swipe" => Edit::Swipe { page: page? },
            "edit" => {
                let keep = match self.keep.unwrap_or_default() {
                    KeepText::InPlace => engine::KeepText::InPlace,
                    KeepText::AsAlternative => engine::KeepText::AsAlternative,
                    KeepText::OnAllBranches => engine::KeepText::OnAllBranches,
                };
                Edit::Edit { page: page?, text: need(self.text, "text", &kind)?, keep }
            }
            "delete_page" => Edit::DeletePage { page: page? },
            "delete" => Edit::Delete { floor: floor?, count: self.count.unwrap_or(1) as usize },
            "cut" => Edit::Cut { floor: floor? },
            "keep_only" => Edit::KeepOnly { page: page? },
            "move" => Edit::Move { from: floor?, to: need(self.to, "to", &kind)? as usize },
            "hide" => Edit::Hide { floor: floor?, hidden: need(self.hidden, "hidden", &kind)? },
            "graft" => Edit::Graft {
                from: need(self.from, "from", &kind)?.0,
                first: need(self.first, "first", &kind)? as usize,
                count: need(self.count, "count", &kind)? as usize,
                floor: floor?,
            },
            "override" => Edit::Override { page: page?, state: need(self.state, "state", &kind)?.0 },
            "clear_override" => Edit::ClearOverride { page: page? },
            "set" => {
                let value = Some(need(self.value, "value", &kind)?.0);
                return Ok(Wanted::Correct { page: page?, path: need(self.path, "path", &kind)?, value });
            }
            "unset" => {
                return Ok(Wanted::Correct { page: page?, path: need(self.path, "path", &kind)?, value: None });
            }
            other => return Err(format!("there is no change of the kind `{other}`")),
        }))
    }

    fn new_page(&self) -> Result<NewPage, String> {
        let text = need(self.text.clone(), "text", &self.kind)?;
        Ok(NewPage { page: self.page.map(|page| page.0), text, time: self.time })
    }

    fn turn(&self) -> Result<NewTurn, String> {
        Ok(NewTurn {
            role: need(self.role, "role", &self.kind)?.into(),
            name: need(self.name.clone(), "name", &self.kind)?,
            page: self.new_page()?,
        })
    }
}

impl<'de> Deserialize<'de> for Wanted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Flat::deserialize(deserializer)?.wanted().map_err(serde::de::Error::custom)
    }
}

/// The result of a change.
#[derive(Serialize, ToSchema)]
pub(crate) struct Edited {
    /// Number of the operation; absent: nothing had to be changed, and nothing was written.
    operation: Option<i64>,
    /// New head of the branch.
    node: NodeId,
    /// The branch that was changed; another one than requested if an append came too late.
    #[serde(rename = "ref")]
    branch: RefId,
    /// The page that was written, if any.
    page: Option<PageId>,
    /// Floors that were evaluated.
    evaluated: Vec<usize>,
    /// Whether an append came too late and was stored as an alternative.
    late: bool,
}

impl From<engine::Edited> for Edited {
    fn from(edited: engine::Edited) -> Self {
        let engine::Edited { operation, node, branch, page, evaluated, late } = edited;
        let page = page.map(Into::into);
        Edited { operation, node: node.into(), branch: branch.into(), page, evaluated, late }
    }
}

/// Number of an operation.
#[derive(Serialize, ToSchema)]
pub(crate) struct Done {
    /// Absent: nothing had to be changed, and nothing was written.
    pub(crate) operation: Option<i64>,
}

/// Which operation.
#[derive(Deserialize, ToSchema)]
pub(crate) struct WhichOperation {
    /// Its number; absent: the last one.
    pub(crate) operation: Option<i64>,
}

/// An operation in the log.
#[derive(Serialize, ToSchema)]
pub(crate) struct Operation {
    operation: i64,
    kind: &'static str,
    client: String,
    time: i64,
    undone: bool,
    undoes: Option<i64>,
    /// Further details; not stable.
    detail: Any,
}

impl From<Logged> for Operation {
    fn from(Logged { operation, undone, detail }: Logged) -> Self {
        let engine::Operation { number, kind, client, time, undoes, .. } = operation;
        Operation { operation: number, kind: kind.as_str(), client, time, undone, undoes, detail: Any(detail) }
    }
}

/// The operations of a branch, the newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct Log {
    pub(crate) operations: Vec<Operation>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_of_the_engine_is_taken() {
        for role in [
            engine::Role::Assistant,
            engine::Role::Narrator,
            engine::Role::User,
            engine::Role::Summary,
            engine::Role::Other,
        ] {
            let wire: Role = serde_json::from_value(role.as_str().into()).expect("a word of ours");
            assert_eq!(engine::Role::from(wire), role);
        }
    }
}
