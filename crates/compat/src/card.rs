//! Cards: what a character card says about state. JSON, or PNG with the JSON inside.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use storeyline_state::Value;
use storeyline_state::json::{self, JsonError};

/// What we take from a card.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// The character's name.
    pub name: String,
    /// Whether the card asks for state.
    pub enabled: Option<bool>,
    /// The initial state.
    pub template: Option<Value>,
}

/// Why a file is not a card.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CardError {
    /// Neither JSON text nor PNG.
    #[error("the card is neither JSON nor PNG")]
    UnknownFormat,
    /// A PNG without a card inside.
    #[error("the picture holds no card")]
    NoCard,
    /// The JSON of the card cannot be read.
    #[error("the card is not valid JSON: {0}")]
    Json(#[from] JsonError),
}

impl Card {
    /// Reads a card file.
    pub fn read(bytes: &[u8]) -> Result<Card, CardError> {
        let text = if bytes.starts_with(PNG) { card_in_png(bytes)? } else { text_of(bytes)? };
        let card = json::read(&text)?;
        let data = card.get("data").unwrap_or(&card);
        let own = data.get("extensions").and_then(|extensions| extensions.get("st_var_system"));
        Ok(Card {
            name: data.get("name").and_then(Value::as_text).unwrap_or("").to_owned(),
            enabled: own.and_then(|own| own.get("enabled")).and_then(Value::as_bool),
            template: own.and_then(|own| own.get("templateBody")).and_then(template),
        })
    }
}

/// A template is an object, or the text of one.
fn template(value: &Value) -> Option<Value> {
    match value {
        Value::Object(_) => Some(value.clone()),
        Value::Text(text) => json::read(text).ok().filter(|value| value.as_object().is_some()),
        _ => None,
    }
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

fn text_of(bytes: &[u8]) -> Result<String, CardError> {
    String::from_utf8(bytes.to_vec()).map_err(|_| CardError::UnknownFormat)
}

/// Finds the text chunk `ccv3`, else `chara`.
fn card_in_png(bytes: &[u8]) -> Result<String, CardError> {
    let mut found: Option<(bool, &[u8])> = None;
    let mut rest = &bytes[PNG.len()..];
    while let Some((kind, data, after)) = chunk(rest) {
        rest = after;
        let Some(zero) = data.iter().position(|byte| *byte == 0).filter(|_| kind == b"tEXt") else {
            continue;
        };
        let newer = data[..zero].eq_ignore_ascii_case(b"ccv3");
        if newer || (data[..zero].eq_ignore_ascii_case(b"chara") && found.is_none()) {
            found = Some((newer, &data[zero + 1..]));
        }
    }
    let (_, encoded) = found.ok_or(CardError::NoCard)?;
    text_of(&STANDARD.decode(encoded.trim_ascii()).map_err(|_| CardError::NoCard)?)
}

/// One chunk: its kind, its data, and what follows.
fn chunk(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let length = u32::from_be_bytes(bytes.get(..4)?.try_into().ok()?) as usize;
    let kind = bytes.get(4..8)?;
    let data = bytes.get(8..8usize.checked_add(length)?)?;
    Some((kind, data, bytes.get(12 + length..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: &str =
        r#"{"data":{"name":"阿丽娅","extensions":{"st_var_system":{"enabled":true,"templateBody":{"金币":5}}}}}"#;

    fn png(chunks: &[(&str, &str)]) -> Vec<u8> {
        let mut bytes = PNG.to_vec();
        for (key, json) in chunks {
            let data = [key.as_bytes(), b"\0", STANDARD.encode(json).as_bytes()].concat();
            bytes.extend((data.len() as u32).to_be_bytes());
            bytes.extend(b"tEXt");
            bytes.extend(data);
            bytes.extend([0; 4]);
        }
        bytes
    }

    #[test]
    fn json_and_png_cards_are_read() {
        let card = Card::read(JSON.as_bytes()).unwrap();
        assert_eq!((card.name.as_str(), card.enabled), ("阿丽娅", Some(true)));
        assert_eq!(json::write(&card.template.clone().unwrap()), r#"{"金币":5}"#);
        assert_eq!(Card::read(&png(&[("chara", "{\"name\":\"old\"}"), ("ccv3", JSON)])), Ok(card));
    }

    #[test]
    fn what_is_no_card_is_refused() {
        assert_eq!(Card::read(&png(&[("other", "{}")])), Err(CardError::NoCard));
        assert_eq!(Card::read(b"\x89PNG\r\n\x1a\n\xff\xff\xff\xfftEXt"), Err(CardError::NoCard));
        assert_eq!(Card::read(&[0xff, 0xfe]), Err(CardError::UnknownFormat));
        assert!(matches!(Card::read(b"{"), Err(CardError::Json(_))));
    }
}
