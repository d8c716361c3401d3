//! The methods of `ChatHistoryManager` (seed 003) and the scenarios of SmartTable (seed 002), by their
//! names, each with a database in a file and in memory.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod teller;

use storeyline_engine::authors::{Scope, exchange};
use storeyline_engine::{By, Engine, EngineError, OpenChat, OpenedChat, Owner, Reprocess, Rules, Settings};
use storeyline_state::{ChatId, PageId, RefId, json};
use storeyline_wire::assets::{PutSnapshot, SnapshotFloor};
use storeyline_wire::operation::{BranchEdit, NewPage, NewTurn};
use storeyline_wire::story::{NewRef, RefChange};
use storeyline_wire::{JsonObject, KeepText, RefKind, Role};
use teller::Teller;

const TEMPLATE: &str = r#"{"金币":10}"#;

/// Plays the same in a file and in memory.
fn on_both(template: &str, play: impl Fn(&Teller)) {
    let folder = tempfile::tempdir().unwrap();
    play(&Teller::begin(Engine::open(folder.path()).unwrap(), template));
    play(&Teller::begin(Engine::in_memory().unwrap(), template));
}

/// Greeting, question, answer: 10 → 15 → 15 → 20.
fn told(teller: &Teller) -> [PageId; 3] {
    [
        teller.reply("雨夜。@.ADD(\"金币\", 5);"),
        teller.say(Role::User, "你好"),
        teller.reply("欢迎。@.ADD(\"金币\", 5);"),
    ]
}

fn gold(teller: &Teller) -> Vec<String> {
    let state = |floor| teller.state(floor).replace("{\"金币\":", "").replace('}', "");
    (0..teller.floors()).map(state).collect()
}

fn answer(teller: &Teller, words: &str) -> PageId {
    let page = NewPage { page: None, text: words.into(), time: Some(0) };
    let turn = NewTurn { role: Role::Assistant, name: "阿丽娅".into(), page };
    teller.edit(&BranchEdit::Reply(turn)).unwrap().page.unwrap()
}

fn refs(teller: &Teller) -> Vec<(String, bool)> {
    let all = teller.engine.refs(&Owner::local(), teller.opened.story).unwrap();
    let mut names: Vec<_> = all.into_iter().map(|found| (found.name, found.trashed.is_some())).collect();
    names.sort();
    names
}

fn branch(teller: &Teller, floor: u32, name: &str) -> RefId {
    let OpenedChat { story, branch, .. } = teller.opened;
    let kind = RefKind::Branch;
    teller
        .engine
        .create_ref(
            &Owner::local(),
            story,
            &NewRef { from: branch, floor: Some(floor), kind, name: name.into(), note: String::new(), switch: false },
            "test",
        )
        .unwrap()
        .id
}

fn current(teller: &Teller) -> RefId {
    teller.engine.current_branch(&Owner::local(), teller.opened.story).unwrap().unwrap()
}

#[test]
fn add_user_turn() {
    on_both(TEMPLATE, |teller| {
        told(teller);
        teller.say(Role::User, "@.ADD(\"金币\", 100); 再来一杯");
        assert_eq!(gold(teller), ["15", "15", "20", "20"], "the player's words do not count");
        assert_eq!(teller.texts().last().unwrap(), "@.ADD(\"金币\", 100); 再来一杯");
    });
}

#[test]
fn add_assistant_message_page() {
    on_both(TEMPLATE, |teller| {
        told(teller);
        answer(teller, "滚。@.ADD(\"金币\", -5);");
        assert_eq!(gold(teller), ["15", "15", "10"], "another page of the last turn, from the same state");
        teller.say(Role::User, "抱歉");
        answer(teller, "好吧。@.ADD(\"金币\", 1);");
        assert_eq!(gold(teller), ["15", "15", "10", "10", "11"], "after a user turn it is a turn of its own");
    });
}

