//! A chat as the extension syncs it, over a connection of its own: base, digest, one row, one message.

use std::io;
use std::ops::Range;
use std::time::Instant;

use storeyline_state::{PageId, Value, json, text};

use crate::http::{Connection, expect};
use crate::serving::Server;

pub struct HostChat {
    connection: Connection,
    /// Makes its ids different from those of other chats.
    number: usize,
    chat: PageId,
    /// The address of its branch.
    branch: String,
    floors: usize,
    base: String,
    have: String,
    digest: String,
}

impl HostChat {
    /// Begins a chat with a state of about 10 KB and no functions.
    pub fn open(server: &Server, owner: &str, number: usize) -> io::Result<HostChat> {
        let mut connection = server.connect(owner)?;
        let chat = PageId::from_random((number as u128 + (1 << 100)).to_le_bytes());
        let open = format!(
            r#"{{"chat":"{chat}","file":"bench {number}","owner":"c.png","title":"bench {number}","template":{}}}"#,
            state()
        );
        let opened = expect(connection.ask("POST", "/api/v1/chats", &open)?)?;
        let opened = json::read(&opened).map_err(io::Error::other)?;
        let id = |key: &str| opened.get(key).and_then(Value::as_text).unwrap_or_default().to_owned();
        let branch = format!("/api/v1/stories/{}/refs/{}", id("story"), id("ref"));
        let null = || "null".to_owned();
        Ok(HostChat { connection, number, chat, branch, floors: 0, base: null(), have: null(), digest: String::new() })
    }

    /// Returns the address of its branch.
    pub fn branch(&self) -> &str {
        &self.branch
    }

    /// Returns how many floors the server has acknowledged.
    pub fn floors(&self) -> usize {
        self.floors
    }

    /// Returns the text of a floor; its state has `计数` one higher than the floor.
    pub fn text(floor: usize) -> String {
        format!("第 {floor} 层：雨还在下，炉火旁的人换了一批又一批。@.ADD(\"计数\", 1);")
    }

    /// Syncs one more floor; returns from when to when the request took.
    pub fn next_floor(&mut self) -> io::Result<Range<Instant>> {
        let HostChat { number, chat, floors, base, have, digest, .. } = &*self;
        let hash = text::hash(&HostChat::text(*floors));
        let words = HostChat::text(*floors).replace('"', "\\\"");
        let id = PageId::from_random(((*number as u128) << 64 | (*floors as u128 + 1)).to_le_bytes());
        let row = format!(r#"["{id}","{hash}","assistant","A",false,0,[["{id}","{hash}"]]]"#);
        let body = format!(
            r#"{{"chat":"{chat}","client":"bench","seq":{},"base":{base},"keep":{{"len":{floors},"digest":"{digest}"}},"tail":[{{"id":"{id}","h":"{hash}","role":"assistant","name":"A","hidden":false,"swipes":[{{"id":"{id}","h":"{hash}"}}],"active":0}}],"messages":{{"{id}":{{"name":"A","is_user":false,"mes":"{words}","extra":{{"storeyline":{{"id":"{id}","h":"{hash}"}}}}}}}},"have":{have},"names":{{"user":"U","char":"A"}}}}"#,
            floors + 1
        );
        let began = Instant::now();
        let answer = self.connection.ask("POST", "/api/v1/sync", &body)?;
        let ended = Instant::now();
        let answer = json::read(&expect(answer)?).map_err(io::Error::other)?;
        let hex = |value: Option<&Value>| value.and_then(Value::as_text).map(|hex| format!("\"{hex}\""));
        self.base = hex(answer.get("node")).ok_or_else(|| io::Error::other("nothing was written"))?;
        self.have = hex(answer.get("state").and_then(|state| state.get("hash"))).unwrap_or_else(|| "null".into());
        self.digest = text::hash(&(self.digest.clone() + &row)).to_string();
        self.floors += 1;
        Ok(began..ended)
    }
}

/// A state of about 10 KB.
fn state() -> String {
    let entries = (0..150).map(|n| format!(r#","键{n}":"一段不短的文字，编号 {n}，用来占地方。""#));
    format!(r#"{{"计数":0{}}}"#, entries.collect::<String>())
}
