//! 2,000 random histories against a plain list of full copies: every version of a branch keeps its
//! list and its states, whatever is done to later versions, and only new work is evaluated.

use std::collections::HashMap;
use std::sync::Arc;

use proptest::prelude::*;
use storeyline_functions::Incomplete;
use storeyline_functions::script::NoScripts;
use storeyline_state::{NodeId, Object, PageId, StateHash, StoryId, Value, ValueHash, json, text};

use crate::body::{Body, Role};
use crate::edit::Edit;
use crate::evaluate::{Evaluation, Page, evaluate};
use crate::keys::{NodeKey, PageKey, StateKey, TurnKey};
use crate::node::{self, NewNode, Node, NodeTable, NodeWriter, ancestor, put_path};
use crate::path_states::{Inputs, MemoKey, StateTable, StateWriter, fill_states};
use crate::rules::Rules;
use crate::turn::{Listed, Turn, TurnPage};

/// Makes a turn from a short name: `b+c` has two pages, the last is active; `a'` is page a,
/// rewritten.
pub(crate) fn turn(name: &str) -> Turn {
    let pages: Vec<TurnPage> = name
        .split('+')
        .map(|page| {
            let mut id = [0; 16];
            id[0] = page.as_bytes()[0];
            let body = ValueHash::from_bytes(*blake3::hash(page.as_bytes()).as_bytes());
            TurnPage { page: PageId::from_random(id), text: text::hash(page), body, at: PageKey(0) }
        })
        .collect();
    Turn { role: Role::Assistant, name: "x".into(), hidden: false, active: pages.len() - 1, pages, host: None }
}

/// A store in memory. A key is an index of a list.
#[derive(Default)]
struct MemoryStore {
    nodes: Vec<Node>,
    names: HashMap<NodeId, NodeKey>,
    turns: Vec<Turn>,
    pages: Vec<(Body, String)>,
    memos: HashMap<[u8; 32], StateKey>,
    states: Vec<Value>,
    /// Rules that are not the default ones.
    rules: HashMap<ValueHash, Arc<Rules>>,
    /// Number of node lookups.
    lookups: std::cell::Cell<usize>,
}

fn place(key: i64) -> usize {
    usize::try_from(key).unwrap()
}

impl NodeTable for MemoryStore {
    type Error = Incomplete;

    fn node(&self, key: NodeKey) -> Result<Node, Incomplete> {
        self.lookups.set(self.lookups.get() + 1);
        Ok(self.nodes[place(key.0)].clone())
    }

    fn find_node(&self, id: NodeId) -> Result<Option<Node>, Incomplete> {
        self.names.get(&id).map(|key| self.node(*key)).transpose()
    }

    fn turn(&self, key: TurnKey) -> Result<Turn, Incomplete> {
        Ok(self.turns[place(key.0)].clone())
    }
}

impl NodeWriter for MemoryStore {
    fn insert_node(&mut self, node: &NewNode) -> Result<NodeKey, Incomplete> {
        let key = NodeKey(self.nodes.len() as i64);
        let NewNode { id, parent, jump, depth, turn, digest, reading } = node.clone();
        assert!(self.names.insert(id, key).is_none(), "nodes never change");
        self.nodes.push(Node { key, id, parent, jump, depth, turn: Some(turn), digest, reading, state: None });
        Ok(key)
    }

    fn put_turn(&mut self, turn: &Turn) -> Result<TurnKey, Incomplete> {
        self.turns.push(turn.clone());
        Ok(TurnKey(self.turns.len() as i64 - 1))
    }
}

impl StateTable for MemoryStore {
    fn inputs(&self, page: PageKey) -> Result<Inputs, Incomplete> {
        let body = self.pages[place(page.0)].0.clone();
        let rules = self.rules.get(&body.rules).cloned().unwrap_or_default();
        Ok(Inputs { body, rules })
    }

    fn page_text(&self, page: PageKey) -> Result<String, Incomplete> {
        Ok(self.pages[place(page.0)].1.clone())
    }

