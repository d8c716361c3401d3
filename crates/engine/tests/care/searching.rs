//! Tests of search: words are found on all branches, with the index and without it, and never in
//! stories of another owner.

use storeyline_engine::{By, Collect, Durability, Engine, OpenChat, Owner, Rules, Search};
use storeyline_state::ChatId;
use storeyline_wire::operation::{BranchEdit, NewPage, NewTurn};
use storeyline_wire::search::{Excerpt, Hit, Hits};
use storeyline_wire::story::NewRef;
use storeyline_wire::{KeepText, RefKind, Role};

use crate::teller::Teller;

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}

fn search(engine: &Engine, owner: &Owner, wanted: &[&str]) -> Hits {
    engine.search(owner, &Search { words: &words(wanted), story: None, limit: 100, stop: &|| false }).unwrap()
}

fn find(teller: &Teller, wanted: &[&str]) -> Vec<Hit> {
    search(&teller.engine, &Owner::local(), wanted).hits
}

/// A story in which the inn is on every way, and a page that nobody reads.
fn evening() -> Teller {
    let teller = Teller::begin(Engine::in_memory().unwrap(), "{}");
    teller.reply("雨夜。你推开 Old Inn 的门。");
    teller.reply("有人说：后厨空无一人。");
    teller.alternative(1, "有人说：酒馆里有人在磨刀。");
    teller.reply("你离开了酒馆。");
    let main = teller.opened.branch;
    let owner = Owner::local();
    teller
        .engine
        .create_ref(
            &owner,
            teller.opened.story,
            &NewRef {
                from: main,
                floor: Some(1),
                kind: RefKind::Branch,
                name: "留下".into(),
                note: String::new(),
                switch: false,
            },
            "t",
        )
        .unwrap();
    teller
        .engine
        .create_ref(
            &owner,
            teller.opened.story,
            &NewRef {
                from: main,
                floor: Some(1),
                kind: RefKind::Tag,
                name: "存档".into(),
                note: String::new(),
                switch: false,
            },
            "t",
        )
        .unwrap();
    teller
}

#[test]
fn the_same_is_found_with_the_index_and_without_it() {
    let teller = evening();
    let questions = [
        &["酒馆"][..],
        &["old inn"],
        &["OLD", "雨夜"],
        &["有人说：", "磨"],
        &["磨"],
        &["没有这个词"],
        &["\"", "说"],
        &[""],
    ];
    let without: Vec<Hits> = questions.iter().map(|wanted| search(&teller.engine, &Owner::local(), wanted)).collect();
    assert_eq!(without.iter().map(|found| found.total).collect::<Vec<_>>(), [2, 1, 1, 1, 1, 0, 0, 0]);
    let mut heard = Vec::new();
    teller.engine.switch_search(true, |done, all| heard.push((done, all))).unwrap();
    assert_eq!(heard.last(), Some(&(4, 4)));
    for (wanted, without) in questions.iter().zip(without) {
        let with = search(&teller.engine, &Owner::local(), wanted);
        assert!(with.indexed && !without.indexed);
        assert_eq!(with.hits, without.hits, "{wanted:?}");
    }
}

#[test]
fn a_hit_says_on_which_branches_and_floors_the_page_stands() {
    let teller = evening();
    let [left, sharpening] = &find(&teller, &["酒馆"])[..] else { panic!("two pages") };
    let places = |hit: &Hit| -> Vec<(String, usize, usize, usize, bool)> {
        let place = |place: &storeyline_wire::search::HitPlace| {
            (place.name.clone(), place.floor, place.number, place.pages, place.read)
        };
        hit.places.iter().map(place).collect()
    };
    assert_eq!(places(left), [("main".into(), 2, 1, 1, true)]);
    let on = |name: &str| (name.to_owned(), 1, 2, 2, true);
    assert_eq!(places(sharpening), [on("留下"), on("main"), on("存档")], "branches first, then tags");
    let excerpt = Excerpt { before: "你离开了".into(), hit: "酒馆".into(), after: "。".into() };
    assert_eq!((&left.excerpt, left.title.as_str()), (&excerpt, "雨夜酒馆"));
    let unread = find(&teller, &["后厨空无"]);
    assert_eq!(places(&unread[0])[0], ("留下".into(), 1, 1, 2, false), "a page that is not read is found too");
}

#[test]
fn what_is_written_while_the_index_is_on_is_found_and_what_was_edited_lies_in_the_log() {
    let teller = evening();
    teller.engine.switch_search(true, |_, _| {}).unwrap();
    let page = teller.reply("一条新的消息");
    assert_eq!(find(&teller, &["新的消息"])[0].page, page);
    let change = BranchEdit::Edit { page, text: "另一段文字".into(), keep: KeepText::InPlace };
    teller.edit(&change).unwrap();
    assert_eq!(find(&teller, &["另一段"])[0].places.len(), 1);
    assert_eq!(find(&teller, &["新的消息"])[0].places, [], "only the log holds it");
    teller
        .engine
        .collect(&Owner::local(), Collect { dry_run: true, trash_days: 0, undo_days: -1, shrink: true })
        .unwrap();
    assert_eq!(find(&teller, &["新的消息"]).len(), 1, "a dry run leaves the index alone");
    // The undo log forgets, the text goes, and with it its place in the index.
    teller.reply("之后");
    let gone = teller
        .engine
        .collect(&Owner::local(), Collect { dry_run: false, trash_days: 0, undo_days: -1, shrink: true })
        .unwrap();
    assert_eq!(gone.texts, 1);
    assert_eq!(find(&teller, &["新的消息"]), []);
    assert_eq!(find(&teller, &["酒馆里有人"]).len(), 1);
    // A number that is free again belongs to the text that has it now.
    teller.reply("最后一条");
    assert_eq!(find(&teller, &["最后一条"]).len(), 1);
    teller.engine.switch_search(false, |_, _| {}).unwrap();
    let status = teller.engine.search_status(&Owner::local()).unwrap();
    assert_eq!((status.on, status.bytes), (false, 0));
    assert_eq!(find(&teller, &["最后一条"]).len(), 1);
    assert!(teller.engine.verify(&Owner::local(), |_| {}).unwrap().problems.is_empty());
}

