//! An HTTP client that sends exactly what it is given, including invalid requests.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

#[derive(Debug, Clone)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: String,
}

impl Reply {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }

    /// Returns status and stable code of an error.
    pub(super) fn refusal(&self) -> (u16, String) {
        (self.status, self.json()["error"]["code"].as_str().unwrap_or_default().to_owned())
    }
}

#[derive(Debug, Clone)]
pub(super) struct Ask {
    pub(super) method: String,
    /// Path and query, encoded.
    pub(super) target: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Option<String>,
}

impl Ask {
    /// Returns the request with a header replaced.
    pub(super) fn with(mut self, name: &str, value: &str) -> Ask {
        self = self.without(name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(super) fn without(mut self, name: &str) -> Ask {
        self.headers.retain(|(own, _)| !own.eq_ignore_ascii_case(name));
        self
    }
}

/// Sends a request on its own connection.
pub(super) fn send(url: &str, ask: &Ask) -> Reply {
    let address = url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut head = format!("{} {} HTTP/1.1\r\nConnection: close\r\n", ask.method, ask.target);
    if !ask.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        head.push_str(&format!("Host: {address}\r\n"));
    }
    for (name, value) in &ask.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if let Some(body) = &ask.body {
        head.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    let whole = format!("{head}\r\n{}", ask.body.as_deref().unwrap_or_default());
    stream.write_all(whole.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap_or_else(|error| panic!("no answer to {ask:?}: {error}"));
    read(&String::from_utf8(answer).expect("answers are UTF-8"))
}

fn read(answer: &str) -> Reply {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("not HTTP: {answer:?}"));
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers = lines.filter_map(|line| line.split_once(": ")).map(|(name, value)| (name.into(), value.into()));
    Reply { status, headers: headers.collect(), body: body.to_owned() }
}

/// Encodes a part of a path.
pub(super) fn encode(text: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(byte);
    text.as_bytes()
        .iter()
        .map(|byte| if plain(byte) { (*byte as char).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
