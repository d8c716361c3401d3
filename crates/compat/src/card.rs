//! Character cards: JSON (V1 to V3), or PNG with the JSON inside. Reads what a card says about
//! state.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use storeyline_functions::Library;
use storeyline_functions::library::exchange;
use storeyline_functions::library::function::Scope;
use storeyline_history::Enabled;
use storeyline_state::json::{self, JsonError};
use storeyline_state::{Diagnostic, Explain, Explanation, Value, Words, text};

use crate::file_kind::FileKind;
use crate::location::{Location, Remark};
use crate::world_book::WorldBook;
use crate::{MAX_FILE, file_text};

/// The parts of a card that we use.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Card {
    /// Name of the character.
    pub name: String,
    /// The card's switch for its state; if `None`, the contents of card and books decide.
    pub enabled: Option<bool>,
    /// The initial state.
    pub template: Option<Value>,
    /// The card's own functions (局域).
    pub library: Library,
    /// The first message and the alternate greetings: the pages of floor 0, in order.
    pub greetings: Vec<String>,
    /// The world book inside the card.
    pub book: Option<WorldBook>,
    /// Name of the world book that the card is linked to.
    pub linked_book: Option<String>,
    pub remarks: Vec<Remark>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CardError {
    /// Neither JSON text nor PNG.
    #[error("the card is neither JSON nor PNG")]
    UnknownFormat,
    /// A PNG without a card inside.
    #[error("the picture holds no card")]
    NoCard,
    /// Larger than any real card.
    #[error("the card is larger than {} MB", MAX_FILE / 1_000_000)]
    TooLarge,
    /// The JSON of the card cannot be parsed.
    #[error("the card is not valid JSON: {0}")]
    Json(#[from] JsonError),
    /// JSON, but not a card.
    #[error("the file is not a character card, it looks like {kind}")]
    NotACard {
        /// What it looks like.
        kind: FileKind,
    },
}

impl Explain for CardError {
    fn explain(&self) -> Explanation {
        let zh = match self {
            CardError::UnknownFormat => "角色卡既不是 JSON 也不是 PNG".into(),
            CardError::NoCard => "图片里没有角色卡".into(),
            CardError::TooLarge => format!("角色卡超过 {} MB", MAX_FILE / 1_000_000),
            CardError::Json(error) => format!("角色卡不是合法的 JSON：{error}"),
            CardError::NotACard { kind } => format!("这个文件不是角色卡，看起来是{}", kind.name().0),
        };
        let hint = match self {
            CardError::NotACard { kind: FileKind::WorldBook } => {
                ("世界书请作为世界书给出（`--world-book`）。", "Give a world book as a world book (`--world-book`).")
            }
            _ => ("请给出 PNG 或 JSON 角色卡。", "Give a character card as PNG or JSON."),
        };
        self.explained("bad_request", zh, hint)
    }
}

impl Card {
    pub fn read(bytes: &[u8]) -> Result<Card, CardError> {
        if bytes.len() > MAX_FILE {
            return Err(CardError::TooLarge);
        }
        let decoded;
        let text = if bytes.starts_with(PNG) {
            decoded = card_in_png(bytes)?;
            file_text(&decoded).ok_or(CardError::NoCard)?
        } else {
            file_text(bytes).ok_or(CardError::UnknownFormat)?
        };
        let card = json::read(text)?;
        // V1 has everything at the root; V2 and V3 have it in `data`.
        let data = card.get("data").filter(|data| data.as_object().is_some()).unwrap_or(&card);
        let is_card = ["name", "first_mes", "extensions"].iter().any(|key| data.get(key).is_some());
        if !is_card || matches!(FileKind::of(&card), FileKind::Chat | FileKind::WorldBook | FileKind::Preset) {
            return Err(CardError::NotACard { kind: FileKind::of(&card) });
        }
        Ok(read_data(data))
    }

    /// Tells whether the card has a state: as its switch says; without one, if a first state was
    /// found.
    pub(crate) fn enabled_with(&self, found: bool) -> Enabled {
        match self.enabled {
            Some(enabled) => enabled.into(),
            None if found => Enabled::On,
            None => Enabled::Open,
        }
    }
}

fn is_empty(list: &Value) -> bool {
    *list == Value::Null || list.as_list().is_some_and(<[Value]>::is_empty)
}

fn read_data(data: &Value) -> Card {
    let extensions = data.get("extensions");
    let own = extensions.and_then(|extensions| extensions.get("st_var_system"));
    let word = |value: Option<&Value>| value.and_then(Value::as_text).map(str::to_owned);
    let mut card = Card {
        name: word(data.get("name")).unwrap_or_default(),
        enabled: own.and_then(|own| own.get("enabled")).and_then(Value::as_bool),
        greetings: greetings(data),
        linked_book: word(extensions.and_then(|extensions| extensions.get("world"))).filter(|name| !name.is_empty()),
        ..Card::default()
    };
    if let Some(body) = own.and_then(|own| own.get("templateBody")).filter(|body| **body != Value::Null) {
        match template(body) {
            Ok(template) => card.template = Some(template),
            Err(problem) => card.remarks.push(Location::Template.remark(problem)),
        }
    }
    if let Some(functions) = own.and_then(|own| own.get("functions")).filter(|list| !is_empty(list)) {
        let read = exchange::read(functions, Scope::Card);
        let remark = |problem: &Words| {
            let words = problem.clone();
            Location::CardFunctions.remark(Diagnostic::error("E-CARD-FUNCTION", 0..0, words.zh, words.en))
        };
        card.remarks.extend(read.problems.iter().map(remark));
        card.library = read.library;
    }
    if let Some(book) = data.get("character_book").filter(|book| **book != Value::Null) {
        card.book = WorldBook::of(book);
        if card.book.is_none() {
            card.remarks.push(Location::CardBook.remark(Diagnostic::warning(
                "W-CARD-BOOK",
                0..0,
                "角色卡内的世界书读不懂，没有用它。",
                "the world book in the card cannot be understood and was left out",
            )));
        }
    }
    card
}

fn greetings(data: &Value) -> Vec<String> {
    let others = data.get("alternate_greetings").and_then(Value::as_list).unwrap_or_default();
    let texts = data.get("first_mes").into_iter().chain(others).filter_map(Value::as_text);
    texts.map(|greeting| text::canonical(greeting).into_owned()).collect()
}

/// Parses a template: an object, or its JSON text.
fn template(value: &Value) -> Result<Value, Diagnostic> {
    let problem = match value {
        Value::Object(_) => return Ok(value.clone()),
        Value::Text(text) => match json::read(text) {
            Ok(read) if read.as_object().is_some() => return Ok(read),
            Ok(_) => "not an object".to_owned(),
            Err(error) => error.to_string(),
        },
        _ => "not an object".to_owned(),
    };
    Err(Diagnostic::error(
        "E-TEMPLATE",
        0..0,
        format!("角色卡的模板读不懂（{problem}），没有用它。"),
        format!("the card's template cannot be read ({problem}) and was left out"),
    ))
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Finds the text chunk `ccv3`, else `chara`.
fn card_in_png(bytes: &[u8]) -> Result<Vec<u8>, CardError> {
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
    STANDARD.decode(encoded.trim_ascii()).map_err(|_| CardError::NoCard)
}

/// Splits off one chunk: its type, its data, and the rest.
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
        assert_eq!(Card::read(b"{\"hp\":1}"), Err(CardError::NotACard { kind: FileKind::Unknown }));
        assert_eq!(Card::read(b"{\"entries\":{}}"), Err(CardError::NotACard { kind: FileKind::WorldBook }));
        assert_eq!(Card::read(b"[]"), Err(CardError::NotACard { kind: FileKind::Unknown }));
    }

    #[test]
    fn greetings_and_the_book_inside_are_found_in_every_version() {
        let inner = r#""name":"A","first_mes":"hi\r\nyou","alternate_greetings":["yo",5],"character_book":{"name":"b","entries":[{"comment":"[initvar]","content":"x: 1","enabled":false}]}"#;
        for json in [format!("{{{inner}}}"), format!("{{\"spec\":\"chara_card_v3\",\"data\":{{{inner}}}}}")] {
            let card = Card::read(json.as_bytes()).unwrap();
            assert_eq!(card.greetings, ["hi\nyou", "yo"]);
            assert_eq!(card.book.unwrap().entries[0].title, "[initvar]");
        }
    }

    #[test]
    fn what_is_broken_inside_is_remarked() {
        let card = Card::read(
            br#"{"data":{"name":"A","character_book":[1],"extensions":{"st_var_system":{"templateBody":"{\"a\":"}}}}"#,
        )
        .unwrap();
        let codes: Vec<_> = card.remarks.iter().map(|remark| remark.diagnostic.code.as_str()).collect();
        assert_eq!((card.template, codes), (None, vec!["E-TEMPLATE", "W-CARD-BOOK"]));
    }
}
