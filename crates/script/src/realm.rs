//! One JavaScript realm: an engine with a fixed clock and seeded random numbers, some with lodash.
//!
//! A realm serves one page and is discarded after it: nothing that a script does reaches another
//! page. Within the page a call gets new copies of the state, its arguments and the context; built-in
//! objects are frozen, and new globals and jobs are removed, or the realm is discarded earlier.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::LazyLock;

use rquickjs::context::{EvalOptions, intrinsic};
use rquickjs::function::Opt;
use rquickjs::{Array, Context, Ctx, Function, Object, Persistent, Runtime, Value as Js};
use storeyline_state::{Value, json};

use crate::bytecode::Bytecode;
use crate::failure::{self, SCRIPT};
use crate::limits::Limits;
use crate::memory::CountedMemory;
use crate::meter::Meter;
use crate::read::{self, ResultReader};
use crate::refuse;
use crate::request::{Code, Job, Refused};

static CLOCK: LazyLock<Bytecode> = LazyLock::new(|| Bytecode::compile(include_str!("js/clock.js")));
static GUARDS: LazyLock<Bytecode> = LazyLock::new(|| Bytecode::compile(include_str!("js/guards.js")));
static TIMES: LazyLock<Bytecode> = LazyLock::new(|| Bytecode::compile(include_str!("js/times.js")));
static LOCK: LazyLock<Bytecode> = LazyLock::new(|| Bytecode::compile(include_str!("js/lock.js")));
static LODASH: LazyLock<Bytecode> = LazyLock::new(|| {
    let source = include_str!("js/lodash/lodash.min.js");
    assert!(source.contains(PATH_CACHE), "the lodash of this crate has this function");
    Bytecode::compile(&source.replace(PATH_CACHE, NO_PATH_CACHE))
});

/// lodash caches the last 500 paths that it split. A cached path costs fewer ticks, so the cost of
/// a call would depend on earlier calls; the cache is disabled.
const PATH_CACHE: &str = "function Pi(n){var t=Cf(n,function(n){return r.size===cn&&r.clear(),n}),r=t.cache;return t}";
const NO_PATH_CACHE: &str = "function Pi(n){return n}";

type Intrinsics = (
    intrinsic::Date,
    intrinsic::Eval,
    intrinsic::RegExpCompiler,
    intrinsic::RegExp,
    intrinsic::Json,
    intrinsic::Proxy,
    intrinsic::MapSet,
    intrinsic::Promise,
);

/// A realm that is ready for a call. The fields are in the order in which they must be dropped.
pub(crate) struct Realm {
    tools: Persistent<Object<'static>>,
    iso_date: Persistent<Function<'static>>,
    context: Context,
    runtime: Runtime,
    meter: Rc<Meter>,
    limits: Limits,
    kind: Kind,
    is_used: bool,
    /// Whether the engine's poll counter is at its start.
    ready: bool,
    clean: bool,
}

/// Loading lodash takes ten times as long as everything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Plain,
    WithLodash,
}

/// The ticks that a call used, and its result.
pub(crate) type CallResult<T> = (u64, Result<T, Refused>);

impl Realm {
    /// Fails only if the machine does.
    pub(crate) fn new(limits: &Limits, kind: Kind) -> Result<Realm, String> {
        let meter = Rc::new(Meter::default());
        let memory = CountedMemory::new(meter.clone());
        let runtime = Runtime::new_with_alloc(memory).map_err(|error| error.to_string())?;
        runtime.set_max_stack_size(limits.stack);
        // Cyclic garbage is collected only when there is much of it; most realms end before.
        runtime.set_gc_threshold(limits.memory / 2);
        let asked = meter.clone();
        runtime.set_interrupt_handler(Some(Box::new(move || asked.tick())));
        let context = Context::custom::<Intrinsics>(&runtime).map_err(|error| error.to_string())?;
        let furnished = context.with(|ctx| {
            install_globals(&ctx, &meter, kind)
                .map_err(|error| failure::refusal(&ctx, &error, limits, &meter, false).en)
        });
        let (tools, iso_date) = furnished?;
        meter.limit_memory(limits.memory);
        let (limits, is_used, ready, clean) = (limits.clone(), false, false, true);
        Ok(Realm { tools, iso_date, context, runtime, meter, limits, kind, is_used, ready, clean })
    }

    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    /// Tells whether a script asked for lodash, which is not here.
    pub(crate) fn wants_lodash(&self) -> bool {
        self.meter.wants_lodash()
    }

