//! All that a user can change that changes a result. A body names the rules it was written under.

use storeyline_calls::ParseSettings;
use storeyline_functions::profile::SamVersion;
use storeyline_functions::sam::SamFunction;
use storeyline_functions::{Conventions, Locks, Profile};
use storeyline_state::{Object, Value};

/// Rises only when a result would change.
pub const SEMANTICS: i64 = 1;

/// The rules of evaluation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// Version of the meaning of everything else.
    pub semantics: i64,
    /// Whose conventions a card follows.
    pub profile: Profile,
    /// Whether calls in the user's own messages count.
    pub user_calls: bool,
    /// Whether reasoning blocks are left out.
    pub skip_reasoning: bool,
    /// MVU's locks, where the card has them.
    pub locks: Option<Locks>,
    /// The functions of a SAM card.
    pub sam_functions: Vec<SamFunction>,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            semantics: SEMANTICS,
            profile: Profile::Native,
            user_calls: false,
            skip_reasoning: true,
            locks: None,
            sam_functions: Vec::new(),
        }
    }
}

impl Rules {
    /// Returns how a text is read under these rules.
    pub fn parse_settings(&self) -> ParseSettings {
        // MVU's authors never meant calls in comments to count; SAM's hide them there.
        ParseSettings {
            skip_reasoning: self.skip_reasoning,
            skip_html_comments: self.profile == Profile::Mvu,
            line_mode: self.profile == Profile::Sam(SamVersion::V3_5),
        }
    }

    /// Returns whose conventions count for a call.
    pub fn conventions(&self) -> Conventions<'_> {
        Conventions { profile: self.profile, locks: self.locks.as_ref() }
    }

    /// Tells whether a result may depend on where the page stands: then the place is part of the memo key.
    pub fn use_place(&self) -> bool {
        matches!(self.profile, Profile::Sam(_))
    }

    /// Returns the rules as JSON, for storing.
    pub fn to_value(&self) -> Value {
        let entries: [(&str, Value); 6] = [
            ("semantics", self.semantics.into()),
            ("profile", self.profile.as_str().into()),
            ("user_calls", self.user_calls.into()),
            ("skip_reasoning", self.skip_reasoning.into()),
            ("locks", self.locks.as_ref().map_or(Value::Null, |locks| locks.template().clone())),
            (
                "sam_functions",
                Value::list(self.sam_functions.iter().map(|function| function.definition.clone()).collect()),
            ),
        ];
        Value::object(entries.into_iter().map(|(key, value)| (key.into(), value)).collect::<Object>())
    }

    /// Reads what [`Rules::to_value`] wrote.
    pub fn from_value(value: &Value) -> Option<Rules> {
        Some(Rules {
            semantics: value.get("semantics")?.as_number()?.as_i64()?,
            profile: Profile::from_word(value.get("profile")?.as_text()?)?,
            user_calls: value.get("user_calls")?.as_bool()?,
            skip_reasoning: value.get("skip_reasoning")?.as_bool()?,
            locks: value.get("locks").filter(|locks| **locks != Value::Null).map(|locks| Locks::initialise(locks).0),
            sam_functions: value.get("sam_functions").and_then(Value::as_list).map_or_else(Vec::new, |functions| {
                functions.iter().map(|definition| SamFunction { definition: definition.clone() }).collect()
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    #[test]
    fn rules_survive_storing() {
        let template = json::read(r#"{"$meta":{"extensible":true},"a":[1]}"#).unwrap();
        let locked = Rules { profile: Profile::Mvu, locks: Some(Locks::initialise(&template).0), ..Rules::default() };
        for rules in [Rules::default(), locked] {
            assert_eq!(Rules::from_value(&rules.to_value()), Some(rules));
        }
    }
}
