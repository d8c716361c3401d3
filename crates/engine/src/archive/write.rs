//! Writes a story as the lines of its archive.
//!
//! Refs are written in the order in which they were created, and each path from its first floor, so
//! that a story that was read from an archive gives the same bytes again.

use std::collections::{HashMap, HashSet};
use std::io;

use storeyline_history::path_states::StateTable as _;
use storeyline_history::{NodeKey, NodeTable as _, PageKey, StateKey, Turn, ValueKey};
use storeyline_state::diff::diff;
use storeyline_state::{StateHash, TextHash, Value, ValueHash, json};
use storeyline_store::{HostBinding, Ref, Story, View};

use super::VERSION;
use super::record::{COUNTED, CursorRecord, Field as _, HostRecord, NodeRecord, RefRecord, StoryRecord};
use crate::error::{EngineError, Result};
use crate::object::object;

type Out<'a> = &'a mut dyn FnMut(&str) -> io::Result<()>;

pub(super) fn write(tx: &View<'_>, story: &Story, out: Out<'_>) -> Result<()> {
    let mut writer = Writer {
        tx,
        out,
        texts: HashSet::new(),
        values: HashSet::new(),
        states: HashSet::new(),
        pages: HashMap::new(),
        nodes: HashMap::new(),
    };
    let semantics = storeyline_history::rules::SEMANTICS.into();
    writer.line(object([("storeyline", "archive".into()), ("version", VERSION.into()), ("semantics", semantics)]))?;
    let mut refs = tx.refs(story.key)?;
    refs.sort_unstable_by_key(|found| found.key);
    writer.story(story, &refs)?;
    for found in &refs {
        writer.one_ref(found, &refs)?;
    }
    let mut cursors = 0;
    for found in &refs {
        for (page, leaf) in tx.cursors(found.key)? {
            cursors += 1;
            let leaf = writer.node(leaf)?.ok_or(EngineError::EmptyPath)?;
            writer.line(CursorRecord { of: found.id, page, leaf }.write())?;
        }
    }
    let Writer { texts, values, states, pages, nodes, .. } = &writer;
    let counts = [texts.len(), values.len(), states.len(), pages.len(), nodes.len(), refs.len(), cursors];
    let counts = object(std::array::from_fn::<_, 7, _>(|index| (COUNTED[index], counts[index].to_value())));
    writer.line(object([("end", counts)]))
}

/// Knows what was written already, and under which numbers.
struct Writer<'a, 'tx> {
    tx: &'a View<'tx>,
    out: Out<'a>,
    texts: HashSet<TextHash>,
    values: HashSet<ValueHash>,
    states: HashSet<StateHash>,
    pages: HashMap<PageKey, usize>,
    nodes: HashMap<NodeKey, usize>,
}

impl Writer<'_, '_> {
    fn line(&mut self, record: Value) -> Result<()> {
        let mut line = json::write(&record);
        line.push('\n');
        (self.out)(&line).map_err(EngineError::Output)
    }

    fn story(&mut self, story: &Story, refs: &[Ref]) -> Result<()> {
        let current = refs.iter().find(|found| Some(found.key) == story.current);
        let record = StoryRecord {
            id: story.id,
            title: story.title.clone(),
            card: story.card.clone(),
            card_rules: self.value(story.card_rules)?,
            choices: self.maybe_value(story.choices)?,
            settings: self.maybe_value(story.settings)?,
            current: current.map(|current| current.id),
            created: story.created,
            trashed: story.trashed,
        };
        self.line(record.write())
    }

    /// Writes a value unless it was written already.
    fn value(&mut self, key: ValueKey) -> Result<ValueHash> {
        let hash = self.tx.value_hash(key)?;
        if self.values.insert(hash) {
            let value = self.tx.value(key)?;
            self.line(object([("value", value)]))?;
        }
        Ok(hash)
    }

    fn maybe_value(&mut self, key: Option<ValueKey>) -> Result<Option<ValueHash>> {
        key.map(|key| self.value(key)).transpose()
    }