    fn memo(&self, key: MemoKey) -> Result<Option<StateKey>, Incomplete> {
        Ok(self.memos.get(key.as_bytes()).copied())
    }

    fn state_hash(&self, key: StateKey) -> Result<StateHash, Incomplete> {
        Ok(self.state(key)?.hash())
    }

    fn state(&self, key: StateKey) -> Result<Value, Incomplete> {
        Ok(self.states[place(key.0)].clone())
    }

    fn kept_state(&self, _: PageKey) -> Result<Value, Incomplete> {
        unreachable!("no page of these tests keeps its state")
    }
}

impl StateWriter for MemoryStore {
    fn evaluate(&mut self, _: MemoKey, before: &Value, page: &Page<'_>) -> Result<Evaluation, Incomplete> {
        evaluate(before, page, &mut NoScripts)
    }

    fn set_state_of(&mut self, node: NodeKey, state: StateKey) -> Result<(), Incomplete> {
        assert!(self.nodes[place(node.0)].state.replace(state).is_none(), "a state is written once");
        Ok(())
    }

    fn put_first_state(&mut self, key: MemoKey, state: &Value) -> Result<StateKey, Incomplete> {
        self.states.push(state.clone());
        let state = StateKey(self.states.len() as i64 - 1);
        assert!(self.memos.insert(*key.as_bytes(), state).is_none(), "a first state is kept once");
        Ok(state)
    }

    fn put_evaluation(&mut self, key: MemoKey, base: StateKey, evaluation: Evaluation) -> Result<StateKey, Incomplete> {
        let mut again = self.state(base)?;
        for op in evaluation.trace.ops() {
            op.apply(&mut again).expect("recorded ops fit their base");
        }
        assert_eq!(again, evaluation.state, "base and ops give the state");
        self.states.push(again);
        let state = StateKey(self.states.len() as i64 - 1);
        assert!(self.memos.insert(*key.as_bytes(), state).is_none(), "nothing is evaluated twice");
        Ok(state)
    }
}

impl MemoryStore {
    fn put_page(&mut self, page: PageId, role: Role, text: &str) -> TurnPage {
        let hash = text::hash(text);
        let body =
            Body { role, speaker: "x".into(), user: "u".into(), character: "c".into(), ..Body::lone_reply(hash) };
        let body_hash = body.hash();
        self.pages.push((body, text.to_owned()));
        TurnPage { page, text: hash, body: body_hash, at: PageKey(self.pages.len() as i64 - 1) }
    }

    /// Stores a version of a page under other rules.
    fn put_under(&mut self, page: &TurnPage, rules: &Rules) -> TurnPage {
        let hash = ValueHash::of(json::write(&rules.to_value()).as_bytes());
        self.rules.insert(hash, Arc::new(rules.clone()));
        let (body, text) = self.pages[place(page.at.0)].clone();
        let body = Body { rules: hash, ..body };
        let body_hash = body.hash();
        self.pages.push((body, text));
        TurnPage { body: body_hash, at: PageKey(self.pages.len() as i64 - 1), ..*page }
    }

    fn put(&mut self, root: NodeKey, turns: &[Listed]) -> NodeKey {
        put_path(self, root, turns).unwrap()
    }
}

/// What a random text does, for the parser and for the plain model.
#[derive(Debug, Clone)]
enum Doing {
    Set(u8, i64),
    Add(u8, i64),
    Unset(u8),
}

type Plain = Vec<(String, i64)>;

fn key(number: u8) -> String {
    ["金币", "hp", "7", "2", "b"][usize::from(number % 5)].to_owned()
}

fn script(doings: &[Doing], salt: u32) -> String {
    let calls = doings.iter().map(|doing| match doing {
        Doing::Set(at, value) => format!("@.SET(\"{}\", {value});", key(*at)),
        Doing::Add(at, value) => format!("@.ADD(\"{}\", {value});", key(*at)),
        Doing::Unset(at) => format!("@.UNSET(\"{}\");", key(*at)),
    });
    format!("{salt} {}", calls.collect::<Vec<_>>().join(" and "))
}

