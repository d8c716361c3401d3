//! Id types, one per kind of thing, so that ids of different things cannot be mixed up.
//!
//! UUID ids name things people made (pages, stories, branches, chats). Hash ids are computed from
//! content. This crate does not generate ids: random bytes are a parameter.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use uuid::Uuid;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a {kind} id")]
pub struct IdError {
    kind: &'static str,
    text: String,
}

impl IdError {
    fn new(kind: &'static str, text: &str) -> Self {
        let text = text.chars().take(80).collect();
        IdError { kind, text }
    }
}

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident, $kind:literal, $words:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        pub struct $name(Uuid);

        impl $name {
            /// Makes a UUID version 4 from 16 random bytes.
            pub fn from_random(bytes: [u8; 16]) -> Self {
                Self(uuid::Builder::from_random_bytes(bytes).into_uuid())
            }

            /// Makes a UUID version 5 from a name within a namespace.
            pub fn from_name(namespace: Uuid, name: &[u8]) -> Self {
                Self(Uuid::new_v5(&namespace, name))
            }

            pub fn uuid(self) -> Uuid {
                self.0
            }

            /// Reads an id from its bytes.
            pub fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(Uuid::from_bytes(bytes))
            }

            pub fn from_slice(bytes: &[u8]) -> Result<Self, IdError> {
                Uuid::from_slice(bytes).map(Self).map_err(|_| IdError::new($kind, "bytes of a wrong length"))
            }

            pub fn as_bytes(&self) -> &[u8; 16] {
                self.0.as_bytes()
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                Uuid::try_parse(text).map(Self).map_err(|_| IdError::new($kind, text))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                if deserializer.is_human_readable() {
                    String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
                } else {
                    Uuid::deserialize(deserializer).map(Self)
                }
            }
        }

        #[cfg(feature = "schema")]
        crate::schema::text_schema!($name, crate::schema::UUID, Some("uuid"), $words);
    };
}

/// Serializes an id as its text.
macro_rules! serde_as_text {
    ($name:ident) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
            }
        }
    };
}

uuid_id!(
    /// One alternative of one floor. The host file stores it.
    PageId, "page", "One alternative text of a floor."
);
uuid_id!(
    /// A story: a tree of pages with one initial state.
    StoryId, "story", "A story."
);
uuid_id!(
    /// A branch, a tag or an entry of the trash.
    RefId, "ref", "A branch or a tag."
);
uuid_id!(
    /// A host chat, whatever its file is called.
    ChatId, "chat", "A chat of the host."
);

macro_rules! hash_id {
    ($(#[$doc:meta])* $name:ident, $kind:literal, $words:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; 32]);

        impl $name {
            /// Wraps a computed hash.
            pub fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            pub fn from_slice(bytes: &[u8]) -> Result<Self, IdError> {
                let bytes = bytes.try_into().map_err(|_| IdError::new($kind, "bytes of a wrong length"))?;
                Ok(Self(bytes))
            }

            pub fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                let hash = blake3::Hash::from_hex(text).map_err(|_| IdError::new($kind, text))?;
                Ok(Self(*hash.as_bytes()))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let hex = blake3::Hash::from_bytes(self.0).to_hex();
                write!(f, concat!(stringify!($name), "({})"), &hex[..12])
            }
        }

        serde_as_text!($name);

        #[cfg(feature = "schema")]
        crate::schema::text_schema!($name, crate::schema::HEX, None, $words);
    };
}

hash_id!(
    /// The content hash of a state.
    StateHash, "state", "Names a state by its content."
);
hash_id!(
    /// One version of a page under one ancestry.
    NodeId, "node", "One turn under one ancestry; it never changes."
);
hash_id!(
    /// The hash of stored bytes: a body, a turn, rules, host fields.
    ValueHash, "value", "Names stored bytes by their content."
);

impl ValueHash {
    /// Hashes stored bytes.
    pub fn of(bytes: &[u8]) -> ValueHash {
        ValueHash(*blake3::hash(bytes).as_bytes())
    }
}

/// The first 128 bits of SHA-256 over a canonical text. The host file stores it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextHash([u8; 16]);

impl TextHash {
    /// Wraps a computed hash.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl FromStr for TextHash {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| IdError::new("text", text))?;
        let bytes = bytes.try_into().map_err(|_| IdError::new("text", text))?;
        Ok(Self(bytes))
    }
}

impl fmt::Display for TextHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut letters = [0; 22];
        let length = URL_SAFE_NO_PAD.encode_slice(self.0, &mut letters).map_err(|_| fmt::Error)?;
        f.write_str(str::from_utf8(&letters[..length]).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for TextHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TextHash({self})")
    }
}

serde_as_text!(TextHash);

#[cfg(feature = "schema")]
crate::schema::text_schema!(
    TextHash,
    "^[A-Za-z0-9_-]{22}$",
    None,
    "The first 128 bits of SHA-256 over a canonical text, base64url."
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_survive_a_round_trip_as_text() {
        let page = PageId::from_random([7; 16]);
        assert_eq!(page.to_string().parse::<PageId>(), Ok(page));
        let node = NodeId::from_bytes([9; 32]);
        assert_eq!(node.to_string().parse::<NodeId>(), Ok(node));
        let text = TextHash::from_bytes([200; 16]);
        assert_eq!(text.to_string().len(), 22);
        assert_eq!(text.to_string().parse::<TextHash>(), Ok(text));
    }

    #[test]
    fn garbage_is_refused_and_named() {
        let error = "x".parse::<PageId>().unwrap_err();
        assert_eq!(error.to_string(), "`x` is not a page id");
        assert!("abc".parse::<NodeId>().is_err());
        assert!("****".parse::<TextHash>().is_err());
    }
}
