//! The function library: what users and card authors add to the built-ins.

pub mod exchange;
pub mod function;
pub mod steps;
pub mod syntax;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use storeyline_calls::{Call, Dialect};
use storeyline_state::Value;

use crate::builtin::builtin_of;
use crate::profile::Profile;
use function::{Executor, FunctionKind, Scope, VarFunction};
use steps::{AutoRule, Trigger};

/// All functions and rules of a story, both scopes together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Library {
    pub functions: Vec<VarFunction>,
    pub rules: Vec<AutoRule>,
    /// Names of the built-ins that are switched off.
    pub off: Vec<String>,
}

impl Library {
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty() && self.rules.is_empty() && self.off.is_empty()
    }

    /// Restricts everything in the library to one speaker.
    pub fn speaks_for(&mut self, speaker: &str) {
        self.functions.iter_mut().for_each(|function| function.speaker = Some(speaker.to_owned()));
        self.rules.iter_mut().for_each(|rule| rule.speaker = Some(speaker.to_owned()));
    }

    /// Returns the part of the library that is active for a speaker.
    pub fn of_speaker(&self, speaker: &str) -> Cow<'_, Library> {
        let counts = |only: &Option<String>| only.as_ref().is_none_or(|only| only == speaker);
        let all = self.functions.iter().all(|function| counts(&function.speaker))
            && self.rules.iter().all(|rule| counts(&rule.speaker));
        if all {
            return Cow::Borrowed(self);
        }
        let mut own = self.clone();
        own.functions.retain(|function| counts(&function.speaker));
        own.rules.retain(|rule| counts(&rule.speaker));
        Cow::Owned(own)
    }

    /// Gives an id that is taken already another ending: `id`, `id-2`, `id-3`. A card's functions without ids
    /// are identified by their names, which may occur twice.
    pub fn make_ids_unique(&mut self) {
        let mut taken = HashSet::new();
        let mut next: HashMap<String, usize> = HashMap::new();
        let functions = self.functions.iter_mut().map(|function| &mut function.id);
        for id in functions.chain(self.rules.iter_mut().map(|rule| &mut rule.id)) {
            let written = id.clone();
            let count = next.entry(written.clone()).or_insert(1);
            while !taken.insert(id.clone()) {
                *count += 1;
                *id = format!("{written}-{count}");
            }
        }
    }

    pub fn extend(&mut self, other: Library) {
        self.functions.extend(other.functions);
        self.rules.extend(other.rules);
        self.off.extend(other.off);
    }

    /// Returns the active function of a name; the card's has priority over the global one.
    pub fn named(&self, name: &str) -> Option<&VarFunction> {
        let same = |function: &&VarFunction| function.name.to_lowercase() == name.to_lowercase();
        self.active().filter(same).min_by_key(|function| (function.scope, function.order))
    }

    /// Iterates over the enabled active functions.
    pub fn active(&self) -> impl Iterator<Item = &VarFunction> {
        self.functions
            .iter()
            .filter(|function| function.enabled && matches!(function.kind, FunctionKind::Active { .. }))
    }

    /// Tells whether the built-in that a call names is switched off.
    pub(crate) fn has_off(&self, call: &Call, profile: Profile) -> bool {
        // An op of a patch block may share the name of a function by chance; only its own name
        // counts.
        let builtin = builtin_of(profile, call).filter(|_| call.dialect != Dialect::Patch);
        match builtin {
            Some(builtin) => builtin.is_off(&self.off),
            None => self.off.iter().any(|off| off.eq_ignore_ascii_case(&call.name)),
        }
    }

    /// Tells whether some rule runs on the user's pages too.
    pub fn has_rules_for_every_message(&self) -> bool {
        self.rules.iter().any(|rule| rule.enabled && rule.trigger == Trigger::EveryMessage)
    }

    /// Tells whether some script may use the position of its page. Other scripts do not receive it.
    pub fn uses_position(&self) -> bool {
        let scripts = self.functions.iter().filter(|function| function.enabled).filter_map(script);
        let conditions = self.rules.iter().filter(|rule| rule.enabled).filter_map(|rule| rule.condition.as_deref());
        scripts.chain(conditions).any(uses_position)
    }

    /// Returns the library as JSON, for storing.
    pub fn to_value(&self) -> Value {
        let scoped = |mut value: Value, scope: Scope| {
            if let Value::Object(object) = &mut value {
                storeyline_state::value::edit(object).insert("scope".into(), scope.as_str().into());
            }
            value
        };
        let functions = self.functions.iter().map(|function| scoped(function.to_value(), function.scope));
        let rules = self.rules.iter().map(|rule| scoped(rule.to_value(), rule.scope));
        Value::entries([
            ("functions", Value::list(functions.collect())),
            ("rules", Value::list(rules.collect())),
            ("off", Value::texts(&self.off)),
        ])
    }

    /// Parses the output of [`Library::to_value`].
    pub fn from_value(value: &Value) -> Option<Library> {
        let list = |key: &str| value.get(key).and_then(Value::as_list).unwrap_or_default();
        let scope = |entry: &Value| match entry.get("scope").and_then(Value::as_text) {
            Some("card") => Scope::Card,
            _ => Scope::Global,
        };
        let functions = list("functions").iter().map(|entry| VarFunction::from_value(entry, scope(entry)).ok());
        let rules = list("rules").iter().map(|entry| AutoRule::from_value(entry, scope(entry)).ok());
        Some(Library {
            functions: functions.collect::<Option<_>>()?,
            rules: rules.collect::<Option<_>>()?,
            off: list("off").iter().map(|name| name.as_text().map(str::to_owned)).collect::<Option<_>>()?,
        })
    }
}

fn script(function: &VarFunction) -> Option<&str> {
    match &function.executor {
        Executor::Script(source) => Some(source),
        Executor::Steps(_) => None,
    }
}

