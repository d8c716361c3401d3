//! The order of a message: the clock, functions that run first, the calls in text order, timers,
//! periodic functions, the removal of cleared items, functions that run last.
//!
//! Version 3.5 executes its timers before anything else; version 5 reads the clock where it is in
//! the text.

use storeyline_calls::{Call, Dialect, Forced};
use storeyline_state::{Number, Value};

use super::execute::{MessageRun, is_eval};
use super::functions::{self, Order, SamFunction};
use crate::profile::SamVersion;
use crate::script::{Incomplete, Scripts};
use crate::trace::CallTrace;

#[derive(Debug, Clone, Copy)]
pub struct SamTurn<'a> {
    pub version: SamVersion,
    /// The floor of the message, from 0 (SAM: chat length - 1).
    pub round: i64,
    /// The card's functions.
    pub functions: &'a [SamFunction],
    /// Names of functions that were killed on this page; they are not run again.
    pub stuck: &'a [String],
    /// What scripts see as `context`.
    pub context: &'a Value,
    /// Seed of random numbers.
    pub seed: u64,
    /// When the page was written, in milliseconds since 1970.
    pub time: i64,
}

/// Executes a message's calls on a state.
pub(crate) fn run_message(
    state: &Value,
    calls: &[Call],
    turn: &SamTurn<'_>,
    scripts: &mut dyn Scripts,
) -> Result<(Value, Vec<CallTrace>), Incomplete> {
    let mut message = MessageRun::begin(state, calls, turn, scripts);
    if turn.version == SamVersion::V3_5 {
        message.fire_timers();
    }
    let (clock, rest): (Vec<&Call>, Vec<&Call>) = calls
        .iter()
        .partition(|call| turn.version != SamVersion::V5 && is_time(call) && !message.blocks.is_tested(call));
    clock.into_iter().try_for_each(|call| message.call(call))?;
    message.run_ordered(&rest, Order::First)?;
    message.read_flags();
    for call in &rest {
        if message.order_of(call) == Order::Unordered {
            message.call(call)?;
        }
    }
    if turn.version != SamVersion::V3_5 {
        message.fire_timers();
    }
    for function in periodic(turn, Order::Unordered) {
        message.run_periodic(function)?;
    }
    message.close_lists();
    message.run_ordered(&rest, Order::Last)?;
    Ok((message.state, message.traces))
}

fn is_time(call: &Call) -> bool {
    let ours = matches!(call.dialect, Dialect::At | Dialect::Patch) && call.forced != Some(Forced::Native);
    ours && call.name.eq_ignore_ascii_case("TIME")
}

fn periodic<'a>(turn: &SamTurn<'a>, order: Order) -> impl Iterator<Item = &'a SamFunction> + use<'a> {
    turn.functions.iter().filter(move |function| function.is_periodic() && function.order() == order)
}

impl MessageRun<'_, '_> {
    /// Returns when a call runs: in text order, unless its function runs first or last. A block
    /// with a test is executed in text order, as a whole.
    fn order_of(&self, call: &Call) -> Order {
        if !is_eval(call) || self.blocks.is_tested(call) {
            return Order::Unordered;
        }
        let name = functions::request(call).map(|request| request.name).unwrap_or_default();
        let function = self.turn.functions.iter().find(|function| function.name() == name);
        function.map_or(Order::Unordered, SamFunction::order)
    }

    /// Runs the functions that run first or last, requested or periodic, by their sequence.
    fn run_ordered(&mut self, calls: &[&Call], order: Order) -> Result<(), Incomplete> {
        let mut jobs: Vec<(Number, Option<&Call>, &SamFunction)> = Vec::new();
        for call in calls.iter().filter(|call| self.order_of(call) == order) {
            let request = functions::request(call);
            let function = request.and_then(|request| functions::find(self.turn, &request.name, &self.state));
            if let Ok(function) = function {
                jobs.push((function.sequence(), Some(call), function));
            }
        }
        jobs.extend(periodic(self.turn, order).map(|function| (function.sequence(), None, function)));
        jobs.sort_by_key(|(sequence, ..)| *sequence);
        jobs.into_iter().try_for_each(|(_, call, function)| match call {
            Some(call) => self.eval(call),
            None => self.run_periodic(function),
        })
    }
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;
    use crate::profile::SamVersion::{V3_5, V4_2, V5, V6};
    use crate::sam::tests_support::{after, codes, data_after, traces};
    use crate::trace::Verdict;

    fn functions(text: &str) -> Vec<SamFunction> {
        let list = json::read(text).unwrap();
        list.as_list().unwrap().iter().map(|definition| SamFunction { definition: definition.clone() }).collect()
    }

    /// Returns the texts that functions and calls appended, in order.
    fn pushed(text: &str) -> String {
        let functions = functions(
            r#"[{"func_name":"b","func_body":"push b","order":"first","sequence":2,"periodic":true},
                {"func_name":"a","func_body":"push a","order":"first","sequence":1},
                {"func_name":"p","func_body":"push p","periodic":true},
                {"func_name":"z","func_body":"push z","order":"last"},
                {"func_name":"bad","func_body":"throw"}]"#,
        );
        let (state, _) = traces(V4_2, r#"{"static":{"t":[]}}"#, text, &functions);
        json::write(state.get("static").unwrap().get("t").unwrap())
    }

