//! Collecting what nothing holds any more.
//!
//! Live is every node on the way to a ref (tags and trash included), to either end of an operation in
//! the log, and to a cursor, with all its alternatives. What is live is found here, in the database;
//! nobody outside is asked.

use std::collections::HashSet;

use storeyline_history::path_states::MemoKey;
use storeyline_history::{NodeKey, PageKey, StateKey, TurnKey, ValueKey};
use storeyline_state::ValueHash;

use crate::codec::records::{TurnRecord, intact};
use crate::error::StoreError;
use crate::keys::{OwnerKey, TextKey, own_rows};
use crate::sql::{Sql, params};
use crate::sqlite::Durability;
use crate::sqlite::full_text::{self, Indexing};
use crate::store::{Owner, Store};
use crate::tables::owners::OwnerRow;
use crate::tables::pages::Use;
use crate::tables::{nodes, operations, owners, pages, stories, texts};

/// What may go besides that which nothing holds.
#[derive(Debug, Clone, Copy)]
pub struct Expiry {
    /// Refs that were thrown away before this time go for good.
    pub trash_before: i64,
    /// Operations before this time can no longer be undone; the last one of a ref always stays.
    pub operations_before: i64,
}

/// How many rows went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Collected {
    /// Refs from the trash.
    pub refs: usize,
    /// Operations.
    pub operations: usize,
    /// Nodes.
    pub nodes: usize,
    /// Turns.
    pub turns: usize,
    /// Versions of pages.
    pub pages: usize,
    /// Texts.
    pub texts: usize,
    /// Evaluations and their states.
    pub states: usize,
    /// Host fields, rules, headers.
    pub values: usize,
}

/// What is live, by table.
#[derive(Default)]
struct Live {
    nodes: HashSet<NodeKey>,
    turns: HashSet<TurnKey>,
    pages: HashSet<PageKey>,
    texts: HashSet<TextKey>,
    states: HashSet<StateKey>,
    values: HashSet<ValueKey>,
}

impl Store {
    /// Deletes what is not live any more.
    pub fn collect(&self, owner: &Owner, expiry: Expiry) -> Result<Collected, StoreError> {
        let collected = self.database.write(Durability::Full, |sql| collect(sql, owner, expiry));
        self.cache.clear();
        collected
    }

    /// Tells what [`Store::collect`] would delete.
    pub fn collectable(&self, owner: &Owner, expiry: Expiry) -> Result<Collected, StoreError> {
        self.database.roll_back(|sql| collect(sql, owner, expiry))
    }
}

fn collect(sql: &dyn Sql, owner: &Owner, expiry: Expiry) -> Result<Collected, StoreError> {
    let Some(row) = owners::find(sql, owner)? else { return Ok(Collected::default()) };
    let change_seq = owners::last_change(sql, row.key)?;
    owners::put(sql, owner, &OwnerRow { change_seq, ..row })?;
    let owner = row.key;
    let collector = Collector { sql, owner };
    let refs = collector.drop_trash(expiry.trash_before)?;
    let operations = collector.drop_operations(expiry.operations_before)?;
    let live = collector.live()?;
    collector.unindex(&live.texts)?;
    let ids = |keys: &mut dyn Iterator<Item = i64>| keys.collect::<HashSet<i64>>();
    let states = ids(&mut live.states.iter().map(|key| key.0));
    let done = Collected {
        refs,
        operations,
        nodes: collector.delete_others("node", &ids(&mut live.nodes.iter().map(|key| key.0)))?,
        turns: collector.delete_others("turn", &ids(&mut live.turns.iter().map(|key| key.0)))?,
        pages: collector.delete_others("page", &ids(&mut live.pages.iter().map(|key| key.0)))?,
        texts: collector.delete_others("text", &ids(&mut live.texts.iter().map(|key| key.0)))?,
        states: collector.delete_others("state", &states)?,
        values: collector.delete_others("value", &ids(&mut live.values.iter().map(|key| key.0)))?,
    };
    collector.delete_other_keyframes(&states)?;
    collector.forget_turns(&live)?;
    // A change under way may count on a row that nothing pointed to.
    stories::touch(sql, owner)?;
    Ok(done)
}

struct Collector<'a> {
    sql: &'a dyn Sql,
    owner: OwnerKey,
}

