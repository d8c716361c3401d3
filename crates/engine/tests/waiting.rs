//! Checks that no lock and no transaction is held while a function runs.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rusqlite::Connection;
use storeyline_engine::authors::{Scope, exchange};
use storeyline_engine::{By, Choices, Engine, EngineError, NewStory, Owner};
use storeyline_functions::Outcome;
use storeyline_functions::script::{Incomplete, PatternMatch, Script, Stopped};
use storeyline_history::Scripts;
use storeyline_state::{RefId, StoryId, Value, json};
use storeyline_wire::Role;
use storeyline_wire::operation::{BranchEdit, NewPage, NewTurn};

/// Long enough for whoever waits to be noticed.
const LIMIT: Duration = Duration::from_secs(10);

/// Says when a function runs, and lets it end when it is told to.
struct Gate {
    entered: Sender<()>,
    leave: Arc<Mutex<Receiver<()>>>,
}

impl Scripts for Gate {
    fn run(&mut self, state: &Value, _: &Script<'_>) -> Result<Outcome, Stopped> {
        self.entered.send(()).unwrap();
        self.leave.lock().unwrap().recv().unwrap();
        Ok(Outcome { state: state.clone(), ops: Default::default() })
    }

    fn test(&mut self, _: &Value, _: &Script<'_>) -> Result<bool, Stopped> {
        Ok(true)
    }

    fn find(&mut self, _: &str, _: &str) -> Result<Vec<PatternMatch>, Stopped> {
        Ok(Vec::new())
    }
}

fn begin(engine: &Engine, owner: &Owner) -> (StoryId, RefId) {
    let new = NewStory { title: "雨夜".into(), branch: "主线".into(), ..NewStory::default() };
    engine.begin_story(owner, &new, "test").unwrap()
}

fn begin_with_function(engine: &Engine, owner: &Owner) -> (StoryId, RefId) {
    let file = r#"[{"id":"h","name":"挂起","type":"passive","executor":"wait"}]"#;
    let library = exchange::read(&json::read(file).unwrap(), Scope::Card).library;
    let choices = Choices { library: Some(library), ..Choices::default() };
    let new = NewStory { title: "慢".into(), branch: "主线".into(), choices, ..NewStory::default() };
    engine.begin_story(owner, &new, "test").unwrap()
}

fn append(engine: &Engine, owner: &Owner, (story, branch): (StoryId, RefId), text: &str) -> Result<(), EngineError> {
    let page = NewPage { page: None, text: text.into(), time: None };
    let turn = NewTurn { role: Role::Assistant, name: "x".into(), page };
    engine.edit_branch(owner, story, branch, &BranchEdit::Append(turn), By::client("test")).map(|_| ())
}

#[test]
fn nothing_is_held_while_a_function_runs() {
    let folder = tempfile::tempdir().unwrap();
    let (entered, entering) = channel();
    let (let_go, leave) = channel();
    let leave = Arc::new(Mutex::new(leave));
    let engine = Engine::open(folder.path())
        .unwrap()
        .with_scripts(move || Box::new(Gate { entered: entered.clone(), leave: leave.clone() }));
    let (slow, other) = (Owner::named("slow"), Owner::named("other"));
    let (slow_story, own_story, other_story) =
        (begin_with_function(&engine, &slow), begin(&engine, &slow), begin(&engine, &other));

    let running = {
        let (engine, slow) = (engine.clone(), slow.clone());
        thread::spawn(move || append(&engine, &slow, slow_story, "慢"))
    };
    entering.recv_timeout(LIMIT).expect("the function runs");

    let (done, finished) = channel();
    let beside = thread::spawn(move || {
        append(&engine, &other, other_story, "别人的故事").unwrap();
        append(&engine, &slow, own_story, "同一个人的另一个故事").unwrap();
        let lengths = engine.floors(&slow, slow_story.0, slow_story.1, 0, 10).unwrap().total;
        // Another program may write at once, and the log can be emptied: nobody reads either.
        let connection = Connection::open(folder.path().join("storeyline.db")).unwrap();
        connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK").unwrap();
        let busy: i64 = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).unwrap();
        done.send((lengths, busy)).unwrap();
        (engine, slow, folder)
    });
    let (floors, busy) = finished.recv_timeout(LIMIT).expect("nobody waits for the function");
    assert_eq!((floors, busy), (0, 0), "the branch has not moved, and no transaction is open");

    let_go.send(()).unwrap();
    running.join().unwrap().unwrap();
    let (engine, slow, _folder) = beside.join().unwrap();
    assert_eq!(engine.floors(&slow, slow_story.0, slow_story.1, 0, 10).unwrap().total, 1);
}

#[test]
fn a_long_change_is_pending_and_moves_the_branch_when_it_is_done() {
    let (entered, entering) = channel();
    let (let_go, leave) = channel();
    let leave = Arc::new(Mutex::new(leave));
    let (committed, commits) = channel();
    let engine = Engine::in_memory()
        .unwrap()
        .with_scripts(move || Box::new(Gate { entered: entered.clone(), leave: leave.clone() }))
        .with_patience(Duration::from_millis(50))
        .on_commit(move || _ = committed.send(()));
    let owner = Owner::local();
    let story = begin_with_function(&engine, &owner);
    commits.recv_timeout(LIMIT).unwrap();

    let answer = append(&engine, &owner, story, "慢");
    assert!(matches!(answer, Err(EngineError::Pending)), "{answer:?}");
    entering.recv_timeout(LIMIT).expect("the function runs");
    assert_eq!(engine.floors(&owner, story.0, story.1, 0, 10).unwrap().total, 0, "the branch stays");
    let words = ["慢".to_owned()];
    let search = storeyline_engine::Search { words: &words, story: None, limit: 5, stop: &|| false };
    assert_eq!(engine.search(&owner, &search).unwrap().total, 1, "the text is stored already");

    let_go.send(()).unwrap();
    while engine.floors(&owner, story.0, story.1, 0, 10).unwrap().total == 0 {
        commits.recv_timeout(LIMIT).expect("a commit is told");
    }
}

/// Hangs in every function but one, as long as it is not given up.
struct Hangs;

impl Scripts for Hangs {
    fn run(&mut self, _: &Value, _: &Script<'_>) -> Result<Outcome, Stopped> {
        Err(Stopped::Incomplete(Incomplete::hung("it hangs")))
    }

    fn test(&mut self, _: &Value, _: &Script<'_>) -> Result<bool, Stopped> {
        Ok(true)
    }

    fn find(&mut self, _: &str, _: &str) -> Result<Vec<PatternMatch>, Stopped> {
        Ok(Vec::new())
    }
}

#[test]
fn a_function_that_hangs_three_times_on_a_text_is_given_up_for_its_owner() {
    let engine = Engine::in_memory().unwrap().with_scripts(|| Box::new(Hangs));
    let (one, other) = (Owner::named("one"), Owner::named("other"));
    let (story, of_other) = (begin_with_function(&engine, &one), begin_with_function(&engine, &other));
    // Each append makes a page of its own.
    assert!(append(&engine, &one, story, "慢").is_err() && append(&engine, &one, story, "慢").is_err());
    assert!(append(&engine, &other, of_other, "慢").is_err(), "another owner begins anew");
    assert!(append(&engine, &one, story, "另一段").is_err(), "another text too");
    append(&engine, &one, story, "慢").unwrap();
    assert!(append(&engine, &other, of_other, "慢").is_err());
}
