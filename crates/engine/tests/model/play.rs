//! One random story: each step is done to the engine and, in the naive way, to plain lists.

use std::collections::{HashMap, HashSet};

use storeyline_compat::Row;
use storeyline_compat::host_message::{self, PageToWrite};
use storeyline_engine::{
    BranchEdit, By, Collect, Durability, EditPolicy, Edited, Engine, EngineError, ImportRequest, Keep, KeepText, Names,
    NewPage, NewTurn, OpenChat, Owner, Prefer, RefKind, Reprocess, Role, Rules, Settings, SyncRequest,
};
use storeyline_state::{ChatId, PageId, RefId, StoryId, Value, json, text};

use crate::Dice;
use crate::naive::{self, Doing, KEYS, Page, Plain, Turn};

/// What an operation did, with copies of everything before and after.
#[derive(Debug, Clone, PartialEq)]
enum Effect {
    List { before: Vec<Turn>, after: Vec<Turn> },
    Created,
    Trashed,
    Restored,
    Rules { before: bool, after: bool },
    Policy { before: bool, after: bool },
    Switched { before: usize, after: usize },
}

#[derive(Debug, Clone)]
struct Entry {
    number: i64,
    effect: Effect,
    undoes: Option<i64>,
    redo: bool,
}

/// A ref in the naive way.
#[derive(Debug, Clone)]
pub(crate) struct ModelRef {
    pub(crate) id: RefId,
    pub(crate) name: String,
    pub(crate) kind: RefKind,
    pub(crate) trashed: bool,
    pub(crate) turns: Vec<Turn>,
    origin: Option<usize>,
    log: Vec<Entry>,
    /// Where reading stood when a page was left.
    cursors: HashMap<PageId, Vec<Turn>>,
    /// The host chat, if it is bound to one.
    chat: Option<ChatId>,
    /// Whether host fields make its nodes different from others with the same pages.
    hosted: bool,
    /// Whether it was the one that is read when it was thrown away.
    was_current: bool,
}

pub(crate) struct Play {
    pub(crate) engine: Engine,
    pub(crate) story: StoryId,
    pub(crate) refs: Vec<ModelRef>,
    pub(crate) current: usize,
    pub(crate) dice: Dice,
    pub(crate) looked_at: usize,
    folder: Option<tempfile::TempDir>,
    user_calls: bool,
    manual: bool,
    minted: u64,
    /// Under which rules each page ever stood.
    rules_seen: HashMap<PageId, HashSet<bool>>,
}

const TIME: i64 = 1_700_000_000_000;
const CLIENT: &str = "model";

fn by() -> By<'static> {
    By::client(CLIENT)
}

fn owner() -> Owner {
    Owner::local()
}

impl Play {
    pub(crate) fn new(seed: u64) -> Play {
        // A quarter in a file, the others in memory.
        let folder = seed.is_multiple_of(4).then(|| tempfile::tempdir().unwrap());
        let engine = match &folder {
            Some(folder) => Engine::open(folder.path()).unwrap(),
            None => Engine::in_memory().unwrap(),
        };
        let chat = ChatId::from_random([1; 16]);
        let request = OpenChat {
            chat,
            parent: None,
            file: "主线".into(),
            file_owner: String::new(),
            title: "雨夜".into(),
            template: None,
            rules: Rules::default(),
            into: None,
        };
        let opened = engine.open_chat(&owner(), &request).unwrap();
        let created = engine.last_operation(&owner()).unwrap();
        let first = ModelRef {
            id: opened.branch,
            name: "主线".into(),
            kind: RefKind::Branch,
            trashed: false,
            turns: Vec::new(),
            origin: None,
            log: vec![Entry { number: created, effect: Effect::Created, undoes: None, redo: false }],
            cursors: HashMap::new(),
            chat: None,
            hosted: false,
            was_current: false,
        };
        let mut play = Play {
            engine: engine.with_durability(Durability::Normal),
            story: opened.story,
            refs: vec![first],
            current: 0,
            dice: Dice::new(seed),
            looked_at: 0,
            folder,
            user_calls: false,
            manual: false,
            minted: seed << 16,
            rules_seen: HashMap::new(),
        };
        for _ in 0..3 {
            play.append();
        }
        play
    }

