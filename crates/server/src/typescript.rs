//! Generates TypeScript types from the API description: every schema, and the request and response
//! of every operation. The client in `web/src/api/client.ts` uses these.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::openapi::openapi_json;

const HEAD: &str =
    "// Made by `storeyline openapi --typescript` from the description of the API; a test compares. Do not edit.\n";

/// Returns the types as a file.
pub fn typescript() -> String {
    let api: Value = serde_json::from_str(openapi_json()).expect("it was written as JSON");
    let mut out =
        format!("{HEAD}\n/** Any JSON value. */\nexport type Json = unknown;\n\nexport interface Schemas {{\n");
    for (name, schema) in object(&api["components"]["schemas"]) {
        comment(&mut out, "  ", schema["description"].as_str());
        let _ = writeln!(out, "  {name}: {};", type_of(schema, "  "));
    }
    out.push_str("}\n\n/** What each operation takes and answers. */\nexport interface Operations {\n");
    for (path, item) in object(&api["paths"]) {
        for (method, operation) in object(item) {
            comment(&mut out, "  ", operation["summary"].as_str());
            let _ = writeln!(out, "  '{} {path}': {};", method.to_uppercase(), operation_type(operation));
        }
    }
    out.push_str("}\n");
    out
}

fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn comment(out: &mut String, indent: &str, words: Option<&str>) {
    if let Some(words) = words {
        let _ = writeln!(out, "{indent}/** {} */", words.replace("*/", "* /").replace('\n', " "));
    }
}

fn operation_type(operation: &Value) -> String {
    let parameters = |place: &str| {
        let own = operation["parameters"].as_array().into_iter().flatten().filter(|own| own["in"] == place);
        let fields: Vec<String> = own
            .map(|own| {
                let mark = if own["required"] == true { "" } else { "?" };
                let name = own["name"].as_str().unwrap_or_default();
                format!("{name}{mark}: {}", type_of(&own["schema"], "    "))
            })
            .collect();
        if fields.is_empty() { "Record<never, never>".to_owned() } else { format!("{{ {} }}", fields.join("; ")) }
    };
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    let body = if body.is_object() { type_of(body, "    ") } else { "undefined".to_owned() };
    let good = object(&operation["responses"]).filter(|(status, _)| status.starts_with('2'));
    let mut answers: Vec<String> = good
        .map(|(_, response)| match object(&response["content"]).next() {
            Some((kind, content)) if kind == "application/json" => type_of(&content["schema"], "    "),
            Some(_) => "string".to_owned(),
            None => "undefined".to_owned(),
        })
        .collect();
    answers.dedup();
    let answer = if answers.is_empty() { "never".to_owned() } else { answers.join(" | ") };
    format!("{{ path: {}; query: {}; body: {body}; answer: {answer} }}", parameters("path"), parameters("query"))
}

fn type_of(schema: &Value, indent: &str) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return if name == "Json" { "Json".to_owned() } else { format!("Schemas['{name}']") };
    }
    for (key, operator) in [("oneOf", " | "), ("allOf", " & ")] {
        if let Some(parts) = schema[key].as_array() {
            return joined(parts, operator, indent);
        }
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(|value| value.to_string().replace('"', "'")).collect::<Vec<_>>().join(" | ");
    }
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().map(|kind| kind_type(kind, schema, indent)).collect::<Vec<_>>().join(" | "),
        kind => kind_type(kind, schema, indent),
    }
}

fn joined(parts: &[Value], separator: &str, indent: &str) -> String {
    parts.iter().map(|part| type_of(part, indent)).collect::<Vec<_>>().join(separator)
}

fn kind_type(kind: &Value, schema: &Value, indent: &str) -> String {
    match kind.as_str() {
        Some("integer") => "number".to_owned(),
        Some(same @ ("null" | "boolean" | "number" | "string")) => same.to_owned(),
        Some("array") => match schema["prefixItems"].as_array() {
            Some(items) => format!("[{}]", joined(items, ", ", indent)),
            None => format!("({})[]", type_of(&schema["items"], indent)),
        },
        Some("object") => fields(schema, indent),
        _ => "Json".to_owned(),
    }
}

fn fields(schema: &Value, indent: &str) -> String {
    let inside = format!("{indent}  ");
    let required: Vec<&Value> = schema["required"].as_array().into_iter().flatten().collect();
    let mut out = String::new();
    for (name, own) in object(&schema["properties"]) {
        comment(&mut out, &inside, own["description"].as_str());
        let mark = if required.iter().any(|wanted| *wanted == name) { "" } else { "?" };
        let _ = writeln!(out, "{inside}{name}{mark}: {};", type_of(own, &inside));
    }
    if out.is_empty() {
        let inner = &schema["additionalProperties"];
        let inner = if inner.is_object() { type_of(inner, indent) } else { "Json".to_owned() };
        return format!("{{ [key: string]: {inner} }}");
    }
    format!("{{\n{out}{indent}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_of_the_client_are_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/api/generated.ts");
        let written = std::fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
        assert!(
            written == typescript(),
            "the API changed: cargo run -p storeyline -- openapi --typescript > web/src/api/generated.ts"
        );
    }
}
