//! Another local server, and another account: getting in without the token of the data folder.

use std::collections::HashSet;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use storeyline_bench::http::expect;
use storeyline_bench::serving::Server;
use storeyline_state::{Value, json};

use crate::{Attack, Done, Outcome, Target};

pub static COOKIE: Attack = Attack {
    name: "cookie",
    wants: "what a browser sends to every port of this machine, and to read stories with it",
    is_quick: true,
    limit: Duration::from_secs(20),
    run: use_cookies,
};

pub static LINK_TWICE: Attack = Attack {
    name: "link-twice",
    wants: "a second token for a one-time link, by using it several times at once",
    is_quick: true,
    limit: Duration::from_secs(20),
    run: use_link_twice,
};

pub static BROWSER_TOKEN: Attack = Attack {
    name: "browser-token",
    wants: "more than its own stories with the token of a browser: another account, a new link, access after it was withdrawn",
    is_quick: true,
    limit: Duration::from_secs(20),
    run: use_browser_token,
};

/// Status and whole text of an answer.
struct Answer {
    status: u16,
    text: String,
}

impl Answer {
    /// Returns a field of its JSON.
    fn field(&self, key: &str) -> String {
        let body = self.text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        let value = json::read(body).unwrap_or(Value::Null);
        value.get(key).and_then(Value::as_text).unwrap_or_default().to_owned()
    }
}

/// Sends a request with exactly these headers.
fn send(server: &Server, method: &str, path: &str, headers: &str, body: &str) -> Done<Answer> {
    let address = server.url().trim_start_matches("http://");
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let head = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}");
    stream.write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Ok(Answer { status, text })
}

const CHANGES: &str = "X-Storeyline: 1\r\nContent-Type: application/json\r\n";

/// Makes a link for an owner; returns its code.
fn make_link(server: &Server, owner: &str) -> Done<String> {
    let made = json::read(&expect(server.connect(owner)?.ask("POST", "/api/v1/links", "{}")?)?)?;
    let link = made.get("link").and_then(Value::as_text).unwrap_or_default();
    Ok(link.split_once("#open=").ok_or("it has no code")?.1.to_owned())
}

fn redeem(server: &Server, code: &str) -> Done<Answer> {
    send(server, "POST", "/api/v1/tokens", CHANGES, &format!(r#"{{"code":"{code}"}}"#))
}

fn use_cookies(target: &Target) -> Done<Outcome> {
    let server = target.server()?;
    let code = make_link(&server, "local")?;
    let mut got = Vec::new();
    for path in ["/".to_owned(), format!("/open/{code}"), format!("/?open={code}"), "/api/v1/stories".into()] {
        if send(&server, "GET", &path, "", "")?.text.to_ascii_lowercase().contains("set-cookie") {
            got.push(format!("a cookie at {path}"));
        }
    }
    let answer = redeem(&server, &code)?;
    if answer.status != 200 || answer.text.to_ascii_lowercase().contains("set-cookie") {
        got.push(format!("a cookie for the link, or a link that its reading used up ({})", answer.status));
    }
    let token = answer.field("token");
    for secret in [code.as_str(), &token, server.token()] {
        let cookies = format!("Cookie: storeyline={secret}; token={secret}; Authorization=Bearer {secret}\r\n");
        if send(&server, "GET", "/api/v1/stories", &cookies, "")?.status != 401 {
            got.push("stories for a cookie".into());
        }
    }
    Ok(Outcome::new(!got.is_empty(), format!("got [{}]", got.join(", "))))
}

fn use_link_twice(target: &Target) -> Done<Outcome> {
    let server = target.server()?;
    let mut most = 0;
    for _ in 0..10 {
        let code = make_link(&server, "anna")?;
        let answers = thread::scope(|scope| {
            let asked: Vec<_> = (0..8).map(|_| scope.spawn(|| redeem(&server, &code))).collect();
            asked
                .into_iter()
                .map(|asked| asked.join().unwrap_or_else(|_| Err("it broke".into())))
                .collect::<Done<Vec<_>>>()
        })?;
        let tokens: HashSet<String> = answers.iter().map(|answer| answer.field("token")).collect();
        most = most.max(tokens.iter().filter(|token| !token.is_empty()).count());
    }
    Ok(Outcome::new(most != 1, format!("{most} token for each of 10 links that were used 8 times at once")))
}

fn use_browser_token(target: &Target) -> Done<Outcome> {
    let server = target.server()?;
    let token = redeem(&server, &make_link(&server, "anna")?)?.field("token");
    redeem(&server, &make_link(&server, "bert")?)?;
    let anna = format!("Authorization: Bearer {token}\r\n");
    let mut got = Vec::new();
    let mut want = |what: &str, answer: Answer, status: u16| {
        if answer.status != status {
            got.push(format!("{what} ({})", answer.status));
        }
    };
    want("nothing of its own", send(&server, "GET", "/api/v1/stories", &anna, "")?, 200);
    let bert = format!("{anna}X-Storeyline-Owner: bert\r\n");
    want("another account", send(&server, "GET", "/api/v1/stories", &bert, "")?, 403);
    want("a new link", send(&server, "POST", "/api/v1/links", &format!("{anna}{CHANGES}"), "{}")?, 403);
    let listed = send(&server, "GET", "/api/v1/tokens", &anna, "")?.text;
    let others = json::read(&expect(server.connect("bert")?.ask("GET", "/api/v1/tokens", "")?)?)?;
    let theirs = id_of(&others).ok_or("bert has a token")?;
    let withdraw = |id: &str| send(&server, "DELETE", &format!("/api/v1/tokens/{id}"), &format!("{anna}{CHANGES}"), "");
    want("to withdraw a token of another account", withdraw(&theirs)?, 404);
    let own = json::read(&expect(server.connect("anna")?.ask("GET", "/api/v1/tokens", "")?)?)?;
    want("nothing of its own", withdraw(&id_of(&own).ok_or("anna has a token")?)?, 200);
    want("access after it was withdrawn", send(&server, "GET", "/api/v1/stories", &anna, "")?, 401);
    if listed.contains(&theirs) {
        got.push("the tokens of another account".into());
    }
    Ok(Outcome::new(!got.is_empty(), format!("got [{}]", got.join(", "))))
}

fn id_of(tokens: &Value) -> Option<String> {
    let Value::List(tokens) = tokens.get("tokens")? else { return None };
    Some(tokens.iter().next()?.get("token")?.as_text()?.to_owned())
}
