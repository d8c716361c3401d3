//! Imports and exports files of the real host: they must be equal afterwards, and shared pages must be
//! stored once.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashSet;
use std::path::Path;

use proptest::prelude::*;
use storeyline_compat::{ChatFile, HostMessage};
use storeyline_engine::{By, Engine, FolderRequest, ImportRequest, Owner, Stored};
use storeyline_state::value::edit;
use storeyline_state::{Value, json};
use storeyline_wire::Role;
use storeyline_wire::care::Stats;
use storeyline_wire::import::{ChatFile as FolderFile, Imported as FolderImported, ImportedRef as Imported};
use storeyline_wire::operation::{BranchEdit, NewPage, NewTurn};

fn owner() -> Owner {
    Owner::local()
}

/// The files of a folder of the corpus, by name.
fn folder(name: &str) -> Vec<FolderFile> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/host").join(name);
    let mut files: Vec<FolderFile> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| FolderFile {
            name: path.file_stem().unwrap().to_string_lossy().into_owned(),
            text: std::fs::read_to_string(&path).unwrap(),
        })
        .collect();
    files.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(!files.is_empty());
    files
}

const FOLDERS: [&str; 4] = ["plain/Mira", "bound/Mira", "plain/group", "bound/group"];

fn import_request(file: &FolderFile) -> ImportRequest {
    ImportRequest {
        text: file.text.clone(),
        file: file.name.clone(),
        title: file.name.clone(),
        card: None,
        world_books: Vec::new(),
        into: None,
        allow_functions: false,
    }
}

fn import(engine: &Engine, file: &FolderFile) -> Imported {
    engine.import(&owner(), &import_request(file)).unwrap()
}

fn import_folder(engine: &Engine, files: &[FolderFile]) -> FolderImported {
    let request = FolderRequest { files: files.to_vec(), title: "Mira".into(), ..FolderRequest::default() };
    let answer = engine.import_folder(&owner(), request, &Stored::default(), |_| {});
    assert!(answer.broken.is_empty(), "{:?}", answer.broken);
    answer
}

/// All lines of a file, without the ids that we write.
fn lines(text: &str, keep_ids: bool) -> Vec<Value> {
    let mut lines: Vec<Value> = text.lines().map(|line| json::read(line).unwrap()).collect();
    if !keep_ids {
        lines[1..].iter_mut().for_each(forget);
    }
    lines.iter().map(sorted).collect()
}

/// The order of keys is no part of a JSON value.
fn sorted(value: &Value) -> Value {
    match value {
        Value::List(items) => Value::list(items.iter().map(sorted).collect()),
        Value::Object(object) => {
            let mut entries: Vec<_> = object.iter().map(|(key, value)| (key.clone(), sorted(value))).collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            Value::object(entries.into_iter().collect())
        }
        leaf => leaf.clone(),
    }
}

fn forget(message: &mut Value) {
    let Value::Object(message) = message else { panic!() };
    let message = edit(message);
    for holder in ["extra", "swipe_info"] {
        match message.get_mut(holder) {
            Some(Value::Object(extra)) => drop(edit(extra).remove("storeyline")),
            Some(Value::List(infos)) => edit(infos).iter_mut().for_each(forget),
            _ => {}
        }
    }
}

/// What an export added: an `extra` where there was none.
fn without_empty_extra(mut messages: Vec<Value>) -> Vec<Value> {
    for message in &mut messages {
        let Value::Object(message) = message else { panic!() };
        let empty = message.get("extra").and_then(Value::as_object).is_some_and(|extra| extra.iter().next().is_none());
        if empty {
            edit(message).remove("extra");
        }
    }
    messages
}

/// The ids of the pages of a branch, floor by floor.
fn ids(engine: &Engine, imported: &Imported) -> Vec<Vec<String>> {
    let text = engine.export(&owner(), imported.story, imported.branch).unwrap();
    let file = ChatFile::read(&text).unwrap();
    let ids = |message: &HostMessage| message.pages.iter().filter_map(|page| Some(page.bound?.0.to_string())).collect();
    file.read.iter().map(ids).collect()
}

fn written(stats: Stats) -> (u64, u64, u64, u64) {
    (stats.stories, stats.refs, stats.nodes, stats.pages)
}