    fn page(&mut self) -> Page {
        self.minted += 1;
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.minted.to_le_bytes());
        let id = PageId::from_random(bytes);
        self.rules_seen.entry(id).or_default().insert(self.user_calls);
        let (text, doings) = self.text();
        Page { id, text, doings, user_calls: self.user_calls, said: Vec::new(), kept: None }
    }

    fn text(&mut self) -> (String, Vec<Doing>) {
        let count = self.dice.below(4);
        let doings: Vec<Doing> = (0..count)
            .map(|_| {
                let key = KEYS[self.dice.below(KEYS.len())];
                let amount = self.dice.below(19) as i64 - 9;
                match self.dice.below(5) {
                    0 | 1 => Doing::Set(key, amount),
                    2 | 3 => Doing::Add(key, amount),
                    _ => Doing::Unset(key),
                }
            })
            .collect();
        self.minted += 1;
        (naive::text(&doings, self.minted), doings)
    }

    /// A live branch.
    fn pick(&mut self) -> usize {
        let live: Vec<usize> = self.live().collect();
        live[self.dice.below(live.len())]
    }

    fn live(&self) -> impl Iterator<Item = usize> + '_ {
        let live = |model: &ModelRef| !model.trashed && model.kind == RefKind::Branch;
        self.refs.iter().enumerate().filter(move |(_, model)| live(model)).map(|(index, _)| index)
    }

    fn pick_floor(&mut self, at: usize) -> Option<usize> {
        let length = self.refs[at].turns.len();
        (length > 0).then(|| self.dice.below(length))
    }

    fn pick_page(&mut self, at: usize) -> Option<(usize, usize)> {
        let floor = self.pick_floor(at)?;
        let pages = self.refs[at].turns[floor].pages.len();
        Some((floor, self.dice.below(pages)))
    }

    /// Does one random thing; returns what, and whether it changed anything.
    pub(crate) fn step(&mut self, _: usize) -> (&'static str, bool) {
        let (kind, changed) = match self.dice.below(44) {
            0..=5 => ("append", self.append()),
            6 => ("insert", self.insert()),
            7 | 8 => ("alternative", self.add_page()),
            9 | 10 => ("select", self.select()),
            11 | 12 => ("swipe", self.swipe()),
            13 | 14 => ("edit", self.edit()),
            15 => ("edit as alternative", self.edit_as_alternative()),
            16 => ("edit on all branches", self.edit_everywhere()),
            17 => ("delete", self.delete()),
            18 => ("cut", self.cut()),
            19 => ("delete page", self.delete_page()),
            20 => ("keep only", self.keep_only()),
            21 => ("move", self.move_turn()),
            22 => ("hide", self.hide()),
            23 => ("branch", self.branch(RefKind::Branch)),
            24 => ("tag", self.branch(RefKind::Tag)),
            25 => ("switch", self.switch()),
            26 => ("graft", self.graft()),
            27 => ("merge", self.merge()),
            28 | 29 => ("override", self.override_state()),
            30 => ("clear override", self.clear_override()),
            31 => ("rules", self.rules()),
            32 => ("edit policy", self.policy()),
            33 => ("re-process", self.reprocess()),
            34 | 35 => ("undo", self.undo(false)),
            36 => ("undo any", self.undo(true)),
            37 | 38 => ("redo", self.redo()),
            39 => ("trash", self.trash()),
            40 => ("restore", self.restore()),
            41 => ("import of a copy", self.import_copy()),
            42 => ("sync", self.sync()),
            _ => match self.dice.below(3) {
                0 => ("reload", self.reload()),
                _ => ("gc", self.collect()),
            },
        };
        self.looked_at = self.pick();
        (kind, changed)
    }

    /// Does an edit of a branch to both and writes it down.
    fn do_edit(&mut self, at: usize, change: &BranchEdit, mut after: Vec<Turn>, keeps: bool) -> bool {
        let before = self.refs[at].turns.clone();
        if keeps && self.manual {
            keep_states(&before, &mut after);
        }
        let done = self.engine.edit_branch(&owner(), self.story, self.refs[at].id, change, by());
        if after.is_empty() {
            assert!(matches!(done, Err(EngineError::EmptyPath)), "{done:?}");
            return false;
        }
        let edited = done.unwrap_or_else(|error| panic!("{change:?}: {error}"));
        self.write_down(at, &edited, before, after)
    }

    fn write_down(&mut self, at: usize, edited: &Edited, before: Vec<Turn>, after: Vec<Turn>) -> bool {
        let changed = before != after;
        self.refs[at].turns.clone_from(&after);
        let effect = Effect::List { before, after };
        self.refs[at].log.push(Entry { number: edited.operation, effect, undoes: None, redo: false });
        changed
    }

    fn new_turn(&mut self) -> (Turn, NewTurn) {
        let role = if self.dice.below(3) == 0 { Role::User } else { Role::Assistant };
        let page = self.page();
        let new = NewTurn { role, name: "x".into(), page: new_page(&page) };
        (Turn { role, hidden: false, active: 0, pages: vec![page] }, new)
    }

    fn append(&mut self) -> bool {
        let at = self.pick();
        let (turn, new) = self.new_turn();
        let mut after = self.refs[at].turns.clone();
        after.push(turn);
        self.do_edit(at, &BranchEdit::Append(new), after, false)
    }

    fn insert(&mut self) -> bool {
        let at = self.pick();
        let floor = self.dice.below(self.refs[at].turns.len() + 1);
        let (turn, new) = self.new_turn();
        let mut after = self.refs[at].turns.clone();
        after.insert(floor, turn);
        self.do_edit(at, &BranchEdit::Insert { floor, turn: new }, after, true)
    }

    fn add_page(&mut self) -> bool {
        let at = self.pick();
        let Some(floor) = self.pick_floor(at) else { return false };
        let page = self.page();
        let mut after = self.refs[at].turns.clone();
        after[floor].active = after[floor].pages.len();
        after[floor].pages.push(page.clone());
        self.leave(at, floor, page.id);
        self.do_edit(at, &BranchEdit::AddPage { floor, page: new_page(&page) }, after, false)
    }

    fn select(&mut self) -> bool {
        let at = self.pick();
        let Some((floor, index)) = self.pick_page(at) else { return false };
        let mut after = self.refs[at].turns.clone();
        after[floor].active = index;
        self.leave(at, floor, after[floor].pages[index].id);
        self.do_edit(at, &BranchEdit::Select { page: after[floor].pages[index].id }, after.clone(), true)
    }

    fn swipe(&mut self) -> bool {
        let at = self.pick();
        let Some((floor, index)) = self.pick_page(at) else { return false };
        let before = self.refs[at].turns.clone();
        let (left, page) = (before[floor].read().id, before[floor].pages[index].id);
        let mut after = before.clone();
        after[floor].active = index;
        self.leave(at, floor, page);
        if let Some(leaf) = self.refs[at].cursors.get(&page).filter(|_| left != page) {
            after.truncate(floor + 1);
            if leaf.get(floor).is_some_and(|turn| turn.read().id == page) {
                let there: HashSet<PageId> =
                    after.iter().flat_map(|turn| turn.pages.iter().map(|page| page.id)).collect();
                let free = |turn: &&Turn| !turn.pages.iter().any(|page| there.contains(&page.id));
                after.extend(leaf[floor + 1..].iter().filter(free).cloned());
            }
        }
        self.do_edit(at, &BranchEdit::Swipe { page }, after, false)
    }

    /// Notes where reading stood if another page is read from now on.
    fn leave(&mut self, at: usize, floor: usize, next: PageId) {
        let turns = self.refs[at].turns.clone();
        let left = turns[floor].read().id;
        if left != next {
            self.refs[at].cursors.insert(left, turns);
        }
    }

    fn edit(&mut self) -> bool {
        let at = self.pick();
        let Some((floor, index)) = self.pick_page(at) else { return false };
        let (text, doings) = self.text();
        let mut after = self.refs[at].turns.clone();
        let page = &mut after[floor].pages[index];
        *page = Page { text: text.clone(), doings, kept: None, ..page.clone() };
        let change = BranchEdit::Edit { page: page.id, text, keep: KeepText::InPlace };
        self.do_edit(at, &change, after, true)
    }

    fn edit_as_alternative(&mut self) -> bool {
        let at = self.pick();
        let Some((floor, index)) = self.pick_page(at) else { return false };
        let (text, doings) = self.text();
        let old = self.refs[at].turns[floor].pages[index].id;
        let change = BranchEdit::Edit { page: old, text: text.clone(), keep: KeepText::AsAlternative };
        // The engine gives the new page its id.
        let edited = self.engine.edit_branch(&owner(), self.story, self.refs[at].id, &change, by()).unwrap();
        let before = self.refs[at].turns.clone();
        let mut after = before.clone();
        let id = edited.page.unwrap();
        self.leave(at, floor, id);
        self.rules_seen.entry(id).or_default().insert(self.user_calls);
        after[floor].active = after[floor].pages.len();
        after[floor].pages.push(Page { id, text, doings, user_calls: self.user_calls, said: Vec::new(), kept: None });
        if self.manual {
            keep_states(&before, &mut after);
        }
        self.write_down(at, &edited, before, after)
    }

    fn edit_everywhere(&mut self) -> bool {
        let at = self.pick();
        let Some((floor, index)) = self.pick_page(at) else { return false };
        let (text, doings) = self.text();
        let id = self.refs[at].turns[floor].pages[index].id;
        let change = BranchEdit::Edit { page: id, text: text.clone(), keep: KeepText::OnAllBranches };
        let edited = self.engine.edit_branch(&owner(), self.story, self.refs[at].id, &change, by()).unwrap();
        let touched: Vec<usize> = self.live().collect();
        let mut numbers = self.operations_since(at, edited.operation);
        for other in touched {
            let before = self.refs[other].turns.clone();
            let mut after = before.clone();
            let pages = after.iter_mut().flat_map(|turn| &mut turn.pages);
            let Some(page) = pages.into_iter().find(|page| page.id == id) else { continue };
            *page = Page { text: text.clone(), doings: doings.clone(), kept: None, ..page.clone() };
            if self.manual {
                keep_states(&before, &mut after);
            }
            let number = numbers.remove(&self.refs[other].id).unwrap();
            self.refs[other].turns.clone_from(&after);
            let effect = Effect::List { before, after };
            self.refs[other].log.push(Entry { number, effect, undoes: None, redo: false });
        }
        true
    }

    /// The last operation of each live branch.
    fn operations_since(&self, _: usize, _: i64) -> HashMap<RefId, i64> {
        let last = |id: RefId| self.engine.log(&owner(), self.story, id, 1).unwrap()[0].0.id;
        self.live().map(|index| (self.refs[index].id, last(self.refs[index].id))).collect()
    }

    fn delete(&mut self) -> bool {
        let at = self.pick();
        let Some(floor) = self.pick_floor(at) else { return false };
        let count = 1 + self.dice.below(2).min(self.refs[at].turns.len() - floor - 1);
        let mut after = self.refs[at].turns.clone();
        after.drain(floor..floor + count);
        self.do_edit(at, &BranchEdit::Delete { floor, count }, after, true)
    }

    fn cut(&mut self) -> bool {
        let at = self.pick();
        let Some(floor) = self.pick_floor(at) else { return false };
        // Near the end, else nothing is left to play with.
        let floor = floor.max(self.refs[at].turns.len().saturating_sub(3));
        let mut after = self.refs[at].turns.clone();
        after.truncate(floor);
        self.do_edit(at, &BranchEdit::Cut { floor }, after, true)
    }

    fn delete_page(&mut self) -> bool {
        let at = self.pick();
        let Some((floor, index)) = self.pick_page(at) else { return false };
        let mut after = self.refs[at].turns.clone();
        let turn = &mut after[floor];
        let id = turn.pages.remove(index).id;
        if turn.pages.is_empty() {
            after.remove(floor);
        } else if turn.active > index || turn.active == turn.pages.len() {
            turn.active -= 1;
        }
        self.do_edit(at, &BranchEdit::DeletePage { page: id }, after, true)
    }

    fn keep_only(&mut self) -> bool {
        let at = self.pick();
        let Some((floor, index)) = self.pick_page(at) else { return false };
        let mut after = self.refs[at].turns.clone();
        let page = after[floor].pages[index].clone();
        let id = page.id;
        after[floor].pages = vec![page];
        after[floor].active = 0;
        self.do_edit(at, &BranchEdit::KeepOnly { page: id }, after, true)
    }

    fn move_turn(&mut self) -> bool {
        let at = self.pick();
        let (Some(from), Some(to)) = (self.pick_floor(at), self.pick_floor(at)) else { return false };
        let mut after = self.refs[at].turns.clone();
        let turn = after.remove(from);
        after.insert(to, turn);
        self.do_edit(at, &BranchEdit::Move { from, to }, after, true)
    }

    fn hide(&mut self) -> bool {
        let at = self.pick();
        let Some(floor) = self.pick_floor(at) else { return false };
        let mut after = self.refs[at].turns.clone();
        let hidden = !after[floor].hidden;
        after[floor].hidden = hidden;
        self.do_edit(at, &BranchEdit::Hide { floor, hidden }, after, false)
    }

    fn branch(&mut self, kind: RefKind) -> bool {
        if self.refs.len() >= 7 {
            return false;
        }
        let at = self.pick();
        let Some(floor) = self.pick_floor(at) else { return false };
        let switch = kind == RefKind::Branch && self.dice.below(3) == 0;
        let name = format!("支{}", self.refs.len());
        let from = self.refs[at].id;
        let made =
            self.engine.create_ref(&owner(), self.story, from, Some(floor), kind, &name, switch, CLIENT).unwrap();
        let log = self.engine.log(&owner(), self.story, made.id, 9).unwrap();
        let mut entries =
            vec![Entry { number: log.last().unwrap().0.id, effect: Effect::Created, undoes: None, redo: false }];
        let index = self.refs.len();
        if switch {
            let effect = Effect::Switched { before: self.current, after: index };
            entries.push(Entry { number: log[0].0.id, effect, undoes: None, redo: false });
            self.current = index;
        }
        self.refs.push(ModelRef {
            id: made.id,
            name,
            kind,
            trashed: false,
            turns: self.refs[at].turns[..=floor].to_vec(),
            origin: Some(at),
            log: entries,
            cursors: HashMap::new(),
            chat: None,
            hosted: self.refs[at].hosted,
            was_current: false,
        });
        true
    }

    fn switch(&mut self) -> bool {
        let at = self.pick();
        let number = self.engine.switch_branch(&owner(), self.story, self.refs[at].id, CLIENT).unwrap();
        let effect = Effect::Switched { before: self.current, after: at };
        self.refs[at].log.push(Entry { number, effect, undoes: None, redo: false });
        let changed = self.current != at;
        self.current = at;
        changed
    }

    fn graft(&mut self) -> bool {
        let (at, other) = (self.pick(), self.dice.below(self.refs.len()));
        let Some(first) = self.pick_floor(other) else { return false };
        let count = 1 + self.dice.below(2).min(self.refs[other].turns.len() - first - 1);
        let floor = self.dice.below(self.refs[at].turns.len() + 1);
        let mut after = self.refs[at].turns.clone();
        let there: HashSet<PageId> = after.iter().flat_map(|turn| turn.pages.iter().map(|page| page.id)).collect();
        let grafted = self.refs[other].turns[first..first + count].to_vec();
        let twice = grafted.iter().flat_map(|turn| &turn.pages).any(|page| there.contains(&page.id));
        after.splice(floor..floor, grafted);
        let change = BranchEdit::Graft { from: self.refs[other].id, first, count, floor };
        if twice {
            let done = self.engine.edit_branch(&owner(), self.story, self.refs[at].id, &change, by());
            assert!(matches!(done, Err(EngineError::Edit(_))), "{done:?}");
            return false;
        }
        self.refs[at].hosted |= self.refs[other].hosted;
        self.do_edit(at, &change, after, true)
    }

    fn merge(&mut self) -> bool {
        let (into, from) = (self.pick(), self.pick());
        let apart = |model: &ModelRef| model.hosted || model.turns.is_empty();
        if into == from || apart(&self.refs[into]) || apart(&self.refs[from]) {
            return false;
        }
        let [ours, theirs] = [into, from].map(|index| &self.refs[index].turns);
        let shared = ours.iter().zip(theirs).take_while(|(one, other)| one == other).count();
        let base = naive::states(&ours[..shared]).pop().unwrap_or_default();
        let [own, other] = [ours, theirs].map(|turns| naive::states(turns).pop().unwrap());
        let (ids, prefer) = ((self.refs[into].id, self.refs[from].id), Prefer::Ours);
        let (edited, preview) = self.engine.merge_state(&owner(), self.story, ids.0, ids.1, prefer, by()).unwrap();
        let saved = plain(&preview.state);
        let mut sorted = [saved.clone(), naive::merged(&base, &own, &other)];
        sorted.iter_mut().for_each(|state| state.sort());
        assert_eq!(sorted[0], sorted[1], "merged from {base:?}, {own:?}, {other:?}");
        let before = self.refs[into].turns.clone();
        let mut after = before.clone();
        let last = after.len() - 1;
        say(&mut after, last, None, &saved);
        self.write_down(into, &edited, before, after)
    }

    fn override_state(&mut self) -> bool {
        let at = self.pick();
        let Some((floor, index)) = self.pick_page(at) else { return false };
        let before = self.refs[at].turns.clone();
        let mut after = before.clone();
        let above = floor.checked_sub(1).map_or_else(Plain::new, |above| naive::states(&before)[above].clone());
        let turn = &before[floor];
        let mut saved = naive::computed(&above, &turn.pages[index], turn.role);
        for _ in 0..=self.dice.below(2) {
            let key = KEYS[self.dice.below(KEYS.len())];
            let new = (self.dice.below(4) > 0).then(|| self.dice.below(100) as i64 + 100);
            saved = naive::corrected(&saved, key, new);
        }
        say(&mut after, floor, Some(index), &saved);
        let state = json::read(&naive::json(&saved)).unwrap();
        let change = BranchEdit::Override { page: turn.pages[index].id, state };
        self.do_edit(at, &change, after, false)
    }

    fn clear_override(&mut self) -> bool {
        let at = self.pick();
        let Some((floor, index)) = self.pick_page(at) else { return false };
        let mut after = self.refs[at].turns.clone();
        let page = &mut after[floor].pages[index];
        (page.said, page.kept) = (Vec::new(), None);
        let change = BranchEdit::ClearOverride { page: page.id };
        self.do_edit(at, &change, after, false)
    }

    fn rules(&mut self) -> bool {
        let rules = Rules { user_calls: !self.user_calls, ..Rules::default() };
        let number = self.engine.change_rules(&owner(), self.story, &rules, CLIENT).unwrap();
        let effect = Effect::Rules { before: self.user_calls, after: !self.user_calls };
        self.user_calls = !self.user_calls;
        self.refs[self.current].log.push(Entry { number, effect, undoes: None, redo: false });
        true
    }

    fn policy(&mut self) -> bool {
        let edit_policy = if self.manual { EditPolicy::Auto } else { EditPolicy::Manual };
        let number = self.engine.change_settings(&owner(), self.story, Settings { edit_policy }, CLIENT).unwrap();
        let effect = Effect::Policy { before: self.manual, after: !self.manual };
        self.manual = !self.manual;
        self.refs[self.current].log.push(Entry { number, effect, undoes: None, redo: false });
        true
    }

    fn reprocess(&mut self) -> bool {
        let at = self.pick();
        let (Some(from), Some(to)) = (self.pick_floor(at), self.pick_floor(at)) else { return false };
        let to = (to > from).then_some(to);
        let before = self.refs[at].turns.clone();
        let mut after = before.clone();
        let end = to.unwrap_or(after.len());
        for page in after[from..end].iter_mut().flat_map(|turn| &mut turn.pages) {
            (page.user_calls, page.kept) = (self.user_calls, None);
            self.rules_seen.entry(page.id).or_default().insert(self.user_calls);
        }
        let mut request = Reprocess { from, to, what_if: None, dry_run: true };
        let id = self.refs[at].id;
        let dry = self.engine.reprocess(&owner(), self.story, id, &request, CLIENT).unwrap();
        assert_eq!(dry.operation, None, "a dry run writes nothing");
        request.dry_run = false;
        let done = self.engine.reprocess(&owner(), self.story, id, &request, CLIENT).unwrap();
        assert_eq!(dry.changed, done.changed, "a dry run tells the truth");
        let [old, new] = [&before, &after].map(|turns| naive::states(turns));
        let wanted: Vec<usize> = (from..old.len()).filter(|floor| old[*floor] != new[*floor]).collect();
        assert_eq!(done.changed.iter().map(|change| change.floor).collect::<Vec<_>>(), wanted);
        let changed = before != after;
        self.refs[at].turns.clone_from(&after);
        let effect = Effect::List { before, after };
        self.refs[at].log.push(Entry { number: done.operation.unwrap(), effect, undoes: None, redo: false });
        changed
    }

    fn trash(&mut self) -> bool {
        let at = self.dice.below(self.refs.len());
        if self.refs[at].trashed {
            return false;
        }
        let last = self.refs[at].kind == RefKind::Branch && self.live().count() == 1;
        let done = self.engine.trash_ref(&owner(), self.story, self.refs[at].id, CLIENT);
        if last {
            assert!(matches!(done, Err(EngineError::LastBranch)));
            return false;
        }
        self.refs[at].log.push(Entry { number: done.unwrap(), effect: Effect::Trashed, undoes: None, redo: false });
        self.thrown_away(at);
        true
    }

    /// Who read it reads where it came from, or another branch that is there.
    fn thrown_away(&mut self, at: usize) {
        self.refs[at].trashed = true;
        self.refs[at].was_current = self.current == at;
        if self.current != at {
            return;
        }
        let id = self.engine.current_branch(&owner(), self.story).unwrap().unwrap();
        let next = self.refs.iter().position(|model| model.id == id).unwrap();
        let origin = self.refs[at].origin.filter(|origin| self.live().any(|live| live == *origin));
        assert!(origin.is_none_or(|origin| origin == next), "it came from another one");
        assert!(self.live().any(|live| live == next));
        self.current = next;
    }

    fn restore(&mut self) -> bool {
        let Some(at) = self.refs.iter().position(|model| model.trashed) else { return false };
        let number = self.engine.restore_ref(&owner(), self.story, self.refs[at].id, CLIENT).unwrap();
        self.refs[at].trashed = false;
        self.refs[at].log.push(Entry { number, effect: Effect::Restored, undoes: None, redo: false });
        true
    }

    /// Entries with whether they were taken back, the newest first.
    fn log(&self, at: usize) -> Vec<(Entry, bool)> {
        let mut undone = HashSet::new();
        let mut entries = Vec::new();
        for entry in self.refs[at].log.iter().rev() {
            let was = undone.contains(&entry.number);
            if let Some(taken_back) = entry.undoes.filter(|_| !was) {
                undone.insert(taken_back);
            }
            entries.push((entry.clone(), was));
        }
        entries
    }

    fn undo(&mut self, any: bool) -> bool {
        let at = self.dice.below(self.refs.len());
        let log = self.log(at);
        let done = |(entry, undone): &&(Entry, bool)| !undone && entry.undoes.is_none();
        let candidates: Vec<Entry> = log.iter().filter(done).map(|(entry, _)| entry.clone()).collect();
        let wanted = if any { self.dice.below(candidates.len().max(1)) } else { 0 };
        let number = any.then(|| candidates.get(wanted).map(|entry| entry.number)).flatten();
        let result = self.engine.undo(&owner(), self.story, self.refs[at].id, number, CLIENT);
        let Some(entry) = candidates.get(wanted) else {
            assert!(matches!(result, Err(EngineError::NothingToUndo)), "{result:?}");
            return false;
        };
        self.take_back(at, entry, result, false)
    }

    fn redo(&mut self) -> bool {
        let at = self.dice.below(self.refs.len());
        let mut wanted = None;
        for (entry, undone) in self.log(at) {
            if entry.undoes.is_some() && !entry.redo && !undone {
                wanted = Some(entry);
                break;
            }
            if entry.undoes.is_none() && !undone {
                break;
            }
        }
        let result = self.engine.redo(&owner(), self.story, self.refs[at].id, None, CLIENT);
        let Some(entry) = wanted else {
            assert!(matches!(result, Err(EngineError::NothingToRedo)), "{result:?}");
            return false;
        };
        self.take_back(at, &entry, result, true)
    }

    /// Takes an entry back in the naive way, if the engine could.
    fn take_back(&mut self, at: usize, entry: &Entry, result: Result<Edited, EngineError>, redo: bool) -> bool {
        let model = &self.refs[at];
        let last = model.kind == RefKind::Branch && !model.trashed && self.live().count() == 1;
        let effect = match (&entry.effect, &result) {
            (Effect::List { before, after }, Ok(_)) => {
                assert!(!before.is_empty(), "a branch is never left without a floor");
                let now = if model.turns == *after {
                    before.clone()
                } else {
                    let found = self.engine.turns(&owner(), self.story, model.id).unwrap();
                    let ids: Vec<PageId> = found.iter().map(|(turn, _)| turn.pages[turn.active].page).collect();
                    without(&model.turns, before, after, &ids)
                };
                Effect::List { before: model.turns.clone(), after: now }
            }
            (Effect::List { before, after }, Err(error)) => {
                let simple = model.turns == *after && !before.is_empty();
                assert!(!simple, "nothing was in the way: {error}");
                return false;
            }
            (Effect::Created | Effect::Restored, Ok(_)) => Effect::Trashed,
            (Effect::Created | Effect::Restored, Err(error)) => {
                assert!(last || model.trashed || model.turns.is_empty(), "{error}");
                return false;
            }
            (Effect::Trashed, result) => {
                if result.is_err() {
                    assert!(model.turns.is_empty(), "{result:?}");
                    return false;
                }
                Effect::Restored
            }
            (Effect::Rules { before, after }, Ok(_)) => {
                assert_eq!(self.user_calls, *after);
                Effect::Rules { before: *after, after: *before }
            }
            (Effect::Rules { after, .. }, Err(error)) => {
                assert!(self.user_calls != *after || model.turns.is_empty(), "{error}");
                return false;
            }
            (Effect::Policy { before, after }, Ok(_)) => {
                assert_eq!(self.manual, *after);
                Effect::Policy { before: *after, after: *before }
            }
            (Effect::Policy { after, .. }, Err(error)) => {
                assert!(self.manual != *after || model.turns.is_empty(), "{error}");
                return false;
            }
            (Effect::Switched { before, after }, Ok(_)) => {
                assert_eq!(self.current, *after);
                Effect::Switched { before: *after, after: *before }
            }
            (Effect::Switched { before, after }, Err(error)) => {
                let gone = self.refs[*before].trashed;
                assert!(self.current != *after || gone || model.turns.is_empty(), "{error}");
                return false;
            }
        };
        let number = result.unwrap().operation;
        match &effect {
            Effect::List { after, .. } => self.refs[at].turns.clone_from(after),
            Effect::Trashed => self.thrown_away(at),
            Effect::Restored => {
                self.refs[at].trashed = false;
                if self.refs[at].was_current {
                    self.current = at;
                }
            }
            Effect::Rules { after, .. } => self.user_calls = *after,
            Effect::Policy { after, .. } => self.manual = *after,
            Effect::Switched { after, .. } => self.current = *after,
            Effect::Created => unreachable!("nothing is created by taking something back"),
        }
        self.refs[at].log.push(Entry { number, effect, undoes: Some(entry.number), redo });
        true
    }

    /// Exports a branch and reads the file as another chat of the same story.
    fn import_copy(&mut self) -> bool {
        let at = self.pick();
        let plain = |page: &Page| {
            page.said.is_empty()
                && page.kept.is_none()
                && self.rules_seen.get(&page.id).is_some_and(|seen| seen.len() == 1)
        };
        let model = &self.refs[at];
        if self.refs.len() >= 7 || model.turns.is_empty() || !model.turns.iter().flat_map(|turn| &turn.pages).all(plain)
        {
            return false;
        }
        let file = self.engine.export(&owner(), self.story, model.id).unwrap();
        self.minted += 1;
        let mut bytes = [9; 16];
        bytes[..8].copy_from_slice(&self.minted.to_le_bytes());
        let chat = ChatId::from_random(bytes);
        let header = format!("{{\"chat_metadata\":{{\"storeyline\":{{\"chat\":\"{chat}\"}}}}}}");
        let messages = file.split_once('\n').unwrap().1;
        let name = format!("副本{}", self.refs.len());
        let request = ImportRequest {
            text: format!("{header}\n{messages}"),
            file: name.clone(),
            title: String::new(),
            card: None,
            world_books: Vec::new(),
            into: Some(self.story),
            allow_functions: false,
        };
        let imported = self.engine.import(&owner(), &request).unwrap();
        assert_eq!((imported.story, imported.new_pages), (self.story, 0));
        let log = self.engine.log(&owner(), self.story, imported.branch, 9).unwrap();
        let turns = self.refs[at].turns.clone();
        assert_eq!(log.len(), 1, "made where it stands");
        self.refs.push(ModelRef {
            id: imported.branch,
            name,
            kind: RefKind::Branch,
            trashed: false,
            turns,
            origin: None,
            log: vec![Entry { number: log[0].0.id, effect: Effect::Created, undoes: None, redo: false }],
            cursors: HashMap::new(),
            chat: Some(chat),
            hosted: true,
            was_current: false,
        });
        true
    }

    /// A host shows its chat after something was done to it there.
    fn sync(&mut self) -> bool {
        let bound: Vec<usize> = self.live().filter(|index| self.refs[*index].chat.is_some()).collect();
        if bound.is_empty() {
            return self.import_copy();
        }
        let at = bound[self.dice.below(bound.len())];
        let before = self.refs[at].turns.clone();
        let mut after = before.clone();
        let floor = self.dice.below(after.len());
        match self.dice.below(4) {
            0 if after.len() > 1 => {
                after.remove(floor);
            }
            1 => {
                let (text, doings) = self.text();
                let active = after[floor].active;
                let page = &mut after[floor].pages[active];
                *page = Page { text, doings, kept: None, ..page.clone() };
            }
            2 => {
                let page = self.page();
                after[floor].active = after[floor].pages.len();
                after[floor].pages.push(page);
            }
            _ => {
                let (turn, _) = self.new_turn();
                after.push(turn);
            }
        }
        let story = self.engine.story(&owner(), self.story).unwrap();
        let line = story.refs.iter().find(|line| line.branch.id == self.refs[at].id).unwrap();
        let changed = |turn: &&Turn| !before.contains(turn);
        let request = SyncRequest {
            chat: self.refs[at].chat.unwrap(),
            client: "host".into(),
            seq: self.minted as i64,
            base: line.node,
            keep: Keep::default(),
            tail: after.iter().map(row).collect(),
            messages: after.iter().filter(changed).map(message).collect(),
            have: None,
            names: Names::default(),
        };
        if self.manual {
            keep_states(&before, &mut after);
        }
        let answer = self.engine.sync(&owner(), &request).unwrap();
        assert!(answer.need.is_empty() && answer.apply.is_empty() && answer.notices.is_empty(), "{answer:?}");
        let number = self.engine.log(&owner(), self.story, self.refs[at].id, 1).unwrap()[0].0.id;
        let moved = self.refs[at].log.last().is_none_or(|entry| entry.number != number);
        self.refs[at].turns.clone_from(&after);
        if moved {
            let effect = Effect::List { before: before.clone(), after: after.clone() };
            self.refs[at].log.push(Entry { number, effect, undoes: None, redo: false });
        }
        assert!(moved || before == after);
        moved
    }

    fn reload(&mut self) -> bool {
        let Some(folder) = &self.folder else { return false };
        self.engine = Engine::open(folder.path()).unwrap().with_durability(Durability::Normal);
        true
    }

    fn collect(&mut self) -> bool {
        // Sometimes nothing older than now can be undone any more.
        let all = self.dice.below(4) == 0;
        let request = Collect { dry_run: true, trash_days: 30, undo_days: if all { -1 } else { 90 } };
        let dry = self.engine.collect(&owner(), request).unwrap();
        let done = self.engine.collect(&owner(), Collect { dry_run: false, ..request }).unwrap();
        assert_eq!(dry, done, "a dry run tells the truth");
        if all {
            for model in &mut self.refs {
                // The last one stays, with what it took back.
                let mut held = HashSet::new();
                let mut next = model.log.last().map(|entry| entry.number);
                while let Some(number) = next {
                    held.insert(number);
                    next = model.log.iter().find(|entry| entry.number == number).and_then(|entry| entry.undoes);
                }
                let gone = model.log.iter().rposition(|entry| !held.contains(&entry.number));
                model.log.drain(..gone.map_or(0, |gone| gone + 1));
            }
        }
        done != Default::default()
    }
}

