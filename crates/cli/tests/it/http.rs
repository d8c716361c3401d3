//! The server over real HTTP, killed and started again.

use crate::program::{CARD, Server, TestDir, agent, chat, text};
use serde_json::{Value, json};

const CHAT: &str = "11111111-1111-4111-8111-111111111111";

fn open(server: &Server) -> Value {
    let body = json!({"chat": CHAT, "file": "f", "owner": "c.png", "title": "雨夜", "template": {"金币": 10}});
    let (status, opened) = server.post("/api/v1/chats", &body.to_string());
    assert_eq!(status, 200, "{opened}");
    opened
}

fn page(number: u8) -> String {
    format!("00000000-0000-4000-8000-0000000000{number:02}")
}

/// Makes a row and its message.
fn turn(number: u8, user: bool, words: &str) -> (Value, Value) {
    let h = storeyline_state::text::hash(words).to_string();
    let (id, name, role) = (page(number), if user { "U" } else { "A" }, if user { "user" } else { "assistant" });
    let row = json!({"id": id, "h": h, "role": role, "name": name, "hidden": false, "swipes": [{"id": id, "h": h}], "active": 0});
    let message = json!({"name": name, "is_user": user, "mes": words, "extra": {"storeyline": {"id": id, "h": h}}});
    (row, message)
}

fn sync_body(seq: u64, turns: &[(Value, Value)], with_messages: bool) -> Value {
    let rows: Vec<_> = turns.iter().map(|(row, _)| row.clone()).collect();
    let messages: serde_json::Map<String, Value> = turns
        .iter()
        .filter(|_| with_messages)
        .map(|(row, message)| (row["id"].as_str().unwrap().to_owned(), message.clone()))
        .collect();
    json!({"chat": CHAT, "client": "t", "seq": seq, "base": null, "file": {"name": "f", "owner": "c.png"}, "keep": {"len": 0, "digest": ""},
           "tail": rows, "messages": messages, "have": null, "names": {"user": "U", "char": "A"}})
}

#[test]
fn a_chat_is_synced_read_changed_and_watched() {
    let place = TestDir::new();
    let server = place.serve();
    assert_eq!(server.get("/healthz").1["ok"], true);
    let opened = open(&server);
    let turns = [
        turn(1, false, "@.ADD(\"金币\", 5);"),
        turn(2, true, "好"),
        turn(3, false, "@.ADD(\"金币\", \"x\"); @.ADD(\"金币\", 1);"),
    ];
    let (_, asked) = server.post("/api/v1/sync", &sync_body(1, &turns, false).to_string());
    assert_eq!(asked["need"].as_array().unwrap().len(), 3);
    assert_eq!(asked["node"], Value::Null);
    let (_, answer) = server.post("/api/v1/sync", &sync_body(2, &turns, true).to_string());
    assert_eq!(answer["state"]["value"], json!({"金币": 16}));
    assert_eq!(answer["parent"]["value"], json!({"金币": 15}));
    assert_eq!(answer["diagnostics"][0]["source"], "@.ADD(\"金币\", \"x\");");

    let branch =
        format!("/api/v1/stories/{}/refs/{}", opened["story"].as_str().unwrap(), opened["ref"].as_str().unwrap());
    let (_, floors) = server.get(&format!("{branch}/floors?from=1&limit=1"));
    assert_eq!((&floors["total"], &floors["floors"][0]["floor"]), (&json!(3), &json!(1)));
    let (_, floor) = server.get(&format!("{branch}/floors/2"));
    assert_eq!(floor["calls"][1]["ops"][0], json!({"path": ["金币"], "kind": "changed", "old": 15, "new": 16}));
    assert_eq!(floor["calls"][1]["span"], json!([18, 33]));
    let path = "path=%5B%22%E9%87%91%E5%B8%81%22%5D";
    let (_, causes) = server.get(&format!("{branch}/floors/2/causes?{path}&path=%5B%22x%22,0%5D"));
    assert_eq!(causes, json!({"floors": [2, null], "searched_from": 0}));
    let (status, refused) = server.get(&format!("{branch}/floors/2/causes?path=x"));
    assert_eq!((status, &refused["error"]["code"]), (400, &json!("bad_request")));
    let (status, _) = server.get(&format!("{branch}/floors/2/causes?{}", vec![path; 201].join("&")));
    assert_eq!(status, 400, "at most 200 paths");

    let (_, before) = server.get("/api/v1/changes");
    let edit = json!({"kind": "edit", "page": page(1), "text": "@.SET(\"金币\", 0);"});
    let (status, _) = server.post(&format!("{branch}/operations"), &edit.to_string());
    assert_eq!(status, 200);
    let (_, after) = server.get(&format!("/api/v1/changes?after={}&wait=20", before["last"].as_str().unwrap()));
    assert_ne!(after["last"], before["last"]);
    assert_eq!(after["others"], true);
    let (_, answer) = server.post("/api/v1/sync", &sync_body(3, &turns, true).to_string());
    assert_eq!(answer["apply"], json!([{"op": "edit", "floor": 0, "page": page(1), "text": "@.SET(\"金币\", 0);"}]));
}

