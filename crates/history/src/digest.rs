//! The chain digest: proves to both sides of a sync that they have the same first floors.
//!
//! `d(0)` is empty; `d(i+1)` = first 128 bits of SHA-256 over `d(i)` and the row of turn `i`, in
//! base64url. The extension computes the same.

use sha2::{Digest as _, Sha256};
use storeyline_state::TextHash;

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
