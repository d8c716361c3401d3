//! Stories, refs, the log of operations, and what users have beside them: every pointer leads somewhere, and the log
//! of a ref tells where it stands.
//!
//! What users wrote (titles, notes, times) follows from nothing. If the checksum of such a row is wrong, the column
//! is looked for with which it is right; otherwise the row is accepted as it is, so that it can be read again.

use std::collections::{BTreeMap, HashMap, HashSet};

use storeyline_history::node::root_id;

use super::{Checker, Fix};
use crate::error::StoreError;
use crate::sql::Row as _;
use crate::tables::table::{Raw, RawRow, Table};
use crate::tables::{assets, clients, cursors, foreign_snapshots, operations, refs, stories};

/// More numbers than these are not tried for a column.
const MOST: i64 = 1 << 17;

/// Versions and numbers may be a little larger than the position of the last change.
const SOME: i64 = 1_024;

/// Columns with words of users; a number in them is not one of theirs.
const TEXTS: &[&str] = &["title", "card", "note", "colour", "file", "file_owner", "message"];

/// Tables whose rows are asked for again when they are missing.
const EPHEMERAL: &[&str] = &["request_seq", "given_up"];

/// What a column points to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum To {
    Story,
    Ref,
    Node,
    Value,
    Client,
    /// Any small number.
    Number,
}

/// The columns of tables that follow from nothing but what they point to.
static POINTERS: [(&Table, &[(&str, To)]); 6] = [
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
    (&foreign_snapshots::TABLE, &[("value", To::Value), ("trashed", To::Number)]),
];

/// An operation, as far as others depend on it.
struct Logged {
    seq: i64,
    before: Option<i64>,
    after: Option<i64>,
    raw: Option<RawRow>,
}