#[test]
fn a_killed_engine_has_everything_when_it_comes_back() {
    let place = TestDir::new();
    let server = place.serve();
    let opened = open(&server);
    let turns: Vec<_> = (0..40).map(|number| turn(number, false, &format!("{number} @.ADD(\"金币\", 1);"))).collect();
    let (status, _) = server.post("/api/v1/sync", &sync_body(1, &turns, true).to_string());
    assert_eq!(status, 200);
    server.kill();
    let server = place.serve();
    let floor = format!(
        "/api/v1/stories/{}/refs/{}/floors/39",
        opened["story"].as_str().unwrap(),
        opened["ref"].as_str().unwrap()
    );
    assert_eq!(server.get(&floor).1["state"], json!({"金币": 50}));
    assert_eq!(place.json(&["verify"])["problems"], json!([]), "beside a running server");
}

#[test]
fn the_engine_ends_when_its_starter_does() {
    let place = TestDir::new();
    let mut server = place.serve();
    drop(server.child.stdin.take());
    assert!(server.child.wait().unwrap().success());
    assert!(!place.path("data/run.json").exists());
}

#[test]
fn strangers_are_refused() {
    let place = TestDir::new();
    let server = place.serve();
    let token = format!("Bearer {}", server.token);
    let code = |answer: (u16, Value)| (answer.0, answer.1["error"]["code"].as_str().unwrap_or_default().to_owned());
    let refused = |status: u16, name: &str| (status, name.to_owned());
    let json_type = ("Content-Type", "application/json");
    let post = |headers: &[(&str, &str)]| code(server.post_with("/api/v1/sync", "{}", headers));
    assert_eq!(post(&[json_type, ("X-Storeyline", "1")]), refused(401, "no_token"));
    assert_eq!(post(&[json_type, ("X-Storeyline", "1"), ("Authorization", "Bearer wrong")]), refused(401, "no_token"));
    assert_eq!(post(&[json_type, ("Authorization", &token)]), refused(403, "no_header"));
    assert_eq!(
        post(&[("Content-Type", "text/plain"), ("X-Storeyline", "1"), ("Authorization", &token)]),
        refused(415, "not_json")
    );
    assert_eq!(
        post(&[json_type, ("X-Storeyline", "1"), ("Authorization", &token), ("Host", "evil.example")]),
        refused(403, "bad_host")
    );
    assert_eq!(
        post(&[json_type, ("X-Storeyline", "1"), ("Authorization", &token), ("Origin", "http://evil.example")]),
        refused(403, "bad_origin")
    );
    assert_eq!(code(server.get("/api/v1/nothing")), refused(404, "not_found"));
    assert_eq!(code(server.get("/api/v1/stories/x/refs/y/floors")), refused(404, "not_found"));
}

#[test]
fn bad_bodies_get_a_clear_answer() {
    let place = TestDir::new();
    let server = place.serve();
    open(&server);
    let post = |body: &str| server.post("/api/v1/sync", body);
    for body in [
        "",
        "not json",
        "{",
        "[]",
        "{\"chat\":5}",
        &"[".repeat(100_000),
        "{\"chat\":\"x\",\"client\":\"c\",\"seq\":1,\"tail\":[]}",
    ] {
        let (status, answer) = post(body);
        assert_eq!((status, &answer["error"]["code"]), (400, &json!("bad_json")), "{answer}");
        assert!(answer["error"]["message"]["zh"].as_str().is_some_and(|words| !words.is_empty()));
    }
    let (status, answer) = post(&sync_body(1, &[], true).to_string());
    assert_eq!((status, &answer["error"]["code"]), (400, &json!("bad_request")));
    let (status, answer) = post(&sync_body(1, &[turn(1, false, "x")], true).to_string().replace(CHAT, &page(9)));
    assert_eq!((status, &answer["error"]["code"]), (404, &json!("unknown_chat")));

    // Half an emoji: the text is accepted, with the half replaced.
    let body = sync_body(2, &[turn(1, false, "\u{fffd}")], true).to_string().replace('\u{fffd}', "\\ud83d");
    assert_eq!(post(&body).0, 200);
}

#[test]
fn a_link_gives_a_browser_one_token_and_no_cookie() {
    let place = TestDir::new();
    let server = place.serve();
    let code = server.link.split_once("/#open=").unwrap().1.to_owned();
    for path in ["", "/", &format!("/open/{code}")] {
        let response = agent().get(format!("{}{path}", server.url)).call().unwrap();
        assert!(response.headers().get("set-cookie").is_none(), "{path}");
    }
    let token = server.sign_in();
    assert_eq!(server.get_as("/api/v1/stories", &token).0, 200);
    let (status, refused) = server.redeem(&server.link);
    assert_eq!((status, &refused["error"]["code"]), (403, &json!("bad_link")), "it works once");
    let stories = format!("{}/api/v1/stories", server.url);
    for secret in [&token, &server.token, &code] {
        let asked = agent().get(&stories).header("Cookie", format!("storeyline={secret}")).call().unwrap();
        assert_eq!(asked.status(), 401, "a cookie opens nothing");
    }
    server.kill();
    let server = place.serve();
    assert_eq!(server.get_as("/api/v1/stories", &token).0, 200, "it outlives the server");
}

