//! 2,000 random histories against a plain list of full copies: every version of a branch keeps its
//! list and its states, whatever is done to later versions, and only new work is evaluated.

use std::collections::HashMap;
use storeyline_functions::Incomplete;
use storeyline_functions::script::NoScripts;

use proptest::prelude::*;
use storeyline_state::{NodeId, PageId, StateHash, StoryId, TextHash, Value, ValueHash, json, text};

use crate::body::{Body, Role};
use crate::edit::{self, Edit};
use crate::node::{self, Node, NodeTable, ancestor, path_below, put_path};
use crate::path_states::{MemoKey, StateTable, fill_states};
use crate::rules::Rules;
use crate::trace::Trace;
use crate::turn::{Turn, TurnPage};

/// A turn from a short name: `b+c` has two pages, the last is read; `a'` is page a, rewritten.
pub(crate) fn turn(name: &str) -> Turn {
    let pages: Vec<TurnPage> = name
        .split('+')
        .map(|page| {
            let mut id = [0; 16];
            id[0] = page.as_bytes()[0];
            let body = ValueHash::from_bytes(*blake3::hash(page.as_bytes()).as_bytes());
            TurnPage { page: PageId::from_random(id), text: text::hash(page), body }
        })
        .collect();
    let host = ValueHash::from_bytes([0; 32]);
    Turn { role: Role::Assistant, name: "x".into(), hidden: false, active: pages.len() - 1, pages, host }
}

/// Everything in memory.
#[derive(Default)]
struct Shelf {
    nodes: HashMap<NodeId, Node>,
    turns: HashMap<ValueHash, Turn>,
    bodies: HashMap<ValueHash, (Body, String)>,
    states_of: HashMap<NodeId, StateHash>,
    memos: HashMap<[u8; 32], StateHash>,
    states: HashMap<StateHash, Value>,
    /// How many nodes were looked at.
    looks: std::cell::Cell<usize>,
}

impl NodeTable for Shelf {
    type Error = Incomplete;

    fn node(&self, id: NodeId) -> Result<Node, Incomplete> {
        self.looks.set(self.looks.get() + 1);
        Ok(self.nodes[&id].clone())
    }

    fn has_node(&self, id: NodeId) -> Result<bool, Incomplete> {
        Ok(self.nodes.contains_key(&id))
    }

    fn insert_node(&mut self, node: &Node) -> Result<(), Incomplete> {
        assert!(self.nodes.insert(node.id, node.clone()).is_none(), "nodes never change");
        Ok(())
    }
}

impl StateTable for Shelf {
    fn turn(&self, hash: ValueHash) -> Result<Turn, Incomplete> {
        Ok(self.turns[&hash].clone())
    }

    fn body(&self, hash: ValueHash) -> Result<(Body, String, Rules), Incomplete> {
        let (body, text) = self.bodies[&hash].clone();
        Ok((body, text, Rules::default()))
    }

    fn state_of(&self, node: NodeId) -> Result<Option<StateHash>, Incomplete> {
        Ok(self.states_of.get(&node).copied())
    }

    fn set_state_of(&mut self, node: NodeId, state: StateHash) -> Result<(), Incomplete> {
        assert!(self.states_of.insert(node, state).is_none(), "a state is written once");
        Ok(())
    }

    fn memo(&self, key: MemoKey) -> Result<Option<StateHash>, Incomplete> {
        Ok(self.memos.get(key.as_bytes()).copied())
    }

    fn put_memo(&mut self, key: MemoKey, state: StateHash, _: &Trace) -> Result<(), Incomplete> {
        self.memos.insert(*key.as_bytes(), state);
        Ok(())
    }

    fn state(&self, hash: StateHash) -> Result<Value, Incomplete> {
        Ok(self.states[&hash].clone())
    }

    fn put_state(&mut self, state: &Value, base: StateHash, trace: &Trace) -> Result<(), Incomplete> {
        let mut again = self.states[&base].clone();
        for op in trace.ops() {
            op.apply(&mut again).expect("recorded ops fit their base");
        }
        assert_eq!(&again, state, "base and ops give the state");
        self.states.insert(state.hash(), state.clone());
        Ok(())
    }
}