/// What a row should hold, by column.
type Wanted = Vec<(&'static str, Raw)>;

impl Checker<'_> {
    pub(super) fn log(&mut self) -> Result<(), StoreError> {
        let ids = self.ids()?;
        let log = self.read_log()?;
        self.stories(&ids)?;
        self.refs(&ids, &log)?;
        self.operations(&ids, &log)?;
        self.cursors(&ids)?;
        self.assets(&ids)?;
        for table in [&foreign_snapshots::TABLE, &clients::CLIENTS, &clients::SEQS, &cursors::GIVEN_UP] {
            for row in self.all(table)? {
                let is_negative = table.has_column("seq") && !row.int(table.column("seq")).is_ok_and(|seq| seq >= 0);
                let what = if is_negative { "the number is wrong" } else { "" };
                self.judge(table, row, &ids, Vec::new(), what)?;
            }
        }
        Ok(())
    }

    fn all(&self, table: &'static Table) -> Result<Vec<RawRow>, StoreError> {
        let mut rows = Vec::new();
        self.rows(table, &mut |row| {
            rows.push(row);
            Ok(())
        })?;
        Ok(rows)
    }

    fn ids(&self) -> Result<HashMap<To, HashSet<i64>>, StoreError> {
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

    /// Reads the log, by ref and number. Rows with right checksums are not kept.
    fn read_log(&self) -> Result<HashMap<i64, BTreeMap<i64, Logged>>, StoreError> {
        let mut log: HashMap<i64, BTreeMap<i64, Logged>> = HashMap::new();
        self.rows(&operations::TABLE, &mut |row| {
            let read = |row: &RawRow| -> Result<_, StoreError> {
                Ok((row.int(1)?, row.int(2)?, row.int(3)?, row.maybe_int(5)?, row.maybe_int(6)?))
            };
            if let Ok((of, number, seq, before, after)) = read(&row) {
                let raw = Some(row).filter(|row| !row.is_intact());
                log.entry(of).or_default().insert(number, Logged { seq, before, after, raw });
            }
            Ok(())
        })?;
        Ok(log)
    }

    /// Reports a row that is not right, and repairs it if what it should hold is certain.
    fn judge(
        &mut self,
        table: &'static Table,
        row: RawRow,
        ids: &HashMap<To, HashSet<i64>>,
        wanted: Wanted,
        what: &str,
    ) -> Result<(), StoreError> {
        let pointers = POINTERS.iter().find(|(own, _)| std::ptr::eq(*own, table)).map_or(&[][..], |(_, all)| all);
        let mut new = row.values.clone();
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
        if row.is_intact() && new == row.values && what.is_empty() && lost_now.is_none() {
            return Ok(());
        }
        let found = match (what, lost_now) {
            ("", Some(column)) => format!("`{column}` leads to nothing"),
            ("", None) if new != row.values => "it is not what other rows say".to_owned(),
            ("", None) => "the checksum is wrong".to_owned(),
            (what, _) => what.to_owned(),
        };
        self.report(table, &row, found);
        if !self.repair {
            return Ok(());
        }
        let fitting = if row.is_intact() || row.fits(&new) { None } else { self.search(&row, pointers, table, ids) };
        let is_proven = fitting.is_some() || row.is_intact() || row.fits(&new);
        if !is_proven && EPHEMERAL.contains(&table.name()) {
            self.fixes.push(Fix { table, seen: row, new: None });
            return Ok(());
        }
        let mut new = fitting.unwrap_or(new);
        for column in TEXTS.iter().filter(|column| table.has_column(column)) {
            let value = &mut new[table.column(column)];
            if !matches!(value, Raw::Bytes(_) | Raw::Null) {
                *value = Raw::Bytes(Vec::new());
            }
        }
        if is_readable(table, &new) && lost(&new).is_none() && (new != row.values || !row.is_intact()) {
            self.fix(table, row, new);
        }
        Ok(())
    }

    /// Looks for the one column with which the checksum is right.
    fn search(
        &self,
        row: &RawRow,
        pointers: &[(&str, To)],
        table: &'static Table,
        ids: &HashMap<To, HashSet<i64>>,
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

    fn stories(&mut self, ids: &HashMap<To, HashSet<i64>>) -> Result<(), StoreError> {
        let refs: HashMap<i64, i64> =
            self.all(&refs::TABLE)?.iter().filter_map(|row| Some((row.int(1).ok()?, row.int(3).ok()?))).collect();
        let roots: HashMap<_, i64> = self
            .nodes
            .iter()
            .filter(|(_, (stored, _))| stored.node.depth == 0)
            .map(|(id, (stored, _))| (stored.node.id, *id))
            .collect();
        for row in self.all(&stories::TABLE)? {
            let Ok(story) = stories::read(&row) else {
                self.judge(&stories::TABLE, row, ids, Wanted::new(), "the row cannot be read")?;
                continue;
            };
            let mut wanted = Wanted::new();
            let mut what = "";
            match roots.get(&root_id(story.id)) {
                Some(root) if *root != story.root.0 => wanted.push(("root", Raw::Int(*root))),
                Some(_) => {}
                None => what = "its root is that of another story",
            }
            if story.current.is_some_and(|current| refs.get(&current.0).is_some_and(|of| *of != story.key.0)) {
                what = "the branch that is read belongs to another story";
                let own = refs.iter().filter(|(_, of)| **of == story.key.0).map(|(id, _)| *id).min();
                wanted.push(("current", own.map_or(Raw::Null, Raw::Int)));
            }
            if story.version < 1 {
                what = "the version is wrong";
                wanted.push(("version", Raw::Int(1)));
            }
            self.judge(&stories::TABLE, row, ids, wanted, what)?;
        }
        Ok(())
    }

    fn refs(
        &mut self,
        ids: &HashMap<To, HashSet<i64>>,
        log: &HashMap<i64, BTreeMap<i64, Logged>>,
    ) -> Result<(), StoreError> {
        for row in self.all(&refs::TABLE)? {
            let Ok(found) = refs::read(&row) else {
                self.judge(&refs::TABLE, row, ids, Wanted::new(), "the row cannot be read")?;
                continue;
            };
            let (mut wanted, mut what) = (Wanted::new(), "");
            let last = log.get(&found.key.0).and_then(|log| log.last_key_value());
            let (number, logged) = last.map_or((0, None), |(number, logged)| (*number, Some(logged)));
            let head = found.head.map(|head| head.0);
            let mut right_head = head;
            if let Some(logged) = logged.filter(|logged| logged.after != head) {
                what = "it does not stand where its last operation left it";
                // If both rows have right checksums, nothing tells which of them is wrong.
                if logged.raw.is_none() && !row.is_intact() {
                    right_head = logged.after;
                    wanted.push(("head", logged.after.map_or(Raw::Null, Raw::Int)));
                }
            }
            if found.operation != number {
                what = "its last operation is another one";
                wanted.push(("operation", Raw::Int(number)));
            }
            let story = right_head.and_then(|head| self.nodes.get(&head)).map(|(stored, _)| stored.story.0);
            if story.is_some_and(|story| story != found.story_key.0) {
                what = "it stands in another story";
                let is_certain = logged.is_some_and(|logged| logged.after == right_head);
                wanted.extend(story.filter(|_| is_certain).map(|story| ("story", Raw::Int(story))));
            }
            let host = found.host.as_ref().and_then(|host| host.reported).and_then(|node| self.nodes.get(&node.0));
            if host.is_some_and(|(stored, _)| Some(stored.story.0) != story) && story.is_some() {
                what = "what the host reported is in another story";
            }
            if !matches!(row.values[4], Raw::Int(0 | 1)) || found.version < 1 || found.origin == Some(found.key) {
                what = "kind, version or origin is wrong";
                wanted.extend((found.version < 1).then_some(("version", Raw::Int(1))));
                wanted.extend((found.origin == Some(found.key)).then_some(("origin", Raw::Null)));
            }
            self.judge(&refs::TABLE, row, ids, wanted, what)?;
        }
        Ok(())
    }

    fn operations(
        &mut self,
        ids: &HashMap<To, HashSet<i64>>,
        log: &HashMap<i64, BTreeMap<i64, Logged>>,
    ) -> Result<(), StoreError> {
        let heads: HashMap<i64, (Option<i64>, bool)> = self
            .all(&refs::TABLE)?
            .iter()
            .filter_map(|row| Some((row.int(1).ok()?, (row.maybe_int(9).ok()?, row.is_intact()))))
            .collect();
        let mut seqs = HashSet::new();
        let mut twice: HashSet<i64> = HashSet::new();
        twice.extend(log.values().flat_map(BTreeMap::values).map(|logged| logged.seq).filter(|seq| !seqs.insert(*seq)));
        let values = ids.get(&To::Value).cloned().unwrap_or_default();
        for row in self.all(&operations::TABLE)? {
            let Ok(operations::OperationRow { operation, .. }) = operations::read(&row) else {
                self.judge(&operations::TABLE, row, ids, Wanted::new(), "the row cannot be read")?;
                continue;
            };
            let empty = BTreeMap::new();
            let of_ref = log.get(&operation.of.0).unwrap_or(&empty);
            let (mut wanted, mut what) = (Wanted::new(), "");
            let (before, after) = (operation.before.map(|node| node.0), operation.after.map(|node| node.0));
            let place = |node: Option<i64>| node.map_or(Raw::Null, Raw::Int);
            if let Some(last) = of_ref.get(&operation.number.saturating_sub(1)) {
                if last.after != before {
                    what = "it does not begin where the one before it ended";
                    wanted.extend((!row.is_intact() && last.raw.is_none()).then(|| ("before", place(last.after))));
                }
                if last.seq >= operation.seq.0 {
                    what = "it comes before the one before it";
                }
            }
            let next = match of_ref.get(&operation.number.saturating_add(1)) {
                Some(next) => Some((next.before, next.raw.is_none())),
                // Those in between may have been collected.
                None if of_ref.keys().next_back() != Some(&operation.number) => None,
                None => heads.get(&operation.of.0).copied(),
            };
            if let Some((next, is_intact)) = next.filter(|(next, _)| *next != after) {
                what = "it does not end where the next one begins";
                wanted.extend((!row.is_intact() && is_intact).then(|| ("after", place(next))));
            }
            let is_seq = (1..=self.last_change).contains(&operation.seq.0) && !twice.contains(&operation.seq.0);
            if !is_seq || operation.number < 1 || operation.undoes.is_some_and(|number| number >= operation.number) {
                what = "its numbers are wrong";
            }
            if operation.detail.values().iter().any(|value| !values.contains(&value.0)) {
                what = "its detail leads to nothing";
            }
            self.judge(&operations::TABLE, row, ids, wanted, what)?;
        }
        Ok(())
    }

    /// A cursor only says where reading went on: a wrong one is taken away.
    fn cursors(&mut self, ids: &HashMap<To, HashSet<i64>>) -> Result<(), StoreError> {
        let stories: HashMap<i64, i64> =
            self.all(&refs::TABLE)?.iter().filter_map(|row| Some((row.int(1).ok()?, row.int(3).ok()?))).collect();
        let pages = self.nodes_of_pages();
        for row in self.all(&cursors::CURSORS)? {
            let story = row.int(1).ok().and_then(|of| stories.get(&of)).copied();
            let node = row.int(3).ok().and_then(|node| self.nodes.get(&node));
            let page: Option<[u8; 16]> = row.bytes(2).ok().and_then(|page| page.try_into().ok());
            let is_right = story.is_some()
                && node.is_some_and(|(stored, _)| Some(stored.story.0) == story)
                && page
                    .and_then(|page| pages.get(&page))
                    .is_some_and(|nodes| self.is_below(nodes, row.int(3).unwrap_or(0)));
            if is_right && row.is_intact() {
                continue;
            }
            let pointers = POINTERS[3].1;
            let is_searched = self.repair && !row.is_intact();
            let fitting = if is_searched { self.search(&row, pointers, &cursors::CURSORS, ids) } else { None };
            self.report(&cursors::CURSORS, &row, "it leads to a floor that is not below its page");
            self.fixes.push(Fix { table: &cursors::CURSORS, seen: row, new: fitting });
        }
        Ok(())
    }

    /// Returns the nodes that have a page, by page, with their depths.
    fn nodes_of_pages(&self) -> HashMap<[u8; 16], BTreeMap<usize, HashSet<i64>>> {
        let mut nodes: HashMap<[u8; 16], BTreeMap<usize, HashSet<i64>>> = HashMap::new();
        for (id, (stored, _)) in &self.nodes {
            let turn = stored.node.turn.and_then(|turn| self.turns.get(&turn.0));
            for page in turn.into_iter().flat_map(|turn| &turn.pages) {
                nodes.entry(*page.page.as_bytes()).or_default().entry(stored.node.depth).or_default().insert(*id);
            }
        }
        nodes
    }

    /// Tells whether one of some nodes is on the path to another.
    fn is_below(&self, nodes: &BTreeMap<usize, HashSet<i64>>, leaf: i64) -> bool {
        nodes.iter().any(|(depth, nodes)| self.above(leaf, *depth).is_some_and(|above| nodes.contains(&above)))
    }

    /// Returns the node above another at a depth. The tree was checked, and every step leads up.
    fn above(&self, from: i64, depth: usize) -> Option<i64> {
        let mut node = &self.nodes.get(&from)?.0.node;
        while node.depth > depth {
            let jump = &self.nodes.get(&node.jump.0)?.0.node;
            let next = if jump.depth >= depth { jump } else { &self.nodes.get(&node.parent.0)?.0.node };
            if next.depth >= node.depth {
                return None;
            }
            node = next;
        }
        Some(node.key.0).filter(|_| node.depth == depth)
    }

    /// The versions of an asset are numbered from 1.
    fn assets(&mut self, ids: &HashMap<To, HashSet<i64>>) -> Result<(), StoreError> {
        let mut versions: HashMap<Vec<Raw>, HashSet<i64>> = HashMap::new();
        let rows = self.all(&assets::TABLE)?;
        for row in &rows {
            versions.entry(row.values[1..3].to_vec()).or_default().extend(row.int(3).ok());
        }
        for row in rows {
            let version = row.int(3).unwrap_or(0);
            let known = &versions[&row.values[1..3]];
            let is_kind = row.int(1).is_ok_and(|kind| assets::AssetKind::from_number(kind).is_some());
            let is_next = version == 1 || known.contains(&version.saturating_sub(1));
            let what = if is_kind && is_next { "" } else { "kind or version is wrong" };
            self.judge(&assets::TABLE, row, ids, Vec::new(), what)?;
        }
        Ok(())
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
