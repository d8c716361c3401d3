//! What a transaction adds to a tree, before it lies in its tables.
//!
//! Rows of the tree have their numbers as soon as they are made and wait for the end of the transaction.
//! A small one is then written as one row of `fresh`; when all places there are taken, or a transaction is
//! not small, everything that waits is spread into its tables at once (`spread.rs`). So whatever is fresh
//! is newer than what lies in the tables, and a look at a tree asks here first and the tables after.

use std::sync::Arc;

use storeyline_history::NodeKey;
use storeyline_state::StateHash;

use crate::error::StoreError;
use crate::fresh_code;
use crate::operations::Operation;
use crate::pages::PageRow;
use crate::search::Indexing;
use crate::sql::params;
use crate::states::Distance;
use crate::turns::StoredNode;
use crate::tx::Tx;

/// So many transactions lie in `fresh` at most.
pub(crate) const PLACES: i64 = 32;

/// More rows than these wait in memory only if they are nodes, which wait for their states.
const MOST_WAITING: usize = 256;

/// Looking through more nodes than these one by one takes longer than asking the table.
const MOST_LOOKED_THROUGH: usize = 64;

/// The rows of one transaction. Each list rises by number.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) owner: i64,
    pub(crate) texts: Vec<FreshText>,
    pub(crate) pages: Vec<FreshPage>,
    /// Older pages that are read in a new turn.
    pub(crate) read_in: Vec<(i64, i64)>,
    pub(crate) turns: Vec<FreshTurn>,
    pub(crate) nodes: Vec<StoredNode>,
    pub(crate) states: Vec<FreshState>,
    pub(crate) operations: Vec<FreshOperation>,
    pub(crate) moves: Vec<RefMove>,
}

pub(crate) struct FreshText {
    pub(crate) id: i64,
    pub(crate) text: Box<str>,
}

pub(crate) struct FreshPage {
    pub(crate) row: Arc<PageRow>,
    pub(crate) story: i64,
    pub(crate) inputs: Vec<u8>,
    pub(crate) turn: Option<i64>,
}

pub(crate) struct FreshTurn {
    pub(crate) id: i64,
    pub(crate) host: Option<i64>,
    pub(crate) bytes: Vec<u8>,
}

pub(crate) struct FreshState {
    pub(crate) id: i64,
    pub(crate) memo: Option<[u8; 16]>,
    pub(crate) hash: StateHash,
    pub(crate) base: Option<i64>,
    pub(crate) trace: Vec<u8>,
    pub(crate) paths: Option<[u8; 16]>,
    pub(crate) distance: Distance,
}

pub(crate) struct FreshOperation {
    pub(crate) operation: Operation,
    /// The number of the client.
    pub(crate) client: Option<i64>,
}

/// Where a ref stands now; nothing else of it changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RefMove {
    /// The number of the ref.
    pub(crate) of: i64,
    pub(crate) head: Option<NodeKey>,
    pub(crate) version: i64,
    pub(crate) operation: Option<i64>,
    /// The last node that its host reported.
    pub(crate) reported: Option<NodeKey>,
    pub(crate) updated: i64,
}

/// Something with a number.
pub(crate) trait Numbered {
    fn number(&self) -> i64;
}

macro_rules! numbered {
    ($($row:ident: $own:ident => $number:expr;)*) => {
        $(impl Numbered for $row {
            fn number(&self) -> i64 {
                let $own = self;
                $number
            }
        })*
    };
}

numbered! {
    FreshText: text => text.id;
    FreshPage: page => page.row.page.at.0;
    FreshTurn: turn => turn.id;
    StoredNode: node => node.node.key.0;
    FreshState: state => state.id;
    FreshOperation: operation => operation.operation.id;
}

/// Finds a row in a list that rises by number.
fn by_number<T: Numbered>(rows: &[T], number: i64) -> Option<&T> {
    rows.binary_search_by_key(&number, T::number).ok().map(|place| &rows[place])
}

