//! Rows that users' words and pointers fill: reports one that is not right, and finds what it should hold.
//!
//! Words and times follow from nothing. If the checksum of such a row is wrong, the column is looked for with which it
//! is right; otherwise the row is accepted as it is, with blanks in place of what is of another type, so that it can be
//! read again.

use std::collections::{HashMap, HashSet};

use super::shape::Blanked;
use super::{Checker, Fix};
use crate::error::StoreError;
use crate::sql::Row as _;
use crate::tables::table::{Raw, RawRow, Table};
use crate::tables::{assets, clients, cursors, foreign_snapshots, operations, refs, stories};

/// More numbers than these are not tried for a column.
const MOST: i64 = 1 << 17;

/// Versions and numbers may be a little larger than the position of the last change.
const SOME: i64 = 1_024;

/// Tables whose rows are asked for again when they are missing.
const EPHEMERAL: &[&str] = &["request_seq", "given_up"];

/// What a column points to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum To {
    Story,
    Ref,
    Node,
    Value,
    Client,
    /// Any small number.
    Number,
}

/// The columns of tables that follow from nothing but what they point to.
pub(super) static POINTERS: [(&Table, &[(&str, To)]); 6] = [
    (
        &stories::TABLE,
        &[
            ("root", To::Node),
            ("rules", To::Value),
            ("card_rules", To::Value),
            ("choices", To::Value),
            ("settings", To::Value),
            ("current", To::Ref),
            ("version", To::Number),
            ("trashed", To::Number),
        ],
    ),
    (
        &refs::TABLE,
        &[
            ("story", To::Story),
            ("head", To::Node),
            ("host_node", To::Node),
            ("header", To::Value),
            ("version", To::Number),
            ("operation", To::Number),
            ("kind", To::Number),
            ("trashed", To::Number),
        ],
    ),
    (
        &operations::TABLE,
        &[
            ("ref", To::Ref),
            ("before", To::Node),
            ("after", To::Node),
            ("client", To::Client),
            ("number", To::Number),
            ("seq", To::Number),
            ("kind", To::Number),
            ("undoes", To::Number),
        ],
    ),
    (&cursors::CURSORS, &[("ref", To::Ref), ("node", To::Node)]),
    (&assets::TABLE, &[("value", To::Value), ("kind", To::Number), ("version", To::Number)]),
    (&foreign_snapshots::TABLE, &[("value", To::Value), ("trashed", To::Number), ("id", To::Number)]),
];

/// What a row should hold, by column.
pub(super) type Wanted = Vec<(&'static str, Raw)>;

/// The ids that columns may point to.
pub(super) type Ids = HashMap<To, HashSet<i64>>;

impl Checker<'_> {
    pub(super) fn ids(&self) -> Result<Ids, StoreError> {
        let of = |table: &'static Table| -> Result<HashSet<i64>, StoreError> {
            Ok(self.all(table)?.iter().filter_map(|row| row.int(table.column("id")).ok()).collect())
        };
        Ok(HashMap::from([
            (To::Story, of(&stories::TABLE)?),
            (To::Ref, of(&refs::TABLE)?),
            (To::Client, of(&clients::CLIENTS)?),
            (To::Node, self.nodes.keys().copied().collect()),
            (To::Value, self.values.keys().copied().collect()),
        ]))
    }

    /// Reports a row that is not right, and repairs it if what it should hold is certain.
    pub(super) fn judge(
        &mut self,
        table: &'static Table,
        row: RawRow,
        ids: &Ids,
        wanted: Wanted,
        what: &str,
    ) -> Result<(), StoreError> {
        let pointers = POINTERS.iter().find(|(own, _)| std::ptr::eq(*own, table)).map_or(&[][..], |(_, all)| all);
        let Blanked { row: blanked, odd } = Blanked::of(table, &row);
        let mut new = blanked.values;
        wanted.into_iter().for_each(|(column, value)| new[table.column(column)] = value);
        let lost = |values: &[Raw]| -> Option<&'static str> {
            let is_lost = |(column, to): &&(&str, To)| match (&values[table.column(column)], ids.get(to)) {
                (Raw::Int(id), Some(known)) => !known.contains(id),
                (Raw::Null, _) | (_, None) => false,
                _ => true,
            };
            pointers.iter().find(is_lost).map(|(column, _)| *column)
        };
        let lost_now = lost(&row.values);
        if row.is_intact() && odd.is_empty() && new == row.values && what.is_empty() && lost_now.is_none() {
            return Ok(());
        }
        let found = match (what, lost_now) {
            _ if !odd.is_empty() => odd.join("; "),
            ("", Some(column)) => format!("`{column}` leads to nothing"),
            ("", None) if new != row.values => "it is not what other rows say".to_owned(),
            ("", None) => "the checksum is wrong".to_owned(),
            (what, _) => what.to_owned(),
        };
        self.report(table, &row, found);
        if !self.repair {
            return Ok(());
        }
        let is_known = row.is_intact() || row.fits(&new);
        let fitting = if is_known { None } else { self.search(&row, pointers, table, ids) };
        let is_proven = fitting.is_some() || is_known && odd.is_empty();
        if !is_proven && EPHEMERAL.contains(&table.name()) {
            self.fixes.push(Fix { table, seen: row, new: None });
            return Ok(());
        }
        let new = fitting.unwrap_or(new);
        if is_readable(table, &new) && lost(&new).is_none() && (new != row.values || !row.is_intact()) {
            self.fix(table, row, new);
        }
        Ok(())
    }

    /// Looks for the one column with which the checksum is right.
    pub(super) fn search(
        &self,
        row: &RawRow,
        pointers: &[(&str, To)],
        table: &'static Table,
        ids: &Ids,
    ) -> Option<Vec<Raw>> {
        let mut new = row.values.clone();
        for (column, to) in pointers {
            let column = table.column(column);
            let numbers = 0..if *to == To::Number { (self.last_change + SOME).min(MOST) } else { 0 };
            let known = ids.get(to).into_iter().flatten().copied();
            for tried in known.chain(numbers).map(Raw::Int).chain([Raw::Null]) {
                new[column] = tried;
                if row.fits(&new) {
                    return Some(new);
                }
            }
            new[column] = row.values[column].clone();
        }
        None
    }
}

/// Tells whether a row can be read after a repair.
fn is_readable(table: &'static Table, values: &[Raw]) -> bool {
    let row = RawRow::new(values.to_vec());
    match table.name() {
        "story" => stories::read(&row).is_ok(),
        "ref" => refs::read(&row).is_ok(),
        "operation" => operations::read(&row).is_ok(),
        "asset" => assets::read(&row).is_ok(),
        "foreign_snapshot" => foreign_snapshots::read(&row).is_ok(),
        "client" => row.text(2).is_ok(),
        "request_seq" => row.text(2).is_ok() && row.int(3).is_ok() && row.int(4).is_ok(),
        "given_up" => row.text(2).is_ok() && row.bytes(1).is_ok_and(|page| page.len() == 16),
        _ => true,
    }
}
