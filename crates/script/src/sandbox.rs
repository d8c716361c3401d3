//! Answers requests: keeps the state of the last one, and decides in which realm a verdict counts.
//!
//! **Why a verdict does not depend on what ran before.** Ticks are counted from a drained counter,
//! and nothing that polls is remembered between calls, so their number is a property of the call.
//! Memory is not: an engine that has worked has larger tables and collects at other moments. So a
//! call that passes a limit in a realm with a past, or whose heap grew beyond half of the limit
//! (also when the script itself caught the error), is run again in a fresh realm, and that verdict
//! counts. What stays below half succeeds in a fresh realm too, where there is more room.

use storeyline_state::{Value, diff};

use crate::limits::Limits;
use crate::pattern;
use crate::realm::{Realm, Verdict};
use crate::refuse;
use crate::request::{Answer, Refused, Request, Response, Update};

/// Someone with an engine and a state.
pub(crate) struct Sandbox {
    limits: Limits,
    realm: Option<Realm>,
    resident: Value,
}

impl Sandbox {
    /// Makes a sandbox; its engine is made when it is needed.
    pub(crate) fn new(limits: Limits) -> Sandbox {
        Sandbox { limits, realm: None, resident: Value::Null }
    }

    /// Makes the engine now, while nobody waits.
    pub(crate) fn prepare(&mut self) {
        if self.realm.is_none() {
            self.realm = Realm::new(&self.limits).ok();
        }
    }

    /// Answers one request.
    pub(crate) fn answer(&mut self, request: Request) -> Response {
        let answered = match request {
            Request::Run(update, job) => self.update(update).and_then(|state| {
                let (ticks, result) = self.judge(|realm| realm.run(&state, &job))?;
                let answer = result.map(|after| {
                    let ops = diff::diff(&state, &after);
                    self.resident = after;
                    Answer::Changed(ops)
                });
                Ok((ticks, answer))
            }),
            Request::Test(update, job) => self.update(update).and_then(|state| {
                let (ticks, result) = self.judge(|realm| realm.test(&state, &job))?;
                Ok((ticks, result.map(Answer::Truth)))
            }),
            Request::Find { pattern, text, ticks } => self.find(&pattern, &text, ticks),
            Request::Probe => Err(match std::fs::File::open("/dev/null") {
                Ok(_) => "opened".to_owned(),
                Err(error) => format!("{:?}", error.kind()),
            }),
        };
        match answered {
            Ok((ticks, Ok(answer))) => Response { ticks, answer },
            Ok((ticks, Err(refused))) => Response { ticks, answer: Answer::Refused(refused) },
            Err(how) => Response { ticks: 0, answer: Answer::Failed(how) },
        }
    }

    fn update(&mut self, update: Update) -> Result<Value, String> {
        match update {
            Update::Whole(state) => self.resident = state,
            Update::Ops(ops) => {
                for op in ops {
                    op.apply(&mut self.resident).map_err(|error| format!("the state did not fit: {error}"))?;
                }
            }
        }
        Ok(self.resident.clone())
    }

    fn find(&mut self, written: &str, text: &str, ticks: u64) -> Result<(u64, Result<Answer, Refused>), String> {
        if written.len() > self.limits.source {
            return Ok((0, Err(refuse::source(self.limits.source))));
        }
        let (source, flags) = pattern::divide(written);
        let (ticks, result) = self.judge(|realm| realm.find(source, &flags, text, ticks))?;
        let result = result.map(|matches| Answer::Found(pattern::spans(text, matches)));
        Ok((ticks, result.map_err(|refused| pattern::explain(source, refused))))
    }

    fn judge<T>(&mut self, mut work: impl FnMut(&mut Realm) -> Verdict<T>) -> Result<Verdict<T>, String> {
        loop {
            let realm = match &mut self.realm {
                Some(realm) => realm,
                empty => {
                    let made = Realm::new(&self.limits).map_err(|error| format!("no engine: {error}"))?;
                    empty.insert(made)
                }
            };
            let fresh = realm.is_fresh();
            let verdict = work(realm);
            let doubtful = realm.grew() || verdict.1.as_ref().is_err_and(refuse::is_limit);
            if doubtful || !realm.is_clean() {
                self.realm = None;
            }
            if fresh || !doubtful {
                return Ok(verdict);
            }
        }
    }
}
