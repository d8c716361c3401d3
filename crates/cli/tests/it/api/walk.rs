//! Iterates over all operations of the description, and makes requests for them.

use serde_json::Value;

use super::schema::{KnownIds, Random, check, make};
use super::seeded::Seeded;
use super::wire::{Ask, Reply, encode};

/// One operation of the description.
#[derive(Clone)]
pub(super) struct Operation {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) about: Value,
}

impl Operation {
    pub(super) fn changes(&self) -> bool {
        self.method != "GET"
    }

    /// Tells whether it needs no token.
    pub(super) fn is_open(&self) -> bool {
        self.about.get("security").is_none()
    }

    /// Tells whether the response is a stream without end.
    pub(super) fn is_stream(&self) -> bool {
        self.about["responses"]["200"]["content"].get("text/event-stream").is_some()
    }
}

pub(super) fn operations(api: &Value) -> Vec<Operation> {
    let mut all = Vec::new();
    for (path, item) in api["paths"].as_object().unwrap() {
        for (method, about) in item.as_object().unwrap() {
            all.push(Operation { method: method.to_uppercase(), path: path.clone(), about: about.clone() });
        }
    }
    assert!(all.len() > 50, "the description is whole");
    all
}

/// Makes a request that matches the description.
pub(super) fn request(
    seeded: &Seeded,
    operation: &Operation,
    known: &KnownIds,
    random: &mut Random,
    owner: &str,
) -> Ask {
    let (mut target, mut query) = (operation.path.clone(), Vec::new());
    for parameter in operation.about["parameters"].as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap();
        let value = match known.iter().find(|(own, _)| *own == name) {
            Some((_, ids)) if !random.once_in(4) => Value::String(random.pick(ids).clone()),
            _ => make(&seeded.api, &parameter["schema"], known, random, 0),
        };
        let value = match (&value, name) {
            // Tests do not wait.
            (_, "wait") => "0".to_owned(),
            (Value::String(text), _) => text.clone(),
            (other, _) => other.to_string(),
        };
        match parameter["in"].as_str() {
            // An empty part would be another path.
            Some("path") => {
                let value = if value.is_empty() { "-".to_owned() } else { encode(&value) };
                target = target.replace(&format!("{{{name}}}"), &value);
            }
            Some("query") if parameter["required"] == true || random.once_in(2) => {
                query.push(format!("{name}={}", encode(&value)));
            }
            _ => {}
        }
    }
    if !query.is_empty() {
        target = format!("{target}?{}", query.join("&"));
    }
    let content = &operation.about["requestBody"]["content"]["application/json"]["schema"];
    let body = match (operation.changes(), content.is_object()) {
        (false, _) => None,
        (true, true) => Some(make(&seeded.api, content, known, random, 0).to_string()),
        (true, false) => Some("{}".to_owned()),
    };
    seeded.request(&operation.method, &target, body.as_deref(), owner)
}

/// Checks a response against the description.
pub(super) fn check_reply(seeded: &Seeded, operation: &Operation, ask: &Ask, reply: &Reply) {
    let about = || format!("{} {} {:?}\n→ {} {}", ask.method, ask.target, ask.body, reply.status, reply.body);
    let told = operation.about["responses"][reply.status.to_string()].is_object();
    assert!(reply.status < 500 || told, "{}", about());
    assert!(reply.header("x-request-id").is_some_and(|id| !id.is_empty()), "{}", about());
    let responses = &operation.about["responses"];
    let own = &responses[reply.status.to_string()];
    let response = if own.is_object() { own } else { &responses["default"] };
    if response["content"].is_null() {
        assert_eq!(reply.body, "", "{}", about());
        return;
    }
    let kind = reply.header("content-type").unwrap_or_default().split(';').next().unwrap_or_default().to_owned();
    let content = &response["content"][&kind];
    assert!(content.is_object(), "{kind} is not described\n{}", about());
    if kind == "application/json" {
        let value: Value = serde_json::from_str(&reply.body).unwrap_or_else(|_| panic!("not JSON\n{}", about()));
        if let Err(problem) = check(&seeded.api, &content["schema"], &value, "answer") {
            panic!("{problem}\n{}", about());
        }
        if value["error"]["code"].is_string() {
            assert_eq!(value["error"]["request"].as_str(), reply.header("x-request-id"), "{}", about());
        }
    }
}
