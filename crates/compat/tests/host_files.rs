//! Files that the real host wrote, without and with our extension: read, written again, and a whole
//! folder of them as one tree.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "the other tests need more of it")]
mod corpus;

use std::collections::HashMap;

use storeyline_compat::chat_file;
use storeyline_compat::folder::{FolderChat, KnownBy, StoryFiles};
use storeyline_compat::host_message::{self, PageToWrite};
use storeyline_compat::{ChatFile, KEY, Row, bind, chat_uid, read_folder};
use storeyline_history::Role;
use storeyline_state::value::edit;
use storeyline_state::{PageId, Value, json};

const SETS: [&str; 2] = ["plain", "bound"];

/// Returns the chats of a folder, as text, by name.
fn texts(name: &str) -> Vec<(String, String)> {
    let files = corpus::files(format!("host/{name}"));
    assert!(!files.is_empty(), "{name} is empty");
    files.into_iter().map(|(file, bytes)| (file, String::from_utf8(bytes).unwrap())).collect()
}

fn chats(name: &str) -> Vec<(String, ChatFile)> {
    texts(name).into_iter().map(|(file, text)| (file, ChatFile::read(&text).unwrap())).collect()
}

/// Writes a chat with these ids.
fn written(file: &ChatFile, rows: &[Row]) -> String {
    let messages: Vec<Value> = file
        .read
        .iter()
        .zip(rows)
        .map(|(message, row)| {
            let pages = message.pages.iter().zip(&row.pages);
            let pages: Vec<_> = pages
                .map(|(page, (id, _))| PageToWrite { id: *id, text: &page.text, time: page.time, valid: page.valid })
                .collect();
            host_message::write(&message.fields, &pages, message.active, message.hidden)
        })
        .collect();
    chat_file::write(&file.header, &messages)
}

/// Removes our ids from a value, wherever they are.
fn without_ids(value: &mut Value) {
    match value {
        Value::Object(object) => {
            let object = edit(object);
            object.remove(KEY);
            let keys: Vec<_> = object.iter().map(|(key, _)| key.clone()).collect();
            keys.iter().for_each(|key| without_ids(object.get_mut(key).unwrap()));
        }
        Value::List(items) => edit(items).iter_mut().for_each(without_ids),
        _ => {}
    }
}

fn lines_without_ids(text: &str) -> Vec<String> {
    let line = |line: &str| {
        let mut value = json::read(line).unwrap();
        without_ids(&mut value);
        json::write(&value)
    };
    text.lines().map(line).collect()
}

#[test]
fn what_is_read_is_written_again() {
    for set in SETS {
        for part in ["Mira", "group"] {
            for (name, text) in texts(&format!("{set}/{part}")) {
                let file = ChatFile::read(&text).unwrap();
                assert_eq!(
                    chat_file::write(&file.header, &file.messages),
                    text,
                    "{name}: lines as the host writes them"
                );
                let rows = bind(chat_uid(&file.metadata(), ""), &file.read);
                let again = written(&file, &rows);
                assert_eq!(lines_without_ids(&again), lines_without_ids(&text), "{name} of {set}");
                let back = ChatFile::read(&again).unwrap();
                assert_eq!(bind(chat_uid(&back.metadata(), ""), &back.read), rows, "{name} of {set}: ids");
                assert_eq!(back.header, file.header);
            }
        }
    }
}

#[test]
fn every_page_of_a_played_chat_carries_its_id() {
    for (name, file) in chats("bound/Mira").into_iter().chain(chats("bound/group")) {
        // A file that was never opened has the ids it was cut with.
        for message in &file.read {
            for page in &message.pages {
                let (_, hash) = page.bound.unwrap_or_else(|| panic!("{name}: no id on {:?}", page.text));
                assert_eq!(hash, Some(page.hash), "{name}: {:?}", page.text);
            }
        }
    }
}

