//! Collecting what nothing holds any more.
//!
//! Live is every node on the way to a ref (tags and trash included), to either end of an operation in
//! the log, and to a cursor, with all its alternatives. What is live is found here, in the database;
//! nobody outside is asked.

mod live;

use std::collections::{HashMap, HashSet};

use storeyline_history::{NodeKey, PageKey, StateKey, TurnKey, ValueKey};

use crate::error::StoreError;
use crate::keys::{OwnerKey, TextKey, own_rows};
use crate::sql::{Sql, params};
use crate::sqlite::Durability;
use crate::sqlite::full_text::{self, Indexing};
use crate::store::{Owner, Store};
use crate::tables::owners::OwnerRow;
use crate::tables::pages::Use;
use crate::tables::{owners, pages, stories, texts};

use live::Live;

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
    /// Whether more could go, which the owner's own writing prevented.
    pub is_unfinished: bool,
}

/// How often what is live is computed anew because the owner wrote meanwhile.
const TRIES: usize = 4;

/// How many rows one transaction deletes.
const BATCH: usize = 2_000;

impl Store {
    /// Deletes what is not live any more.
    ///
    /// What is live is found in a snapshot while others write; rows are deleted in short steps, each of which first
    /// checks that the owner has written nothing since. What an owner who writes all the time leaves stays until the
    /// next time: nobody waits for a collection.
    pub fn collect(&self, owner: &Owner, expiry: Expiry) -> Result<Collected, StoreError> {
        let collected = self.collect_rows(owner, expiry);
        self.cache.clear();
        collected
    }

    /// Tells what [`Store::collect`] would delete. Writes nothing.
    pub fn collectable(&self, owner: &Owner, expiry: Expiry) -> Result<Collected, StoreError> {
        let transaction = self.database.begin_read()?;
        let Some(row) = owners::find(&transaction, owner)? else { return Ok(Collected::default()) };
        let collector = Collector { sql: &transaction, owner: row.key, expired: Some(expiry) };
        let (refs, operations) = collector.count_expired()?;
        let dead = collector.dead(&collector.live()?)?;
        Ok(Collected { refs, operations, ..dead.counts() })
    }

    fn collect_rows(&self, owner: &Owner, expiry: Expiry) -> Result<Collected, StoreError> {
        let dropped = self.database.write(Durability::Full, |sql| drop_expired(sql, owner, expiry))?;
        let Some((key, dropped)) = dropped else { return Ok(Collected::default()) };
        let mut done = dropped;
        for _ in 0..TRIES {
            let transaction = self.database.begin_read()?;
            let collector = Collector { sql: &transaction, owner: key, expired: None };
            let generation = collector.generation()?;
            let live = collector.live()?;
            let dead = collector.dead(&live)?;
            drop(transaction);
            if self.delete_in_steps(key, &dead, &live, generation, &mut done)? {
                return Ok(done);
            }
        }
        Ok(Collected { is_unfinished: true, ..done })
    }

    /// Deletes rows as long as nothing is written in between; returns whether all are gone.
    fn delete_in_steps(
        &self,
        owner: OwnerKey,
        dead: &Dead,
        live: &Live,
        mut generation: Generation,
        done: &mut Collected,
    ) -> Result<bool, StoreError> {
        let mut steps = dead.rows.chunks(BATCH).peekable();
        if steps.peek().is_none() {
            return Ok(true);
        }
        let mut is_first = true;
        for step in steps {
            let deleted = self.database.write(Durability::Full, |sql| {
                let collector = Collector { sql, owner, expired: None };
                if collector.generation()? != generation {
                    return Ok::<_, StoreError>(None);
                }
                if is_first {
                    collector.forget_turns(live)?;
                }
                let mut deleted = Collected::default();
                step.iter().try_for_each(|row| collector.delete_row(row, &mut deleted))?;
                // A change under way may count on a row that nothing pointed to.
                stories::touch(sql, owner)?;
                Ok(Some((deleted, collector.generation()?)))
            })?;
            let Some((deleted, next)) = deleted else { return Ok(false) };
            done.add(deleted);
            generation = next;
            is_first = false;
        }
        Ok(true)
    }
}

