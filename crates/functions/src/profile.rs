//! Profiles: whose conventions a card follows where the peers differ.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Profile {
    Native,
    Mvu,
    Sam(SamVersion),
    VarSystem,
}

/// The versions of SAM that parse messages differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SamVersion {
    /// One `@.NAME(args)` per line, strict JSON.
    V3_5,
    /// `@.NAME(args)` anywhere, the summary a list.
    V4_0,
    /// The same with more commands, the summary in three levels.
    V4_2,
    /// `@.DB({$set…})`.
    V5,
    /// `<JSONPatch>` blocks.
    V6,
}

/// All profiles and the words used for them in JSON.
const WORDS: [(Profile, &str); 8] = [
    (Profile::Native, "native"),
    (Profile::Mvu, "mvu"),
    (Profile::Sam(SamVersion::V3_5), "sam-3.5"),
    (Profile::Sam(SamVersion::V4_0), "sam-4.0"),
    (Profile::Sam(SamVersion::V4_2), "sam-4.2"),
    (Profile::Sam(SamVersion::V5), "sam-5"),
    (Profile::Sam(SamVersion::V6), "sam-6"),
    (Profile::VarSystem, "varsystem"),
];

impl Profile {
    /// Returns the word used in JSON.
    pub fn as_str(self) -> &'static str {
        WORDS.iter().find(|(profile, _)| *profile == self).expect("every profile has a word").1
    }

    /// Parses the word used in JSON; plain `sam` is the version most cards are written for.
    pub fn from_word(word: &str) -> Option<Profile> {
        let word = if word == "sam" { "sam-4.2" } else { word };
        WORDS.iter().find(|(_, known)| *known == word).map(|(profile, _)| *profile)
    }
}
