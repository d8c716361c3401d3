//! `EVAL` and the functions of a card: which there are, when they run, and how they are requested.
//!
//! Only functions in the rules are run. Functions in the state's own `func` were not allowed by the
//! user; they are data.

use storeyline_calls::{Arg, Call, Dialect};
use storeyline_state::{Number, Value};

use super::SamTurn;
use crate::builtin::Builtin;
use crate::draft::Refusal;
use crate::page::stuck;
use crate::run::Outcome;
use crate::script::{Incomplete, Script, Scripts, Source, Stopped};

pub(super) const EVAL: Builtin = Builtin {
    name: "EVAL",
    aliases: &[],
    syntax: "@.EVAL(\"function_name\", argument, ...);",
    zh: "运行角色卡的函数",
    en: "runs a function of the card",
    example: "@.EVAL(\"升级\", 2);",
    apply: |_, _| Err(not_here()),
};

/// A function of a card's `__SAM_IDENTIFIER__` entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SamFunction {
    /// The definition as in the card: `func_name`, `func_params`, `func_body`, `periodic`, `order`,
    /// `sequence`.
    pub definition: Value,
}

/// When a function runs within a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    First,
    Unordered,
    Last,
}

impl SamFunction {
    pub fn name(&self) -> &str {
        self.text("func_name")
    }

    pub(super) fn is_periodic(&self) -> bool {
        self.definition.get("periodic").and_then(Value::as_bool) == Some(true)
    }

    pub(super) fn order(&self) -> Order {
        match self.text("order") {
            "first" => Order::First,
            "last" => Order::Last,
            _ => Order::Unordered,
        }
    }

    pub(super) fn sequence(&self) -> Number {
        self.definition.get("sequence").and_then(Value::as_number).unwrap_or(Number::ZERO)
    }

    fn text(&self, key: &str) -> &str {
        self.definition.get(key).and_then(Value::as_text).unwrap_or("")
    }

    fn parameters(&self) -> Vec<String> {
        let given = self.definition.get("func_params").and_then(Value::as_list).unwrap_or(&[]);
        given.iter().filter_map(Value::as_text).map(|name| name.trim().to_owned()).collect()
    }
}

/// A request of a message to run a function.
pub(super) struct FunctionRequest {
    pub(super) name: String,
    pub(super) args: Vec<Option<Value>>,
}

/// Parses `@.EVAL(name, …)` or the patch op `func`.
pub(super) fn request(call: &Call) -> Result<FunctionRequest, Refusal> {
    let (name, args): (Option<&Value>, Vec<Option<Value>>) = if call.dialect == Dialect::Patch {
        let op = &call.args[0].value;
        let params = op.get("params").or(op.get("args")).or(op.get("value"));
        let args = match params {
            Some(Value::List(params)) => params.iter().cloned().map(Some).collect(),
            Some(one) => vec![Some(one.clone())],
            None => Vec::new(),
        };
        (op.get("func_name").or(op.get("name")), args)
    } else {
        let rest = call.args.get(1..).unwrap_or(&[]);
        (call.args.first().map(|arg| &arg.value), rest.iter().map(|arg: &Arg| Some(arg.value.clone())).collect())
    };
    let name = name.and_then(Value::as_text).ok_or_else(|| {
        Refusal::new("E-FUNC-NAME", "没有写函数名，没有执行。", "It names no function; nothing was done.")
    })?;
    Ok(FunctionRequest { name: name.trim().to_owned(), args })
}

pub(super) fn find<'a>(turn: &SamTurn<'a>, name: &str, state: &Value) -> Result<&'a SamFunction, Refusal> {
    turn.functions.iter().find(|function| function.name() == name).ok_or_else(|| {
        let own = state.get("func").and_then(Value::as_list).unwrap_or(&[]);
        if own.iter().any(|function| function.get("func_name").and_then(Value::as_text) == Some(name)) {
            return Refusal::new(
                "E-FUNC-NOT-ALLOWED",
                format!("函数 {name} 只写在状态的 func 里，要先在函数库里允许，没有执行。"),
                format!("The function {name} stands in the state's `func` only; allow it in the library first."),
            );
        }
        Refusal::new(
            "E-FUNC-UNKNOWN",
            format!("角色卡没有函数 {name}，没有执行。"),
            format!("The card has no function {name}; nothing was done."),
        )
    })
}

/// Runs a function. The inner result tells whether it succeeded; the outer one, whether it could be
/// run.
pub(super) fn run(
    state: &Value,
    function: &SamFunction,
    args: &[Option<Value>],
    turn: &SamTurn<'_>,
    nth: u64,
    scripts: &mut dyn Scripts,
) -> Result<Result<Outcome, Refusal>, Incomplete> {
    let parameters = function.parameters();
    if turn.stuck.iter().any(|stuck| stuck == function.name()) {
        return Ok(Err(stuck(function.name())));
    }
    let script = Script {
        source: Source::Sam { parameters: &parameters, body: function.text("func_body") },
        args,
        context: turn.context,
        // Two scripts in one message get different random numbers.
        seed: turn.seed.wrapping_add(nth.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        time: turn.time,
    };
    match scripts.run(state, &script).map_err(|stopped| stopped.of(function.name())) {
        Ok(outcome) if outcome.state.as_object().is_none() => Ok(Err(Refusal::new(
            "E-FUNC-STATE",
            format!("函数 {} 没有留下对象状态，改动已放弃。", function.name()),
            format!("The function {} left no state object; its changes were dropped.", function.name()),
        ))),
        Ok(outcome) => Ok(Ok(outcome)),
        Err(Stopped::Refused(refusal)) => Ok(Err(refusal)),
        Err(Stopped::Incomplete(incomplete)) => Err(incomplete),
    }
}

/// Refuses because functions cannot be run here.
pub(super) fn not_here() -> Refusal {
    Refusal::new(
        "E-SAM-ONLY",
        "函数只在 SAM 故事里运行，没有执行。",
        "Functions run in a SAM story only; nothing was done.",
    )
}
