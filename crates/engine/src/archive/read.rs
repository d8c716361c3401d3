//! The lines of an archive → records that fit together. Nothing is written here.
//!
//! A record names only records before it, so a ring cannot be said.

use std::collections::{HashMap, HashSet};

use storeyline_history::{Body, Choices, Role, Rules};
use storeyline_state::{
    Change, ChatId, Op, PageId, RefId, StateHash, StoryId, TextHash, Value, ValueHash, json, op, text,
};
use storeyline_store::RefKind;

use super::VERSION;
use super::problem::{ArchiveError, ArchiveProblem};

/// The longest line that is read.
pub(super) const MAX_LINE: usize = 64_000_000;

/// An archive, read whole.
pub(super) struct Archive {
    /// The length of the file.
    pub(super) size: usize,
    pub(super) story: StoryRecord,
    pub(super) texts: HashMap<TextHash, String>,
    pub(super) values: HashMap<ValueHash, Value>,
    pub(super) states: HashMap<StateHash, Value>,
    pub(super) pages: Vec<PageRecord>,
    pub(super) nodes: Vec<NodeRecord>,
    pub(super) refs: Vec<RefRecord>,
    pub(super) cursors: Vec<CursorRecord>,
}

pub(super) struct StoryRecord {
    pub(super) line: usize,
    pub(super) id: StoryId,
    pub(super) title: String,
    pub(super) card: String,
    pub(super) card_rules: ValueHash,
    pub(super) choices: Option<ValueHash>,
    pub(super) settings: Option<ValueHash>,
    pub(super) current: Option<RefId>,
    pub(super) created: i64,
    pub(super) trashed: Option<i64>,
}

pub(super) struct PageRecord {
    pub(super) id: PageId,
    pub(super) body: Body,
}

pub(super) struct NodeRecord {
    pub(super) line: usize,
    pub(super) parent: Option<usize>,
    pub(super) role: Role,
    pub(super) name: String,
    pub(super) hidden: bool,
    pub(super) active: usize,
    pub(super) pages: Vec<usize>,
    pub(super) host: Option<ValueHash>,
    pub(super) state: StateHash,
    pub(super) ops: Vec<Op>,
}

pub(super) struct RefRecord {
    pub(super) id: RefId,
    pub(super) kind: RefKind,
    pub(super) name: String,
    pub(super) note: String,
    pub(super) colour: String,
    pub(super) origin: Option<RefId>,
    pub(super) head: Option<usize>,
    pub(super) host: Option<HostRecord>,
    pub(super) header: Option<ValueHash>,
    pub(super) updated: i64,
    pub(super) trashed: Option<i64>,
}

pub(super) struct HostRecord {
    pub(super) chat: ChatId,
    pub(super) file: String,
    pub(super) owner: String,
    pub(super) reported: Option<usize>,
}

pub(super) struct CursorRecord {
    pub(super) of: RefId,
    pub(super) page: PageId,
    pub(super) leaf: usize,
}

impl Archive {
    pub(super) fn read(text: &str) -> Result<Archive, ArchiveError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        let (_, head) = lines.next().ok_or(ArchiveProblem::NotAnArchive.at(1))?;
        read_head(head).map_err(|problem| problem.at(1))?;
        let mut reader = Reader::default();
        let mut last = 1;
        for (line, text) in lines {
            last = line;
            reader.line(line, text).map_err(|problem| problem.at(line))?;
        }
        reader.finish(text.len()).map_err(|(line, problem)| problem.at(line.unwrap_or(last + 1)))
    }
}

