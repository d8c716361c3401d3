//! Writes a draft: one short transaction that checks what was read, gives ids, and inserts the rows.

use std::sync::Arc;

use storeyline_history::{HostFields, NodeKey, PageKey, StateKey, Turn, TurnKey, TurnPage, ValueKey};

use crate::cache::CachedState;
use crate::codec::pack::pack;
use crate::draft::{Check, Draft, DraftRows};
use crate::error::StoreError;
use crate::keys::{OwnerKey, RefKey, StoryKey, TextKey, draft_index};
use crate::sql::Sql;
use crate::sqlite::Durability;
use crate::sqlite::full_text::{self, Indexing};
use crate::store::{Owner, Store};
use crate::tables::assets::Asset;
use crate::tables::foreign_snapshots::ForeignSnapshot;
use crate::tables::nodes::StoredNode;
use crate::tables::operations::{ChangeSeq, Operation};
use crate::tables::owners::Counters;
use crate::tables::pages::PageRow;
use crate::tables::refs::{HostBinding, Ref};
use crate::tables::states::{Distance, NewKeyframe, StateRow};
use crate::tables::stories::Story;
use crate::tables::{
    assets, clients, cursors, foreign_snapshots, nodes, operations, owners, pages, refs, states, stories, texts, turns,
    values,
};

impl Store {
    /// Writes a draft. Fails with [`StoreError::Conflict`] if something that it was made from has changed: then
    /// the change is tried again on what is there now.
    pub fn commit(&self, draft: Draft<'_>, durability: Durability) -> Result<(), StoreError> {
        let mut view = draft.view;
        view.end_transaction();
        let (owner, checks) = (view.owner_name, view.take_checks());
        self.commit_rows(owner, &checks, view.rows, durability)
    }

    /// Writes texts, pages, nodes and states of a draft that is not finished, and moves nothing.
    pub fn commit_content(&self, draft: Draft<'_>, durability: Durability) -> Result<(), StoreError> {
        let mut view = draft.view;
        view.end_transaction();
        if view.rows.new_stories > 0 {
            // A tree without a story could not be read.
            return Ok(());
        }
        let (owner, checks) = (view.owner_name, view.take_checks());
        let mut rows = view.rows;
        rows.keep_content_only();
        self.commit_rows(owner, &checks, rows, durability)
    }

    fn commit_rows(
        &self,
        owner: &Owner,
        checks: &[Check],
        rows: DraftRows,
        durability: Durability,
    ) -> Result<(), StoreError> {
        if rows.is_empty() {
            return Ok(());
        }
        // Compressed here, so that the transaction stays short.
        let packed: Vec<Vec<u8>> = rows.texts.iter().map(|text| pack(text.as_bytes())).collect();
        let written = self.database.write(durability, |sql| {
            let (key, counters) = owners::find_or_insert(sql, owner)?;
            checks.iter().try_for_each(|check| holds(sql, key, check))?;
            let mut commit = Commit { sql, owner: key, before: counters, counters, rows: &rows, packed: &packed };
            let written = commit.write()?;
            owners::put(sql, key, owner, &commit.counters)?;
            Ok::<_, StoreError>((key, written))
        });
        let (key, written) = written.map_err(StoreError::or_conflict)?;
        written.remember(self, key);
        Ok(())
    }
}

fn holds(sql: &dyn Sql, owner: OwnerKey, check: &Check) -> Result<(), StoreError> {
    let is_same = match check {
        Check::Story(key, version) => stories::version(sql, owner, *key)? == Some(*version),
        Check::Ref(key, version) => refs::version(sql, owner, *key)? == Some(*version),
        Check::Seq { chat, client, last } => clients::last_seq(sql, owner, *chat, client)? == *last,
    };
    if is_same { Ok(()) } else { Err(StoreError::Conflict) }
}

