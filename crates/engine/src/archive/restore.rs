//! Stores the records of an archive as a story.
//!
//! States are computed as for any other page, and compared with those of the archive. Where a state
//! cannot be computed here (other semantics, functions that were not allowed) the page keeps the state
//! of the archive, as under the edit policy `manual`, and is stale.

use std::collections::{BTreeMap, HashMap, HashSet};

use storeyline_functions::Library;
use storeyline_history::node::put_path;
use storeyline_history::path_states::{StateTable as _, fill_states};
use storeyline_history::rules::SEMANTICS;
use storeyline_history::{
    Body, Choices, HostFields, Listed, NodeKey, NodeTable as _, Rules, StateKey, Turn, TurnPage, ValueKey,
};
use storeyline_state::{PageId, RefId, StateHash, StoryId, Value, ValueHash, json};
use storeyline_store::{Draft, HostBinding, NewStory, OperationKind, PageText, Ref, Story};

use super::problem::ArchiveProblem;
use super::read::Archive;
use super::record::{NodeRecord, RefRecord, StoryRecord};
use super::{ArchiveImported, ArchiveOptions};
use crate::branch::{self, Note};
use crate::chats::new_ref;
use crate::clock_and_random::random_bytes;
use crate::error::{EngineError, Result};
use crate::rules::composed;

/// The client in the log.
const CLIENT: &str = "import";

/// The states that are built from ops may together be so many times as large as the file.
const MAX_GROWTH: usize = 128;

/// The states of a small file may together have this size, in bytes.
const MIN_BUDGET: usize = 64_000_000;

