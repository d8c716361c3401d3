//! Answers requests: keeps the state of the last one, and decides in which realm a verdict counts.
//!
//! **Why a verdict does not depend on what ran before.** Ticks are counted from a drained counter,
//! and nothing that polls is remembered between calls, so their number is a property of the call.
//! Memory is not: an engine that has worked has larger tables and collects at other moments. So a
//! call that passes a limit in a realm with a past, or whose heap grew beyond half of the limit
//! (also when the script itself caught the error), is run again in a fresh realm, and that verdict
//! counts. What stays below half succeeds in a fresh realm too, where there is more room.

use storeyline_state::{Op, Value, diff};

use crate::limits::Limits;
use crate::pattern;
use crate::realm::Realm;
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

    /// Answers a request; without one, only makes the engine ready while nobody waits.
    ///
    /// The engine measures its stack from where it was made, so it is made and used from this one
    /// frame: how deep a script can call is then the same for every engine.
    #[inline(never)]
    pub(crate) fn turn(&mut self, request: Option<&Request>) -> Option<Response> {
        if let Some(Request::Run(update, _) | Request::Test(update, _)) = request
            && let Err(how) = self.update(update)
        {
            return Some(Response { ticks: 0, answer: Answer::Failed(how) });
        }
        loop {
            let realm = match self.realm.take() {
                Some(realm) => Ok(realm),
                None => Realm::new(&self.limits),
            };
            let (mut realm, request) = match (realm, request) {
                (Ok(realm), Some(request)) => (realm, request),
                (realm, None) => {
                    self.realm = realm.ok();
                    if let Some(realm) = &mut self.realm {
                        realm.prepare();
                    }
                    return None;
                }
                (Err(how), Some(_)) => {
                    return Some(Response { ticks: 0, answer: Answer::Failed(format!("no engine: {how}")) });
                }
            };
            let fresh = realm.is_fresh();
            let response = self.answer(&mut realm, request);
            let doubtful =
                realm.grew() || matches!(&response.answer, Answer::Refused(refused) if refuse::is_limit(refused));
            if !doubtful && realm.is_clean() {
                self.realm = Some(realm);
            }
            if fresh || !doubtful {
                if let Answer::Changed(ops) = &response.answer {
                    self.apply(ops).ok()?;
                }
                return Some(response);
            }
        }
    }

    fn answer(&self, realm: &mut Realm, request: &Request) -> Response {
        let answered = match request {
            Request::Run(_, job) => {
                let (ticks, result) = realm.run(&self.resident, job);
                Ok((ticks, result.map(|after| Answer::Changed(diff::diff(&self.resident, &after)))))
            }
            Request::Test(_, job) => {
                let (ticks, result) = realm.test(&self.resident, job);
                Ok((ticks, result.map(Answer::Truth)))
            }
            Request::Find { pattern, text, ticks } => Ok(self.find(realm, pattern, text, *ticks)),
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

    /// Takes over the state that a request is about.
    fn update(&mut self, update: &Update) -> Result<(), String> {
        match update {
            Update::Whole(state) => self.resident = state.clone(),
            Update::Ops(ops) => self.apply(ops)?,
        }
        Ok(())
    }

    fn apply(&mut self, ops: &[Op]) -> Result<(), String> {
        for op in ops {
            op.apply(&mut self.resident).map_err(|error| format!("the state did not fit: {error}"))?;
        }
        Ok(())
    }

    fn find(&self, realm: &mut Realm, written: &str, text: &str, ticks: u64) -> (u64, Result<Answer, Refused>) {
        if written.len() > self.limits.source {
            return (0, Err(refuse::source(self.limits.source)));
        }
        let (source, flags) = pattern::divide(written);
        let (ticks, result) = realm.find(source, &flags, text, ticks);
        let result = result.map(|matches| Answer::Matches(pattern::spans(text, matches)));
        (ticks, result.map_err(|refused| pattern::explain(source, refused)))
    }
}
