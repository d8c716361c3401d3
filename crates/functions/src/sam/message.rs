//! The order of a message: the clock, functions that go first, the calls as they stand, timers,
//! periodic functions, the closing of lists, functions that go last.
//!
//! 3.5 looks at its timers before anything else; 5 reads the clock where it stands in the text.

use storeyline_calls::{Call, Dialect, Forced};
use storeyline_state::{Number, Op, Value};

use super::batch::Batch;
use super::functions::{self, Order, SamFunction};
use super::write::{path, write};
use super::{basic, db, defaults, rooted, timers};
use crate::builtin::Builtin;
use crate::carried::Carried;
use crate::draft::{Draft, Refusal};
use crate::profile::{Profile, SamVersion};
use crate::run::{Conventions, Outcome, run, unknown};
use crate::script::{Incomplete, Scripts};

/// What a message is carried out with.
#[derive(Debug, Clone, Copy)]
pub struct SamTurn<'a> {
    /// Which SAM.
    pub version: SamVersion,
    /// The floor of the message, from 0 (SAM: chat length - 1).
    pub round: i64,
    /// The card's functions.
    pub functions: &'a [SamFunction],
    /// What scripts see as `context`.
    pub context: &'a Value,
    /// Where random numbers start.
    pub seed: u64,
    /// When the page was written, in milliseconds since 1970.
    pub time: i64,
}

/// How many fields all `@.DB` updates of a message may change.
const MAX_FIELDS: usize = 2_000;

/// Commands that change the state itself and not the story's data in `static`.
const ON_STATE: [&str; 11] = [
    "TIME",
    "TIMED_SET",
    "CANCEL_SET",
    "RESPONSE_SUMMARY",
    "SUMMARY",
    "EVENT_BEGIN",
    "EVENT_END",
    "EVENT_ADD_PROC",
    "EVENT_ADD_DEFN",
    "EVENT_ADD_MEMBER",
    "EVENT_SUMMARY",
];

/// Carries out a message's calls on a state.
pub fn run_message(
    state: &Value,
    calls: &[Call],
    turn: &SamTurn<'_>,
    scripts: &mut dyn Scripts,
) -> Result<(Value, Vec<Carried>), Incomplete> {
    let mut message = Message::begin(state, turn, scripts);
    if turn.version == SamVersion::V3_5 {
        message.fire_timers();
    }
    let (clock, rest): (Vec<&Call>, Vec<&Call>) =
        calls.iter().partition(|call| turn.version != SamVersion::V5 && is_time(call));
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
    Ok((message.state, message.carried))
}

fn is_time(call: &Call) -> bool {
    let ours = matches!(call.dialect, Dialect::At | Dialect::Patch) && call.forced != Some(Forced::Native);
    ours && call.name.eq_ignore_ascii_case("TIME")
}

fn is_eval(call: &Call) -> bool {
    match call.dialect {
        Dialect::At => call.forced != Some(Forced::Native) && call.name.eq_ignore_ascii_case("EVAL"),
        Dialect::Patch => call.name.eq_ignore_ascii_case("func"),
        _ => false,
    }
}

fn periodic<'a>(turn: &SamTurn<'a>, order: Order) -> impl Iterator<Item = &'a SamFunction> + use<'a> {
    turn.functions.iter().filter(move |function| function.is_periodic() && function.order() == order)
}

/// A message while it is carried out.
struct Message<'a, 's> {
    state: Value,
    carried: Vec<Carried>,
    batch: Batch,
    turn: &'a SamTurn<'a>,
    scripts: &'s mut dyn Scripts,
    /// How many scripts have run, and how many fields updates have changed.
    scripts_run: u64,
    fields: usize,
}