#[test]
fn an_alternative_on_any_turn_of_the_player_too() {
    on_both(TEMPLATE, |teller| {
        told(teller);
        teller.alternative(1, "早安");
        teller.alternative(0, "雪夜。@.ADD(\"金币\", 7);");
        assert_eq!(teller.texts(), ["雪夜。@.ADD(\"金币\", 7);", "早安", "欢迎。@.ADD(\"金币\", 5);"]);
        assert_eq!(gold(teller), ["17", "17", "22"]);
    });
}

#[test]
fn set_active_page() {
    on_both(TEMPLATE, |teller| {
        let [greeting, ..] = told(teller);
        let other = teller.alternative(0, "@.SET(\"金币\", 0);");
        assert_eq!(gold(teller), ["0", "0", "5"]);
        teller.edit(&BranchEdit::Select { page: greeting }).unwrap();
        assert_eq!(gold(teller), ["15", "15", "20"], "states are computed again from there");
        teller.edit(&BranchEdit::Select { page: other }).unwrap();
        assert_eq!(gold(teller), ["0", "0", "5"]);
    });
}

#[test]
fn swiping_back_restores_what_followed() {
    on_both(TEMPLATE, |teller| {
        let [greeting, ..] = told(teller);
        let other = teller.alternative(0, "雪夜。");
        teller.edit(&BranchEdit::Swipe { page: greeting }).unwrap();
        teller.edit(&BranchEdit::Cut { floor: 2 }).unwrap();
        teller.edit(&BranchEdit::Swipe { page: other }).unwrap();
        assert_eq!(teller.texts(), ["雪夜。", "你好", "欢迎。@.ADD(\"金币\", 5);"], "as it was when it was left");
        teller.edit(&BranchEdit::Swipe { page: greeting }).unwrap();
        assert_eq!(teller.texts(), ["雨夜。@.ADD(\"金币\", 5);", "你好"]);
    });
}

#[test]
fn update_message_page_content() {
    on_both(TEMPLATE, |teller| {
        let [greeting, ..] = told(teller);
        let text = "雪夜。@.SET(\"金币\", 1);".to_owned();
        let edited = teller.edit(&BranchEdit::Edit { page: greeting, text, keep: KeepText::InPlace }).unwrap();
        assert_eq!(gold(teller), ["1", "1", "6"]);
        assert_eq!(edited.page, Some(greeting), "the id stays");
        let text = "雾夜。@.SET(\"金币\", 2);".to_owned();
        let edited = teller.edit(&BranchEdit::Edit { page: greeting, text, keep: KeepText::AsAlternative }).unwrap();
        assert_ne!(edited.page, Some(greeting));
        assert_eq!(gold(teller), ["2", "2", "7"]);
    });
}