/// The position is available only through `context`, so a script without these words cannot use it.
fn uses_position(source: &str) -> bool {
    let words = ["floor", "round", "pageId", "messageId"];
    (source.contains("context") || source.contains("=>")) && words.iter().any(|word| source.contains(word))
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    fn library(text: &str) -> Library {
        let imported = exchange::read(&json::read(text).unwrap(), Scope::Global);
        assert!(imported.problems.is_empty(), "{:?}", imported.problems);
        imported.library
    }

    const FILE: &str = r#"{"version":"1.0","functions":[
        {"id":"uuid-xxx","name":"时间推进","type":"passive","enabled":true,"order":1,"timing":"before_active","description":"每回合","executor":"snapshot.n = context.round;"},
        {"id":"uuid-yyy","name":"SET","type":"active","enabled":true,"order":1,"pattern":"@\\.SET\\(\"([^\"]+)\",\\s*(.+?)\\);?","description":"","executor":"return snapshot;"},
        {"name":"HEAL","enabled":true,"category":"自定义","description":"完全恢复生命值","syntax":"@.HEAL();","parameters":[],"implementation":{"type":"composite","steps":[{"function":"SET","args":["角色.生命值",100]}]}}],
        "rules":[{"name":"时间","enabled":true,"trigger":"every_message","condition":"(ctx) => ctx.snapshot.a","actions":[{"function":"TIME_ADD","args":["世界.时间",{"hours":1}]}]}]}"#;

    #[test]
    fn a_library_survives_storing_and_exchange() {
        let mut library = library(FILE);
        library.off = vec!["UNSET".into()];
        library.functions[1].scope = Scope::Card;
        assert_eq!(Library::from_value(&library.to_value()), Some(library.clone()));
        let exported = exchange::export(&library);
        library.functions[1].scope = Scope::Global;
        assert_eq!(exchange::read(&exported, Scope::Global).library, library);
        assert!(library.uses_position() && library.has_rules_for_every_message());
    }

    #[test]
    fn what_is_imported_has_new_ids_and_is_off() {
        let mut count = 0;
        let imported = exchange::import(&json::read(FILE).unwrap(), Scope::Card, || {
            count += 1;
            format!("new-{count}")
        });
        let seen: Vec<_> = imported.library.functions.iter().map(|f| (f.id.as_str(), f.enabled, f.scope)).collect();
        assert_eq!(seen, [("new-1", false, Scope::Card), ("new-2", false, Scope::Card), ("new-3", false, Scope::Card)]);
        assert!(!imported.library.rules[0].enabled);
    }

    #[test]
    fn bad_entries_are_named_and_the_others_read() {
        let file = r#"[{"name":"a","executor":""},{"name":""},{"name":"b"},{"name":"c","type":"x","executor":""},
            {"name":"d","implementation":{"steps":[{}]}},{"name":"e","trigger":"now","actions":[]},7]"#;
        let imported = exchange::read(&json::read(file).unwrap(), Scope::Global);
        assert_eq!(imported.library.functions.len(), 1);
        let problems: Vec<&str> = imported.problems.iter().map(|problem| problem.en.as_str()).collect();
        assert_eq!(
            problems,
            [
                "Entry 2: The function has no `name`.",
                "Entry 3: The function `b` has neither an `executor` nor `implementation.steps`.",
                "Entry 4: The `type` of the function `c` is `x`; it must be one of active, passive.",
                "Entry 5: Step 1 of `d` has no `function`.",
                "Entry 6: The `trigger` of the rule `e` is `now`; it must be before_parse, after_parse or every_message.",
                "Entry 7: The function has no `name`.",
            ]
        );
        let nothing = exchange::read(&json::read(r#"{"x":1}"#).unwrap(), Scope::Global);
        assert_eq!(nothing.problems.len(), 1);
    }

    #[test]
    fn ids_are_unique_and_a_passive_function_keeps_its_pattern() {
        let file = r#"[{"name":"a","executor":"1"},{"name":"a","executor":"2"},{"name":"a-2","executor":"3"},
            {"name":"a","trigger":"after_parse","actions":[]},{"name":"p","type":"passive","pattern":"x","executor":""}]"#;
        let library = exchange::read(&json::read(file).unwrap(), Scope::Card).library;
        let ids: Vec<&str> = library.functions.iter().map(|function| function.id.as_str()).collect();
        assert_eq!(ids, ["a", "a-2", "a-2-2", "p"]);
        assert_eq!(library.rules[0].id, "a-3");
        assert_eq!(library.functions[3].to_value().get("pattern"), Some(&"x".into()));
        assert_eq!(exchange::read(&exchange::export(&library), Scope::Card).library, library);
    }

    #[test]
    fn the_cards_function_comes_before_the_global_one() {
        let mut library = library(FILE);
        let mut own = library.functions[1].clone();
        own.id = "own".into();
        own.scope = Scope::Card;
        library.functions.push(own);
        assert_eq!(library.named("set").unwrap().id, "own");
        library.functions.last_mut().unwrap().enabled = false;
        assert_eq!(library.named("Set").unwrap().id, "uuid-yyy");
        assert!(library.named("时间推进").is_none(), "passive functions are not called");
    }

    #[test]
    fn functions_of_a_card_count_while_it_speaks() {
        let mut all = library(FILE);
        let mut own = all.clone();
        own.speaks_for("Aria");
        all.functions.truncate(1);
        let of_all = all.functions.len();
        all.extend(own);
        assert_eq!(all.of_speaker("Bell").functions.len(), of_all);
        assert_eq!(all.of_speaker("Aria").as_ref(), &all);
        assert_eq!(Library::from_value(&all.to_value()), Some(all));
    }
}
