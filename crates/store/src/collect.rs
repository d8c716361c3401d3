//! Collecting what nothing holds any more.
//!
//! Live is every node on the way to a ref (tags and trash included), to either end of an operation in
//! the log, and to a cursor, with all its alternatives. What is live is found here, in the database;
//! nobody outside is asked.

use std::collections::HashSet;

use storeyline_history::path_states::{MemoKey, StateTable};
use storeyline_history::{NodeKey, NodeTable, TurnKey, ValueKey};

use crate::error::StoreError;
use crate::search::Indexing;
use crate::sql::params;
use crate::tx::Tx;

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
    nodes: HashSet<i64>,
    turns: HashSet<i64>,
    pages: HashSet<i64>,
    texts: HashSet<i64>,
    states: HashSet<i64>,
    values: HashSet<i64>,
}

impl Tx<'_> {
    /// Collects; whatever a program remembers of the database is void afterwards.
    pub fn collect(&mut self, expiry: Expiry) -> Result<Collected, StoreError> {
        // What is thrown away is to lie nowhere.
        self.clear_fresh()?;
        let refs = self.drop_trash(expiry.trash_before)?;
        let operations = self.drop_operations(expiry.operations_before)?;
        let live = self.live()?;
        let done = Collected {
            refs,
            operations,
            nodes: self.keep_only("node", "id", &live.nodes)?,
            turns: self.keep_only("turn", "id", &live.turns)?,
            pages: self.keep_only("page", "id", &live.pages)?,
            texts: self.keep_only_texts(&live.texts)?,
            states: self.keep_only("state", "id", &live.states)?,
            values: self.keep_only("value", "id", &live.values)?,
        };
        self.keep_only("keyframe", "state", &live.states)?;
        // A page may have been read in a turn that is gone.
        let sql =
            "UPDATE page SET turn = NULL WHERE owner = $1 AND turn IS NOT NULL AND turn NOT IN (SELECT id FROM turn)";
        self.run(sql, params![self.owner])?;
        self.run("UPDATE generation SET number = number + 1", params![])?;
        self.recent.forget();
        Ok(done)
    }

    fn drop_trash(&mut self, before: i64) -> Result<usize, StoreError> {
        // Whatever was done to a story after it was thrown away brought it back.
        let sql = "SELECT id FROM story s WHERE owner = $1 AND trashed < $2
                   AND NOT EXISTS (SELECT 1 FROM ref r WHERE r.story = s.id AND r.updated > s.trashed)";
        let stories = self.many(sql, params![self.owner, before], |row| row.int(0))?;
        self.run("DELETE FROM foreign_snapshot WHERE owner = $1 AND trashed < $2", params![self.owner, before])?;
        let sql = "SELECT id FROM ref WHERE owner = $1 AND trashed < $2";
        let mut gone = self.many(sql, params![self.owner, before], |row| row.int(0))?;
        for story in stories {
            let sql = "SELECT id FROM ref WHERE owner = $1 AND story = $2";
            gone.extend(self.many(sql, params![self.owner, story], |row| row.int(0))?);
            self.write_named()?;
            self.run("DELETE FROM story WHERE owner = $1 AND id = $2", params![self.owner, story])?;
        }
        gone.sort_unstable();
        gone.dedup();
        for key in &gone {
            self.run("DELETE FROM operation WHERE owner = $1 AND ref = $2", params![self.owner, *key])?;
            self.forget_ref(*key)?;
        }
        Ok(gone.len())
    }

    fn drop_operations(&mut self, before: i64) -> Result<usize, StoreError> {
        // The last one of a ref stays, with what it took back; and the last of all, so that no number comes again.
        let sql = "WITH RECURSIVE held (id) AS (
                       SELECT operation FROM ref WHERE owner = $1 AND operation IS NOT NULL
                       UNION SELECT o.undoes FROM operation o JOIN held h ON o.id = h.id WHERE o.undoes IS NOT NULL
                   )
                   DELETE FROM operation WHERE owner = $1 AND time < $2
                   AND id NOT IN (SELECT id FROM held) AND id <> (SELECT max(id) FROM operation)";
        let gone = self.run(sql, params![self.owner, before])?;
        let sql = "UPDATE operation SET earlier = NULL
                   WHERE owner = $1 AND earlier IS NOT NULL AND earlier NOT IN (SELECT id FROM operation)";
        self.run(sql, params![self.owner])?;
        Ok(gone)
    }

    fn live(&self) -> Result<Live, StoreError> {
        let mut live = Live::default();
        for sql in [
            "SELECT root FROM story WHERE owner = $1",
            "SELECT head FROM ref WHERE owner = $1 AND head IS NOT NULL",
            "SELECT host_node FROM ref WHERE owner = $1 AND host_node IS NOT NULL",
            "SELECT before FROM operation WHERE owner = $1 AND before IS NOT NULL",
            "SELECT after FROM operation WHERE owner = $1 AND after IS NOT NULL",
            "SELECT node FROM cursor WHERE owner = $1",
        ] {
            for head in self.many(sql, params![self.owner], |row| row.int(0))? {
                self.climb(head, &mut live)?;
            }
        }
        for sql in [
            "SELECT rules FROM story WHERE owner = $1",
            "SELECT card_rules FROM story WHERE owner = $1",
            "SELECT choices FROM story WHERE owner = $1 AND choices IS NOT NULL",
            "SELECT settings FROM story WHERE owner = $1 AND settings IS NOT NULL",
            "SELECT header FROM ref WHERE owner = $1 AND header IS NOT NULL",
            "SELECT value FROM keep WHERE owner = $1 AND value IS NOT NULL",
            "SELECT value FROM foreign_snapshot WHERE owner = $1",
        ] {
            live.values.extend(self.many(sql, params![self.owner], |row| row.int(0))?);
        }
        self.rules_in_the_log(&mut live)?;
        self.inside_turns(&mut live)?;
        self.below_states(&mut live)?;
        Ok(live)
    }

    /// Marks the nodes on the way to one, up to where another way was marked.
    fn climb(&self, head: i64, live: &mut Live) -> Result<(), StoreError> {
        let mut key = head;
        while live.nodes.insert(key) {
            let node = self.node(NodeKey(key))?;
            live.turns.extend(node.turn.map(|turn| turn.0));
            live.states.extend(node.state.map(|state| state.0));
            key = node.parent.0;
        }
        Ok(())
    }

    /// An operation that changed the rules names their parts before and after.
    fn rules_in_the_log(&self, live: &mut Live) -> Result<(), StoreError> {
        let mut after = 0;
        loop {
            let operations = self.operations_after(after, 1_000)?;
            let Some(last) = operations.last() else { return Ok(()) };
            after = last.id;
            for operation in &operations {
                let parts = ["before", "after"].into_iter().filter_map(|key| operation.detail.get(key)?.as_list());
                live.values.extend(parts.flatten().filter_map(|part| part.as_number()?.as_i64()));
            }
        }
    }

    fn inside_turns(&self, live: &mut Live) -> Result<(), StoreError> {
        for turn in &live.turns {
            let turn = self.turn(TurnKey(*turn))?;
            live.pages.extend(turn.pages.iter().map(|page| page.at.0));
            live.values.extend(turn.host.map(|host| host.at.0));
        }
        let sql = "SELECT id, text, names, rules, kept FROM page WHERE owner = $1";
        let (pages, texts, values, states) = (&live.pages, &mut live.texts, &mut live.values, &mut live.states);
        let mut rules = HashSet::new();
        self.many(sql, params![self.owner], |row| {
            if pages.contains(&row.int(0)?) {
                texts.insert(row.int(1)?);
                values.extend([row.int(2)?, row.int(3)?]);
                rules.insert(row.int(3)?);
                states.extend(row.maybe_int(4)?);
            }
            Ok(())
        })?;
        for rules in rules {
            let first = MemoKey::first_state(self.value_hash(ValueKey(rules))?);
            states.extend(self.memo(first)?.map(|state| state.0));
        }
        Ok(())
    }

    /// A state needs what it is written against, down to a whole one.
    fn below_states(&self, live: &mut Live) -> Result<(), StoreError> {
        let step = "SELECT base, steps FROM state WHERE id = $1 AND owner = $2";
        let frame = "SELECT against FROM keyframe WHERE state = $1 AND owner = $2";
        let mut open: Vec<i64> = live.states.iter().copied().collect();
        while let Some(key) = open.pop() {
            let found = self.one(step, params![key, self.owner], |row| Ok((row.maybe_int(0)?, row.int(1)?)))?;
            let Some((base, steps)) = found else { continue };
            let next = match steps {
                0 => self.one(frame, params![key, self.owner], |row| row.maybe_int(0))?.flatten(),
                _ => base,
            };
            open.extend(next.filter(|next| live.states.insert(*next)));
        }
        Ok(())
    }

    /// The index for searching holds no text itself: what goes is told to it while it is still there.
    fn keep_only_texts(&mut self, live: &HashSet<i64>) -> Result<usize, StoreError> {
        match self.search {
            Indexing::Off => {}
            Indexing::On => {
                self.each_text(|key, text| match text {
                    Some(text) if !live.contains(&key) => self.unindex_text(key, &text),
                    _ => Ok(()),
                })?;
            }
            // Whoever was building it has not come to an end, and nobody knows how far it is.
            Indexing::Building => self.set_indexing(Indexing::Off)?,
        }
        let texts = "SELECT count(*) FROM text WHERE owner = $1 AND pieces IS NOT NULL";
        let count = |tx: &Self| tx.one(texts, params![tx.owner], |row| row.count(0)).map(Option::unwrap_or_default);
        let before = count(self)?;
        self.keep_only("text", "id", &self.pieces_of(live)?)?;
        Ok(before - count(self)?)
    }

    fn keep_only(&mut self, table: &str, column: &str, live: &HashSet<i64>) -> Result<usize, StoreError> {
        self.run("CREATE TEMPORARY TABLE IF NOT EXISTS live (id INTEGER PRIMARY KEY)", params![])?;
        self.run("DELETE FROM live", params![])?;
        for id in live {
            self.run("INSERT INTO live (id) VALUES ($1)", params![*id])?;
        }
        let sql = format!("DELETE FROM {table} WHERE owner = $1 AND {column} NOT IN (SELECT id FROM live)");
        self.run(&sql, params![self.owner])
    }
}