    /// Does ahead of time what the next call needs first: a loop that the first tick ends brings
    /// the engine's poll counter to its start.
    pub(crate) fn prepare(&mut self) {
        if self.ready {
            return;
        }
        let Realm { tools, context, meter, .. } = &*self;
        self.ready = context.with(|ctx| drain(&ctx, tools, meter).is_ok());
    }

    /// Tells whether nothing has run here yet.
    pub(crate) fn is_unused(&self) -> bool {
        !self.is_used
    }

    /// Tells whether the heap grew beyond half its limit during the last call.
    pub(crate) fn grew(&self) -> bool {
        self.meter.held_much(self.limits.memory)
    }

    /// Tells whether the last call left nothing behind.
    pub(crate) fn is_clean(&self) -> bool {
        self.clean
    }

    /// Makes the next call collect what it prints, or not.
    pub(crate) fn listen(&self, listens: bool) {
        self.meter.listen(listens);
    }

    /// Takes what the last call printed.
    pub(crate) fn printed(&self) -> Vec<String> {
        self.meter.printed()
    }

    /// Runs a script on a state and returns the state after it.
    pub(crate) fn run(&mut self, state: &Value, job: &Job) -> CallResult<Value> {
        self.call(job.ticks, job.time, job.seed, |call| {
            let (snapshot, returned) = call.invoke(state, job, false)?;
            let kept = matches!(job.code, Code::Sam { .. }) || returned.is_undefined();
            let after = if kept { snapshot } else { returned };
            if !kept && (!after.is_object() || after.is_array() || after.is_function() || after.is_promise()) {
                return Err(refuse::result(read::kind(&after)));
            }
            call.read(&after, state)
        })
    }

    pub(crate) fn test(&mut self, state: &Value, job: &Job) -> CallResult<bool> {
        self.call(job.ticks, job.time, job.seed, |call| {
            let (_, returned) = call.invoke(state, job, true)?;
            Ok(is_truthy(&returned))
        })
    }

    /// Returns the matches of a pattern: start and end in UTF-16, and the groups.
    pub(crate) fn find(&mut self, source: &str, flags: &str, text: &str, ticks: u64) -> CallResult<Vec<Match>> {
        self.call(ticks, 0, 0, |call| call.find(source, flags, text))
    }

    /// Runs `work` between setup and cleanup.
    fn call<T>(
        &mut self,
        ticks: u64,
        time: i64,
        seed: u64,
        work: impl for<'js> FnOnce(&RunningCall<'_, 'js>) -> Result<T, Refused>,
    ) -> CallResult<T> {
        self.prepare();
        self.is_used = true;
        if !std::mem::take(&mut self.ready) {
            return (0, Err(refuse::memory(self.limits.memory)));
        }
        let Realm { tools, iso_date, context, meter, limits, .. } = &*self;
        let ((spent, result), tidy) = context.with(|ctx| {
            let call = match RunningCall::begin(&ctx, tools, iso_date, limits, meter) {
                Ok(call) => call,
                Err(error) => return ((0, Err(failure::refusal(&ctx, &error, limits, meter, false))), false),
            };
            meter.start(ticks, time, seed);
            let result = work(&call);
            let broken = meter.is_broken();
            let spent = meter.stop();
            let result = if broken { Err(refuse::ticks(ticks)) } else { result };
            ctx.catch();
            let tidy = call.tool("clean").and_then(|clean| clean.call::<_, bool>(())).unwrap_or(false);
            ((spent.min(ticks.saturating_add(1)), result), tidy && !call.is_escaped.get())
        });
        self.clean = tidy && !self.runtime.is_job_pending();
        (spent, result)
    }
}

fn drain(ctx: &Ctx<'_>, tools: &Persistent<Object<'static>>, meter: &Meter) -> rquickjs::Result<()> {
    let tools = tools.clone().restore(ctx)?;
    tools.get::<_, Function<'_>>("begin")?.call::<_, ()>(())?;
    meter.drain();
    let drained = tools.get::<_, Function<'_>>("drain")?.call::<_, ()>(());
    debug_assert!(drained.is_err(), "the endless loop was ended by the first tick");
    ctx.catch();
    Ok(())
}

/// A match in UTF-16 code units.
#[derive(Debug, PartialEq)]
pub(crate) struct Match {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) groups: Vec<Option<String>>,
}

