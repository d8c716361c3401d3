//! Who plays in a host chat, and how its story begins: one card, or the members of a group in their
//! order.
//!
//! The first states of the members are merged, a later one over an earlier one. In a group the
//! functions of a card count only while that card speaks.

use storeyline_functions::{Locks, Profile};
use storeyline_state::{Value, Words};

use crate::card::Card;
use crate::initial::{Given, Initial, find_initial};
use crate::initvar::Names;
use crate::initvar::merge::merge;
use crate::world_book::WorldBook;

/// A card that plays.
#[derive(Debug, Clone)]
pub struct Member {
    /// The card.
    pub card: Card,
    /// Whether the user allowed its functions, which are code.
    pub allow_functions: bool,
}

/// All that a host knows of who plays.
#[derive(Debug, Clone, Default)]
pub struct Cast {
    /// The cards whose state is kept, in their order.
    pub members: Vec<Member>,
    /// The world books of the chat, those that cards are linked to among them.
    pub books: Vec<WorldBook>,
    /// Whether several can speak.
    pub group: bool,
}

/// How a story of a cast begins.
#[derive(Debug, Clone)]
pub struct Begun {
    /// The beginning; nothing if no card says anything.
    pub initial: Initial,
    /// How many functions wait until the user allows them.
    pub held: usize,
}

impl Cast {
    /// Finds how the story begins.
    pub fn begin(&self, names: &Names) -> Begun {
        let mut begun: Option<Begun> = None;
        for member in &self.members {
            let next = self.begin_member(member, names);
            begun = Some(match begun {
                Some(before) => joined(before, next),
                None => next,
            });
        }
        begun.unwrap_or_else(|| Begun { initial: find_initial(&Given::default()), held: 0 })
    }

    fn begin_member(&self, member: &Member, names: &Names) -> Begun {
        let books: Vec<WorldBook> =
            self.books.iter().filter(|book| !self.is_of_another(book, member)).cloned().collect();
        let names = match self.group {
            true => Names { character: Some(member.card.name.clone()), ..names.clone() },
            false => names.clone(),
        };
        let mut initial = find_initial(&Given { card: Some(&member.card), books: &books, names, ..Given::default() });
        let held = match member.allow_functions {
            true => 0,
            false => initial.library.functions.len() + initial.library.rules.len() + initial.sam_functions.len(),
        };
        if held > 0 {
            initial.hold_functions();
        }
        if self.group {
            initial.library.speaks_for(&member.card.name);
        }
        Begun { initial, held }
    }

    /// A book that another card is linked to is none of this one's business.
    fn is_of_another(&self, book: &WorldBook, member: &Member) -> bool {
        let linked = |card: &Card| card.linked_book.as_deref() == Some(book.name.as_str());
        !linked(&member.card) && self.members.iter().any(|other| linked(&other.card))
    }
}

fn joined(before: Begun, next: Begun) -> Begun {
    let Begun { initial: mut all, held } = before;
    let more = next.initial;
    all.state = merge(&all.state, &more.state);
    if all.profile == Profile::Native {
        all.reason = more.reason;
        all.profile = more.profile;
    } else if more.profile != Profile::Native && more.profile != all.profile {
        all.reason = Words::new(
            format!("{}（群聊里还有 {} 的卡，按第一张卡的约定）", all.reason.zh, more.profile.as_str()),
            format!("{} (another card of the group is {}; the first one counts)", all.reason.en, more.profile.as_str()),
        );
    }
    all.locks = match (all.locks, more.locks) {
        (Some(one), Some(other)) => Some(Locks::initialise(&merge(one.template(), other.template())).0),
        (one, other) => one.or(other),
    };
    all.sam_functions.extend(more.sam_functions);
    all.library.extend(more.library);
    all.greetings.extend(more.greetings);
    all.sources.extend(more.sources);
    all.remarks.extend(more.remarks);
    Begun { initial: all, held: held + next.held }
}

impl Begun {
    /// The first state; nothing if no card says one.
    pub fn template(&self) -> Option<&Value> {
        Some(&self.initial.state).filter(|state| self.initial.profile != Profile::Native || !is_empty(state))
    }
}

fn is_empty(state: &Value) -> bool {
    state.as_object().is_none_or(|object| object.is_empty())
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    fn member(text: &str, allow_functions: bool) -> Member {
        Member { card: Card::read(text.as_bytes()).unwrap(), allow_functions }
    }

    const ARIA: &str = r#"{"data":{"name":"Aria","first_mes":"","extensions":{"st_var_system":{
        "templateBody":{"gold":1,"who":{"a":1}},"functions":[{"name":"HEAL","executor":"return snapshot"}]}}}}"#;
    const BELL: &str = r#"{"data":{"name":"Bell","first_mes":"","extensions":{"st_var_system":{
        "templateBody":{"gold":2,"who":{"b":1}},"functions":[{"name":"HARM","executor":"return snapshot"}]}}}}"#;

    #[test]
    fn templates_of_a_group_are_merged_and_functions_belong_to_who_speaks() {
        let cast = Cast { members: vec![member(ARIA, true), member(BELL, false)], group: true, ..Cast::default() };
        let begun = cast.begin(&Names::default());
        assert_eq!(json::write(&begun.initial.state), r#"{"gold":2,"who":{"a":1,"b":1}}"#);
        assert_eq!(begun.held, 1, "Bell's function was not allowed");
        let library = begun.initial.library;
        assert!(library.of_speaker("Aria").named("HEAL").is_some());
        assert!(library.of_speaker("Bell").named("HEAL").is_none());
    }

    #[test]
    fn nobody_begins_with_nothing() {
        let begun = Cast::default().begin(&Names::default());
        assert!(begun.template().is_none());
        assert_eq!(begun.initial.profile, Profile::Native);
    }
}