fn do_plainly(state: &mut Plain, doing: &Doing) {
    match doing {
        Doing::Set(at, value) => put_plainly(state, key(*at), *value),
        Doing::Add(at, value) => {
            let old = state.iter().find(|(own, _)| *own == key(*at)).map_or(0, |(_, value)| *value);
            put_plainly(state, key(*at), old + value);
        }
        Doing::Unset(at) => state.retain(|(own, _)| *own != key(*at)),
    }
}

fn put_plainly(state: &mut Plain, name: String, value: i64) {
    match state.iter_mut().find(|(own, _)| *own == name) {
        Some(entry) => entry.1 = value,
        None => state.push((name, value)),
    }
}

/// JavaScript's order, computed the slow way.
fn plain_json(state: &Plain) -> String {
    let mut numbers: Vec<_> = state.iter().filter(|(name, _)| name.parse::<u32>().is_ok()).collect();
    numbers.sort_by_key(|(name, _)| name.parse::<u32>().unwrap());
    let words = state.iter().filter(|(name, _)| name.parse::<u32>().is_err());
    let entries: Vec<_> = numbers.into_iter().chain(words).map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", entries.join(","))
}

#[derive(Debug, Clone)]
struct PlainPage {
    id: PageId,
    role: Role,
    doings: Vec<Doing>,
    text: String,
}

#[derive(Debug, Clone)]
struct PlainTurn {
    pages: Vec<PlainPage>,
    active: usize,
    hidden: bool,
}

fn plain_states(turns: &[PlainTurn]) -> Vec<String> {
    let mut state = Plain::new();
    let mut states = Vec::new();
    for turn in turns {
        let page = &turn.pages[turn.active];
        if page.role == Role::Assistant {
            page.doings.iter().for_each(|doing| do_plainly(&mut state, doing));
        }
        states.push(plain_json(&state));
    }
    states
}

fn to_turns(store: &mut MemoryStore, plain: &[PlainTurn]) -> Vec<Listed> {
    let mut turns = Vec::new();
    for turn in plain {
        let pages = turn.pages.iter().map(|page| store.put_page(page.id, page.role, &page.text)).collect();
        let turn = Turn {
            role: turn.pages[0].role,
            name: "x".into(),
            hidden: turn.hidden,
            active: turn.active,
            pages,
            host: None,
        };
        turns.push(turn.into());
    }
    turns
}

#[derive(Debug, Clone)]
struct Random {
    kind: u8,
    at: usize,
    other: usize,
    doings: Vec<Doing>,
    user: bool,
}

fn any_random() -> impl Strategy<Value = Random> {
    let doing = prop_oneof![
        (any::<u8>(), -9i64..9).prop_map(|(at, value)| Doing::Set(at, value)),
        (any::<u8>(), -9i64..9).prop_map(|(at, value)| Doing::Add(at, value)),
        any::<u8>().prop_map(Doing::Unset),
    ];
    (0u8..12, any::<usize>(), any::<usize>(), prop::collection::vec(doing, 0..4), prop::bool::weighted(0.3))
        .prop_map(|(kind, at, other, doings, user)| Random { kind, at, other, doings, user })
}