#[test]
fn nothing_of_another_owner_is_ever_found() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(folder.path()).unwrap().with_durability(Durability::Normal);
    let owners = [Owner::named("甲"), Owner::named("乙")];
    let mut stories = Vec::new();
    let play = |owner: &Owner, number: u8, text: String| {
        let request = OpenChat {
            chat: ChatId::from_random([number; 16]),
            parent: None,
            file: "main".into(),
            file_owner: String::new(),
            title: "同名".into(),
            template: None,
            rules: Rules::default(),
            into: None,
        };
        let opened = engine.open_chat(owner, &request).unwrap();
        let page = NewPage { page: None, text, time: None };
        let turn = NewTurn { role: Role::Assistant, name: "x".into(), page };
        engine.edit_branch(owner, opened.story, opened.branch, &BranchEdit::Append(turn), By::client("t")).unwrap();
        opened.story
    };
    for (number, owner) in owners.iter().enumerate() {
        stories.push(play(owner, 1 + number as u8, format!("共同的秘密 {number}")));
    }
    for on in [false, true] {
        engine.switch_search(on, |_, _| {}).unwrap();
        for (number, owner) in owners.iter().enumerate() {
            let found = search(&engine, owner, &["共同的秘密"]);
            assert_eq!((found.total, found.hits[0].story), (1, stories[number]));
            assert_eq!(found.hits[0].excerpt.after, format!(" {number}"));
            let other = stories[1 - number];
            let asked = Search { words: &words(&["共同的秘密"]), story: Some(other), limit: 9, stop: &|| false };
            engine.search(owner, &asked).unwrap_err();
            assert_eq!(search(&engine, owner, &["秘密", &(1 - number).to_string()]).total, 0);
        }
        assert_eq!(search(&engine, &Owner::named("丙"), &["共同的秘密"]).total, 0);
    }
    // What one of them throws away goes; the other's stays in the index.
    play(&owners[0], 3, "甲的另一个秘密".into());
    engine.collect(&owners[0], Collect::default()).unwrap();
    assert_eq!(search(&engine, &owners[1], &["共同的秘密"]).total, 1);
    assert_eq!(search(&engine, &owners[0], &["另一个秘密"]).total, 1);
}

#[test]
fn another_program_learns_at_once_that_the_index_is_on() {
    let folder = tempfile::tempdir().unwrap();
    let one = Teller::begin(Engine::open(folder.path()).unwrap().with_durability(Durability::Normal), "{}");
    for number in 0..600 {
        one.reply(&format!("第 {number} 条消息"));
    }
    let two = Teller::again(folder.path(), &one.opened);
    two.engine.switch_search(true, |_, _| {}).unwrap();
    one.reply("后来的消息");
    assert_eq!(find(&two, &["后来的消息"]).len(), 1);
    assert_eq!(find(&two, &["599 条"]).len(), 1);
    assert_eq!(search(&two.engine, &Owner::local(), &["条消息"]).total, 600);
    two.engine.switch_search(true, |_, _| panic!("it is on already")).unwrap();
}

#[test]
fn an_index_that_was_cut_off_is_made_anew_or_taken_away() {
    let folder = tempfile::tempdir().unwrap();
    let teller = Teller::begin(Engine::open(folder.path()).unwrap().with_durability(Durability::Normal), "{}");
    for number in 0..400 {
        teller.reply(&format!("第 {number} 条消息"));
    }
    let cut_off = || {
        let engine = Engine::open(folder.path()).unwrap();
        let build = || engine.switch_search(true, |_, _| panic!("a power cut"));
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(build)).unwrap_err();
    };
    for collected in [false, true] {
        cut_off();
        let half = search(&teller.engine, &Owner::local(), &["399 条"]);
        assert_eq!((half.total, half.indexed), (1, false), "half an index is not asked");
        teller.reply("在此期间");
        if collected {
            teller.engine.collect(&Owner::local(), Collect::default()).unwrap();
            assert_eq!(teller.engine.search_status(&Owner::local()).unwrap().bytes, 0);
        }
        teller.engine.switch_search(true, |_, _| {}).unwrap();
        let whole = search(&teller.engine, &Owner::local(), &["条消息"]);
        assert_eq!((whole.total, whole.indexed), (400, true));
        assert_eq!(find(&teller, &["在此期间"]).len(), 1 + usize::from(collected));
        teller.engine.switch_search(false, |_, _| {}).unwrap();
    }
}
