//! Answers that describe stories, their branches and tags (`Ref`), floors (a place in the chat; its pages are the
//! alternative texts there) and the calls found in a text with their results. `…Line` is an entry of a list.

use serde::Serialize;
use storeyline_engine::{self as engine, CallTrace, FloorView, RefLine, StoryLine, Trace};
use storeyline_state::text::excerpt;
use utoipa::ToSchema;

use crate::wire::common::{Change, Diagnostic, all, diagnostics, diagnostics_at};
use crate::wire::ids::{ChatId, NodeId, PageId, RefId, StateHash, StoryId};
use crate::wire::utf16::Utf16;
use crate::wire::value::Any;

#[derive(Serialize, ToSchema)]
pub struct Story {
    story: StoryId,
    title: String,
    profile: &'static str,
    /// The card or group that it is played with.
    card: String,
    refs: Vec<Ref>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Ref {
    #[serde(rename = "ref")]
    id: RefId,
    name: String,
    /// `branch` or `tag`.
    kind: &'static str,
    note: String,
    colour: String,
    floors: usize,
    head: Option<NodeId>,
    chat: Option<ChatId>,
    file: Option<String>,
    /// Milliseconds since 1970.
    updated: i64,
    /// When it was moved to the trash, in milliseconds since 1970.
    trashed: Option<i64>,
}

impl From<StoryLine> for Story {
    fn from(line: StoryLine) -> Self {
        let refs = all(line.refs);
        let story = line.story;
        Story { story: story.id.into(), title: story.title, profile: line.profile, card: story.card, refs }
    }
}

impl From<RefLine> for Ref {
    fn from(line: RefLine) -> Self {
        let branch = line.branch;
        Ref {
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
pub struct FloorLine {
    floor: usize,
    page: PageId,
    role: &'static str,
    name: String,
    time: Option<i64>,
    hidden: bool,
    preview: String,
    pages: usize,
    active: usize,
    changes: Changes,
    overridden: bool,
    stale: bool,
}

#[derive(Serialize, ToSchema)]
struct Changes {
    changed: usize,
    added: usize,
    removed: usize,
    failed: usize,
}

impl From<engine::FloorLine> for FloorLine {
    fn from(line: engine::FloorLine) -> Self {
        let engine::FloorLine { floor, turn, time, preview, changes, overridden, stale } = line;
        let engine::Changes { changed, added, removed, failed } = changes;
        FloorLine {
            floor,
            page: turn.active_page().page.into(),
            role: turn.role.as_str(),
            time,
            hidden: turn.hidden,
            preview,
            pages: turn.pages.len(),
            active: turn.active,
            changes: Changes { changed, added, removed, failed },
            overridden,
            stale,
            name: turn.name,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct Floor {
    floor: usize,
    page: PageId,
    role: &'static str,
    name: String,
    time: Option<i64>,
    hidden: bool,
    text: String,
    pages: Vec<PageLine>,
    active: usize,
    from: Option<usize>,
    state: Any,
    hash: StateHash,
    calls: Vec<Call>,
    diagnostics: Vec<Diagnostic>,
    overridden: bool,
    stale: bool,
}

/// The result of evaluating a text on a state.
#[derive(Serialize, ToSchema)]
pub struct Evaluation {
    state: Any,
    calls: Vec<Call>,
    diagnostics: Vec<Diagnostic>,
}

impl Evaluation {
    pub fn new(evaluation: &engine::Evaluation, text: &str) -> Self {
        let trace = &evaluation.trace;
        Evaluation {
            state: Any(evaluation.state.clone()),
            calls: calls(trace, text),
            diagnostics: diagnostics(&trace.diagnostics, text),
        }
    }
}

#[derive(Serialize, ToSchema)]
struct PageLine {
    page: PageId,
    preview: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Call {
    name: String,
    /// The beginning of the call as written, at most 200 characters; `span` is all of it.
    source: String,
    /// Start and end in UTF-16 code units of the text.
    span: [usize; 2],
    verdict: &'static str,
    reason: Option<String>,
    ops: Vec<Change>,
    diagnostics: Vec<Diagnostic>,
}

impl From<FloorView> for Floor {
    fn from(view: FloorView) -> Self {
        let FloorView { floor, page, turn, time, text, pages, from, state, hash, trace, overridden, stale } = view;
        let page_line = |engine::PageLine { page, preview }| PageLine { page: page.into(), preview };
        Floor {
            floor,
            page: page.into(),
            role: turn.role.as_str(),
            time,
            hidden: turn.hidden,
            pages: pages.into_iter().map(page_line).collect(),
            active: turn.active,
            from,
            state: Any(state),
            hash: hash.into(),
            calls: calls(&trace, &text),
            diagnostics: diagnostics(&trace.diagnostics, &text),
            overridden,
            stale,
            name: turn.name,
            text,
        }
    }
}

/// Returns the calls of a text.
pub(crate) fn calls(trace: &Trace, text: &str) -> Vec<Call> {
    let units = Utf16::of(text);
    let call = |call: &CallTrace| Call {
        name: call.name.to_string(),
        source: excerpt(text, call.span.clone()),
        span: units.span(&call.span),
        verdict: call.verdict.as_str(),
        reason: call.reason.as_ref().map(ToString::to_string),
        ops: all(&call.ops),
        diagnostics: diagnostics_at(&call.diagnostics, &units),
    };
    trace.calls.iter().map(call).collect()
}
