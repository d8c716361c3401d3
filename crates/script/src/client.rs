//! The caller's side of a sandbox: sends only what changed since the last request, and accounts for
//! ticks.

use storeyline_functions::script::{PatternMatch, Script};
use storeyline_functions::{Incomplete, Outcome, Refusal, Scripts, Stopped};
use storeyline_state::{Value, diff};

use crate::limits::Limits;
use crate::refuse;
use crate::request::{Answer, Job, Request, Response, Update};

/// Sends requests to a sandbox.
pub(crate) trait Transport {
    /// Exchanges one request. After a failure the sandbox is a new one and has no state.
    fn exchange(&mut self, request: Request) -> Result<Response, Incomplete>;
}

/// With more ops than this the whole state is sent.
const MAX_OPS: usize = 256;

/// Runs scripts in a sandbox: a transport and the state that the sandbox has.
pub struct ScriptClient<C> {
    pub(crate) transport: C,
    limits: Limits,
    resident: Option<Value>,
    page: Option<u64>,
    request: Option<u64>,
}

#[expect(private_bounds, reason = "the transports are those of this crate")]
impl<C: Transport> ScriptClient<C> {
    pub(crate) fn over(transport: C, limits: Limits) -> Self {
        ScriptClient { transport, limits, resident: None, page: None, request: None }
    }

    /// Returns the tick limit of the next call: its own limit, or what the page has left.
    fn allowance(&self) -> Result<u64, Stopped> {
        if self.request.is_some_and(|spent| spent >= self.limits.request_ticks) {
            let why = "the scripts of this request have used up what one request may use";
            return Err(Stopped::Incomplete(Incomplete::new(why.to_owned())));
        }
        Ok(self.limits.call_ticks.min(self.page_left()))
    }

    fn page_left(&self) -> u64 {
        self.page.map_or(u64::MAX, |spent| self.limits.page_ticks.saturating_sub(spent))
    }

    fn ask_about(&mut self, state: &Value, request: impl FnOnce(Update) -> Request) -> Result<Answer, Stopped> {
        let ops = self.resident.as_ref().map(|resident| diff::diff(resident, state));
        let update = match ops {
            Some(ops) if ops.len() <= MAX_OPS => Update::Ops(ops),
            _ => Update::Whole(state.clone()),
        };
        self.resident = Some(state.clone());
        self.ask(request(update))
    }

    fn ask(&mut self, request: Request) -> Result<Answer, Stopped> {
        let page_is_short = self.page_left() < self.limits.call_ticks;
        let response = self.transport.exchange(request).map_err(|incomplete| {
            self.resident = None;
            Stopped::Incomplete(incomplete)
        })?;
        for spent in [&mut self.page, &mut self.request].into_iter().flatten() {
            *spent = spent.saturating_add(response.ticks);
        }
        match response.answer {
            Answer::Refused(refused) if refused.code == refuse::TICKS && page_is_short => {
                Err(stopped(refuse::page(self.limits.page_ticks)))
            }
            Answer::Refused(refused) => Err(stopped(refused)),
            Answer::Failed(how) => {
                self.resident = None;
                Err(Stopped::Incomplete(Incomplete::new(how)))
            }
            answer => Ok(answer),
        }
    }

    fn confused(&mut self) -> Stopped {
        self.resident = None;
        Stopped::Incomplete(Incomplete::new("the JavaScript engine gave an answer to another question".to_owned()))
    }
}

impl<C: Transport> Scripts for ScriptClient<C> {
    fn begin_page(&mut self) {
        self.page = Some(0);
    }

    fn begin_request(&mut self, used: u64) {
        self.request = Some(used);
    }

    fn request_ticks(&self) -> u64 {
        self.request.unwrap_or(0)
    }

    fn run(&mut self, state: &Value, script: &Script<'_>) -> Result<Outcome, Stopped> {
        let job = Job::new(script, self.allowance()?);
        let answer = self.ask_about(state, |update| Request::Run(update, job))?;
        let Answer::Changed(ops) = answer else {
            return Err(self.confused());
        };
        let mut next = state.clone();
        for op in &ops {
            op.apply(&mut next).map_err(|_| self.confused())?;
        }
        self.resident = Some(next.clone());
        Ok(Outcome { state: next, ops: ops.into() })
    }

    fn test(&mut self, state: &Value, condition: &Script<'_>) -> Result<bool, Stopped> {
        let job = Job::new(condition, self.allowance()?);
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