#[test]
fn a_browser_sees_its_own_account_and_its_token_can_be_withdrawn() {
    let place = TestDir::new();
    let server = place.serve();
    let link = place.json(&["link", "--account", "anna"])["link"].as_str().unwrap().to_owned();
    assert!(link.starts_with(&server.url), "{link}");
    let (status, made) = server.redeem(&link);
    assert_eq!((status, &made["owner"]), (200, &json!("anna")), "{made}");
    let anna = made["token"].as_str().unwrap();
    assert_eq!(server.get_as("/api/v1/status", anna).1["owner"], "anna");
    let headers =
        [("X-Storeyline", "1"), ("Content-Type", "application/json"), ("Authorization", &format!("Bearer {anna}"))];
    let (status, refused) = server.post_with("/api/v1/links", "{}", &headers);
    assert_eq!((status, &refused["error"]["code"]), (403, &json!("needs_token")), "access does not multiply");
    let own = server.sign_in();
    let (_, seen) = server.get_as("/api/v1/tokens", anna);
    assert_eq!(seen["tokens"].as_array().unwrap().len(), 1, "tokens of others are not shown");
    assert_eq!(seen["tokens"][0]["current"], true);
    let all = place.json(&["token", "list"]);
    assert_eq!(all.as_array().unwrap().len(), 2);
    let id = seen["tokens"][0]["token"].as_str().unwrap();
    place.json(&["token", "withdraw", id]);
    assert_eq!(server.get_as("/api/v1/status", anna).0, 401, "at once, beside a running server");
    assert_eq!(server.get_as("/api/v1/status", &own).0, 200);
    assert!(place.failure(&["token", "withdraw", id]).contains("token list"));
    let (_, made) = server.post("/api/v1/links", "{}");
    let (_, renewed) = server.redeem(&format!("{}{}", server.url, made["link"].as_str().unwrap()));
    let renewed = renewed["token"].as_str().unwrap();
    let id = server.get_as("/api/v1/tokens", renewed).1["tokens"][0]["token"].clone();
    let ended = agent()
        .delete(format!("{}/api/v1/tokens/{}", server.url, id.as_str().unwrap()))
        .header("Authorization", format!("Bearer {renewed}"))
        .header("X-Storeyline", "1")
        .call();
    assert_eq!(ended.unwrap().status(), 200);
    assert_eq!(server.get_as("/api/v1/status", renewed).0, 401);
    place.json(&["token", "withdraw", "--all"]);
    assert_eq!(place.json(&["token", "list"]), json!([]));
    drop(server);
    assert!(place.failure(&["link"]).contains("storeyline serve"));
}

#[test]
fn the_port_of_the_last_start_is_taken_again_if_it_is_free() {
    let place = TestDir::new();
    let first = place.serve_with(&["--keep-port"]);
    let url = first.url.clone();
    first.kill();
    let second = place.serve_with(&["--keep-port"]);
    assert_eq!(second.url, url);
    let other = place.serve_with(&["--keep-port"]);
    assert_ne!(other.url, url, "it is taken");
}

#[test]
fn command_line_and_server_share_their_stories() {
    let place = TestDir::new();
    let server = place.serve();
    let (_, before) = server.get("/api/v1/changes");
    let chat = place.write("chat.jsonl", &chat());
    let card = place.write("card.json", CARD);
    let imported = place.json(&["import", text(&chat), "--card", text(&card)]);
    let (_, changed) = server.get(&format!("/api/v1/changes?after={}&wait=20", before["last"].as_str().unwrap()));
    assert_ne!(changed["last"], before["last"], "the server notices what another program wrote");
    let (_, stories) = server.get("/api/v1/stories");
    assert_eq!(stories["stories"][0]["story"], imported["story"]);
}

#[test]
fn a_body_that_is_too_large_is_refused_before_it_is_sent() {
    let place = TestDir::new();
    let server = place.serve();
    let address = server.url.strip_prefix("http://").unwrap();
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    let head = format!(
        "POST /api/v1/sync HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nX-Storeyline: 1\r\nContent-Type: application/json\r\nContent-Length: 500000000\r\n\r\n",
        server.token
    );
    std::io::Write::write_all(&mut stream, head.as_bytes()).unwrap();
    stream.set_read_timeout(Some(std::time::Duration::from_secs(20))).unwrap();
    let mut answer = vec![0; 4_096];
    let length = std::io::Read::read(&mut stream, &mut answer).unwrap();
    let answer = String::from_utf8_lossy(&answer[..length]).into_owned();
    assert!(answer.starts_with("HTTP/1.1 413") && answer.contains("too_large"), "{answer}");
}
