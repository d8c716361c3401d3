//! Damaged files: a result or an error, never a panic, never a long wait.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "the other tests need more of it")]
mod corpus;

use std::time::Instant;

use corpus::Case;
use storeyline_compat::initvar::{self, Names};
use storeyline_compat::varsystem_store::{Structure, snapshot_ids};
use storeyline_compat::{
    Card, ChatFile, ChatHistory, Given, WorldBook, find_initial, read_folder, stored_states, strip_mvu,
};
use storeyline_state::json;

/// A seeded random generator.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }

    /// Cuts, doubles, overwrites or inserts.
    fn damage(&mut self, bytes: &[u8]) -> Vec<u8> {
        const PIECES: [&[u8]; 14] = [
            b"{",
            b"}",
            b"[",
            b"]",
            b"\"",
            b"\\ud83d",
            b"\n",
            b": ",
            b"- ",
            b"&a",
            b"*a",
            b"<%",
            b"\xff",
            "：".as_bytes(),
        ];
        let mut out = bytes.to_vec();
        for _ in 0..=self.below(3) {
            let at = self.below(out.len());
            let end = (at + self.below(40)).min(out.len());
            match self.below(4) {
                0 => out.truncate(at),
                1 => drop(out.drain(at..end)),
                2 => {
                    let piece = out[at..end].to_vec();
                    out.splice(at..at, piece);
                }
                _ => drop(out.splice(at..at, PIECES[self.below(PIECES.len())].iter().copied())),
            }
        }
        out
    }
}

/// Reads a file in every format.
fn read_as_anything(bytes: &[u8]) {
    let card = Card::read(bytes).ok();
    let books: Vec<WorldBook> = WorldBook::read(bytes, "x").into_iter().collect();
    let text = String::from_utf8_lossy(bytes);
    let messages = ChatFile::read(&text).map(|file| file.read).unwrap_or_default();
    let given = Given { card: card.as_ref(), books: &books, messages: &messages, names: Names::default() };
    let initial = find_initial(&given);
    json::write(&initial.rules().to_value());
    assert!(initial.state.depth() <= json::MAX_DEPTH + 1);
    if let Ok(value) = json::read(&text) {
        strip_mvu(&value);
        ChatHistory::from_value(&value, "x").ok();
    }
    initvar::read(&text, &Names::default());
    if let Ok(structure) = Structure::read(bytes) {
        structure.fill(&structure.wanted().into_iter().map(|row| (row, bytes.to_vec())).collect());
    }
    for message in &messages {
        assert_eq!(stored_states(message).len(), message.pages.len());
        assert_eq!(snapshot_ids(message).len(), message.pages.len());
    }
}

#[test]
fn damaged_files_are_survived() {
    let mut chance = Chance(7);
    for case in Case::all() {
        for (_, bytes) in case.files() {
            for _ in 0..40 {
                read_as_anything(&chance.damage(&bytes));
            }
        }
    }
}

/// A folder in which every file is damaged: all readable chats, each once.
#[test]
fn damaged_folders_are_survived() {
    let mut chance = Chance(3);
    let files = corpus::files("host/plain/Mira").into_iter().chain(corpus::files("host/bound/Mira"));
    let files: Vec<(String, Vec<u8>)> = files.collect();
    for _ in 0..60 {
        let damaged = files.iter().map(|(name, bytes)| (name, chance.damage(bytes)));
        let read: Vec<(String, ChatFile)> = damaged
            .filter_map(|(name, bytes)| Some((name.clone(), ChatFile::read(&String::from_utf8_lossy(&bytes)).ok()?)))
            .collect();
        let stories = read_folder(&read);
        let mut found: Vec<usize> = stories.iter().flat_map(|story| &story.chats).map(|chat| chat.file).collect();
        found.sort_unstable();
        assert_eq!(found, (0..read.len()).collect::<Vec<_>>());
    }
    for (_, bytes) in files {
        for _ in 0..40 {
            read_as_anything(&chance.damage(&bytes));
        }
    }
}

/// Damage inside the variables themselves, where the outer JSON stays valid.
#[test]
fn damaged_variables_are_survived() {
    let mut chance = Chance(11);
    for case in Case::all() {
        for (_, bytes) in case.files().into_iter().filter(|(name, _)| name == "card.json") {
            let Some(book) = Card::read(&bytes).unwrap().book else { continue };
            for entry in book.entries {
                for _ in 0..60 {
                    let damaged = chance.damage(entry.content.as_bytes());
                    initvar::read(&String::from_utf8_lossy(&damaged), &Names::default());
                }
            }
        }
    }
}

#[test]
fn huge_files_are_answered_quickly() {
    let start = Instant::now();
    let mut texts = vec![
        "a: 1\n".repeat(175_000),
        "- ".repeat(475_000),
        "[".repeat(975_000),
        "{a: ".repeat(225_000),
        "\"".repeat(975_000),
        "a: \"".repeat(225_000),
        "&a ".repeat(300_000),
        "? ".repeat(475_000),
        "{{user}}".repeat(100_000),
        "<%".repeat(475_000),
        "：\n".repeat(225_000),
        "[a]\n".repeat(225_000),
        "x".repeat(60_000_000),
        "#".repeat(975_000),
        "a = 1\n".repeat(150_000),
        "\t\n".repeat(475_000),
    ];
    texts.push((0..60_000).rev().map(|n| format!("{n}: {n}\n")).collect());
    texts.push((0..50_000).map(|n| format!("k{n}: @x: {n}\n")).collect());
    texts.push((0..9_000).map(|n| format!("k{n}: @x: {n}\n")).collect());
    for text in &texts {
        let one = Instant::now();
        initvar::read(text, &Names::default());
        let spent = one.elapsed().as_secs();
        assert!(spent < 30, "{:?} took {spent} s", &text[..4]);
    }
    let book = format!(
        r#"{{"entries":{{{}}}}}"#,
        (0..300_000).map(|n| format!(r#""{n}":{{"content":"x"}}"#)).collect::<Vec<_>>().join(",")
    );
    assert_eq!(WorldBook::read(book.as_bytes(), "").unwrap().entries.len(), 300_000);
    let huge = vec![b' '; storeyline_compat::MAX_FILE + 1];
    assert!(Card::read(&huge).is_err() && WorldBook::read(&huge, "").is_err());
    assert!(start.elapsed().as_secs() < 120, "{:?}", start.elapsed());
}
