//! The change feed, and stopping a server that has work to do and a listener.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use super::seeded::Seeded;

struct Listener {
    lines: BufReader<TcpStream>,
}

/// An event: its name, its id, its data.
type Event = (String, String, Value);

impl Listener {
    fn open(seeded: &Seeded, query: &str, owner: &str, more: &str) -> Listener {
        let address = seeded.server.url.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let head = format!(
            "GET /api/v1/events{query} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nX-Storeyline-Owner: {owner}\r\n{more}\r\n",
            seeded.server.token
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut listener = Listener { lines: BufReader::new(stream) };
        let head = std::iter::from_fn(|| listener.line()).take_while(|line| !line.is_empty()).collect::<Vec<_>>();
        let head = head.join("\n").to_lowercase();
        assert!(head.starts_with("http/1.1 200"), "{head}");
        assert!(head.contains("content-type: text/event-stream") && head.contains("no-transform"), "{head}");
        listener
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        (self.lines.read_line(&mut line).unwrap() > 0).then(|| line.trim_end().to_owned())
    }

    /// Returns the next event; `None` when the server has closed the connection.
    fn next(&mut self) -> Option<Event> {
        let (mut name, mut id, mut data) = (String::new(), String::new(), Value::Null);
        loop {
            let line = self.line()?;
            match line.split_once(": ") {
                Some(("event", own)) => name = own.to_owned(),
                Some(("id", own)) => id = own.to_owned(),
                Some(("data", own)) => data = serde_json::from_str(own).unwrap(),
                _ if line.is_empty() && !name.is_empty() => return Some((name, id, data)),
                _ => {}
            }
        }
    }
}

fn rename(seeded: &Seeded, owner: &str, title: &str) -> i64 {
    let story = &seeded.known.iter().find(|(name, _)| *name == "StoryId").unwrap().1[0];
    let body = json!({"title": title}).to_string();
    let reply = seeded.ask("POST", &format!("/api/v1/stories/{story}"), Some(&body), owner);
    assert_eq!(reply.status, 200, "{}", reply.body);
    reply.json()["operations"][0].as_i64().unwrap()
}

#[test]
fn every_operation_is_heard_once_and_in_order() {
    let seeded = Seeded::new("anna");
    let mut all = Listener::open(&seeded, "?after=c0", "anna", "");
    let (name, first, data) = all.next().unwrap();
    assert_eq!((name.as_str(), &data["kind"]), ("operation", &json!("create_branch")));
    assert!(data["story"].is_string() && data["ref"].is_string());
    let mut now = Listener::open(&seeded, "", "anna", "");
    let mut other = Listener::open(&seeded, "?after=c0", "bert", "");
    let renamed = rename(&seeded, "anna", "一");
    let (_, position, data) = now.next().unwrap();
    assert_eq!((&data["operation"], &data["kind"]), (&json!(renamed), &json!("rename")), "from now on");
    let mut heard = vec![first];
    while heard.last() != Some(&position) {
        let (_, id, _) = all.next().unwrap();
        assert!(!heard.contains(&id), "each once");
        heard.push(id);
    }
    let again = rename(&seeded, "anna", "二");
    let mut back = Listener::open(&seeded, "?after=c0", "anna", &format!("Last-Event-ID: {position}\r\n"));
    assert_eq!(back.next().unwrap().2["operation"], json!(again), "who comes back goes on where they were");
    let mut ahead = Listener::open(&seeded, "?after=cffffffff", "anna", "");
    assert_eq!(ahead.next().unwrap().0, "reset", "a position from another database");
    let body = json!({"title": "x"}).to_string();
    seeded.ask("POST", "/api/v1/stories", Some(&body), "bert");
    assert_eq!(other.next().unwrap().2["kind"], "create_branch", "owners hear their own only");
}

#[test]
fn a_server_that_is_asked_to_stop_ends_what_it_has_begun() {
    let mut seeded = Seeded::new("local");
    let mut listener = Listener::open(&seeded, "", "local", "");
    // A request that is never finished must not keep the server alive, and is not written.
    let address = seeded.server.url.strip_prefix("http://").unwrap().to_owned();
    let mut half = TcpStream::connect(address).unwrap();
    half.write_all(b"POST /api/v1/stories HTTP/1.1\r\n").unwrap();
    let done = rename(&seeded, "local", "最后");
    assert_eq!(listener.next().unwrap().2["operation"], json!(done));
    drop(seeded.server.child.stdin.take());
    assert!(listener.next().is_none(), "those who listen are let go");
    assert!(seeded.server.child.wait().unwrap().success());
    let server = seeded._place.serve();
    assert!(server.get("/api/v1/stories").1.to_string().contains("最后"), "what was answered is there");
}
