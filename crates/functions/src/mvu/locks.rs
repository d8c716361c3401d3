//! MVU's locks: `$meta` in a template tells where keys and items may be added or removed.
//!
//! The template itself is the schema: the flags for a path are found by walking the template along
//! it. What was added later under a `template` follows that template; under `recursiveExtensible`
//! everything is open; all else is locked.

use storeyline_state::{Object, Text, Value};

/// A list with this item is open.
const MARKER: &str = "$__META_EXTENSIBLE__$";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locks {
    template: Value,
}

/// The permissions of the container at a path.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Container {
    /// Keys and items may be added and removed.
    pub(crate) open: bool,
    /// Keys that may always be set, even if the container is locked.
    known: Vec<Text>,
    /// Keys that must not be removed.
    required: Vec<Text>,
    /// Template of a new entry.
    pub(crate) template: Option<Value>,
}

impl Container {
    /// Tells whether a key may be added or set.
    pub(crate) fn allows_key(&self, key: &str) -> bool {
        self.open || self.known.iter().any(|known| &**known == key)
    }

    /// Tells whether a key may be removed.
    pub(crate) fn allows_removal(&self, key: &str) -> bool {
        self.open && !self.required.iter().any(|required| &**required == key)
    }
}

impl Locks {
    /// Parses a template with `$meta`. Returns the locks and the state without them.
    pub fn initialise(template: &Value) -> (Locks, Value) {
        (Locks { template: template.clone() }, cleaned(template))
    }

    /// Returns the template, for storing.
    pub fn template(&self) -> &Value {
        &self.template
    }

    /// Returns a flag of the root's `$meta`.
    fn switch(&self, name: &str) -> Option<bool> {
        self.template.get("$meta")?.get(name)?.as_bool()
    }

    /// Tells whether `set` replaces a pair as a whole.
    pub(crate) fn strict_set(&self) -> bool {
        self.switch("strictSet").unwrap_or(false)
    }

    /// Returns the permissions of the container at these keys.
    pub(crate) fn at(&self, keys: &[&str]) -> Container {
        let mut here = Some(&self.template);
        let mut recursive = false;
        for key in keys {
            recursive |= here.is_some_and(|value| flag(value, "recursiveExtensible"));
            here = here.and_then(|value| child(value, key));
        }
        recursive |= here.is_some_and(|value| flag(value, "recursiveExtensible"));
        Container {
            open: recursive || here.is_some_and(is_open),
            known: here.map(known_keys).unwrap_or_default(),
            required: here.and_then(|value| meta(value)?.get("required")).map(texts).unwrap_or_default(),
            template: here.and_then(|value| meta(value)?.get("template")).cloned(),
        }
    }

    /// Fills a new entry from the template of its container.
    pub(crate) fn filled(&self, value: Value, template: Option<&Value>) -> Value {
        let concat = self.switch("concatTemplateArray").unwrap_or(true);
        let strict = self.switch("strictTemplate").unwrap_or(false);
        match (template, &value) {
            (Some(Value::Object(template)), Value::Object(given)) => Value::object(merged(template, given)),
            (Some(Value::List(template)), Value::List(given)) => Value::list(joined(template, given, concat)),
            // A single value becomes a list, unless the card requires its type to be kept.
            (Some(Value::List(_)), Value::Object(_)) => value,
            (Some(Value::List(template)), single) if !strict => {
                Value::list(joined(template, std::slice::from_ref(single), concat))
            }
            _ => value,
        }
    }
}

/// Returns the `$meta` of an object, or its equivalent for a list.
fn meta(value: &Value) -> Option<&Value> {
    match value {
        Value::Object(object) => object.get("$meta"),
        Value::List(items) => items.iter().find(|item| is_list_meta(item))?.get("$meta"),
        _ => None,
    }
}

fn flag(value: &Value, name: &str) -> bool {
    meta(value).and_then(|meta| meta.get(name)).and_then(Value::as_bool).unwrap_or(false)
}

