//! Folders made by random play: messages are sent, swiped, edited, deleted, branched, copied and
//! renamed. The test knows the identity of every page; the folder code must find it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;

use storeyline_compat::{ChatFile, read_folder};
use storeyline_state::PageId;

/// A seeded random generator.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// A page: its identity, and how often it was edited.
#[derive(Clone, Copy)]
struct Page {
    label: usize,
    edits: usize,
}

#[derive(Clone)]
struct Floor {
    user: bool,
    active: usize,
    pages: Vec<Page>,
}

#[derive(Clone)]
struct Chat {
    name: String,
    integrity: usize,
    main_chat: Option<String>,
    floors: Vec<Floor>,
}

struct Play {
    chance: Chance,
    chats: Vec<Chat>,
    labels: usize,
    names: usize,
    /// Whether texts are edited, floors deleted and branches renamed.
    edits: bool,
}

impl Play {
    fn new(seed: u64, edits: bool) -> Play {
        let mut play = Play { chance: Chance(seed), chats: Vec::new(), labels: 0, names: 0, edits };
        play.begin();
        play
    }

    fn page(&mut self) -> Page {
        self.labels += 1;
        Page { label: self.labels, edits: 0 }
    }

    /// Starts a new chat: a greeting (the same text in all chats) and an answer.
    fn begin(&mut self) {
        let number = self.chats.len();
        let floors = vec![Floor { user: false, active: 0, pages: vec![self.page()] }];
        self.chats.push(Chat { name: format!("chat {number}"), integrity: number, main_chat: None, floors });
        self.send(number);
    }

    fn send(&mut self, chat: usize) {
        for user in [true, false] {
            let pages = vec![self.page()];
            self.chats[chat].floors.push(Floor { user, active: 0, pages });
        }
    }

    fn step(&mut self) {
        let chat = self.chance.below(self.chats.len());
        let floor = 1 + self.chance.below(self.chats[chat].floors.len() - 1);
        let number = self.chats.len();
        match self.chance.below(12) {
            0 => self.begin(),
            1..4 => self.send(chat),
            4..7 if self.chats[chat].floors.last().unwrap().user => self.send(chat),
            4 | 5 => {
                let page = self.page();
                let last = self.chats[chat].floors.last_mut().unwrap();
                last.pages.push(page);
                last.active = last.pages.len() - 1;
            }
            6 => {
                let last = self.chats[chat].floors.last_mut().unwrap();
                last.active = self.chance.below(last.pages.len());
            }
            7 | 8 => {
                let mut branch = self.chats[chat].clone();
                branch.floors.truncate(floor + 1);
                branch.main_chat = Some(branch.name);
                self.chats.push(Chat { name: format!("chat {number}"), integrity: number, ..branch });
            }
            9 if self.edits || self.chats[chat].main_chat.is_none() => {
                self.names += 1;
                self.chats[chat].name = format!("renamed {}", self.names);
            }
            10 if self.edits => {
                let floor = &mut self.chats[chat].floors[floor];
                floor.pages[floor.active].edits += 1;
            }
            11 if self.edits && self.chats[chat].floors.len() > 2 => drop(self.chats[chat].floors.remove(floor)),
            _ => {}
        }
    }

    fn files(&self, dates: bool) -> Vec<(String, ChatFile)> {
        self.chats.iter().map(|chat| (format!("{}.jsonl", chat.name), chat.file(dates))).collect()
    }
}

impl Chat {
    fn file(&self, dates: bool) -> ChatFile {
        let main_chat = self.main_chat.as_ref().map(|name| format!(r#","main_chat":"{name}""#)).unwrap_or_default();
        let mut lines = vec![format!(r#"{{"chat_metadata":{{"integrity":"{}"{main_chat}}}}}"#, self.integrity)];
        for (index, floor) in self.floors.iter().enumerate() {
            let text = |page: &Page| match index {
                0 => "\"Hello.\"".to_owned(),
                _ => format!("\"page {} {}\"", page.label, page.edits),
            };
            let info = |page: &Page| match dates {
                true => format!(r#"{{"send_date":{}}}"#, 1_700_000_000_001 + 1_003 * page.label),
                false => "{}".into(),
            };
            let join = |texts: Vec<String>| texts.join(",");
            lines.push(format!(
                r#"{{"name":"N","is_user":{},"mes":{},"swipe_id":{},"swipes":[{}],"swipe_info":[{}]}}"#,
                floor.user,
                text(&floor.pages[floor.active]),
                floor.active,
                join(floor.pages.iter().map(text).collect()),
                join(floor.pages.iter().map(info).collect()),
            ));
        }
        ChatFile::read(&lines.join("\n")).unwrap()
    }
}

/// Returns the id of each page in each file: label, file, id.
fn found(play: &Play, dates: bool) -> Vec<(usize, usize, PageId)> {
    let stories = read_folder(&play.files(dates));
    let chats = stories.iter().flat_map(|story| &story.chats);
    let mut found = Vec::new();
    for chat in chats {
        let floors = chat.rows.iter().zip(&play.chats[chat.file].floors);
        for ((id, _), page) in floors.flat_map(|(row, floor)| row.pages.iter().zip(&floor.pages)) {
            found.push((page.label, chat.file, *id));
        }
    }
    found
}

/// No id belongs to two pages.
fn check_apart(found: &[(usize, usize, PageId)], seed: u64) {
    let mut labels: HashMap<PageId, usize> = HashMap::new();
    for (label, _, id) in found {
        assert_eq!(labels.entry(*id).or_insert(*label), label, "seed {seed}: one id for two pages");
    }
}

/// No page has two ids.
fn check_together(found: &[(usize, usize, PageId)], seed: u64) {
    let mut ids: HashMap<usize, PageId> = HashMap::new();
    for (label, file, id) in found {
        assert_eq!(ids.entry(*label).or_insert(*id), id, "seed {seed}: page {label} has another id in chat {file}");
    }
}

#[test]
fn dates_tell_pages_through_edits_and_deletions() {
    for seed in 0..150 {
        let mut play = Play::new(seed, true);
        (0..60).for_each(|_| play.step());
        let found = found(&play, true);
        check_apart(&found, seed);
        check_together(&found, seed);
    }
}

#[test]
fn texts_tell_pages_where_nothing_was_edited() {
    for seed in 0..150 {
        let mut play = Play::new(seed, false);
        (0..60).for_each(|_| play.step());
        let found = found(&play, false);
        check_apart(&found, seed);
        check_together(&found, seed);
    }
}

#[test]
fn without_dates_no_page_is_taken_for_another() {
    for seed in 0..150 {
        let mut play = Play::new(seed, true);
        (0..60).for_each(|_| play.step());
        check_apart(&found(&play, false), seed);
    }
}

/// A page keeps its id when files are added to the folder. (This does not hold after a branch was
/// renamed, because nothing tells it from branches that were cut from it.)
#[test]
fn ids_stay_while_the_folder_grows() {
    for seed in 0..60 {
        let mut play = Play::new(seed, false);
        let mut before: HashMap<usize, PageId> = HashMap::new();
        for _ in 0..30 {
            play.step();
            for (label, _, id) in found(&play, true) {
                assert_eq!(*before.entry(label).or_insert(id), id, "seed {seed}: page {label}");
            }
        }
    }
}