struct Commit<'a> {
    sql: &'a dyn Sql,
    owner: OwnerKey,
    /// The last ids before this commit.
    before: Counters,
    counters: Counters,
    rows: &'a DraftRows,
    /// The texts, compressed.
    packed: &'a [Vec<u8>],
}

/// Rows that never change any more, as they were stored.
struct Written {
    nodes: Vec<StoredNode>,
    turns: Vec<(TurnKey, Arc<Turn>)>,
    pages: Vec<Arc<PageRow>>,
    last_state: Option<(StateKey, CachedState)>,
}

impl Written {
    fn remember(self, store: &Store, owner: OwnerKey) {
        for node in self.nodes.into_iter().filter(|node| node.node.state.is_some()) {
            store.cache.put(owner, node.node.key.0, node);
        }
        self.turns.into_iter().for_each(|(key, turn)| store.cache.put(owner, key.0, turn));
        self.pages.into_iter().for_each(|page| store.cache.put(owner, page.page.at.0, page));
        if let Some((key, state)) = self.last_state {
            store.cache.put(owner, key.0, state);
        }
    }
}

/// Returns the first node of the run in which a new one stands; its own `run` is still that of its parent, and
/// `last` is the new node before it.
fn run(own: &StoredNode, last: Option<&StoredNode>) -> NodeKey {
    let (key, parent) = (own.node.key, own.node.parent);
    match last {
        _ if parent.0 + 1 != key.0 => key,
        Some(last) if last.node.key == parent => last.run,
        _ => own.run,
    }
}

/// Returns the stored id of a row: that of a new one follows the last id before the commit.
fn resolve(id: i64, before: i64) -> i64 {
    draft_index(id).map_or(id, |index| before + 1 + index as i64)
}

