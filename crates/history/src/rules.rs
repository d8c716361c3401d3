//! All that a user can change that changes a result. A body names the rules it was written under.

use storeyline_calls::ParseSettings;
use storeyline_functions::Profile;
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
}

impl Default for Rules {
    fn default() -> Self {
        Rules { semantics: SEMANTICS, profile: Profile::Native, user_calls: false, skip_reasoning: true }
    }
}

impl Rules {
    /// Returns how a text is read under these rules.
    pub fn parse_settings(&self) -> ParseSettings {
        // MVU's authors never meant calls in comments to count; SAM's hide them there.
        ParseSettings { skip_reasoning: self.skip_reasoning, skip_html_comments: self.profile == Profile::Mvu }
    }

    /// Returns the rules as JSON, for storing.
    pub fn to_value(&self) -> Value {
        let entries: [(&str, Value); 4] = [
            ("semantics", self.semantics.into()),
            ("profile", self.profile.as_str().into()),
            ("user_calls", self.user_calls.into()),
            ("skip_reasoning", self.skip_reasoning.into()),
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
        })
    }
}
