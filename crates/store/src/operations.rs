//! The log of operations: every change of a ref, in order.

use storeyline_history::NodeKey;
use storeyline_state::{Value, json};

use crate::error::StoreError;
use crate::fresh::FreshOperation;
use crate::sql::{Row, params};
use crate::tx::Tx;

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
}

/// One change of a ref.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// Its number; it rises.
    pub id: i64,
    /// The number of the ref.
    pub of: i64,
    /// The operation before it on the same ref.
    pub earlier: Option<i64>,
    /// What was done.
    pub kind: OperationKind,
    /// Where the ref stood.
    pub before: Option<NodeKey>,
    /// Where it stands.
    pub after: Option<NodeKey>,
    /// The operation that it takes back.
    pub undoes: Option<i64>,
    /// Who did it.
    pub client: String,
    /// When, in milliseconds since 1970.
    pub time: i64,
    /// What else there is to know, for showing and for taking it back.
    pub detail: Value,
}

impl Operation {
    /// The detail as it lies in a row.
    pub(crate) fn written_detail(&self) -> Option<String> {
        match &self.detail {
            Value::Null => None,
            detail => Some(json::write(detail)),
        }
    }
}

const ALL: &str = "SELECT o.id, o.ref, o.earlier, o.kind, o.before, o.after, o.undoes, c.name, o.time, o.detail
                   FROM operation o LEFT JOIN client c ON c.id = o.client WHERE o.owner = $1 AND o.id ";

fn read(row: &dyn Row) -> Result<Operation, StoreError> {
    let id = row.int(0)?;
    let damaged = || StoreError::damaged("operation", id);
    let detail = match row.maybe_bytes(9)? {
        None => Value::Null,
        Some(bytes) => {
            std::str::from_utf8(bytes).ok().and_then(|text| json::read_stored(text).ok()).ok_or_else(damaged)?
        }
    };
    Ok(Operation {
        id,
        of: row.int(1)?,
        earlier: row.maybe_int(2)?,
        kind: OperationKind::from_number(row.int(3)?).ok_or_else(damaged)?,
        before: row.maybe_int(4)?.map(NodeKey),
        after: row.maybe_int(5)?.map(NodeKey),
        undoes: row.maybe_int(6)?,
        client: if row.maybe_bytes(7)?.is_some() { row.text(7)? } else { String::new() },
        time: row.int(8)?,
        detail,
    })
}

impl Tx<'_> {
    /// Writes an operation down and returns its number; the one in it does not count.
    pub fn log(&mut self, operation: &Operation) -> Result<i64, StoreError> {
        let client = self.client(&operation.client)?;
        self.keep(|batch, numbers| {
            numbers.operation += 1;
            let operation = Operation { id: numbers.operation, ..operation.clone() };
            batch.operations.push(FreshOperation { operation, client });
            numbers.operation
        })
    }

    /// Returns an operation.
    pub fn operation(&self, id: i64) -> Result<Option<Operation>, StoreError> {
        match self.in_fresh(|batch| batch.operation(id).map(|fresh| fresh.operation.clone())) {
            Some(fresh) => Ok(Some(fresh)),
            None => self.one(&format!("{ALL}= $2"), params![self.owner, id], read),
        }
    }

    /// Returns operations after one, the oldest first.
    pub fn operations_after(&self, after: i64, limit: usize) -> Result<Vec<Operation>, StoreError> {
        let sql = format!("{ALL}> $2 ORDER BY o.id LIMIT $3");
        let mut found = self.many(&sql, params![self.owner, after, limit], read)?;
        self.each_fresh(|batch| {
            let later = batch.operations.iter().filter(|fresh| fresh.operation.id > after);
            found.extend(later.map(|fresh| fresh.operation.clone()));
        });
        found.truncate(limit);
        Ok(found)
    }

    /// Returns the number of the last operation, 0 if there was none.
    pub fn last_operation(&self) -> Result<i64, StoreError> {
        if let Some(last) = self.in_fresh(|batch| batch.operations.last().map(|fresh| fresh.operation.id)) {
            return Ok(last);
        }
        let sql = "SELECT id FROM operation WHERE owner = $1 ORDER BY id DESC LIMIT 1";
        Ok(self.one(sql, params![self.owner], |row| row.int(0))?.unwrap_or(0))
    }

    fn client(&mut self, name: &str) -> Result<Option<i64>, StoreError> {
        if name.is_empty() {
            return Ok(None);
        }
        if let Some((known, _)) = self.recent.clients.find(self.owner, |own| **own == *name) {
            return Ok(Some(known));
        }
        let sql = "SELECT id FROM client WHERE owner = $1 AND name = $2";
        if let Some(known) = self.one(sql, params![self.owner, name], |row| row.int(0))? {
            self.recent.clients.put(self.owner, known, name.into());
            return Ok(Some(known));
        }
        let sql = "INSERT INTO client (owner, name) VALUES ($1, $2)";
        Ok(Some(self.insert(sql, params![self.owner, name])?))
    }
}
