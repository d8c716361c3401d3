//! Whose conventions a card follows: what the peers decide differently.

/// A profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Our own rules.
    Native,
    /// MVU's.
    Mvu,
    /// ST-VarSystem's.
    VarSystem,
}

impl Profile {
    /// Returns the word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Profile::Native => "native",
            Profile::Mvu => "mvu",
            Profile::VarSystem => "varsystem",
        }
    }

    /// Reads the word used in JSON.
    pub fn from_word(word: &str) -> Option<Profile> {
        [Profile::Native, Profile::Mvu, Profile::VarSystem].into_iter().find(|profile| profile.as_str() == word)
    }
}
