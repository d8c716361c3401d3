//! Composes rules from four parts that are stored separately: the card's, the user's choices for
//! the story, the library for all cards, the library for this card. The user's choice has priority.
//!
//! The card's part is [`Rules`] too: those of a story without choices and without user defaults.

use storeyline_functions::library::function::Scope;
use storeyline_functions::{Library, Profile, Schema};
use storeyline_state::{Object, StatePath, Value, written};

use crate::rules::{Enabled, Rules, SEMANTICS};

/// The settings that a user chose for a story. `None` follows the card.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choices {
    pub profile: Option<Profile>,
    /// Whether the story has a state at all.
    pub enabled: Option<bool>,
    /// Whether calls in the user's own messages are executed.
    pub user_calls: Option<bool>,
    /// Whether reasoning blocks are skipped.
    pub skip_reasoning: Option<bool>,
    /// Whether `{"function": "SET", "args": […]}` is a call.
    pub json_calls: Option<bool>,
    /// Whether `<set path="…">…</set>` is a call.
    pub tag_calls: Option<bool>,
    /// Where `TIME` writes.
    pub time_path: Option<StatePath>,
    /// `Some(None)` means no schema, whatever the card says.
    pub schema: Option<Option<Schema>>,
    /// The state before the first page.
    pub first_state: Option<Value>,
    /// Replaces the library for all cards; functions of the card stay.
    pub library: Option<Library>,
}

/// What a user saved outside of stories that applies to a story.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserDefaults {
    /// The library for all cards.
    pub global: Library,
    /// The library for this card, in place of the one that it carries; `None` if the user saved none.
    pub card: Option<Library>,
    /// The first state for a card that has none.
    pub template: Option<Value>,
}

written! {
    /// A setting that users can choose.
    pub enum Setting {
        Profile = "profile",
        Enabled = "enabled",
        UserCalls = "user_calls",
        SkipReasoning = "skip_reasoning",
        JsonCalls = "json_calls",
        TagCalls = "tag_calls",
        TimePath = "time_path",
        Schema = "schema",
        Template = "template",
        Library = "library",
    }
}

written! {
    /// Where the value of a setting comes from.
    pub enum Origin {
        /// The user chose it for this story.
        Chosen = "you",
        /// The user saved it for all cards or for this one.
        Kept = "kept",
        /// The card.
        Card = "card",
        /// The built-in default.
        Default = "default",
    }
}

/// A change of choices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RulesChange {
    /// New choices; `None` leaves a setting unchanged.
    pub set: Choices,
    /// Settings that follow the card again.
    pub unset: Vec<Setting>,
}

/// Returns the rules for new pages.
pub fn compose(card: &Rules, choices: &Choices, kept: &UserDefaults) -> Rules {
    let mut rules = Rules { semantics: SEMANTICS, ..card.clone() };
    if let Some(template) = kept.template.as_ref().filter(|_| !card.has_first_state()) {
        rules.first_state = template.clone();
        rules.enabled = if rules.enabled == Enabled::Open { Enabled::On } else { rules.enabled };
    }
    if let Some(own) = &kept.card {
        rules.library.functions.retain(|function| function.scope != Scope::Card);
        rules.library.rules.retain(|rule| rule.scope != Scope::Card);
        rules.library.off.clear();
        rules.library.extend(own.clone());
    }
    rules.library.extend(kept.global.clone());
    choices.apply(&mut rules);
    if rules.enabled != Enabled::On {
        rules.enabled = Enabled::Off;
        rules.first_state = Value::empty_object();
    }
    rules
}

pub fn origin(setting: Setting, card: &Rules, choices: &Choices, kept: &UserDefaults) -> Origin {
    let composed = |choices: &Choices, kept: &UserDefaults| setting.value(&compose(card, choices, kept));
    let nothing = (Choices::default(), UserDefaults::default());
    if choices.has(setting) {
        Origin::Chosen
    } else if composed(&nothing.0, kept) != composed(&nothing.0, &nothing.1) {
        Origin::Kept
    } else if setting.value(card) != setting.value(&Rules::default()) {
        Origin::Card
    } else {
        Origin::Default
    }
}