impl Batch {
    fn of(owner: i64) -> Batch {
        Batch { owner, ..Batch::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting() == 0 && self.nodes.is_empty()
    }

    /// Rows that need not wait for anything.
    fn waiting(&self) -> usize {
        self.texts.len()
            + self.pages.len()
            + self.read_in.len()
            + self.turns.len()
            + self.states.len()
            + self.operations.len()
            + self.moves.len()
    }

    pub(crate) fn text(&self, id: i64) -> Option<&str> {
        by_number(&self.texts, id).map(|text| &*text.text)
    }

    pub(crate) fn page(&self, id: i64) -> Option<&FreshPage> {
        by_number(&self.pages, id)
    }

    pub(crate) fn turn(&self, id: i64) -> Option<&FreshTurn> {
        by_number(&self.turns, id)
    }

    pub(crate) fn node(&self, key: NodeKey) -> Option<&StoredNode> {
        by_number(&self.nodes, key.0)
    }

    pub(crate) fn state(&self, id: i64) -> Option<&FreshState> {
        by_number(&self.states, id)
    }

    pub(crate) fn operation(&self, id: i64) -> Option<&FreshOperation> {
        by_number(&self.operations, id)
    }
}

/// The last number in each table of a tree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) text: i64,
    pub(crate) page: i64,
    pub(crate) turn: i64,
    pub(crate) node: i64,
    pub(crate) state: i64,
    pub(crate) operation: i64,
}

impl Numbers {
    fn raise(&mut self, batch: &Batch) {
        fn last<T: Numbered>(rows: &[T]) -> i64 {
            rows.last().map_or(0, T::number)
        }
        self.text = self.text.max(last(&batch.texts));
        self.page = self.page.max(last(&batch.pages));
        self.turn = self.turn.max(last(&batch.turns));
        self.node = self.node.max(last(&batch.nodes));
        self.state = self.state.max(last(&batch.states));
        self.operation = self.operation.max(last(&batch.operations));
    }
}

/// Where the rows of a transaction lie.
pub(crate) fn place(number: i64) -> i64 {
    number % PLACES
}

/// What a transaction left behind once it is committed.
pub(crate) struct Left {
    /// Its number.
    pub(crate) written: i64,
    /// Its rows, if they lie in `fresh`.
    pub(crate) batch: Option<Arc<Batch>>,
    pub(crate) numbers: Option<Numbers>,
}

