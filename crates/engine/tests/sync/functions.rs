//! Tests of functions that run while a host syncs: one that hangs, and one that depends on its floor.

use storeyline_engine::authors::{Scope, exchange};
use storeyline_engine::scripts::InProcess;
use storeyline_engine::{Engine, EngineError, Owner, Rules, StoreError};
use storeyline_functions::Outcome;
use storeyline_functions::script::{Incomplete, PatternMatch, Script, Scripts, Source, Stopped};
use storeyline_state::{Value, json};

use crate::host::{Host, states};
use crate::{TEMPLATE, gold};

/// An engine in which the function `hang` never ends.
struct Hanging;

impl Scripts for Hanging {
    fn run(&mut self, state: &Value, script: &Script<'_>) -> Result<Outcome, Stopped> {
        match script.source {
            Source::Body("hang") => Err(Stopped::Incomplete(Incomplete::hung("it hangs"))),
            _ => Ok(Outcome { state: state.clone(), ops: Default::default() }),
        }
    }

    fn test(&mut self, _: &Value, _: &Script<'_>) -> Result<bool, Stopped> {
        Ok(true)
    }

    fn find(&mut self, _: &str, _: &str) -> Result<Vec<PatternMatch>, Stopped> {
        Ok(Vec::new())
    }
}

#[test]
fn a_function_that_hangs_on_a_page_is_given_up_there_after_the_third_time() {
    let engine = Engine::in_memory().unwrap().with_scripts(|| Box::new(Hanging));
    let file = r#"[{"id":"h","name":"挂起","type":"passive","executor":"hang"}]"#;
    let library = exchange::read(&json::read(file).unwrap(), Scope::Global).library;
    let mut host = Host::new(1);
    let opened = host.open_with(&engine, None, TEMPLATE, Rules { library, ..Rules::default() });
    host.reply("雨夜。@.ADD(\"金币\", 5);");
    for _ in 0..2 {
        let refused = host.try_sync(&engine).unwrap_err();
        assert!(matches!(refused, EngineError::Store(StoreError::Incomplete(_))), "{refused}");
    }
    // The third time it is given up, and the page is evaluated without it.
    let answer = host.sync(&engine);
    assert_eq!(gold(&engine, &opened), ["15"]);
    assert_eq!(answer.diagnostics.iter().map(|found| found.code.as_str()).collect::<Vec<_>>(), ["E-STUCK"]);
    assert_eq!(answer.diagnostics[0].source, "挂起", "the function is named");
    assert!(engine.verify(&Owner::local(), |_| {}).unwrap().problems.is_empty(), "it is an input of the page now");
    host.reply("@.ADD(\"金币\", 1);");
    assert!(host.try_sync(&engine).is_err(), "other pages try it themselves");
}

#[test]
fn a_function_that_counts_floors_runs_again_where_its_page_moved() {
    let engine = Engine::in_memory().unwrap().with_scripts(|| Box::new(InProcess::default()));
    let file = r#"[{"name":"轮","type":"passive","executor":"snapshot.n = context.round;"}]"#;
    let library = exchange::read(&json::read(file).unwrap(), Scope::Global).library;
    let mut host = Host::new(1);
    let opened = host.open_with(&engine, None, "{}", Rules { library, ..Rules::default() });
    host.reply("雨夜。");
    host.user("一");
    host.user("二");
    host.reply("天亮了。");
    host.sync(&engine);
    assert_eq!(states(&engine, &opened), [r#"{"n":0}"#, r#"{"n":0}"#, r#"{"n":0}"#, r#"{"n":3}"#]);
    // State above and text stay the same; only the place is another.
    host.messages.remove(1);
    assert_eq!(host.sync(&engine).evaluated, 1, "the reply that moved up; what the player says has no say");
    assert_eq!(states(&engine, &opened), [r#"{"n":0}"#, r#"{"n":0}"#, r#"{"n":2}"#]);
}
