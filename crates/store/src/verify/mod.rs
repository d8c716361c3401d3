//! Verifies rows: checksums, what one row says about another, and all columns that follow from others.
//!
//! Everything is read in one snapshot, past the cache, and no walk follows pointers further than there are rows,
//! so it ends whatever they hold. What is wrong is repaired only where the right value follows from other rows or
//! from the checksum; each repair is a short transaction that first compares the row with what was read. States
//! are not computed here: those that are not what their row says are returned for the engine.

mod content;
mod tree;

mod states;

mod beside;
mod judge;
mod log;

mod ids;
mod shape;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use storeyline_history::path_states::MemoKey;
use storeyline_history::{Evaluation, NodeKey, PageKey, StateKey, Turn};
use storeyline_state::{TextHash, ValueHash};

use crate::error::StoreError;
use crate::ids::IdKind;
use crate::keys::OwnerKey;
use crate::sql::{Sql, params};
use crate::sqlite::Durability;
use crate::store::{Owner, Store};
use crate::tables::nodes::StoredNode;
use crate::tables::table::{Raw, RawRow, Table};
use crate::tables::{
    assets, clients, cursors, nodes, operations, owners, pages, refs, states as state_rows, stories, texts, turns,
    values,
};
use content::CheckedPage;
use states::StateInfo;

/// How often rows are repaired and checked again: a repaired row may show what is wrong with another.
const ROUNDS: usize = 6;

/// How many rows one transaction repairs.
const BATCH: usize = 64;

/// A row in which something is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowProblem {
    pub table: &'static str,
    /// Its id, or the other columns of its key.
    pub key: String,
    pub what: String,
    pub repaired: bool,
}

/// The result of checking the rows of an owner.
#[derive(Debug, Clone, Default)]
pub struct CheckedRows {
    pub problems: Vec<RowProblem>,
    /// States that are not what their rows say; evaluating again tells what they are.
    pub unsound: HashSet<StateKey>,
    /// Versions of pages whose text or inputs are not the ones that were stored: nothing is computed from them.
    pub wrong_pages: HashSet<PageKey>,
}

/// All tables whose rows belong to an owner.
static TABLES: [&Table; 15] = [
    &values::TABLE,
    &texts::TABLE,
    &pages::TABLE,
    &turns::TABLE,
    &nodes::TABLE,
    &state_rows::TABLE,
    &state_rows::KEYFRAMES,
    &stories::TABLE,
    &refs::TABLE,
    &operations::TABLE,
    &cursors::CURSORS,
    &cursors::GIVEN_UP,
    &clients::CLIENTS,
    &clients::SEQS,
    &assets::TABLE,
];

impl Store {
    /// Checks the rows of an owner; for the owner who runs the engine, also for rows that belong to nobody.
    pub fn check_rows(&self, owner: &Owner) -> Result<CheckedRows, StoreError> {
        Ok(self.check_once(owner, false)?.0)
    }

    /// Checks the rows of an owner and repairs what follows from others.
    pub fn repair_rows(&self, owner: &Owner) -> Result<CheckedRows, StoreError> {
        let mut seen: Vec<RowProblem> = Vec::new();
        for _ in 0..ROUNDS {
            let (checked, fixes) = self.check_once(owner, true)?;
            let repaired = self.apply(fixes)?;
            let is_new = |problem: &&RowProblem| {
                !seen.iter().any(|known| (known.table, &known.key) == (problem.table, &problem.key))
            };
            let new: Vec<RowProblem> = checked.problems.iter().filter(is_new).cloned().collect();
            seen.extend(new);
            if repaired == 0 {
                // What is found no more was repaired.
                for known in &mut seen {
                    let is_left = |left: &RowProblem| (left.table, &left.key) == (known.table, &known.key);
                    known.repaired = !checked.problems.iter().any(is_left);
                }
                return Ok(CheckedRows { problems: seen, ..checked });
            }
        }
        Ok(CheckedRows { problems: seen, ..CheckedRows::default() })
    }

    /// Writes a state whole: in the place of a wrong one, or as a new one. Returns its key.
    pub fn rewrite_state(
        &self,
        owner: &Owner,
        key: Option<StateKey>,
        memo: Option<MemoKey>,
        base: Option<StateKey>,
        evaluation: &Evaluation,
    ) -> Result<StateKey, StoreError> {
        let written = self.database.write(Durability::Full, |sql| {
            let mut row = owners::find_or_new(sql, owner)?;
            let key = key.map_or_else(
                || {
                    row.last[IdKind::State as usize] += 1;
                    owners::put(sql, owner, &row)?;
                    Ok::<_, StoreError>(StateKey(row.key.row_id(row.last[IdKind::State as usize])))
                },
                Ok,
            )?;
            state_rows::rewrite(sql, row.key, key, memo, base, evaluation)?;
            Ok::<_, StoreError>(key)
        });
        self.cache.clear();
        written
    }

    /// Points a node to another state, if it still has the one that was seen.
    pub fn change_state_of_node(
        &self,
        owner: &Owner,
        node: NodeKey,
        seen: Option<StateKey>,
        state: StateKey,
    ) -> Result<(), StoreError> {
        let written = self.database.write(Durability::Full, |sql| {
            let owner = owners::find_or_new(sql, owner)?.key;
            nodes::change_state(sql, owner, node, seen, state)
        });
        self.cache.clear();
        written
    }