/// Drops what has expired; returns the owner and how much went.
fn drop_expired(sql: &dyn Sql, owner: &Owner, expiry: Expiry) -> Result<Option<(OwnerKey, Collected)>, StoreError> {
    let Some(row) = owners::find(sql, owner)? else { return Ok(None) };
    let change_seq = owners::last_change(sql, row.key)?;
    let key = row.key;
    owners::put(sql, owner, &OwnerRow { change_seq, ..row })?;
    let collector = Collector { sql, owner: key, expired: None };
    let refs = collector.drop_trash(expiry.trash_before)?;
    let operations = collector.drop_operations(expiry.operations_before)?;
    stories::touch(sql, key)?;
    collector.stop_unfinished_index()?;
    Ok(Some((key, Collected { refs, operations, ..Collected::default() })))
}

/// Changes whenever the owner writes something.
type Generation = Vec<i64>;

/// The rows that go, those that refer to others first: a program that is killed in between leaves no row that
/// leads to nothing.
#[derive(Default)]
struct Dead {
    rows: Vec<(Kind, i64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Node,
    Turn,
    Page,
    Text,
    State,
    Keyframe,
    Value,
}

impl Kind {
    fn counted(self, collected: &mut Collected) -> Option<&mut usize> {
        Some(match self {
            Kind::Node => &mut collected.nodes,
            Kind::Turn => &mut collected.turns,
            Kind::Page => &mut collected.pages,
            Kind::Text => &mut collected.texts,
            Kind::State => &mut collected.states,
            Kind::Value => &mut collected.values,
            Kind::Keyframe => return None,
        })
    }

    /// Returns its table and the column of its id.
    fn table(self) -> (&'static str, &'static str) {
        match self {
            Kind::Node => ("node", "id"),
            Kind::Turn => ("turn", "id"),
            Kind::Page => ("page", "id"),
            Kind::Text => ("text", "id"),
            Kind::State => ("state", "id"),
            Kind::Keyframe => ("keyframe", "state"),
            Kind::Value => ("value", "id"),
        }
    }
}

impl Dead {
    fn counts(&self) -> Collected {
        let mut counts = Collected::default();
        for (kind, _) in &self.rows {
            kind.counted(&mut counts).into_iter().for_each(|count| *count += 1);
        }
        counts
    }
}

impl Collected {
    fn add(&mut self, other: Collected) {
        self.refs += other.refs;
        self.operations += other.operations;
        self.nodes += other.nodes;
        self.turns += other.turns;
        self.pages += other.pages;
        self.texts += other.texts;
        self.states += other.states;
        self.values += other.values;
    }
}

struct Collector<'a> {
    sql: &'a dyn Sql,
    owner: OwnerKey,
    /// For a dry run: what counts as gone already.
    expired: Option<Expiry>,
}

/// What counts as gone in a dry run.
#[derive(Default)]
struct Expired {
    stories: HashSet<i64>,
    refs: HashSet<i64>,
    /// By ref and number.
    operations: HashSet<(i64, i64)>,
}

impl Expired {
    /// Tells whether a ref, an operation of it, or a story (whose id is given as a negative number) is gone.
    fn contains(&self, of: i64, number: i64) -> bool {
        self.refs.contains(&of) || self.stories.contains(&-of) || self.operations.contains(&(of, number))
    }
}

/// Stories that were thrown away before `$2`. Whatever was done to a story after that brought it back.
const EXPIRED_STORIES: &str = "SELECT id FROM story s WHERE owner = $1 AND trashed < $2 AND NOT EXISTS (
    SELECT 1 FROM ref r WHERE r.owner = s.owner AND r.story = s.id AND r.updated > s.trashed)";

/// Operations that the last one of a ref needs, with what it took back.
const HELD: &str = "WITH RECURSIVE held (ref, number) AS (
    SELECT id, operation FROM ref WHERE owner = $1
    UNION SELECT o.ref, o.undoes FROM operation o JOIN held h
    ON o.owner = $1 AND o.ref = h.ref AND o.number = h.number WHERE o.undoes IS NOT NULL)";

