//! The model: every branch is a plain list of full copies, and every state is computed from the first
//! floor each time. It is slow, and too simple to be wrong.

use storeyline_state::PageId;
use storeyline_wire::Role;

/// A state: keys and numbers in JavaScript's order.
pub(crate) type Plain = Vec<(String, i64)>;

/// What a text does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Doing {
    Set(&'static str, i64),
    Add(&'static str, i64),
    Unset(&'static str),
}

pub(crate) const KEYS: [&str; 5] = ["金币", "hp", "7", "2", "地点"];

/// A hand edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    /// What a key is, and its place.
    Is(String, i64, usize),
    /// That a key is not there.
    Gone(String),
    /// All of it: where only that gives the order of the keys.
    Whole(Plain),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) id: PageId,
    pub(crate) text: String,
    pub(crate) doings: Vec<Doing>,
    /// Whether the rules of this page let the player's calls count.
    pub(crate) user_calls: bool,
    pub(crate) said: Vec<Said>,
    pub(crate) kept: Option<Plain>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) role: Role,
    pub(crate) hidden: bool,
    pub(crate) active: usize,
    pub(crate) pages: Vec<Page>,
}

impl Turn {
    pub(crate) fn read(&self) -> &Page {
        &self.pages[self.active]
    }
}

/// A text that does something; the salt makes it different from all others.
pub(crate) fn text(doings: &[Doing], salt: u64) -> String {
    let calls = doings.iter().map(|doing| match doing {
        Doing::Set(key, value) => format!("@.SET(\"{key}\", {value});"),
        Doing::Add(key, value) => format!("@.ADD(\"{key}\", {value});"),
        Doing::Unset(key) => format!("@.UNSET(\"{key}\");"),
    });
    format!("{salt} {}", calls.collect::<Vec<_>>().join(" 然后 "))
}

fn index(key: &str) -> Option<u32> {
    key.parse().ok()
}

fn numbers(state: &Plain) -> usize {
    state.iter().filter(|(key, _)| index(key).is_some()).count()
}

fn put(state: &mut Plain, key: &str, value: i64, at: usize) {
    if let Some(entry) = state.iter_mut().find(|(own, _)| own == key) {
        entry.1 = value;
        return;
    }
    let place = match index(key) {
        Some(number) => state.iter().filter(|(own, _)| index(own).is_some_and(|own| own < number)).count(),
        None => at.clamp(numbers(state), state.len()),
    };
    state.insert(place, (key.to_owned(), value));
}

fn value(state: &Plain, key: &str) -> Option<i64> {
    state.iter().find(|(own, _)| own == key).map(|(_, value)| *value)
}

/// The state of a page under that of the page before it, without what was said by hand.
pub(crate) fn computed(before: &Plain, page: &Page, role: Role) -> Plain {
    let mut state = before.clone();
    let counts = role == Role::Assistant || (role == Role::User && page.user_calls);
    for doing in page.doings.iter().filter(|_| counts) {
        match doing {
            Doing::Set(key, new) => put(&mut state, key, *new, usize::MAX),
            Doing::Add(key, more) => {
                let old = value(&state, key).unwrap_or(0);
                put(&mut state, key, old + more, usize::MAX);
            }
            Doing::Unset(key) => state.retain(|(own, _)| own != key),
        }
    }
    state
}

pub(crate) fn after(before: &Plain, page: &Page, role: Role) -> Plain {
    if let Some(kept) = &page.kept {
        return kept.clone();
    }
    let mut state = computed(before, page, role);
    for said in &page.said {
        match said {
            Said::Is(key, new, at) => put(&mut state, key, *new, *at),
            Said::Gone(key) => state.retain(|(own, _)| own != key),
            Said::Whole(whole) => state.clone_from(whole),
        }
    }
    state
}

/// What makes one state of another.
pub(crate) fn said(computed: &Plain, saved: &Plain) -> Vec<Said> {
    let common = |state: &Plain, other: &Plain| -> Vec<String> {
        state.iter().filter(|(key, _)| value(other, key).is_some()).map(|(key, _)| key.clone()).collect()
    };
    if common(computed, saved) != common(saved, computed) {
        return vec![Said::Whole(saved.clone())];
    }
    let mut all = Vec::new();
    for (key, old) in computed {
        match value(saved, key) {
            None => all.push(Said::Gone(key.clone())),
            Some(new) if new != *old => {
                let at = saved.iter().position(|(own, _)| own == key).unwrap();
                all.push(Said::Is(key.clone(), new, at));
            }
            Some(_) => {}
        }
    }
    for (at, (key, new)) in saved.iter().enumerate() {
        if value(computed, key).is_none() {
            all.push(Said::Is(key.clone(), *new, at));
        }
    }
    all
}

/// The states of all floors.
pub(crate) fn states(turns: &[Turn]) -> Vec<Plain> {
    let mut state = Plain::new();
    turns
        .iter()
        .map(|turn| {
            state = after(&state, turn.read(), turn.role);
            state.clone()
        })
        .collect()
}

pub(crate) fn json(state: &Plain) -> String {
    let entries: Vec<_> = state.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
    format!("{{{}}}", entries.join(","))
}

/// Floors that changed a key, with its value before and after.
pub(crate) fn history(turns: &[Turn], key: &str) -> Vec<(usize, Option<i64>, Option<i64>)> {
    let mut before = None;
    let mut changes = Vec::new();
    for (floor, state) in states(turns).iter().enumerate() {
        let now = value(state, key);
        if now != before {
            changes.push((floor, before, now));
        }
        before = now;
    }
    changes
}

/// A random but sensible correction of a state.
pub(crate) fn corrected(state: &Plain, key: &str, new: Option<i64>) -> Plain {
    let mut state = state.clone();
    match new {
        Some(new) => put(&mut state, key, new, usize::MAX),
        None => state.retain(|(own, _)| own != key),
    }
    state
}

/// Three states → one, ours where both changed the same key.
pub(crate) fn merged(base: &Plain, ours: &Plain, theirs: &Plain) -> Plain {
    let mut state = ours.clone();
    for (key, _) in base.iter().chain(theirs) {
        let [was, own, other] = [base, ours, theirs].map(|state| value(state, key));
        if own == was && other != was {
            match other {
                Some(other) => put(&mut state, key, other, usize::MAX),
                None => state.retain(|(own, _)| own != key),
            }
        }
    }
    state
}
