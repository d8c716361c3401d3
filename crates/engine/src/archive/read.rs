//! Reads the lines of an archive into records and checks that they fit together. Nothing is written to
//! the store here.
//!
//! A record refers only to records before it, so there are no cycles.

use std::collections::{HashMap, HashSet};

use storeyline_history::{Body, Choices, Rules};
use storeyline_state::{ChatId, PageId, RefId, StateHash, TextHash, Value, ValueHash, json, text};
use storeyline_store::RefKind;

use super::VERSION;
use super::problem::{ArchiveError, ArchiveProblem};
use super::record::{COUNTED, CursorRecord, NodeRecord, PageRecord, RefRecord, StoryRecord, field};

/// The longest line that is read, in bytes.
pub(super) const MAX_LINE: usize = 64_000_000;

/// An archive, read whole.
#[derive(Default)]
pub(super) struct Archive {
    /// The length of the file in bytes.
    pub(super) size: usize,
    story: Option<Line<StoryRecord>>,
    pub(super) texts: HashMap<TextHash, String>,
    pub(super) values: HashMap<ValueHash, Value>,
    pub(super) states: HashMap<StateHash, Value>,
    pub(super) pages: Vec<PageRecord>,
    pub(super) nodes: Vec<Line<NodeRecord>>,
    pub(super) refs: Vec<RefRecord>,
    pub(super) cursors: Vec<CursorRecord>,
}

/// A record with the number of its line, from 1.
type Line<T> = (usize, T);

impl Archive {
    pub(super) fn read(text: &str) -> Result<Archive, ArchiveError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        let (_, head) = lines.next().ok_or(ArchiveProblem::NotAnArchive.at(1))?;
        read_head(head).map_err(|problem| problem.at(1))?;
        let mut reader = Reader { archive: Archive { size: text.len(), ..Archive::default() }, ..Reader::default() };
        let mut last = 1;
        for (line, text) in lines {
            last = line;
            reader.line(line, text).map_err(|problem| problem.at(line))?;
        }
        reader.finish().map_err(|(line, problem)| problem.at(line.unwrap_or(last + 1)))
    }

    pub(super) fn story(&self) -> &Line<StoryRecord> {
        self.story.as_ref().expect("an archive that was read has a story")
    }

    /// The numbers of records, in the order of [`COUNTED`].
    fn counts(&self) -> [usize; 7] {
        let Archive { texts, values, states, pages, nodes, refs, cursors, .. } = self;
        [texts.len(), values.len(), states.len(), pages.len(), nodes.len(), refs.len(), cursors.len()]
    }
}

fn read_head(line: &str) -> Result<(), ArchiveProblem> {
    let head = read_json(line).map_err(|_| ArchiveProblem::NotAnArchive)?;
    if head.get("storeyline").and_then(Value::as_text) != Some("archive") {
        return Err(ArchiveProblem::NotAnArchive);
    }
    match field(&head, "version")? {
        VERSION => Ok(()),
        other => Err(ArchiveProblem::Version(other)),
    }
}

fn read_json(line: &str) -> Result<Value, ArchiveProblem> {
    if line.len() > MAX_LINE {
        return Err(ArchiveProblem::TooLong);
    }
    json::read_stored(line).map_err(ArchiveProblem::Json)
}

#[derive(Default)]
struct Reader {
    archive: Archive,
    /// Values that are valid rules: most pages have the same.
    rules: HashSet<ValueHash>,
    ref_ids: HashSet<RefId>,
    chats: HashSet<ChatId>,
    ended: bool,
}