fn read_head(line: &str) -> Result<(), ArchiveProblem> {
    let head = read_json(line).map_err(|_| ArchiveProblem::NotAnArchive)?;
    if head.get("storeyline").and_then(Value::as_text) != Some("archive") {
        return Err(ArchiveProblem::NotAnArchive);
    }
    match Fields(&head).int("version")? {
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
    story: Option<StoryRecord>,
    texts: HashMap<TextHash, String>,
    values: HashMap<ValueHash, Value>,
    states: HashMap<StateHash, Value>,
    pages: Vec<PageRecord>,
    nodes: Vec<NodeRecord>,
    refs: Vec<RefRecord>,
    cursors: Vec<CursorRecord>,
    /// Values that were found to be rules: most pages have the same.
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
        let kind = record.as_object().and_then(|object| object.iter().next()).map(|(kind, _)| kind.to_string());
        let fields = Fields(&record);
        match kind.as_deref().unwrap_or_default() {
            "text" => self.text(fields),
            "value" => self.value(&record),
            "state" => self.state(&record),
            "page" => self.page(fields),
            "node" => self.node(line, fields),
            "story" => self.story(line, fields),
            "ref" => self.one_ref(fields),
            "cursor" => self.cursor(fields),
            "end" => self.end(&record),
            _ => Err(ArchiveProblem::Record("kind")),
        }
    }

    fn text(&mut self, fields: Fields<'_>) -> Result<(), ArchiveProblem> {
        let text = text::canonical(fields.text("text")?).into_owned();
        once(self.texts.insert(text::hash(&text), text).is_none(), "text")
    }

    fn value(&mut self, record: &Value) -> Result<(), ArchiveProblem> {
        let value = record.get("value").cloned().ok_or(ArchiveProblem::Record("value"))?;
        let hash = ValueHash::of(json::write(&value).as_bytes());
        once(self.values.insert(hash, value).is_none(), "value")
    }

    fn state(&mut self, record: &Value) -> Result<(), ArchiveProblem> {
        let state = record.get("state").cloned().ok_or(ArchiveProblem::Record("state"))?;
        check_depth(&state)?;
        once(self.states.insert(state.hash(), state).is_none(), "state")
    }

    fn page(&mut self, fields: Fields<'_>) -> Result<(), ArchiveProblem> {
        let id = fields.id("page")?;
        let body = Body::from_value(fields.0).ok_or(ArchiveProblem::Record("page"))?;
        if !self.texts.contains_key(&body.text) {
            return Err(ArchiveProblem::Unknown("text"));
        }
        self.rules(body.rules, "rules")?;
        self.pages.push(PageRecord { id, body });
        Ok(())
    }

    fn rules(&mut self, hash: ValueHash, field: &'static str) -> Result<(), ArchiveProblem> {
        if self.rules.contains(&hash) {
            return Ok(());
        }
        let value = self.values.get(&hash).ok_or(ArchiveProblem::Unknown(field))?;
        Rules::from_value(value).ok_or(ArchiveProblem::Record(field))?;
        self.rules.insert(hash);
        Ok(())
    }

    fn known_value(&self, fields: Fields<'_>, field: &'static str) -> Result<Option<ValueHash>, ArchiveProblem> {
        let hash: Option<ValueHash> = fields.maybe_id(field)?;
        match hash {
            Some(hash) if !self.values.contains_key(&hash) => Err(ArchiveProblem::Unknown(field)),
            hash => Ok(hash),
        }
    }

    fn node(&mut self, line: usize, fields: Fields<'_>) -> Result<(), ArchiveProblem> {
        let pages = fields.list("pages")?.iter().map(|page| self.known(page, self.pages.len(), "page"));
        let pages: Vec<usize> = pages.collect::<Result<_, _>>()?;
        let active = fields.int("active")?;
        let active = usize::try_from(active).ok().filter(|active| *active < pages.len());
        let active = active.ok_or(ArchiveProblem::Record("active"))?;
        let mut ids = HashSet::new();
        for (index, page) in pages.iter().enumerate() {
            let page = &self.pages[*page];
            once(ids.insert(page.id), "page")?;
            if index != active && page.body.kept.is_some_and(|kept| !self.states.contains_key(&kept)) {
                return Err(ArchiveProblem::Unknown("kept"));
            }
        }
        let state = fields.id("state")?;
        if self.pages[pages[active]].body.kept.is_some_and(|kept| kept != state) {
            return Err(ArchiveProblem::Record("state"));
        }
        let ops = fields.list("ops")?.iter().map(|op| op_from_value(op).ok_or(ArchiveProblem::Record("ops")));
        self.nodes.push(NodeRecord {
            line,
            parent: self.maybe_node(fields.get("node")?)?,
            role: Role::from_word(fields.text("role")?).ok_or(ArchiveProblem::Record("role"))?,
            name: fields.text("name")?.to_owned(),
            hidden: fields.get("hidden")?.as_bool().ok_or(ArchiveProblem::Record("hidden"))?,
            active,
            host: self.known_value(fields, "host")?,
            state,
            ops: ops.collect::<Result<_, _>>()?,
            pages,
        });
        Ok(())
    }

    fn known(&self, number: &Value, count: usize, what: &'static str) -> Result<usize, ArchiveProblem> {
        let number = number.as_number().and_then(|number| number.as_index());
        number.filter(|number| *number < count).ok_or(ArchiveProblem::Unknown(what))
    }

    fn maybe_node(&self, number: &Value) -> Result<Option<usize>, ArchiveProblem> {
        match number {
            Value::Null => Ok(None),
            number => self.known(number, self.nodes.len(), "node").map(Some),
        }
    }

    fn story(&mut self, line: usize, fields: Fields<'_>) -> Result<(), ArchiveProblem> {
        once(self.story.is_none(), "story")?;
        let card_rules = fields.id("card_rules")?;
        self.rules(card_rules, "card_rules")?;
        let choices = self.known_value(fields, "choices")?;
        if choices.is_some_and(|choices| Choices::from_value(&self.values[&choices]).is_none()) {
            return Err(ArchiveProblem::Record("choices"));
        }
        self.story = Some(StoryRecord {
            line,
            id: fields.id("story")?,
            title: fields.text("title")?.to_owned(),
            card: fields.text("card")?.to_owned(),
            card_rules,
            choices,
            settings: self.known_value(fields, "settings")?,
            current: fields.maybe_id("current")?,
            created: fields.int("created")?,
            trashed: fields.maybe_int("trashed")?,
        });
        Ok(())
    }

    fn one_ref(&mut self, fields: Fields<'_>) -> Result<(), ArchiveProblem> {
        let id: RefId = fields.id("ref")?;
        let origin: Option<RefId> = fields.maybe_id("origin")?;
        if origin.is_some_and(|origin| !self.ref_ids.contains(&origin)) {
            return Err(ArchiveProblem::Unknown("origin"));
        }
        once(self.ref_ids.insert(id), "ref")?;
        let header = self.known_value(fields, "header")?;
        if header.is_some_and(|header| self.values[&header].as_object().is_none()) {
            return Err(ArchiveProblem::Record("header"));
        }
        let kind = match fields.text("kind")? {
            "branch" => RefKind::Branch,
            "tag" => RefKind::Tag,
            _ => return Err(ArchiveProblem::Record("kind")),
        };
        let host = match fields.get("host")? {
            Value::Null => None,
            host => Some(self.host(Fields(host))?),
        };
        let record = RefRecord {
            id,
            kind,
            name: fields.text("name")?.to_owned(),
            note: fields.text("note")?.to_owned(),
            colour: fields.text("colour")?.to_owned(),
            origin,
            head: self.maybe_node(fields.get("head")?)?,
            host,
            header,
            updated: fields.int("updated")?,
            trashed: fields.maybe_int("trashed")?,
        };
        self.refs.push(record);
        Ok(())
    }

    fn host(&mut self, fields: Fields<'_>) -> Result<HostRecord, ArchiveProblem> {
        let chat = fields.id("chat")?;
        once(self.chats.insert(chat), "chat")?;
        let (file, owner) = (fields.text("file")?.to_owned(), fields.text("owner")?.to_owned());
        Ok(HostRecord { chat, file, owner, reported: self.maybe_node(fields.get("reported")?)? })
    }

    fn cursor(&mut self, fields: Fields<'_>) -> Result<(), ArchiveProblem> {
        let of = fields.id("cursor")?;
        if !self.ref_ids.contains(&of) {
            return Err(ArchiveProblem::Unknown("ref"));
        }
        let leaf = self.known(fields.get("leaf")?, self.nodes.len(), "node")?;
        self.cursors.push(CursorRecord { of, page: fields.id("page")?, leaf });
        Ok(())
    }

    fn end(&mut self, record: &Value) -> Result<(), ArchiveProblem> {
        self.ended = true;
        let counts = [
            ("text", self.texts.len()),
            ("value", self.values.len()),
            ("state", self.states.len()),
            ("page", self.pages.len()),
            ("node", self.nodes.len()),
            ("ref", self.refs.len()),
            ("cursor", self.cursors.len()),
        ];
        let said = Fields(record.get("end").unwrap_or(&Value::Null));
        for (kind, found) in counts {
            let said = said.int(kind)?;
            if said != found as i64 {
                return Err(ArchiveProblem::Count { kind, found, said });
            }
        }
        Ok(())
    }

    /// Checks what only the whole file tells; a problem without a line is one of the end.
    fn finish(self, size: usize) -> Result<Archive, (Option<usize>, ArchiveProblem)> {
        if !self.ended {
            return Err((None, ArchiveProblem::CutOff));
        }
        let story = self.story.ok_or((None, ArchiveProblem::Record("story")))?;
        let is_branch = |id: RefId| self.refs.iter().any(|found| found.id == id && found.kind == RefKind::Branch);
        if story.current.is_some_and(|current| !is_branch(current)) {
            return Err((Some(story.line), ArchiveProblem::Unknown("current")));
        }
        if !self.refs.iter().any(|found| found.kind == RefKind::Branch) {
            return Err((None, ArchiveProblem::Record("ref")));
        }
        if let Some(line) = page_twice_on_a_path(&self.nodes, &self.pages) {
            return Err((Some(line), ArchiveProblem::Twice("page")));
        }
        let Reader { texts, values, states, pages, nodes, refs, cursors, .. } = self;
        Ok(Archive { size, story, texts, values, states, pages, nodes, refs, cursors })
    }
}

