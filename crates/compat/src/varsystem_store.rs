//! Decodes states stored by ST-VarSystem's plugin: structures in which long texts are references
//! into a pool of values. And finds the snapshot id of a page of a host chat.
//!
//! In: rows of its database. Out: states. The plugin pools every text of more than 32 UTF-16 units
//! and nothing else, and writes `{"__vmRef": row}` (its first versions `{"$ref": row}`) instead.
//! When the plugin loads, it treats every object of that shape as a reference, also if the state
//! really contained such an object. Here it stays data where that can be decided: there is no such
//! row, the row is anything but a long text, the number is not an integer, or the structure has
//! references of the newer form, for then the older form was not written. An object that names the
//! row of a long text by chance cannot be told from a reference.
//!
//! The plugin sorts the keys of objects before it stores them; the order is not the author's.

use std::collections::{BTreeSet, HashMap};

use storeyline_state::json::{self, JsonError};
use storeyline_state::{Object, Value};

use crate::file_text;
use crate::host_message::HostMessage;

/// The form of references, then that of the first versions.
const KEYS: [&str; 2] = ["__vmRef", "$ref"];

/// Maximum length of an inline text, in UTF-16 units; longer texts are pooled.
const INLINE: usize = 32;

/// Key of the snapshot id in a message.
const SNAPSHOT_ID: &str = "st_var_system_snapshot_id";

