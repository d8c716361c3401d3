//! A story → the lines of its archive.
//!
//! Refs come in the order in which they were made and nodes from the top, so that a story which was
//! read from an archive gives the same bytes again.

use std::collections::{HashMap, HashSet};
use std::io;

use storeyline_history::path_states::StateTable as _;
use storeyline_history::{Body, NodeKey, NodeTable as _, PageKey, Turn, ValueKey};
use storeyline_state::diff::diff;
use storeyline_state::{Change, Object, Op, StateHash, TextHash, Value, ValueHash, json, op};
use storeyline_store::{HostBinding, Ref, Story, View};

use super::VERSION;
use crate::error::{EngineError, Result};

type Out<'a> = &'a mut dyn FnMut(&str) -> io::Result<()>;

pub(super) fn write(tx: &View<'_>, story: &Story, out: Out<'_>) -> Result<()> {
    let mut writer = Writer::new(tx, out);
    let head = [
        ("storeyline", Value::text("archive")),
        ("version", VERSION.into()),
        ("semantics", storeyline_history::rules::SEMANTICS.into()),
    ];
    writer.line(object(head))?;
    let mut refs = tx.refs(story.key)?;
    refs.sort_unstable_by_key(|found| found.key);
    writer.story(story, &refs)?;
    for found in &refs {
        writer.one_ref(found, &refs)?;
    }
    for found in &refs {
        for (page, leaf) in tx.cursors(found.key)? {
            writer.cursor(found, page, leaf)?;
        }
    }
    writer.end()
}

struct Writer<'a, 'tx> {
    tx: &'a View<'tx>,
    out: Out<'a>,
    texts: HashSet<TextHash>,
    values: HashSet<ValueHash>,
    states: HashSet<StateHash>,
    pages: HashMap<PageKey, usize>,
    nodes: HashMap<NodeKey, usize>,
    refs: usize,
    cursors: usize,
}

impl<'a, 'tx> Writer<'a, 'tx> {
    fn new(tx: &'a View<'tx>, out: Out<'a>) -> Self {
        Writer {
            tx,
            out,
            texts: HashSet::new(),
            values: HashSet::new(),
            states: HashSet::new(),
            pages: HashMap::new(),
            nodes: HashMap::new(),
            refs: 0,
            cursors: 0,
        }
    }

    fn line(&mut self, record: Value) -> Result<()> {
        let mut line = json::write(&record);
        line.push('\n');
        (self.out)(&line).map_err(EngineError::Output)
    }

    fn story(&mut self, story: &Story, refs: &[Ref]) -> Result<()> {
        let card_rules = self.value(story.card_rules)?;
        let choices = self.maybe_value(story.choices)?;
        let settings = self.maybe_value(story.settings)?;
        let current = refs.iter().find(|found| Some(found.key) == story.current);
        self.line(object([
            ("story", Value::text(story.id.to_string())),
            ("title", Value::text(&story.title)),
            ("card", Value::text(&story.card)),
            ("card_rules", card_rules),
            ("choices", choices),
            ("settings", settings),
            ("current", current.map_or(Value::Null, |current| Value::text(current.id.to_string()))),
            ("created", story.created.into()),
            ("trashed", story.trashed.map_or(Value::Null, Value::from)),
        ]))
    }

    /// Writes a value unless it stands there already; returns its name.
    fn value(&mut self, key: ValueKey) -> Result<Value> {
        let hash = self.tx.value_hash(key)?;
        if self.values.insert(hash) {
            let value = self.tx.value(key)?;
            self.line(object([("value", value)]))?;
        }
        Ok(Value::text(hash.to_string()))
    }

    fn maybe_value(&mut self, key: Option<ValueKey>) -> Result<Value> {
        key.map_or(Ok(Value::Null), |key| self.value(key))
    }

    fn one_ref(&mut self, found: &Ref, refs: &[Ref]) -> Result<()> {
        let head = self.maybe_node(found.head)?;
        let host = match &found.host {
            Some(host) => self.host(host)?,
            None => Value::Null,
        };
        let header = self.maybe_value(found.header)?;
        let origin = refs.iter().find(|other| Some(other.key) == found.origin && other.key < found.key);
        self.refs += 1;
        self.line(object([
            ("ref", Value::text(found.id.to_string())),
            ("kind", found.kind.as_str().into()),
            ("name", Value::text(&found.name)),
            ("note", Value::text(&found.note)),
            ("colour", Value::text(&found.colour)),
            ("origin", origin.map_or(Value::Null, |origin| Value::text(origin.id.to_string()))),
            ("head", head),
            ("host", host),
            ("header", header),
            ("updated", found.updated.into()),
            ("trashed", found.trashed.map_or(Value::Null, Value::from)),
        ]))
    }

    fn host(&mut self, host: &HostBinding) -> Result<Value> {
        let reported = self.maybe_node(host.reported)?;
        Ok(object([
            ("chat", Value::text(host.chat.to_string())),
            ("file", Value::text(&host.file)),
            ("owner", Value::text(&host.file_owner)),
            ("reported", reported),
        ]))
    }