pub(super) fn restore(
    tx: &mut Draft<'_>,
    archive: &Archive,
    options: ArchiveOptions,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<ArchiveImported> {
    let mut restorer = Restorer::new(tx, archive, options)?;
    for (number, (line, node)) in archive.nodes.iter().enumerate() {
        restorer.node(*line, node)?;
        progress(number + 1, archive.nodes.len());
    }
    restorer.refs()?;
    Ok(restorer.imported)
}

/// On so many different floors a page is looked for above the leaf of a cursor; usually it is on one.
const MAX_DEPTHS: usize = 64;

struct Restorer<'a, 'tx> {
    tx: &'a mut Draft<'tx>,
    archive: &'a Archive,
    options: ArchiveOptions,
    story: Story,
    rules: HashMap<ValueHash, RestoredRules>,
    /// Stored pages, by their number in the archive, with the state that the archive says they keep.
    pages: Vec<Option<TurnPage>>,
    nodes: Vec<RestoredNode>,
    /// Stored states that pages keep.
    kept_states: HashMap<StateHash, StateKey>,
    /// How many bytes of states may still be built from ops.
    budget: usize,
    imported: ArchiveImported,
}

/// Rules of the archive as they were stored.
#[derive(Clone, Copy)]
struct RestoredRules {
    hash: ValueHash,
    /// Whether pages under them can be computed here.
    computes: bool,
}

struct RestoredNode {
    key: NodeKey,
    /// The state, if it is equal to the one in the archive.
    state: Option<StateKey>,
}

impl<'a, 'tx> Restorer<'a, 'tx> {
    fn new(tx: &'a mut Draft<'tx>, archive: &'a Archive, options: ArchiveOptions) -> Result<Self> {
        let (line, record) = archive.story();
        let id = if options.copy { StoryId::from_random(random_bytes()) } else { record.id };
        if tx.story(id)?.is_some() {
            return Err(ArchiveProblem::Exists(id).at(*line).into());
        }
        let (story, held_functions) = new_story(tx, archive, options, id)?;
        let imported = ArchiveImported {
            story: story.id,
            current: None,
            refs: archive.refs.len(),
            nodes: archive.nodes.len(),
            pages: archive.pages.len(),
            differing: Vec::new(),
            kept: 0,
            held_functions,
            unbound_chats: 0,
        };
        Ok(Restorer {
            tx,
            archive,
            options,
            story,
            rules: HashMap::new(),
            pages: vec![None; archive.pages.len()],
            nodes: Vec::with_capacity(archive.nodes.len()),
            kept_states: HashMap::new(),
            budget: archive.size.saturating_mul(MAX_GROWTH).max(MIN_BUDGET),
            imported,
        })
    }

    fn node(&mut self, line: usize, node: &NodeRecord) -> Result<()> {
        let kept = self.kept_state(line, node)?;
        let pages = node.pages.iter().enumerate().map(|(index, page)| {
            if index == node.active { self.active_page(*page, kept) } else { self.other_page(*page) }
        });
        let pages = pages.collect::<Result<_>>()?;
        let host = node.host.map(|hash| Ok(HostFields { hash, at: self.value(hash)? }) as Result<_>).transpose()?;
        let (role, name, hidden, active) = (node.role, node.name.clone(), node.hidden, node.active);
        let turn: Listed = Turn { role, name, hidden, active, pages, host }.into();
        let parent = node.parent.map_or(self.story.root, |parent| self.nodes[parent].key);
        let key = put_path(self.tx, parent, [&turn])?;
        fill_states(self.tx, key)?;
        let state = self.tx.node(key)?.state.ok_or(EngineError::EmptyPath)?;
        let same = self.tx.state_hash(state)? == node.state;
        if !same {
            self.imported.differing.push(line);
        }
        self.nodes.push(RestoredNode { key, state: same.then_some(state) });
        Ok(())
    }

    /// The state that the active page of a node keeps; `None` if it is computed.
    fn kept_state(&mut self, line: usize, node: &NodeRecord) -> Result<Option<StateHash>> {
        let body = &self.archive.pages[node.pages[node.active]].body;
        let computes = self.rules(body.rules)?.computes;
        if computes && body.kept.is_none() {
            return Ok(None);
        }
        if !self.kept_states.contains_key(&node.state) {
            let above = match node.parent.map(|parent| self.nodes[parent].state) {
                None => Value::empty_object(),
                Some(Some(state)) => self.tx.state(state)?,
                // The ops do not fit, because the state above differs from the archive.
                Some(None) => return Ok(None),
            };
            let state = self.apply_ops(above, node).map_err(|problem| problem.at(line))?;
            self.keep_state(node.state, &state)?;
        }
        self.imported.kept += usize::from(!computes);
        Ok(Some(node.state))
    }

    fn keep_state(&mut self, hash: StateHash, state: &Value) -> Result<()> {
        if !self.kept_states.contains_key(&hash) {
            self.kept_states.insert(hash, self.tx.put_lone_state(state)?);
        }
        Ok(())
    }

    fn apply_ops(&mut self, mut state: Value, node: &NodeRecord) -> Result<Value, ArchiveProblem> {
        for op in &node.ops {
            op.apply(&mut state).map_err(|_| ArchiveProblem::State)?;
        }
        let text = json::write(&state);
        self.budget = self.budget.checked_sub(text.len()).ok_or(ArchiveProblem::Disproportionate)?;
        // Ops can produce duplicate keys, keys out of order and deep nesting; parsed text cannot.
        let read = json::read(&text).ok().filter(|read| *read == state && read.hash() == node.state);
        read.ok_or(ArchiveProblem::State)
    }

    /// The active page of a node, with the state that it keeps there.
    fn active_page(&mut self, number: usize, kept: Option<StateHash>) -> Result<TurnPage> {
        match kept {
            None if self.archive.pages[number].body.kept.is_none() => self.other_page(number),
            kept => self.put(number, kept),
        }
    }

    /// A page with the state that the archive says it keeps.
    fn other_page(&mut self, number: usize) -> Result<TurnPage> {
        if let Some(known) = self.pages[number] {
            return Ok(known);
        }
        let kept = self.archive.pages[number].body.kept;
        if let Some(hash) = kept {
            self.keep_state(hash, &self.archive.states[&hash])?;
        }
        let page = self.put(number, kept)?;
        self.pages[number] = Some(page);
        Ok(page)
    }

    fn put(&mut self, number: usize, kept: Option<StateHash>) -> Result<TurnPage> {
        let page = &self.archive.pages[number];
        let rules = self.rules(page.body.rules)?.hash;
        let mut body = Body { rules, kept, ..page.body.clone() };
        // Functions that were given up here would hang again.
        let given_up = self.tx.given_up(page.id)?.into_iter().filter(|name| !page.body.stuck.contains(name));
        body.stuck.extend(given_up);
        let text = PageText::New(&self.archive.texts[&body.text]);
        Ok(self.tx.put_page(self.story.key, page.id, text, &body, kept.map(|hash| self.kept_states[&hash]))?)
    }

    fn rules(&mut self, hash: ValueHash) -> Result<RestoredRules> {
        if let Some(known) = self.rules.get(&hash) {
            return Ok(*known);
        }
        let (value, semantics, held) = permitted_rules(&self.archive.values[&hash], self.options);
        let (_, stored) = self.tx.put_value(&value)?;
        let here = RestoredRules { hash: stored, computes: held == 0 && semantics == SEMANTICS };
        self.rules.insert(hash, here);
        self.imported.held_functions = self.imported.held_functions.max(held);
        Ok(here)
    }

    fn value(&mut self, hash: ValueHash) -> Result<ValueKey> {
        Ok(self.tx.put_value(&self.archive.values[&hash])?.0)
    }

    /// Restores where reading went on below a page; what does not lie below it is left out.
    fn cursors(&mut self, made: &HashMap<RefId, Ref>) -> Result<()> {
        let mut places: HashMap<PageId, BTreeMap<usize, HashSet<NodeKey>>> = HashMap::new();
        for (record, restored) in self.archive.nodes.iter().zip(&self.nodes) {
            let depth = self.tx.node(restored.key)?.depth;
            for page in record.1.pages.iter().map(|page| self.archive.pages[*page].id) {
                places.entry(page).or_default().entry(depth).or_default().insert(restored.key);
            }
        }
        for cursor in &self.archive.cursors {
            let leaf = self.tx.node(self.nodes[cursor.leaf].key)?;
            for (depth, nodes) in places.get(&cursor.page).into_iter().flatten().take(MAX_DEPTHS) {
                if *depth <= leaf.depth && nodes.contains(&self.tx.ancestor_at(leaf.clone(), *depth)?.key) {
                    self.tx.put_cursor(made[&cursor.of].key, cursor.page, leaf.key);
                    break;
                }
            }
        }
        Ok(())
    }

    fn refs(&mut self) -> Result<()> {
        let mut made: HashMap<RefId, Ref> = HashMap::new();
        for record in &self.archive.refs {
            let found = self.one_ref(record, &made)?;
            made.insert(record.id, found);
        }
        self.cursors(&made)?;
        let first = self.archive.refs.iter().find(|record| record.trashed.is_none());
        let current = self.archive.story().1.current.or(first.map(|record| record.id)).map(|id| &made[&id]);
        self.imported.current = current.map(|current| current.id);
        let story = Story { current: current.map(|current| current.key), ..self.story.clone() };
        self.tx.save_story(&story);
        Ok(())
    }

    fn one_ref(&mut self, record: &RefRecord, made: &HashMap<RefId, Ref>) -> Result<Ref> {
        let taken = self.options.copy || self.tx.find_ref(record.id)?.is_some();
        let key = |node: Option<usize>| node.map(|node| self.nodes[node].key);
        let host = record.host.as_ref().map(|host| HostBinding {
            chat: host.chat,
            file: host.file.clone(),
            file_owner: host.owner.clone(),
            reported: key(host.reported),
        });
        let head = key(record.head);
        let origin = record.origin.map(|origin| made[&origin].key);
        let new = new_ref(&self.story, record.kind, &record.name, origin);
        let mut new = Ref {
            id: if taken { new.id } else { record.id },
            note: record.note.clone(),
            colour: record.colour.clone(),
            head,
            host: self.free_chat(host)?,
            header: record.header.map(|header| self.value(header)).transpose()?,
            trashed: record.trashed,
            ..new
        };
        // The log begins here, so the import cannot be undone.
        branch::record(self.tx, &mut new, None, Note::new(OperationKind::Import, CLIENT))?;
        new.updated = record.updated;
        self.tx.save_ref(&mut new)?;
        Ok(new)
    }

    /// A host chat is bound to one branch; an existing binding stays.
    fn free_chat(&mut self, host: Option<HostBinding>) -> Result<Option<HostBinding>> {
        let Some(host) = host.filter(|_| !self.options.copy) else { return Ok(None) };
        let free = self.tx.ref_of_chat(host.chat)?.is_none();
        self.imported.unbound_chats += usize::from(!free);
        Ok(Some(host).filter(|_| free))
    }
}

/// Creates the story without refs; returns how many functions were removed from its rules.
fn new_story(tx: &mut Draft<'_>, archive: &Archive, options: ArchiveOptions, id: StoryId) -> Result<(Story, usize)> {
    let (_, record) = archive.story();
    let (card_rules, _, mut held) = permitted_rules(&archive.values[&record.card_rules], options);
    let mut choices = None;
    if let Some(chosen) = record.choices {
        let mut chosen = Choices::from_value(&archive.values[&chosen]).expect("the reader checked it");
        if let Some(library) = chosen.library.as_mut().filter(|_| !options.allow_functions) {
            held += hold_functions(library);
        }
        choices = Some(tx.put_value(&chosen.to_value())?.0);
    }
    let (card_rules, _) = tx.put_value(&card_rules)?;
    let StoryRecord { title, card, created, .. } = record;
    let new = NewStory { id, title, card, rules: card_rules, card_rules, choices, created: *created };
    let settings = record.settings.map(|settings| tx.put_value(&archive.values[&settings])).transpose()?;
    let story = tx.create_story(&new)?;
    let story = composed(tx, Story { settings: settings.map(|(key, _)| key), trashed: record.trashed, ..story })?;
    tx.save_story(&story);
    Ok((story, held))
}

/// Returns rules without their functions, unless these are allowed, with their semantics and the number
/// of removed functions. Functions are code and run only with the user's permission.
fn permitted_rules(value: &Value, options: ArchiveOptions) -> (Value, i64, usize) {
    let mut rules = Rules::from_value(value).expect("the reader checked it");
    let held = match options.allow_functions {
        true => 0,
        false => hold_functions(&mut rules.library) + std::mem::take(&mut rules.sam_functions).len(),
    };
    (if held > 0 { rules.to_value() } else { value.clone() }, rules.semantics, held)
}

fn hold_functions(library: &mut Library) -> usize {
    std::mem::take(&mut library.functions).len() + std::mem::take(&mut library.rules).len()
}
