//! The log of operations: every change of a ref, numbered per ref.

use serde::{Deserialize, Serialize};
use storeyline_history::{NodeKey, ValueKey};
use storeyline_state::PageId;

use crate::codec::records;
use crate::draft::Draft;
use crate::error::StoreError;
use crate::keys::{OwnerKey, RefKey};
use crate::sql::{Next, Param, Row, Sql, params};
use crate::tables::owners;
use crate::tables::table::Table;
use crate::view::View;

pub(crate) static TABLE: Table = Table::new(
    "operation",
    &["owner", "ref", "number", "seq", "kind", "before", "after", "undoes", "client", "time", "detail"],
    &["owner", "ref", "number"],
);

macro_rules! operation_kinds {
    ($($name:ident = $number:literal, $word:literal, $doc:literal;)*) => {
        /// What was done.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum OperationKind {
            $(#[doc = $doc] $name,)*
        }

        impl OperationKind {
            /// All of them.
            pub const ALL: &[OperationKind] = &[$(OperationKind::$name),*];

            /// Returns the word used in JSON.
            pub fn as_str(self) -> &'static str {
                match self { $(OperationKind::$name => $word,)* }
            }

            pub(crate) fn number(self) -> i64 {
                match self { $(OperationKind::$name => $number,)* }
            }

            pub(crate) fn from_number(number: i64) -> Option<OperationKind> {
                match number { $($number => Some(OperationKind::$name),)* _ => None }
            }
        }
    };
}

operation_kinds! {
    Sync = 1, "sync", "A host showed its chat.";
    Import = 2, "import", "A chat file was read.";
    Select = 3, "select", "Another page is read.";
    Edit = 4, "edit", "A page has another text.";
    Append = 5, "append", "A turn was added at the end.";
    AddPage = 6, "add_page", "An alternative was added.";
    Delete = 7, "delete", "Turns were taken away.";
    DeletePage = 8, "delete_page", "An alternative was taken away.";
    KeepOnly = 9, "keep_only", "All alternatives but one were taken away.";
    Move = 10, "move", "A turn went to another floor.";
    Hide = 11, "hide", "A turn was hidden from the prompt, or shown again.";
    Insert = 12, "insert", "Turns were put in.";
    Graft = 13, "graft", "Turns of another branch were put in.";
    Override = 14, "override", "A state was corrected by hand.";
    Reprocess = 15, "reprocess", "States were computed again under other rules.";
    Merge = 16, "merge", "The state of another branch was merged in.";
    Swipe = 17, "swipe", "Another page is read, with what followed it.";
    CreateBranch = 18, "create_branch", "A branch was made.";
    Change = 19, "change", "A ref has another name, note or colour.";
    Trash = 20, "trash", "A ref was thrown away.";
    Restore = 21, "restore", "A ref came back from the trash.";
    CreateTag = 22, "create_tag", "A tag was made.";
    Rules = 23, "rules", "The rules for new pages changed.";
    Switch = 24, "switch", "Another branch is read.";
    Undo = 25, "undo", "An operation was taken back.";
    Redo = 26, "redo", "An operation that had been taken back was done again.";
    Reset = 27, "reset", "A branch was set to another place.";
    Settings = 28, "settings", "Settings of the story changed.";
    Rename = 29, "rename", "The story has another title.";
    TrashStory = 30, "trash_story", "The story was thrown away.";
    RestoreStory = 31, "restore_story", "The story came back from the trash.";
    Validity = 32, "validity", "A page was marked as not valid, or as valid again.";
}

/// One change of a ref.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    pub of: RefKey,
    /// Its number on the ref, from 1.
    pub number: i64,
    /// Its position among all operations of the owner; 0 before it is committed.
    pub seq: ChangeSeq,
    pub kind: OperationKind,
    /// Where the ref stood before.
    pub before: Option<NodeKey>,
    /// Where it stands after.
    pub after: Option<NodeKey>,
    /// The number of the operation that it takes back.
    pub undoes: Option<i64>,
    pub client: String,
    /// In milliseconds since 1970.
    pub time: i64,
    pub detail: Detail,
}

/// A position in the change feed of an owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct ChangeSeq(pub i64);

/// What an operation changed besides the place of its ref: for showing it and for taking it back.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Detail {
    #[default]
    None,
    Floor(usize),
    Page {
        floor: usize,
        page: PageId,
    },
    /// Floors that were re-processed; `to` is the one after the last.
    Floors {
        from: usize,
        to: usize,
    },
    /// An append that came too late and was kept as an alternative.
    Late,
    /// The file that a branch was imported from.
    File(String),
    Title(Change<String>),
    Settings(Change<Option<ValueKey>>),
    Rules(Change<RulesParts>),
    /// The branch of the story that is read.
    Current(Change<Option<RefKey>>),
    Described(Change<Description>),
    /// A ref was thrown away; whether it was the one that is read.
    Trashed {
        was_current: bool,
    },
    /// When the story was thrown away.
    StoryTrashed(Change<Option<i64>>),
}

/// A value before and after an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change<T> {
    pub before: T,
    pub after: T,
}

impl<T> Change<T> {
    pub fn new(before: T, after: T) -> Change<T> {
        Change { before, after }
    }

    fn reversed(self) -> Change<T> {
        Change { before: self.after, after: self.before }
    }
}

/// The parts of a story's rules that an operation may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesParts {
    pub card_rules: ValueKey,
    pub choices: Option<ValueKey>,
}

