//! The part of JSON Schema that our description uses: checks values, and generates them.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// A seeded random generator.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// JSON Schema keywords that the checker supports; another one in the description fails its test.
const KNOWN: &[&str] = &[
    "$ref",
    "additionalProperties",
    "allOf",
    "default",
    "description",
    "enum",
    "format",
    "items",
    "maxItems",
    "maximum",
    "minItems",
    "minimum",
    "oneOf",
    "pattern",
    "prefixItems",
    "properties",
    "propertyNames",
    "required",
    "type",
];

/// Collects the unsupported keywords of a schema.
pub(super) fn unknown_words(schema: &Value, found: &mut BTreeSet<String>) {
    let Some(object) = schema.as_object() else { return };
    for (word, inner) in object {
        if !KNOWN.contains(&word.as_str()) {
            found.insert(word.clone());
        }
        match word.as_str() {
            "properties" => inner.as_object().unwrap().values().for_each(|inner| unknown_words(inner, found)),
            "allOf" | "oneOf" | "prefixItems" => {
                inner.as_array().unwrap().iter().for_each(|inner| unknown_words(inner, found));
            }
            "items" | "additionalProperties" | "propertyNames" => unknown_words(inner, found),
            _ => {}
        }
    }
}

/// Follows references.
pub(super) fn resolve<'a>(api: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(path) => resolve(api, api.pointer(path.trim_start_matches('#')).unwrap_or_else(|| panic!("no {path}"))),
        None => schema,
    }
}

/// Checks a value; the error tells where it does not match.
pub(super) fn check(api: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let schema = resolve(api, schema);
    let fail = |why: &str| Err(format!("{at}: {why}: {}", value.to_string().chars().take(200).collect::<String>()));
    if let Some(inner) = schema["oneOf"].as_array() {
        let fitting = inner.iter().filter(|inner| check(api, inner, value, at).is_ok()).count();
        if fitting != 1 {
            return fail(&format!("fits {fitting} of {}", inner.len()));
        }
    }
    for inner in schema["allOf"].as_array().into_iter().flatten() {
        check(api, inner, value, at)?;
    }
    let kind = kind_of(value);
    let fits = |wanted: &Value| wanted == kind || (wanted == "number" && kind == "integer");
    let right = match &schema["type"] {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(fits),
        wanted => fits(wanted),
    };
    if !right {
        return fail(&format!("is not {}", schema["type"]));
    }
    if schema["enum"].as_array().is_some_and(|all| !all.contains(value)) {
        return fail("is none of those that may be");
    }
    if let (Some(pattern), Some(text)) = (schema["pattern"].as_str(), value.as_str())
        && !fits_pattern(pattern, text)
    {
        return fail("does not fit the pattern");
    }
    if let (Some(least), Some(number)) = (schema["minimum"].as_f64(), value.as_f64())
        && number < least
    {
        return fail("is too small");
    }
    if let Some(items) = value.as_array() {
        let first = schema["prefixItems"].as_array().cloned().unwrap_or_default();
        for (index, item) in items.iter().enumerate() {
            let own = first.get(index).unwrap_or(&schema["items"]);
            if own.is_object() {
                check(api, own, item, &format!("{at}[{index}]"))?;
            }
        }
        if schema["minItems"].as_u64().is_some_and(|least| (items.len() as u64) < least) {
            return fail("has too few items");
        }
    }
    if let Some(object) = value.as_object() {
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !object.contains_key(name) {
                return fail(&format!("has no `{name}`"));
            }
        }
        for (name, inner) in object {
            let own = &schema["properties"][name];
            let own = if own.is_object() { own } else { &schema["additionalProperties"] };
            if own.is_object() {
                check(api, own, inner, &format!("{at}.{name}"))?;
            }
        }
    }
    Ok(())
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() && number.as_f64().is_some_and(|own| own.fract() != 0.0) => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Matches the few patterns that are used: character classes with counts between fixed characters.
fn fits_pattern(pattern: &str, text: &str) -> bool {
    let mut rest = text;
    let mut pattern = pattern.trim_start_matches('^').trim_end_matches('$');
    while !pattern.is_empty() {
        let Some(class) = pattern.strip_prefix('[') else {
            let fixed = &pattern[..1];
            let Some(after) = rest.strip_prefix(fixed) else { return false };
            (rest, pattern) = (after, &pattern[1..]);
            continue;
        };
        let (class, after) = class.split_once(']').unwrap();
        let (count, after) = after.strip_prefix('{').unwrap().split_once('}').unwrap();
        let (least, most) = count.split_once(',').unwrap_or((count, count));
        let (least, most): (usize, usize) = (least.parse().unwrap(), most.parse().unwrap());
        let length = rest.chars().take_while(|own| in_class(class, *own)).take(most).count();
        if length < least {
            return false;
        }
        (rest, pattern) = (&rest[length..], after);
    }
    rest.is_empty()
}

