//! For card authors: what a reply makes of a state, and the text that teaches a model the functions.

use storeyline_calls::{Call, Dialect, ParseSettings, parse};
use storeyline_functions::manual::{Language, TAG, manual};
use storeyline_functions::script::NoScripts;
use storeyline_functions::{Library, Profile, builtins};
use storeyline_history::{Body, Evaluation, Page, Place, Rules, evaluate};
use storeyline_state::{Value, text};

/// Returns the calls in a text.
pub fn read_calls(message: &str) -> Vec<Call> {
    parse(message, &ParseSettings::default()).calls
}

/// Returns what a reply with this text makes of a state; nothing if there is no such profile.
pub fn try_text(state: &Value, message: &str, profile: &str) -> Option<Evaluation> {
    let rules = Rules { profile: Profile::from_word(profile)?, ..Rules::default() };
    let body = Body::lone_reply(text::hash(message));
    let text = text::canonical(message);
    let page = Page { body: &body, text: &text, rules: &rules, place: Place::default() };
    evaluate(state, &page, &mut NoScripts).ok()
}

/// Returns the prompt text for the functions that every story has; the tag around it may be another one.
pub fn prompt_text(chinese: bool, tag: Option<&str>) -> String {
    let language = if chinese { Language::Chinese } else { Language::English };
    manual(builtins(Profile::Native, Dialect::At), &Library::default(), language, tag.unwrap_or(TAG))
}
