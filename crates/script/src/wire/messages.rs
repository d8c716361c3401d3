//! Encodes requests, responses and limits as bytes.

use std::time::Duration;

use storeyline_functions::script::PatternMatch;
use storeyline_state::Value;

use super::{Decoder, Wire, put_text};
use crate::limits::Limits;
use crate::refuse;
use crate::request::{Answer, Code, Job, Refused, Request, Response, Update};

impl Wire for Update {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Update::Whole(value) => {
                out.push(0);
                value.encode(out);
            }
            Update::Ops(ops) => {
                out.push(1);
                ops.encode(out);
            }
        }
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        Some(match from.tag()? {
            0 => Update::Whole(Value::decode(from)?),
            1 => Update::Ops(Vec::decode(from)?),
            _ => return None,
        })
    }
}

impl Wire for Code {
    fn encode(&self, out: &mut Vec<u8>) {
        let (tag, parameters) = match self {
            Code::Body(_) => (0, None),
            Code::Function(_) => (1, None),
            Code::Sam { parameters, .. } => (2, Some(parameters)),
        };
        out.push(tag);
        put_text(out, self.text());
        if let Some(parameters) = parameters {
            parameters.encode(out);
        }
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        let tag = from.tag()?;
        let text = String::decode(from)?;
        Some(match tag {
            0 => Code::Body(text),
            1 => Code::Function(text),
            2 => Code::Sam { parameters: Vec::decode(from)?, body: text },
            _ => return None,
        })
    }
}

impl Wire for Job {
    fn encode(&self, out: &mut Vec<u8>) {
        self.code.encode(out);
        self.args.encode(out);
        self.context.encode(out);
        self.seed.encode(out);
        self.time.encode(out);
        self.ticks.encode(out);
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        Some(Job {
            code: Code::decode(from)?,
            args: Vec::decode(from)?,
            context: Value::decode(from)?,
            seed: u64::decode(from)?,
            time: i64::decode(from)?,
            ticks: u64::decode(from)?,
        })
    }
}

impl Wire for Request {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Request::Run(update, job) => {
                out.push(0);
                update.encode(out);
                job.encode(out);
            }
            Request::Test(update, job) => {
                out.push(1);
                update.encode(out);
                job.encode(out);
            }
            Request::Find { pattern, text, ticks } => {
                out.push(2);
                pattern.encode(out);
                text.encode(out);
                ticks.encode(out);
            }
            Request::Probe => out.push(3),
        }
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        Some(match from.tag()? {
            0 => Request::Run(Update::decode(from)?, Job::decode(from)?),
            1 => Request::Test(Update::decode(from)?, Job::decode(from)?),
            2 => {
                Request::Find { pattern: String::decode(from)?, text: String::decode(from)?, ticks: u64::decode(from)? }
            }
            3 => Request::Probe,
            _ => return None,
        })
    }
}

impl Wire for PatternMatch {
    fn encode(&self, out: &mut Vec<u8>) {
        self.span.start.encode(out);
        self.span.end.encode(out);
        self.groups.encode(out);
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        Some(PatternMatch { span: usize::decode(from)?..usize::decode(from)?, groups: Vec::decode(from)? })
    }
}

impl Wire for Response {
    fn encode(&self, out: &mut Vec<u8>) {
        self.ticks.encode(out);
        match &self.answer {
            Answer::Changed(ops) => {
                out.push(0);
                ops.encode(out);
            }
            Answer::Truth(truth) => {
                out.push(1);
                truth.encode(out);
            }
            Answer::Matches(found) => {
                out.push(2);
                found.encode(out);
            }
            Answer::Refused(Refused { code, zh, en }) => {
                out.push(3);
                put_text(out, code);
                zh.encode(out);
                en.encode(out);
            }
            Answer::Failed(how) => {
                out.push(4);
                how.encode(out);
            }
        }
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        let ticks = u64::decode(from)?;
        let answer = match from.tag()? {
            0 => Answer::Changed(Vec::decode(from)?),
            1 => Answer::Truth(bool::decode(from)?),
            2 => Answer::Matches(Vec::decode(from)?),
            3 => Answer::Refused(Refused {
                code: refuse::code(from.text()?)?,
                zh: String::decode(from)?,
                en: String::decode(from)?,
            }),
            4 => Answer::Failed(String::decode(from)?),
            _ => return None,
        };
        Some(Response { ticks, answer })
    }
}

impl Wire for Limits {
    fn encode(&self, out: &mut Vec<u8>) {
        for number in [self.call_ticks, self.page_ticks, self.request_ticks, self.wall.as_millis() as u64] {
            number.encode(out);
        }
        for bytes in [self.memory, self.stack, self.output, self.source] {
            bytes.encode(out);
        }
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        let (call_ticks, page_ticks, request_ticks) = (u64::decode(from)?, u64::decode(from)?, u64::decode(from)?);
        Some(Limits {
            call_ticks,
            page_ticks,
            request_ticks,
            wall: Duration::from_millis(u64::decode(from)?),
            memory: usize::decode(from)?,
            stack: usize::decode(from)?,
            output: usize::decode(from)?,
            source: usize::decode(from)?,
        })
    }
}
