//! Folders as the host and as users leave them.

use storeyline_state::{json, text};

use super::*;
use crate::identity::chat_uid;

/// Makes a file: its metadata, and floors as `user text @time #id`, pages of a floor separated by
/// `|`, the active one with `*`.
fn file(name: &str, metadata: &str, floors: &[&str]) -> (String, ChatFile) {
    let mut lines = vec![format!(r#"{{"chat_metadata":{metadata}}}"#)];
    lines.extend(floors.iter().enumerate().map(|(floor, pages)| message(floor, pages)));
    (format!("{name}.jsonl"), ChatFile::read(&lines.join("\n")).unwrap())
}

fn message(floor: usize, pages: &str) -> String {
    let pages: Vec<&str> = pages.split('|').map(str::trim).collect();
    let active = pages.iter().position(|page| page.starts_with('*')).unwrap_or(0);
    let word = |page: &str, mark: char| page.split(' ').find_map(|word| word.strip_prefix(mark)).map(str::to_owned);
    let text = |page: &str| {
        let words = page.trim_start_matches('*').split(' ');
        words.filter(|word| !word.starts_with(['@', '#'])).collect::<Vec<_>>().join(" ")
    };
    let info = |page: &str| {
        let date = word(page, '@').map(|time| format!(r#""send_date":{time},"#)).unwrap_or_default();
        let id = word(page, '#')
            .map(|id| format!(r#""storeyline":{{"id":"{}","h":"{}"}}"#, named(&id), text::hash(&text(page))));
        format!(r#"{{{date}"extra":{{{}}}}}"#, id.unwrap_or_default())
    };
    let list = |items: Vec<String>| items.join(",");
    let texts = list(pages.iter().map(|page| format!("{:?}", text(page))).collect());
    let infos = list(pages.iter().map(|page| info(page)).collect());
    format!(
        r#"{{"name":"N","is_user":{},"mes":{:?},"swipe_id":{active},"swipes":[{texts}],"swipe_info":[{infos}]}}"#,
        floor % 2 == 1,
        text(pages[active]),
    )
}

fn named(id: &str) -> PageId {
    PageId::from_name(uuid::Uuid::nil(), id.as_bytes())
}

fn chat(integrity: &str) -> ChatId {
    chat_uid(&json::read(&format!(r#"{{"integrity":"{integrity}"}}"#)).unwrap(), "")
}

/// Formats the stories as `file<parent shared`, files by index.
fn shape(files: &[(String, ChatFile)]) -> Vec<String> {
    let parent =
        |parent: Parent| format!("<{} {}", parent.file.map_or("?".into(), |file| file.to_string()), parent.shared);
    let show = |chat: &FolderChat| format!("{}{}", chat.file, chat.parent.map(parent).unwrap_or_default());
    read_folder(files).iter().map(|story| story.chats.iter().map(show).collect::<Vec<_>>().join(", ")).collect()
}

/// Returns the ids of a file, floor by floor.
fn ids(files: &[(String, ChatFile)], file: usize) -> Vec<Vec<PageId>> {
    let stories = read_folder(files);
    let chat = stories.iter().flat_map(|story| &story.chats).find(|chat| chat.file == file).unwrap();
    chat.rows.iter().map(|row| row.pages.iter().map(|(id, _)| *id).collect()).collect()
}

/// Checks the invariants of every result, in any order of the files.
fn check(files: &[(String, ChatFile)]) {
    let mut backwards = files.to_vec();
    backwards.reverse();
    let stories = read_folder(files);
    for (file, place) in (0..files.len()).rev().zip(0..) {
        assert_eq!(ids(files, file), ids(&backwards, place), "the order of files counts");
    }
    let mut chats: Vec<ChatId> = Vec::new();
    for story in &stories {
        let mut before = Vec::new();
        for chat in &story.chats {
            assert!(!chats.contains(&chat.chat), "a uid twice");
            chats.push(chat.chat);
            if let Some(parent) = chat.parent.and_then(|parent| parent.file) {
                assert!(before.contains(&parent), "a child before its parent");
            }
            before.push(chat.file);
            let mut ids: Vec<PageId> = chat.rows.iter().flat_map(|row| &row.pages).map(|(id, _)| *id).collect();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), chat.rows.iter().map(|row| row.pages.len()).sum::<usize>(), "an id twice in a file");
        }
    }
    assert_eq!(chats.len(), files.len());
}

#[test]
fn a_branch_shares_the_pages_before_it_and_keeps_its_own() {
    let files = [
        file("Branch", r#"{"integrity":"b","main_chat":"Main"}"#, &["hello", "go", "left @1003", "on @1004", "far"]),
        file("Main", r#"{"integrity":"a"}"#, &["hello", "go", "left @1003", "on @2004", "far"]),
    ];
    check(&files);
    assert_eq!(shape(&files), ["1, 0<1 3"]);
    let (branch, main) = (ids(&files, 0), ids(&files, 1));
    assert_eq!(branch[..3], main[..3]);
    assert_ne!(branch[3], main[3], "the same words at another moment");
    assert_ne!(branch[4], main[4], "the same words after another page");
    let alone = |file: usize, mark: &str| -> Vec<Vec<PageId>> {
        let rows = crate::bind(chat(mark), &files[file].1.read);
        rows.iter().map(|row| row.pages.iter().map(|(id, _)| *id).collect()).collect()
    };
    assert_eq!(main, alone(1, "a"), "a root has the ids it has alone");
    assert_eq!(branch[3..], alone(0, "b")[3..], "a branch too, where it is by itself");
}

#[test]
fn a_greeting_alone_makes_no_story() {
    let first = file("A", r#"{"integrity":"a"}"#, &["hello", "go"]);
    let other = file("B", r#"{"integrity":"b"}"#, &["hello", "stay"]);
    check(&[first.clone(), other.clone()]);
    assert_eq!(shape(&[first.clone(), other]), ["0", "1"]);
    let says_so = file("B", r#"{"integrity":"b","main_chat":"A"}"#, &["hello", "stay"]);
    assert_eq!(shape(&[first.clone(), says_so]), ["0, 1<0 1"]);
    let same_answer = file("B", r#"{"integrity":"b"}"#, &["hello", "go", "left"]);
    assert_eq!(shape(&[first, same_answer]), ["1, 0<1 2"], "nothing says which came first: the longer");
}

#[test]
fn the_same_answer_on_another_day_is_another_story() {
    let at = |name: &str, mark: &str, time: &str| {
        file(name, &format!(r#"{{"integrity":"{mark}"}}"#), &["hello", &format!("go {time}"), "left"])
    };
    assert_eq!(shape(&[at("A", "a", "@1001"), at("B", "b", "@2001")]), ["0", "1"]);
    assert_eq!(shape(&[at("A", "a", "@1001"), at("B", "b", "@1001")]), ["0, 1<0 3"]);
    assert_eq!(shape(&[at("A", "a", "@1001"), at("B", "b", "")]), ["1, 0<1 3"]);
}

#[test]
fn a_renamed_parent_is_found_by_its_pages() {
    let files = [
        file("New name", r#"{"integrity":"a"}"#, &["hello @7", "go @1001", "left @1002", "more @1003"]),
        file("Branch", r#"{"integrity":"b","main_chat":"Old name"}"#, &["hello @7", "go @1001", "right @1005"]),
    ];
    check(&files);
    assert_eq!(shape(&files), ["0, 1<0 2"]);
}

#[test]
fn pages_are_found_again_after_edits_deletions_and_swipes() {
    let files = [
        file(
            "Main",
            r#"{"integrity":"a"}"#,
            &["hello", "go @1001", "left @1002 | *right @1003", "on @1004", "far @1005"],
        ),
        file(
            "Branch",
            r#"{"integrity":"b","main_chat":"Main"}"#,
            &["hello", "go away @1001", "left @1002 | right @1003 | *up @1009", "new @1010"],
        ),
        file("Short", r#"{"integrity":"c","main_chat":"Main"}"#, &["hello", "on @1004", "far @1005"]),
    ];
    check(&files);
    let (main, branch, short) = (ids(&files, 0), ids(&files, 1), ids(&files, 2));
    assert_eq!(branch[1], main[1], "edited");
    assert_eq!(branch[2][..2], main[2][..], "another page is read");
    assert!(!main.concat().contains(&branch[2][2]) && !main.concat().contains(&branch[3][0]));
    assert_eq!(short[1..], main[3..], "what stood before was deleted");
    assert_eq!(shape(&files), ["0, 1<0 2, 2<0 1"]);
}

#[test]
fn ids_in_the_files_come_first() {
    let files = [
        file("Plain", r#"{"integrity":"b"}"#, &["hello", "go @1001", "left @1002", "on"]),
        file("Bound", r#"{"integrity":"a"}"#, &["hello #g", "go @1001 #u", "left @1002 #a"]),
        file("Other", r#"{"integrity":"c"}"#, &["other", "words", "edited #a"]),
        file("Stranger", r#"{"integrity":"d"}"#, &["hello", "go @5001"]),
    ];
    check(&files);
    assert_eq!(ids(&files, 0)[..3], [[named("g")], [named("u")], [named("a")]]);
    assert_eq!(ids(&files, 2)[2], [named("a")]);
    assert_eq!(shape(&files), ["2, 0, 1<0 3", "3"]);
}

#[test]
fn copies_are_told_apart() {
    let record = |file: &str| {
        format!(r#"{{"integrity":"a","storeyline":{{"chat":"{}","integrity":"a","file":"{file}"}}}}"#, chat("a"))
    };
    let floors = ["hello #g", "go #u"];
    let files = [file("Copy", &record("Main"), &floors), file("Main", &record("Main"), &floors)];
    check(&files);
    let stories = read_folder(&files);
    assert_eq!(shape(&files), ["1, 0<1 2"]);
    assert_eq!(stories[0].chats[0].chat, chat("a"));
    assert_eq!(stories[0].chats[1].parent.unwrap().known_by, KnownBy::SameMark);
    // Without our record the older one is the original, and later pages have their own ids.
    let plain = |name: &str, last: &str| file(name, r#"{"integrity":"a"}"#, &["hello", "go @1001", last]);
    let files = [plain("Copy", "ok @9001"), plain("Main", "ok @2001")];
    check(&files);
    assert_eq!(shape(&files), ["1, 0<1 2"]);
}

#[test]
fn chats_without_marks_are_not_copies_of_each_other() {
    let files = [file("A", "{}", &["hello", "go"]), file("B", "{}", &["hello", "stay"])];
    check(&files);
    assert_eq!(shape(&files), ["0", "1"]);
    let files = [file("A", "{}", &["hello", "go"]), file("B", r#"{"main_chat":"A.jsonl"}"#, &["hello", "stay"])];
    check(&files);
    assert_eq!(shape(&files), ["0, 1<0 1"]);
}

#[test]
fn one_date_for_a_whole_chat_tells_nothing() {
    let converted = |name: &str, answer: &str| {
        file(name, &format!(r#"{{"integrity":"{name}"}}"#), &["hello @5001", &format!("{answer} @5001"), "left @5001"])
    };
    assert_eq!(shape(&[converted("A", "go"), converted("B", "stay")]), ["0", "1"]);
}

#[test]
fn dates_that_a_program_made_up_tell_no_page() {
    let numbered = |name: &str, metadata: &str, last: &str| {
        file(name, metadata, &["hello @1000", "go @2000", &format!("{last} @3000")])
    };
    let files =
        [numbered("A", r#"{"integrity":"a"}"#, "left"), numbered("B", r#"{"integrity":"b","main_chat":"A"}"#, "right")];
    check(&files);
    assert_eq!(shape(&files), ["0, 1<0 2"]);
    let apart = file("C", r#"{"integrity":"c"}"#, &["hello @1000", "stay @2000"]);
    assert_eq!(shape(&[files[0].clone(), apart]), ["0", "1"]);
}

#[test]
fn two_pages_of_a_file_are_never_one() {
    let files = [
        file("A", r#"{"integrity":"a"}"#, &["hello", "go @1001"]),
        file("B", r#"{"integrity":"b","main_chat":"A"}"#, &["hello", "go | changed @1001"]),
    ];
    check(&files);
    assert_eq!(ids(&files, 1)[1][0], ids(&files, 0)[1][0]);
}

#[test]
fn files_of_one_story_stay_together() {
    let story = |name: &str| file(name, &format!(r#"{{"integrity":"{name}","storeyline":{{"story":"s"}}}}"#), &[name]);
    let files = [story("A"), story("B")];
    check(&files);
    assert_eq!(shape(&files), ["0, 1"]);
}

#[test]
fn a_parent_that_is_gone_still_ties_its_branches() {
    let branch = |name: &str, mark: &str, last: &str| {
        file(name, &format!(r#"{{"integrity":"{mark}","main_chat":"Gone"}}"#), &["hello", last])
    };
    let files = [branch("A", "a", "left"), branch("B", "b", "right")];
    check(&files);
    assert_eq!(shape(&files), ["0, 1<0 1"]);
    assert_eq!(ids(&files, 0)[0], ids(&files, 1)[0]);
    let parent = chat("gone");
    let known = file("C", &format!(r#"{{"storeyline":{{"chat":"{}","parent":"{parent}"}}}}"#, chat("c")), &["x"]);
    let stories = read_folder(&[known]);
    assert_eq!(stories[0].chats[0].parent.map(|found| (found.chat, found.file)), Some((parent, None)));
}

#[test]
fn files_that_contradict_themselves_are_survived() {
    let circle = [
        file("A", r#"{"integrity":"a","main_chat":"B"}"#, &["hello"]),
        file("B", r#"{"integrity":"b","main_chat":"C"}"#, &["hello"]),
        file("C", r#"{"integrity":"c","main_chat":"A"}"#, &["hello"]),
        file("D", r#"{"integrity":"d","main_chat":"D"}"#, &["hello"]),
    ];
    check(&circle);
    assert_eq!(read_folder(&circle).len(), 2);
    let twice = file("A", r#"{"integrity":"a"}"#, &["hello", "go #x", "left #x | right #x"]);
    check(&[twice.clone(), twice.clone(), twice]);
    assert_eq!(read_folder(&[]), []);
}

#[test]
fn equal_swipes_cost_what_the_file_does() {
    crate::linear_time::assert_linear(1_500, |size| {
        let many: String = vec!["\"a\""; size].join(",");
        let wide = format!(r#"{{"mes":"a","swipes":[{many}],"send_date":5}}"#);
        let wide = ChatFile::read(&format!("{{\"chat_metadata\":{{\"integrity\":\"w\"}}}}\n{wide}")).unwrap();
        let files = [("A".into(), wide.clone()), ("B".into(), wide)];
        move || assert!(!read_folder(&files).is_empty())
    });
}

#[test]
fn a_large_folder_is_read_in_time_that_grows_with_its_size() {
    let floors: Vec<String> = (0..200).map(|floor| format!("text {floor} @{}", 1001 + floor)).collect();
    let floors: Vec<&str> = floors.iter().map(String::as_str).collect();
    let branch = |number: usize| {
        let metadata = format!(r#"{{"integrity":"{number}","main_chat":"{}"}}"#, number.saturating_sub(1));
        file(&number.to_string(), &metadata, &floors[..200 - number % 150])
    };
    crate::linear_time::assert_linear(25, |size| {
        let files: Vec<_> = (0..size).map(branch).collect();
        move || {
            let stories = read_folder(&files);
            assert_eq!((stories.len(), stories[0].chats.len()), (1, size));
        }
    });
}
