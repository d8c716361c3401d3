//! Compares our results with those of other tools on recorded cases (`corpus/peers/`).
//!
//! A case is one JSON object. Its result is computed without looking at the expected one.

use storeyline_functions::library::exchange;
use storeyline_functions::library::function::Scope;
use storeyline_functions::sam::SamFunction;
use storeyline_functions::{Incomplete, Locks, Profile, Scripts};
use storeyline_history::{Body, Page, PagePosition, Rules, evaluate};
use storeyline_state::{Explain, Explanation, Value, text};

use crate::object::in_order_of;

/// The class of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// The peer is right: we must give the same result.
    Plain,
    /// An oddity that cards may rely on.
    Quirk,
    /// The peer is wrong.
    Bug,
}

impl Class {
    /// Returns the word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Class::Plain => "plain",
            Class::Quirk => "quirk",
            Class::Bug => "bug",
        }
    }

    fn of(case: &Value) -> Class {
        let verdict = case.get("verdict").and_then(Value::as_text);
        if case.get("peer_bug").is_some() || verdict == Some("improve") {
            Class::Bug
        } else if case.get("peer_quirk").is_some() {
            Class::Quirk
        } else {
            Class::Plain
        }
    }
}

/// The result of a case.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    pub id: String,
    pub class: Class,
    /// Whether the result is right: equal to the peer's, or for a bug of the peer what a user wants.
    /// `None` if the case does not say.
    pub pass: Option<bool>,
    /// Whether the result is equal to the peer's.
    pub like_peer: Option<bool>,
    pub actual: Value,
}

/// Why a line is not a case.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CaseError {
    #[error("the case is of a peer that is not known: `{0}`")]
    Peer(String),
    #[error("the case has neither `message` nor `messages`")]
    NoMessage,
    #[error(transparent)]
    Incomplete(#[from] Incomplete),
}

impl Explain for CaseError {
    fn explain(&self) -> Explanation {
        let zh = match self {
            CaseError::Peer(peer) => format!("不认识案例的来源 `{peer}`"),
            CaseError::NoMessage => "案例既没有 `message` 也没有 `messages`".into(),
            CaseError::Incomplete(error) => return error.explain(),
        };
        let hint = (
            "每行应是一个案例：id、peer 或 dialect、template、message。",
            "Each line is one case: id, peer or dialect, template, message.",
        );
        self.explained("bad_request", zh, hint)
    }
}

/// Evaluates a case and compares the result.
pub fn answer_case(case: &Value, scripts: &mut dyn Scripts) -> Result<Answered, CaseError> {
    let actual = answer(case, scripts)?;
    let class = Class::of(case);
    let like_peer = case.get("expected").map(|expected| same(&actual, expected));
    let pass = match (class, case.get("want")) {
        (_, Some(want)) => Some(same(&actual, want)),
        // A bug must not be copied.
        (Class::Bug, None) => like_peer.map(|like_peer| !like_peer),
        (_, None) => like_peer,
    };
    let id = case.get("id").and_then(Value::as_text).unwrap_or_default().to_owned();
    Ok(Answered { id, class, pass, like_peer, actual })
}

fn answer(case: &Value, scripts: &mut dyn Scripts) -> Result<Value, CaseError> {
    let rules_of = profile(case)?;
    let empty = Value::empty_object();
    // Where no checkpoint holds a template, SAM starts from the card's base data.
    let template = case.get("base_data").or(case.get("template")).unwrap_or(&empty);
    // A template that goes through MVU's initialisation becomes locks and a clean state.
    let (locks, mut state) = match case.get("mode").and_then(Value::as_text) {
        Some("initvar") => {
            let (locks, state) = Locks::initialise(template);
            (Some(locks), state)
        }
        _ => (None, template.clone()),
    };
    let rules = with_functions(Rules { profile: rules_of, locks, ..Rules::default() }, case);
    let body = Body::lone_reply(text::hash(""));
    let mut round = case.get("round").and_then(Value::as_number).and_then(|round| round.as_i64()).unwrap_or(0);
    for message in messages(case)? {
        let text = text::canonical(message);
        let position = PagePosition { round, ..PagePosition::default() };
        let page = Page { body: &body, text: &text, rules: &rules, position };
        state = evaluate(&state, &page, scripts)?.state;
        // A user's message stands between two replies.
        round = round.saturating_add(2);
    }
    Ok(state)
}

fn profile(case: &Value) -> Result<Profile, CaseError> {
    let text = |key: &str| case.get(key).and_then(Value::as_text);
    let word = text("profile").or(text("dialect")).or(text("peer")).unwrap_or("native");
    // The corpus names exact versions; one profile covers all versions that read messages alike.
    let known = Profile::from_word(word).or_else(|| {
        let version = word.strip_prefix("sam-")?;
        Profile::from_word(&format!("sam-{}", version.split('.').next()?))
    });
    known.ok_or_else(|| CaseError::Peer(word.to_owned()))
}

fn with_functions(rules: Rules, case: &Value) -> Rules {
    let Some(functions) = case.get("functions") else { return rules };
    match rules.profile {
        Profile::Sam(_) => {
            let definitions = functions.as_list().unwrap_or_default();
            let sam_functions = definitions.iter().map(|definition| SamFunction { definition: definition.clone() });
            Rules { sam_functions: sam_functions.collect(), ..rules }
        }
        _ => Rules { library: exchange::read(functions, Scope::Card).library, ..rules },
    }
}

/// One message, or the replies of several floors.
fn messages(case: &Value) -> Result<Vec<&str>, CaseError> {
    let found = match case.get("messages").and_then(Value::as_list) {
        Some(several) => several.iter().map(Value::as_text).collect(),
        None => case.get("message").and_then(Value::as_text).map(|message| vec![message]),
    };
    found.ok_or(CaseError::NoMessage)
}

/// Compares JSON values without the order of keys.
fn same(a: &Value, b: &Value) -> bool {
    in_order_of(a, b) == *b
}
