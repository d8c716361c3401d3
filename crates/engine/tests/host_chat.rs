//! Tests of opening host chats: cast, switch of branches, files that are created and deleted.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod host;
mod teller;

use host::Host;
use storeyline_engine::authors::{Profile, Scope, exchange};
use storeyline_engine::{
    Card, Cast, Choices, Engine, EngineError, HostChat, OpenChat, OpenedChat, Owner, Reprocess, Rules, RulesChange,
    Setting,
};
use storeyline_state::{ChatId, json};
use storeyline_wire::chats::OpenedChat as HostOpened;
use storeyline_wire::story::NewRef;
use storeyline_wire::{Cursor, RefKind};
use teller::Teller;

const CARD: &str = r#"{"data":{"name":"阿丽娅","first_mes":"","extensions":{"st_var_system":{"templateBody":{"金币":10},
    "functions":[{"name":"薪水","type":"passive","timing":"after_active","implementation":{"type":"composite","steps":[{"function":"ADD","args":["金币",15]}]}}]}}}}"#;

fn cast() -> Cast {
    Cast { members: vec![Card::read(CARD.as_bytes()).unwrap()], ..Cast::default() }
}

fn chat(chat: ChatId, file: &str) -> HostChat {
    HostChat {
        open: OpenChat {
            chat,
            parent: None,
            file: file.into(),
            file_owner: "card.png".into(),
            title: "雨夜酒馆".into(),
            template: None,
            rules: Rules::default(),
            into: None,
        },
        cast: None,
        ask_cast: true,
        names: storeyline_wire::sync::Names { user: "旅人".into(), character: "阿丽娅".into() },
        handled: Cursor(0),
        renew: false,
    }
}

fn open(engine: &Engine, request: &HostChat) -> HostOpened {
    engine.open_host_chat(&Owner::local(), request).unwrap()
}

/// The story and the branch of a chat that was opened.
fn opened(opened: HostOpened) -> OpenedChat {
    let HostOpened { story, branch, node, created, .. } = opened;
    OpenedChat { story: story.unwrap(), branch: branch.unwrap(), node, created }
}