/// Makes one random change to the plain list and returns the same change as an [`Edit`].
fn mutate(store: &mut MemoryStore, plain: &mut Vec<PlainTurn>, random: &Random, count: u32) -> Option<Edit> {
    let mut id = [0; 16];
    id[..4].copy_from_slice(&count.to_le_bytes());
    let role = if random.user { Role::User } else { Role::Assistant };
    let page = |role| PlainPage {
        id: PageId::from_random(id),
        role,
        doings: random.doings.clone(),
        text: script(&random.doings, count),
    };
    let length = plain.len();
    if length == 0 || random.kind < 4 {
        // Mostly appends, as in real stories.
        let floor = if random.kind < 3 { length } else { random.at % (length + 1) };
        plain.insert(floor, PlainTurn { pages: vec![page(role)], active: 0, hidden: false });
        let turns = to_turns(store, &plain[floor..=floor]);
        return Some(Edit::Insert { floor, turns });
    }
    let floor = random.at % length;
    let index = random.other % plain[floor].pages.len();
    Some(match random.kind {
        4 => {
            plain.remove(floor);
            Edit::Delete { floor, count: 1 }
        }
        5 => {
            let to = random.other % length;
            let turn = plain.remove(floor);
            plain.insert(to, turn);
            Edit::Move { from: floor, to }
        }
        6 => {
            plain[floor].active = index;
            Edit::Select { floor, page: plain[floor].pages[index].id }
        }
        7 | 8 => {
            let old = &mut plain[floor].pages[index];
            *old = PlainPage { id: old.id, ..page(old.role) };
            Edit::Rewrite { floor, page: store.put_page(old.id, old.role, &old.text) }
        }
        9 => {
            let role = plain[floor].pages[0].role;
            plain[floor].pages.push(page(role));
            plain[floor].active = plain[floor].pages.len() - 1;
            let added = plain[floor].pages.last().unwrap();
            Edit::AddPage { floor, page: store.put_page(added.id, added.role, &added.text) }
        }
        10 => {
            let id = plain[floor].pages[index].id;
            plain[floor].pages.remove(index);
            let turn = &mut plain[floor];
            if turn.pages.is_empty() {
                plain.remove(floor);
            } else if turn.active > index || turn.active == turn.pages.len() {
                turn.active -= 1;
            }
            Edit::DeletePage { floor, page: id }
        }
        _ => {
            plain[floor].hidden = !plain[floor].hidden;
            Edit::Hide { floor, hidden: plain[floor].hidden }
        }
    })
}

fn check_version(store: &MemoryStore, head: NodeKey, plain: &[PlainTurn]) {
    let nodes = store.path_below(head, 0).unwrap();
    assert_eq!(nodes.len(), plain.len());
    let states = plain_states(plain);
    for (floor, node) in nodes.iter().enumerate() {
        let turn = store.turn(node.turn.unwrap()).unwrap();
        let ids: Vec<_> = plain[floor].pages.iter().map(|page| (page.id, text::hash(&page.text))).collect();
        assert_eq!(turn.pages.iter().map(|page| (page.page, page.text)).collect::<Vec<_>>(), ids);
        assert_eq!((turn.active, turn.hidden), (plain[floor].active, plain[floor].hidden));
        assert_eq!(json::write(&store.state(node.state.unwrap()).unwrap()), states[floor], "state at floor {floor}");
        let found = ancestor(store, head, floor + 1).unwrap();
        assert_eq!(found.unwrap().key, node.key, "climbing finds floor {floor}");
    }
}

fn new_shelf() -> (MemoryStore, NodeKey) {
    let mut store = MemoryStore::default();
    let (key, id) = (NodeKey(0), node::root_id(StoryId::from_random([1; 16])));
    let root = Node {
        key,
        id,
        parent: key,
        jump: key,
        depth: 0,
        turn: None,
        digest: None,
        reading: Default::default(),
        state: None,
    };
    store.nodes.push(root);
    (store, key)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn histories_agree_with_a_plain_list_of_full_copies(randoms in prop::collection::vec(any_random(), 1..40)) {
        let (mut store, root) = new_shelf();
        let mut plain: Vec<PlainTurn> = Vec::new();
        let mut turns: Vec<Listed> = Vec::new();
        let mut versions: Vec<(NodeKey, Vec<PlainTurn>)> = Vec::new();
        for (count, random) in randoms.iter().enumerate() {
            let Some(edit) = mutate(&mut store, &mut plain, random, count as u32) else { continue };
            turns = edit.apply(turns, 0).unwrap();
            let head = store.put(root, &turns);
            let before = store.nodes.len();
            prop_assert_eq!(store.put(root, &turns), head, "writing again gives the same node");
            prop_assert_eq!(store.nodes.len(), before, "and writes nothing");
            let _ = fill_states(&mut store, head).unwrap();
            let again = fill_states(&mut store, head).unwrap();
            prop_assert!(again.evaluated.is_empty());
            versions.push((head, plain.clone()));
        }
        for (head, plain) in &versions {
            check_version(&store, *head, plain);
        }
    }
}