fn is_open(value: &Value) -> bool {
    let marked = value.as_list().is_some_and(|items| items.iter().any(|item| item.as_text() == Some(MARKER)));
    marked || flag(value, "extensible") || flag(value, "recursiveExtensible")
}

fn is_list_meta(item: &Value) -> bool {
    item.get("$arrayMeta").and_then(Value::as_bool) == Some(true) && item.get("$meta").is_some()
}

pub(crate) fn is_mark(item: &Value) -> bool {
    item.as_text() == Some(MARKER) || is_list_meta(item)
}

/// Returns the schema below a key: its own, else the template of new entries. All items use the
/// first item's.
fn child<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    match value {
        Value::Object(object) => object.get(key).or_else(|| meta(value)?.get("template")),
        Value::List(items) => {
            let index: usize = key.parse().ok()?;
            let plain = || items.iter().filter(|item| !is_mark(item));
            plain().nth(index).or_else(|| plain().next()).or_else(|| meta(value)?.get("template"))
        }
        _ => None,
    }
}

fn known_keys(value: &Value) -> Vec<Text> {
    let object = value.as_object();
    object.into_iter().flat_map(Object::iter).map(|(key, _)| key.clone()).filter(|key| &**key != "$meta").collect()
}

fn texts(value: &Value) -> Vec<Text> {
    value.as_list().unwrap_or_default().iter().filter_map(Value::as_text).map(Text::new).collect()
}

/// Returns the value without marks and `$meta`.
pub(crate) fn cleaned(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let kept = object.iter().filter(|(key, _)| &***key != "$meta");
            Value::object(kept.map(|(key, value)| (key.clone(), cleaned(value))).collect())
        }
        Value::List(items) => Value::list(items.iter().filter(|item| !is_mark(item)).map(cleaned).collect()),
        other => other.clone(),
    }
}

/// Returns the template with the given entries over it.
fn merged(template: &Object, given: &Object) -> Object {
    let mut out = template.clone();
    out.remove("$meta");
    for (key, value) in given.iter() {
        let value = match (out.get(key), value) {
            (Some(Value::Object(below)), Value::Object(above)) => Value::object(merged(below, above)),
            _ => value.clone(),
        };
        out.insert(key.clone(), value);
    }
    out
}

/// Returns the given items followed by the template's (`concat`), or the given items over the
/// template's.
fn joined(template: &[Value], given: &[Value], concat: bool) -> Vec<Value> {
    let rest = if concat { template } else { template.get(given.len()..).unwrap_or_default() };
    given.iter().chain(rest).map(cleaned).collect()
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    #[test]
    fn flags_are_found_along_a_path() {
        let template = json::read(
            r#"{"o":{"a":1},"e":{"$meta":{"extensible":true,"required":["k"]},"k":1},"r":{"$meta":{"recursiveExtensible":true},"p":{"q":{}}},
               "l":["$__META_EXTENSIBLE__$","x"],"t":{"$meta":{"extensible":true,"template":{"$meta":{"extensible":true},"hp":1}}}}"#,
        )
        .unwrap();
        let (locks, state) = Locks::initialise(&template);
        assert_eq!(json::write(&state), r#"{"o":{"a":1},"e":{"k":1},"r":{"p":{"q":{}}},"l":["x"],"t":{}}"#);
        let at = |path: &str| locks.at(&path.split('.').filter(|key| !key.is_empty()).collect::<Vec<_>>());
        assert!(!at("").open && !at("o").open && at("o").allows_key("a") && !at("o").allows_key("b"));
        assert!(at("e").open && !at("e").allows_removal("k") && at("e").allows_removal("z"));
        assert!(at("r.p.q").open && at("r.new.deep").open);
        assert!(at("l").open && at("t").open && at("t.somebody").open, "what is added follows the template");
        assert!(!at("e.new").open, "what is added elsewhere is locked");
    }
}