#[test]
fn a_story_asks_for_its_cast_once_and_functions_wait_until_they_are_allowed() {
    let engine = Engine::in_memory().unwrap();
    let mut host = Host::new(7);
    let asked = open(&engine, &chat(host.chat, "a"));
    assert!(
        asked.story.is_none() && asked.branch.is_none() && asked.need_cast && asked.switch.is_none(),
        "nothing is made before the cast is known"
    );
    let begun = open(&engine, &HostChat { cast: Some(cast()), ..chat(host.chat, "a") });
    let held = begun.beginning.unwrap().held;
    assert_eq!(held[0].names, ["薪水"]);
    host.reply("@.ADD(\"金币\", 5);");
    let answer = host.sync(&engine);
    let state = |opened: &storeyline_wire::sync::SyncAnswer| {
        json::write(&engine.state_at(&Owner::local(), opened.story, opened.branch, 0).unwrap())
    };
    assert_eq!(state(&answer), r#"{"金币":15}"#);
    assert!(open(&engine, &chat(host.chat, "a")).story.is_some(), "a chat that is known needs no cast");

    let renewed = HostChat { cast: Some(cast()), renew: true, ..chat(host.chat, "a") };
    engine.decide_functions(&Owner::local(), "阿丽娅", held[0].fingerprint, Some(true)).unwrap();
    open(&engine, &renewed);
    assert_eq!(state(&answer), r#"{"金币":15}"#, "pages that are there keep their rules");
    let all = storeyline_engine::Reprocess::default();
    engine.reprocess(&Owner::local(), answer.story, answer.branch, &all, "test").unwrap();
    assert_eq!(state(&answer), r#"{"金币":30}"#);
    let before = engine.last_change(&Owner::local()).unwrap();
    open(&engine, &renewed);
    assert_eq!(engine.last_change(&Owner::local()).unwrap(), before, "the same rules again change nothing");
}

#[test]
fn only_the_stored_decision_of_an_owner_allows_functions() {
    let engine = Engine::in_memory().unwrap();
    let (one, other) = (Owner::local(), Owner::named("other"));
    let look = |owner: &Owner, cast: &Cast| engine.look_at_cast(owner, cast).unwrap();
    let fingerprint = look(&one, &cast()).held[0].fingerprint;
    let claimed = Cast { allowed: vec![fingerprint], ..cast() };
    assert_eq!(look(&one, &claimed).held.len(), 1, "what a client sends with a card allows nothing");
    let opened = open(&engine, &HostChat { cast: Some(claimed), ..chat(Host::new(7).chat, "a") });
    assert_eq!(opened.beginning.unwrap().held.len(), 1);

    engine.decide_functions(&one, "阿丽娅", fingerprint, Some(true)).unwrap();
    assert!(look(&one, &cast()).held.is_empty());
    assert_eq!(look(&other, &cast()).held.len(), 1, "each owner decides for itself");
    engine.decide_functions(&other, "阿丽娅", fingerprint, Some(false)).unwrap();
    assert!(look(&other, &cast()).held[0].refused && look(&one, &cast()).held.is_empty());
    assert_eq!(engine.consents(&other).unwrap().len(), 1);

    let renamed = CARD.replace("阿丽娅", "别人");
    let renamed = Cast { members: vec![Card::read(renamed.as_bytes()).unwrap()], ..Cast::default() };
    assert_eq!(look(&one, &renamed).held.len(), 1, "another card with the same functions is asked about");
    engine.decide_functions(&one, "阿丽娅", fingerprint, None).unwrap();
    assert!(!look(&one, &cast()).held[0].refused, "a decision can be withdrawn");
}

const RICHER: &str =
    r#"{"data":{"name":"阿丽娅","first_mes":"","extensions":{"st_var_system":{"templateBody":{"金币":1000}}}}}"#;

fn with_card(card: &str, chat: HostChat) -> HostChat {
    let members = vec![Card::read(card.as_bytes()).unwrap()];
    HostChat { cast: Some(Cast { members, ..Cast::default() }), renew: true, ..chat }
}

#[test]
fn what_the_user_chose_stays_when_the_card_changes() {
    let (engine, owner) = (Engine::in_memory().unwrap(), Owner::local());
    let mut host = Host::new(7);
    let opened = opened(open(&engine, &with_card(CARD, chat(host.chat, "a"))));
    host.reply("开场");
    host.sync(&engine);
    let file = json::read(r#"[{"name":"HEAL","executor":""}]"#).unwrap();
    let set = Choices {
        profile: Some(Profile::Mvu),
        user_calls: Some(true),
        library: Some(exchange::read(&file, Scope::Global).library),
        ..Choices::default()
    };
    let change = RulesChange { set, unset: Vec::new() };
    let operation = engine.choose_rules(&owner, opened.story, &change, "cli").unwrap();

    open(&engine, &with_card(RICHER, chat(host.chat, "a")));
    let rules = engine.story_rules(&owner, opened.story).unwrap().rules;
    assert_eq!((rules.profile, rules.user_calls), (Profile::Mvu, true));
    assert_eq!(rules.library.functions[0].name, "HEAL");
    assert_eq!(json::write(&rules.first_state), r#"{"金币":1000}"#, "what was not chosen follows the card");

    let unset = RulesChange { set: Choices::default(), unset: vec![Setting::Profile] };
    engine.choose_rules(&owner, opened.story, &unset, "cli").unwrap();
    assert_eq!(engine.story_rules(&owner, opened.story).unwrap().rules.profile, Profile::Native);
    let undone = engine.undo(&owner, opened.story, opened.branch, Some(operation), "cli");
    assert!(undone.is_err(), "something else was chosen since");
    engine.undo(&owner, opened.story, opened.branch, None, "cli").unwrap();
    assert_eq!(engine.story_rules(&owner, opened.story).unwrap().rules.profile, Profile::Mvu);
}

#[test]
fn a_changed_template_reaches_a_running_story_by_re_processing_its_first_floor() {
    let (engine, owner) = (Engine::in_memory().unwrap(), Owner::local());
    let mut host = Host::new(7);
    open(&engine, &with_card(CARD, chat(host.chat, "a")));
    host.reply("@.ADD(\"金币\", 5);");
    host.reply("@.ADD(\"金币\", 1);");
    let answer = host.sync(&engine);
    let (story, branch) = (answer.story, answer.branch);
    let states = || [0, 1].map(|floor| json::write(&engine.state_at(&owner, story, branch, floor).unwrap()));
    let reprocess = |from, to| {
        let request = Reprocess { from, to, ..Reprocess::default() };
        engine.reprocess(&owner, story, branch, &request, "test").unwrap().changed.len()
    };
    open(&engine, &with_card(RICHER, chat(host.chat, "a")));
    host.reply("@.ADD(\"金币\", 1);");
    host.sync(&engine);
    assert_eq!(states(), [r#"{"金币":15}"#, r#"{"金币":16}"#], "the template is not taken over by itself");
    assert_eq!(reprocess(1, None), 0, "nor by floors after the first");
    let before = engine.last_change(&owner).unwrap();
    assert_eq!(reprocess(0, Some(1)), 3, "the first floor is enough, the others follow");
    assert_eq!(states(), [r#"{"金币":1005}"#, r#"{"金币":1006}"#]);
    assert_ne!(engine.last_change(&owner).unwrap(), before);
    assert!(engine.verify(&owner, |_| {}).unwrap().problems.is_empty());
    engine.undo(&owner, story, branch, None, "test").unwrap();
    assert_eq!(states()[0], r#"{"金币":15}"#, "stored states stay");
    engine.collect(&owner, storeyline_engine::Collect::default()).unwrap();
    assert_eq!(reprocess(0, None), 3);
    assert_eq!(states()[0], r#"{"金币":1005}"#);
}

#[test]
fn a_card_that_is_off_is_off_until_the_user_says_otherwise() {
    let (engine, owner) = (Engine::in_memory().unwrap(), Owner::local());
    let mut host = Host::new(7);
    let off = CARD.replace("\"templateBody\"", "\"enabled\":false,\"templateBody\"");
    let opened = opened(open(&engine, &with_card(&off, chat(host.chat, "a"))));
    host.reply("@.ADD(\"金币\", 5);");
    host.sync(&engine);
    let state = || json::write(&engine.state_at(&owner, opened.story, opened.branch, 0).unwrap());
    assert_eq!(state(), "{}");
    let set = Choices { enabled: Some(true), ..Choices::default() };
    engine.choose_rules(&owner, opened.story, &RulesChange { set, unset: Vec::new() }, "cli").unwrap();
    engine.reprocess(&owner, opened.story, opened.branch, &Reprocess::default(), "cli").unwrap();
    assert_eq!(state(), r#"{"金币":15}"#, "the template is there, its functions were never allowed");
}

#[test]
fn a_library_that_is_kept_reaches_new_pages() {
    let (engine, owner) = (Engine::in_memory().unwrap(), Owner::local());
    let mut host = Host::new(7);
    open(&engine, &with_card(RICHER, chat(host.chat, "a")));
    host.reply("@.HEAL();");
    host.sync(&engine);
    let file = r#"[{"name":"HEAL","implementation":{"steps":[{"function":"ADD","args":["金币",1]}]}}]"#;
    let library = exchange::read(&json::read(file).unwrap(), Scope::Global).library;
    engine.put_library(&owner, "", &library, None).unwrap();
    host.reply("@.HEAL();");
    let answer = host.sync(&engine);
    let state = |floor| json::write(&engine.state_at(&owner, answer.story, answer.branch, floor).unwrap());
    assert_eq!([state(0), state(1)], [r#"{"金币":1000}"#, r#"{"金币":1001}"#]);
}

#[test]
fn a_switch_is_told_until_it_is_carried_out_and_what_the_host_opens_is_read() {
    let owner = Owner::local();
    let teller = Teller::begin(Engine::in_memory().unwrap(), r#"{"金币":1}"#);
    teller.reply("一");
    teller.reply("二");
    let (engine, story, main) = (&teller.engine, teller.opened.story, teller.opened.branch);
    let main_chat = ChatId::from_random([1; 16]);
    let branch = engine
        .create_ref(
            &owner,
            story,
            &NewRef {
                from: main,
                floor: Some(0),
                kind: RefKind::Branch,
                name: "另一条".into(),
                note: String::new(),
                switch: true,
            },
            "cli",
        )
        .unwrap();

    let told = open(engine, &chat(main_chat, "main")).switch.expect("another branch is read");
    assert_eq!((told.branch, &told.file, &told.owner), (branch.id, &None, &None));
    let file = engine.file_of_branch(&owner, story, branch.id, "另一条", "card.png").unwrap();
    assert_eq!(file.messages.len(), 1);
    let integrity = file.header.get("chat_metadata").unwrap().get("integrity").unwrap().clone();
    let record = file.header.get("chat_metadata").unwrap().get("storeyline").unwrap().clone();
    assert_eq!(record.get("integrity"), Some(&integrity));
    let opened = open(engine, &HostChat { handled: told.operation, ..chat(file.chat, "另一条") });
    assert_eq!(opened.branch, Some(branch.id), "the new file is that branch");

    let back = open(engine, &HostChat { handled: told.operation, ..chat(main_chat, "main") });
    assert!(back.switch.is_none(), "the user went back by hand");
    assert_eq!(engine.current_branch(&owner, story).unwrap(), Some(main));
    engine.switch_branch(&owner, story, branch.id, "cli").unwrap();
    let known = engine.last_change(&owner).unwrap();
    let told = open(engine, &HostChat { handled: told.operation, ..chat(main_chat, "main") }).switch.unwrap();
    assert_eq!((told.operation, told.file), (known, Some("另一条".into())));
    assert_eq!(told.owner, Some("card.png".into()));
}

#[test]
fn a_branch_that_is_thrown_away_is_left_and_comes_back_with_its_file() {
    let owner = Owner::local();
    let teller = Teller::begin(Engine::in_memory().unwrap(), r#"{"金币":1}"#);
    teller.reply("一");
    let (engine, story, main) = (&teller.engine, teller.opened.story, teller.opened.branch);
    let branch = engine
        .create_ref(
            &owner,
            story,
            &NewRef {
                from: main,
                floor: None,
                kind: RefKind::Branch,
                name: "另一条".into(),
                note: String::new(),
                switch: true,
            },
            "cli",
        )
        .unwrap();
    let file = engine.file_of_branch(&owner, story, branch.id, "另一条", "card.png").unwrap();
    open(engine, &HostChat { handled: Cursor(i64::MAX), ..chat(file.chat, "另一条") });
    engine.trash_ref(&owner, story, branch.id, "cli").unwrap();

    let told = open(engine, &chat(file.chat, "另一条")).switch.expect("the branch it came from is read");
    assert_eq!(told.branch, main);
    let again = open(engine, &HostChat { handled: told.operation, ..chat(file.chat, "另一条") });
    assert_eq!(again.branch, Some(branch.id), "a file that is opened is wanted");
    assert!(engine.refs(&owner, story).unwrap().iter().all(|one| one.trashed.is_none()));
}

#[test]
fn the_branch_of_a_deleted_file_goes_to_the_trash_even_if_it_is_the_last() {
    let owner = Owner::local();
    let teller = Teller::begin(Engine::in_memory().unwrap(), r#"{"金币":1}"#);
    let page = teller.reply("一");
    let chat_id = ChatId::from_random([1; 16]);
    let forget = |file_owner, file| teller.engine.forget_files(&owner, file_owner, file).unwrap();
    assert_eq!(forget("other.png", Some("main")) + forget("card.png", Some("other")), 0);
    assert_eq!(forget("card.png", Some("main")), 1);
    assert_eq!(forget("card.png", None), 0, "twice is once");
    let mut host = Host::new(1);
    host.reply("二");
    assert!(matches!(host.try_sync(&teller.engine), Err(EngineError::UnknownChat(_))));
    assert!(open(&teller.engine, &chat(chat_id, "main")).story.is_some());
    assert_eq!(teller.page(0), page);
}

#[test]
fn branches_whose_files_are_gone_go_to_the_trash_and_others_stay() {
    use storeyline_wire::chats::ExistingFiles;

    let engine = Engine::in_memory().unwrap();
    let owner = Owner::local();
    let [kept, gone] = [1, 2].map(|chat| Teller::begin_chat(engine.clone(), chat, "{}"));
    for teller in [&kept, &gone] {
        teller.reply("@.SET(\"a\", 1);");
    }
    let OpenedChat { story, branch, .. } = gone.opened;
    engine.file_of_branch(&owner, story, branch, "gone", "card.png").unwrap();
    let existing = |of: &str, files: &[&str]| {
        let files = files.iter().map(|file| (*file).to_owned()).collect();
        [ExistingFiles { owner: of.into(), files }]
    };
    let others = existing("other.png", &[]);
    assert_eq!(engine.unused_branches(&owner, &others).unwrap(), [], "a card that was not listed is left alone");
    let listed = existing("card.png", &["main"]);
    let unused = engine.unused_branches(&owner, &listed).unwrap();
    assert_eq!(
        unused.iter().map(|one| (one.branch, one.file.as_str(), one.floors)).collect::<Vec<_>>(),
        [(branch, "gone", 1)]
    );
    assert!(engine.ref_lines(&owner, story).unwrap()[0].trashed.is_none(), "looking changes nothing");
    assert_eq!(engine.trash_unused(&owner, &listed).unwrap(), unused);
    assert!(engine.ref_lines(&owner, story).unwrap()[0].trashed.is_some());
    assert_eq!(engine.unused_branches(&owner, &listed).unwrap(), [], "what is in the trash is not listed again");
    engine.restore_ref(&owner, story, branch, "test").unwrap();
    assert_eq!(gone.state(0), r#"{"a":1}"#);
    let other = Owner::named("someone");
    assert_eq!(engine.unused_branches(&other, &listed).unwrap(), [], "another owner has no such branches");
}