impl Commit<'_> {
    fn write(&mut self) -> Result<Written, StoreError> {
        let (sql, owner, rows) = (self.sql, self.owner, self.rows);
        self.give_ids();
        values::insert(sql, owner, self.before.value + 1, &rows.values)?;
        self.texts()?;
        let pages = self.pages()?;
        let turns: Vec<Turn> = rows.turns.iter().map(|turn| self.turn(turn)).collect();
        turns::insert(sql, owner, self.before.turn + 1, &turns)?;
        let states: Vec<StateRow> = rows.states.iter().map(|state| self.state(state)).collect();
        states::insert(sql, owner, &states)?;
        rows.keyframes.iter().try_for_each(|frame| states::insert_keyframe(sql, owner, &self.keyframe(frame)))?;
        let nodes = self.nodes()?;
        for story in rows.stories.values() {
            stories::put(sql, owner, &self.story(story))?;
        }
        for found in rows.refs.values() {
            refs::put(sql, owner, &self.reference(found))?;
        }
        self.log()?;
        let first = TurnKey(self.before.turn + 1);
        let turns = turns.into_iter().zip(first.0..).map(|(turn, id)| (TurnKey(id), Arc::new(turn))).collect();
        let last_state = rows.last_state.as_ref().map(|(key, state)| (self.state_key(*key), self.cached(state)));
        Ok(Written { nodes, turns, pages, last_state })
    }

    fn give_ids(&mut self) {
        let rows = self.rows;
        let counters = &mut self.counters;
        counters.value += rows.values.len() as i64;
        counters.text += rows.texts.len() as i64;
        counters.page += rows.pages.len() as i64;
        counters.turn += rows.turns.len() as i64;
        counters.node += rows.nodes.len() as i64;
        counters.state += rows.states.len() as i64;
        counters.story += rows.new_stories as i64;
        counters.reference += rows.new_refs as i64;
        counters.change_seq += rows.operations.len() as i64;
    }

    fn texts(&self) -> Result<(), StoreError> {
        if self.rows.texts.is_empty() {
            return Ok(());
        }
        let first = self.before.text + 1;
        texts::insert(self.sql, self.owner, first, self.packed)?;
        if full_text::indexing(self.sql)? != Indexing::Off {
            for (text, id) in self.rows.texts.iter().zip(first..) {
                full_text::add(self.sql, self.owner, TextKey(id), text)?;
            }
        }
        Ok(())
    }

    fn pages(&self) -> Result<Vec<Arc<PageRow>>, StoreError> {
        let turn = |page: PageKey| self.rows.page_turns.get(&page).map(|turn| self.turn_key(*turn));
        let pages: Vec<Arc<PageRow>> = self.rows.pages.iter().map(|page| Arc::new(self.page(page))).collect();
        let with_turns: Vec<(&PageRow, Option<TurnKey>)> =
            pages.iter().zip(&self.rows.pages).map(|(page, draft)| (&**page, turn(draft.page.at))).collect();
        pages::insert(self.sql, self.owner, &with_turns)?;
        for (page, turn) in self.rows.page_turns.iter().filter(|(page, _)| draft_index(page.0).is_none()) {
            pages::set_turn(self.sql, self.owner, *page, Some(self.turn_key(*turn)))?;
        }
        Ok(pages)
    }

    fn nodes(&self) -> Result<Vec<StoredNode>, StoreError> {
        let mut nodes: Vec<StoredNode> = Vec::with_capacity(self.rows.nodes.len());
        for draft in &self.rows.nodes {
            let mut stored = self.node(draft);
            stored.run = run(&stored, nodes.last());
            nodes.push(stored);
        }
        nodes::insert(self.sql, self.owner, &nodes)?;
        for (node, state) in &self.rows.node_states {
            nodes::set_state(self.sql, self.owner, *node, self.state_key(*state))?;
        }
        Ok(nodes)
    }

    fn log(&mut self) -> Result<(), StoreError> {
        let (sql, owner, rows) = (self.sql, self.owner, self.rows);
        let mut logged = Vec::with_capacity(rows.operations.len());
        let mut clients = Vec::with_capacity(rows.operations.len());
        for (operation, seq) in rows.operations.iter().zip(self.before.change_seq + 1..) {
            let name = Some(operation.client.as_str()).filter(|name| !name.is_empty());
            clients.push(name.map(|name| clients::key_of(sql, owner, name, &mut self.counters.client)).transpose()?);
            logged.push(self.operation(operation, ChangeSeq(seq)));
        }
        operations::insert(sql, owner, &logged, &clients)?;
        for ((of, page), node) in &rows.cursors {
            cursors::put(sql, owner, self.ref_key(*of), *page, self.node_key(*node))?;
        }
        rows.seq.iter().try_for_each(|request| clients::put_seq(sql, owner, request))?;
        let kept: Vec<Asset> = rows.assets.iter().map(|asset| self.asset(asset)).collect();
        assets::insert(sql, owner, &kept)?;
        rows.foreign_snapshots
            .iter()
            .try_for_each(|snapshot| foreign_snapshots::put(sql, owner, &self.foreign_snapshot(snapshot)))
    }
}

