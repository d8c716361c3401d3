//! Tests of imports: chats that changed outside, folders, broken files, and files with ids of other chats.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod peers;

use storeyline_compat::{ChatFile, HostMessage};
use storeyline_engine::{By, Card, Engine, EngineError, FolderRequest, ImportRequest, Owner, Stored};
use storeyline_state::{PageId, json};
use storeyline_wire::care::Stats;
use storeyline_wire::import::{ChatFile as FolderFile, Imported as FolderImported, ImportedRef as Imported};
use storeyline_wire::operation::BranchEdit;
use storeyline_wire::story::NewRef;
use storeyline_wire::{JsonObject, KeepText, RefKind};

fn owner() -> Owner {
    Owner::local()
}

fn request(text: &str) -> ImportRequest {
    ImportRequest {
        text: text.to_owned(),
        file: "chat".into(),
        title: "t".into(),
        card: Some(Card { template: Some(json::read(r#"{"金币":10}"#).unwrap()), ..Card::default() }),
        world_books: Vec::new(),
        into: None,
        allow_functions: false,
    }
}

/// A chat without our ids: `who|date|text|other swipe…`.
fn chat(messages: &[&str]) -> String {
    let line = |message: &&str| {
        let [who, second, texts @ ..] = &message.split('|').collect::<Vec<_>>()[..] else { panic!() };
        let swipes: Vec<String> = texts.iter().map(|text| json::write(&(*text).into())).collect();
        let date = format!("2026-01-01T00:00:{second}.123Z");
        let infos: Vec<String> = texts.iter().map(|_| format!(r#"{{"send_date":"{date}","extra":{{}}}}"#)).collect();
        let mes = &swipes[0];
        format!(
            r#"{{"name":"{who}","is_user":{},"mes":{mes},"send_date":"{date}","swipe_id":0,"swipes":[{}],"swipe_info":[{}],"extra":{{}}}}"#,
            *who == "U",
            swipes.join(","),
            infos.join(",")
        )
    };
    let header = r#"{"chat_metadata":{"integrity":"i"}}"#.to_owned();
    std::iter::once(header).chain(messages.iter().map(line)).collect::<Vec<_>>().join("\n")
}

const FIRST: [&str; 4] = ["A|01|雨夜", "U|02|你好", r#"A|03|@.ADD("金币", 5);|另一页"#, "U|04|好"];

fn import(engine: &Engine, messages: &[&str]) -> Imported {
    engine.import(&owner(), &request(&chat(messages))).unwrap()
}

fn floors(engine: &Engine, imported: &Imported) -> Vec<HostMessage> {
    let text = engine.export(&owner(), imported.story, imported.branch).unwrap();
    ChatFile::read(&text).unwrap().read
}

/// The ids of a branch, floor by floor.
fn ids(engine: &Engine, imported: &Imported) -> Vec<Vec<PageId>> {
    let ids = |message: &HostMessage| message.pages.iter().map(|page| page.bound.unwrap().0).collect();
    floors(engine, imported).iter().map(ids).collect()
}

fn state(engine: &Engine, imported: &Imported, floor: usize) -> String {
    json::write(&engine.state_at(&owner(), imported.story, imported.branch, floor).unwrap())
}

fn stats(engine: &Engine) -> (u64, u64, u64, u64, u64) {
    let Stats { stories, refs, nodes, pages, operations, .. } = engine.stats(&owner()).unwrap();
    (stories, refs, nodes, pages, operations)
}

#[test]
fn what_is_the_same_page_keeps_its_id_whatever_was_done_to_the_file() {
    let add = r#"A|03|@.ADD("金币", 5);|另一页"#;
    let add_more = r#"A|03|@.ADD("金币", 50);|另一页"#;
    for (why, changed, wanted, new_pages) in [
        ("nothing", &FIRST[..], &[Some((0, 0)), Some((1, 0)), Some((2, 0)), Some((3, 0))][..], 0),
        (
            "appended",
            &["A|01|雨夜", "U|02|你好", add, "U|04|好", "A|05|好"],
            &[Some((0, 0)), Some((1, 0)), Some((2, 0)), Some((3, 0)), None],
            1,
        ),
        ("edited", &["A|01|雨夜", "U|02|早上好", add_more], &[Some((0, 0)), Some((1, 0)), Some((2, 0))], 0),
        ("deleted", &["A|01|雨夜", add, "U|04|好"], &[Some((0, 0)), Some((2, 0)), Some((3, 0))], 0),
        (
            "moved",
            &["A|01|雨夜", add, "U|04|好", "U|02|你好"],
            &[Some((0, 0)), Some((2, 0)), Some((3, 0)), Some((1, 0))],
            0,
        ),
        (
            "swiped",
            &["A|01|雨夜", "U|02|你好", "A|03|第三页|@.ADD(\"金币\", 5);|另一页", "U|04|好"],
            &[Some((0, 0)), Some((1, 0)), None, Some((3, 0))],
            1,
        ),
        (
            "swipe deleted",
            &["A|01|雨夜", "U|02|你好", "A|03|另一页", "U|04|好"],
            &[Some((0, 0)), Some((1, 0)), Some((2, 1)), Some((3, 0))],
            0,
        ),
        (
            "continued",
            &["A|01|雨夜", "U|02|你好", r#"A|09|@.ADD("金币", 5);然后"#],
            &[Some((0, 0)), Some((1, 0)), Some((2, 0))],
            0,
        ),
        ("generated again", &["A|01|雨夜", "U|02|你好", "A|09|别的"], &[Some((0, 0)), Some((1, 0)), None], 1),
        (
            "another message with the words of an edited one",
            &["A|01|雨夜", "U|02|早上好", add, "U|04|好", "U|05|你好"],
            &[Some((0, 0)), Some((1, 0)), Some((2, 0)), Some((3, 0)), None],
            1,
        ),
    ] {
        let engine = Engine::in_memory().unwrap();
        let first = import(&engine, &FIRST);
        let before = ids(&engine, &first);
        let second = import(&engine, changed);
        assert_eq!((second.story, second.branch, second.new_pages), (first.story, first.branch, new_pages), "{why}");
        let active = ids(&engine, &second).into_iter().map(|pages| pages[0]);
        let known: Vec<PageId> = before.iter().flatten().copied().collect();
        for (floor, (id, wanted)) in active.zip(wanted).enumerate() {
            match wanted {
                Some((turn, page)) => assert_eq!(id, before[*turn][*page], "{why}: floor {floor}"),
                None => assert!(!known.contains(&id), "{why}: floor {floor} is new"),
            }
        }
        let texts: Vec<String> =
            floors(&engine, &second).into_iter().map(|floor| floor.pages[0].text.clone()).collect();
        let shown: Vec<String> = changed.iter().map(|line| line.split('|').nth(2).unwrap().to_owned()).collect();
        assert_eq!(texts, shown, "{why}: the branch is what the file says");

        // The same file once more writes nothing; taking the import back restores what was there.
        let (all, here) = (stats(&engine), ids(&engine, &second));
        assert_eq!(import(&engine, changed).new_pages, 0, "{why}");
        assert_eq!((stats(&engine), ids(&engine, &second)), (all, here.clone()), "{why}");
        if why != "nothing" {
            engine.undo(&owner(), second.story, second.branch, None, "t").unwrap();
            assert_eq!(ids(&engine, &second), before, "{why}: undone");
            let again = import(&engine, changed);
            assert_eq!(again.notices[0].code, "ahead", "{why}: what was undone stays undone");
            engine.redo(&owner(), second.story, second.branch, None, "t").unwrap();
            assert_eq!(ids(&engine, &second), here, "{why}: done again");
        }
        assert!(engine.verify(&owner(), |_| {}).unwrap().problems.is_empty(), "{why}");
    }
}

#[test]
fn states_follow_a_changed_file_and_a_correction_by_hand_survives_it() {
    let engine = Engine::in_memory().unwrap();
    let first = import(&engine, &FIRST);
    assert_eq!(state(&engine, &first, 3), r#"{"金币":15}"#);
    let page = ids(&engine, &first)[2][0];
    let state_by_hand = json::read(r#"{"金币":15,"名":"张三"}"#).unwrap();
    let corrected = BranchEdit::Override { page, state: JsonObject(state_by_hand) };
    engine.edit_branch(&owner(), first.story, first.branch, &corrected, By::client("t")).unwrap();
    let edited = ["A|01|雨夜", "U|02|你好", r#"A|03|@.ADD("金币", 50);|另一页"#, "U|04|好", "A|05|完"];
    import(&engine, &edited);
    assert_eq!(state(&engine, &first, 4), r#"{"金币":60,"名":"张三"}"#, "the page is the same page");
}

#[test]
fn other_refs_and_the_trash_keep_what_they_hold() {
    let engine = Engine::in_memory().unwrap();
    let first = import(&engine, &FIRST);
    let make = |name: &str, kind| {
        let at = Some(3);
        engine
            .create_ref(
                &owner(),
                first.story,
                &NewRef { from: first.branch, floor: at, kind, name: name.into(), note: String::new(), switch: false },
                "t",
            )
            .unwrap()
            .id
    };
    let (tag, branch, thrown) = (make("tag", RefKind::Tag), make("b", RefKind::Branch), make("c", RefKind::Branch));
    engine.trash_ref(&owner(), first.story, thrown, "t").unwrap();
    import(&engine, &["A|01|晴天"]);
    engine.restore_ref(&owner(), first.story, thrown, "t").unwrap();
    for id in [tag, branch, thrown] {
        let text = engine.export(&owner(), first.story, id).unwrap();
        assert_eq!(ChatFile::read(&text).unwrap().read.len(), 4);
    }
    // A branch that was thrown away comes back when its file is read again, and that can be undone.
    engine.trash_ref(&owner(), first.story, first.branch, "t").unwrap();
    let again = import(&engine, &FIRST);
    assert_eq!((again.branch, again.floors), (first.branch, 4));
    assert_eq!(floors(&engine, &again).len(), 4);
}

#[test]
fn a_first_import_is_taken_back_into_the_trash() {
    let engine = Engine::in_memory().unwrap();
    let first = import(&engine, &FIRST);
    let mut other = request(&chat(&FIRST).replace("\"integrity\":\"i\"", "\"integrity\":\"j\""));
    other.into = Some(first.story);
    let second = engine.import(&owner(), &other).unwrap();
    assert_eq!(second.story, first.story, "--into");
    assert_ne!(second.branch, first.branch);
    engine.undo(&owner(), second.story, second.branch, None, "t").unwrap();
    let refs = engine.refs(&owner(), first.story).unwrap();
    assert_eq!(refs.iter().filter(|branch| branch.trashed.is_some()).count(), 1);
    engine.redo(&owner(), second.story, second.branch, None, "t").unwrap();
    assert_eq!(floors(&engine, &second).len(), 4);
    // A chat has one story.
    let elsewhere = engine.import(&owner(), &request(&chat(&FIRST).replace("\"i\"", "\"k\""))).unwrap();
    other.into = Some(elsewhere.story);
    let refused = engine.import(&owner(), &other).unwrap_err();
    assert!(matches!(refused, EngineError::ChatElsewhere { story, .. } if story == first.story), "{refused}");
}

#[test]
fn what_was_changed_here_and_in_the_file_goes_together() {
    let engine = Engine::in_memory().unwrap();
    let first = import(&engine, &FIRST);
    let page = ids(&engine, &first)[0][0];
    let edit = BranchEdit::Edit { page, text: "晴天".into(), keep: KeepText::InPlace };
    engine.edit_branch(&owner(), first.story, first.branch, &edit, By::client("t")).unwrap();
    let longer = import(&engine, &[&FIRST[..], &["A|05|完"]].concat());
    let texts: Vec<String> = floors(&engine, &longer).iter().map(|floor| floor.pages[0].text.clone()).collect();
    assert_eq!(texts, ["晴天", "你好", r#"@.ADD("金币", 5);"#, "好", "完"]);
    assert_eq!(longer.notices[0].code, "ahead");
}

fn folder(engine: &Engine, files: &[(&str, &str)]) -> FolderImported {
    let file = |(name, text): &(&str, &str)| FolderFile { name: (*name).to_owned(), text: (*text).to_owned() };
    let request = FolderRequest { files: files.iter().map(file).collect(), title: "t".into(), ..Default::default() };
    engine.import_folder(&owner(), request, &Stored::default(), |_| {})
}

/// The same messages in a file with other metadata.
fn chat_of(metadata: &str, messages: &[&str]) -> String {
    chat(messages).replace(r#"{"integrity":"i"}"#, metadata)
}

#[test]
fn a_folder_that_changed_keeps_its_ids_and_a_new_branch_shares_them() {
    let engine = Engine::in_memory().unwrap();
    let main = chat_of(r#"{"integrity":"m"}"#, &FIRST);
    let first = folder(&engine, &[("main", &main)]);
    let first = &first.stories[0].refs[0];
    let before = ids(&engine, first);
    // Floor 1 is edited, then a branch is cut; neither file carries our ids.
    let edited = ["A|01|雨夜", "U|02|早上好", FIRST[2], "U|04|好"];
    let main = chat_of(r#"{"integrity":"m"}"#, &edited);
    let branch = chat_of(r#"{"integrity":"b","main_chat":"main"}"#, &[&edited[..3], &["U|08|不"]].concat());
    let second = folder(&engine, &[("main - Branch #1", &branch), ("main", &main)]);
    assert_eq!(second.stories.len(), 1);
    let [of_main, of_branch] = &second.stories[0].refs[..] else { panic!() };
    assert_eq!((of_main.branch, of_main.new_pages), (first.branch, 0));
    assert_eq!(ids(&engine, of_main), before);
    assert_eq!(ids(&engine, of_branch)[..3], before[..3], "also where the text is another than at first");
    assert_eq!(of_branch.new_pages, 1);
    let all = stats(&engine);
    folder(&engine, &[("main", &main), ("main - Branch #1", &branch)]);
    assert_eq!(stats(&engine), all);
}

#[test]
fn files_that_name_each_other_or_themselves_as_parents_are_read() {
    let engine = Engine::in_memory().unwrap();
    let itself = chat_of(r#"{"integrity":"a","main_chat":"a"}"#, &["A|01|一"]);
    let one = chat_of(r#"{"integrity":"b","main_chat":"c"}"#, &["A|02|二", "U|03|二"]);
    let two = chat_of(r#"{"integrity":"c","main_chat":"b"}"#, &["A|02|二", "U|04|三"]);
    let answer = folder(&engine, &[("a", &itself), ("b", &one), ("c", &two)]);
    assert!(answer.broken.is_empty());
    assert_eq!(answer.stories.iter().map(|story| story.refs.len()).sum::<usize>(), 3);
    let chat = "00000000-0000-4000-8000-00000000000a";
    let own = chat_of(&format!(r#"{{"storeyline":{{"chat":"{chat}","parent":"{chat}"}}}}"#), &["A|05|五"]);
    assert_eq!(engine.import(&owner(), &request(&own)).unwrap().floors, 1);
    assert_eq!(engine.import(&owner(), &request(&own)).unwrap().new_pages, 0);
}

#[test]
fn a_broken_file_is_told_with_its_line_and_changes_nothing() {
    let engine = Engine::in_memory().unwrap();
    let whole = chat(&FIRST);
    let first = import(&engine, &FIRST);
    let before = (stats(&engine), ids(&engine, &first));
    let cut = &whole[..whole.len() - 30];
    let cut_twice = cut.lines().take(3).collect::<Vec<_>>().join("\n") + "\n{\"mes\":\"\\ud83";
    for (text, words) in [
        (cut, "line 5 is not valid JSON"),
        (&cut_twice, "line 4 is not valid JSON"),
        (&whole.replace("\n{\"name\":\"U\"", "\nnonsense {\"name\":\"U\""), "line 3 is not valid JSON"),
        (&format!("{whole}\n[1]"), "line 6 is not a message"),
        (&format!("{whole}\n{{\"no\":1}}"), "line 6 is not a message"),
        ("", "the chat file is empty"),
        ("\n\n", "the chat file is empty"),
        (r#"{"chat_metadata":{}}"#, "the chat file has no message"),
    ] {
        let refused = engine.import(&owner(), &request(text)).unwrap_err().to_string();
        assert!(refused.starts_with(words), "{refused}");
        assert_eq!((stats(&engine), ids(&engine, &first)), before);
    }
    // In a folder the others are read.
    let other = chat_of(r#"{"integrity":"o"}"#, &["A|09|别的故事", "U|10|好"]);
    let answer = folder(&engine, &[("broken", cut), ("chat", &whole), ("other", &other)]);
    assert_eq!(answer.stories.len(), 2);
    let [broken] = &answer.broken[..] else { panic!() };
    assert_eq!(broken.file, "broken");
    assert!(broken.message.en.starts_with("line 5 is not valid JSON"), "{}", broken.message.en);
    assert!(folder(&engine, &[]).stories.is_empty());
}

#[test]
fn ids_that_stand_twice_are_told_apart_the_same_way_each_time() {
    let engine = Engine::in_memory().unwrap();
    let id = r#""storeyline":{"id":"00000000-0000-4000-8000-00000000000a"}"#;
    let twice = chat(&["A|01|一", "U|02|二", "A|03|三"]).replace("\"extra\":{}}\n", &format!("\"extra\":{{{id}}}}}\n"));
    assert_eq!(twice.matches("-00000000000a").count(), 2);
    let imported = engine.import(&owner(), &request(&twice)).unwrap();
    let before = (stats(&engine), ids(&engine, &imported));
    assert_eq!(before.1.iter().flatten().collect::<std::collections::HashSet<_>>().len(), 3);
    engine.import(&owner(), &request(&twice)).unwrap();
    assert_eq!((stats(&engine), ids(&engine, &imported)), before);
}

#[test]
fn an_id_that_follows_from_a_text_is_not_given_to_a_second_message() {
    let engine = Engine::in_memory().unwrap();
    let first = import(&engine, &["A|01|一", "U|02|好"]);
    let text = engine.export(&owner(), first.story, first.branch).unwrap();
    // The message with our id is edited, then another one says what it said; on a machine that knows neither.
    let line = chat(&["A|03|一"]).lines().last().unwrap().to_owned();
    let edited = text.replace("\"mes\":\"一\"", "\"mes\":\"二\"").replace("[\"一\"]", "[\"二\"]") + "\n" + &line;
    let other = Engine::in_memory().unwrap();
    let imported = other.import(&owner(), &request(&edited)).unwrap();
    assert_eq!((imported.floors, imported.pages, imported.new_pages), (3, 3, 3));
    assert_eq!(ids(&other, &imported)[0], ids(&engine, &first)[0]);
    let before = stats(&other);
    other.import(&owner(), &request(&edited)).unwrap();
    assert_eq!(stats(&other), before);
}

#[test]
fn a_message_with_five_hundred_swipes_is_read() {
    let engine = Engine::in_memory().unwrap();
    let swipes: Vec<String> = (0..500).map(|swipe| format!("@.SET(\"金币\", {swipe});")).collect();
    let message = format!("A|01|{}", swipes.join("|"));
    let imported = import(&engine, &[&message, "U|02|好"]);
    assert_eq!((imported.pages, imported.new_pages, imported.evaluated), (501, 501, 1));
    let again = import(&engine, &[&format!("A|01|新|{}", swipes[..499].join("|")), "U|02|好"]);
    assert_eq!((again.pages, again.new_pages), (501, 1));
}

/// One message of a chat that is played at random.
#[derive(Clone)]
struct Played {
    user: bool,
    /// Date and text of each page; the first is read.
    pages: Vec<(u64, String)>,
}

fn played_chat(messages: &[Played]) -> String {
    let line = |message: &Played| {
        let date = |time: &u64| format!("2026-01-01T00:{:02}:{:02}.123Z", time / 60, time % 60);
        let swipes: Vec<String> = message.pages.iter().map(|(_, text)| format!("{text:?}")).collect();
        let infos: Vec<String> =
            message.pages.iter().map(|(time, _)| format!(r#"{{"send_date":"{}"}}"#, date(time))).collect();
        format!(
            r#"{{"is_user":{},"mes":{},"send_date":"{}","swipe_id":0,"swipes":[{}],"swipe_info":[{}]}}"#,
            message.user,
            swipes[0],
            date(&message.pages[0].0),
            swipes.join(","),
            infos.join(",")
        )
    };
    let header = r#"{"chat_metadata":{"integrity":"p"}}"#.to_owned();
    std::iter::once(header).chain(messages.iter().map(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_chat_that_is_played_at_random_without_our_ids_keeps_them() {
    for seed in 1_u64..9 {
        let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut next = |limit: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random % limit as u64) as usize
        };
        let words = ["ok", "yes", "no", "rain"];
        let engine = Engine::in_memory().unwrap();
        let mut clock = 0;
        let mut messages = vec![Played { user: false, pages: vec![(0, "rain".into())] }];
        let mut known: std::collections::HashMap<u64, PageId> = Default::default();
        for step in 0..60 {
            // Several things may happen between two imports.
            for _ in 0..=next(2) {
                clock += 1;
                let at = next(messages.len());
                let page = next(messages[at].pages.len());
                let text = words[next(words.len())].to_owned();
                match next(8) {
                    0 | 1 => messages.push(Played { user: clock % 2 == 0, pages: vec![(clock, text)] }),
                    2 => messages[at].pages.insert(0, (clock, text)),
                    3 => messages[at].pages[page].1 = text,
                    4 => messages[at].pages.swap(0, page),
                    5 if messages[at].pages.len() > 1 => drop(messages[at].pages.remove(page)),
                    6 if messages.len() > 2 => drop(messages.remove(at)),
                    _ => {
                        let moved = messages.remove(at);
                        let to = next(messages.len() + 1);
                        messages.insert(to, moved);
                    }
                }
            }
            let asked = request(&played_chat(&messages));
            let imported = engine.import(&owner(), &asked).unwrap();
            let shown = floors(&engine, &imported);
            assert_eq!(shown.len(), messages.len(), "seed {seed} step {step}");
            for (floor, message) in shown.iter().zip(&messages) {
                for (page, (time, text)) in floor.pages.iter().zip(&message.pages) {
                    assert_eq!(&page.text, text, "seed {seed} step {step}");
                    let id = page.bound.unwrap().0;
                    assert_eq!(*known.entry(*time).or_insert(id), id, "seed {seed} step {step}: page of {time}");
                }
            }
            let different: std::collections::HashSet<_> = known.values().collect();
            assert_eq!(different.len(), known.len(), "seed {seed} step {step}: an id was given twice");
            let all = stats(&engine);
            engine.import(&owner(), &asked).unwrap();
            assert_eq!(stats(&engine), all, "seed {seed} step {step}");
        }
        assert!(engine.verify(&owner(), |_| {}).unwrap().problems.is_empty());
    }
}

#[test]
fn a_file_with_the_ids_of_another_chat_moves_no_branch() {
    let engine = Engine::in_memory().unwrap();
    let own = import(&engine, &FIRST);
    let story = engine.export(&owner(), own.story, own.branch).unwrap();
    // Same chat, same page ids, other texts: what someone can make who knows the ids.
    let hostile = story
        .replace("雨夜", "别的")
        .replace("你好", "话")
        .replace("金币", "血")
        .replace("另一页", "页")
        .replace("\"mes\":\"好\"", "\"mes\":\"坏\"");
    let head = |imported: &Imported| engine.export(&owner(), imported.story, imported.branch).unwrap();
    let other = engine.import(&owner(), &request(&hostile)).unwrap();
    assert_ne!(other.story, own.story, "it is a story of its own");
    assert_eq!(head(&own), story, "the branch with these ids did not move");
    assert_eq!(engine.import(&owner(), &request(&hostile)).unwrap().branch, other.branch, "and stays one");
    let longer: Vec<&str> = FIRST.into_iter().chain(["A|05|更多"]).collect();
    assert_eq!(import(&engine, &longer).branch, own.branch, "a later version of the chat still updates it");
}

#[test]
fn a_file_with_doubled_ids_moves_no_branch() {
    let engine = Engine::in_memory().unwrap();
    let own = import(&engine, &FIRST);
    let story = engine.export(&owner(), own.story, own.branch).unwrap();
    let lines: Vec<&str> = story.lines().collect();
    let doubled = [&lines[..], &lines[1..]].concat().join("\n");
    let before = engine.last_change(&owner()).unwrap();
    let result = engine.import(&owner(), &request(&doubled));
    let floors = ChatFile::read(&engine.export(&owner(), own.story, own.branch).unwrap()).unwrap().read.len();
    match result {
        Ok(imported) => assert_eq!((imported.branch, floors), (own.branch, 8), "each page has an id of its own"),
        Err(_) => assert_eq!((engine.last_change(&owner()).unwrap(), floors), (before, 4)),
    }
}
