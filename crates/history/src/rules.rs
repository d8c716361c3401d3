//! The rules of evaluation: everything a user can change that affects a result. A body refers to
//! the rules it was written under.

use storeyline_calls::{ParseSettings, tagged};
use storeyline_functions::profile::SamVersion;
use storeyline_functions::sam::SamFunction;
use storeyline_functions::{Conventions, Library, Locks, Profile, Schema};
use storeyline_state::{Object, StatePath, TextHash, Value, named, text};

use crate::name_macros::NameMacros;

/// Semantics version of this engine. Increased only when a result would change.
pub const SEMANTICS: i64 = 1;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// Semantics version of these rules.
    pub semantics: i64,
    /// Whether the story has a state at all.
    pub enabled: Enabled,
    /// The state before the first page.
    pub first_state: Value,
    pub profile: Profile,
    /// Whether calls in the user's own messages are executed.
    pub user_calls: bool,
    /// Whether reasoning blocks are skipped.
    pub skip_reasoning: bool,
    /// Whether `{"function": "SET", "args": […]}` is a call.
    pub json_calls: bool,
    /// Whether `<set path="…">…</set>` is a call.
    pub tag_calls: bool,
    /// Where `TIME` writes; `None` means `世界.时间` if it exists, else `time`.
    pub time_path: Option<StatePath>,
    /// MVU's locks, if the card has them.
    pub locks: Option<Locks>,
    /// The functions of a SAM card.
    pub sam_functions: Vec<SamFunction>,
    /// The functions of the user and of the card.
    pub library: Library,
    pub schema: Option<Schema>,
    /// Greetings with their own first state.
    pub greetings: Vec<Greeting>,
}

named! {
    /// Whether a story has a state at all. Unless it is on, only corrections by hand change the state.
    pub enum Enabled {
        On = "on",
        Off = "off",
        /// The card does not decide and has no first state: off until the user sets a first state.
        Open = "open",
    }
}

impl From<bool> for Enabled {
    fn from(on: bool) -> Self {
        if on { Enabled::On } else { Enabled::Off }
    }
}

/// A greeting with its own first state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Greeting {
    /// The [`greeting_key`] of its text.
    pub key: TextHash,
    /// The state before its calls.
    pub state: Value,
}

/// Returns the key of a greeting, computed from its `<initvar>` blocks; `None` if it has none. The
/// rest of the text may be edited, and names that the host resolved make no difference.
pub fn greeting_key(text: &str, user: &str, character: &str) -> Option<TextHash> {
    let blocks = tagged(text, "initvar");
    let joined = blocks.join("\n");
    (!blocks.is_empty()).then(|| text::hash(&NameMacros::in_text_of(joined.len(), user, character).resolve(&joined)))
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            semantics: SEMANTICS,
            enabled: Enabled::On,
            first_state: Value::empty_object(),
            profile: Profile::Native,
            user_calls: false,
            skip_reasoning: true,
            json_calls: false,
            tag_calls: false,
            time_path: None,
            locks: None,
            sam_functions: Vec::new(),
            library: Library::default(),
            schema: None,
            greetings: Vec::new(),
        }
    }
}

impl Rules {
    /// Tells whether the rules define the first state of a story. Under a peer's profile an empty
    /// state counts too.
    pub fn has_first_state(&self) -> bool {
        self.profile != Profile::Native || self.first_state != Value::empty_object()
    }

    /// Returns the settings of the parser.
    pub fn parse_settings(&self) -> ParseSettings {
        // MVU's authors did not intend calls in comments to be executed; SAM's hide calls there.
        ParseSettings {
            skip_reasoning: self.skip_reasoning,
            skip_html_comments: self.profile == Profile::Mvu,
            line_mode: self.profile == Profile::Sam(SamVersion::V3_5),
            json_calls: self.json_calls,
            tag_calls: self.tag_calls,
        }
    }

