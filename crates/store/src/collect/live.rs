//! Marks what is live, from refs, operations, cursors and stories down to texts and states.

use std::collections::HashSet;

use storeyline_history::path_states::MemoKey;
use storeyline_history::{NodeKey, PageKey, StateKey, TurnKey, ValueKey};
use storeyline_state::ValueHash;

use super::Collector;
use crate::codec::records::{TurnRecord, intact};
use crate::error::StoreError;
use crate::keys::{TextKey, own_rows};
use crate::sql::params;
use crate::tables::{nodes, operations};

/// What is live, by table.
#[derive(Default)]
pub(super) struct Live {
    pub(super) nodes: HashSet<NodeKey>,
    pub(super) turns: HashSet<TurnKey>,
    pub(super) pages: HashSet<PageKey>,
    pub(super) texts: HashSet<TextKey>,
    pub(super) states: HashSet<StateKey>,
    pub(super) values: HashSet<ValueKey>,
}

impl Collector<'_> {
    pub(super) fn live(&self) -> Result<Live, StoreError> {
        let mut live = Live::default();
        let expired = self.expired()?;
        for query in [
            "SELECT root, -id, 0 FROM story WHERE owner = $1",
            "SELECT head, id, 0 FROM ref WHERE owner = $1 AND head IS NOT NULL",
            "SELECT host_node, id, 0 FROM ref WHERE owner = $1 AND host_node IS NOT NULL",
            "SELECT before, ref, number FROM operation WHERE owner = $1 AND before IS NOT NULL",
            "SELECT after, ref, number FROM operation WHERE owner = $1 AND after IS NOT NULL",
            "SELECT node, ref, 0 FROM cursor WHERE owner = $1",
        ] {
            let heads = self.sql.many(query, params![self.owner], |row| Ok((row.int(0)?, row.int(1)?, row.int(2)?)))?;
            for (head, of, number) in heads {
                if !expired.contains(of, number) {
                    self.climb(NodeKey(head), &mut live)?;
                }
            }
        }
        for query in [
            "SELECT rules, -id FROM story WHERE owner = $1",
            "SELECT card_rules, -id FROM story WHERE owner = $1",
            "SELECT choices, -id FROM story WHERE owner = $1 AND choices IS NOT NULL",
            "SELECT settings, -id FROM story WHERE owner = $1 AND settings IS NOT NULL",
            "SELECT header, id FROM ref WHERE owner = $1 AND header IS NOT NULL",
            "SELECT value, 0 FROM asset WHERE owner = $1 AND value IS NOT NULL",
        ] {
            let values = self.sql.many(query, params![self.owner], |row| Ok((row.int(0)?, row.int(1)?)))?;
            let held = values.into_iter().filter(|(_, of)| !expired.contains(*of, 0));
            live.values.extend(held.map(|(value, _)| ValueKey(value)));
        }
        let snapshots = "SELECT value FROM foreign_snapshot WHERE owner = $1 AND (trashed IS NULL OR trashed >= $2)";
        let before = self.expired.map_or(i64::MIN, |expiry| expiry.trash_before);
        let values = self.sql.many(snapshots, params![self.owner, before], |row| row.int(0))?;
        live.values.extend(values.into_iter().map(ValueKey));
        operations::each_detail(self.sql, self.owner, |of, number, detail| {
            if !expired.contains(of.0, number) {
                live.values.extend(detail.values());
            }
        })?;
        self.inside_turns(&mut live)?;
        self.below_states(&mut live)?;
        Ok(live)
    }

    /// Marks the nodes on the path to one, up to where another path was marked.
    fn climb(&self, head: NodeKey, live: &mut Live) -> Result<(), StoreError> {
        let mut key = head;
        while live.nodes.insert(key) {
            let stored = nodes::find(self.sql, self.owner, key)?.ok_or_else(|| StoreError::missing("node", key.0))?;
            live.turns.extend(stored.node.turn);
            live.states.extend(stored.node.state);
            key = stored.node.parent;
        }
        Ok(())
    }

    fn inside_turns(&self, live: &mut Live) -> Result<(), StoreError> {
        let query = concat!("SELECT id, host, bytes FROM turn WHERE ", own_rows!());
        let (turns, pages, values) = (&live.turns, &mut live.pages, &mut live.values);
        self.sql.many(query, params![self.owner], |row| {
            let id = row.int(0)?;
            if turns.contains(&TurnKey(id)) {
                pages.extend(intact(TurnRecord::read(row.bytes(2)?), "turn", id)?.pages);
                values.extend(row.maybe_int(1)?.map(ValueKey));
            }
            Ok(())
        })?;
        let query = concat!("SELECT id, text, names, rules, kept FROM page WHERE ", own_rows!());
        let (pages, texts, values, states) = (&live.pages, &mut live.texts, &mut live.values, &mut live.states);
        let mut rules = HashSet::new();
        self.sql.many(query, params![self.owner], |row| {
            if pages.contains(&PageKey(row.int(0)?)) {
                texts.insert(TextKey(row.int(1)?));
                values.extend([ValueKey(row.int(2)?), ValueKey(row.int(3)?)]);
                rules.insert(row.int(3)?);
                states.extend(row.maybe_int(4)?.map(StateKey));
            }
            Ok(())
        })?;
        for rules in rules {
            let query = "SELECT hash FROM value WHERE owner = $1 AND id = $2";
            let hash = self.sql.one(query, params![self.owner, rules], |row| row.fixed(0))?;
            let hash = hash.ok_or_else(|| StoreError::missing("value", rules))?;
            let first = MemoKey::first_state(ValueHash::from_bytes(hash));
            let query = "SELECT id FROM state WHERE owner = $1 AND memo = $2";
            let found = self.sql.one(query, params![self.owner, &first.as_bytes()[..16]], |row| row.int(0))?;
            states.extend(found.map(StateKey));
        }
        Ok(())
    }

    /// A state needs what it is stored against, down to a keyframe that stands by itself.
    fn below_states(&self, live: &mut Live) -> Result<(), StoreError> {
        let step = "SELECT base, steps FROM state WHERE owner = $1 AND id = $2";
        let frame = "SELECT against FROM keyframe WHERE owner = $1 AND state = $2";
        let mut open: Vec<StateKey> = live.states.iter().copied().collect();
        while let Some(key) = open.pop() {
            let keys = params![self.owner, key];
            let found = self.sql.one(step, keys, |row| Ok((row.maybe_int(0)?, row.int(1)?)))?;
            let Some((base, steps)) = found else { continue };
            let next = match steps {
                0 => self.sql.one(frame, keys, |row| row.maybe_int(0))?.flatten(),
                _ => base,
            };
            open.extend(next.map(StateKey).filter(|next| live.states.insert(*next)));
        }
        Ok(())
    }
}