    fn cursor(&mut self, of: &Ref, page: storeyline_state::PageId, leaf: NodeKey) -> Result<()> {
        let leaf = self.node(leaf)?;
        self.cursors += 1;
        self.line(object([
            ("cursor", Value::text(of.id.to_string())),
            ("page", Value::text(page.to_string())),
            ("leaf", leaf),
        ]))
    }

    fn maybe_node(&mut self, node: Option<NodeKey>) -> Result<Value> {
        node.map_or(Ok(Value::Null), |node| self.node(node))
    }

    /// Writes the way to a node as far as it is new; returns its number, nothing for the root.
    fn node(&mut self, key: NodeKey) -> Result<Value> {
        let mut way = Vec::new();
        let mut next = key;
        while !self.nodes.contains_key(&next) {
            let node = self.tx.node(next)?;
            let Some(turn) = node.turn else { break };
            way.push((node.key, node.parent, turn, node.state));
            next = node.parent;
        }
        for (key, parent, turn, state) in way.into_iter().rev() {
            let turn = self.tx.turn(turn)?;
            let state = state.ok_or(EngineError::EmptyPath)?;
            self.one_node(key, parent, &turn, state)?;
        }
        Ok(self.number(key))
    }

    fn number(&self, node: NodeKey) -> Value {
        self.nodes.get(&node).map_or(Value::Null, |number| Value::from(*number as i64))
    }

    fn one_node(
        &mut self,
        key: NodeKey,
        parent: NodeKey,
        turn: &Turn,
        state: storeyline_history::StateKey,
    ) -> Result<()> {
        let mut pages = Vec::with_capacity(turn.pages.len());
        for (index, page) in turn.pages.iter().enumerate() {
            pages.push(self.page(page.at, index == turn.active)?);
        }
        let host = self.maybe_value(turn.host.map(|host| host.at))?;
        let before = match self.tx.node(parent)?.state {
            Some(above) => self.tx.state(above)?,
            None => Value::empty_object(),
        };
        let ops = diff(&before, &self.tx.state(state)?);
        let record = object([
            ("node", self.number(parent)),
            ("role", turn.role.as_str().into()),
            ("name", Value::text(&turn.name)),
            ("hidden", turn.hidden.into()),
            ("active", Value::from(turn.active as i64)),
            ("pages", Value::list(pages)),
            ("host", host),
            ("state", Value::text(self.tx.state_hash(state)?.to_string())),
            ("ops", Value::list(ops.iter().map(op_to_value).collect())),
        ]);
        self.nodes.insert(key, self.nodes.len());
        self.line(record)
    }

    /// Writes a version of a page unless it stands there already; returns its number.
    fn page(&mut self, at: PageKey, is_read: bool) -> Result<Value> {
        let known = self.pages.get(&at).copied();
        // The state that a page keeps is that of its node where it is read.
        if !is_read && let Some(kept) = self.tx.kept(at)? {
            let hash = self.tx.state_hash(kept)?;
            if self.states.insert(hash) {
                let state = self.tx.state(kept)?;
                self.line(object([("state", state)]))?;
            }
        }
        if let Some(known) = known {
            return Ok(Value::from(known as i64));
        }
        let body = self.tx.inputs(at)?.body;
        self.rules_of(at, &body)?;
        if self.texts.insert(body.text) {
            let text = self.tx.page_text(at)?;
            self.line(object([("text", Value::text(text))]))?;
        }
        let id = self.tx.page_id(at)?;
        let mut record: Object = [("page".into(), Value::text(id.to_string()))].into_iter().collect();
        if let Value::Object(fields) = body.to_value() {
            fields.iter().for_each(|(key, value)| record.insert(key.clone(), value.clone()));
        }
        self.line(Value::object(record))?;
        let number = self.pages.len();
        self.pages.insert(at, number);
        Ok(Value::from(number as i64))
    }

    fn rules_of(&mut self, at: PageKey, body: &Body) -> Result<()> {
        if !self.values.contains(&body.rules) {
            let key = self.tx.rules_key(at)?;
            self.value(key)?;
        }
        Ok(())
    }

    fn end(&mut self) -> Result<()> {
        let count = |count: usize| Value::from(count as i64);
        let counts = object([
            ("text", count(self.texts.len())),
            ("value", count(self.values.len())),
            ("state", count(self.states.len())),
            ("page", count(self.pages.len())),
            ("node", count(self.nodes.len())),
            ("ref", count(self.refs)),
            ("cursor", count(self.cursors)),
        ]);
        self.line(object([("end", counts)]))
    }
}

fn object<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::object(entries.into_iter().map(|(key, value)| (key.into(), value)).collect::<Object>())
}

/// An op without what was there before: that stands in the state above.
fn op_to_value(change: &Op) -> Value {
    let path = Value::list(change.path.iter().map(op::step_to_value).collect());
    let at = |at: usize| Value::from(at as i64);
    Value::list(match &change.change {
        Change::Set { new, .. } => vec!["set".into(), path, new.clone()],
        Change::Insert { new, at: place } => vec!["insert".into(), path, new.clone(), at(*place)],
        Change::Remove { at: place, .. } => vec!["remove".into(), path, at(*place)],
    })
}
