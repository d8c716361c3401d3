//! Stories, refs and the log of operations: every pointer leads somewhere, the log of a ref tells where it stands, and
//! what the log says last about a name, a title, rules or settings is what they are.

use std::collections::{BTreeMap, HashMap, HashSet};

use storeyline_history::node::root_id;

use super::Checker;
use super::judge::{Ids, To, Wanted};
use super::shape::{Blanked, with_id};
use crate::codec::records;
use crate::error::StoreError;
use crate::sql::Row as _;
use crate::tables::operations::{self, Description, Detail, Operation, OperationKind, RulesParts};
use crate::tables::table::{Raw, RawRow, Table};
use crate::tables::{clients, refs, stories};

/// An operation, as far as others depend on it.
struct Logged {
    seq: i64,
    kind: i64,
    before: Option<i64>,
    after: Option<i64>,
    is_intact: bool,
}

/// The operations by ref and number, and what they say last.
#[derive(Default)]
struct Log {
    of_refs: HashMap<i64, BTreeMap<i64, Logged>>,
    /// Positions that two operations have.
    twice: HashSet<i64>,
    /// From this position on no operation is missing: what is said last there is true now.
    whole_from: i64,
    /// By ref, with the position.
    described: HashMap<i64, (i64, Description)>,
    titles: HashMap<i64, (i64, String)>,
    settings: HashMap<i64, (i64, Option<i64>)>,
    rules: HashMap<i64, (i64, RulesParts)>,
}

impl Log {
    fn add(&mut self, row: &RawRow) -> Result<(), StoreError> {
        let (of, number, seq, kind) = (row.int(1)?, row.int(2)?, row.int(3)?, row.int(4)?);
        let (before, after, is_intact) = (row.maybe_int(5)?, row.maybe_int(6)?, row.is_intact());
        self.of_refs.entry(of).or_default().insert(number, Logged { seq, kind, before, after, is_intact });
        let detail = row.bytes(10).ok().and_then(records::read::<Detail>);
        if let Some(detail) = detail.filter(|_| is_intact) {
            self.hear(of, seq, detail);
        }
        Ok(())
    }

    fn hear(&mut self, of: i64, seq: i64, detail: Detail) {
        fn last<T>(known: &mut HashMap<i64, (i64, T)>, of: i64, seq: i64, said: T) {
            if known.get(&of).is_none_or(|(known, _)| *known < seq) {
                known.insert(of, (seq, said));
            }
        }
        match detail {
            Detail::Described(change) => last(&mut self.described, of, seq, change.after),
            Detail::Title(change) => last(&mut self.titles, of, seq, change.after),
            Detail::Settings(change) => last(&mut self.settings, of, seq, change.after.map(|key| key.0)),
            Detail::Rules(change) => last(&mut self.rules, of, seq, change.after),
            _ => {}
        }
    }

    /// Finds positions that are missing or used twice.
    fn count(&mut self, last_change: i64) {
        let mut seqs: Vec<i64> = self.of_refs.values().flat_map(BTreeMap::values).map(|logged| logged.seq).collect();
        seqs.sort_unstable();
        self.twice = seqs.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        self.whole_from = last_change + 1;
        for seq in seqs.into_iter().rev().skip_while(|seq| *seq > last_change) {
            if seq != self.whole_from - 1 {
                break;
            }
            self.whole_from = seq;
        }
    }

    /// Returns what was said last about one of several refs.
    fn said_last<'a, T>(&self, known: &'a HashMap<i64, (i64, T)>, of: &[i64]) -> Option<&'a T> {
        let said = of.iter().filter_map(|of| known.get(of)).max_by_key(|(seq, _)| *seq);
        said.filter(|(seq, _)| *seq >= self.whole_from).map(|(_, said)| said)
    }
}