    fn check_once(&self, owner: &Owner, repair: bool) -> Result<(CheckedRows, Vec<Fix>), StoreError> {
        let transaction = self.database.begin_read()?;
        let mut checker = Checker::new(&transaction, OwnerKey(0), repair);
        checker.owners(owner)?;
        if checker.owner.0 > 0 {
            checker.everything()?;
        }
        let Checker { problems, fixes, unsound, wrong_pages, .. } = checker;
        Ok((CheckedRows { problems, unsound, wrong_pages }, fixes))
    }

    /// Applies repairs in short steps; returns how many.
    fn apply(&self, fixes: Vec<Fix>) -> Result<usize, StoreError> {
        let mut done = 0;
        for batch in fixes.chunks(BATCH) {
            done += self.database.write(Durability::Full, |sql| {
                let mut done = 0;
                for fix in batch {
                    match fix.table.replace_raw(sql, &fix.seen, fix.new.as_deref()) {
                        Ok(replaced) => done += usize::from(replaced),
                        // Another row has its key: that one is checked in the next round.
                        Err(StoreError::Sqlite(error))
                            if error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation) =>
                        {
                            fix.table.insert_raw(sql, &fix.seen)?;
                        }
                        Err(error) => return Err(error),
                    }
                }
                Ok::<_, StoreError>(done)
            })?;
        }
        if done > 0 {
            self.cache.clear();
        }
        Ok(done)
    }
}

/// A row to put in the place of another; nothing: to take it away.
struct Fix {
    table: &'static Table,
    seen: RawRow,
    new: Option<Vec<Raw>>,
}

/// What was read, and what is wrong with it.
struct Checker<'a> {
    sql: &'a dyn Sql,
    owner: OwnerKey,
    /// Whether repairs are looked for, which takes longer.
    repair: bool,
    problems: Vec<RowProblem>,
    fixes: Vec<Fix>,
    unsound: HashSet<StateKey>,
    wrong_pages: HashSet<PageKey>,
    /// The memos of the first states of all rules.
    first_memos: HashSet<[u8; 16]>,
    /// Rows with wrong checksums, for a repair.
    broken: RefCell<Vec<(&'static Table, RawRow)>>,
    /// The position of the last change.
    last_change: i64,
    values: HashMap<i64, ValueHash>,
    texts: HashMap<i64, TextHash>,
    pages: BTreeMap<i64, CheckedPage>,
    turns: HashMap<i64, Turn>,
    /// With the key of the value of their host fields, and whether their checksums are right.
    turn_rows: HashMap<i64, (Option<i64>, bool)>,
    /// Turns that cannot be read; what says something about them stays.
    unread_turns: HashSet<i64>,
    nodes: BTreeMap<i64, (StoredNode, bool)>,
    states: BTreeMap<i64, StateInfo>,
}

impl<'a> Checker<'a> {
    fn new(sql: &'a dyn Sql, owner: OwnerKey, repair: bool) -> Checker<'a> {
        Checker {
            sql,
            owner,
            repair,
            problems: Vec::new(),
            fixes: Vec::new(),
            unsound: HashSet::new(),
            wrong_pages: HashSet::new(),
            first_memos: HashSet::new(),
            broken: RefCell::default(),
            last_change: 0,
            values: HashMap::new(),
            texts: HashMap::new(),
            pages: BTreeMap::new(),
            turns: HashMap::new(),
            turn_rows: HashMap::new(),
            unread_turns: HashSet::new(),
            nodes: BTreeMap::new(),
            states: BTreeMap::new(),
        }
    }

    fn everything(&mut self) -> Result<(), StoreError> {
        // A damaged one must not overflow.
        self.last_change = owners::last_change(self.sql, self.owner)?.0.clamp(0, 1 << 48);
        self.values()?;
        self.load_states()?;
        self.load_pages()?;
        self.texts()?;
        self.load_turns()?;
        self.pages()?;
        self.load_nodes()?;
        self.tree()?;
        self.states()?;
        self.log()?;
        self.misplaced()
    }

    /// Selects the rows of the owner; where the id begins with the owner, also those whose owner says otherwise.
    fn own(table: &Table) -> &'static str {
        if table.has_column("id") && std::ptr::eq(table, TABLES[0])
            || ["text", "page", "turn", "node", "state"].contains(&table.name())
        {
            "id >= ($1 << 36) AND id < (($1 + 1) << 36) ORDER BY id"
        } else {
            "owner = $1"
        }
    }

    /// Returns the rows of a table.
    fn rows(
        &self,
        table: &'static Table,
        visit: &mut dyn FnMut(RawRow) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        table.visit_raw(self.sql, Self::own(table), params![self.owner], &mut |row| {
            if self.repair && !row.is_intact() {
                self.remember_broken(table, &row);
            }
            visit(row)
        })
    }

    fn raw(&self, table: &'static Table, id: i64) -> Result<Option<RawRow>, StoreError> {
        let mut found = None;
        table.visit_raw(self.sql, "id = $1", params![id], &mut |row| {
            found = Some(row);
            Ok(())
        })?;
        Ok(found)
    }

    fn report(&mut self, table: &'static Table, row: &RawRow, what: impl Into<String>) {
        let key = table.key_words(row);
        self.problems.push(RowProblem { table: table.name(), key, what: what.into(), repaired: false });
    }

    fn fix(&mut self, table: &'static Table, seen: RawRow, new: Vec<Raw>) {
        self.fixes.push(Fix { table, seen, new: Some(new) });
    }
}