impl Collector<'_> {
    fn ids(&self, query: &str) -> Result<Vec<i64>, StoreError> {
        self.sql.many(query, params![self.owner], |row| row.int(0))
    }

    fn drop_trash(&self, before: i64) -> Result<usize, StoreError> {
        let (sql, owner) = (self.sql, self.owner);
        let stories = sql.many(EXPIRED_STORIES, params![owner, before], |row| row.int(0))?;
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
        let query = format!(
            "{HELD} DELETE FROM operation WHERE owner = $1 AND time < $2 AND NOT EXISTS (
                 SELECT 1 FROM held h WHERE h.ref = operation.ref AND h.number = operation.number)"
        );
        self.sql.run(&query, params![self.owner, before])
    }

    /// Returns the refs and operations that have expired, without those of refs that have.
    fn expired(&self) -> Result<Expired, StoreError> {
        let Some(expiry) = self.expired else { return Ok(Expired::default()) };
        let trashed = params![self.owner, expiry.trash_before];
        let query = format!("SELECT id FROM ref WHERE owner = $1 AND (trashed < $2 OR story IN ({EXPIRED_STORIES}))");
        let refs: HashSet<i64> = self.sql.many(&query, trashed, |row| row.int(0))?.into_iter().collect();
        let stories = self.sql.many(EXPIRED_STORIES, trashed, |row| row.int(0))?.into_iter().collect();
        let query = format!(
            "{HELD} SELECT ref, number FROM operation WHERE owner = $1 AND time < $2 AND NOT EXISTS (
                 SELECT 1 FROM held h WHERE h.ref = operation.ref AND h.number = operation.number)"
        );
        let times = params![self.owner, expiry.operations_before];
        let operations = self.sql.many(&query, times, |row| Ok((row.int(0)?, row.int(1)?)))?;
        Ok(Expired { stories, refs, operations: operations.into_iter().collect() })
    }

    fn count_expired(&self) -> Result<(usize, usize), StoreError> {
        let Expired { refs, operations, .. } = self.expired()?;
        let left = operations.iter().filter(|(of, _)| !refs.contains(of)).count();
        Ok((refs.len(), left))
    }

    /// Returns numbers of which one changes whenever the owner writes something.
    fn generation(&self) -> Result<Generation, StoreError> {
        let mut all = Vec::new();
        for query in [
            "SELECT node, state, other, change_seq FROM owner WHERE id = $1",
            "SELECT coalesce(sum(version), 0), count(*), 0, 0 FROM story WHERE owner = $1",
            "SELECT coalesce(sum(version), 0), count(*), 0, 0 FROM ref WHERE owner = $1",
            "SELECT coalesce(max(seq), 0), 0, 0, 0 FROM operation WHERE owner = $1",
            "SELECT count(*), coalesce(sum(version), 0), 0, 0 FROM asset WHERE owner = $1",
            "SELECT count(*), coalesce(sum(value), 0), coalesce(sum(trashed), 0), 0 FROM foreign_snapshot WHERE owner = $1",
            concat!("SELECT count(*), count(state), max(id), 0 FROM node WHERE ", own_rows!()),
            concat!("SELECT count(*), max(id), 0, 0 FROM state WHERE ", own_rows!()),
            concat!("SELECT count(*), max(id), 0, 0 FROM page WHERE ", own_rows!()),
            concat!("SELECT count(*), max(id), 0, 0 FROM value WHERE ", own_rows!()),
        ] {
            let row = self.sql.one(query, params![self.owner], |row| {
                (0..4).map(|column| Ok(row.maybe_int(column)?.unwrap_or(0))).collect::<Result<Vec<_>, _>>()
            })?;
            all.extend(row.into_iter().flatten());
        }
        Ok(all)
    }

    /// Lists what is not live.
    fn dead(&self, live: &Live) -> Result<Dead, StoreError> {
        let mut dead = Dead::default();
        let query = concat!("SELECT id FROM node WHERE ", own_rows!(), " ORDER BY depth DESC");
        let nodes = self.ids(query)?.into_iter().filter(|id| !live.nodes.contains(&NodeKey(*id)));
        dead.rows.extend(nodes.map(|id| (Kind::Node, id)));
        let turns: HashSet<i64> = live.turns.iter().map(|key| key.0).collect();
        let pages: HashSet<i64> = live.pages.iter().map(|key| key.0).collect();
        let texts: HashSet<i64> = live.texts.iter().map(|key| key.0).collect();
        for (kind, live) in [(Kind::Turn, turns), (Kind::Page, pages), (Kind::Text, texts)] {
            let all = self.ids(&format!(concat!("SELECT id FROM {} WHERE ", own_rows!()), kind.table().0))?;
            dead.rows.extend(all.into_iter().filter(|id| !live.contains(id)).map(|id| (kind, id)));
        }
        for state in self.dead_states(live)? {
            dead.rows.extend([(Kind::State, state), (Kind::Keyframe, state)]);
        }
        let values = self.ids(concat!("SELECT id FROM value WHERE ", own_rows!()))?.into_iter();
        dead.rows.extend(values.filter(|id| !live.values.contains(&ValueKey(*id))).map(|id| (Kind::Value, id)));
        Ok(dead)
    }

    /// Lists states that are not live, each before the one that it is stored against.
    fn dead_states(&self, live: &Live) -> Result<Vec<i64>, StoreError> {
        let query = concat!("SELECT id, base FROM state WHERE ", own_rows!());
        let all = self.sql.many(query, params![self.owner], |row| Ok((row.int(0)?, row.maybe_int(1)?)))?;
        let bases: HashMap<i64, Option<i64>> =
            all.into_iter().filter(|(id, _)| !live.states.contains(&StateKey(*id))).collect();
        let mut followers: HashMap<i64, usize> = HashMap::new();
        for base in bases.values().flatten() {
            *followers.entry(*base).or_default() += 1;
        }
        let mut open: Vec<i64> = bases.keys().filter(|id| !followers.contains_key(id)).copied().collect();
        let mut order = Vec::with_capacity(bases.len());
        while let Some(id) = open.pop() {
            order.push(id);
            if let Some(base) = bases[&id].filter(|base| bases.contains_key(base))
                && let Some(left) = followers.get_mut(&base)
            {
                *left -= 1;
                if *left == 0 {
                    open.push(base);
                }
            }
        }
        // Those in a damaged ring have no first one.
        let ordered: HashSet<i64> = order.iter().copied().collect();
        order.extend(bases.keys().filter(|id| !ordered.contains(id)));
        Ok(order)
    }

    fn delete_row(&self, (kind, id): &(Kind, i64), done: &mut Collected) -> Result<(), StoreError> {
        if *kind == Kind::Text {
            self.unindex(TextKey(*id))?;
        }
        let (table, column) = kind.table();
        let rows = self
            .sql
            .run(&format!("DELETE FROM {table} WHERE owner = $1 AND {column} = $2"), params![self.owner, *id])?;
        kind.counted(done).into_iter().for_each(|count| *count += rows);
        Ok(())
    }

    /// An interrupted build of the index: nobody knows how far it got.
    fn stop_unfinished_index(&self) -> Result<(), StoreError> {
        match full_text::indexing(self.sql)? {
            Indexing::Building => full_text::set_indexing(self.sql, Indexing::Off),
            Indexing::On | Indexing::Off => Ok(()),
        }
    }

    /// The index for searching holds no text itself: a text is taken out while it is still there.
    fn unindex(&self, key: TextKey) -> Result<(), StoreError> {
        if full_text::indexing(self.sql)? != Indexing::On {
            return Ok(());
        }
        texts::each(self.sql, "owner = $1 AND id = $2", params![self.owner, key], &mut |key, text| match text {
            Some(text) => full_text::remove(self.sql, key, &text),
            None => Ok(()),
        })
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
