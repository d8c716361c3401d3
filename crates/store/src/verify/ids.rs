//! Owners, and the ids of rows: a row whose id is damaged is found by the id that others miss.
//!
//! What else is wrong then follows from that, so ids are repaired first and everything is checked again.

use std::collections::{HashMap, HashSet};

use super::{Checker, Fix, TABLES};
use crate::codec::records::TurnRecord;
use crate::error::StoreError;
use crate::keys::OwnerKey;
use crate::sql::{Row as _, params};
use crate::store::Owner;
use crate::tables::table::{Raw, RawRow, Table};
use crate::tables::{foreign_snapshots, owners, turns};

/// Ids that may have been reserved and never used.
const MAX_UNUSED: i64 = 1 << 32;

/// What a repaired counter is raised by: other programs may still give ids from their blocks.
const RESERVED: i64 = 1 << 16;

/// How many damaged rows are compared with the ids that are missing, and with how many of these.
const MAX_BROKEN: usize = 256;
const MAX_MISSING: usize = 4_096;

/// Columns with ids of other rows, and the tables of these.
const POINTERS: &[(&str, &str, &[&str])] = &[
    ("text", "page", &["text"]),
    ("value", "page", &["names", "rules"]),
    ("value", "turn", &["host"]),
    ("value", "story", &["rules", "card_rules", "choices", "settings"]),
    ("value", "ref", &["header"]),
    ("value", "asset", &["value"]),
    ("value", "foreign_snapshot", &["value"]),
    ("turn", "node", &["turn"]),
    ("turn", "page", &["turn"]),
    ("node", "node", &["parent", "jump", "run"]),
    ("node", "story", &["root"]),
    ("node", "ref", &["head", "host_node"]),
    ("node", "operation", &["before", "after"]),
    ("node", "cursor", &["node"]),
    ("state", "node", &["state"]),
    ("state", "page", &["kept"]),
    ("state", "state", &["base", "frame"]),
    ("state", "keyframe", &["state", "against"]),
    ("story", "node", &["story"]),
    ("story", "page", &["story"]),
    ("story", "ref", &["story"]),
    ("ref", "operation", &["ref"]),
    ("ref", "cursor", &["ref"]),
    ("ref", "ref", &["origin"]),
    ("ref", "story", &["current"]),
    ("client", "operation", &["client"]),
];