/// What users write about a ref.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Description {
    pub name: String,
    pub note: String,
    pub colour: String,
}

impl Detail {
    /// Returns the detail of the operation that takes this one back.
    pub fn reversed(self) -> Detail {
        match self {
            Detail::Title(change) => Detail::Title(change.reversed()),
            Detail::Settings(change) => Detail::Settings(change.reversed()),
            Detail::Rules(change) => Detail::Rules(change.reversed()),
            Detail::Current(change) => Detail::Current(change.reversed()),
            Detail::Described(change) => Detail::Described(change.reversed()),
            Detail::StoryTrashed(change) => Detail::StoryTrashed(change.reversed()),
            other => other,
        }
    }

    /// Returns the values that it names.
    pub(crate) fn values(&self) -> Vec<ValueKey> {
        match self {
            Detail::Settings(change) => [change.before, change.after].into_iter().flatten().collect(),
            Detail::Rules(Change { before, after }) => {
                let parts = [before, after].into_iter();
                parts.flat_map(|parts| [Some(parts.card_rules), parts.choices]).flatten().collect()
            }
            _ => Vec::new(),
        }
    }
}

/// An operation as it lies in its row; the client is a key there.
pub(crate) struct OperationRow {
    pub(crate) operation: Operation,
    client: Option<i64>,
}

pub(crate) fn read(row: &dyn Row) -> Result<OperationRow, StoreError> {
    let number = row.int(2)?;
    let damaged = || StoreError::damaged("operation", number);
    let operation = Operation {
        of: RefKey(row.int(1)?),
        number,
        seq: ChangeSeq(row.int(3)?),
        kind: OperationKind::from_number(row.int(4)?).ok_or_else(damaged)?,
        before: row.maybe_int(5)?.map(NodeKey),
        after: row.maybe_int(6)?.map(NodeKey),
        undoes: row.maybe_int(7)?,
        client: String::new(),
        time: row.int(9)?,
        detail: records::read(row.bytes(10)?).ok_or_else(damaged)?,
    };
    Ok(OperationRow { operation, client: row.maybe_int(8)? })
}

/// Inserts operations with the keys of their clients; `first` is the position of the first one in the feed.
pub(crate) fn insert(
    sql: &dyn Sql,
    owner: OwnerKey,
    operations: &[(Operation, Option<i64>)],
    first: i64,
) -> Result<(), StoreError> {
    let details: Vec<Vec<u8>> = operations.iter().map(|(operation, _)| records::write(&operation.detail)).collect();
    let mut rows: Vec<Vec<Param<'_>>> = Vec::with_capacity(operations.len());
    for (((operation, client), detail), seq) in operations.iter().zip(&details).zip(first..) {
        let Operation { of, number, kind, before, after, undoes, time, .. } = operation;
        let kind = kind.number();
        rows.push(params![owner, *of, *number, seq, kind, *before, *after, *undoes, *client, *time, detail].to_vec());
    }
    TABLE.insert(sql, &rows)
}

/// Visits the details of all operations, with their refs and numbers.
pub(crate) fn each_detail(
    sql: &dyn Sql,
    owner: OwnerKey,
    mut visit: impl FnMut(RefKey, i64, Detail),
) -> Result<(), StoreError> {
    TABLE.visit(sql, "owner = $1", params![owner], &mut |row| {
        let Operation { of, number, detail, .. } = read(row)?.operation;
        visit(of, number, detail);
        Ok(Next::Row)
    })
}

impl View<'_> {
    /// Returns an operation on a ref.
    pub fn operation(&self, of: RefKey, number: i64) -> Result<Option<Operation>, StoreError> {
        let own = self.rows.operations.iter().find(|(own, _)| own.of == of && own.number == number);
        if let Some((own, _)) = own {
            return Ok(Some(own.clone()));
        }
        let rest = "owner = $1 AND ref = $2 AND number = $3";
        let found = TABLE.one(self.sql()?, rest, params![self.owner()?, of, number], read)?;
        found.map(|found| self.with_client(found)).transpose()
    }

    /// Returns the committed operations after a position, the oldest first.
    pub fn operations_after(&self, after: ChangeSeq, limit: usize) -> Result<Vec<Operation>, StoreError> {
        let Some(owner) = self.known_owner()? else { return Ok(Vec::new()) };
        let rest = "owner = $1 AND seq > $2 ORDER BY seq LIMIT $3";
        let found = TABLE.many(self.sql()?, rest, params![owner, after.0, limit], read)?;
        found.into_iter().map(|found| self.with_client(found)).collect()
    }

    /// Returns the position of the last committed operation.
    pub fn last_change(&self) -> Result<ChangeSeq, StoreError> {
        let Some(owner) = self.known_owner()? else { return Ok(ChangeSeq(0)) };
        owners::last_change(self.sql()?, owner)
    }

    fn with_client(&self, found: OperationRow) -> Result<Operation, StoreError> {
        let client = found.client.map(|client| self.client_name(client)).transpose()?.unwrap_or_default();
        Ok(Operation { client, ..found.operation })
    }
}

impl Draft<'_> {
    /// Adds an operation with the next number of its ref, which the caller stores in the ref.
    pub fn log(&mut self, operation: Operation) -> Result<(), StoreError> {
        let client = self.client_key(&operation.client)?;
        self.view.rows.operations.push((operation, client));
        Ok(())
    }
}