fn exported(engine: &Engine, imported: &Imported) -> String {
    engine.export(&owner(), imported.story, imported.branch).unwrap()
}

#[test]
fn a_file_comes_out_as_it_went_in() {
    for name in FOLDERS {
        for file in folder(name) {
            let engine = Engine::in_memory().unwrap();
            let imported = import(&engine, &file);
            let out = exported(&engine, &imported);
            let bound = name.starts_with("bound");
            let (went_in, came_out) = (lines(&file.text, bound), lines(&out, bound));
            let (went_in, came_out) = match bound {
                true => (went_in, came_out),
                false => (without_empty_extra(went_in), without_empty_extra(came_out)),
            };
            for (line, (a, b)) in went_in.iter().zip(&came_out).enumerate() {
                assert_eq!(json::write(a), json::write(b), "{name}/{} line {}", file.name, line + 1);
            }
            assert_eq!(went_in.len(), came_out.len());
            let before = (engine.stats(&owner()).unwrap(), ids(&engine, &imported));
            for text in [&file.text, &out] {
                let again = import(&engine, &FolderFile { text: text.clone(), ..file.clone() });
                assert_eq!((again.story, again.branch), (imported.story, imported.branch));
                assert_eq!((again.new_pages, again.evaluated), (0, 0), "{name}/{}", file.name);
                assert_eq!(written(engine.stats(&owner()).unwrap()), written(before.0), "{name}/{}", file.name);
                assert_eq!(ids(&engine, &imported), before.1);
            }
        }
    }
}

#[test]
fn a_folder_is_one_tree_per_story_in_which_shared_floors_are_stored_once() {
    for name in ["plain/Mira", "bound/Mira"] {
        let files = folder(name);
        let engine = Engine::in_memory().unwrap();
        let answer = import_folder(&engine, &files);
        let all: Vec<_> = answer.stories.iter().flat_map(|story| &story.refs).collect();
        assert_eq!(all.len(), files.len());
        let mut sizes: Vec<usize> = answer.stories.iter().map(|story| story.refs.len()).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [1, 3, 3], "{name}: a chat with branch and checkpoint, a renamed one, one apart");
        let stats = engine.stats(&owner()).unwrap();
        assert_eq!((stats.stories, stats.refs), (3, files.len() as u64));

        // Floors of a story that read the same pages below the same pages are one node, unless the
        // host keeps other fields there.
        let mut nodes = HashSet::new();
        let mut floors = 0;
        for story in &answer.stories {
            for found in &story.refs {
                let mut path = Vec::new();
                for message in &lines(&exported(&engine, found), true)[1..] {
                    path.push(json::write(message));
                    nodes.insert((story.story, path.clone()));
                    floors += 1;
                }
            }
        }
        assert_eq!(stats.nodes, nodes.len() as u64, "{name}");
        assert!(stats.nodes < floors, "{name}: {} nodes for {floors} floors", stats.nodes);

        // Every branch but the first of a story comes from another one of it.
        for story in &answer.stories {
            let refs = engine.refs(&owner(), story.story).unwrap();
            let of = |found: &Imported| refs.iter().find(|branch| branch.id == found.branch).unwrap();
            for (place, found) in story.refs.iter().enumerate() {
                let origin = of(found).origin;
                let earlier = story.refs[..place].iter().any(|earlier| Some(of(earlier).key) == origin);
                assert_eq!(earlier, place > 0, "{name}/{}", found.file);
                assert_eq!(of(found).name, found.file);
            }
        }

        // Again: nothing new; and each file comes out as it went in.
        let again = import_folder(&engine, &files);
        assert_eq!(written(engine.stats(&owner()).unwrap()), written(stats), "{name}");
        for found in again.stories.iter().flat_map(|story| &story.refs) {
            assert_eq!((found.new_pages, found.evaluated), (0, 0));
            let file = files.iter().find(|file| file.name == found.file).unwrap();
            let out = lines(&exported(&engine, found), false);
            assert_eq!(without_empty_extra(out), without_empty_extra(lines(&file.text, false)), "{}", found.file);
        }
        assert!(engine.verify(&owner(), |_| {}).unwrap().problems.is_empty());
    }
}