fn new_page(page: &Page) -> NewPage {
    NewPage { page: Some(page.id), text: page.text.clone(), time: Some(TIME) }
}

fn row(turn: &Turn) -> Row {
    Row {
        role: turn.role,
        name: "x".into(),
        hidden: turn.hidden,
        active: turn.active,
        pages: turn.pages.iter().map(|page| (page.id, text::hash(&page.text))).collect(),
    }
}

fn message(turn: &Turn) -> Value {
    let fields = host_message::plain_fields(turn.role, "x");
    let pages: Vec<_> = turn.pages.iter().map(|page| PageToWrite { id: page.id, text: &page.text }).collect();
    host_message::write(&fields, &pages, turn.active, turn.hidden)
}

fn plain(state: &Value) -> Plain {
    let entries = state.as_object().unwrap().iter();
    entries.map(|(key, value)| (key.to_string(), value.as_number().unwrap().as_i64().unwrap())).collect()
}

/// Lets every page that was read before keep the state that it had.
fn keep_states(before: &[Turn], after: &mut [Turn]) {
    let states: HashMap<PageId, Plain> =
        before.iter().zip(naive::states(before)).map(|(turn, state)| (turn.read().id, state)).collect();
    let unchanged = before.iter().zip(after.iter()).take_while(|(before, after)| before == after).count();
    for turn in &mut after[unchanged..] {
        if let Some(state) = states.get(&turn.read().id) {
            let active = turn.active;
            turn.pages[active].kept = Some(state.clone());
        }
    }
}

/// Says what the state of a page is (nothing: of the page that is read).
fn say(turns: &mut [Turn], floor: usize, index: Option<usize>, saved: &Plain) {
    let above = floor.checked_sub(1).map_or_else(Plain::new, |above| naive::states(turns)[above].clone());
    let role = turns[floor].role;
    let index = index.unwrap_or(turns[floor].active);
    let page = &mut turns[floor].pages[index];
    page.kept = None;
    page.said = naive::said(&naive::computed(&above, page, role), saved);
}

/// The present list with one change taken out of it: turns that nothing later touched are as before.
fn without(now: &[Turn], before: &[Turn], after: &[Turn], ids: &[PageId]) -> Vec<Turn> {
    let same =
        |turns: &[Turn], id: PageId| turns.iter().find(|turn| turn.pages.iter().any(|page| page.id == id)).cloned();
    let pick = |id: &PageId| {
        let (present, then) = (same(now, *id), same(after, *id));
        if present == then { same(before, *id).or(present) } else { present.or_else(|| same(before, *id)) }
    };
    ids.iter().map(|id| pick(id).unwrap()).collect()
}