/// A page stands once on a path: walks all paths with what stands above in hand.
fn page_twice_on_a_path(nodes: &[NodeRecord], pages: &[PageRecord]) -> Option<usize> {
    enum Step {
        Down(usize),
        Up(usize),
    }
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut steps: Vec<Step> = Vec::new();
    for (number, node) in nodes.iter().enumerate() {
        match node.parent {
            Some(parent) => children[parent].push(number),
            None => steps.push(Step::Down(number)),
        }
    }
    let mut above: HashSet<PageId> = HashSet::new();
    while let Some(step) = steps.pop() {
        match step {
            Step::Down(number) => {
                if !nodes[number].pages.iter().all(|page| above.insert(pages[*page].id)) {
                    return Some(nodes[number].line);
                }
                steps.push(Step::Up(number));
                steps.extend(children[number].iter().map(|child| Step::Down(*child)));
            }
            Step::Up(number) => nodes[number].pages.iter().for_each(|page| {
                above.remove(&pages[*page].id);
            }),
        }
    }
    None
}

fn once(is_new: bool, what: &'static str) -> Result<(), ArchiveProblem> {
    if is_new { Ok(()) } else { Err(ArchiveProblem::Twice(what)) }
}

fn check_depth(state: &Value) -> Result<(), ArchiveProblem> {
    if state.depth() > json::MAX_DEPTH { Err(ArchiveProblem::Record("state")) } else { Ok(()) }
}