impl Shelf {
    fn put_body(&mut self, role: Role, text: &str) -> (TextHash, ValueHash) {
        let hash = text::hash(text);
        let body = Body {
            role,
            speaker: "x".into(),
            user: "u".into(),
            character: "c".into(),
            text: hash,
            rules: ValueHash::from_bytes([0; 32]),
            time: None,
            seed: 0,
            stuck: Vec::new(),
        };
        let key = ValueHash::from_bytes(*body.to_value().hash().as_bytes());
        self.bodies.insert(key, (body, text.to_owned()));
        (hash, key)
    }

    fn put(&mut self, root: NodeId, turns: &[Turn]) -> NodeId {
        let hashed: Vec<(ValueHash, &Turn)> =
            turns.iter().map(|turn| (ValueHash::from_bytes(*turn.to_value().hash().as_bytes()), turn)).collect();
        for (hash, turn) in &hashed {
            self.turns.insert(*hash, (*turn).clone());
        }
        put_path(self, root, hashed).unwrap()
    }
}

/// What a random text does, and what it does to the plain model.
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

fn to_turns(shelf: &mut Shelf, plain: &[PlainTurn]) -> Vec<Turn> {
    let mut turns = Vec::new();
    for turn in plain {
        let mut pages = Vec::new();
        for page in &turn.pages {
            let (text, body) = shelf.put_body(page.role, &page.text);
            pages.push(TurnPage { page: page.id, text, body });
        }
        let host = ValueHash::from_bytes([0; 32]);
        turns.push(Turn {
            role: turn.pages[0].role,
            name: "x".into(),
            hidden: turn.hidden,
            active: turn.active,
            pages,
            host,
        });
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

/// Does one random thing to the plain list and returns the same thing as an [`Edit`].
fn mutate(shelf: &mut Shelf, plain: &mut Vec<PlainTurn>, random: &Random, count: u32) -> Option<Edit> {
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
        // Mostly appends, as in life.
        let floor = if random.kind < 3 { length } else { random.at % (length + 1) };
        plain.insert(floor, PlainTurn { pages: vec![page(role)], active: 0, hidden: false });
        let turn = to_turns(shelf, &plain[floor..=floor]).remove(0);
        return Some(Edit::Insert { floor, turn });
    }
    let floor = random.at % length;
    let index = random.other % plain[floor].pages.len();
    Some(match random.kind {
        4 => {
            plain.remove(floor);
            Edit::Delete { floor }
        }
        5 => {
            let to = random.other % length;
            let turn = plain.remove(floor);
            plain.insert(to, turn);
            Edit::Move { from: floor, to }
        }
        6 => {
            plain[floor].active = index;
            Edit::Select { page: plain[floor].pages[index].id }
        }
        7 | 8 => {
            let old = &mut plain[floor].pages[index];
            *old = PlainPage { id: old.id, ..page(old.role) };
            let (id, text) = (old.id, old.text.clone());
            let (text, body) = shelf.put_body(old.role, &text);
            Edit::Rewrite { page: id, text, body }
        }
        9 => {
            let role = plain[floor].pages[0].role;
            plain[floor].pages.push(page(role));
            plain[floor].active = plain[floor].pages.len() - 1;
            let added = to_turns(shelf, &plain[floor..=floor]).remove(0).pages.pop().unwrap();
            Edit::AddPage { floor, page: added }
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
            Edit::DeletePage { page: id }
        }
        _ => {
            plain[floor].hidden = !plain[floor].hidden;
            Edit::Hide { floor, hidden: plain[floor].hidden }
        }
    })
}

fn check_version(shelf: &Shelf, head: NodeId, plain: &[PlainTurn]) {
    let nodes = path_below(shelf, head, 0).unwrap();
    assert_eq!(nodes.len(), plain.len());
    let states = plain_states(plain);
    for (floor, node) in nodes.iter().enumerate() {
        let turn = &shelf.turns[&node.turn.unwrap()];
        let ids: Vec<_> = plain[floor].pages.iter().map(|page| (page.id, text::hash(&page.text))).collect();
        assert_eq!(turn.pages.iter().map(|page| (page.page, page.text)).collect::<Vec<_>>(), ids);
        assert_eq!((turn.active, turn.hidden), (plain[floor].active, plain[floor].hidden));
        assert_eq!(json::write(&shelf.states[&shelf.states_of[&node.id]]), states[floor], "state at floor {floor}");
        let found = ancestor(shelf, head, floor + 1).unwrap();
        assert_eq!(found.unwrap().id, node.id, "climbing finds floor {floor}");
    }
}

fn new_shelf() -> (Shelf, NodeId) {
    let mut shelf = Shelf::default();
    let initial = Value::empty_object();
    let root = node::root(StoryId::from_random([1; 16]), initial.hash());
    shelf.nodes.insert(root.id, root.clone());
    shelf.states_of.insert(root.id, initial.hash());
    shelf.states.insert(initial.hash(), initial);
    (shelf, root.id)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn histories_agree_with_a_plain_list_of_full_copies(randoms in prop::collection::vec(any_random(), 1..40)) {
        let (mut shelf, root) = new_shelf();
        let mut plain: Vec<PlainTurn> = Vec::new();
        let mut turns: Vec<Turn> = Vec::new();
        let mut versions: Vec<(NodeId, Vec<PlainTurn>)> = Vec::new();
        for (count, random) in randoms.iter().enumerate() {
            let Some(edit) = mutate(&mut shelf, &mut plain, random, count as u32) else { continue };
            turns = edit::apply(turns, edit).unwrap();
            let head = shelf.put(root, &turns);
            let before = shelf.nodes.len();
            prop_assert_eq!(shelf.put(root, &turns), head, "writing again gives the same node");
            prop_assert_eq!(shelf.nodes.len(), before, "and writes nothing");
            let _ = fill_states(&mut shelf, head, &mut NoScripts).unwrap();
            let again = fill_states(&mut shelf, head, &mut NoScripts).unwrap();
            prop_assert!(again.evaluated.is_empty());
            versions.push((head, plain.clone()));
        }
        for (head, plain) in &versions {
            check_version(&shelf, *head, plain);
        }
    }
}

#[test]
fn a_change_of_one_floor_evaluates_only_until_the_state_is_the_same_again() {
    let (mut shelf, root) = new_shelf();
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
    let turns = to_turns(&mut shelf, &plain);
    let head = shelf.put(root, &turns);
    let walked = fill_states(&mut shelf, head, &mut NoScripts).unwrap();
    assert_eq!(walked.evaluated.len(), 5);

    let mut edited = plain.clone();
    edited[0] = page(0, "@.SET(\"a\", 2);");
    let turns = to_turns(&mut shelf, &edited);
    let head = shelf.put(root, &turns);
    let walked = fill_states(&mut shelf, head, &mut NoScripts).unwrap();
    assert_eq!(walked.filled.len(), 5, "one small row per later floor");
    assert_eq!(walked.evaluated.len(), 3, "from floor 2 on `a` is 5 again and the memo answers");
}

#[test]
fn any_floor_of_a_long_path_is_found_in_a_few_looks() {
    let (mut shelf, root) = new_shelf();
    let turns: Vec<Turn> = (0..4_096u32)
        .map(|number| {
            let mut turn = turn("a");
            turn.pages[0].page = PageId::from_random(u128::from(number).to_le_bytes());
            turn
        })
        .collect();
    let head = shelf.put(root, &turns);
    for floor in [0, 1, 7, 2_047, 2_048, 4_000, 4_095] {
        shelf.looks.set(0);
        let found = ancestor(&shelf, head, floor + 1).unwrap();
        assert_eq!(found.map(|node| node.depth), Some(floor + 1));
        assert!(shelf.looks.get() <= 64, "floor {floor}: {} looks", shelf.looks.get());
    }
}
