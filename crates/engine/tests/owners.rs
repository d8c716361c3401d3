//! Checks that owners share nothing, including caches.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod teller;

use storeyline_engine::{By, Engine, EngineError, OpenChat, OpenedChat, Owner, Reprocess, Rules, RulesChange};
use storeyline_state::{ChatId, json};
use storeyline_wire::operation::{BranchEdit, NewPage, NewTurn};
use storeyline_wire::story::NewRef;
use storeyline_wire::{RefKind, Role};
use teller::Teller;

#[test]
fn whoever_knows_the_ids_of_another_owner_finds_nothing_there() {
    let teller = Teller::begin(Engine::in_memory().unwrap(), r#"{"金币":10}"#);
    let page = teller.reply("雨夜。@.ADD(\"金币\", 5);");
    teller.state(0);
    let OpenedChat { story, branch, .. } = teller.opened;
    let (engine, stranger) = (&teller.engine, Owner::named("stranger"));
    let refused = |what: &str, result: Option<EngineError>| {
        assert!(matches!(result, Some(EngineError::UnknownStory(_))), "{what}: {result:?}");
    };
    refused("state", engine.state_at(&stranger, story, branch, 0).err());
    refused("floor", engine.floor(&stranger, story, branch, 0, Some(page)).err());
    refused("texts", engine.texts(&stranger, story, branch).err());
    refused("export", engine.export(&stranger, story, branch).err());
    refused("log", engine.log(&stranger, story, branch, 9).err());
    refused("blame", engine.blame(&stranger, story, branch, None, "金币").err());
    refused("undo", engine.undo(&stranger, story, branch, None, "x").err());
    refused("trash", engine.trash_ref(&stranger, story, branch, "x").err());
    let kind = RefKind::Branch;
    refused(
        "branch",
        engine
            .create_ref(
                &stranger,
                story,
                &NewRef { from: branch, floor: None, kind, name: "b".into(), note: String::new(), switch: true },
                "x",
            )
            .err(),
    );
    refused("rules", engine.choose_rules(&stranger, story, &RulesChange::default(), "x").err());
    refused("reprocess", engine.reprocess(&stranger, story, branch, &Reprocess::default(), "x").err());
    let change = BranchEdit::DeletePage { page };
    refused("edit", engine.edit_branch(&stranger, story, branch, &change, By::client("x")).err());
    assert!(engine.stories(&stranger).unwrap().is_empty());
    assert_eq!(teller.state(0), r#"{"金币":15}"#);
}

/// Rules, names and clients are the same for both, and remembered when the second one writes: a row of
/// the first must not be taken for it.
#[test]
fn what_is_remembered_of_one_owner_is_not_taken_for_another() {
    let folder = tempfile::tempdir().unwrap();
    let play = |engine: &Engine, owner: &Owner, template: &str| {
        let request = OpenChat {
            chat: ChatId::from_random([1; 16]),
            parent: None,
            file: "main".into(),
            file_owner: String::new(),
            title: "雨夜酒馆".into(),
            template: Some(json::read(template).unwrap()),
            rules: Rules::default(),
            into: None,
        };
        let opened = engine.open_chat(owner, &request).unwrap();
        let page = NewPage { page: None, text: "@.ADD(\"n\", 1);".into(), time: Some(0) };
        let change = BranchEdit::Append(NewTurn { role: Role::Assistant, name: "x".into(), page });
        engine.edit_branch(owner, opened.story, opened.branch, &change, By::client("same")).unwrap();
        opened
    };
    let owners = [Owner::named("a"), Owner::named("b")];
    let engine = Engine::open(folder.path()).unwrap();
    let opened = [play(&engine, &owners[0], r#"{"n":1}"#), play(&engine, &owners[1], r#"{"n":5}"#)];
    drop(engine);
    let engine = Engine::open(folder.path()).unwrap();
    for (owner, (opened, wanted)) in owners.iter().zip(opened.iter().zip([r#"{"n":2}"#, r#"{"n":6}"#])) {
        let floor = engine.floor(owner, opened.story, opened.branch, 0, None).unwrap();
        assert_eq!(json::write(&floor.state), wanted);
        assert_eq!(engine.log(owner, opened.story, opened.branch, 1).unwrap()[0].client, "same");
        assert!(engine.verify(owner, |_| {}).unwrap().problems.is_empty());
    }
}

#[test]
fn the_same_chat_of_two_owners_is_two_stories() {
    let engine = Engine::in_memory().unwrap();
    let open = |owner: &str, template: &str| {
        let request = OpenChat {
            chat: ChatId::from_random([1; 16]),
            parent: None,
            file: "main".into(),
            file_owner: "card.png".into(),
            title: "雨夜酒馆".into(),
            template: Some(json::read(template).unwrap()),
            rules: Rules::default(),
            into: None,
        };
        engine.open_chat(&Owner::named(owner), &request).unwrap()
    };
    let (first, second) = (open("a", r#"{"n":1}"#), open("b", r#"{"n":2}"#));
    assert_ne!(first.story, second.story);
    assert!(first.created && second.created);
    engine.put_template(&Owner::named("a"), "card.png", Some(&json::read("{}").unwrap())).unwrap();
    assert_eq!(engine.template(&Owner::named("b"), "card.png").unwrap(), None);
}
