//! The caller's side of a sandbox: sends only what changed since the last request, and accounts for
//! ticks and time.

use std::time::{Duration, Instant};

use storeyline_functions::script::{PatternMatch, Script, Used};
use storeyline_functions::{Incomplete, Outcome, Refusal, Scripts, Stopped};
use storeyline_state::{Value, diff};

use crate::limits::Limits;
use crate::refuse;
use crate::request::{Answer, Job, Request, Response, Update};

/// Sends requests to a sandbox.
pub(crate) trait Transport {
    /// Begins a page: the next request finds nothing of those before.
    fn begin_page(&mut self);

    /// The state that the sandbox has to which the next request goes.
    fn resident(&mut self) -> &mut Option<Value>;

    /// Exchanges one request within a time. After a failure the sandbox is a new one and has no state.
    fn exchange(&mut self, request: Request, limit: Duration) -> Result<Response, Incomplete>;
}

/// With more ops than this the whole state is sent.
const MAX_OPS: usize = 256;

/// Runs scripts in a sandbox.
pub struct ScriptClient<C> {
    pub(crate) transport: C,
    limits: Limits,
    page: Option<Used>,
    request: Option<Used>,
    /// What `console` printed; `None` if nobody listens.
    printed: Option<Vec<String>>,
}

/// Maximum number of lines that are kept.
const MAX_LINES: usize = 1_000;

#[expect(private_bounds, reason = "the transports are those of this crate")]
impl<C: Transport> ScriptClient<C> {
    pub(crate) fn over(transport: C, limits: Limits) -> Self {
        ScriptClient { transport, limits, page: None, request: None, printed: None }
    }

    /// Returns the tick limit of the next call: its own limit, or what the page has left.
    fn allowance(&self) -> Result<u64, Stopped> {
        let request = self.request.unwrap_or_default();
        if request.ticks >= self.limits.request_ticks || request.time >= self.limits.request_time {
            let why = "the scripts of this request have used up what one request may use";
            return Err(Stopped::Incomplete(Incomplete::new(why)));
        }
        if self.page.is_some_and(|page| page.time >= self.limits.page_time) {
            return Err(Stopped::Incomplete(Incomplete::out_of_time(
                "the scripts of this page took too long together",
            )));
        }
        Ok(self.limits.call_ticks.min(self.page_left()))
    }

    fn page_left(&self) -> u64 {
        self.page.map_or(u64::MAX, |page| self.limits.page_ticks.saturating_sub(page.ticks))
    }

    /// Returns how long the next call may take: the limit of one call, or what the page and the request have left.
    fn time_left(&self) -> (Duration, fn(&'static str) -> Incomplete) {
        let left = |used: Option<Used>, limit: Duration| used.map_or(limit, |used| limit.saturating_sub(used.time));
        let call: (Duration, fn(&'static str) -> Incomplete) = (self.limits.wall, |why| Incomplete::hung(why));
        let page: (Duration, fn(&'static str) -> Incomplete) =
            (left(self.page, self.limits.page_time), |why| Incomplete::out_of_time(why));
        let request: (Duration, fn(&'static str) -> Incomplete) =
            (left(self.request, self.limits.request_time), |why| Incomplete::new(why));
        [page, request].into_iter().fold(call, |least, next| if next.0 < least.0 { next } else { least })
    }

    fn ask_about(&mut self, state: &Value, request: impl FnOnce(Update) -> Request) -> Result<Answer, Stopped> {
        let resident = self.transport.resident();
        let ops = resident.as_ref().map(|resident| diff::diff(resident, state));
        let update = match ops {
            Some(ops) if ops.len() <= MAX_OPS => Update::Ops(ops),
            _ => Update::Whole(state.clone()),
        };
        *resident = Some(state.clone());
        self.ask(request(update))
    }

    fn ask(&mut self, request: Request) -> Result<Answer, Stopped> {
        let page_is_short = self.page_left() < self.limits.call_ticks;
        let ((limit, over), start) = (self.time_left(), Instant::now());
        let exchanged = self.transport.exchange(request, limit);
        let used = Used { ticks: exchanged.as_ref().map_or(0, |response| response.ticks), time: start.elapsed() };
        [&mut self.page, &mut self.request].into_iter().flatten().for_each(|sum| sum.add(used));
        let response = exchanged.map_err(|incomplete| {
            *self.transport.resident() = None;
            let incomplete =
                if incomplete.hung { over("the script stopped counting and was ended") } else { incomplete };
            Stopped::Incomplete(incomplete)
        })?;
        if let Some(printed) = &mut self.printed {
            printed.extend(response.printed);
            printed.truncate(MAX_LINES);
        }
        match response.answer {
            Answer::Refused(refused) if refused.code == refuse::TICKS && page_is_short => {
                Err(stopped(refuse::page(self.limits.page_ticks)))
            }
            Answer::Refused(refused) => Err(stopped(refused)),
            Answer::Failed(how) => {
                *self.transport.resident() = None;
                Err(Stopped::Incomplete(Incomplete::new(how)))
            }
            answer => Ok(answer),
        }
    }

    fn confused(&mut self) -> Stopped {
        *self.transport.resident() = None;
        Stopped::Incomplete(Incomplete::new("the JavaScript engine gave an answer to another question".to_owned()))
    }
}

impl<C: Transport> Scripts for ScriptClient<C> {
    fn begin_page(&mut self) {
        self.transport.begin_page();
        self.page = Some(Used::default());
    }

    fn begin_request(&mut self, used: Used) {
        self.request = Some(used);
    }

    fn used(&self) -> Used {
        self.request.unwrap_or_default()
    }

    fn listen(&mut self) {
        self.printed = Some(Vec::new());
    }

    fn printed(&mut self) -> Vec<String> {
        self.printed.take().unwrap_or_default()
    }

    fn run(&mut self, state: &Value, script: &Script<'_>) -> Result<Outcome, Stopped> {
        let job = Job::new(script, self.allowance()?, self.printed.is_some());
        let answer = self.ask_about(state, |update| Request::Run(update, job))?;
        let Answer::Changed(ops) = answer else {
            return Err(self.confused());
        };
        let mut next = state.clone();
        for op in &ops {
            op.apply(&mut next).map_err(|_| self.confused())?;
        }
        *self.transport.resident() = Some(next.clone());
        Ok(Outcome { state: next, ops: ops.into() })
    }

    fn test(&mut self, state: &Value, condition: &Script<'_>) -> Result<bool, Stopped> {
        let job = Job::new(condition, self.allowance()?, self.printed.is_some());
        match self.ask_about(state, |update| Request::Test(update, job))? {
            Answer::Truth(truth) => Ok(truth),
            _ => Err(self.confused()),
        }
    }

    fn find(&mut self, pattern: &str, text: &str) -> Result<Vec<PatternMatch>, Stopped> {
        let ticks = self.allowance()?;
        match self.ask(Request::Find { pattern: pattern.to_owned(), text: text.to_owned(), ticks })? {
            Answer::Matches(found) => Ok(found),
            _ => Err(self.confused()),
        }
    }
}

fn stopped(refused: crate::request::Refused) -> Stopped {
    Stopped::Refused(Refusal::new(refused.code, refused.zh, refused.en))
}