fn in_class(class: &str, own: char) -> bool {
    let all: Vec<char> = class.chars().collect();
    let mut index = 0;
    while index < all.len() {
        if index + 2 < all.len() && all[index + 1] == '-' {
            if (all[index]..=all[index + 2]).contains(&own) {
                return true;
            }
            index += 3;
        } else {
            if all[index] == own {
                return true;
            }
            index += 1;
        }
    }
    false
}

/// Existing ids, by the name of their schema.
pub(super) type KnownIds = Vec<(&'static str, Vec<String>)>;

/// Generates a value that matches a schema.
pub(super) fn make(api: &Value, schema: &Value, known: &KnownIds, random: &mut Random, depth: usize) -> Value {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next())
        && let Some((_, ids)) = known.iter().find(|(own, _)| *own == name)
        && !random.once_in(6)
    {
        return Value::String(random.pick(ids).clone());
    }
    let schema = resolve(api, schema);
    if let Some(inner) = schema["oneOf"].as_array() {
        return make(api, random.pick(inner), known, random, depth);
    }
    if let Some(all) = schema["enum"].as_array() {
        return random.pick(all).clone();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => random.pick(kinds).clone(),
        kind => kind.clone(),
    };
    match kind.as_str() {
        Some("null") => Value::Null,
        Some("boolean") => json!(random.once_in(2)),
        Some("integer") => json!(*random.pick(&[0, 0, 1, 2, 3, 7, 40, 1_000_000, 4_294_967_295_i64])),
        Some("number") => json!(*random.pick(&[0.0, 1.5, 1e9])),
        Some("string") => text(schema, random),
        Some("array") => {
            let count = if depth > 4 { 0 } else { random.below(4) };
            (0..count).map(|_| make(api, &schema["items"], known, random, depth + 1)).collect()
        }
        Some("object") if schema["properties"].is_object() => {
            let required: Vec<&str> =
                schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let mut object = Map::new();
            for (name, inner) in schema["properties"].as_object().unwrap() {
                if required.contains(&name.as_str()) || random.once_in(2) {
                    object.insert(name.clone(), make(api, inner, known, random, depth + 1));
                }
            }
            Value::Object(object)
        }
        Some("object") => any_object(random, depth),
        _ => any(random, depth),
    }
}

fn text(schema: &Value, random: &mut Random) -> Value {
    let hex =
        |random: &mut Random, count: usize| (0..count).map(|_| format!("{:x}", random.below(16))).collect::<String>();
    match (schema["format"].as_str(), schema["pattern"].as_str()) {
        (Some("uuid"), _) => {
            let digits = hex(random, 32);
            let (a, b, c, d, e) = (&digits[..8], &digits[8..12], &digits[12..15], &digits[15..18], &digits[18..30]);
            json!(format!("{a}-{b}-4{c}-8{d}-{e}"))
        }
        (_, Some("^[0-9a-f]{64}$")) => json!(hex(random, 64)),
        (_, Some("^[A-Za-z0-9_-]{22}$")) => json!(hex(random, 21) + "A"),
        _ => json!(*random.pick(WORDS)),
    }
}