/// One running call.
struct RunningCall<'a, 'js> {
    ctx: &'a Ctx<'js>,
    tools: Object<'js>,
    iso_date: Function<'js>,
    limits: &'a Limits,
    meter: &'a Meter,
    /// Whether a text closed its wrapper, so that a part of it ran outside.
    is_escaped: Cell<bool>,
}

impl<'a, 'js> RunningCall<'a, 'js> {
    fn begin(
        ctx: &'a Ctx<'js>,
        tools: &Persistent<Object<'static>>,
        iso_date: &Persistent<Function<'static>>,
        limits: &'a Limits,
        meter: &'a Meter,
    ) -> rquickjs::Result<Self> {
        let tools = tools.clone().restore(ctx)?;
        let (iso_date, is_escaped) = (iso_date.clone().restore(ctx)?, Cell::new(false));
        Ok(RunningCall { ctx, tools, iso_date, limits, meter, is_escaped })
    }

    fn fail(&self, error: &rquickjs::Error) -> Refused {
        failure::refusal(self.ctx, error, self.limits, self.meter, false)
    }

    /// Calls the script and returns its snapshot and its return value.
    fn invoke(&self, state: &Value, job: &Job, condition: bool) -> Result<(Js<'js>, Js<'js>), Refused> {
        let function = self.compile(&job.code, condition)?;
        self.invoke_with(state, job, &function).map_err(|error| self.fail(&error))
    }

    fn invoke_with(&self, state: &Value, job: &Job, function: &Function<'js>) -> rquickjs::Result<(Js<'js>, Js<'js>)> {
        let snapshot = self.value(state)?;
        let args = Array::new(self.ctx.clone())?;
        for (index, arg) in job.args.iter().enumerate() {
            let arg = arg.as_ref().map_or_else(|| Ok(Js::new_undefined(self.ctx.clone())), |arg| self.value(arg))?;
            args.set(index, arg)?;
        }
        let returned = match job.code {
            Code::Body(_) => function.call((
                snapshot.clone(),
                args,
                self.value(&job.context)?,
                self.tools.get::<_, Js<'js>>("console")?,
            ))?,
            Code::Function(_) => self.tool("invoke")?.call((function.clone(), snapshot.clone(), args))?,
            Code::Sam { .. } => self.tool("invokeSam")?.call((function.clone(), snapshot.clone(), args))?,
        };
        Ok((snapshot, returned))
    }