impl Checker<'_> {
    pub(super) fn log(&mut self) -> Result<(), StoreError> {
        let ids = self.ids()?;
        let mut log = Log::default();
        self.rows(&operations::TABLE, &mut |row| {
            // A row that cannot be read is reported below.
            let _ = log.add(&row);
            Ok(())
        })?;
        log.count(self.last_change);
        self.stories(&ids, &log)?;
        self.refs(&ids, &log)?;
        self.operations(&ids, &log)?;
        self.beside(&ids)
    }

    pub(super) fn all(&self, table: &'static Table) -> Result<Vec<RawRow>, StoreError> {
        let mut rows = Vec::new();
        self.rows(table, &mut |row| {
            rows.push(row);
            Ok(())
        })?;
        Ok(rows)
    }

    /// Returns the stories of refs.
    pub(super) fn stories_of_refs(&self) -> Result<HashMap<i64, i64>, StoreError> {
        let rows = self.all(&refs::TABLE)?;
        Ok(rows.iter().filter_map(|row| Some((row.int(1).ok()?, row.int(3).ok()?))).collect())
    }

    fn stories(&mut self, ids: &Ids, log: &Log) -> Result<(), StoreError> {
        let refs = self.stories_of_refs()?;
        let roots: HashMap<_, i64> = self
            .nodes
            .iter()
            .filter(|(_, (stored, _))| stored.node.depth == 0)
            .map(|(id, (stored, _))| (stored.node.id, *id))
            .collect();
        for row in self.all(&stories::TABLE)? {
            let (readable, id) = with_id(&stories::TABLE, &row);
            let mut wanted: Wanted = id.map(|id| ("story", id)).into_iter().collect();
            let Ok(story) = stories::read(&readable) else {
                self.judge(&stories::TABLE, row, ids, wanted, "the row cannot be read")?;
                continue;
            };
            let mut what = if wanted.is_empty() { "" } else { "its id is lost" };
            match roots.get(&root_id(story.id)) {
                Some(root) if *root != story.root.0 => wanted.push(("root", Raw::Int(*root))),
                Some(_) => {}
                None => what = "its root is that of another story",
            }
            let own: Vec<i64> = refs.iter().filter(|(_, of)| **of == story.key.0).map(|(id, _)| *id).collect();
            if story.current.is_some_and(|current| refs.get(&current.0).is_some_and(|of| *of != story.key.0)) {
                what = "the branch that is read belongs to another story";
                wanted.push(("current", own.iter().min().map_or(Raw::Null, |own| Raw::Int(*own))));
            }
            if story.version < 1 {
                what = "the version is wrong";
                wanted.push(("version", Raw::Int(1)));
            }
            let said = said_of_story(&story, log, &own);
            if !said.is_empty() {
                what = "title, rules or settings are not what the log says";
                // If both rows have right checksums, nothing tells which of them is wrong.
                wanted.extend(said.into_iter().filter(|_| !row.is_intact()));
            }
            self.judge(&stories::TABLE, row, ids, wanted, what)?;
        }
        Ok(())
    }

    fn refs(&mut self, ids: &Ids, log: &Log) -> Result<(), StoreError> {
        let stories = self.stories_of_refs()?;
        let chats: Vec<Raw> = self.all(&clients::SEQS)?.into_iter().map(|mut row| row.values.swap_remove(1)).collect();
        for row in self.all(&refs::TABLE)? {
            let (mut blanked, id) = with_id(&refs::TABLE, &row);
            let mut wanted = missing_file(&blanked);
            wanted.iter().for_each(|(column, value)| blanked.values[refs::TABLE.column(column)] = value.clone());
            wanted.extend(id.map(|id| ("ref", id)));
            let Ok(found) = refs::read(&blanked) else {
                self.judge(&refs::TABLE, row, ids, wanted, "the row cannot be read")?;
                continue;
            };
            let mut what = if wanted.is_empty() { "" } else { "its id or its file is missing" };
            let empty = BTreeMap::new();
            let of_ref = log.of_refs.get(&found.key.0).unwrap_or(&empty);
            let (number, logged) = of_ref.last_key_value().map_or((0, None), |(number, last)| (*number, Some(last)));
            let head = found.head.map(|head| head.0);
            let mut right_head = head;
            if let Some(logged) = logged.filter(|logged| logged.after != head) {
                what = "it does not stand where its last operation left it";
                // If both rows have right checksums, nothing tells which of them is wrong.
                if logged.is_intact && !row.is_intact() {
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
            let kind = of_ref.get(&1).and_then(|first| made_kind(first.kind));
            if !matches!(row.values[4], Raw::Int(0 | 1)) || kind.is_some_and(|kind| row.values[4] != Raw::Int(kind)) {
                what = "its kind is wrong";
                wanted.extend(kind.filter(|_| of_ref[&1].is_intact).map(|kind| ("kind", Raw::Int(kind))));
            }
            let origin = found.origin.and_then(|origin| stories.get(&origin.0));
            let is_foreign = origin.is_some_and(|origin| *origin != found.story_key.0);
            if found.version < 1 || found.origin == Some(found.key) || is_foreign {
                what = "version or origin is wrong";
                wanted.extend((found.version < 1).then_some(("version", Raw::Int(1))));
                wanted.extend((found.version >= 1).then_some(("origin", Raw::Null)));
            }
            let said = log.said_last(&log.described, &[found.key.0]).map(said_of_ref).unwrap_or_default();
            if said.iter().any(|(column, said)| row.values[refs::TABLE.column(column)] != *said) {
                what = "name, note or colour are not what the log says";
                wanted.extend(said.into_iter().filter(|_| !row.is_intact()));
            }
            wanted.extend(fitting_chat(&row, &chats).filter(|_| self.repair));
            self.judge(&refs::TABLE, row, ids, wanted, what)?;
        }
        Ok(())
    }

    fn operations(&mut self, ids: &Ids, log: &Log) -> Result<(), StoreError> {
        let heads: HashMap<i64, (Option<i64>, bool)> = self
            .all(&refs::TABLE)?
            .iter()
            .filter_map(|row| Some((row.int(1).ok()?, (row.maybe_int(9).ok()?, row.is_intact()))))
            .collect();
        let stories = self.stories_of_refs()?;
        let values = ids.get(&To::Value).cloned().unwrap_or_default();
        for row in self.all(&operations::TABLE)? {
            let mut blanked = Blanked::of(&operations::TABLE, &row).row;
            let mut wanted = Wanted::new();
            let mut what = "";
            if row.bytes(10).ok().and_then(records::read::<Detail>).is_none() {
                what = "its detail cannot be read";
                // It only says what to show and to take back; the operation itself stays.
                blanked.values[10] = Raw::Bytes(records::write(&Detail::None));
                wanted.push(("detail", blanked.values[10].clone()));
            }
            let Ok(operations::OperationRow { operation, .. }) = operations::read(&blanked) else {
                self.judge(&operations::TABLE, row, ids, wanted, "the row cannot be read")?;
                continue;
            };
            let empty = BTreeMap::new();
            let of_ref = log.of_refs.get(&operation.of.0).unwrap_or(&empty);
            let (before, after) = (operation.before.map(|node| node.0), operation.after.map(|node| node.0));
            let place = |node: Option<i64>| node.map_or(Raw::Null, Raw::Int);
            if let Some(last) = of_ref.get(&operation.number.saturating_sub(1)) {
                if last.after != before {
                    what = "it does not begin where the one before it ended";
                    wanted.extend((!row.is_intact() && last.is_intact).then(|| ("before", place(last.after))));
                }
                if last.seq >= operation.seq.0 {
                    what = "it comes before the one before it";
                }
            }
            let next = match of_ref.get(&operation.number.saturating_add(1)) {
                Some(next) => Some((next.before, next.is_intact)),
                // Those in between may have been collected.
                None if of_ref.keys().next_back() != Some(&operation.number) => None,
                None => heads.get(&operation.of.0).copied(),
            };
            if let Some((next, is_intact)) = next.filter(|(next, _)| *next != after) {
                what = "it does not end where the next one begins";
                wanted.extend((!row.is_intact() && is_intact).then(|| ("after", place(next))));
            }
            if operation.number == 1 && before.is_some() {
                what = "the first one begins nowhere";
                wanted.push(("before", Raw::Null));
            }
            if leaves_head(operation.kind) && before != after {
                what = "it moves its ref, which its kind does not";
                // The next one, or the ref itself, begins where it ended.
                let end = next.map_or(after, |(next, _)| next);
                wanted.extend((end == after).then(|| ("before", place(after))));
            }
            let story = stories.get(&operation.of.0);
            let is_foreign =
                |node: i64| self.nodes.get(&node).is_some_and(|(stored, _)| Some(&stored.story.0) != story);
            if story.is_some() && before.into_iter().chain(after).any(is_foreign) {
                what = "it stands in another story";
            }
            let is_seq = (1..=self.last_change).contains(&operation.seq.0) && !log.twice.contains(&operation.seq.0);
            if !is_seq || operation.number < 1 || !is_reversal_right(&operation) {
                what = "its numbers are wrong";
            }
            if !goes_with(operation.kind, &operation.detail) {
                what = "its detail is that of another kind";
                wanted.extend((!row.is_intact()).then(|| ("detail", Raw::Bytes(records::write(&Detail::None)))));
            }
            if operation.detail.values().iter().any(|value| !values.contains(&value.0)) {
                what = "its detail leads to nothing";
            }
            self.judge(&operations::TABLE, row, ids, wanted, what)?;
        }
        Ok(())
    }
}

/// Returns the columns of a story that the log names otherwise.
fn said_of_story(story: &stories::Story, log: &Log, own: &[i64]) -> Wanted {
    let mut said = Wanted::new();
    if let Some(title) = log.said_last(&log.titles, own).filter(|title| **title != story.title) {
        said.push(("title", Raw::Bytes(title.clone().into_bytes())));
    }
    let key = |key: Option<i64>| key.map_or(Raw::Null, Raw::Int);
    if let Some(settings) = log.said_last(&log.settings, own).filter(|said| **said != story.settings.map(|key| key.0)) {
        said.push(("settings", key(*settings)));
    }
    if let Some(parts) = log.said_last(&log.rules, own) {
        let RulesParts { card_rules, choices } = *parts;
        said.extend((card_rules != story.card_rules).then_some(("card_rules", Raw::Int(card_rules.0))));
        said.extend((choices != story.choices).then(|| ("choices", key(choices.map(|key| key.0)))));
    }
    said
}

fn said_of_ref(said: &Description) -> Wanted {
    let Description { name, note, colour } = said.clone();
    [("name", name), ("note", note), ("colour", colour)]
        .map(|(column, words)| (column, Raw::Bytes(words.into())))
        .into()
}

/// A ref that has a chat has a file.
fn missing_file(row: &RawRow) -> Wanted {
    let has_chat = row.values[12] != Raw::Null;
    let missing = [(13, "file"), (14, "file_owner")].into_iter().filter(|(at, _)| row.values[*at] == Raw::Null);
    missing.filter(|_| has_chat).map(|(_, column)| (column, Raw::Bytes(Vec::new()))).collect()
}

/// Returns the chat with which the checksum of a ref is right, of those that sent requests.
fn fitting_chat(row: &RawRow, chats: &[Raw]) -> Option<(&'static str, Raw)> {
    if row.is_intact() {
        return None;
    }
    let mut new = row.values.clone();
    let fits = |chat: &&Raw| {
        new[12] = (*chat).clone();
        row.fits(&new)
    };
    chats.iter().find(fits).map(|chat| ("chat", chat.clone()))
}

/// Returns the kind of ref that a first operation makes; an import makes both.
fn made_kind(first: i64) -> Option<i64> {
    match OperationKind::from_number(first)? {
        OperationKind::CreateBranch => Some(0),
        OperationKind::CreateTag => Some(1),
        _ => None,
    }
}

/// Undo and redo name an earlier operation, others none.
fn is_reversal_right(operation: &Operation) -> bool {
    match operation.kind {
        OperationKind::Undo | OperationKind::Redo => {
            operation.undoes.is_some_and(|number| (1..operation.number).contains(&number))
        }
        _ => operation.undoes.is_none(),
    }
}

/// Tells whether operations of a kind leave their ref where it stands.
fn leaves_head(kind: OperationKind) -> bool {
    use OperationKind::{Change, Rename, Restore, RestoreStory, Rules, Settings, Switch, Trash, TrashStory};
    matches!(kind, Change | Rename | Restore | RestoreStory | Rules | Settings | Switch | Trash | TrashStory)
}

/// Tells whether an operation of a kind can have a detail. Undo and redo have that of the operation they are about.
fn goes_with(kind: OperationKind, detail: &Detail) -> bool {
    use OperationKind as Kind;
    let is_reversal = matches!(kind, Kind::Undo | Kind::Redo);
    is_reversal
        || match detail {
            Detail::Title(_) => kind == Kind::Rename,
            Detail::Settings(_) => kind == Kind::Settings,
            Detail::Rules(_) => kind == Kind::Rules,
            Detail::Current(_) => kind == Kind::Switch,
            Detail::Described(_) => kind == Kind::Change,
            Detail::StoryTrashed(_) => matches!(kind, Kind::TrashStory | Kind::RestoreStory),
            Detail::Floors { .. } => kind == Kind::Reprocess,
            Detail::None
            | Detail::Floor(_)
            | Detail::Page { .. }
            | Detail::Late
            | Detail::File(_)
            | Detail::Trashed { .. } => {
                // A detail that was lost leaves nothing to compare.
                *detail == Detail::None || !matches!(kind, Kind::Rename | Kind::Settings | Kind::Rules | Kind::Change)
            }
        }
}