#[test]
fn roles_and_hidden_messages_are_those_of_the_host() {
    for set in SETS {
        let files = chats(&format!("{set}/Mira"));
        let (_, main) = &files[find(&files, 7)];
        let roles: Vec<_> = main.read.iter().map(|message| message.role).collect();
        let (user, reply) = (Role::User, Role::Assistant);
        assert_eq!(roles, [reply, user, reply, Role::Narrator, Role::Other, user, reply]);
        let hidden: Vec<_> = main.read.iter().map(|message| message.hidden).collect();
        assert_eq!(hidden, [false, true, false, false, true, false, false]);
        assert_eq!(main.read[0].pages[1].text, "Go away, Ann! @.ADD(\"角色.金币\", 5);", "as it is shown");
        assert_eq!((main.read[2].pages.len(), main.read[2].active), (2, 1));
        assert!(main.read.iter().flat_map(|message| &message.pages).all(|page| page.time.is_some()));
    }
}

/// Returns the root with this number of messages.
fn find(files: &[(String, ChatFile)], floors: usize) -> usize {
    files.iter().position(|(_, file)| file.read.len() == floors && file.metadata().get("main_chat").is_none()).unwrap()
}

/// The main chat, its branch and its checkpoint; the renamed chat, its branch and its copy; an
/// unrelated chat with the same card.
#[test]
fn a_folder_becomes_stories_with_shared_pages() {
    for set in SETS {
        let files = chats(&format!("{set}/Mira"));
        let stories = read_folder(&files);
        let sizes: Vec<usize> = stories.iter().map(|story| story.chats.len()).collect();
        assert_eq!(sizes, [3, 3, 1], "{set}");
        let name = |chat: &FolderChat| files[chat.file].0.as_str();
        for story in &stories {
            check_ids(story, &files);
            let root = &story.chats[0];
            assert_eq!(root.parent, None, "{set}: {}", name(root));
            for chat in &story.chats[1..] {
                assert_eq!(chat.parent.unwrap().file, Some(root.file), "{set}: {}", name(chat));
            }
            assert_eq!(root.rows, bind(chat_uid(&files[root.file].1.metadata(), ""), &files[root.file].1.read));
        }
        let shared = |story: usize, end: &str| {
            let chat = stories[story].chats.iter().find(|chat| name(chat).ends_with(end)).unwrap();
            let parent = chat.parent.unwrap();
            (parent.shared, chat.rows.len(), parent.known_by)
        };
        let branch = if set == "plain" { KnownBy::MainChat } else { KnownBy::Record };
        assert_eq!(shared(0, "Branch #1.jsonl"), (3, 5, branch), "{set}: the edited floor is shared");
        assert_eq!(shared(0, "Checkpoint.jsonl"), (6, 6, KnownBy::MainChat));
        assert_eq!(shared(1, "Renamed copy.jsonl"), (3, 3, KnownBy::SameMark));
        let renamed = if set == "plain" { KnownBy::SharedPages } else { KnownBy::Record };
        assert_eq!(shared(1, "Branch #1.jsonl"), (3, 5, renamed), "{set}: its parent has another name now");
    }
}

/// A page that occurs in several files was written once: its date proves it.
fn check_ids(story: &StoryFiles, files: &[(String, ChatFile)]) {
    let mut dates: HashMap<PageId, Option<i64>> = HashMap::new();
    for chat in &story.chats {
        for (message, row) in files[chat.file].1.read.iter().zip(&chat.rows) {
            for (page, (id, _)) in message.pages.iter().zip(&row.pages) {
                assert_eq!(*dates.entry(*id).or_insert(page.time), page.time, "{:?}", page.text);
            }
        }
    }
}

/// Chats played with the extension have ids; the same folder without them is the same tree.
#[test]
fn ids_by_dates_and_texts_draw_the_tree_that_our_ids_draw() {
    let files = chats("bound/Mira");
    let bare: Vec<(String, ChatFile)> = files
        .iter()
        .map(|(name, file)| {
            let text = chat_file::write(&file.header, &file.messages);
            (name.clone(), ChatFile::read(&lines_without_ids(&text).join("\n")).unwrap())
        })
        .collect();
    let drawn = |files: &[(String, ChatFile)]| {
        let mut names: HashMap<PageId, usize> = HashMap::new();
        let mut chats: Vec<_> = read_folder(files).into_iter().flat_map(|story| story.chats).collect();
        chats.sort_by_key(|chat| chat.file);
        let mut tree = Vec::new();
        for (id, _) in chats.iter().flat_map(|chat| &chat.rows).flat_map(|row| &row.pages) {
            let next = names.len();
            tree.push(*names.entry(*id).or_insert(next));
        }
        tree
    };
    assert_eq!(drawn(&bare), drawn(&files));
}
