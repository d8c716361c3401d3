//! Rows that are asked for one after another, as when a whole branch is read: after a few of them the
//! next ones are read together, more and more.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use storeyline_history::ValueKey;

use crate::texts_ahead::TextsAhead;
use crate::turns::StoredTurn;

/// So many rows are read together at most.
const MOST: i64 = 256;

/// So many come one by one: whoever looks at the end of a branch wants no more.
const ONE_BY_ONE: u32 = 4;

/// Where the last looks ended, by table.
#[derive(Default)]
pub(crate) struct Runs {
    /// Nodes are asked for from the last to the first.
    pub(crate) nodes: Run,
    pub(crate) turns: Run,
    pub(crate) pages: Run,
    pub(crate) texts: Run,
    /// Turns that were read and not asked for yet.
    pub(crate) turns_ahead: RefCell<HashMap<i64, (StoredTurn, Option<ValueKey>)>>,
    /// Texts that were read together.
    pub(crate) texts_ahead: RefCell<Arc<TextsAhead>>,
}

/// The row that would come next, and how often it did.
#[derive(Default)]
pub(crate) struct Run {
    next: Cell<i64>,
    length: Cell<u32>,
}

impl Run {
    /// How many rows to read when one is asked for.
    pub(crate) fn count(&self, key: i64) -> i64 {
        let length = if self.next.get() == key { self.length.get() + 1 } else { 0 };
        self.length.set(length);
        if length < ONE_BY_ONE { 1 } else { MOST.min(1 << (length - 1).min(32)) }
    }

    pub(crate) fn expect(&self, key: i64) {
        self.next.set(key);
    }

    /// The last row to read when rows are asked for in rising order.
    pub(crate) fn up_from(&self, key: i64) -> i64 {
        let last = key + self.count(key) - 1;
        self.expect(last + 1);
        last
    }

    /// The first row to read when they are asked for in falling order.
    pub(crate) fn down_from(&self, key: i64) -> i64 {
        let first = key - self.count(key) + 1;
        self.expect(first - 1);
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_rows_in_a_row_bring_the_next_ones() {
        let run = Run::default();
        let ends: Vec<i64> =
            std::iter::successors(Some(run.up_from(7)), |last| Some(run.up_from(last + 1))).take(7).collect();
        assert_eq!(ends, [7, 8, 9, 10, 18, 34, 66]);
        assert_eq!(run.up_from(3), 3, "somewhere else");
        let run = Run::default();
        let ends: Vec<i64> =
            std::iter::successors(Some(run.down_from(900)), |first| Some(run.down_from(first - 1))).take(5).collect();
        assert_eq!(ends, [900, 899, 898, 897, 889]);
    }
}
