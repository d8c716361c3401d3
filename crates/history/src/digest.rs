//! Two chain digests over a path.
//!
//! The path digest proves to both sides of a sync that they have the same first floors.
//!
//! `d(0)` is empty; `d(i+1)` = first 128 bits of SHA-256 over `d(i)` and the row of turn `i`, in
//! base64url. The extension computes the same.
//!
//! The reading digest covers the active texts and their speakers, and nothing else: no page
//! id, no other alternative, no hidden mark. A note about a range of floors is valid wherever
//! the reading digest of its last floor is the same.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};
use storeyline_state::TextHash;

use crate::body::Role;

/// The digest of a path; `None` for the empty path.
pub type PathDigest = Option<TextHash>;

/// Returns the digest of a path with one more turn.
pub fn extend(before: PathDigest, row: &str) -> PathDigest {
    let mut hasher = Sha256::new();
    hasher.update(before.map(|digest| digest.to_string()).unwrap_or_default());
    hasher.update(row);
    let mut first = [0; 16];
    first.copy_from_slice(&hasher.finalize()[..16]);
    Some(TextHash::from_bytes(first))
}

/// The digest of the words on a path; all zeros for the empty path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ReadingDigest(pub [u8; 16]);

impl ReadingDigest {
    /// Returns the digest of a path with one more turn, whose active page has this text.
    pub fn extend(self, role: Role, speaker: &str, text: TextHash) -> ReadingDigest {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"storeyline reading").update(&self.0);
        for word in [role.as_str(), speaker] {
            hasher.update(&(word.len() as u64).to_le_bytes()).update(word.as_bytes());
        }
        hasher.update(text.as_bytes());
        let mut first = [0; 16];
        first.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        ReadingDigest(first)
    }
}

impl fmt::Display for ReadingDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        TextHash::from_bytes(self.0).fmt(f)
    }
}

impl FromStr for ReadingDigest {
    type Err = <TextHash as FromStr>::Err;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse::<TextHash>().map(|hash| ReadingDigest(*hash.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reading_digest_depends_on_role_speaker_text_and_order() {
        let text = |words: &str| storeyline_state::text::hash(words);
        let one = |role, name: &str, words: &str| ReadingDigest::default().extend(role, name, text(words));
        let all = [
            one(Role::User, "a", "x"),
            one(Role::Assistant, "a", "x"),
            one(Role::User, "b", "x"),
            one(Role::User, "a", "y"),
            one(Role::User, "a", "x").extend(Role::User, "a", text("x")),
        ];
        let different: std::collections::HashSet<_> = all.iter().collect();
        assert_eq!(different.len(), all.len());
    }
}