impl Collector<'_> {
    fn ids(&self, query: &str) -> Result<Vec<i64>, StoreError> {
        self.sql.many(query, params![self.owner], |row| row.int(0))
    }

    fn drop_trash(&self, before: i64) -> Result<usize, StoreError> {
        let (sql, owner) = (self.sql, self.owner);
        // Whatever was done to a story after it was thrown away brought it back.
        let query = "SELECT id FROM story s WHERE owner = $1 AND trashed < $2 AND NOT EXISTS (
                         SELECT 1 FROM ref r WHERE r.owner = s.owner AND r.story = s.id AND r.updated > s.trashed)";
        let stories = sql.many(query, params![owner, before], |row| row.int(0))?;
        sql.run("DELETE FROM foreign_snapshot WHERE owner = $1 AND trashed < $2", params![owner, before])?;
        let query = "SELECT id FROM ref WHERE owner = $1 AND trashed < $2";
        let mut gone = sql.many(query, params![owner, before], |row| row.int(0))?;
        for story in stories {
            let query = "SELECT id FROM ref WHERE owner = $1 AND story = $2";
            gone.extend(sql.many(query, params![owner, story], |row| row.int(0))?);
            sql.run("DELETE FROM story WHERE owner = $1 AND id = $2", params![owner, story])?;
        }
        gone.sort_unstable();
        gone.dedup();
        for key in &gone {
            for table in ["operation", "cursor"] {
                sql.run(&format!("DELETE FROM {table} WHERE owner = $1 AND ref = $2"), params![owner, *key])?;
            }
            sql.run("DELETE FROM ref WHERE owner = $1 AND id = $2", params![owner, *key])?;
        }
        Ok(gone.len())
    }

    /// Drops old operations. The last one of each ref stays, with what it took back.
    fn drop_operations(&self, before: i64) -> Result<usize, StoreError> {
        let query = "WITH RECURSIVE held (ref, number) AS (
                         SELECT id, operation FROM ref WHERE owner = $1
                         UNION SELECT o.ref, o.undoes FROM operation o JOIN held h
                         ON o.owner = $1 AND o.ref = h.ref AND o.number = h.number WHERE o.undoes IS NOT NULL
                     )
                     DELETE FROM operation WHERE owner = $1 AND time < $2 AND NOT EXISTS (
                         SELECT 1 FROM held h WHERE h.ref = operation.ref AND h.number = operation.number)";
        self.sql.run(query, params![self.owner, before])
    }

    fn live(&self) -> Result<Live, StoreError> {
        let mut live = Live::default();
        for query in [
            "SELECT root FROM story WHERE owner = $1",
            "SELECT head FROM ref WHERE owner = $1 AND head IS NOT NULL",
            "SELECT host_node FROM ref WHERE owner = $1 AND host_node IS NOT NULL",
            "SELECT before FROM operation WHERE owner = $1 AND before IS NOT NULL",
            "SELECT after FROM operation WHERE owner = $1 AND after IS NOT NULL",
            "SELECT node FROM cursor WHERE owner = $1",
        ] {
            for head in self.ids(query)? {
                self.climb(NodeKey(head), &mut live)?;
            }
        }
        for query in [
            "SELECT rules FROM story WHERE owner = $1",
            "SELECT card_rules FROM story WHERE owner = $1",
            "SELECT choices FROM story WHERE owner = $1 AND choices IS NOT NULL",
            "SELECT settings FROM story WHERE owner = $1 AND settings IS NOT NULL",
            "SELECT header FROM ref WHERE owner = $1 AND header IS NOT NULL",
            "SELECT value FROM asset WHERE owner = $1 AND value IS NOT NULL",
            "SELECT value FROM foreign_snapshot WHERE owner = $1",
        ] {
            live.values.extend(self.ids(query)?.into_iter().map(ValueKey));
        }
        operations::each_detail(self.sql, self.owner, |detail| live.values.extend(detail.values()))?;
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

    /// The index for searching holds no text itself: a text is taken out while it is still there.
    fn unindex(&self, live: &HashSet<TextKey>) -> Result<(), StoreError> {
        match full_text::indexing(self.sql)? {
            Indexing::Off => Ok(()),
            // An interrupted build: nobody knows how far it got.
            Indexing::Building => full_text::set_indexing(self.sql, Indexing::Off),
            Indexing::On => {
                let rest = concat!(own_rows!(), " ORDER BY id");
                texts::each(self.sql, rest, params![self.owner], &mut |key, text| match text {
                    Some(text) if !live.contains(&key) => full_text::remove(self.sql, key, &text),
                    _ => Ok(()),
                })
            }
        }
    }

    fn delete_others(&self, table: &str, live: &HashSet<i64>) -> Result<usize, StoreError> {
        let all = self.ids(&format!(concat!("SELECT id FROM {} WHERE ", own_rows!()), table))?;
        self.delete(all, live, &format!("DELETE FROM {table} WHERE owner = $1 AND id = $2"))
    }

    fn delete_other_keyframes(&self, live: &HashSet<i64>) -> Result<usize, StoreError> {
        let all = self.ids("SELECT DISTINCT state FROM keyframe WHERE owner = $1")?;
        self.delete(all, live, "DELETE FROM keyframe WHERE owner = $1 AND state = $2")
    }

    fn delete(&self, all: Vec<i64>, live: &HashSet<i64>, delete: &str) -> Result<usize, StoreError> {
        let dead = all.into_iter().filter(|id| !live.contains(id));
        dead.map(|id| self.sql.run(delete, params![self.owner, id])).sum()
    }

    /// A page may have been active in a turn that is gone.
    fn forget_turns(&self, live: &Live) -> Result<(), StoreError> {
        let query = concat!("SELECT id, turn FROM page WHERE ", own_rows!(), " AND turn IS NOT NULL");
        let pages =
            self.sql.many(query, params![self.owner], |row| Ok((PageKey(row.int(0)?), TurnKey(row.int(1)?))))?;
        let mut gone = pages.into_iter().filter(|(_, turn)| !live.turns.contains(turn));
        gone.try_for_each(|(page, _)| pages::set_use(self.sql, self.owner, page, Use::default()))
    }
}
