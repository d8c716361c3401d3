//! Every change of a branch, and its result.

use serde::{Deserialize, Deserializer, Serialize};
use storeyline_engine::{BranchEdit, Edited, KeepText, Logged, NewPage, NewTurn, Role};
use utoipa::ToSchema;

use crate::wire::ids::{Branch, Node, Page};
use crate::wire::value::{Any, Object, present};

/// Who speaks.
#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Role)]
pub(crate) enum RoleWire {
    Assistant,
    Narrator,
    User,
    Summary,
    Other,
}

impl From<RoleWire> for Role {
    fn from(role: RoleWire) -> Self {
        match role {
            RoleWire::Assistant => Role::Assistant,
            RoleWire::Narrator => Role::Narrator,
            RoleWire::User => Role::User,
            RoleWire::Summary => Role::Summary,
            RoleWire::Other => Role::Other,
        }
    }
}

/// What happens to the old text.
#[derive(Clone, Copy, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = KeepText)]
pub(crate) enum KeepWire {
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
#[schema(as = BranchEdit)]
#[expect(dead_code, reason = "it describes; what is read is the flat form below")]
pub(crate) enum OperationWire {
    /// Appends a turn.
    Append { role: RoleWire, name: String, text: String, page: Option<Page>, time: Option<i64> },
    /// Appends a reply: another page if the last turn is a reply, else a new turn.
    Reply { role: RoleWire, name: String, text: String, page: Option<Page>, time: Option<i64> },
    /// Inserts a turn at a floor; later ones move down.
    Insert { floor: u32, role: RoleWire, name: String, text: String, page: Option<Page>, time: Option<i64> },
    /// Adds a page to a floor and makes it active.
    AddPage { floor: u32, text: String, page: Option<Page>, time: Option<i64> },
    /// Makes another page active; what follows stays.
    Select { page: Page },
    /// Makes another page active, with what followed it when it was last read.
    Swipe { page: Page },
    /// Changes the text of a page.
    Edit {
        page: Page,
        text: String,
        #[schema(required = false)]
        keep: KeepWire,
    },
    /// Deletes a page.
    DeletePage { page: Page },
    /// Deletes turns.
    Delete {
        floor: u32,
        #[schema(required = false, default = 1)]
        count: u32,
    },
    /// Deletes a turn with all that follow it.
    Cut { floor: u32 },
    /// Deletes all pages of a turn except one.
    KeepOnly { page: Page },
    /// Moves a turn to another floor, counted without it.
    Move { floor: u32, to: u32 },
    /// Hides a turn from the prompt, or shows it again; never changes a state.
    Hide { floor: u32, hidden: bool },
    /// Inserts turns of another branch at a floor, with their pages.
    Graft { from: Branch, first: u32, count: u32, floor: u32 },
    /// Overrides the state of a page, whatever was computed.
    Override { page: Page, state: Object },
    /// Removes the overrides of a page.
    ClearOverride { page: Page },
    /// Sets one path of the state of a page.
    Set { page: Page, path: String, value: Any },
    /// Removes one path of the state of a page.
    Unset { page: Page, path: String },
}

/// What is wanted of a branch.
pub(crate) enum Wanted {
    Edit(BranchEdit),
    Correct { page: Page, path: String, value: Option<Any> },
}

/// All fields of all kinds. A value must be parsed in place: serde buffers it when `kind` is read first, which would lose digits of its numbers.
#[derive(Deserialize)]
struct Flat {
    kind: String,
    role: Option<RoleWire>,
    name: Option<String>,
    text: Option<String>,
    page: Option<Page>,
    time: Option<i64>,
    floor: Option<u32>,
    count: Option<u32>,
    first: Option<u32>,
    to: Option<u32>,
    from: Option<Branch>,
    hidden: Option<bool>,
    keep: Option<KeepWire>,
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
        let (page, floor) = (need(self.page, "page", &kind), need(self.floor, "floor", &kind).map(|at| at as usize));
        let page_id = page.clone().map(|page| page.0);
        Ok(Wanted::Edit(match kind.as_str() {
            "append" => BranchEdit::Append(self.turn()?),
            "reply" => BranchEdit::Reply(self.turn()?),
            "insert" => BranchEdit::Insert { floor: floor?, turn: self.turn()? },
            "add_page" => BranchEdit::AddPage { floor: floor?, page: self.new_page()? },
            "select" => BranchEdit::Select { page: page_id? },
            "swipe" => BranchEdit::Swipe { page: page_id? },
            "edit" => {
                let keep = match self.keep.unwrap_or_default() {
                    KeepWire::InPlace => KeepText::InPlace,
                    KeepWire::AsAlternative => KeepText::AsAlternative,
                    KeepWire::OnAllBranches => KeepText::OnAllBranches,
                };
                BranchEdit::Edit { page: page_id?, text: need(self.text, "text", &kind)?, keep }
            }
            "delete_page" => BranchEdit::DeletePage { page: page_id? },
            "delete" => BranchEdit::Delete { floor: floor?, count: self.count.unwrap_or(1) as usize },
            "cut" => BranchEdit::Cut { floor: floor? },
            "keep_only" => BranchEdit::KeepOnly { page: page_id? },
            "move" => BranchEdit::Move { from: floor?, to: need(self.to, "to", &kind)? as usize },
            "hide" => BranchEdit::Hide { floor: floor?, hidden: need(self.hidden, "hidden", &kind)? },
            "graft" => BranchEdit::Graft {
                from: need(self.from, "from", &kind)?.0,
                first: need(self.first, "first", &kind)? as usize,
                count: need(self.count, "count", &kind)? as usize,
                floor: floor?,
            },
            "override" => BranchEdit::Override { page: page_id?, state: need(self.state, "state", &kind)?.0 },
            "clear_override" => BranchEdit::ClearOverride { page: page_id? },
            "set" | "unset" => {
                let value = match kind.as_str() {
                    "set" => Some(need(self.value, "value", &kind)?),
                    _ => None,
                };
                return Ok(Wanted::Correct { page: page?, path: need(self.path, "path", &kind)?, value });
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
#[schema(as = Edited)]
pub(crate) struct EditedWire {
    /// Number of the operation; absent: nothing had to be changed, and nothing was written.
    operation: Option<i64>,
    /// New head of the branch.
    node: Node,
    /// The branch that was changed; another one than requested if an append came too late.
    #[serde(rename = "ref")]
    branch: Branch,
    /// The page that was written, if any.
    page: Option<Page>,
    /// Floors that were evaluated.
    evaluated: Vec<usize>,
    /// Whether an append came too late and was stored as an alternative.
    late: bool,
}

impl From<Edited> for EditedWire {
    fn from(edited: Edited) -> Self {
        EditedWire {
            operation: edited.operation,
            node: edited.node.into(),
            branch: edited.branch.into(),
            page: edited.page.map(Into::into),
            evaluated: edited.evaluated,
            late: edited.late,
        }
    }
}

/// Number of an operation.
#[derive(Serialize, ToSchema)]
#[schema(as = Done)]
pub(crate) struct DoneWire {
    /// Absent: nothing had to be changed, and nothing was written.
    pub(crate) operation: Option<i64>,
}

/// Which operation.
#[derive(Deserialize, ToSchema)]
#[schema(as = WhichOperation)]
pub(crate) struct WhichOperationWire {
    /// Its number; absent: the last one.
    pub(crate) operation: Option<i64>,
}

/// An operation in the log.
#[derive(Serialize, ToSchema)]
#[schema(as = Operation)]
pub(crate) struct LoggedWire {
    operation: i64,
    kind: &'static str,
    client: String,
    time: i64,
    undone: bool,
    undoes: Option<i64>,
    /// Further details; not stable.
    detail: Any,
}

impl LoggedWire {
    pub(crate) fn new(logged: Logged) -> Self {
        let Logged { operation, undone, detail } = logged;
        LoggedWire {
            operation: operation.number,
            kind: operation.kind.as_str(),
            client: operation.client,
            time: operation.time,
            undone,
            undoes: operation.undoes,
            detail: Any(detail),
        }
    }
}

/// The operations of a branch, the newest first.
#[derive(Serialize, ToSchema)]
#[schema(as = Log)]
pub(crate) struct LogWire {
    pub(crate) operations: Vec<LoggedWire>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_of_the_engine_is_taken() {
        for role in [Role::Assistant, Role::Narrator, Role::User, Role::Summary, Role::Other] {
            let wire: RoleWire = serde_json::from_value(role.as_str().into()).expect("a word of ours");
            assert_eq!(Role::from(wire), role);
        }
    }
}