    #[test]
    fn functions_run_where_their_order_says() {
        assert_eq!(pushed("夜。"), r#"["b","p"]"#);
        let text = "@.ADD(\"t\", 1); @.EVAL(\"z\"); @.EVAL(\"a\"); @.EVAL(\"bad\"); @.EVAL(\"p\"); @.ADD(\"t\", 2);";
        assert_eq!(pushed(text), r#"["a","b",1,"p",2,"p","z"]"#);
        assert_eq!(pushed("<JSONPatch>[{\"op\":\"func\",\"func_name\":\"a\"}]</JSONPatch>"), r#"["a","b","p"]"#);
    }

    #[test]
    fn a_function_that_nobody_allowed_does_not_run() {
        let state = r#"{"static":{},"func":[{"func_name":"own","func_body":"push x"}]}"#;
        let text = "@.EVAL(\"own\"); @.EVAL(\"gone\"); @.EVAL(); @.EVAL(5);";
        assert_eq!(codes(V4_2, state, text), ["E-FUNC-NOT-ALLOWED", "E-FUNC-UNKNOWN", "E-FUNC-NAME", "E-FUNC-NAME"]);
    }

    #[test]
    fn the_clock_goes_first_but_in_version_5() {
        let state = r#"{"static":{},"time":"2030-01-01T00:00:00Z"}"#;
        let text = "@.EVENT_BEGIN(\"a\", \"b\");\n@.TIME(\"2030-01-02T00:00:00Z\");";
        let started = |version| {
            let state = json::read(&after(version, state, text)).unwrap();
            state.get("events").unwrap().as_list().unwrap()[0].get("start_time").unwrap().as_text().unwrap().to_owned()
        };
        for version in [V3_5, V4_2, V6] {
            assert_eq!(started(version), "2030-01-02T00:00:00Z", "{version:?}");
        }
        assert_eq!(started(V5), "2030-01-01T00:00:00Z");
    }

    #[test]
    fn every_dialect_is_read_on_the_storys_data() {
        let text = "@.SUB(\"a\", 1); _.set('b', 2); @.var.SET(\"c\", 3); @.sam.ADD(\"a\", 5); \
            @.DB({\"$inc\":{\"a\":1}}); <JSONPatch>[{\"op\":\"inc\",\"path\":\"/a\",\"value\":1}]</JSONPatch>";
        for version in [V4_2, V5, V6] {
            assert_eq!(data_after(version, r#"{"a":1}"#, text), r#"{"a":7,"b":2,"c":3}"#);
        }
    }

    #[test]
    fn a_story_without_data_refuses_and_goes_on() {
        assert_eq!(
            codes(V4_2, r#"{"static":[1]}"#, "@.SET(\"a\", 1); @.TIME(\"x\"); _.set('a', 1);"),
            ["E-SAM-STATIC", "E-SAM-STATIC"]
        );
    }

    #[test]
    fn a_failed_test_undoes_and_stops_its_block() {
        let block = |value: u8| {
            format!(
                r#"@.DEL("l", 0);<JSONPatch>[{{"op":"time","value":"2031-01-01T00:00:00Z"}},{{"op":"remove","path":"/l/0"}},
                {{"op":"test","path":"/a","value":{value}}},{{"op":"inc","path":"/a","value":1}}]</JSONPatch>"#
            )
        };
        let state = r#"{"static":{"a":1,"l":["x","y","z"]},"time":"2030-01-01T00:00:00Z"}"#;
        for version in [V3_5, V4_2, V5, V6] {
            assert_eq!(
                codes(version, state, &block(2)),
                ["E-PATCH-UNDONE", "E-PATCH-UNDONE", "E-PATCH-TEST", "E-PATCH-SKIPPED"]
            );
            let after = json::read(&after(version, state, &block(2))).unwrap();
            assert_eq!(json::write(after.get("static").unwrap()), r#"{"a":1,"l":["y","z"]}"#, "{version:?}");
            assert_eq!(after.get("time").unwrap().as_text(), Some("2030-01-01T00:00:00Z"));
            assert!(codes(version, state, &block(1)).is_empty());
        }
    }

    #[test]
    fn updates_are_bounded() {
        let fields: Vec<String> = (0..3_000).map(|n| format!("\"k{n}\":1")).collect();
        let text = format!("@.DB({{\"$set\":{{{}}}}});", fields.join(","));
        assert_eq!(codes(V5, "{}", &text), ["E-DB-MANY"]);
    }

    #[test]
    fn every_example_does_what_it_says() {
        let state = r#"{"static":{"主角":{"生命":1,"金币":1,"背包":["干粮","盐"],"称号":"x","_等级":1,"左手":1,"右手":2},
            "同伴":[{"名":"阿菱","好感":1}],"天气":"晴"},"events":[{"name":"擂台","status":0}],"volatile":[["a",1,false,9,"rain"]]}"#;
        let functions = functions(r#"[{"func_name":"升级","func_params":["n"],"func_body":"push x"}]"#);
        let state = state.replace("\"天气\":", "\"t\":[],\"天气\":");
        for builtin in super::super::COMMANDS {
            let ended = state.replace("\"status\":0", "\"status\":1");
            let state = if builtin.name == "EVENT_BEGIN" { &ended } else { &state };
            let (_, traces) = traces(V4_2, state, builtin.example, &functions);
            assert!(traces.iter().all(|traces| traces.verdict != Verdict::Failed), "{} {traces:?}", builtin.example);
        }
        for builtin in super::super::PATCH {
            let (_, traces) = traces(V6, &state, &format!("<JSONPatch>[{}]</JSONPatch>", builtin.example), &functions);
            assert!(traces.iter().all(|traces| traces.verdict != Verdict::Failed), "{} {traces:?}", builtin.example);
        }
    }
}
