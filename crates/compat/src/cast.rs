//! The cards of a host chat, and how its story begins: one card, or the members of a group in
//! order.
//!
//! The first states of the members are merged, a later one over an earlier one. In a group the
//! functions of a card are active only while that card speaks.

use storeyline_functions::{Library, Locks, Profile};
use storeyline_history::Enabled;
use storeyline_state::{TextHash, Value, Words, json, text};

use crate::card::Card;
use crate::host_message::HostMessage;
use crate::initial::{Given, Initial, find_initial};
use crate::initvar::Names;
use crate::initvar::merge::merge;
use crate::world_book::WorldBook;

/// The cards and books of a host chat.
#[derive(Debug, Clone, Default)]
pub struct Cast {
    /// The cards that have a state, in order.
    pub members: Vec<Card>,
    /// The world books of the chat, including those linked to cards.
    pub books: Vec<WorldBook>,
    /// Whether several characters can speak.
    pub group: bool,
    /// Fingerprints of the functions that the user allowed to run.
    pub allowed: Vec<TextHash>,
    /// Fingerprints of those that the user does not want to be asked about again.
    pub refused: Vec<TextHash>,
}

/// How a story of a cast begins.
#[derive(Debug, Clone)]
pub struct Begun {
    /// Empty if no card defines anything.
    pub initial: Initial,
    /// Functions that the user has not allowed yet.
    pub held: Vec<HeldFunctions>,
}

/// Functions of a card that wait for the user's permission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldFunctions {
    /// Name of the card.
    pub card: String,
    /// Identifies what is allowed: another card, or another text of any function, has another fingerprint.
    pub fingerprint: TextHash,
    pub names: Vec<String>,
    /// Whether the user does not want to be asked about them again.
    pub refused: bool,
}

impl Cast {
    pub fn begin(&self, names: &Names) -> Begun {
        let mut begun: Option<Begun> = None;
        for member in &self.members {
            let next = self.begin_member(member, names);
            begun = Some(match begun {
                // A card that is off contributes nothing to a group.
                Some(before) if before.is_on() && !next.is_on() => before,
                Some(before) if before.is_on() == next.is_on() => joined(before, next),
                _ => next,
            });
        }
        begun.unwrap_or_else(|| Begun { initial: find_initial(&Given::default()), held: Vec::new() })
    }

    fn begin_member(&self, card: &Card, names: &Names) -> Begun {
        let books: Vec<WorldBook> = self.books.iter().filter(|book| !self.is_of_another(book, card)).cloned().collect();
        let names = match self.group {
            true => Names { character: Some(card.name.clone()), ..names.clone() },
            false => names.clone(),
        };
        let messages: Vec<HostMessage> = card.greetings.first().and_then(|text| greeting(text)).into_iter().collect();
        let mut initial = find_initial(&Given { card: Some(card), books: &books, names, messages: &messages });
        let held = held_functions(&card.name, &initial)
            .filter(|_| initial.enabled == Enabled::On)
            .filter(|held| !self.allowed.contains(&held.fingerprint))
            .map(|held| HeldFunctions { refused: self.refused.contains(&held.fingerprint), ..held });
        if held.is_some() {
            initial.hold_functions();
        }
        if self.group {
            initial.library.speaks_for(&card.name);
        }
        Begun { initial, held: held.into_iter().collect() }
    }

    /// Tells whether a book is linked to another card only.
    fn is_of_another(&self, book: &WorldBook, card: &Card) -> bool {
        let linked = |card: &Card| card.linked_book.as_deref() == Some(book.name.as_str());
        !linked(card) && self.members.iter().any(linked)
    }
}

/// Returns the first message of the chat. Old cards have their first state in the greeting.
fn greeting(text: &str) -> Option<HostMessage> {
    HostMessage::read(&Value::entries([("is_user", false.into()), ("mes", Value::text(text))]))
}

/// Returns the functions of a card that need permission: JavaScript, and steps, which are data but
/// still rules of somebody else.
pub fn held_functions(card: &str, initial: &Initial) -> Option<HeldFunctions> {
    let Initial { library, sam_functions, .. } = initial;
    let own = library.functions.iter().map(|function| function.name.clone());
    let rules = library.rules.iter().map(|rule| rule.name.clone());
    let sam = sam_functions.iter().filter_map(|function| {
        function.definition.get("func_name").or(function.definition.get("name"))?.as_text().map(str::to_owned)
    });
    let names: Vec<String> = own.chain(rules).chain(sam).collect();
    if library.is_empty() && sam_functions.is_empty() {
        return None;
    }
    let sam: Vec<Value> = sam_functions.iter().map(|function| function.definition.clone()).collect();
    let fingerprint = functions_fingerprint(card, library, &sam);
    Some(HeldFunctions { card: card.to_owned(), fingerprint, names, refused: false })
}

/// Returns what identifies the functions of a card in the decisions of the user.
pub fn functions_fingerprint(card: &str, library: &Library, sam: &[Value]) -> TextHash {
    let mut source = json::write(&Value::list(vec![Value::text(card), library.to_value()]));
    source.extend(sam.iter().map(json::write));
    text::hash(&source)
}

fn joined(before: Begun, next: Begun) -> Begun {
    let Begun { initial: mut all, mut held } = before;
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
    held.extend(next.held);
    Begun { initial: all, held }
}

impl Begun {
    /// Returns the first state, if a card defines one.
    pub fn template(&self) -> Option<&Value> {
        let initial = Some(&self.initial).filter(|_| self.is_on())?;
        Some(&initial.state).filter(|state| initial.profile != Profile::Native || !is_empty(state))
    }

    /// Tells whether any card has a state.
    pub fn is_on(&self) -> bool {
        self.initial.enabled == Enabled::On
    }
}

fn is_empty(state: &Value) -> bool {
    state.as_object().is_none_or(|object| object.is_empty())
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    fn card(text: &str) -> Card {
        Card::read(text.as_bytes()).unwrap()
    }

    const ARIA: &str = r#"{"data":{"name":"Aria","first_mes":"","extensions":{"st_var_system":{
        "templateBody":{"gold":1,"who":{"a":1}},"functions":[{"name":"HEAL","executor":"return snapshot"}]}}}}"#;
    const BELL: &str = r#"{"data":{"name":"Bell","first_mes":"","extensions":{"st_var_system":{
        "templateBody":{"gold":2,"who":{"b":1}},"functions":[{"name":"HARM","executor":"return snapshot"}]}}}}"#;

    #[test]
    fn templates_of_a_group_are_merged_and_functions_belong_to_who_speaks() {
        let mut cast = Cast { members: vec![card(ARIA), card(BELL)], group: true, ..Cast::default() };
        let asked = cast.begin(&Names::default());
        assert_eq!(asked.held.iter().map(|held| held.names.clone()).collect::<Vec<_>>(), [["HEAL"], ["HARM"]]);
        assert!(asked.initial.library.is_empty());
        cast.allowed.push(asked.held[0].fingerprint);
        let begun = cast.begin(&Names::default());
        assert_eq!(json::write(&begun.initial.state), r#"{"gold":2,"who":{"a":1,"b":1}}"#);
        assert_eq!(begun.held, asked.held[1..], "Bell's function was not allowed");
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