    pub fn conventions(&self) -> Conventions<'_> {
        Conventions {
            profile: self.profile,
            locks: self.locks.as_ref(),
            schema: self.schema.as_ref(),
            time_path: self.time_path.as_ref(),
        }
    }

    /// Returns the state with which a greeting begins instead of the parent's.
    pub fn greeting_state(&self, text: &str, user: &str, character: &str) -> Option<&Value> {
        if self.greetings.is_empty() {
            return None;
        }
        let key = greeting_key(text, user, character)?;
        self.greetings.iter().find(|greeting| greeting.key == key).map(|greeting| &greeting.state)
    }

    /// Tells whether a result may depend on the position of the page: then the position is part of
    /// the memo key.
    pub fn use_position(&self) -> bool {
        matches!(self.profile, Profile::Sam(_)) || self.library.uses_position()
    }

    /// Tells whether evaluation may run JavaScript, which takes long.
    pub fn may_run_scripts(&self) -> bool {
        !self.library.is_empty() || !self.sam_functions.is_empty()
    }

    /// Returns the rules as JSON, for storing.
    pub fn to_value(&self) -> Value {
        let mut rules = Object::default();
        let mut put = |key: &str, value: Value| rules.insert(key.into(), value);
        put("semantics", self.semantics.into());
        put("profile", self.profile.as_str().into());
        put("user_calls", self.user_calls.into());
        put("skip_reasoning", self.skip_reasoning.into());
        put("locks", self.locks.as_ref().map_or(Value::Null, |locks| locks.template().clone()));
        // Rare settings are written only if they are set, so that the hash of other rules does not
        // change.
        if self.enabled != Enabled::On {
            put("enabled", self.enabled.as_str().into());
        }
        if self.first_state != Value::empty_object() {
            put("first_state", self.first_state.clone());
        }
        for (key, wanted) in [("json_calls", self.json_calls), ("tag_calls", self.tag_calls)] {
            if wanted {
                put(key, wanted.into());
            }
        }
        if let Some(path) = &self.time_path {
            put("time_path", Value::text(path.source()));
        }
        if !self.sam_functions.is_empty() {
            let functions = self.sam_functions.iter().map(|function| function.definition.clone());
            put("sam_functions", Value::list(functions.collect()));
        }
        if !self.library.is_empty() {
            put("library", self.library.to_value());
        }
        if let Some(schema) = &self.schema {
            put("schema", schema.source().clone());
        }
        if !self.greetings.is_empty() {
            put("greetings", Value::list(self.greetings.iter().map(Greeting::to_value).collect()));
        }
        Value::object(rules)
    }

    /// Parses the output of [`Rules::to_value`].
    pub fn from_value(value: &Value) -> Option<Rules> {
        let wanted = |key: &str| value.get(key).and_then(Value::as_bool).unwrap_or(false);
        Some(Rules {
            json_calls: wanted("json_calls"),
            tag_calls: wanted("tag_calls"),
            semantics: value.get("semantics")?.as_number()?.as_i64()?,
            enabled: value.read_optional("enabled", |word| Enabled::from_word(word.as_text()?))?.unwrap_or(Enabled::On),
            first_state: value.get("first_state").cloned().unwrap_or_else(Value::empty_object),
            profile: Profile::from_word(value.get("profile")?.as_text()?)?,
            user_calls: value.get("user_calls")?.as_bool()?,
            skip_reasoning: value.get("skip_reasoning")?.as_bool()?,
            time_path: value.read_optional("time_path", |path| path.as_text()?.parse().ok())?,
            locks: value.get("locks").filter(|locks| **locks != Value::Null).map(|locks| Locks::initialise(locks).0),
            sam_functions: value.get("sam_functions").and_then(Value::as_list).map_or_else(Vec::new, |functions| {
                functions.iter().map(|definition| SamFunction { definition: definition.clone() }).collect()
            }),
            library: value.read_optional("library", Library::from_value)?.unwrap_or_default(),
            schema: value.read_optional("schema", |schema| Schema::read(schema).ok())?,
            greetings: value
                .read_optional("greetings", |list| list.read_list(Greeting::from_value))?
                .unwrap_or_default(),
        })
    }
}

impl Greeting {
    fn to_value(&self) -> Value {
        Value::entries([("key", Value::text(self.key.to_string())), ("state", self.state.clone())])
    }

    fn from_value(value: &Value) -> Option<Greeting> {
        let key = value.get("key")?.as_text()?.parse().ok()?;
        Some(Greeting { key, state: value.get("state")?.clone() })
    }
}

#[cfg(test)]
mod tests {
    use storeyline_functions::library::exchange;
    use storeyline_functions::library::function::Scope;
    use storeyline_state::json;

    use super::*;

    #[test]
    fn rules_survive_storing() {
        let template = json::read(r#"{"$meta":{"extensible":true},"a":[1]}"#).unwrap();
        let locked = Rules { profile: Profile::Mvu, locks: Some(Locks::initialise(&template).0), ..Rules::default() };
        let file =
            json::read(r#"[{"name":"a","executor":"x"},{"name":"r","trigger":"after_parse","actions":[]}]"#).unwrap();
        let rich = Rules {
            library: exchange::read(&file, Scope::Card).library,
            schema: Some(Schema::infer(&template)),
            json_calls: true,
            tag_calls: true,
            enabled: Enabled::Open,
            first_state: template.clone(),
            time_path: Some("世界.时间".parse().unwrap()),
            sam_functions: vec![SamFunction { definition: file }],
            profile: Profile::from_word("sam-6").unwrap(),
            ..Rules::default()
        };
        let key = greeting_key("<initvar>a: 1</initvar>", "", "").unwrap();
        let greeting = Rules { greetings: vec![Greeting { key, state: template.clone() }], ..Rules::default() };
        for rules in [Rules::default(), locked, rich, greeting] {
            assert_eq!(Rules::from_value(&rules.to_value()), Some(rules));
        }
    }
}
