//! `serve --log`: one line per request on standard error, without any text of a story.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};

use serde_json::Value;

/// Serves, requests a search, stops; returns standard error.
fn log_of(options: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_storeyline"))
        .args(["serve", "--port", "0", "--json", "--exit-with-stdin", "--data"])
        .arg(folder.path())
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let first: Value = serde_json::from_str(&first).unwrap();
    let token = std::fs::read_to_string(first["token_file"].as_str().unwrap()).unwrap();
    let url = format!("{}/api/v1/search?q=secret-words", first["url"].as_str().unwrap());
    let request = crate::program::agent().get(url).header("Authorization", format!("Bearer {token}"));
    assert_eq!(request.header("X-Request-Id", "mine-3").call().unwrap().status(), 200);
    drop(child.stdin.take());
    let mut log = String::new();
    child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(child.wait().unwrap().success());
    log
}

#[test]
fn a_request_is_told_in_one_line_without_its_words() {
    let log = log_of(&["--log"]);
    assert_eq!(log.lines().count(), 1, "{log}");
    let line: Value = serde_json::from_str(&log).unwrap();
    assert_eq!((&line["request"], &line["status"]), (&"mine-3".into(), &200.into()));
    assert_eq!((&line["path"], &line["owner"]), (&"/api/v1/search".into(), &"local".into()));
    assert!(!log.contains("secret-words"), "what is searched for is nobody's business");
    assert_eq!(log_of(&[]), "", "and nothing is told unless somebody asks");
}