/// Texts that a client may send.
const WORDS: &[&str] = &[
    "",
    "main",
    "阿丽娅.png",
    "金币",
    "角色.金币",
    "@.SET(\"金币\", 1);",
    "< 0",
    "native",
    "mvu",
    "zh",
    "\"",
    "a b \"c d\"",
    "[0]",
    "__proto__",
    "..",
    "../../etc/passwd",
    "%00",
    "\u{0}",
    "\u{feff}",
    "😀",
    "</script>",
    "' OR 1=1 --",
    "{{user}}",
    "1e999",
];

fn any(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth > 4 { 5 } else { 7 }) {
        0 => Value::Null,
        1 => json!(random.once_in(2)),
        2 => json!(*random.pick(&[0.5, -1.0, 1e300])),
        3 => json!(*random.pick(&[i64::MIN, -1, 0, i64::MAX])),
        4 => json!(*random.pick(WORDS)),
        5 => (0..random.below(3)).map(|_| any(random, depth + 1)).collect(),
        _ => any_object(random, depth),
    }
}

fn any_object(random: &mut Random, depth: usize) -> Value {
    let count = if depth > 4 { 0 } else { random.below(4) };
    let entries = (0..count).map(|_| ((*random.pick(WORDS)).to_owned(), any(random, depth + 1)));
    Value::Object(entries.collect())
}

/// Damages a value: another type, a missing field, a field of another type, too deep, too large.
pub(super) fn spoil(value: &Value, random: &mut Random) -> String {
    match (random.below(9), value) {
        (0, _) => "[".repeat(1 + random.below(300_000)),
        (1, _) => format!("{}1{}", "{\"a\":".repeat(200), "}".repeat(200)),
        (2, _) => any(random, 0).to_string(),
        (3, _) => {
            let text: Vec<char> = value.to_string().chars().collect();
            text[..text.len() / 2].iter().collect()
        }
        (4, _) => String::new(),
        (_, Value::Object(object)) if !object.is_empty() => {
            let mut object = object.clone();
            let names: Vec<String> = object.keys().cloned().collect();
            let name = random.pick(&names).clone();
            match random.below(6) {
                0 => drop(object.remove(&name)),
                1 => drop(object.insert(name, Value::Null)),
                2 => drop(object.insert(name, json!(-1))),
                3 => drop(object.insert(name, json!("x".repeat(100_000)))),
                4 => drop(object.insert(name, json!({"__proto__": {"a": [[[[]]]]}}))),
                _ => {
                    let text = Value::Object(object.clone()).to_string();
                    return text.replacen(':', ": 99999999999999999999999999e99999, \"zz\":", 1);
                }
            }
            Value::Object(object).to_string()
        }
        (_, other) => other.to_string().replace('"', "\\ud83d\""),
    }
}

#[test]
fn the_checker_sees_what_does_not_fit() {
    let api = json!({"a": {"type": "string", "pattern": "^[0-9a-f]{2}-[A-Z]{1,3}$"}});
    let fits = |schema: Value, value: Value| check(&api, &schema, &value, "").is_ok();
    assert!(fits(json!({"$ref": "#/a"}), json!("0f-AB")) && !fits(json!({"$ref": "#/a"}), json!("0f-ABCD")));
    assert!(
        !fits(json!({"type": "integer", "minimum": 0}), json!(-1)) && !fits(json!({"type": "integer"}), json!(1.5))
    );
    assert!(!fits(json!({"oneOf": [{}, {"type": "null"}]}), json!(null)), "fits both");
    assert!(!fits(json!({"type": "object", "required": ["x"]}), json!({})));
    assert!(!fits(json!({"properties": {"x": {"type": ["string", "null"]}}}), json!({"x": 1})));
    assert!(!fits(json!({"items": {"type": "string"}}), json!([1])));
}
