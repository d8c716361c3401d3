//! Answers requests: keeps the state of the last one, gives every page a realm of its own, and decides which realm's
//! verdict is final.
//!
//! **Why a verdict does not depend on earlier pages**: they ran in other realms. **Nor on earlier calls of the page**:
//! ticks are counted from a drained counter, and nothing that polls is cached between calls, so their number is a
//! property of the call. Memory is not: a used engine has larger tables and collects garbage at other times. So a call
//! that exceeds a limit in a used realm, or whose heap grew beyond half of the limit (also when the script itself caught
//! the error), is run again in a new realm, and that verdict is final. A call that stays below half of the limit
//! succeeds in a new realm too, which has more free memory.
//!
//! **Nor on lodash**: a script that asks for it in a realm without it is run again in a new one with it, whatever it
//! did with the error. Apart from that the two kinds of realm are alike.

use storeyline_state::{Op, Value, diff};

use crate::limits::Limits;
use crate::pattern;
use crate::realm::{Kind, Realm};
use crate::refuse;
use crate::request::{Answer, Refused, Request, Response, Update};

/// An engine and a state.
pub(crate) struct Sandbox {
    limits: Limits,
    /// The realm of this page; none if it has to be made.
    realm: Option<Realm>,
    /// The realm of the next page, made ahead.
    next: Option<Realm>,
    /// The realm of the last page, until there is time to drop it.
    last: Option<Realm>,
    /// How many requests this page had, and the one before it, which most likely was like this one.
    requests: usize,
    expected: usize,
    /// What this page needed so far, though its realm may have more; the next one most likely needs the same.
    needed: Kind,
    resident: Value,
}

impl Sandbox {
    /// The engine is created on first use.
    pub(crate) fn new(limits: Limits) -> Sandbox {
        let (realm, next, last) = (None, None, None);
        Sandbox { limits, realm, next, last, requests: 0, expected: 0, needed: Kind::Plain, resident: Value::Null }
    }

    /// Answers a request; without one, prepares what comes next while nobody waits: another request of this page, or
    /// the next page if this one had as many as the last.
    ///
    /// The engine measures its stack from where it was created, so it is created and used from this
    /// one frame: the maximum call depth of a script is then the same for every engine.
    #[inline(never)]
    pub(crate) fn turn(&mut self, request: Option<&Request>) -> Option<Response> {
        if let Some(Request::Run(update, _) | Request::Test(update, _)) = request
            && let Err(how) = self.update(update)
        {
            return Some(Response::new(0, Answer::Failed(how)));
        }
        let Some(request) = request else {
            self.last = None;
            let kind = self.needed;
            let slot = if self.requests < self.expected { &mut self.realm } else { &mut self.next };
            let made = match slot.take() {
                Some(realm) => Ok(realm),
                None => Realm::new(&self.limits, kind),
            };
            *slot = made.ok();
            if let Some(realm) = slot {
                realm.prepare();
            }
            return None;
        };
        self.requests += 1;
        let mut kind = kind_for(request);
        loop {
            let ready = self.realm.take().filter(|realm| kind == Kind::Plain || realm.kind() == kind);
            let made = match ready {
                Some(realm) => Ok(realm),
                None => Realm::new(&self.limits, kind),
            };
            let mut realm = match made {
                Ok(realm) => realm,
                Err(how) => return Some(Response::new(0, Answer::Failed(format!("no engine: {how}")))),
            };
            let fresh = realm.is_unused();
            let response = self.answer(&mut realm, request);
            if realm.wants_lodash() {
                kind = Kind::WithLodash;
                continue;
            }
            if kind == Kind::WithLodash {
                self.needed = kind;
            }
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

    /// Begins a page, in another realm.
    pub(crate) fn begin_page(&mut self) {
        self.last = self.realm.take();
        self.realm = self.next.take();
        self.expected = std::mem::take(&mut self.requests);
        self.needed = Kind::Plain;
    }

    fn answer(&self, realm: &mut Realm, request: &Request) -> Response {
        let listens = matches!(request, Request::Run(_, job) | Request::Test(_, job) if job.listens);
        realm.listen(listens);
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
        let printed = realm.printed();
        match answered {
            Ok((ticks, Ok(answer))) => Response { printed, ..Response::new(ticks, answer) },
            Ok((ticks, Err(refused))) => Response { printed, ..Response::new(ticks, Answer::Refused(refused)) },
            Err(how) => Response::new(0, Answer::Failed(how)),
        }
    }

    /// Sets or updates the state of a request.
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
        let (source, flags) = pattern::split_flags(written);
        let (ticks, result) = realm.find(source, &flags, text, ticks);
        let result = result.map(|matches| Answer::Matches(pattern::spans(text, matches)));
        (ticks, result.map_err(|refused| pattern::explain(source, refused)))
    }
}

/// Which realm a request should begin in. A name without an underscore may still lead to lodash, by `eval` for example.
fn kind_for(request: &Request) -> Kind {
    match request {
        Request::Run(_, job) | Request::Test(_, job) if job.code.text().contains('_') => Kind::WithLodash,
        _ => Kind::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{Code, Job};

    #[test]
    fn a_page_is_prepared_for_what_the_last_one_needed() {
        let mut sandbox = Sandbox::new(Limits::default());
        let mut prepared_after = |script: &str| {
            let code = Code::Sam { parameters: Vec::new(), body: script.into() };
            let context = Value::empty_object();
            let job = Job { code, args: Vec::new(), context, seed: 1, time: 0, ticks: 1_000_000, listens: false };
            sandbox.begin_page();
            sandbox.turn(Some(&Request::Run(Update::Whole(Value::empty_object()), job))).unwrap();
            sandbox.turn(None);
            sandbox.next.as_ref().map(Realm::kind)
        };
        let kinds = ["1", "_.random(1, 2)", "1"].map(&mut prepared_after);
        assert_eq!(kinds, [Kind::Plain, Kind::WithLodash, Kind::Plain].map(Some));
    }
}
