//! The items of a list, and what of its digest is still right after a change.

use std::ops::{Deref, Range};

use crate::digest::{self, Sum};
use crate::value::{Tracked, Value};

/// The items of a JSON list.
#[derive(Debug, Clone, Default)]
pub struct List {
    items: Vec<Value>,
    known: Option<Known>,
}

/// The sum over all items except those that changed since.
#[derive(Debug, Clone)]
struct Known {
    sum: Sum,
    /// Items whose terms were taken out of the sum.
    open: Range<usize>,
}

impl List {
    /// Returns an item to be changed.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut Value> {
        if index < self.items.len() {
            self.open(index..index + 1);
        }
        self.items.get_mut(index)
    }

    /// Puts an item at a place that exists or at the end; the later ones move down.
    pub fn insert(&mut self, index: usize, item: Value) {
        self.open(index..self.items.len());
        self.items.insert(index, item);
        self.open_to_the_end();
    }

    /// Takes an item out; the later ones move up.
    pub fn remove(&mut self, index: usize) -> Value {
        self.open(index..self.items.len());
        let item = self.items.remove(index);
        self.open_to_the_end();
        item
    }

    /// Goes through the items to change them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.known = None;
        self.items.iter_mut()
    }

    /// Takes the terms of more items out of the sum. One stretch is open at a time; what lies
    /// between two is opened with them.
    fn open(&mut self, wanted: Range<usize>) {
        let Some(known) = &mut self.known else { return };
        let all = match known.open.is_empty() {
            true => wanted,
            false => known.open.start.min(wanted.start)..known.open.end.max(wanted.end),
        };
        for index in all.clone().filter(|index| !known.open.contains(index)) {
            known.sum.subtract(digest::item(index, &self.items[index]));
        }
        known.open = all;
    }

    /// After a change of length: the open stretch reached to the end and does so again.
    fn open_to_the_end(&mut self) {
        if let Some(known) = &mut self.known {
            known.open.end = self.items.len();
        }
    }
}

impl Tracked for List {
    fn compute_sum(&self) -> Sum {
        let (mut sum, open) = match &self.known {
            Some(known) => (known.sum, known.open.clone()),
            None => (Sum::default(), 0..self.items.len()),
        };
        for index in open {
            sum.add(digest::item(index, &self.items[index]));
        }
        sum
    }

    fn know(&mut self, sum: Sum) {
        self.known = Some(Known { sum, open: 0..0 });
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
        List { items, known: None }
    }
}

impl PartialEq for List {
    fn eq(&self, other: &List) -> bool {
        self.items == other.items
    }
}