impl<'a, 's> Message<'a, 's> {
    fn begin(state: &Value, turn: &'a SamTurn<'a>, scripts: &'s mut dyn Scripts) -> Self {
        let mut draft = Draft::new(state.clone(), None);
        let result = defaults::fill(&mut draft, turn.version);
        let (state, ops) = draft.finish();
        let filled = Carried::unasked("SAM", result.map(|()| ops));
        let carried = if filled.result.as_ref().is_ok_and(Vec::is_empty) { Vec::new() } else { vec![filled] };
        let batch = Batch::new(turn.version, turn.round, &state);
        Message { state, carried, batch, turn, scripts, scripts_run: 0, fields: 0 }
    }

    /// Reads flags and short names again: functions that went first may have changed them.
    fn read_flags(&mut self) {
        if self.scripts_run > 0 {
            self.batch = Batch::new(self.turn.version, self.turn.round, &self.state);
        }
    }

    /// Takes over what a call did.
    fn note(&mut self, result: Result<Outcome, Refusal>, carried: impl FnOnce(Result<Vec<Op>, Refusal>) -> Carried) {
        let result = result.map(|outcome| {
            self.state = outcome.state;
            outcome.ops
        });
        self.carried.push(carried(result));
    }

    /// Carries out one call, in whatever dialect it is written.
    fn call(&mut self, call: &Call) -> Result<(), Incomplete> {
        if is_eval(call) {
            return self.eval(call);
        }
        let command = known(call);
        // DEL is the one that makes holes, and it does so when nothing can go wrong any more.
        let holes = command.filter(|command| command.name != basic::DEL.name).map(|_| self.batch.holes());
        let result = match command {
            Some(builtin) if builtin.name == db::DB.name => {
                self.update(call);
                return Ok(());
            }
            Some(builtin) if ON_STATE.iter().any(|name| name.eq_ignore_ascii_case(builtin.name)) => {
                rooted::in_state(&self.state, &self.batch, |draft| (builtin.apply)(draft, &call.args))
            }
            Some(builtin) => rooted::in_data(&self.state, &self.batch, |draft| (builtin.apply)(draft, &call.args)),
            None if call.dialect == Dialect::Patch => Err(unknown(call)),
            None => self.others(call),
        };
        if let (Err(_), Some(holes)) = (&result, holes) {
            self.batch.restore(holes);
        }
        self.note(result, |result| Carried::call(call, result));
        Ok(())
    }

    /// Our own functions and other peers' calls see the story's data as the whole state.
    fn others(&self, call: &Call) -> Result<Outcome, Refusal> {
        let conventions = Conventions { profile: Profile::Native, locks: None };
        let inner = run(rooted::data(&self.state)?, call, conventions)?;
        rooted::lift(&self.state, inner)
    }

    /// Carries out the fields of an update, each by itself.
    fn update(&mut self, call: &Call) {
        let entries = match db::entries(&call.args) {
            Ok(entries) => entries,
            Err(refusal) => {
                self.carried.push(Carried::call(call, Err(refusal)));
                return;
            }
        };
        for entry in entries {
            let named = |result| Carried { name: format!("@.DB {}", entry.operator), ..Carried::call(call, result) };
            self.fields += 1;
            if self.fields > MAX_FIELDS {
                self.carried.push(named(Err(too_many_fields())));
                return;
            }
            let holes = self.batch.holes();
            let result = rooted::in_data(&self.state, &self.batch, |draft| db::apply(draft, &entry));
            if result.is_err() {
                self.batch.restore(holes);
            }
            self.note(result, named);
        }
    }

    fn eval(&mut self, call: &Call) -> Result<(), Incomplete> {
        let asked = functions::request(call)
            .and_then(|request| functions::find(self.turn, &request.name, &self.state).map(|found| (found, request)));
        let result = match asked {
            Ok((function, request)) => self.run_function(function, &request.args)?,
            Err(refusal) => Err(refusal),
        };
        self.note(result, |result| Carried::call(call, result));
        Ok(())
    }

    fn run_periodic(&mut self, function: &SamFunction) -> Result<(), Incomplete> {
        let result = self.run_function(function, &[])?;
        self.note(result, |result| Carried::unasked(function.name(), result));
        Ok(())
    }

