//! Every change of a branch, and what came of it.

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

/// What becomes of the old text.
#[derive(Clone, Copy, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = KeepText)]
pub(crate) enum KeepWire {
    /// The page has the new text.
    #[default]
    InPlace,
    /// The new text is another page of the floor, and is read.
    AsAlternative,
    /// The page has the new text on every branch.
    OnAllBranches,
}

/// A change of a branch.
#[derive(ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[schema(as = BranchEdit)]
#[expect(dead_code, reason = "it describes; what is read is the flat form below")]
pub(crate) enum OperationWire {
    /// Adds a turn at the end.
    Append { role: RoleWire, name: String, text: String, page: Option<Page>, time: Option<i64> },
    /// Adds a reply: another page if the last turn is a reply, else a turn of its own.
    Reply { role: RoleWire, name: String, text: String, page: Option<Page>, time: Option<i64> },
    /// Puts a turn at a floor; the later ones move down.
    Insert { floor: u32, role: RoleWire, name: String, text: String, page: Option<Page>, time: Option<i64> },
    /// Adds a page to a floor and reads it.
    AddPage { floor: u32, text: String, page: Option<Page>, time: Option<i64> },
    /// Reads another page; what follows stays.
    Select { page: Page },
    /// Reads another page, with what followed it when it was last read.
    Swipe { page: Page },
    /// Gives a page another text.
    Edit {
        page: Page,
        text: String,
        #[schema(required = false)]
        keep: KeepWire,
    },
    /// Takes a page away.
    DeletePage { page: Page },
    /// Takes turns away.
    Delete {
        floor: u32,
        #[schema(required = false, default = 1)]
        count: u32,
    },
    /// Takes a turn away with all that follows it.
    Cut { floor: u32 },
    /// Takes all pages of a turn away but one.
    KeepOnly { page: Page },
    /// Moves a turn to another floor, counted without it.
    Move { floor: u32, to: u32 },
    /// Hides a turn from the prompt, or shows it again; never changes a state.
    Hide { floor: u32, hidden: bool },
    /// Puts turns of another branch at a floor, with their pages.
    Graft { from: Branch, first: u32, count: u32, floor: u32 },
    /// Says what the state of a page is, whatever was computed.
    Override { page: Page, state: Object },
    /// Forgets what was said about the state of a page.
    ClearOverride { page: Page },
    /// Sets one place of the state of a page.
    Set { page: Page, path: String, value: Any },
    /// Takes one place of the state of a page away.
    Unset { page: Page, path: String },
}

/// What is wanted of a branch.
pub(crate) enum Wanted {
    Edit(BranchEdit),
    Correct { page: Page, path: String, value: Option<Any> },
}

/// All fields of all kinds. A value must be read where it stands: what is put aside to look at `kind` first
/// loses the digits of its numbers.
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

/// A field that this kind cannot do without.
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

/// What came of a change.
#[derive(Serialize, ToSchema)]
#[schema(as = Edited)]
pub(crate) struct EditedWire {
    /// The number of the operation; nothing: all was so already, and nothing was written.
    operation: Option<i64>,
    /// Where the branch stands now.
    node: Node,
    /// Which branch; another one than was asked for if an append came too late.
    #[serde(rename = "ref")]
    branch: Branch,
    /// The page that was written, if one was.
    page: Option<Page>,
    /// Floors that were evaluated.
    evaluated: Vec<usize>,
    /// Whether an append came too late and was kept as an alternative.
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

/// The number of an operation.
#[derive(Serialize, ToSchema)]
#[schema(as = Done)]
pub(crate) struct DoneWire {
    /// Nothing: all was so already, and nothing was written.
    pub(crate) operation: Option<i64>,
}

/// Which operation.
#[derive(Deserialize, ToSchema)]
#[schema(as = WhichOperation)]
pub(crate) struct WhichOperationWire {
    /// Its number; nothing: the last one.
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
    /// What else there is to know; not stable.
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

/// What was done on a branch, the newest first.
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