impl RulesChange {
    /// Returns the choices after the change.
    pub fn after(&self, before: &Choices) -> Choices {
        fn pick<T: Clone>(unset: bool, set: &Option<T>, before: &Option<T>) -> Option<T> {
            set.clone().or_else(|| before.clone().filter(|_| !unset))
        }
        let RulesChange { set, unset } = self;
        let unset = |setting| unset.contains(&setting);
        Choices {
            profile: pick(unset(Setting::Profile), &set.profile, &before.profile),
            enabled: pick(unset(Setting::Enabled), &set.enabled, &before.enabled),
            user_calls: pick(unset(Setting::UserCalls), &set.user_calls, &before.user_calls),
            skip_reasoning: pick(unset(Setting::SkipReasoning), &set.skip_reasoning, &before.skip_reasoning),
            json_calls: pick(unset(Setting::JsonCalls), &set.json_calls, &before.json_calls),
            tag_calls: pick(unset(Setting::TagCalls), &set.tag_calls, &before.tag_calls),
            time_path: pick(unset(Setting::TimePath), &set.time_path, &before.time_path),
            schema: pick(unset(Setting::Schema), &set.schema, &before.schema),
            first_state: pick(unset(Setting::Template), &set.first_state, &before.first_state),
            library: pick(unset(Setting::Library), &set.library, &before.library),
        }
    }
}

impl Choices {
    /// Applies the choices to rules.
    pub fn apply(&self, rules: &mut Rules) {
        let Choices { profile, enabled, user_calls, skip_reasoning, json_calls, tag_calls, .. } = *self;
        rules.profile = profile.unwrap_or(rules.profile);
        rules.enabled = match enabled {
            Some(enabled) => enabled.into(),
            // Choosing a first state enables the state.
            None if self.first_state.is_some() => Enabled::On,
            None => rules.enabled,
        };
        rules.user_calls = user_calls.unwrap_or(rules.user_calls);
        rules.skip_reasoning = skip_reasoning.unwrap_or(rules.skip_reasoning);
        rules.json_calls = json_calls.unwrap_or(rules.json_calls);
        rules.tag_calls = tag_calls.unwrap_or(rules.tag_calls);
        if let Some(path) = &self.time_path {
            rules.time_path = Some(path.clone());
        }
        if let Some(schema) = &self.schema {
            rules.schema.clone_from(schema);
        }
        if let Some(state) = &self.first_state {
            rules.first_state = state.clone();
        }
        if let Some(chosen) = &self.library {
            let library = &mut rules.library;
            library.functions.retain(|function| function.scope == Scope::Card);
            library.rules.retain(|rule| rule.scope == Scope::Card);
            library.off.clear();
            library.extend(chosen.clone());
        }
    }

    fn has(&self, setting: Setting) -> bool {
        match setting {
            Setting::Profile => self.profile.is_some(),
            Setting::Enabled => self.enabled.is_some(),
            Setting::UserCalls => self.user_calls.is_some(),
            Setting::SkipReasoning => self.skip_reasoning.is_some(),
            Setting::JsonCalls => self.json_calls.is_some(),
            Setting::TagCalls => self.tag_calls.is_some(),
            Setting::TimePath => self.time_path.is_some(),
            Setting::Schema => self.schema.is_some(),
            Setting::Template => self.first_state.is_some(),
            Setting::Library => self.library.is_some(),
        }
    }

    /// Returns the choices as JSON, for storing: only what was chosen.
    pub fn to_value(&self) -> Value {
        let mut rules = Rules::default();
        self.apply(&mut rules);
        let chosen = Setting::ALL.into_iter().filter(|setting| self.has(*setting));
        Value::object(chosen.map(|setting| (setting.as_str().into(), setting.value(&rules))).collect::<Object>())
    }