#[test]
fn update_message_page_content_on_all_branches() {
    on_both(TEMPLATE, |teller| {
        let [greeting, ..] = told(teller);
        let other = branch(teller, 1, "支线");
        let text = "@.SET(\"金币\", 3);".to_owned();
        teller.edit(&BranchEdit::Edit { page: greeting, text: text.clone(), keep: KeepText::InPlace }).unwrap();
        let on_other = |teller: &Teller| {
            json::write(&teller.engine.state_at(&Owner::local(), teller.opened.story, other, 1).unwrap())
        };
        assert_eq!(on_other(teller), r#"{"金币":15}"#, "another branch is not touched");
        teller.edit(&BranchEdit::Edit { page: greeting, text, keep: KeepText::OnAllBranches }).unwrap();
        assert_eq!(on_other(teller), r#"{"金币":3}"#);
    });
}

#[test]
fn delete_turn() {
    on_both(TEMPLATE, |teller| {
        told(teller);
        teller.edit(&BranchEdit::Delete { floor: 0, count: 1 }).unwrap();
        assert_eq!(teller.texts(), ["你好", "欢迎。@.ADD(\"金币\", 5);"]);
        assert_eq!(gold(teller), ["10", "15"]);
    });
}

#[test]
fn delete_a_page_a_turn_and_all_below_and_all_but_one() {
    on_both(TEMPLATE, |teller| {
        let [greeting, ..] = told(teller);
        let second = teller.alternative(0, "@.ADD(\"金币\", 1);");
        let third = teller.alternative(0, "@.ADD(\"金币\", 2);");
        teller.edit(&BranchEdit::DeletePage { page: third }).unwrap();
        assert_eq!(gold(teller), ["11", "11", "16"], "the page before it is read");
        teller.edit(&BranchEdit::KeepOnly { page: greeting }).unwrap();
        assert_eq!(gold(teller), ["15", "15", "20"]);
        let gone = teller.edit(&BranchEdit::Select { page: second });
        assert!(matches!(gone, Err(EngineError::Edit(_))), "{gone:?}");
        teller.edit(&BranchEdit::Cut { floor: 1 }).unwrap();
        assert_eq!(gold(teller), ["15"]);
        let last = teller.edit(&BranchEdit::Delete { floor: 0, count: 1 });
        assert!(matches!(last, Err(EngineError::EmptyPath)), "a branch is never left without a floor");
    });
}

#[test]
fn create_branch() {
    on_both(TEMPLATE, |teller| {
        told(teller);
        let before = current(teller);
        let other = branch(teller, 1, "支线");
        assert_eq!(current(teller), before, "making one does not switch");
        let OpenedChat { story, .. } = teller.opened;
        assert_eq!(teller.engine.texts(&Owner::local(), story, other).unwrap().len(), 2);
        let kind = RefKind::Branch;
        let third = teller
            .engine
            .create_ref(
                &Owner::local(),
                story,
                &NewRef { from: other, floor: None, kind, name: "又一条".into(), note: String::new(), switch: true },
                "test",
            )
            .unwrap();
        assert_eq!(current(teller), third.id, "unless it is asked to");
    });
}

#[test]
fn switch_branch() {
    on_both(TEMPLATE, |teller| {
        told(teller);
        let other = branch(teller, 0, "支线");
        teller.engine.switch_branch(&Owner::local(), teller.opened.story, other, "test").unwrap();
        assert_eq!(current(teller), other);
    });
}

#[test]
fn rename_branch() {
    on_both(TEMPLATE, |teller| {
        told(teller);
        let other = branch(teller, 0, "支线");
        let change = RefChange { name: Some("地窖".into()), note: Some("从这里下去".into()), colour: None };
        teller.engine.change_ref(&Owner::local(), teller.opened.story, other, &change, "test").unwrap();
        assert_eq!(refs(teller), [("main".to_owned(), false), ("地窖".to_owned(), false)]);
    });
}

#[test]
fn delete_branch() {
    on_both(TEMPLATE, |teller| {
        told(teller);
        let (owner, story) = (Owner::local(), teller.opened.story);
        let other = branch(teller, 0, "支线");
        teller.engine.switch_branch(&owner, story, other, "test").unwrap();
        teller.engine.trash_ref(&owner, story, other, "test").unwrap();
        assert_eq!(current(teller), teller.opened.branch, "who read it reads where it came from");
        let last = teller.engine.trash_ref(&owner, story, teller.opened.branch, "test");
        assert!(matches!(last, Err(EngineError::LastBranch)));
        teller.engine.restore_ref(&owner, story, other, "test").unwrap();
        assert_eq!(refs(teller), [("main".to_owned(), false), ("支线".to_owned(), false)]);
    });
}

#[test]
fn get_messages_for_prompt() {
    on_both(TEMPLATE, |teller| {
        told(teller);
        teller.alternative(0, "雪夜。");
        teller.say(Role::Summary, "前情：她到了酒馆。");
        teller.say(Role::Other, "不要给模型看");
        teller.edit(&BranchEdit::Hide { floor: 1, hidden: true }).unwrap();
        let OpenedChat { story, branch, .. } = teller.opened;
        let messages = teller.engine.messages_for_prompt(&Owner::local(), story, branch).unwrap();
        let told: Vec<_> = messages.iter().map(|message| (message.role, message.text.as_str())).collect();
        let wanted = [
            (Role::Assistant, "雪夜。"),
            (Role::Assistant, "欢迎。@.ADD(\"金币\", 5);"),
            (Role::Summary, "前情：她到了酒馆。"),
        ];
        assert_eq!(told, wanted, "the page that is read; hidden and invalid ones are left out");
    });
}

#[test]
fn a_late_append_is_kept_as_an_alternative() {
    on_both(TEMPLATE, |teller| {
        told(teller);
        let (owner, OpenedChat { story, branch, .. }) = (Owner::local(), teller.opened.clone());
        let head = teller.engine.story(&owner, story).unwrap().story.refs[0].head;
        let say = |role, words: &str, by: By<'_>| {
            let page = NewPage { page: None, text: words.into(), time: Some(0) };
            let turn = NewTurn { role, name: "x".into(), page };
            teller.engine.edit_branch(&owner, story, branch, &BranchEdit::Append(turn), by).unwrap()
        };
        say(Role::Assistant, "第一个", By { client: "a", head });
        let late = say(Role::Assistant, "晚到的", By { client: "b", head });
        assert!(late.late, "reported");
        assert_eq!(teller.texts().last().unwrap(), "第一个", "what came first is read");
        let view = teller.engine.floor(&owner, story, branch, 3, late.page).unwrap();
        assert_eq!(view.text, "晚到的", "and nothing is lost");
        let other = say(Role::User, "别的话", By { client: "c", head });
        assert_ne!(other.branch, branch, "words of another role become a branch");
    });
}

/// Seed 002: rows of tables are lists of objects in the state.
const TABLES: &str = r#"{"表":{"任务":[],"事件":[]}}"#;

fn table(teller: &Teller) -> Vec<String> {
    (0..teller.floors()).map(|floor| teller.state(floor)).collect()
}

#[test]
fn 误删消息() {
    on_both(TABLES, |teller| {
        teller.reply("@.APPEND(\"表.任务\", {\"名\": \"找钥匙\", \"状态\": \"进行\"});");
        teller.reply("@.APPEND(\"表.事件\", {\"何事\": \"下雨\"});");
        teller.reply("@.SET(\"表.任务[0].状态\", \"完成\");");
        let whole = table(teller);
        // The message in the middle is deleted by mistake: what it wrote goes, and no more.
        let deleted = teller.edit(&BranchEdit::Delete { floor: 1, count: 1 }).unwrap();
        assert_eq!(teller.state(1), r#"{"表":{"任务":[{"名":"找钥匙","状态":"完成"}],"事件":[]}}"#);
        let OpenedChat { story, branch, .. } = teller.opened;
        teller.engine.undo(&Owner::local(), story, branch, deleted.operation, "test").unwrap();
        assert_eq!(table(teller), whole, "and it can be taken back, however many snapshots ago");
    });
}

#[test]
fn 重新生成() {
    on_both(TABLES, |teller| {
        teller.reply("@.APPEND(\"表.任务\", {\"名\": \"找钥匙\"});");
        let first = teller.reply("@.APPEND(\"表.任务\", {\"名\": \"开门\"});");
        let before = teller.state(0);
        let second = teller.alternative(1, "@.REMOVE(\"表.任务\", 0);");
        assert_eq!(teller.state(1), TABLES, "the new reply starts from the floor above, not from the old reply");
        assert_eq!(teller.state(0), before);
        teller.edit(&BranchEdit::Select { page: first }).unwrap();
        assert_eq!(teller.state(1), r#"{"表":{"任务":[{"名":"找钥匙"},{"名":"开门"}],"事件":[]}}"#);
        teller.edit(&BranchEdit::Select { page: second }).unwrap();
        assert_eq!(teller.state(1), TABLES);
    });
}

#[test]
fn 手动添加编辑删除行() {
    on_both(TABLES, |teller| {
        teller.reply("@.APPEND(\"表.任务\", {\"名\": \"找钥匙\"});");
        let page = teller.page(0);
        let saved = r#"{"表":{"任务":[{"名":"找钥匙"},{"名":"手加"}],"事件":[]}}"#;
        let change = BranchEdit::Override { page, state: JsonObject(json::read(saved).unwrap()) };
        let by_hand = teller.edit(&change).unwrap();
        teller.reply("@.APPEND(\"表.任务\", {\"名\": \"后来\"});");
        let wanted = r#"{"表":{"任务":[{"名":"找钥匙"},{"名":"手加"},{"名":"后来"}],"事件":[]}}"#;
        assert_eq!(teller.state(1), wanted, "later floors follow");
        let OpenedChat { story, branch, .. } = teller.opened;
        teller.engine.undo(&Owner::local(), story, branch, by_hand.operation, "test").unwrap();
        assert_eq!(teller.state(1), r#"{"表":{"任务":[{"名":"找钥匙"},{"名":"后来"}],"事件":[]}}"#);
    });
}

#[test]
fn what_changes_nothing_is_not_written_down() {
    on_both(TEMPLATE, |teller| {
        let [greeting, ..] = told(teller);
        let (owner, OpenedChat { story, branch, .. }) = (Owner::local(), teller.opened.clone());
        let last = || teller.engine.last_change(&owner).unwrap();
        let (before, version) = (last(), teller.engine.refs(&owner, story).unwrap()[0].version);
        let state = json::read(&teller.state(0)).unwrap();
        let text = teller.texts()[0].clone();
        let changes = [
            BranchEdit::Edit { page: greeting, text, keep: KeepText::InPlace },
            BranchEdit::Select { page: greeting },
            BranchEdit::Swipe { page: greeting },
            BranchEdit::Hide { floor: 0, hidden: false },
            BranchEdit::Move { floor: 1, to: 1 },
            BranchEdit::KeepOnly { page: greeting },
            BranchEdit::Override { page: greeting, state: JsonObject(state) },
            BranchEdit::ClearOverride { page: greeting },
        ];
        for change in changes {
            assert_eq!(teller.edit(&change).unwrap().operation, None, "{change:?}");
        }
        let again = Reprocess { from: 0, to: None, what_if: None, dry_run: false };
        assert_eq!(teller.engine.reprocess(&owner, story, branch, &again, "test").unwrap().operation, None);
        assert_eq!(teller.engine.rename_story(&owner, story, "雨夜酒馆", "test").unwrap(), None);
        assert_eq!(teller.engine.change_settings(&owner, story, Settings::default(), "test").unwrap(), None);
        let same = RefChange { name: Some("main".into()), ..RefChange::default() };
        assert_eq!(teller.engine.change_ref(&owner, story, branch, &same, "test").unwrap(), None);
        assert_eq!((last(), teller.engine.refs(&owner, story).unwrap()[0].version), (before, version));
        teller.engine.undo(&owner, story, branch, None, "test").unwrap();
        assert_eq!(teller.floors(), 2, "the last thing that was done is taken back");
    });
}

#[test]
fn a_row_added_by_hand_does_not_pin_the_others() {
    on_both(r#"{"表":[]}"#, |teller| {
        for row in ["甲", "乙", "丙"] {
            teller.reply(&format!("@.APPEND(\"表\", {{\"名\": \"{row}\", \"数\": 1}});"));
        }
        let saved = r#"{"表":[{"名":"先"},{"名":"甲","数":1},{"名":"乙","数":1},{"名":"丙","数":9},{"名":"手加"}]}"#;
        let change = BranchEdit::Override { page: teller.page(2), state: JsonObject(json::read(saved).unwrap()) };
        teller.edit(&change).unwrap();
        assert_eq!(teller.state(2), saved);
        teller.edit(&BranchEdit::Delete { floor: 1, count: 1 }).unwrap();
        assert_eq!(teller.state(1), r#"{"表":[{"名":"先"},{"名":"甲","数":1},{"名":"丙","数":9},{"名":"手加"}]}"#);
    });
}

#[test]
fn templates_libraries_and_snapshots_are_kept_with_every_version() {
    on_both(TEMPLATE, |teller| {
        told(teller);
        let (owner, OpenedChat { story, branch, .. }) = (Owner::local(), teller.opened.clone());
        let engine = &teller.engine;
        let wanted = SnapshotFloor {
            story,
            branch,
            floor: 0,
            name: "酒馆门口".into(),
            description: "进门之前".into(),
            tags: vec!["雨".into()],
        };
        let id = engine.snapshot_floor(&owner, &wanted).unwrap();
        assert_eq!(engine.snapshots(&owner, "雨 门口").unwrap().len(), 1);
        assert!(engine.snapshots(&owner, "地窖").unwrap().is_empty());
        engine.put_template(&owner, "bob.png", Some(&json::read(r#"{"金币":1}"#).unwrap())).unwrap();
        engine.snapshot_to_template(&owner, &id, "bob.png").unwrap().unwrap();
        assert_eq!(engine.template_versions(&owner, "bob.png").unwrap().len(), 2, "no version is lost");

        let file = r#"[{"name":"加倍","type":"passive","executor":"snapshot.金币 *= 2;"}]"#;
        let library = exchange::read(&json::read(file).unwrap(), Scope::Global).library;
        engine.put_library(&owner, "", &library, None).unwrap();
        let chat = OpenChat {
            chat: ChatId::from_random([9; 16]),
            parent: None,
            file: "新聊天".into(),
            file_owner: "bob.png".into(),
            title: "又一个".into(),
            template: None,
            rules: Rules::default(),
            into: None,
        };
        let begun = engine.open_chat(&owner, &chat).unwrap();
        let rules = engine.story_rules(&owner, begun.story).unwrap().rules;
        assert_eq!(rules.library.functions.len(), 1, "a new story has the functions that are kept for all cards");
        let page = NewPage { page: None, text: "雨停了。".into(), time: Some(0) };
        let turn = NewTurn { role: Role::User, name: "x".into(), page };
        let change = BranchEdit::Append(turn);
        engine.edit_branch(&owner, begun.story, begun.branch, &change, By::client("test")).unwrap();
        let state = engine.state_at(&owner, begun.story, begun.branch, 0).unwrap();
        assert_eq!(json::write(&state), r#"{"金币":15}"#, "and begins with the template that is kept for its card");
        let before = engine.snapshot(&owner, &id).unwrap().unwrap();
        engine.drop_snapshot(&owner, &id).unwrap();
        assert!(engine.snapshots(&owner, "").unwrap().is_empty());

        let state = JsonObject(json::read(r#"{"金币":2}"#).unwrap());
        let again = PutSnapshot { name: "门口".into(), description: String::new(), tags: Vec::new(), state };
        assert_eq!(engine.replace_snapshot(&owner, &id, &again).unwrap().as_ref(), Some(&id));
        let back = engine.snapshot(&owner, &id).unwrap().unwrap();
        assert_eq!(back.labels.name, "门口", "a deleted snapshot is back under its id");
        assert_eq!(back.labels.from, before.labels.from, "and is from where it was");
        let other = Owner::named("bob");
        assert_eq!(engine.replace_snapshot(&other, &id, &again).unwrap(), None, "another account never had it");
        assert_eq!(engine.replace_snapshot(&owner, "nothing", &again).unwrap(), None);
    });
}

#[test]
fn a_page_stands_on_a_branch_once() {
    on_both(TEMPLATE, |teller| {
        let [.., last] = told(teller);
        let page = NewPage { page: Some(last), text: "又来".into(), time: Some(0) };
        let turn = NewTurn { role: Role::Assistant, name: "x".into(), page: page.clone() };
        for change in [BranchEdit::Append(turn), BranchEdit::AddPage { floor: 0, page }] {
            let twice = teller.edit(&change);
            assert!(matches!(twice, Err(EngineError::Edit(_))), "{twice:?}");
        }
        // Cut off, brought back from another branch, and then the cut is undone.
        let other = branch(teller, 2, "支线");
        let cut = teller.edit(&BranchEdit::Cut { floor: 1 }).unwrap();
        teller.edit(&BranchEdit::Graft { from: other, first: 2, count: 1, floor: 0 }).unwrap();
        let OpenedChat { story, branch, .. } = teller.opened;
        let undone = teller.engine.undo(&Owner::local(), story, branch, cut.operation, "test");
        assert!(matches!(undone, Err(EngineError::UndoConflict { .. })), "{undone:?}");
    });
}
