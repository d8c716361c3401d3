//! Committing a draft: one short transaction that checks what was read and inserts the rows.

use std::mem;

use crate::codec::pack::pack;
use crate::draft::{Check, Draft, DraftRows};
use crate::error::StoreError;
use crate::ids::IdKind;
use crate::keys::{OwnerKey, TextKey};
use crate::new_states::EncodedStates;
use crate::sql::Sql;
use crate::sqlite::Durability;
use crate::sqlite::full_text::{self, Indexing};
use crate::store::Store;
use crate::tables::pages::{PageRow, Use};
use crate::tables::refs::Ref;
use crate::tables::{
    assets, clients, cursors, foreign_snapshots, nodes, operations, owners, pages, refs, stories, texts, turns, values,
};
use crate::view::View;

impl Store {
    /// Writes a draft. Fails with [`StoreError::Conflict`] if something that it was made from has changed: then
    /// the change is tried again on what is there now.
    pub fn commit(&self, draft: Draft<'_>, durability: Durability) -> Result<(), StoreError> {
        self.commit_rows(draft.view, durability)
    }

    /// Writes texts, pages, nodes and states of a draft that is not finished, and moves nothing.
    pub fn commit_content(&self, draft: Draft<'_>, durability: Durability) -> Result<(), StoreError> {
        let mut view = draft.view;
        if !view.rows.new_stories.is_empty() {
            // A tree without a story could not be read.
            return Ok(());
        }
        view.rows.keep_content_only();
        self.commit_rows(view, durability)
    }

    fn commit_rows(&self, mut view: View<'_>, durability: Durability) -> Result<(), StoreError> {
        if view.rows.is_empty() {
            return Ok(());
        }
        if view.known_owner()?.is_none() {
            view.end_transaction();
            self.reserve_ids(view.owner_name, IdKind::Other)?;
        }
        let owner = view.owner()?;
        let mut states = mem::take(&mut view.rows.states);
        // Encoded and compressed here, so that the transaction stays short.
        let encoded = states.encode_rest(&view).map_err(StoreError::or_conflict)?;
        view.end_transaction();
        let (checks, rows) = (view.take_checks(), view.rows);
        let packed: Vec<(TextKey, Vec<u8>)> =
            rows.texts.iter().map(|(key, text)| (*key, pack(text.as_bytes()))).collect();
        let written = self.database.write(durability, |sql| {
            checks.iter().filter(|check| !rows.replaces(check)).try_for_each(|check| holds(sql, owner, check))?;
            write(sql, owner, &rows, &packed, &encoded, &checks)
        });
        written.map_err(StoreError::or_conflict)?;
        self.remember(owner, rows);
        states.last(&encoded).into_iter().for_each(|(key, state)| self.cache.put(owner, key.0, state));
        Ok(())
    }

    /// Caches rows that never change any more.
    fn remember(&self, owner: OwnerKey, rows: DraftRows) {
        for node in rows.nodes.into_iter().filter(|node| node.node.state.is_some()) {
            self.cache.put(owner, node.node.key.0, node);
        }
        rows.turns.into_iter().for_each(|(key, turn)| self.cache.put(owner, key.0, turn));
        rows.pages.into_iter().for_each(|page| self.cache.put(owner, page.page.at.0, page));
    }
}

fn holds(sql: &dyn Sql, owner: OwnerKey, check: &Check) -> Result<(), StoreError> {
    let is_same = match check {
        Check::Story(key, version) => stories::version(sql, owner, *key)? == Some(*version),
        Check::Ref(key, version, _) => refs::version(sql, owner, *key)? == Some(*version),
        Check::Seq { chat, client, last } => clients::last_seq(sql, owner, *chat, client)? == *last,
    };
    if is_same { Ok(()) } else { Err(StoreError::Conflict) }
}

fn write(
    sql: &dyn Sql,
    owner: OwnerKey,
    rows: &DraftRows,
    packed: &[(TextKey, Vec<u8>)],
    states: &EncodedStates,
    checks: &[Check],
) -> Result<(), StoreError> {
    values::insert(sql, owner, &rows.values)?;
    texts::insert(sql, owner, packed)?;
    index_texts(sql, rows)?;
    let seq = owners::last_change(sql, owner)?.0 + 1;
    write_pages(sql, owner, rows, seq)?;
    turns::insert(sql, owner, &rows.turns)?;
    states.insert(sql, owner)?;
    nodes::insert(sql, owner, &rows.nodes)?;
    rows.node_states.iter().try_for_each(|(node, state)| nodes::set_state(sql, owner, *node, *state))?;
    rows.stories.values().try_for_each(|story| stories::put(sql, owner, story))?;
    write_refs(sql, owner, rows, checks)?;
    clients::insert(sql, owner, &rows.clients)?;
    operations::insert(sql, owner, &rows.operations, seq)?;
    rows.cursors.iter().try_for_each(|((of, page), node)| cursors::put(sql, owner, *of, *page, *node))?;
    rows.seq.iter().try_for_each(|request| clients::put_seq(sql, owner, request))?;
    assets::insert(sql, owner, &rows.assets)?;
    rows.foreign_snapshots.iter().try_for_each(|snapshot| foreign_snapshots::put(sql, owner, snapshot))
}

fn write_refs(sql: &dyn Sql, owner: OwnerKey, rows: &DraftRows, checks: &[Check]) -> Result<(), StoreError> {
    let chat_of = |key| {
        checks.iter().find_map(|check| match check {
            Check::Ref(own, _, chat) if *own == key => *chat,
            _ => None,
        })
    };
    // A chat may go from one ref to another: first it is taken away.
    let mut saved: Vec<&Ref> = rows.refs.values().collect();
    saved.sort_by_key(|saved| (saved.host.is_some(), saved.key));
    saved.into_iter().try_for_each(|saved| refs::put(sql, owner, saved, chat_of(saved.key)))
}

fn index_texts(sql: &dyn Sql, rows: &DraftRows) -> Result<(), StoreError> {
    if rows.texts.is_empty() || full_text::indexing(sql)? == Indexing::Off {
        return Ok(());
    }
    rows.texts.iter().try_for_each(|(key, text)| full_text::add(sql, *key, text))
}

fn write_pages(sql: &dyn Sql, owner: OwnerKey, rows: &DraftRows, at: i64) -> Result<(), StoreError> {
    let new: Vec<(&PageRow, Use)> = rows
        .pages
        .iter()
        .map(|page| {
            let turn = rows.page_turns.get(&page.page.at).copied();
            (&**page, turn.map_or(Use::default(), |turn| Use { turn: Some(turn), at }))
        })
        .collect();
    pages::insert(sql, owner, &new)?;
    let mut stored = rows.page_turns.iter().filter(|(page, _)| rows.page(**page).is_none());
    stored.try_for_each(|(page, turn)| pages::set_use(sql, owner, *page, Use { turn: Some(*turn), at }))
}