impl Reader {
    fn line(&mut self, line: usize, text: &str) -> Result<(), ArchiveProblem> {
        if self.ended {
            return Err(ArchiveProblem::Twice("end"));
        }
        let record = read_json(text)?;
        let first = record.as_object().and_then(|object| object.iter().next());
        let (kind, content) = first.ok_or(ArchiveProblem::Record("kind"))?;
        match &**kind {
            "text" => self.text(content),
            "value" => self.value(content),
            "state" => self.state(content),
            "page" => self.page(&record),
            "node" => self.node(line, NodeRecord::read(&record)?),
            "story" => self.story(line, StoryRecord::read(&record)?),
            "ref" => self.one_ref(RefRecord::read(&record)?),
            "cursor" => self.cursor(CursorRecord::read(&record)?),
            "end" => self.end(content),
            _ => Err(ArchiveProblem::Record("kind")),
        }
    }

    fn text(&mut self, content: &Value) -> Result<(), ArchiveProblem> {
        let text = text::canonical(content.as_text().ok_or(ArchiveProblem::Record("text"))?).into_owned();
        once(self.archive.texts.insert(text::hash(&text), text).is_none(), "text")
    }

    fn value(&mut self, content: &Value) -> Result<(), ArchiveProblem> {
        let hash = ValueHash::of(json::write(content).as_bytes());
        once(self.archive.values.insert(hash, content.clone()).is_none(), "value")
    }

    fn state(&mut self, content: &Value) -> Result<(), ArchiveProblem> {
        require(content.depth() <= json::MAX_DEPTH, ArchiveProblem::Record("state"))?;
        once(self.archive.states.insert(content.hash(), content.clone()).is_none(), "state")
    }

    fn page(&mut self, record: &Value) -> Result<(), ArchiveProblem> {
        let id = field(record, "page")?;
        let body = Body::from_value(record).ok_or(ArchiveProblem::Record("page"))?;
        require(self.archive.texts.contains_key(&body.text), ArchiveProblem::Unknown("text"))?;
        self.rules(body.rules, "rules")?;
        self.archive.pages.push(PageRecord { id, body });
        Ok(())
    }

    fn rules(&mut self, hash: ValueHash, field: &'static str) -> Result<(), ArchiveProblem> {
        if self.rules.contains(&hash) {
            return Ok(());
        }
        let value = self.archive.values.get(&hash).ok_or(ArchiveProblem::Unknown(field))?;
        Rules::from_value(value).ok_or(ArchiveProblem::Record(field))?;
        self.rules.insert(hash);
        Ok(())
    }

    fn known_value(&self, hash: Option<ValueHash>, field: &'static str) -> Result<Option<&Value>, ArchiveProblem> {
        hash.map(|hash| self.archive.values.get(&hash).ok_or(ArchiveProblem::Unknown(field))).transpose()
    }

    fn known_node(&self, number: Option<usize>) -> Result<(), ArchiveProblem> {
        let is_known = number.is_none_or(|number| number < self.archive.nodes.len());
        require(is_known, ArchiveProblem::Unknown("node"))
    }

    fn node(&mut self, line: usize, node: NodeRecord) -> Result<(), ArchiveProblem> {
        self.known_node(node.parent)?;
        self.known_value(node.host, "host")?;
        let Archive { pages, states, nodes, .. } = &mut self.archive;
        require(node.pages.iter().all(|page| *page < pages.len()), ArchiveProblem::Unknown("page"))?;
        require(node.active < node.pages.len(), ArchiveProblem::Record("active"))?;
        let mut ids = HashSet::new();
        for (index, page) in node.pages.iter().enumerate() {
            let PageRecord { id, body } = &pages[*page];
            once(ids.insert(*id), "page")?;
            match body.kept {
                Some(kept) if index == node.active => require(kept == node.state, ArchiveProblem::Record("state"))?,
                Some(kept) => require(states.contains_key(&kept), ArchiveProblem::Unknown("kept"))?,
                None => {}
            }
        }
        nodes.push((line, node));
        Ok(())
    }

    fn story(&mut self, line: usize, story: StoryRecord) -> Result<(), ArchiveProblem> {
        once(self.archive.story.is_none(), "story")?;
        self.rules(story.card_rules, "card_rules")?;
        let choices = self.known_value(story.choices, "choices")?;
        let is_valid = choices.is_none_or(|choices| Choices::from_value(choices).is_some());
        require(is_valid, ArchiveProblem::Record("choices"))?;
        self.known_value(story.settings, "settings")?;
        self.archive.story = Some((line, story));
        Ok(())
    }