    /// Parses the output of [`Choices::to_value`].
    pub fn from_value(value: &Value) -> Option<Choices> {
        let switch = |setting: Setting| value.read_optional(setting.as_str(), Value::as_bool);
        Some(Choices {
            profile: value.read_optional("profile", |word| Profile::from_word(word.as_text()?))?,
            enabled: switch(Setting::Enabled)?,
            user_calls: switch(Setting::UserCalls)?,
            skip_reasoning: switch(Setting::SkipReasoning)?,
            json_calls: switch(Setting::JsonCalls)?,
            tag_calls: switch(Setting::TagCalls)?,
            time_path: value.read_optional("time_path", |path| path.as_text()?.parse().ok())?,
            schema: value.read_optional("schema", |schema| match schema {
                Value::Null => Some(None),
                schema => Schema::read(schema).ok().map(Some),
            })?,
            first_state: value.get("template").cloned(),
            library: value.read_optional("library", Library::from_value)?,
        })
    }
}

impl Setting {
    /// Parses a name; the command line writes `-` for `_`.
    pub fn from_word(word: &str) -> Option<Setting> {
        let word = word.replace('-', "_");
        Setting::ALL.into_iter().find(|setting| setting.as_str() == word)
    }

    fn value(self, rules: &Rules) -> Value {
        match self {
            Setting::Profile => rules.profile.as_str().into(),
            Setting::Enabled => (rules.enabled == Enabled::On).into(),
            Setting::UserCalls => rules.user_calls.into(),
            Setting::SkipReasoning => rules.skip_reasoning.into(),
            Setting::JsonCalls => rules.json_calls.into(),
            Setting::TagCalls => rules.tag_calls.into(),
            Setting::TimePath => rules.time_path.as_ref().map_or(Value::Null, |path| Value::text(path.source())),
            Setting::Schema => rules.schema.as_ref().map_or(Value::Null, |schema| schema.source().clone()),
            Setting::Template => rules.first_state.clone(),
            Setting::Library => rules.library.to_value(),
        }
    }
}

#[cfg(test)]
mod tests {
    use storeyline_functions::library::exchange;
    use storeyline_state::json;

    use super::*;

