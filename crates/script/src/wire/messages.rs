//! Encodes requests, responses and limits as bytes.

use std::time::Duration;

use storeyline_functions::script::PatternMatch;
use storeyline_state::Value;

use super::{Decoder, Wire, put_text};
use crate::limits::Limits;
use crate::refuse;
use crate::request::{Answer, Code, Job, Refused, Request, Response, Update};

impl Wire for Update {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Update::Whole(value) => {
                out.push(0);
                value.put(out);
            }
            Update::Ops(ops) => {
                out.push(1);
                ops.put(out);
            }
        }
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        Some(match from.tag()? {
            0 => Update::Whole(Value::take(from)?),
            1 => Update::Ops(Vec::take(from)?),
            _ => return None,
        })
    }
}

impl Wire for Code {
    fn put(&self, out: &mut Vec<u8>) {
        let (tag, parameters) = match self {
            Code::Body(_) => (0, None),
            Code::Function(_) => (1, None),
            Code::Sam { parameters, .. } => (2, Some(parameters)),
        };
        out.push(tag);
        put_text(out, self.text());
        if let Some(parameters) = parameters {
            parameters.put(out);
        }
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        let tag = from.tag()?;
        let text = String::take(from)?;
        Some(match tag {
            0 => Code::Body(text),
            1 => Code::Function(text),
            2 => Code::Sam { parameters: Vec::take(from)?, body: text },
            _ => return None,
        })
    }
}

impl Wire for Job {
    fn put(&self, out: &mut Vec<u8>) {
        self.code.put(out);
        self.args.put(out);
        self.context.put(out);
        self.seed.put(out);
        self.time.put(out);
        self.ticks.put(out);
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        Some(Job {
            code: Code::take(from)?,
            args: Vec::take(from)?,
            context: Value::take(from)?,
            seed: u64::take(from)?,
            time: i64::take(from)?,
            ticks: u64::take(from)?,
        })
    }
}

impl Wire for Request {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Request::Run(update, job) => {
                out.push(0);
                update.put(out);
                job.put(out);
            }
            Request::Test(update, job) => {
                out.push(1);
                update.put(out);
                job.put(out);
            }
            Request::Find { pattern, text, ticks } => {
                out.push(2);
                pattern.put(out);
                text.put(out);
                ticks.put(out);
            }
            Request::Probe => out.push(3),
        }
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        Some(match from.tag()? {
            0 => Request::Run(Update::take(from)?, Job::take(from)?),
            1 => Request::Test(Update::take(from)?, Job::take(from)?),
            2 => Request::Find { pattern: String::take(from)?, text: String::take(from)?, ticks: u64::take(from)? },
            3 => Request::Probe,
            _ => return None,
        })
    }
}

impl Wire for PatternMatch {
    fn put(&self, out: &mut Vec<u8>) {
        self.span.start.put(out);
        self.span.end.put(out);
        self.groups.put(out);
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        Some(PatternMatch { span: usize::take(from)?..usize::take(from)?, groups: Vec::take(from)? })
    }
}

impl Wire for Response {
    fn put(&self, out: &mut Vec<u8>) {
        self.ticks.put(out);
        match &self.answer {
            Answer::Changed(ops) => {
                out.push(0);
                ops.put(out);
            }
            Answer::Truth(truth) => {
                out.push(1);
                truth.put(out);
            }
            Answer::Matches(found) => {
                out.push(2);
                found.put(out);
            }
            Answer::Refused(Refused { code, zh, en }) => {
                out.push(3);
                put_text(out, code);
                zh.put(out);
                en.put(out);
            }
            Answer::Failed(how) => {
                out.push(4);
                how.put(out);
            }
        }
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        let ticks = u64::take(from)?;
        let answer = match from.tag()? {
            0 => Answer::Changed(Vec::take(from)?),
            1 => Answer::Truth(bool::take(from)?),
            2 => Answer::Matches(Vec::take(from)?),
            3 => Answer::Refused(Refused {
                code: refuse::code(from.text()?)?,
                zh: String::take(from)?,
                en: String::take(from)?,
            }),
            4 => Answer::Failed(String::take(from)?),
            _ => return None,
        };
        Some(Response { ticks, answer })
    }
}

impl Wire for Limits {
    fn put(&self, out: &mut Vec<u8>) {
        for number in [self.call_ticks, self.page_ticks, self.request_ticks, self.wall.as_millis() as u64] {
            number.put(out);
        }
        for bytes in [self.memory, self.stack, self.output, self.source] {
            bytes.put(out);
        }
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        let (call_ticks, page_ticks, request_ticks) = (u64::take(from)?, u64::take(from)?, u64::take(from)?);
        Some(Limits {
            call_ticks,
            page_ticks,
            request_ticks,
            wall: Duration::from_millis(u64::take(from)?),
            memory: usize::take(from)?,
            stack: usize::take(from)?,
            output: usize::take(from)?,
            source: usize::take(from)?,
        })
    }
}
