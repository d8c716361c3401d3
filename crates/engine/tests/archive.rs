//! Tests with invalid and hostile archives: an import is refused and writes nothing, or gives a story
//! that `verify` accepts.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod teller;

use storeyline_engine::authors::{Scope, exchange};
use storeyline_engine::{
    ArchiveError, ArchiveOptions, ArchiveProblem, Choices, Engine, EngineError, OpenedChat, Owner, RulesChange,
    is_archive,
};
use storeyline_state::{StoryId, Value, ValueHash, json};
use storeyline_wire::archive::ArchiveImported;
use storeyline_wire::operation::BranchEdit;
use storeyline_wire::story::NewRef;
use storeyline_wire::{Cursor, JsonObject, RefKind, Role};
use teller::Teller;

fn owner() -> Owner {
    Owner::local()
}

fn archive(engine: &Engine, story: StoryId) -> String {
    let mut text = String::new();
    let add = |line: &str| {
        text.push_str(line);
        Ok(())
    };
    engine.write_archive(&owner(), story, add).unwrap();
    text
}

fn read(engine: &Engine, text: &str, options: ArchiveOptions) -> Result<ArchiveImported, EngineError> {
    engine.import_archive(&owner(), text, options, |_, _| {})
}

const TRUSTED: ArchiveOptions = ArchiveOptions { allow_functions: true, copy: false };

