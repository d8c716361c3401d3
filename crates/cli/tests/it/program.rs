//! Runs the real program in its own folder.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// A folder for one test.
pub(crate) struct TestDir {
    folder: tempfile::TempDir,
}

impl TestDir {
    pub(crate) fn new() -> TestDir {
        TestDir { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_storeyline"));
        command.args(args).env("STOREYLINE_DATA", self.path("data")).env("LANG", "C").env_remove("LC_ALL");
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Runs a command that must succeed and parses its JSON.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let output = self.run(&[args, &["--json"]].concat());
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Runs a command that must fail and returns its output.
    pub(crate) fn failure(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(!output.status.success(), "{args:?} succeeded");
        String::from_utf8(output.stderr).unwrap()
    }

    /// Runs a command with standard input.
    pub(crate) fn run_with(&self, args: &[&str], input: &str) -> Output {
        let mut command = self.command(args);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }

    /// Runs a command that must fail in a Chinese locale, and returns its output.
    pub(crate) fn chinese(&self, args: &[&str]) -> String {
        let output = self.command(args).env("LANG", "zh_CN.UTF-8").output().unwrap();
        assert!(!output.status.success(), "{args:?} succeeded");
        String::from_utf8(output.stderr).unwrap()
    }

    pub(crate) fn serve(&self) -> Server {
        self.serve_with(&[])
    }

    pub(crate) fn serve_with(&self, options: &[&str]) -> Server {
        start(self.command(&[&SERVE, options].concat()))
    }

    /// Runs a command that cannot make any file longer than this many blocks of 512 or 1,024 bytes. Writing beyond
    /// that is an error, as on a full disk, because the signal for it is ignored.
    #[cfg(unix)]
    pub(crate) fn limited(&self, blocks: usize, args: &[&str]) -> Command {
        let mut command = Command::new("sh");
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_storeyline")]).args(args);
        command.env("STOREYLINE_DATA", self.path("data")).env("LANG", "C").env_remove("LC_ALL");
        command
    }

    #[cfg(unix)]
    pub(crate) fn serve_limited(&self, blocks: usize) -> Server {
        start(self.limited(blocks, &SERVE))
    }
}

const SERVE: [&str; 5] = ["serve", "--port", "0", "--json", "--exit-with-stdin"];

fn start(mut command: Command) -> Server {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let first: Value = serde_json::from_str(&first).unwrap();
    let text = |key: &str| first[key].as_str().unwrap().to_owned();
    let token = std::fs::read_to_string(text("token_file")).unwrap();
    Server { child, url: text("url"), link: text("link"), token, first }
}

/// A running engine.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) url: String,
    pub(crate) link: String,
    pub(crate) token: String,
    /// Its first line of output.
    pub(crate) first: Value,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Status and JSON of a response.
pub(crate) type Answer = (u16, Value);

impl Server {
    pub(crate) fn get(&self, path: &str) -> Answer {
        let agent = agent();
        let request =
            agent.get(format!("{}{path}", self.url)).header("Authorization", format!("Bearer {}", self.token));
        answer(request.call())
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Answer {
        self.post_with(
            path,
            body,
            &[
                ("Authorization", &format!("Bearer {}", self.token)),
                ("X-Storeyline", "1"),
                ("Content-Type", "application/json"),
            ],
        )
    }

    pub(crate) fn post_with(&self, path: &str, body: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = agent().post(format!("{}{path}", self.url));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        answer(request.send(body))
    }

    /// Exchanges the code of its link for a token, as the page does.
    pub(crate) fn sign_in(&self) -> String {
        let (status, made) = self.redeem(&self.link);
        assert_eq!(status, 200, "{made}");
        made["token"].as_str().unwrap().to_owned()
    }

    /// Sends the code of a link.
    pub(crate) fn redeem(&self, link: &str) -> Answer {
        let code = link.split_once("/#open=").unwrap().1;
        let headers = [("X-Storeyline", "1"), ("Content-Type", "application/json")];
        self.post_with("/api/v1/tokens", &serde_json::json!({ "code": code }).to_string(), &headers)
    }

    /// Sends a `GET` with another token than that of the data folder.
    pub(crate) fn get_as(&self, path: &str, token: &str) -> Answer {
        answer(agent().get(format!("{}{path}", self.url)).header("Authorization", format!("Bearer {token}")).call())
    }

    /// Kills it, as a power cut would.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// An HTTP client that returns error responses instead of failing.
pub(crate) fn agent() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).build().into()
}

fn answer(response: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Answer {
    let mut response = response.unwrap();
    let text = response.body_mut().read_to_string().unwrap();
    (response.status().as_u16(), serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

/// A chat file with a greeting, a message and a reply.
pub(crate) fn chat() -> String {
    [
        r#"{"chat_metadata":{"integrity":"one","note":{"b":1,"a":2}},"user_name":"unused","character_name":"unused"}"#,
        r#"{"name":"阿丽娅","is_user":false,"is_system":false,"send_date":"2026-11-15T20:00:00.000Z","mes":"雨夜。@.SET(\"玩家\", \"旅人\"); @.ADD(\"金币\", 5);","extra":{"x":1},"swipe_id":0,"swipes":["雨夜。@.SET(\"玩家\", \"{{user}}\"); @.ADD(\"金币\", 5);","晴天。"],"swipe_info":[{"extra":{}},{"extra":{"own":true}}]}"#,
        r#"{"name":"旅人","is_user":true,"mes":"你好","extra":{},"unknown":{"2":"b","1":"a"}}"#,
        r#"{"name":"阿丽娅","is_user":false,"mes":"@.ADD(\"金币\", 1.5); @.ADD(\"金币\", \"很多\");","extra":{}}"#,
    ]
    .join("\n")
}

pub(crate) const CARD: &str =
    r#"{"data":{"name":"阿丽娅","extensions":{"st_var_system":{"enabled":true,"templateBody":{"金币":10}}}}}"#;

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