/// The same rows with stored ids in place of those of the draft.
impl Commit<'_> {
    fn value_key(&self, key: ValueKey) -> ValueKey {
        ValueKey(resolve(key.0, self.before.value))
    }

    fn page_key(&self, key: PageKey) -> PageKey {
        PageKey(resolve(key.0, self.before.page))
    }

    fn turn_key(&self, key: TurnKey) -> TurnKey {
        TurnKey(resolve(key.0, self.before.turn))
    }

    fn node_key(&self, key: NodeKey) -> NodeKey {
        NodeKey(resolve(key.0, self.before.node))
    }

    fn state_key(&self, key: StateKey) -> StateKey {
        StateKey(resolve(key.0, self.before.state))
    }

    fn story_key(&self, key: StoryKey) -> StoryKey {
        StoryKey(resolve(key.0, self.before.story))
    }

    fn ref_key(&self, key: RefKey) -> RefKey {
        RefKey(resolve(key.0, self.before.reference))
    }

    fn turn_page(&self, page: &TurnPage) -> TurnPage {
        TurnPage { at: self.page_key(page.at), ..*page }
    }

    fn page(&self, row: &PageRow) -> PageRow {
        PageRow {
            page: self.turn_page(&row.page),
            story: self.story_key(row.story),
            text: TextKey(resolve(row.text.0, self.before.text)),
            names: self.value_key(row.names),
            rules: self.value_key(row.rules),
            body: row.body.clone(),
            kept: row.kept.map(|kept| self.state_key(kept)),
        }
    }

    fn turn(&self, turn: &Turn) -> Turn {
        Turn {
            pages: turn.pages.iter().map(|page| self.turn_page(page)).collect(),
            host: turn.host.map(|host| HostFields { at: self.value_key(host.at), ..host }),
            ..turn.clone()
        }
    }

    fn distance(&self, distance: Distance) -> Distance {
        Distance { frame: self.state_key(distance.frame), ..distance }
    }

    fn state(&self, state: &StateRow) -> StateRow {
        StateRow {
            key: self.state_key(state.key),
            base: state.base.map(|base| self.state_key(base)),
            distance: self.distance(state.distance),
            ..state.clone()
        }
    }

    fn cached(&self, state: &CachedState) -> CachedState {
        CachedState { distance: self.distance(state.distance), ..state.clone() }
    }

    fn keyframe(&self, frame: &NewKeyframe) -> NewKeyframe {
        let against = frame.against.map(|against| self.state_key(against));
        NewKeyframe { state: self.state_key(frame.state), against, ..frame.clone() }
    }

    fn node(&self, stored: &StoredNode) -> StoredNode {
        let mut node = stored.node.clone();
        node.key = self.node_key(node.key);
        node.parent = self.node_key(node.parent);
        node.jump = self.node_key(node.jump);
        node.turn = node.turn.map(|turn| self.turn_key(turn));
        node.state = node.state.map(|state| self.state_key(state));
        StoredNode { node, story: self.story_key(stored.story), run: stored.run }
    }

    fn story(&self, story: &Story) -> Story {
        Story {
            key: self.story_key(story.key),
            root: self.node_key(story.root),
            rules: self.value_key(story.rules),
            card_rules: self.value_key(story.card_rules),
            choices: story.choices.map(|choices| self.value_key(choices)),
            settings: story.settings.map(|settings| self.value_key(settings)),
            current: story.current.map(|current| self.ref_key(current)),
            ..story.clone()
        }
    }

    fn reference(&self, found: &Ref) -> Ref {
        let host = found
            .host
            .clone()
            .map(|host| HostBinding { reported: host.reported.map(|node| self.node_key(node)), ..host });
        Ref {
            key: self.ref_key(found.key),
            story_key: self.story_key(found.story_key),
            origin: found.origin.map(|origin| self.ref_key(origin)),
            head: found.head.map(|head| self.node_key(head)),
            header: found.header.map(|header| self.value_key(header)),
            host,
            ..found.clone()
        }
    }

    fn operation(&self, operation: &Operation, seq: ChangeSeq) -> Operation {
        let detail = operation.detail.clone().resolved(|key| self.value_key(key), |key| self.ref_key(key));
        Operation {
            of: self.ref_key(operation.of),
            seq,
            before: operation.before.map(|node| self.node_key(node)),
            after: operation.after.map(|node| self.node_key(node)),
            detail,
            ..operation.clone()
        }
    }

    fn asset(&self, asset: &Asset) -> Asset {
        Asset { value: asset.value.map(|value| self.value_key(value)), ..asset.clone() }
    }

    fn foreign_snapshot(&self, snapshot: &ForeignSnapshot) -> ForeignSnapshot {
        ForeignSnapshot { value: self.value_key(snapshot.value), ..snapshot.clone() }
    }
}