/// A story with alternatives, a branch, a tag, an override and a list.
fn told() -> (Teller, String) {
    let teller = Teller::begin(Engine::in_memory().unwrap(), r#"{"金币":10,"表":[]}"#);
    teller.reply("雨夜。@.ADD(\"金币\", 5);");
    teller.say(Role::User, "你好");
    let first = teller.reply("甲@.APPEND(\"表\", {\"名\": \"甲\"});");
    teller.alternative(2, "乙@.ADD(\"金币\", 1);");
    teller.reply("后@.ADD(\"金币\", 2);");
    teller.edit(&BranchEdit::Swipe { page: first }).unwrap();
    let state = json::read(r#"{"金币":15,"表":[{"名":"甲"},{"名":"手加"}]}"#).unwrap();
    teller.edit(&BranchEdit::Override { page: first, state: JsonObject(state) }).unwrap();
    let OpenedChat { story, branch, .. } = teller.opened;
    let make = |kind, name: &str| {
        teller
            .engine
            .create_ref(
                &owner(),
                story,
                &NewRef { from: branch, floor: Some(1), kind, name: name.into(), note: String::new(), switch: false },
                "x",
            )
            .unwrap()
    };
    make(RefKind::Branch, "支线");
    make(RefKind::Tag, "记号");
    let text = archive(&teller.engine, story);
    (teller, text)
}

/// Reads what must be refused; nothing is written.
fn refused(text: &str) -> ArchiveError {
    let engine = Engine::in_memory().unwrap();
    let Err(EngineError::Archive(error)) = read(&engine, text, TRUSTED) else { panic!("it was read: {text}") };
    assert!(engine.stories(&owner()).unwrap().is_empty());
    assert_eq!(engine.last_change(&owner()).unwrap(), Cursor(0));
    error
}

#[test]
fn an_archive_is_known_by_its_first_line() {
    let (_, text) = told();
    assert!(is_archive(&text));
    assert!(!is_archive("{\"chat_metadata\":{}}\n{\"mes\":\"hi\"}"));
    assert!(!is_archive(""));
}

#[test]
fn a_file_that_was_cut_off_is_refused_with_its_line() {
    let (_, text) = told();
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    for (line, end) in ends.iter().enumerate().take(ends.len() - 1) {
        let error = refused(&text[..*end]);
        assert_eq!((error.line, &error.problem), (line + 2, &ArchiveProblem::CutOff));
        let inside = (end + ends[line + 1]) / 2;
        let inside = (*end..=inside).rev().find(|at| text.is_char_boundary(*at)).unwrap();
        if inside > *end {
            let error = refused(&text[..inside]);
            assert_eq!(error.line, line + 2, "{error}");
        }
    }
}

#[test]
fn lines_that_do_not_fit_are_refused() {
    let (_, text) = told();
    let lines: Vec<&str> = text.lines().collect();
    let find = |start: &str| lines.iter().position(|line| line.starts_with(start)).unwrap();
    let with = |at: usize, line: &str| {
        let mut changed = lines.clone();
        changed[at] = line;
        changed.join("\n")
    };
    let node = find("{\"node\":0");
    let deep = format!("{{\"value\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let long = format!("{{\"text\":\"{}\"}}", "x".repeat(64_000_001));
    let itself = lines[node].replacen("{\"node\":0", "{\"node\":1", 1);
    let later = lines[node].replacen("{\"node\":0", "{\"node\":99", 1);
    let far = lines[node].replacen("\"active\":0", "\"active\":9", 1);
    let count = lines[lines.len() - 1].replace("\"ref\":3", "\"ref\":4");
    let cases = [
        (with(0, "{\"storeyline\":\"archive\",\"version\":2}"), 1, ArchiveProblem::Version(2)),
        (with(0, "{}"), 1, ArchiveProblem::NotAnArchive),
        (with(1, "5"), 2, ArchiveProblem::Record("kind")),
        (with(1, "{\"value\":5}"), 0, ArchiveProblem::Unknown("card_rules")),
        (with(2, lines[1]), 3, ArchiveProblem::Twice("value")),
        (with(node, &itself), node + 1, ArchiveProblem::Unknown("node")),
        (with(node, &later), node + 1, ArchiveProblem::Unknown("node")),
        (with(node, &far), node + 1, ArchiveProblem::Record("active")),
        (with(2, &long), 3, ArchiveProblem::TooLong),
        (with(lines.len() - 1, &count), lines.len(), ArchiveProblem::Count { kind: "ref", found: 3, said: 4 }),
        (format!("{text}{{\"text\":\"more\"}}\n"), lines.len() + 1, ArchiveProblem::Twice("end")),
    ];
    for (text, line, problem) in cases {
        let error = refused(&text);
        assert_eq!(error.problem, problem);
        assert!(line == 0 || error.line == line, "{error}");
    }
    assert!(matches!(refused(&with(2, &deep)).problem, ArchiveProblem::Json(_)));
    let twice = lines[node].replacen("\"pages\":[1]", "\"pages\":[0]", 1);
    assert_eq!(refused(&with(node, &twice)).problem, ArchiveProblem::Twice("page"));
    let story = refused_by_existing(&text);
    assert!(matches!(story.problem, ArchiveProblem::Exists(_)));
}

fn refused_by_existing(text: &str) -> ArchiveError {
    let engine = Engine::in_memory().unwrap();
    read(&engine, text, TRUSTED).unwrap();
    let before = engine.last_change(&owner()).unwrap();
    let Err(EngineError::Archive(error)) = read(&engine, text, TRUSTED) else { panic!("it was read twice") };
    assert_eq!(engine.last_change(&owner()).unwrap(), before);
    error
}

#[test]
fn damaged_archives_are_refused_or_give_a_sound_story() {
    let (_, text) = told();
    let mut dice = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |limit: usize| {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        (dice >> 33) as usize % limit
    };
    let mut sound = 0;
    for _ in 0..500 {
        let mut lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
        for _ in 0..=below(2) {
            let at = below(lines.len());
            match below(5) {
                0 => drop(lines.remove(at)),
                1 => lines.insert(at, lines[below(lines.len())].clone()),
                2 => {
                    let other = below(lines.len());
                    lines.swap(at, other);
                }
                _ => {
                    let place = below(lines[at].len());
                    lines[at][place] = ['0', '1', '"', '}', 'a', ',', '9'][below(7)];
                }
            }
        }
        let damaged: Vec<String> = lines.into_iter().map(|line| line.into_iter().collect()).collect();
        let engine = Engine::in_memory().unwrap();
        match read(&engine, &damaged.join("\n"), ArchiveOptions { allow_functions: below(2) == 0, copy: below(2) == 0 })
        {
            Ok(_) => {
                let verified = engine.verify(&owner(), |_| {}).unwrap();
                assert!(verified.problems.is_empty(), "{:?}\n{}", verified.problems, damaged.join("\n"));
                sound += 1;
            }
            Err(EngineError::Archive(_)) => assert!(engine.stories(&owner()).unwrap().is_empty()),
            Err(error) => panic!("{error}\n{}", damaged.join("\n")),
        }
    }
    assert!(sound > 10, "only {sound} were read");
}

#[test]
fn a_state_that_was_forged_is_reported_and_does_not_count() {
    let (teller, text) = told();
    let forged = text.replace("[\"set\",[\"金币\"],17]", "[\"set\",[\"金币\"],9999]");
    let mut lines: Vec<String> = forged.lines().map(str::to_owned).collect();
    let node = lines.iter().position(|line| line.starts_with("{\"node\":null")).unwrap();
    let hash = "\"state\":\"";
    let at = lines[node].find(hash).unwrap() + hash.len();
    lines[node].replace_range(at..at + 64, &"0".repeat(64));
    let engine = Engine::in_memory().unwrap();
    let imported = read(&engine, &lines.join("\n"), TRUSTED).unwrap();
    assert_eq!(imported.differing, [node + 1]);
    let copy = Teller { engine, opened: teller.opened.clone() };
    for floor in 0..teller.floors() {
        assert_eq!(copy.state(floor), teller.state(floor));
    }
}

/// Changes a value of an archive and whatever names it.
fn with_value(text: &str, change: impl Fn(&str) -> String) -> String {
    let mut text = text.to_owned();
    for line in text.clone().lines().filter(|line| line.starts_with("{\"value\":")) {
        let changed = change(line);
        let name = |line: &str| {
            let value = json::read_stored(line).unwrap().get("value").cloned().unwrap();
            ValueHash::of(json::write(&value).as_bytes()).to_string()
        };
        text = text.replace(line, &changed).replace(&name(line), &name(&changed));
    }
    text
}

#[test]
fn states_of_other_semantics_are_kept_and_marked() {
    let (teller, text) = told();
    let other = with_value(&text, |line| line.replace("\"semantics\":1", "\"semantics\":999"));
    let engine = Engine::in_memory().unwrap();
    let imported = read(&engine, &other, TRUSTED).unwrap();
    assert_eq!((imported.kept, imported.differing.len()), (imported.nodes, 0));
    let copy = Teller { engine, opened: teller.opened.clone() };
    let OpenedChat { story, branch, .. } = copy.opened;
    for floor in 0..teller.floors() {
        let view = copy.engine.floor(&owner(), story, branch, floor, None).unwrap();
        assert_eq!((json::write(&view.state), view.stale), (teller.state(floor), true));
    }
    assert!(copy.engine.verify(&owner(), |_| {}).unwrap().problems.is_empty());
}

#[test]
fn functions_wait_until_they_are_allowed() {
    let teller = Teller::begin(Engine::in_memory().unwrap(), r#"{"金币":10}"#);
    let functions = r#"{"functions":[{"name":"薪水","type":"passive","timing":"after_active","enabled":true,
        "implementation":{"type":"composite","steps":[{"function":"ADD","args":["金币",15]}]}}]}"#;
    let library = exchange::read(&json::read(functions).unwrap(), Scope::Global).library;
    let OpenedChat { story, branch, .. } = teller.opened;
    let chosen = Choices { library: Some(library), ..Choices::default() };
    let change = RulesChange { set: chosen, ..RulesChange::default() };
    teller.engine.choose_rules(&owner(), story, &change, "test").unwrap();
    let page = teller.reply("雨夜。");
    assert_eq!(teller.state(0), r#"{"金币":25}"#);
    let text = archive(&teller.engine, story);

    let held = Engine::in_memory().unwrap();
    let imported = read(&held, &text, ArchiveOptions::default()).unwrap();
    assert_eq!((imported.kept, imported.held_functions > 0), (1, true));
    assert!(held.story_rules(&owner(), story).unwrap().rules.library.functions.is_empty());
    let copy = Teller { engine: held, opened: teller.opened.clone() };
    assert_eq!(copy.state(0), r#"{"金币":25}"#, "kept");
    let edit = BranchEdit::Edit { page, text: "晴天。".into(), keep: storeyline_wire::KeepText::InPlace };
    copy.edit(&edit).unwrap();
    assert_eq!(copy.state(0), r#"{"金币":10}"#, "computed anew, without the function");

    let allowed = Engine::in_memory().unwrap();
    let imported = read(&allowed, &text, TRUSTED).unwrap();
    assert_eq!((imported.kept, imported.held_functions), (0, 0));
    assert_eq!(allowed.story_rules(&owner(), story).unwrap().rules.library.functions.len(), 1);
    assert_eq!(json::write(&allowed.state_at(&owner(), story, branch, 0).unwrap()), r#"{"金币":25}"#);
}

#[test]
fn nothing_that_exists_is_touched() {
    let (teller, text) = told();
    let before = archive(&teller.engine, teller.opened.story);
    let imported = read(&teller.engine, &text, ArchiveOptions { copy: true, ..TRUSTED }).unwrap();
    assert_ne!(imported.story, teller.opened.story);
    assert_eq!(archive(&teller.engine, teller.opened.story), before);
    let (engine, current) = (&teller.engine, imported.current.unwrap());
    assert_eq!(engine.texts(&owner(), imported.story, current).unwrap(), teller.texts());
    let ids = |story, branch| {
        let turns = engine.turns(&owner(), story, branch, 0, usize::MAX).unwrap().turns;
        turns.iter().flat_map(|turn| turn.pages.iter().map(|page| page.page)).collect::<Vec<_>>()
    };
    assert_eq!(ids(imported.story, current), ids(teller.opened.story, teller.opened.branch));
    for floor in 0..teller.floors() {
        let state = engine.state_at(&owner(), imported.story, current, floor).unwrap();
        assert_eq!(json::write(&state), teller.state(floor));
    }
    let stranger = Owner::named("stranger");
    let theirs = engine.import_archive(&stranger, &text, TRUSTED, |_, _| {}).unwrap();
    assert_eq!((theirs.story, theirs.unbound_chats), (teller.opened.story, 0));
    assert_eq!(archive(&teller.engine, teller.opened.story), before);
}

#[test]
fn a_chat_that_belongs_to_a_branch_stays_there() {
    let (teller, text) = told();
    let engine = Engine::in_memory().unwrap();
    let opened = Teller::begin(engine, "{}");
    opened.reply("别的。");
    let imported = read(&opened.engine, &text, TRUSTED).unwrap();
    assert_eq!(imported.unbound_chats, 1);
    assert_eq!(opened.texts(), ["别的。"]);
    assert_eq!(opened.engine.texts(&owner(), imported.story, teller.opened.branch).unwrap(), teller.texts());
}

#[test]
fn states_out_of_proportion_are_refused() {
    let (_, text) = told();
    let other = with_value(&text, |line| line.replace("\"semantics\":1", "\"semantics\":999"));
    // One large state, then a long chain of floors that each change a little of it.
    let mut state = Value::list(vec![Value::from(0), Value::text("x".repeat(500_000))]);
    let mut lines: Vec<String> = other.lines().map(str::to_owned).collect();
    let first = lines.iter().position(|line| line.starts_with("{\"node\":")).unwrap();
    let page = lines[..first].iter().rev().find(|line| line.starts_with("{\"page\":")).unwrap().clone();
    lines.truncate(first);
    let mut nodes = Vec::new();
    for floor in 0..200_u64 {
        let ops = match floor {
            0 => format!("[[\"set\",[],{}]]", json::write(&state)),
            _ => {
                let change = storeyline_state::op::set(&mut state, &"[0]".parse().unwrap(), Value::from(floor as i64));
                assert!(change.unwrap().is_some());
                format!("[[\"set\",[0],{floor}]]")
            }
        };
        let id = format!("00000000-0000-4000-8000-{floor:012}");
        let own = json::read(&page).unwrap().get("page").unwrap().as_text().unwrap().to_owned();
        nodes.push(page.replace(&own, &id));
        let parent = floor.checked_sub(1).map_or("null".to_owned(), |above| above.to_string());
        nodes.push(format!(
            r#"{{"node":{parent},"role":"assistant","name":"x","hidden":false,"active":0,"pages":[{}],"host":null,"state":"{}","ops":{ops}}}"#,
            floor + 1,
            state.hash()
        ));
    }
    lines.extend(nodes);
    let story = other.lines().find(|line| line.starts_with("{\"ref\":")).unwrap();
    lines.push(story.replacen("\"head\":", "\"head\":199,\"was\":", 1));
    let count = |kind: &str| lines.iter().filter(|line| line.starts_with(&format!("{{\"{kind}\":"))).count();
    let counts: Vec<String> = ["text", "value", "state", "page", "node", "ref", "cursor"]
        .iter()
        .map(|kind| format!("\"{kind}\":{}", count(kind)))
        .collect();
    lines.push(format!("{{\"end\":{{{}}}}}", counts.join(",")));
    assert_eq!(refused(&lines.join("\n")).problem, ArchiveProblem::Disproportionate);
}