#[test]
fn pages_that_files_share_have_one_id() {
    for name in ["plain/Mira", "bound/Mira"] {
        let engine = Engine::in_memory().unwrap();
        let answer = import_folder(&engine, &folder(name));
        let find = |part: &str| {
            let all = answer.stories.iter().flat_map(|story| &story.refs);
            all.into_iter().find(|found| found.file.ends_with(part)).unwrap()
        };
        let checkpoint = ids(&engine, find("Checkpoint"));
        let story =
            answer.stories.iter().find(|story| story.refs.iter().any(|found| found.file == "Checkpoint")).unwrap();
        let main = ids(&engine, &story.refs[0]);
        assert_eq!(main[..checkpoint.len()], checkpoint[..], "{name}: a checkpoint");
        let branch = story.refs.iter().find(|found| found.file.contains("Branch")).unwrap();
        let branch = ids(&engine, branch);
        assert_eq!(main[..2], branch[..2], "{name}: floor 1 was edited in the branch");
        assert_eq!(ids(&engine, find("Renamed")), ids(&engine, find("Renamed copy")), "{name}");
    }
}

#[test]
fn files_that_are_read_one_by_one_find_the_chat_they_were_cut_from() {
    for name in ["plain/Mira", "bound/Mira"] {
        let engine = Engine::in_memory().unwrap();
        let mut files = folder(name);
        // The longer a name, the later the host made the file.
        files.sort_by_key(|file| (file.name.contains("Branch") || file.name == "Checkpoint", file.name.clone()));
        let imported: Vec<(String, Imported)> =
            files.iter().map(|file| (file.name.clone(), import(&engine, file))).collect();
        let checkpoint = &imported.iter().find(|(name, _)| name == "Checkpoint").unwrap().1;
        let same: Vec<&String> =
            imported.iter().filter(|(_, other)| other.story == checkpoint.story).map(|(name, _)| name).collect();
        assert_eq!(same.len(), 3, "{name}: {same:?}");
    }
}

#[test]
fn a_group_chat_keeps_its_speakers_and_a_hidden_message_its_state() {
    for name in ["plain", "bound"] {
        let engine = Engine::in_memory().unwrap();
        let group = import(&engine, &folder(&format!("{name}/group"))[0]);
        let floors = engine.floors(&owner(), group.story, group.branch, 0, 100).unwrap().floors;
        let speakers: HashSet<&str> = floors.iter().map(|floor| floor.name.as_str()).collect();
        assert!(speakers.len() >= 3, "{speakers:?}");
        let files = folder(&format!("{name}/Mira"));
        let file = files.iter().find(|file| file.text.contains("\"is_system\":true")).unwrap();
        let imported = import(&engine, file);
        let floors = engine.floors(&owner(), imported.story, imported.branch, 0, 100).unwrap().floors;
        assert!(floors.iter().any(|floor| floor.hidden));
    }
}

#[test]
fn a_renamed_chat_keeps_its_branch() {
    for name in ["plain", "bound"] {
        let engine = Engine::in_memory().unwrap();
        let files = folder(&format!("{name}/Mira"));
        let file = files.iter().find(|file| file.name == "Renamed").unwrap();
        let before = import(&engine, &FolderFile { name: "Before".into(), ..file.clone() });
        let after = import(&engine, file);
        assert_eq!((before.story, before.branch, after.new_pages), (after.story, after.branch, 0));
        let refs = engine.refs(&owner(), after.story).unwrap();
        assert_eq!(refs.iter().map(|branch| branch.name.as_str()).collect::<Vec<_>>(), ["Renamed"]);
    }
}

#[test]
fn notes_that_other_extensions_keep_on_messages_survive() {
    let chat = "{\"chat_metadata\":{\"integrity\":\"n\"}}\n\
        {\"name\":\"A\",\"mes\":\"hi\",\"extra\":{\"memory\":\"They met.\",\"characterSheet\":\"Ada: brave\"}}\n\
        {\"name\":\"A\",\"mes\":\"b\",\"extra\":{\"memory\":\"new\"},\"swipe_id\":1,\"swipes\":[\"a\",\"b\"],\
        \"swipe_info\":[{\"extra\":{\"memory\":\"of a\"}},{\"extra\":{\"memory\":\"new\"}}]}";
    let engine = Engine::in_memory().unwrap();
    let imported = import(&engine, &FolderFile { name: "n".into(), text: chat.into() });
    let field = |message: &HostMessage, key: &str| message.fields.get("message").unwrap().get(key).cloned();
    let notes = |text: &str| -> Vec<_> {
        let messages = ChatFile::read(text).unwrap().read;
        messages.iter().map(|message| (field(message, "extra"), field(message, "swipe_info"))).collect()
    };
    assert_eq!(notes(&exported(&engine, &imported)), notes(chat));
}