impl Checker<'_> {
    /// Remembers a row with a wrong checksum: its id may be the damaged column.
    pub(super) fn remember_broken(&self, table: &'static Table, row: &RawRow) {
        let mut broken = self.broken.borrow_mut();
        let is_known = |(own, known): &(&'static Table, RawRow)| std::ptr::eq(*own, table) && known == row;
        if table.has_column("id") && broken.len() < MAX_BROKEN && !broken.iter().any(is_known) {
            broken.push((table, row.clone()));
        }
    }

    /// Finds the rows whose checksum is right with an id that is missing, and repairs these before all others.
    pub(super) fn misplaced(&mut self) -> Result<(), StoreError> {
        let mut missing: HashMap<&str, Vec<i64>> = HashMap::new();
        let mut fixes = Vec::new();
        for (table, row) in self.broken.take() {
            let ids = match missing.remove(table.name()) {
                Some(ids) => ids,
                None => self.missing(table)?,
            };
            let with = |id: i64| {
                let mut new = row.values.clone();
                new[table.column("id")] = Raw::Int(id);
                new
            };
            // A row with a right checksum and the id of nobody is the only one that is missing.
            let fitting = ids.iter().map(|id| with(*id)).find(|new| row.fits(new) || row.is_intact() && ids.len() == 1);
            let fitting = fitting.or_else(|| self.with_other_page_id(table, &row));
            if let Some(new) = fitting.filter(|new| *new != row.values) {
                fixes.push(Fix { table, seen: row, new: Some(new) });
            }
            missing.insert(table.name(), ids);
        }
        if !fixes.is_empty() {
            self.fixes = fixes;
        }
        Ok(())
    }

    /// All versions of a page have its id.
    fn with_other_page_id(&self, table: &'static Table, row: &RawRow) -> Option<Vec<Raw>> {
        let mut new = row.values.clone();
        let pages = self.pages.values().filter(|_| table.name() == "page" && !row.is_intact());
        for page in pages {
            new[3] = Raw::Bytes(page.row.page.page.as_bytes().to_vec());
            if row.fits(&new) {
                return Some(new);
            }
        }
        None
    }

    /// Returns ids that rows of other tables point to, and that no row of this one has.
    fn missing(&self, table: &'static Table) -> Result<Vec<i64>, StoreError> {
        let (to, mut missing) = (table.name(), Vec::new());
        for (_, from, columns) in POINTERS.iter().filter(|(own, ..)| *own == to) {
            for column in *columns {
                let query = format!(
                    "SELECT DISTINCT f.{column} FROM {from} f WHERE f.owner = $1 AND f.{column} IS NOT NULL
                     AND NOT EXISTS (SELECT 1 FROM {to} t WHERE t.owner = $1 AND t.id = f.{column}) LIMIT $2"
                );
                // One that is no number points to nothing.
                let found = self.sql.many(&query, params![self.owner, MAX_MISSING], |row| Ok(row.int(0).ok()))?;
                missing.extend(found.into_iter().flatten());
            }
        }
        if to == "page" {
            missing.extend(self.missing_pages()?);
        }
        missing.sort_unstable();
        missing.dedup();
        Ok(missing)
    }

    /// The pages of turns lie in records.
    fn missing_pages(&self) -> Result<Vec<i64>, StoreError> {
        let mut missing = Vec::new();
        self.rows(&turns::TABLE, &mut |row| {
            let record = row.bytes(3).ok().and_then(TurnRecord::read);
            let pages = record.into_iter().flat_map(|record| record.pages).map(|page| page.0);
            missing.extend(pages.filter(|page| !self.pages.contains_key(page)).take(MAX_MISSING));
            Ok(())
        })?;
        Ok(missing)
    }

    /// Checks the rows of owners, and for the one who runs the engine, that every row belongs to somebody.
    pub(super) fn owners(&mut self, owner: &Owner) -> Result<(), StoreError> {
        let mut rows = Vec::new();
        owners::TABLE.visit_raw(self.sql, "id > 0 OR id <= 0", &[], &mut |row| {
            rows.push(row);
            Ok(())
        })?;
        let is_local = *owner == Owner::local();
        let keys: Vec<i64> = rows.iter().filter_map(|row| row.int(0).ok()).collect();
        let ownerless = self.ownerless(&keys)?;
        for row in rows {
            let Ok(key) = row.int(0) else { continue };
            let is_own = row.bytes(1).is_ok_and(|name| name == owner.as_bytes());
            if let Some(right) = self.right_owner(&row, owner, is_own, &ownerless)? {
                self.report(&owners::TABLE, &row, "id or name is wrong");
                self.fix(&owners::TABLE, row, right);
                // What it owns is checked when that is right.
                self.owner = OwnerKey(0);
                return Ok(());
            }
            if is_own {
                self.owner = OwnerKey(key);
            }
            if is_own || is_local {
                self.owner_row(&row, key, is_own)?;
            }
        }
        if is_local { self.strays(&keys) } else { Ok(()) }
    }

    /// Returns the owners that rows name and that are not there.
    fn ownerless(&self, owners: &[i64]) -> Result<Vec<i64>, StoreError> {
        let mut all: HashSet<i64> = HashSet::new();
        // Whoever has anything has one of these, and the owner comes first in their keys.
        for table in ["story", "asset", "foreign_snapshot", "value"] {
            let query = format!("SELECT DISTINCT owner FROM {table}");
            all.extend(self.sql.many(&query, &[], |row| Ok(row.int(0).ok()))?.into_iter().flatten());
        }
        let mut left: Vec<i64> = all.into_iter().filter(|owner| !owners.contains(owner)).collect();
        left.sort_unstable();
        Ok(left)
    }

    /// Returns the row of an owner whose id or name is wrong, as it should be.
    fn right_owner(
        &self,
        row: &RawRow,
        owner: &Owner,
        is_own: bool,
        ownerless: &[i64],
    ) -> Result<Option<Vec<Raw>>, StoreError> {
        let mut named = row.values.clone();
        named[1] = Raw::Bytes(owner.as_bytes().to_vec());
        if !is_own && !row.is_intact() && row.fits(&named) {
            return Ok(Some(named));
        }
        let mut new = row.values.clone();
        for id in ownerless {
            new[0] = Raw::Int(*id);
            if !row.is_intact() && row.fits(&new) {
                return Ok(Some(new));
            }
        }
        // Under a fitting checksum: the only owner without rows, and the only rows without owner.
        let [left] = ownerless else { return Ok(None) };
        let query = "SELECT 1 FROM value WHERE owner = $1 UNION ALL SELECT 1 FROM story WHERE owner = $1 LIMIT 1";
        let is_empty = self.sql.one(query, params![row.int(0)?], |row| row.int(0))?.is_none();
        new[0] = Raw::Int(*left);
        Ok(Some(new).filter(|_| is_own && is_empty && row.is_intact()))
    }

    /// The last ids must not be smaller than those that were given, or one would be given twice.
    fn owner_row(&mut self, row: &RawRow, key: i64, is_own: bool) -> Result<(), StoreError> {
        let mut wanted = row.values.clone();
        let others = ["value", "text", "page", "turn", "story", "ref", "client"];
        for (column, tables) in [(2, &["node"][..]), (3, &["state"][..]), (4, &others[..])] {
            let mut last = 0;
            for table in tables {
                let query = format!(
                    "SELECT coalesce(max(id), 0) & 68719476735 FROM {table}
                                     WHERE owner = $1 AND id >= ($1 << 36) AND id < (($1 + 1) << 36)"
                );
                last = last.max(self.sql.one(&query, params![key], |row| row.int(0))?.unwrap_or(0));
            }
            let most = last + MAX_UNUSED;
            if !row.int(column).is_ok_and(|stored| (last..=most).contains(&stored)) {
                wanted[column] = Raw::Int(last + RESERVED);
            }
        }
        let query = "SELECT coalesce(max(seq), 0) FROM operation WHERE owner = $1";
        let seq = self.sql.one(query, params![key], |row| row.int(0))?.unwrap_or(0);
        if !row.int(5).is_ok_and(|stored| (0..=seq.saturating_add(MAX_UNUSED)).contains(&stored)) {
            wanted[5] = Raw::Int(seq);
        }
        let has_name = matches!(row.values[1], Raw::Bytes(_));
        if wanted == row.values && row.is_intact() && has_name {
            return Ok(());
        }
        self.report(&owners::TABLE, row, "the name, the last ids or the checksum are wrong");
        if !has_name {
            return Ok(());
        }
        // Nothing but its checksum tells the name of another owner.
        if is_own || row.is_intact() || row.fits(&wanted) {
            self.fix(&owners::TABLE, row.clone(), wanted);
        }
        Ok(())
    }

    /// Finds rows that belong to no owner, or whose id belongs to another.
    fn strays(&mut self, owners: &[i64]) -> Result<(), StoreError> {
        for table in TABLES.into_iter().chain([&foreign_snapshots::TABLE]) {
            let id = ["id", "ref", "state"].into_iter().find(|column| table.has_column(column));
            let id = id.filter(|_| table.name() != "foreign_snapshot");
            let foreign = id.map_or(String::new(), |id| format!(" OR ({id} >> 36) <> owner"));
            let mut strays = Vec::new();
            table.visit_raw(self.sql, &format!("owner NOT IN (SELECT id FROM owner){foreign}"), &[], &mut |row| {
                strays.push(row);
                Ok(())
            })?;
            for row in strays {
                self.report(table, &row, "the row belongs to nobody");
                if self.repair && row.values[table.column("owner")] == Raw::Int(self.owner.0) {
                    self.remember_broken(table, &row);
                }
                let own = id.and_then(|id| row.int(table.column(id)).ok()).map(|id| id >> 36);
                let with = |owner: i64| {
                    let mut wanted = row.values.clone();
                    wanted[table.column("owner")] = Raw::Int(owner);
                    wanted
                };
                let known = own.filter(|own| owners.contains(own));
                let fitting = own.into_iter().chain(owners.iter().copied()).map(with).find(|wanted| row.fits(wanted));
                // Under a fitting checksum the id tells, if its owner is known.
                let by_id = known.filter(|_| row.is_intact()).map(with);
                if let Some(wanted) = fitting.or(by_id).filter(|wanted| *wanted != row.values) {
                    self.fix(table, row, wanted);
                }
            }
        }
        Ok(())
    }
}
