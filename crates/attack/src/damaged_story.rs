//! A database with rows in every table, made by the engine, and what is read of it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::Value as Sql;
use storeyline_engine::{
    By, Choices, Engine, ForeignSave, ImportRequest, OpenChat, Owner, Rules, RulesChange, Settings,
};
use storeyline_state::{ChatId, PageId, RefId, StoryId, json};
use storeyline_wire::operation::{BranchEdit, NewPage, NewTurn};
use storeyline_wire::story::{NewRef, RefChange};
use storeyline_wire::{EditPolicy, KeepText, RefKind, Role};

use crate::tamper::{Done, checksum};

const CLIENT: &str = "test";

/// Writes stories with branches, a tag, an edit that keeps states, an undo, and what users have beside them.
pub(crate) fn write_stories(folder: &Path) -> Done {
    fs::create_dir_all(folder)?;
    let (engine, owner) = (Engine::open(folder)?, Owner::local());
    let template = json::read(r#"{"n":0}"#)?;
    engine.put_template(&owner, "card.png", Some(&template))?;
    engine.put_template(&owner, "card.png", Some(&json::read(r#"{"n":1}"#)?))?;
    for name in ["s", "t"] {
        let message = (name == "t").then(|| "3".to_owned());
        let save = ForeignSave { name: Some(name.into()), chat: Some("c".into()), message, payload: template.clone() };
        engine.put_foreign(&owner, &save)?;
    }
    first_story(&engine, &owner)?;
    let second = open(&engine, &owner, 2, r#"{"m":1}"#)?;
    reply(&engine, second, "开场 @.SET(\"m\", 2);")?;
    reply(&engine, second, "再来 @.SET(\"m\", 3);")?;
    import(&engine, &owner)?;
    drop(engine);
    add_rows(folder)
}

/// Returns text and state of each floor of each branch that can be read.
pub(crate) fn read_floors(folder: &Path) -> Done<BTreeSet<String>> {
    let (engine, owner) = (Engine::open(folder)?, Owner::local());
    let stories = engine.stories(&owner).into_iter().chain(engine.trashed_stories(&owner)).flatten();
    let mut floors = BTreeSet::new();
    for story in stories.map(|line| line.story) {
        for found in engine.refs(&owner, story).into_iter().flatten() {
            let floor = |at| engine.floor(&owner, story, found.id, at, None).ok();
            let shown = (0..16).filter_map(floor).map(|view| format!("{} {}", view.text, json::write(&view.state)));
            floors.extend(shown);
        }
    }
    Ok(floors)
}

fn open(engine: &Engine, owner: &Owner, chat: u8, template: &str) -> Done<(StoryId, RefId)> {
    let request = OpenChat {
        chat: ChatId::from_random([chat; 16]),
        parent: None,
        file: "main".into(),
        file_owner: "card.png".into(),
        title: "雨夜酒馆".into(),
        template: Some(json::read(template)?),
        rules: Rules::default(),
        into: None,
    };
    let opened = engine.open_chat(owner, &request)?;
    Ok((opened.story, opened.branch))
}

fn edit(engine: &Engine, (story, branch): (StoryId, RefId), change: &BranchEdit) -> Done<Option<PageId>> {
    Ok(engine.edit_branch(&Owner::local(), story, branch, change, By::client(CLIENT))?.page)
}

fn reply(engine: &Engine, at: (StoryId, RefId), words: &str) -> Done<Option<PageId>> {
    let page = NewPage { page: None, text: words.into(), time: Some(0) };
    edit(engine, at, &BranchEdit::Append(NewTurn { role: Role::Assistant, name: "x".into(), page }))
}

/// A story with alternatives.
fn first_story(engine: &Engine, owner: &Owner) -> Done {
    let at @ (story, branch) = open(engine, owner, 1, r#"{"n":0,"世界":{"天气":"雨"},"清单":[1,2,3]}"#)?;
    for floor in 0..12 {
        let text = format!("第{floor}夜 @.SET(\"n\", {}); @.SET(\"世界.天气\", \"{floor}\");", 700_000 + floor);
        reply(engine, at, &text)?;
    }
    let page = |floor| {
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(engine.floor(owner, story, branch, floor, None)?.page)
    };
    let left = page(4)?;
    let other = NewPage { page: None, text: "别的路 @.ADD(\"n\", 5);".into(), time: Some(0) };
    edit(engine, at, &BranchEdit::AddPage { floor: 4, page: other })?;
    reply(engine, at, "之后 @.ADD(\"n\", 1);")?;
    let new = NewRef {
        from: branch,
        floor: Some(4),
        kind: RefKind::Branch,
        name: "支线".into(),
        note: String::new(),
        switch: false,
    };
    let fork = engine.create_ref(owner, story, &new, CLIENT)?;
    engine.create_ref(
        owner,
        story,
        &NewRef { floor: Some(2), kind: RefKind::Tag, name: "标记".into(), ..new },
        CLIENT,
    )?;
    edit(engine, at, &BranchEdit::Swipe { page: left })?;
    engine.undo(owner, story, branch, None, CLIENT)?;
    engine.redo(owner, story, branch, None, CLIENT)?;
    engine.rename_story(owner, story, "雨夜", CLIENT)?;
    let described = RefChange { name: Some("主线".into()), note: Some("n".into()), colour: Some("red".into()) };
    engine.change_ref(owner, story, branch, &described, CLIENT)?;
    let choices = RulesChange { set: Choices::default(), unset: Vec::new() };
    engine.choose_rules(owner, story, &choices, CLIENT)?;
    let settings = Settings { edit_policy: EditPolicy::Manual };
    engine.change_settings(owner, story, settings, "web")?;
    // The floors after it keep their states.
    let text = "改了 @.SET(\"n\", 1);".into();
    edit(engine, at, &BranchEdit::Edit { page: page(9)?, text, keep: KeepText::InPlace })?;
    reply(engine, (story, fork.id), "支线的夜 @.ADD(\"n\", 1);")?;
    Ok(())
}

/// A chat file has a header, and fields of the host in its messages.
fn import(engine: &Engine, owner: &Owner) -> Done {
    let lines = [
        r#"{"chat_metadata":{"integrity":"i"}}"#,
        r#"{"name":"A","is_user":false,"mes":"雨夜","send_date":"2026-01-01T00:00:01.123Z","extra":{},"gen":1}"#,
        r#"{"name":"U","is_user":true,"mes":"你好","send_date":"2026-01-01T00:00:02.123Z","extra":{},"gen":2}"#,
        r#"{"name":"A","is_user":false,"mes":"@.ADD(\"金币\", 5);","send_date":"2026-01-01T00:00:03.123Z","extra":{}}"#,
    ];
    let card = storeyline_engine::Card { template: Some(json::read(r#"{"金币":10}"#)?), ..Default::default() };
    let request = ImportRequest {
        text: lines.join("\n"),
        file: "chat".into(),
        title: "t".into(),
        card: Some(card),
        world_books: Vec::new(),
        into: None,
        allow_functions: false,
    };
    engine.import(owner, &request)?;
    Ok(())
}

/// Rows of tables that take a host or a function that hangs.
fn add_rows(folder: &Path) -> Done {
    let database = Connection::open(folder.join("storeyline.db"))?;
    let blob = |words: &str| Sql::Blob(words.as_bytes().to_vec());
    let page: Vec<u8> = database.query_row("SELECT page FROM page LIMIT 1", [], |row| row.get(0))?;
    let chat: Vec<u8> = database.query_row("SELECT chat FROM ref WHERE chat IS NOT NULL", [], |row| row.get(0))?;
    let rows = [
        ("request_seq", vec![Sql::Integer(1), Sql::Blob(chat), blob("web"), Sql::Integer(7), Sql::Integer(9)]),
        ("given_up", vec![Sql::Integer(1), Sql::Blob(page), blob("HEAL")]),
    ];
    for (table, row) in rows {
        let sum = checksum(&row);
        let marks = vec!["?"; row.len() + 1].join(", ");
        let params = row.into_iter().chain([Sql::Integer(sum)]);
        database.execute(&format!("INSERT INTO {table} VALUES ({marks})"), rusqlite::params_from_iter(params))?;
    }
    Ok(())
}
