//! A server with stories of one owner, and its description.

use serde_json::{Value, json};

use super::schema::KnownIds;
use super::wire::{Ask, Reply, send};
use crate::program::{CARD, Server, TestDir, chat};

/// Occurs in every text that the owner wrote.
pub(super) const MARK: &str = "悄悄话-q7x";

/// A running server with data.
pub(super) struct Seeded {
    pub(super) server: Server,
    pub(super) api: Value,
    /// Ids of the owner.
    pub(super) known: KnownIds,
    /// Dropped last.
    pub(super) _place: TestDir,
}

impl Seeded {
    /// Starts a server in which one owner has stories, a branch, a tag, a template, functions and
    /// snapshots.
    pub(super) fn new(owner: &str) -> Seeded {
        let place = TestDir::new();
        let server = place.serve();
        let mut seeded = Seeded { server, api: Value::Null, known: Vec::new(), _place: place };
        seeded.api = seeded.ask("GET", "/api/v1/openapi.json", None, owner).json();
        seeded.fill(owner);
        seeded
    }

    /// Makes a request as a correct client sends it.
    pub(super) fn request(&self, method: &str, target: &str, body: Option<&str>, owner: &str) -> Ask {
        let mut headers = vec![
            ("Authorization".to_owned(), format!("Bearer {}", self.server.token)),
            ("X-Storeyline-Owner".to_owned(), owner.to_owned()),
        ];
        if method != "GET" {
            headers.push(("X-Storeyline".into(), "1".into()));
            headers.push(("Content-Type".into(), "application/json".into()));
        }
        Ask { method: method.into(), target: target.into(), headers, body: body.map(str::to_owned) }
    }

    pub(super) fn send(&self, ask: &Ask) -> Reply {
        send(&self.server.url, ask)
    }

    pub(super) fn ask(&self, method: &str, target: &str, body: Option<&str>, owner: &str) -> Reply {
        self.send(&self.request(method, target, body, owner))
    }

    fn post(&self, target: &str, body: Value, owner: &str) -> Value {
        let reply = self.ask("POST", target, Some(&body.to_string()), owner);
        assert_eq!(reply.status, 200, "{target}: {}", reply.body);
        reply.json()
    }

    fn fill(&mut self, owner: &str) {
        let text = chat().replace("雨夜。", &format!("雨夜。{MARK} "));
        let card: Value = serde_json::from_str(CARD).unwrap();
        let body = json!({"text": text, "file": MARK, "title": MARK, "card": {"json": card}});
        let imported = self.post("/api/v1/import", body, owner);
        let (story, branch) = (&imported["stories"][0]["story"], &imported["stories"][0]["refs"][0]["ref"]);
        let (story, branch) = (story.as_str().unwrap().to_owned(), branch.as_str().unwrap().to_owned());
        let refs = format!("/api/v1/stories/{story}/refs");
        let made = |kind: &str| {
            let body = json!({"kind": kind, "from": branch, "floor": 1, "name": MARK});
            self.post(&refs, body, owner)["ref"].as_str().unwrap().to_owned()
        };
        let (other, tag) = (made("branch"), made("tag"));
        let reply =
            json!({"kind": "append", "role": "assistant", "name": "A", "text": format!("{MARK} @.ADD(\"金币\", 7);")});
        self.post(&format!("{refs}/{other}/operations"), reply, owner);
        let kept = self.post("/api/v1/snapshots", json!({"name": MARK, "state": {"a": MARK}}), owner);
        let template =
            self.ask("PUT", "/api/v1/templates/card.png", Some(&json!({"template": {"a": MARK}}).to_string()), owner);
        assert_eq!(template.status, 200, "{}", template.body);
        let function = json!({"version": "1.0", "functions": [{"name": "MINE", "type": "active", "description": MARK, "executor": "snapshot.a = 1"}]});
        self.post("/api/v1/library/import", json!({"library": function}), owner);
        let foreign = json!({"chatFile": "chat", "payload": {"a": MARK}, "identifier": "vm-1"}).to_string();
        assert_eq!(self.ask("POST", "/var-manager/snapshots", Some(&foreign), owner).status, 201);
        let path = self.ask("GET", &format!("{refs}/{branch}/path"), None, owner).json();
        let pages = path["turns"].as_array().unwrap().iter().flat_map(|turn| turn["pages"].as_array().unwrap());
        let pages = pages.map(|page| page["page"].as_str().unwrap().to_owned()).collect();
        let story_now = self.ask("GET", &format!("/api/v1/stories/{story}"), None, owner).json();
        let found = &story_now["refs"];
        let texts = |key: &str| -> Vec<String> {
            found.as_array().unwrap().iter().filter_map(|own| own[key].as_str().map(str::to_owned)).collect()
        };
        self.known = vec![
            ("StoryId", vec![story]),
            ("RefId", vec![branch, other, tag]),
            ("PageId", pages),
            ("ChatId", texts("chat")),
            ("NodeId", texts("head")),
            ("identifier", vec!["vm-1".to_owned()]),
            ("chatFile", vec!["chat".to_owned()]),
            ("characterName", vec!["card.png".to_owned()]),
            ("snapshotId", vec![kept["snapshot"].as_str().unwrap().to_owned()]),
            ("snapshot", vec![kept["snapshot"].as_str().unwrap().to_owned()]),
            ("card", vec!["card.png".to_owned()]),
        ];
    }
}