    fn one_ref(&mut self, record: RefRecord) -> Result<(), ArchiveProblem> {
        let is_known = record.origin.is_none_or(|origin| self.ref_ids.contains(&origin));
        require(is_known, ArchiveProblem::Unknown("origin"))?;
        once(self.ref_ids.insert(record.id), "ref")?;
        let header = self.known_value(record.header, "header")?;
        require(header.is_none_or(|header| header.as_object().is_some()), ArchiveProblem::Record("header"))?;
        self.known_node(record.head)?;
        if let Some(host) = &record.host {
            once(self.chats.insert(host.chat), "chat")?;
            self.known_node(host.reported)?;
        }
        self.archive.refs.push(record);
        Ok(())
    }

    fn cursor(&mut self, cursor: CursorRecord) -> Result<(), ArchiveProblem> {
        require(self.ref_ids.contains(&cursor.of), ArchiveProblem::Unknown("ref"))?;
        self.known_node(Some(cursor.leaf))?;
        self.archive.cursors.push(cursor);
        Ok(())
    }

    fn end(&mut self, counts: &Value) -> Result<(), ArchiveProblem> {
        self.ended = true;
        for (kind, found) in COUNTED.into_iter().zip(self.archive.counts()) {
            let said: i64 = field(counts, kind)?;
            require(said == found as i64, ArchiveProblem::Count { kind, found, said })?;
        }
        Ok(())
    }

    /// Checks what only the whole file shows; a problem without a line is one of the end.
    fn finish(self) -> Result<Archive, (Option<usize>, ArchiveProblem)> {
        let Reader { archive, ended, .. } = self;
        require(ended, (None, ArchiveProblem::CutOff))?;
        let (line, story) = archive.story.as_ref().ok_or((None, ArchiveProblem::Record("story")))?;
        let is_branch = |id: RefId| archive.refs.iter().any(|found| found.id == id && found.kind == RefKind::Branch);
        require(story.current.is_none_or(is_branch), (Some(*line), ArchiveProblem::Unknown("current")))?;
        let has_branch = archive.refs.iter().any(|found| found.kind == RefKind::Branch);
        require(has_branch, (None, ArchiveProblem::Record("ref")))?;
        match page_twice_on_a_path(&archive.nodes, &archive.pages) {
            Some(line) => Err((Some(line), ArchiveProblem::Twice("page"))),
            None => Ok(archive),
        }
    }
}

/// Finds the line of a node with a page that is also on a node above it: a depth-first walk with the set of the
/// pages above.
fn page_twice_on_a_path(nodes: &[Line<NodeRecord>], pages: &[PageRecord]) -> Option<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    // Numbers of nodes, and whether the walk enters or leaves them.
    let mut steps: Vec<(usize, bool)> = Vec::new();
    for (number, (_, node)) in nodes.iter().enumerate() {
        match node.parent {
            Some(parent) => children[parent].push(number),
            None => steps.push((number, true)),
        }
    }
    let mut above: HashSet<PageId> = HashSet::new();
    while let Some((number, enters)) = steps.pop() {
        let (line, node) = &nodes[number];
        let mut ids = node.pages.iter().map(|page| pages[*page].id);
        if !enters {
            for id in ids {
                above.remove(&id);
            }
        } else if ids.all(|id| above.insert(id)) {
            steps.push((number, false));
            steps.extend(children[number].iter().map(|child| (*child, true)));
        } else {
            return Some(*line);
        }
    }
    None
}

fn require<E>(holds: bool, problem: E) -> Result<(), E> {
    if holds { Ok(()) } else { Err(problem) }
}

fn once(is_new: bool, what: &'static str) -> Result<(), ArchiveProblem> {
    require(is_new, ArchiveProblem::Twice(what))
}