    fn one_ref(&mut self, found: &Ref, refs: &[Ref]) -> Result<()> {
        let origin = refs.iter().find(|other| Some(other.key) == found.origin && other.key < found.key);
        let record = RefRecord {
            id: found.id,
            kind: found.kind,
            name: found.name.clone(),
            note: found.note.clone(),
            colour: found.colour.clone(),
            origin: origin.map(|origin| origin.id),
            head: self.maybe_node(found.head)?,
            host: found.host.as_ref().map(|host| self.host(host)).transpose()?,
            header: self.maybe_value(found.header)?,
            updated: found.updated,
            trashed: found.trashed,
        };
        self.line(record.write())
    }

    fn host(&mut self, host: &HostBinding) -> Result<HostRecord> {
        let HostBinding { chat, file, file_owner, reported } = host.clone();
        Ok(HostRecord { chat, file, owner: file_owner, reported: self.maybe_node(reported)? })
    }

    fn maybe_node(&mut self, node: Option<NodeKey>) -> Result<Option<usize>> {
        node.map_or(Ok(None), |node| self.node(node))
    }

    /// Writes the path to a node as far as it is new; returns its number, nothing for the root.
    fn node(&mut self, key: NodeKey) -> Result<Option<usize>> {
        let mut path = Vec::new();
        let mut next = key;
        while !self.nodes.contains_key(&next) {
            let node = self.tx.node(next)?;
            let Some(turn) = node.turn else { break };
            path.push((node.key, node.parent, turn, node.state));
            next = node.parent;
        }
        for (key, parent, turn, state) in path.into_iter().rev() {
            let turn = self.tx.turn(turn)?;
            self.one_node(key, parent, &turn, state.ok_or(EngineError::EmptyPath)?)?;
        }
        Ok(self.nodes.get(&key).copied())
    }

    fn one_node(&mut self, key: NodeKey, parent: NodeKey, turn: &Turn, state: StateKey) -> Result<()> {
        let pages = turn.pages.iter().enumerate().map(|(index, page)| self.page(page.at, index == turn.active));
        let pages = pages.collect::<Result<_>>()?;
        let host = self.maybe_value(turn.host.map(|host| host.at))?;
        let before = match self.tx.node(parent)?.state {
            Some(above) => self.tx.state(above)?,
            None => Value::empty_object(),
        };
        let record = NodeRecord {
            parent: self.nodes.get(&parent).copied(),
            role: turn.role,
            name: turn.name.clone(),
            hidden: turn.hidden,
            active: turn.active,
            pages,
            host,
            state: self.tx.state_hash(state)?,
            ops: diff(&before, &self.tx.state(state)?),
        };
        self.nodes.insert(key, self.nodes.len());
        self.line(record.write())
    }

    /// Writes a version of a page unless it was written already; returns its number.
    fn page(&mut self, at: PageKey, is_active: bool) -> Result<usize> {
        // The state that an active page keeps is that of its node.
        if !is_active && let Some(kept) = self.tx.kept(at)? {
            let hash = self.tx.state_hash(kept)?;
            if self.states.insert(hash) {
                let state = self.tx.state(kept)?;
                self.line(object([("state", state)]))?;
            }
        }
        if let Some(known) = self.pages.get(&at) {
            return Ok(*known);
        }
        let body = self.tx.inputs(at)?.body;
        if !self.values.contains(&body.rules) {
            self.value(self.tx.rules_key(at)?)?;
        }
        if self.texts.insert(body.text) {
            let text = self.tx.page_text(at)?;
            self.line(object([("text", text.to_value())]))?;
        }
        let id = ("page".into(), self.tx.page_id(at)?.to_value());
        let fields = body.to_value();
        let fields = fields.as_object().into_iter().flat_map(|fields| fields.iter());
        let fields = fields.map(|(key, value)| (key.clone(), value.clone()));
        self.line(Value::object([id].into_iter().chain(fields).collect()))?;
        let number = self.pages.len();
        self.pages.insert(at, number);
        Ok(number)
    }
}
