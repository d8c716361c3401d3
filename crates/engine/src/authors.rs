//! For card authors: what a reply makes of a state, and the text that teaches a model the functions.

use storeyline_calls::{Call, Dialect, Form, ParseSettings, parse, value};
use storeyline_functions::builtins;
pub use storeyline_functions::library::exchange;
pub use storeyline_functions::library::function::{Executor, Kind, Scope, VarFunction};
use storeyline_functions::manual::{Language, TAG, manual};
use storeyline_functions::script::NoScripts;
pub use storeyline_functions::{Builtin, Incomplete, Library, Profile, Schema, Scripts};
use storeyline_history::{Body, Evaluation, Page, Place, Rules, evaluate};
use storeyline_state::json::{self, JsonError};
use storeyline_state::{Value, text};

/// Returns the calls in a text.
pub fn read_calls(message: &str) -> Vec<Call> {
    parse(message, &ParseSettings::default()).calls
}

/// Reads a library file: JSON, or the notation of JavaScript with comments, bare keys and functions.
/// Nothing in it is run.
pub fn read_library_text(text: &str) -> Result<Value, JsonError> {
    json::read(text).or_else(|error| {
        let read = value::read(text);
        let whole = read.form == Form::Literal && matches!(read.value, Value::Object(_) | Value::List(_));
        if whole { Ok(read.value) } else { Err(error) }
    })
}

/// Returns what a reply with this text makes of a state under these rules.
pub fn try_message(
    state: &Value,
    message: &str,
    rules: &Rules,
    scripts: &mut dyn Scripts,
) -> Result<Evaluation, Incomplete> {
    let body = Body::lone_reply(text::hash(""));
    let text = text::canonical(message);
    evaluate(state, &Page { body: &body, text: &text, rules, place: Place::default() }, scripts)
}

/// Returns what a reply with this text makes of a state; nothing if there is no such profile.
pub fn try_text(state: &Value, message: &str, profile: &str) -> Option<Evaluation> {
    let rules = Rules { profile: Profile::from_word(profile)?, ..Rules::default() };
    try_message(state, message, &rules, &mut NoScripts).ok()
}

/// Returns the built-ins that a model is taught under a profile.
pub fn taught(profile: Profile) -> &'static [&'static Builtin] {
    let dialect = match profile {
        Profile::Mvu => Dialect::Underscore,
        Profile::VarSystem => Dialect::Hash,
        Profile::Sam(_) if builtins(profile, Dialect::At).is_empty() => Dialect::Patch,
        Profile::Native | Profile::Sam(_) => Dialect::At,
    };
    builtins(profile, dialect)
}

/// Returns the prompt text for the functions of a profile and a library; the tag around it may be another one.
pub fn prompt_text(profile: Profile, library: &Library, chinese: bool, tag: Option<&str>) -> String {
    let language = if chinese { Language::Chinese } else { Language::English };
    manual(taught(profile), library, language, tag.unwrap_or(TAG))
}