    fn library(name: &str, scope: Scope) -> Library {
        let file = json::read(&format!(r#"[{{"name":"{name}","executor":""}}]"#)).unwrap();
        exchange::read(&file, scope).library
    }

    fn state(number: i64) -> Value {
        json::read(&format!(r#"{{"n":{number}}}"#)).unwrap()
    }

    /// A card with a value for every setting; `turn` selects other values.
    fn card(turn: bool) -> Rules {
        Rules {
            profile: if turn { Profile::VarSystem } else { Profile::Mvu },
            enabled: turn.into(),
            user_calls: turn,
            skip_reasoning: turn,
            json_calls: turn,
            tag_calls: turn,
            time_path: turn.then(|| "n".parse().unwrap()),
            schema: turn.then(|| Schema::infer(&state(1))),
            first_state: state(i64::from(turn)),
            library: library(if turn { "NEW" } else { "OLD" }, Scope::Card),
            ..Rules::default()
        }
    }

    fn all_chosen() -> Choices {
        Choices {
            profile: Some(Profile::Native),
            enabled: Some(true),
            user_calls: Some(true),
            skip_reasoning: Some(false),
            json_calls: Some(true),
            tag_calls: Some(false),
            time_path: Some("a.b".parse().unwrap()),
            schema: Some(Some(Schema::infer(&state(5)))),
            first_state: Some(state(9)),
            library: Some(library("MINE", Scope::Global)),
        }
    }

    fn one_chosen(setting: Setting) -> Choices {
        let unset = Setting::ALL.into_iter().filter(|other| *other != setting).collect();
        RulesChange { set: Choices::default(), unset }.after(&all_chosen())
    }

    /// The library is the one setting in which the card's part stays beside the choice.
    fn chosen_value(setting: Setting, rules: &Rules) -> Value {
        let mut rules = rules.clone();
        rules.library.functions.retain(|function| function.scope == Scope::Global);
        setting.value(&rules)
    }

    #[test]
    fn a_choice_survives_another_card() {
        for setting in Setting::ALL {
            let choices = one_chosen(setting);
            let before = compose(&card(false), &choices, &UserDefaults::default());
            let after = compose(&card(true), &choices, &UserDefaults::default());
            assert_eq!(chosen_value(setting, &before), chosen_value(setting, &after), "{setting:?}");
            for other in Setting::ALL.into_iter().filter(|other| *other != setting) {
                assert_eq!(other.value(&after), other.value(&card(true)), "{other:?} follows the card");
            }
        }
    }

    #[test]
    fn without_a_choice_the_card_counts_again() {
        for setting in Setting::ALL {
            let change = RulesChange { set: Choices::default(), unset: vec![setting] };
            let choices = change.after(&one_chosen(setting));
            assert_eq!(choices, Choices::default(), "{setting:?}");
            assert_eq!(compose(&card(true), &choices, &UserDefaults::default()), card(true));
        }
    }

    #[test]
    fn choices_that_are_not_named_stay() {
        let change = RulesChange { set: one_chosen(Setting::Profile), unset: vec![Setting::TagCalls] };
        let after = change.after(&Choices { profile: Some(Profile::Mvu), ..all_chosen() });
        assert_eq!(after, Choices { tag_calls: None, ..all_chosen() });
    }

    #[test]
    fn a_chosen_library_stands_in_place_of_the_one_for_all_cards() {
        let kept = UserDefaults { global: library("GLOBAL", Scope::Global), card: None, template: Some(state(7)) };
        let names = |choices: &Choices, kept: &UserDefaults| -> Vec<String> {
            let rules = compose(&card(false), choices, kept);
            rules.library.functions.into_iter().map(|function| function.name).collect()
        };
        assert_eq!(names(&Choices::default(), &kept), ["OLD", "GLOBAL"]);
        assert_eq!(names(&one_chosen(Setting::Library), &kept), ["OLD", "MINE"]);
        let saved = UserDefaults { card: Some(library("SAVED", Scope::Card)), ..kept };
        assert_eq!(names(&Choices::default(), &saved), ["SAVED", "GLOBAL"], "in place of what the card carries");
        assert_eq!(names(&one_chosen(Setting::Library), &saved), ["SAVED", "MINE"]);
    }

    #[test]
    fn a_kept_template_counts_where_the_card_says_none() {
        let kept = UserDefaults { template: Some(state(7)), ..UserDefaults::default() };
        let first = |card: &Rules, choices: &Choices| compose(card, choices, &kept).first_state;
        assert_eq!(first(&Rules::default(), &Choices::default()), state(7));
        let with = |enabled| Rules { enabled, ..Rules::default() };
        assert_eq!(first(&with(Enabled::Open), &Choices::default()), state(7), "it is on then");
        assert_eq!(first(&with(Enabled::Off), &Choices::default()), Value::empty_object(), "off is off");
        assert_eq!(first(&card(true), &Choices::default()), state(1));
        assert_eq!(first(&Rules::default(), &one_chosen(Setting::Template)), state(9));
    }

    #[test]
    fn a_story_that_is_off_has_no_first_state_until_one_is_chosen() {
        let first = |choices: &Choices| compose(&card(false), choices, &UserDefaults::default()).first_state;
        assert_eq!(first(&Choices::default()), Value::empty_object());
        assert_eq!(first(&one_chosen(Setting::Enabled)), state(0));
        assert_eq!(first(&one_chosen(Setting::Template)), state(9));
    }

    #[test]
    fn every_setting_tells_where_it_comes_from() {
        let kept = UserDefaults { global: library("GLOBAL", Scope::Global), ..UserDefaults::default() };
        let card = Rules { profile: Profile::Mvu, ..Rules::default() };
        let choices = one_chosen(Setting::UserCalls);
        let of = |setting| origin(setting, &card, &choices, &kept);
        assert_eq!(of(Setting::Profile), Origin::Card);
        assert_eq!(of(Setting::UserCalls), Origin::Chosen);
        assert_eq!(of(Setting::Library), Origin::Kept);
        assert_eq!(of(Setting::TagCalls), Origin::Default);
    }

    #[test]
    fn choices_survive_storing() {
        let none = Choices { schema: Some(None), ..Choices::default() };
        for choices in [Choices::default(), all_chosen(), none] {
            assert_eq!(Choices::from_value(&choices.to_value()), Some(choices));
        }
        for setting in Setting::ALL {
            assert_eq!(Setting::from_word(&setting.as_str().replace('_', "-")), Some(setting));
        }
    }
}
