//! The items of a list, with a digest that is updated incrementally.

use std::ops::{Deref, Range};

use crate::digest::{self, Sum};
use crate::value::{Tracked, Value};

#[derive(Debug, Clone, Default)]
pub struct List {
    items: Vec<Value>,
    partial: Option<PartialSum>,
}

/// The digest of all items except the dirty ones.
#[derive(Debug, Clone)]
struct PartialSum {
    sum: Sum,
    /// Items whose terms were subtracted from the sum because they may have changed.
    dirty: Range<usize>,
}

impl List {
    pub fn get_mut(&mut self, index: usize) -> Option<&mut Value> {
        if index < self.items.len() {
            self.mark_dirty(index..index + 1);
        }
        self.items.get_mut(index)
    }

    /// Inserts an item before `index`, or at the end; later items move down.
    pub fn insert(&mut self, index: usize, item: Value) {
        self.mark_dirty(index..self.items.len());
        self.items.insert(index, item);
        self.mark_dirty_to_end();
    }

    /// Removes an item; later items move up.
    pub fn remove(&mut self, index: usize) -> Value {
        self.mark_dirty(index..self.items.len());
        let item = self.items.remove(index);
        self.mark_dirty_to_end();
        item
    }

    /// Iterates over the items for changing them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.partial = None;
        self.items.iter_mut()
    }

    /// Marks a range as dirty: subtracts its terms from the sum. There is one dirty range; the
    /// items between two ranges become dirty with them.
    fn mark_dirty(&mut self, wanted: Range<usize>) {
        let Some(partial) = &mut self.partial else { return };
        let all = match partial.dirty.is_empty() {
            true => wanted,
            false => partial.dirty.start.min(wanted.start)..partial.dirty.end.max(wanted.end),
        };
        for index in all.clone().filter(|index| !partial.dirty.contains(index)) {
            partial.sum.subtract(digest::item(index, &self.items[index]));
        }
        partial.dirty = all;
    }

    /// Extends the dirty range to the new end after a change of length. It reached the old end
    /// before.
    fn mark_dirty_to_end(&mut self) {
        if let Some(partial) = &mut self.partial {
            partial.dirty.end = self.items.len();
        }
    }
}

impl Tracked for List {
    fn compute_sum(&self) -> Sum {
        let (mut sum, dirty) = match &self.partial {
            Some(partial) => (partial.sum, partial.dirty.clone()),
            None => (Sum::default(), 0..self.items.len()),
        };
        for index in dirty {
            sum.add(digest::item(index, &self.items[index]));
        }
        sum
    }

    fn track_from(&mut self, sum: Sum) {
        self.partial = Some(PartialSum { sum, dirty: 0..0 });
    }
}

impl Deref for List {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.items
    }
}

impl From<Vec<Value>> for List {
    fn from(items: Vec<Value>) -> List {
        List { items, partial: None }
    }
}

impl PartialEq for List {
    fn eq(&self, other: &List) -> bool {
        self.items == other.items
    }
}