#[test]
fn a_change_of_one_floor_evaluates_only_until_the_state_is_the_same_again() {
    let (mut store, root) = new_shelf();
    let texts = ["@.SET(\"a\", 1);", "@.SET(\"b\", 1);", "@.SET(\"a\", 5);", "@.ADD(\"b\", 1);", "@.ADD(\"b\", 1);"];
    let page = |index: usize, text: &str| PlainTurn {
        pages: vec![PlainPage {
            id: PageId::from_random([index as u8; 16]),
            role: Role::Assistant,
            doings: vec![],
            text: text.into(),
        }],
        active: 0,
        hidden: false,
    };
    let plain: Vec<_> = texts.iter().enumerate().map(|(index, text)| page(index, text)).collect();
    let turns = to_turns(&mut store, &plain);
    let head = store.put(root, &turns);
    let walked = fill_states(&mut store, head).unwrap();
    assert_eq!(walked.evaluated.len(), 5);

    let mut edited = plain.clone();
    edited[0] = page(0, "@.SET(\"a\", 2);");
    let turns = to_turns(&mut store, &edited);
    let head = store.put(root, &turns);
    let walked = fill_states(&mut store, head).unwrap();
    assert_eq!(walked.filled.len(), 5, "one small row per later floor");
    assert_eq!(walked.evaluated.len(), 3, "from floor 2 on `a` is 5 again and the memo answers");
}

#[test]
fn the_first_state_is_the_one_in_the_rules_of_the_page_on_floor_0() {
    let (mut store, root) = new_shelf();
    let first = |number: i64| {
        let state = [("n".into(), number.into())].into_iter().collect::<Object>();
        Rules { first_state: Value::object(state), ..Rules::default() }
    };
    let plain = PlainPage { id: PageId::from_random([1; 16]), role: Role::User, doings: vec![], text: "a".into() };
    let reply = PlainPage {
        id: PageId::from_random([2; 16]),
        role: Role::Assistant,
        text: "@.ADD(\"n\", 1);".into(),
        ..plain.clone()
    };
    let floors = [plain, reply].map(|page| PlainTurn { pages: vec![page], active: 0, hidden: false });
    let old = to_turns(&mut store, &floors);
    let mut state_under = |above: i64, below: i64| {
        let mut turns = old.clone();
        for (turn, number) in turns.iter_mut().zip([above, below]) {
            let page = store.put_under(&turn.pages[0].clone(), &first(number));
            turn.change().pages[0] = page;
        }
        let head = store.put(root, &turns);
        let _ = fill_states(&mut store, head).unwrap();
        json::write(&store.state(store.nodes[place(head.0)].state.unwrap()).unwrap())
    };
    assert_eq!(state_under(10, 10), r#"{"n":11}"#);
    assert_eq!(state_under(10, 20), r#"{"n":11}"#, "a later floor's rules do not change where the story begins");
    assert_eq!(state_under(20, 10), r#"{"n":21}"#, "those of floor 0 do");
}

#[test]
fn any_floor_of_a_long_path_is_found_in_a_few_looks() {
    let (mut store, root) = new_shelf();
    let turns: Vec<Listed> = (0..4_096u32)
        .map(|number| {
            let mut turn = turn("a");
            turn.pages[0].page = PageId::from_random(u128::from(number).to_le_bytes());
            turn.into()
        })
        .collect();
    let head = store.put(root, &turns);
    for floor in [0, 1, 7, 2_047, 2_048, 4_000, 4_095] {
        store.lookups.set(0);
        let found = ancestor(&store, head, floor + 1).unwrap();
        assert_eq!(found.map(|node| node.depth), Some(floor + 1));
        assert!(store.lookups.get() <= 64, "floor {floor}: {} lookups", store.lookups.get());
    }
}