impl Tx<'_> {
    /// Reads what every transaction has to know before it looks at anything: which generation this is,
    /// whether texts are indexed, how often stories and refs were written, and which transactions have their
    /// rows in `fresh`.
    pub(crate) fn look_up_generation(&mut self) -> Result<i64, StoreError> {
        // Mostly the last transaction is the one that was last seen here: it has its place, the next has not.
        let guess = self.recent.last_written();
        // Where that one is spread, its place says nothing and need not be looked at.
        let sql = "SELECT number, search, spread, named,
                   (SELECT f.number FROM fresh f WHERE f.place = CASE WHEN spread < $1 THEN $2 END),
                   (SELECT f.number FROM fresh f WHERE f.place = $3) FROM generation";
        let found = self.one(sql, params![guess, place(guess), place(guess + 1)], |row| {
            let places = (row.maybe_int(4)?, row.maybe_int(5)?);
            Ok((row.int(0)?, row.int(1)?, row.int(2)?, row.int(3)?, places))
        })?;
        let (generation, search, spread, named, (own, next)) =
            found.ok_or_else(|| StoreError::missing("row of", "generation"))?;
        self.search = Indexing::from_number(search);
        self.named.set(Some(named));
        self.spread = spread;
        let is_there = guess == spread || (guess > spread && own == Some(guess));
        let is_right = is_there && next != Some(guess + 1);
        self.written = if is_right { guess } else { self.last_written()? };
        self.recent.see_written(self.written);
        Ok(generation)
    }

    /// Looks for the last transaction from the last one that is spread.
    fn last_written(&self) -> Result<i64, StoreError> {
        let mut written = self.spread;
        let sql = "SELECT number FROM fresh WHERE place = $1";
        while self.one(sql, params![place(written + 1)], |row| row.int(0))? == Some(written + 1) {
            written += 1;
        }
        Ok(written)
    }

    /// Finds the transactions whose rows lie in `fresh`.
    pub(crate) fn find_fresh(&mut self) -> Result<(), StoreError> {
        for number in self.spread + 1..=self.written {
            let batch = match self.recent.fresh(number) {
                Some(known) => known,
                None => {
                    let batch = Arc::new(self.read_batch(number)?);
                    self.recent.remember_fresh(number, batch.clone());
                    batch
                }
            };
            self.fresh.get_mut().push(batch);
        }
        Ok(())
    }

    fn read_batch(&self, number: i64) -> Result<Batch, StoreError> {
        let sql = "SELECT bytes FROM fresh WHERE place = $1 AND number = $2";
        let found = self.one(sql, params![place(number), number], |row| Ok(fresh_code::read(row.bytes(0)?)))?;
        found.flatten().ok_or_else(|| StoreError::damaged("fresh", number))
    }

    /// Asks the rows that are not in their tables yet, the newest first.
    pub(crate) fn in_fresh<T>(&self, mut find: impl FnMut(&Batch) -> Option<T>) -> Option<T> {
        let pending = self.pending.borrow();
        if let Some(found) = find(&pending) {
            return Some(found);
        }
        let fresh = self.fresh.borrow();
        fresh.iter().rev().filter(|batch| batch.owner == self.owner).find_map(|batch| find(batch))
    }

    /// Goes through the rows that are not in their tables yet, the oldest first.
    pub(crate) fn each_fresh(&self, mut visit: impl FnMut(&Batch)) {
        self.fresh.borrow().iter().filter(|batch| batch.owner == self.owner).for_each(|batch| visit(batch));
        visit(&self.pending.borrow());
    }

    /// Tells whether rows of anybody are not in their tables yet.
    pub(crate) fn has_fresh(&self) -> bool {
        !self.fresh.borrow().is_empty() || !self.pending.borrow().is_empty()
    }

    /// Keeps a row until the end of the transaction. `add` gets the numbers to take the next one from.
    pub(crate) fn keep<T>(&self, add: impl FnOnce(&mut Batch, &mut Numbers) -> T) -> Result<T, StoreError> {
        let mut numbers = match self.numbers.get() {
            Some(known) => known,
            None => self.last_numbers()?,
        };
        let (kept, waiting) = {
            let mut pending = self.pending.borrow_mut();
            pending.owner = self.owner;
            (add(&mut pending, &mut numbers), pending.waiting())
        };
        self.numbers.set(Some(numbers));
        if waiting >= MOST_WAITING {
            self.spread_all_but_nodes()?;
        }
        Ok(kept)
    }

    fn last_numbers(&self) -> Result<Numbers, StoreError> {
        if let Some(known) = self.recent.numbers(self.written) {
            return Ok(known);
        }
        let sql = "SELECT (SELECT max(id) FROM text WHERE pieces IS NOT NULL), (SELECT max(id) FROM page),
                   (SELECT max(id) FROM turn), (SELECT max(id) FROM node), (SELECT max(id) FROM state),
                   (SELECT max(id) FROM operation)";
        let found = self.one(sql, params![], |row| {
            let last = |column| Ok::<_, StoreError>(row.maybe_int(column)?.unwrap_or(0));
            let (text, page, turn) = (last(0)?, last(1)?, last(2)?);
            Ok(Numbers { text, page, turn, node: last(3)?, state: last(4)?, operation: last(5)? })
        })?;
        let mut numbers = found.unwrap_or_default();
        self.fresh.borrow().iter().for_each(|batch| numbers.raise(batch));
        Ok(numbers)
    }

    /// Looks for a node among those that are not in their table yet; too many are spread first.
    pub(crate) fn fresh_node_where(&self, is: impl Fn(&StoredNode) -> bool) -> Result<Option<StoredNode>, StoreError> {
        if self.pending.borrow().nodes.len() > MOST_LOOKED_THROUGH {
            self.settle()?;
        }
        Ok(self.in_fresh(|batch| batch.nodes.iter().find(|node| is(node)).cloned()))
    }

    /// Ends a transaction that was not taken back: what it added is written.
    pub(crate) fn finish(&self) -> Result<Option<Left>, StoreError> {
        self.remember_last_state();
        if self.pending.borrow().is_empty() && !self.has_spread.get() {
            return Ok(None);
        }
        let written = self.written + 1;
        let numbers = self.numbers.get();
        let is_full = self.written - self.spread >= PLACES;
        let small = match self.has_spread.get() || self.search != Indexing::Off || is_full {
            true => None,
            false => fresh_code::write(&self.pending.borrow()),
        };
        let Some(bytes) = small else {
            self.settle()?;
            self.run("UPDATE generation SET spread = $1", params![written])?;
            return Ok(Some(Left { written, batch: None, numbers }));
        };
        let sql = "UPDATE fresh SET number = $1, bytes = $2 WHERE place = $3";
        if self.run(sql, params![written, &bytes, place(written)])? == 0 {
            let sql = "INSERT INTO fresh (number, bytes, place) VALUES ($1, $2, $3)";
            self.run(sql, params![written, &bytes, place(written)])?;
        }
        let batch = Some(Arc::new(self.pending.replace(Batch::of(self.owner))));
        Ok(Some(Left { written, batch, numbers }))
    }

    /// Spreads everything, and leaves nothing behind in `fresh`, not even what is void.
    pub(crate) fn clear_fresh(&self) -> Result<(), StoreError> {
        self.settle()?;
        self.run("UPDATE fresh SET number = 0, bytes = $1 WHERE place >= 0", params![&fresh_code::empty()])?;
        Ok(())
    }
}