    /// Scripts get it as a parameter. As a global it made the ticks of a call differ between a realm made
    /// ahead and one made on demand.
    fn console(&self) -> Result<Js<'js>, Refused> {
        self.tools.get("console").map_err(|error| self.fail(&error))
    }

    fn tool(&self, name: &str) -> rquickjs::Result<Function<'js>> {
        self.tools.get(name)
    }

    fn value(&self, value: &Value) -> rquickjs::Result<Js<'js>> {
        self.ctx.json_parse(json::write(value))
    }

    /// Compiles the author's text, which begins on the second line of the source.
    fn compile(&self, code: &Code, condition: bool) -> Result<Function<'js>, Refused> {
        if code.text().len() > self.limits.source {
            return Err(refuse::source(self.limits.source));
        }
        match code {
            Code::Body(text) if condition => {
                let expression = format!("function(snapshot,args,context,console){{return (\n{text}\n)}}");
                // A text that is no expression may be a body with `return`.
                self.compile_text(&expression).or_else(|_| self.compile(code, false))
            }
            Code::Body(text) => self.compile_text(&format!("function(snapshot,args,context,console){{\n{text}\n}}")),
            Code::Function(text) => {
                let text = text.trim_end_matches(|c: char| c == ';' || c.is_whitespace());
                let made = self.compile_text(&format!("function(console){{return (\n{text}\n)}}"))?;
                let made: Js<'js> = made.call((self.console()?,)).map_err(|error| self.fail(&error))?;
                made.into_function().ok_or_else(|| refuse::syntax("not a function", None))
            }
            Code::Sam { parameters, body } => self.compile_text(&format!(
                "function(state,fetch,XMLHttpRequest,console){{return (function({}){{\n{body}\n}})}}",
                parameters.join(",").replace(['\n', '\r'], " ")
            )),
        }
    }

    /// Compiles a function. Its source must be the whole text: a text that closes the function and goes on would
    /// run outside of it.
    fn compile_text(&self, text: &str) -> Result<Function<'js>, Refused> {
        let mut options = EvalOptions::default();
        options.strict = false;
        options.filename = Some(SCRIPT.to_owned());
        let compiled: Result<Js<'js>, _> = self.ctx.eval_with_options(format!("({text})"), options);
        let compiled = compiled.map_err(|error| failure::refusal(self.ctx, &error, self.limits, self.meter, true))?;
        let function = compiled.into_function();
        let is_whole = function.as_ref().is_some_and(|function| {
            let source = self.tool("source").and_then(|source| source.call::<_, String>((function.clone(),)));
            source.is_ok_and(|source| source == text)
        });
        self.is_escaped.set(self.is_escaped.get() || !is_whole);
        function.filter(|_| is_whole).ok_or_else(|| refuse::syntax("it closes the function that it is in", None))
    }

    fn read(&self, after: &Js<'js>, before: &Value) -> Result<Value, Refused> {
        let plain: Js<'js> = self.tools.get("ObjectPrototype").map_err(|error| self.fail(&error))?;
        let well_formed = self.tool("wellFormed").map_err(|error| self.fail(&error))?;
        let mut reader = ResultReader::new(before, plain, well_formed, self.iso_date.clone(), self.limits.output);
        reader.read(after).map_err(|stop| match stop {
            read::Stop::Refused(refused) => refused,
            read::Stop::Thrown(error) => self.fail(&error),
        })
    }

    fn find(&self, source: &str, flags: &str, text: &str) -> Result<Vec<Match>, Refused> {
        let found: rquickjs::Result<Option<Array<'js>>> =
            self.tool("find").and_then(|find| find.call((source, flags, text, self.limits.output)));
        let found = found.map_err(|error| failure::refusal(self.ctx, &error, self.limits, self.meter, true))?;
        let Some(flat) = found else {
            return Err(refuse::output(self.limits.output));
        };
        self.matches(&flat).map_err(|error| self.fail(&error))
    }

    fn matches(&self, flat: &Array<'js>) -> rquickjs::Result<Vec<Match>> {
        let (mut matches, mut at) = (Vec::new(), 0);
        while at < flat.len() {
            let count: usize = flat.get(at + 2)?;
            let groups = (0..count).map(|group| self.group(flat.get(at + 3 + group)?)).collect::<Result<_, _>>()?;
            matches.push(Match { start: flat.get(at)?, end: flat.get(at + 1)?, groups });
            at += 3 + count;
        }
        Ok(matches)
    }

    fn group(&self, group: Js<'js>) -> rquickjs::Result<Option<String>> {
        match group.into_string() {
            Some(text) => read::text(&text, &self.tool("wellFormed")?).map(Some),
            None => Ok(None),
        }
    }
}

fn is_truthy(value: &Js<'_>) -> bool {
    if let Some(truth) = value.as_bool() {
        return truth;
    }
    if let Some(number) = value.as_number() {
        return number != 0.0 && !number.is_nan();
    }
    if let Some(text) = value.as_string() {
        return text.to_string().map_or(true, |text| !text.is_empty());
    }
    !value.is_undefined() && !value.is_null()
}

/// Sets up a new realm: clock and random numbers, guards, lodash, the time helpers; then locks it.
fn install_globals<'js>(
    ctx: &Ctx<'js>,
    meter: &Rc<Meter>,
    kind: Kind,
) -> rquickjs::Result<(Persistent<Object<'static>>, Persistent<Function<'static>>)> {
    let (now, random, charge, wanted) = (meter.clone(), meter.clone(), meter.clone(), meter.clone());
    let now = Function::new(ctx.clone(), move || now.now())?;
    let random = Function::new(ctx.clone(), move || random.random())?;
    let charge = Function::new(ctx.clone(), move |units: f64| charge.charge(units))?;
    let want_lodash = Function::new(ctx.clone(), move || wanted.want_lodash())?;
    let printed = meter.clone();
    let print = Function::new(ctx.clone(), move |line: Opt<String>| printed.print(line.0))?;
    let iso_date: Function<'js> = function(ctx, &CLOCK)?.call((now, random))?;
    function(ctx, &GUARDS)?.call::<_, ()>((charge,))?;
    if kind == Kind::WithLodash {
        LODASH.run(ctx)?;
    }
    function(ctx, &TIMES)?.call::<_, ()>(())?;
    let tools: Object<'js> = function(ctx, &LOCK)?.call((want_lodash, print))?;
    Ok((Persistent::save(ctx, tools), Persistent::save(ctx, iso_date)))
}

/// The value of each of our scripts is one function.
fn function<'js>(ctx: &Ctx<'js>, code: &Bytecode) -> rquickjs::Result<Function<'js>> {
    Function::from_value(code.run(ctx)?)
}