fn op_from_value(value: &Value) -> Option<Op> {
    let path = |path: &Value| path.as_list()?.iter().map(op::step_from_value).collect::<Option<Vec<_>>>();
    let at = |at: &Value| at.as_number()?.as_index();
    // What was there before is not needed for going forwards.
    let old = Value::Null;
    Some(match value.as_list()? {
        [kind, place, new] if kind.as_text() == Some("set") => {
            Op { path: path(place)?, change: Change::Set { old, new: new.clone() } }
        }
        [kind, place, new, index] if kind.as_text() == Some("insert") => {
            Op { path: path(place)?, change: Change::Insert { new: new.clone(), at: at(index)? } }
        }
        [kind, place, index] if kind.as_text() == Some("remove") => {
            Op { path: path(place)?, change: Change::Remove { old, at: at(index)? } }
        }
        _ => return None,
    })
}

/// The fields of a record.
#[derive(Clone, Copy)]
struct Fields<'a>(&'a Value);

impl<'a> Fields<'a> {
    fn get(self, field: &'static str) -> Result<&'a Value, ArchiveProblem> {
        self.0.get(field).ok_or(ArchiveProblem::Record(field))
    }

    fn text(self, field: &'static str) -> Result<&'a str, ArchiveProblem> {
        self.get(field)?.as_text().ok_or(ArchiveProblem::Record(field))
    }

    fn int(self, field: &'static str) -> Result<i64, ArchiveProblem> {
        self.get(field)?.as_number().and_then(|number| number.as_i64()).ok_or(ArchiveProblem::Record(field))
    }

    fn maybe_int(self, field: &'static str) -> Result<Option<i64>, ArchiveProblem> {
        if *self.get(field)? == Value::Null { Ok(None) } else { self.int(field).map(Some) }
    }

    fn list(self, field: &'static str) -> Result<&'a [Value], ArchiveProblem> {
        self.get(field)?.as_list().ok_or(ArchiveProblem::Record(field))
    }

    fn id<T: std::str::FromStr>(self, field: &'static str) -> Result<T, ArchiveProblem> {
        self.text(field)?.parse().map_err(|_| ArchiveProblem::Record(field))
    }

    fn maybe_id<T: std::str::FromStr>(self, field: &'static str) -> Result<Option<T>, ArchiveProblem> {
        if *self.get(field)? == Value::Null { Ok(None) } else { self.id(field).map(Some) }
    }
}
