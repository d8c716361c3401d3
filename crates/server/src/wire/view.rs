//! Stories and floors as they are shown.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;
use storeyline_engine::{CallTrace, Evaluation, FloorLine, FloorView, RefLine, StoryLine};
use storeyline_state::{Change, Op};

use crate::wire::common::{DiagnosticWire, StepWire, path, raw, utf16};

#[derive(Serialize)]
pub(crate) struct StoryWire {
    story: String,
    title: String,
    profile: &'static str,
    refs: Vec<RefWire>,
}

#[derive(Serialize)]
struct RefWire {
    #[serde(rename = "ref")]
    id: String,
    name: String,
    kind: &'static str,
    floors: usize,
    head: Option<String>,
    chat: Option<String>,
    file: Option<String>,
    updated: i64,
}

impl From<StoryLine> for StoryWire {
    fn from(line: StoryLine) -> Self {
        let refs = line.refs.into_iter().map(Into::into).collect();
        StoryWire { story: line.story.id.to_string(), title: line.story.title, profile: line.profile, refs }
    }
}

impl From<RefLine> for RefWire {
    fn from(line: RefLine) -> Self {
        let branch = line.branch;
        RefWire {
            id: branch.id.to_string(),
            kind: branch.kind.as_str(),
            floors: line.floors,
            head: line.node.map(|node| node.to_string()),
            chat: branch.host.as_ref().map(|host| host.chat.to_string()),
            file: branch.host.map(|host| host.file),
            updated: branch.updated,
            name: branch.name,
        }
    }
}

#[derive(Serialize)]
pub(crate) struct FloorLineWire {
    floor: usize,
    page: String,
    role: &'static str,
    name: String,
    time: Option<i64>,
    hidden: bool,
    preview: String,
    pages: usize,
    active: usize,
    changes: ChangesWire,
    overridden: bool,
    stale: bool,
}

#[derive(Serialize)]
struct ChangesWire {
    changed: usize,
    added: usize,
    removed: usize,
    failed: usize,
}

impl From<FloorLine> for FloorLineWire {
    fn from(line: FloorLine) -> Self {
        let changes = line.changes;
        FloorLineWire {
            floor: line.floor,
            page: line.turn.active_page().page.to_string(),
            role: line.turn.role.as_str(),
            time: line.time,
            hidden: line.turn.hidden,
            preview: line.preview,
            overridden: line.overridden,
            stale: line.stale,
            pages: line.turn.pages.len(),
            active: line.turn.active,
            changes: ChangesWire {
                changed: changes.changed,
                added: changes.added,
                removed: changes.removed,
                failed: changes.failed,
            },
            name: line.turn.name,
        }
    }
}

#[derive(Serialize)]
pub(crate) struct FloorWire {
    floor: usize,
    page: String,
    role: &'static str,
    name: String,
    time: Option<i64>,
    hidden: bool,
    text: String,
    pages: Vec<PageLineWire>,
    active: usize,
    from: Option<usize>,
    state: Box<RawValue>,
    hash: String,
    calls: Vec<CallWire>,
    diagnostics: Vec<DiagnosticWire>,
    causes: BTreeMap<String, usize>,
    overridden: bool,
    stale: bool,
}

/// What a text makes of a state.
#[derive(Serialize)]
pub(crate) struct EvaluationWire {
    state: Box<RawValue>,
    calls: Vec<CallWire>,
    diagnostics: Vec<DiagnosticWire>,
}

impl EvaluationWire {
    pub(crate) fn new(evaluation: &Evaluation, text: &str) -> Self {
        let trace = &evaluation.trace;
        EvaluationWire {
            state: raw(&evaluation.state),
            calls: trace.calls.iter().map(|call| call_wire(call, text)).collect(),
            diagnostics: trace.diagnostics.iter().map(|found| DiagnosticWire::new(found, text)).collect(),
        }
    }
}

#[derive(Serialize)]
struct PageLineWire {
    page: String,
    preview: String,
}

#[derive(Serialize)]
struct CallWire {
    name: String,
    source: String,
    span: [usize; 2],
    verdict: &'static str,
    reason: Option<String>,
    ops: Vec<OpWire>,
    diagnostics: Vec<DiagnosticWire>,
}

#[derive(Serialize)]
struct OpWire {
    path: Vec<StepWire>,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<Box<RawValue>>,
}

impl From<FloorView> for FloorWire {
    fn from(view: FloorView) -> Self {
        let text = &view.text;
        let cause = |(steps, floor): &(Vec<_>, usize)| {
            (serde_json::to_string(&path(steps)).expect("strings and numbers are JSON"), *floor)
        };
        FloorWire {
            floor: view.floor,
            page: view.page.to_string(),
            role: view.turn.role.as_str(),
            time: view.time,
            hidden: view.turn.hidden,
            pages: view
                .pages
                .iter()
                .map(|line| PageLineWire { page: line.page.to_string(), preview: line.preview.clone() })
                .collect(),
            active: view.turn.active,
            from: view.from,
            state: raw(&view.state),
            hash: view.hash.to_string(),
            calls: view.trace.calls.iter().map(|call| call_wire(call, text)).collect(),
            diagnostics: view.trace.diagnostics.iter().map(|found| DiagnosticWire::new(found, text)).collect(),
            causes: view.causes.iter().map(cause).collect(),
            overridden: view.overridden,
            stale: view.stale,
            name: view.turn.name,
            text: view.text,
        }
    }
}

fn call_wire(call: &CallTrace, text: &str) -> CallWire {
    CallWire {
        name: call.name.to_string(),
        source: text.get(call.span.clone()).unwrap_or_default().to_owned(),
        span: utf16(text, &call.span),
        verdict: call.verdict.as_str(),
        reason: call.reason.clone(),
        ops: call.ops.iter().map(Into::into).collect(),
        diagnostics: call.diagnostics.iter().map(|found| DiagnosticWire::new(found, text)).collect(),
    }
}

impl From<&Op> for OpWire {
    fn from(op: &Op) -> Self {
        let (kind, old, new) = match &op.change {
            Change::Set { old, new } => ("changed", Some(raw(old)), Some(raw(new))),
            Change::Insert { new, .. } => ("added", None, Some(raw(new))),
            Change::Remove { old, .. } => ("removed", Some(raw(old)), None),
        };
        OpWire { path: path(&op.path), kind, old, new }
    }
}