/// A page of a story that another tool began: its number, whether it is valid, when it was written.
type ToldPage = (u8, bool, Option<i64>);

/// Who speaks, the pages, and which is read.
type ToldTurn = (Role, Vec<ToldPage>, usize);

fn any_role() -> impl Strategy<Value = Role> {
    prop::sample::select(vec![Role::Assistant, Role::User, Role::Summary])
}

fn any_turn() -> impl Strategy<Value = ToldTurn> {
    let time = prop::option::of(0i64..2_000_000_000_000);
    let page = (any::<u8>(), prop::bool::weighted(0.7), time);
    (any_role(), prop::collection::vec(page, 1..4), any::<prop::sample::Index>())
        .prop_map(|(role, pages, active)| (role, pages.clone(), active.index(pages.len())))
}

/// The story as a history file of seed 003.
fn history_file(turns: &[ToldTurn]) -> String {
    let page = |role: Role, floor: usize, index: usize, (number, valid, time): ToldPage| {
        let time = time.map_or("null".into(), |time| time.to_string());
        format!(
            r#""{index}":{{"id":"p{floor}.{index}","role":"{}","content":"{number}@.ADD(\"n\",{number});","timestamp":{time},"isValid":{valid}}}"#,
            role.as_str(),
        )
    };
    let turn = |(floor, (role, pages, active)): (usize, &ToldTurn)| {
        let pages: Vec<String> =
            pages.iter().enumerate().map(|(index, told)| page(*role, floor, index, *told)).collect();
        format!(
            r#""{floor}":{{"role":"{}","pages":{{{}}},"activePageIndex":{active}}}"#,
            role.as_str(),
            pages.join(",")
        )
    };
    let turns: Vec<String> = turns.iter().enumerate().map(turn).collect();
    format!(r#"{{"branches":{{"main":{{{}}}}},"activeBranch":"main"}}"#, turns.join(","))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn an_exported_branch_is_the_same_when_it_is_read(
        told in prop::collection::vec(any_turn(), 1..6),
        said in prop::collection::vec((any_role(), any::<i64>()), 0..3),
    ) {
        let engine = Engine::in_memory().unwrap();
        let request = import_request(&FolderFile { name: "main".into(), text: history_file(&told) });
        let first = engine.import_history(&owner(), &request).unwrap().stories.remove(0).refs.remove(0);
        for (number, (role, time)) in said.into_iter().enumerate() {
            let page = |words: &str| NewPage { page: None, text: format!("{words}@.ADD(\"n\",{number});"), time: Some(time) };
            let by = By::client("test");
            let turn = NewTurn { role, name: "x".into(), page: page("said") };
            engine.edit_branch(&owner(), first.story, first.branch, &BranchEdit::Append(turn), by).unwrap();
            let more = BranchEdit::AddPage { floor: number, page: page("more") };
            engine.edit_branch(&owner(), first.story, first.branch, &more, By::client("test")).unwrap();
        }
        let text = exported(&engine, &first);
        let other = Engine::in_memory().unwrap();
        let second = import(&other, &FolderFile { name: "main".into(), text: text.clone() });
        prop_assert_eq!(&exported(&other, &second), &text);
        let floors = text.lines().count() - 1;
        for floor in 0..floors {
            let state = |engine: &Engine, of: &Imported| engine.state_at(&owner(), of.story, of.branch, floor).unwrap();
            prop_assert_eq!(state(&engine, &first), state(&other, &second), "floor {}", floor);
        }
        let read = |engine: &Engine, of: &Imported| engine.messages_for_prompt(&owner(), of.story, of.branch).unwrap();
        prop_assert_eq!(read(&engine, &first), read(&other, &second));
    }
}
