//! `bench pages`: floors with one passive function, one after the other, with and without lodash; every page has a
//! realm of its own.

use std::time::Duration;

use storeyline_engine::authors::{Scope, exchange};
use storeyline_engine::scripts::{WorkerCommand, start_worker};
use storeyline_engine::{By, Choices, Durability, Engine, NewStory, Owner};
use storeyline_state::json;
use storeyline_wire::Role;
use storeyline_wire::operation::{BranchEdit, NewPage, NewTurn};

use crate::Done;
use crate::measure::{mean, median, millis, time_into};
use crate::tale::{Dice, Tale};

/// The bytes of the state.
const STATE: usize = 10_000;

const FUNCTIONS: [(&str, &str); 2] = [
    ("without lodash", "snapshot.turn = (snapshot.turn ?? 0) + 1"),
    ("with lodash", "_.set(snapshot, 'turn', _.get(snapshot, 'turn', 0) + 1)"),
];

pub(crate) fn run(json: bool, floors: usize, worker: &WorkerCommand) -> Done {
    for (name, executor) in FUNCTIONS {
        let mut times = measure(floors, executor, worker)?;
        let (mean, first, median) = (millis(mean(&times)), millis(times[0]), millis(median(&mut times)));
        match json {
            true => println!(
                "{}",
                serde_json::json!({ "function": name, "floors": floors, "mean_ms": mean, "median_ms": median, "first_ms": first })
            ),
            false => {
                println!("{name}: {floors} floors, mean {mean:.2} ms, median {median:.2} ms, the first {first:.2} ms")
            }
        }
    }
    Ok(())
}

fn measure(floors: usize, executor: &str, worker: &WorkerCommand) -> Done<Vec<Duration>> {
    let folder = tempfile::tempdir()?;
    let engine =
        Engine::open(folder.path())?.with_durability(Durability::Normal).with_scripts(start_worker(worker.clone()));
    let mut dice = Dice::new(7);
    let tale = Tale::new(STATE, &mut dice);
    let file = format!(r#"[{{"id":"f","name":"f","type":"passive","executor":{executor:?}}}]"#);
    let library = exchange::read(&json::read(&file)?, Scope::Card).library;
    let choices = Choices { library: Some(library), first_state: Some(tale.state.clone()), ..Choices::default() };
    let new = NewStory { title: "bench".into(), branch: "main".into(), choices, ..NewStory::default() };
    let (story, branch) = engine.begin_story(&Owner::local(), &new, "bench")?;
    let mut times = Vec::new();
    for _ in 0..floors {
        let page = NewPage { page: None, text: tale.reply(3, &mut dice), time: Some(1_700_000_000_000) };
        let append = BranchEdit::Append(NewTurn { role: Role::Assistant, name: "x".into(), page });
        time_into(&mut times, || engine.edit_branch(&Owner::local(), story, branch, &append, By::client("bench")))?;
    }
    Ok(times)
}