/// A structure whose references are not resolved yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Structure {
    value: Value,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StructureError {
    #[error("the structure is not UTF-8 text")]
    NotText,
    #[error("the structure is not valid JSON: {0}")]
    Json(#[from] JsonError),
}

impl Structure {
    /// Reads a row of `variable_structures`.
    pub fn read(bytes: &[u8]) -> Result<Structure, StructureError> {
        let text = file_text(bytes).ok_or(StructureError::NotText)?;
        Ok(Structure { value: json::read(text)? })
    }

    /// Returns the rows of the pool that it may refer to, each once, in order.
    pub fn wanted(&self) -> Vec<i64> {
        let mut rows = BTreeSet::new();
        KEYS.iter().for_each(|key| collect(&self.value, key, &mut rows));
        rows.into_iter().collect()
    }

    /// Returns the state, with texts from these rows of the pool (`value_data`, by id).
    pub fn fill(&self, pool: &HashMap<i64, Vec<u8>>) -> Value {
        let texts: HashMap<i64, Value> = pool.iter().filter_map(|(row, data)| Some((*row, pooled(data)?))).collect();
        let mut newer = BTreeSet::new();
        collect(&self.value, KEYS[0], &mut newer);
        let is_newer = newer.iter().any(|row| texts.contains_key(row));
        fill(&self.value, if is_newer { &KEYS[..1] } else { &KEYS }, &texts)
    }
}

/// Returns the snapshot id of each page of a message, in order.
///
/// The extension writes into `swipes_info`, which the host does not maintain: after a swipe was
/// deleted, the ids of later pages are off by one. Other locations are searched too, for forks that
/// write where the host does.
pub fn snapshot_ids(message: &HostMessage) -> Vec<Option<String>> {
    let host = message.fields.get("message");
    let of_entry = |list: &str, page: usize| host?.get(list)?.as_list()?.get(page);
    let named = |holder: Option<&Value>| {
        let id = holder?.get(SNAPSHOT_ID)?.as_text()?;
        Some(id.to_owned()).filter(|id| !id.is_empty())
    };
    let at = |page: usize| {
        let info = of_entry("swipe_info", page);
        let extra = host.and_then(|host| host.get("extra")).filter(|_| page == message.active);
        named(of_entry("swipes_info", page))
            .or_else(|| named(info))
            .or_else(|| named(info.and_then(|info| info.get("extra"))))
            .or_else(|| named(extra))
    };
    (0..message.pages.len()).map(at).collect()
}

/// Returns the row that an object of this shape refers to.
fn reference(value: &Value, key: &str) -> Option<i64> {
    let object = value.as_object().filter(|object| object.len() == 1)?;
    object.get(key)?.as_number()?.as_i64().filter(|row| *row > 0)
}

fn collect(value: &Value, key: &str, rows: &mut BTreeSet<i64>) {
    if let Some(row) = reference(value, key) {
        rows.insert(row);
        return;
    }
    match value {
        Value::List(items) => items.iter().for_each(|item| collect(item, key, rows)),
        Value::Object(object) => object.iter().for_each(|(_, value)| collect(value, key, rows)),
        _ => {}
    }
}

/// Returns the text of a row of the pool, if it is long enough to be pooled.
fn pooled(data: &[u8]) -> Option<Value> {
    let value = json::read(file_text(data)?).ok()?;
    let length = value.as_text()?.encode_utf16().count();
    (length > INLINE).then_some(value)
}

/// Resolves references. The parser bounds nesting, so recursion is safe. Resolved texts are not
/// searched again.
fn fill(value: &Value, keys: &[&str], texts: &HashMap<i64, Value>) -> Value {
    let row = keys.iter().find_map(|key| reference(value, key));
    if let Some(text) = row.and_then(|row| texts.get(&row)) {
        return text.clone();
    }
    match value {
        Value::List(items) => Value::list(items.iter().map(|item| fill(item, keys, texts)).collect()),
        Value::Object(object) => {
            let entries = object.iter().map(|(key, value)| (key.clone(), fill(value, keys, texts)));
            Value::object(entries.collect::<Object>())
        }
        leaf => leaf.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "a text of more than thirty-two units";
    const OTHER: &str = "其它的一段文字，也超过三十二个单位，所以会被放进池里，这样就够长了吧。";

    /// Returns the state of a structure; pool: 1 and 2 are long texts, 3 a short one, 4 no text, 5
    /// damaged.
    fn filled(structure: &str) -> String {
        let pool = [
            (1, format!("{LONG:?}")),
            (2, format!("{OTHER:?}")),
            (3, "\"short\"".into()),
            (4, "[1]".into()),
            (5, "\"x".into()),
        ];
        let pool = pool.into_iter().map(|(row, data)| (row, data.into_bytes())).collect();
        json::write(&Structure::read(structure.as_bytes()).unwrap().fill(&pool))
    }

    #[test]
    fn long_texts_come_back() {
        let wanted = format!(r#"{{"a":{LONG:?},"b":[{OTHER:?},{LONG:?}],"c":1}}"#);
        assert_eq!(filled(r#"{"a":{"__vmRef":1},"b":[{"__vmRef":2},{"__vmRef":1}],"c":1}"#), wanted);
        assert_eq!(filled(r#"{"a":{"$ref":1},"b":[{"$ref":2},{"$ref":1}],"c":1}"#), wanted);
        let structure = Structure::read(br#"[{"__vmRef":9},{"$ref":2},{"__vmRef":9},{"__vmRef":-1}]"#).unwrap();
        assert_eq!(structure.wanted(), [2, 9]);
    }

    #[test]
    fn data_of_that_shape_stays_where_it_can_be_told() {
        for data in [
            r#"{"a":{"__vmRef":77}}"#,
            r#"{"a":{"__vmRef":3}}"#,
            r#"{"a":{"__vmRef":4}}"#,
            r#"{"a":{"__vmRef":5}}"#,
            r#"{"a":{"__vmRef":1.5}}"#,
            r#"{"a":{"__vmRef":"1"}}"#,
            r#"{"a":{"__vmRef":1,"more":2}}"#,
            r##"{"a":{"$ref":"#/definitions/a"}}"##,
        ] {
            assert_eq!(filled(data), data);
        }
        let newer = filled(r#"{"a":{"__vmRef":1},"schema":{"$ref":2}}"#);
        assert_eq!(newer, format!(r#"{{"a":{LONG:?},"schema":{{"$ref":2}}}}"#));
        let text = filled(r#"{"a":{"__vmRef":{"__vmRef":1}}}"#);
        assert_eq!(text, format!(r#"{{"a":{{"__vmRef":{LONG:?}}}}}"#), "a long text under that key");
        // By chance the row of a long text: indistinguishable from a reference.
        assert_eq!(filled(r#"{"a":{"__vmRef":2}}"#), format!(r#"{{"a":{OTHER:?}}}"#));
    }

    #[test]
    fn a_damaged_structure_is_an_error() {
        assert!(Structure::read(b"{").unwrap_err().to_string().starts_with("the structure is not valid JSON"));
        assert_eq!(Structure::read(&[0xff]), Err(StructureError::NotText));
    }

    #[test]
    fn pages_name_their_snapshots() {
        let ids = |message: &str| snapshot_ids(&HostMessage::read(&json::read(message).unwrap()).unwrap());
        let id = |text: &str| Some(text.to_owned());
        let published = r#"{"mes":"b","swipe_id":1,"swipes":["a","b","c"],
            "swipes_info":[{"st_var_system_snapshot_id":"x"},null,{"st_var_system_snapshot_id":""}],
            "swipe_info":[{"extra":{}},{"extra":{"st_var_system_snapshot_id":"y"}},{"st_var_system_snapshot_id":"z"}]}"#;
        assert_eq!(ids(published), [id("x"), id("y"), id("z")]);
        let single = r#"{"mes":"a","swipes_info":[{"st_var_system_snapshot_id":"x"}]}"#;
        assert_eq!(ids(single), [id("x")]);
        assert_eq!(ids(r#"{"mes":"a","extra":{"st_var_system_snapshot_id":"w"}}"#), [id("w")]);
        assert_eq!(ids(r#"{"mes":"a","swipes_info":{},"swipe_info":5,"extra":[]}"#), [None]);
    }
}