    fn run_function(
        &mut self,
        function: &SamFunction,
        args: &[Option<Value>],
    ) -> Result<Result<Outcome, Refusal>, Incomplete> {
        let nth = self.scripts_run;
        self.scripts_run += 1;
        functions::run(&self.state, function, args, self.turn, nth, self.scripts)
    }

    /// When a call runs: as it stands, unless its function goes first or last.
    fn order_of(&self, call: &Call) -> Order {
        if !is_eval(call) {
            return Order::Unordered;
        }
        let name = functions::request(call).map(|request| request.name).unwrap_or_default();
        let function = self.turn.functions.iter().find(|function| function.name() == name);
        function.map_or(Order::Unordered, SamFunction::order)
    }

    /// Runs the functions that go first or last, asked for or periodic, by their sequence.
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

    /// Sets what timers have been waiting to set. A timer that is due is gone, whatever comes of it.
    fn fire_timers(&mut self) {
        for (gone, due) in timers::due(&self.state, self.turn.round, self.turn.time).into_iter().enumerate() {
            let taken = rooted::in_state(&self.state, &self.batch, |draft| timers::take_off(draft, due.at - gone));
            self.note(taken, |result| Carried {
                reason: Some(due.reason.clone()),
                ..Carried::unasked("@.TIMED_SET", result)
            });
            let set = rooted::in_data(&self.state, &self.batch, |draft| {
                let path = path(draft, &due.path)?;
                write(draft, &path, due.value)
            });
            self.note(set, |result| Carried { reason: Some(due.reason), ..Carried::unasked("@.SET", result) });
        }
    }

    fn close_lists(&mut self) {
        if self.batch.holes().is_empty() {
            return;
        }
        let result = rooted::in_data(&self.state, &self.batch, basic::close_up);
        self.note(result, |result| Carried::unasked("@.DEL", result));
    }
}

/// The command of SAM that a call names.
fn known(call: &Call) -> Option<&'static Builtin> {
    let own = match call.dialect {
        Dialect::At if call.forced != Some(Forced::Native) => super::COMMANDS,
        Dialect::Patch => super::PATCH,
        _ => return None,
    };
    own.iter().copied().find(|builtin| builtin.name.eq_ignore_ascii_case(&call.name))
}

fn too_many_fields() -> Refusal {
    Refusal::new(
        "E-DB-MANY",
        format!("一条消息最多改 {MAX_FIELDS} 个字段，其余没有执行。"),
        format!("A message may change {MAX_FIELDS} fields; the rest was not done."),
    )
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;
    use crate::profile::SamVersion::{V3_5, V4_2, V5, V6};
    use crate::sam::tests_support::{after, carried, codes, data_after};

    fn functions(text: &str) -> Vec<SamFunction> {
        let list = json::read(text).unwrap();
        list.as_list().unwrap().iter().map(|definition| SamFunction { definition: definition.clone() }).collect()
    }

    /// The texts that functions and calls appended, in their order.
    fn pushed(text: &str) -> String {
        let functions = functions(
            r#"[{"func_name":"b","func_body":"push b","order":"first","sequence":2,"periodic":true},
                {"func_name":"a","func_body":"push a","order":"first","sequence":1},
                {"func_name":"p","func_body":"push p","periodic":true},
                {"func_name":"z","func_body":"push z","order":"last"},
                {"func_name":"bad","func_body":"throw"}]"#,
        );
        let (state, _) = carried(V4_2, r#"{"static":{"t":[]}}"#, text, &functions);
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
            let (_, carried) = carried(V4_2, state, builtin.example, &functions);
            assert!(carried.iter().all(|carried| carried.result.is_ok()), "{} {carried:?}", builtin.example);
        }
        for builtin in super::super::PATCH {
            let (_, carried) =
                carried(V6, &state, &format!("<JSONPatch>[{}]</JSONPatch>", builtin.example), &functions);
            assert!(carried.iter().all(|carried| carried.result.is_ok()), "{} {carried:?}", builtin.example);
        }
    }
}
