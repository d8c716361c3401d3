//! Stories and floors as they are shown.

use serde::Serialize;
use storeyline_engine::{CallTrace, Evaluation, FloorLine, FloorView, RefLine, StoryLine};
use utoipa::ToSchema;

use crate::wire::common::{DiagnosticWire, OpWire, utf16};
use crate::wire::ids::{Branch, Chat, Node, Page, StateHash, Story};
use crate::wire::value::Any;

#[derive(Serialize, ToSchema)]
#[schema(as = Story)]
pub struct StoryWire {
    story: Story,
    title: String,
    profile: &'static str,
    /// The card or group that it is played with.
    card: String,
    refs: Vec<RefWire>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Ref)]
pub(crate) struct RefWire {
    #[serde(rename = "ref")]
    id: Branch,
    name: String,
    /// `branch` or `tag`.
    kind: &'static str,
    note: String,
    colour: String,
    floors: usize,
    head: Option<Node>,
    chat: Option<Chat>,
    file: Option<String>,
    /// Milliseconds since 1970.
    updated: i64,
    /// When it was moved to the trash, in milliseconds since 1970.
    trashed: Option<i64>,
}

impl From<StoryLine> for StoryWire {
    fn from(line: StoryLine) -> Self {
        let refs = line.refs.into_iter().map(Into::into).collect();
        let story = line.story;
        StoryWire { story: story.id.into(), title: story.title, profile: line.profile, card: story.card, refs }
    }
}

impl From<RefLine> for RefWire {
    fn from(line: RefLine) -> Self {
        let branch = line.branch;
        RefWire {
            id: branch.id.into(),
            kind: branch.kind.as_str(),
            note: branch.note,
            colour: branch.colour,
            floors: line.floors,
            head: line.node.map(Into::into),
            chat: branch.host.as_ref().map(|host| host.chat.into()),
            file: branch.host.map(|host| host.file),
            updated: branch.updated,
            trashed: branch.trashed,
            name: branch.name,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = FloorLine)]
pub struct FloorLineWire {
    floor: usize,
    page: Page,
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

#[derive(Serialize, ToSchema)]
#[schema(as = Changes)]
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
            page: line.turn.active_page().page.into(),
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

#[derive(Serialize, ToSchema)]
#[schema(as = Floor)]
pub struct FloorWire {
    floor: usize,
    page: Page,
    role: &'static str,
    name: String,
    time: Option<i64>,
    hidden: bool,
    text: String,
    pages: Vec<PageLineWire>,
    active: usize,
    from: Option<usize>,
    state: Any,
    hash: StateHash,
    calls: Vec<CallWire>,
    diagnostics: Vec<DiagnosticWire>,
    overridden: bool,
    stale: bool,
}

/// The result of evaluating a text on a state.
#[derive(Serialize, ToSchema)]
#[schema(as = Evaluation)]
pub struct EvaluationWire {
    state: Any,
    calls: Vec<CallWire>,
    diagnostics: Vec<DiagnosticWire>,
}

impl EvaluationWire {
    pub fn new(evaluation: &Evaluation, text: &str) -> Self {
        let trace = &evaluation.trace;
        EvaluationWire {
            state: Any(evaluation.state.clone()),
            calls: trace.calls.iter().map(|call| call_wire(call, text)).collect(),
            diagnostics: trace.diagnostics.iter().map(|found| DiagnosticWire::new(found, text)).collect(),
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = PageLine)]
struct PageLineWire {
    page: Page,
    preview: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Call)]
pub(crate) struct CallWire {
    name: String,
    source: String,
    span: [usize; 2],
    verdict: &'static str,
    reason: Option<String>,
    ops: Vec<OpWire>,
    diagnostics: Vec<DiagnosticWire>,
}

impl From<FloorView> for FloorWire {
    fn from(view: FloorView) -> Self {
        let text = &view.text;
        FloorWire {
            floor: view.floor,
            page: view.page.into(),
            role: view.turn.role.as_str(),
            time: view.time,
            hidden: view.turn.hidden,
            pages: view
                .pages
                .iter()
                .map(|line| PageLineWire { page: line.page.into(), preview: line.preview.clone() })
                .collect(),
            active: view.turn.active,
            from: view.from,
            state: Any(view.state),
            hash: view.hash.into(),
            calls: view.trace.calls.iter().map(|call| call_wire(call, text)).collect(),
            diagnostics: view.trace.diagnostics.iter().map(|found| DiagnosticWire::new(found, text)).collect(),
            overridden: view.overridden,
            stale: view.stale,
            name: view.turn.name,
            text: view.text,
        }
    }
}

pub(crate) fn call_wire(call: &CallTrace, text: &str) -> CallWire {
    CallWire {
        name: call.name.to_string(),
        source: text.get(call.span.clone()).unwrap_or_default().to_owned(),
        span: utf16(text, &call.span),
        verdict: call.verdict.as_str(),
        reason: call.reason.as_ref().map(ToString::to_string),
        ops: call.ops.iter().map(Into::into).collect(),
        diagnostics: call.diagnostics.iter().map(|found| DiagnosticWire::new(found, text)).collect(),
    }
}
