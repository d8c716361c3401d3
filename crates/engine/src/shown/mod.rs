//! Records of the pure crates and the store as clients see them.

mod utf16;

use storeyline_compat as compat;
use storeyline_functions as functions;
use storeyline_history as history;
use storeyline_history::{CallTrace, Enabled, Trace};
use storeyline_state::text::excerpt;
use storeyline_state::{self as state, Value};
use storeyline_store as store;
use storeyline_wire::chats::{CastBeginning, HeldFunctions, Remark};
use storeyline_wire::common::changes;
use storeyline_wire::import::{Initial, Source};
use storeyline_wire::library::PatternMatch;
use storeyline_wire::view::{Call, Evaluation};
use storeyline_wire::{Cursor, Diagnostic, JsonObject, OperationKind, RefKind, Role, Verdict};

use utf16::Utf16;

pub(crate) fn role(role: history::Role) -> Role {
    match role {
        history::Role::Assistant => Role::Assistant,
        history::Role::Narrator => Role::Narrator,
        history::Role::User => Role::User,
        history::Role::Summary => Role::Summary,
        history::Role::Other => Role::Other,
    }
}

pub(crate) fn role_of(role: Role) -> history::Role {
    match role {
        Role::Assistant => history::Role::Assistant,
        Role::Narrator => history::Role::Narrator,
        Role::User => history::Role::User,
        Role::Summary => history::Role::Summary,
        Role::Other => history::Role::Other,
    }
}

pub(crate) fn ref_kind(kind: store::RefKind) -> RefKind {
    match kind {
        store::RefKind::Branch => RefKind::Branch,
        store::RefKind::Tag => RefKind::Tag,
    }
}

pub(crate) fn ref_kind_of(kind: RefKind) -> store::RefKind {
    match kind {
        RefKind::Branch => store::RefKind::Branch,
        RefKind::Tag => store::RefKind::Tag,
    }
}

pub(crate) fn operation_kind(kind: store::OperationKind) -> OperationKind {
    match kind {
        store::OperationKind::Sync => OperationKind::Sync,
        store::OperationKind::Import => OperationKind::Import,
        store::OperationKind::Select => OperationKind::Select,
        store::OperationKind::Edit => OperationKind::Edit,
        store::OperationKind::Append => OperationKind::Append,
        store::OperationKind::AddPage => OperationKind::AddPage,
        store::OperationKind::Delete => OperationKind::Delete,
        store::OperationKind::DeletePage => OperationKind::DeletePage,
        store::OperationKind::KeepOnly => OperationKind::KeepOnly,
        store::OperationKind::Move => OperationKind::Move,
        store::OperationKind::Hide => OperationKind::Hide,
        store::OperationKind::Insert => OperationKind::Insert,
        store::OperationKind::Graft => OperationKind::Graft,
        store::OperationKind::Override => OperationKind::Override,
        store::OperationKind::Reprocess => OperationKind::Reprocess,
        store::OperationKind::Merge => OperationKind::Merge,
        store::OperationKind::Swipe => OperationKind::Swipe,
        store::OperationKind::CreateBranch => OperationKind::CreateBranch,
        store::OperationKind::Change => OperationKind::Change,
        store::OperationKind::Trash => OperationKind::Trash,
        store::OperationKind::Restore => OperationKind::Restore,
        store::OperationKind::CreateTag => OperationKind::CreateTag,
        store::OperationKind::Rules => OperationKind::Rules,
        store::OperationKind::Switch => OperationKind::Switch,
        store::OperationKind::Undo => OperationKind::Undo,
        store::OperationKind::Redo => OperationKind::Redo,
        store::OperationKind::Reset => OperationKind::Reset,
        store::OperationKind::Settings => OperationKind::Settings,
        store::OperationKind::Rename => OperationKind::Rename,
        store::OperationKind::TrashStory => OperationKind::TrashStory,
        store::OperationKind::RestoreStory => OperationKind::RestoreStory,
        store::OperationKind::Validity => OperationKind::Validity,
    }
}

pub(crate) fn cursor(seq: store::ChangeSeq) -> Cursor {
    Cursor(seq.0)
}

pub(crate) fn seq_of(cursor: Cursor) -> store::ChangeSeq {
    store::ChangeSeq(cursor.0)
}

fn verdict(verdict: functions::Verdict) -> Verdict {
    match verdict {
        functions::Verdict::Done => Verdict::Done,
        functions::Verdict::Repaired => Verdict::Repaired,
        functions::Verdict::Failed => Verdict::Failed,
    }
}

/// Returns the result of evaluating a text.
pub fn evaluation(evaluation: &history::Evaluation, text: &str) -> Evaluation {
    let trace = &evaluation.trace;
    Evaluation {
        state: evaluation.state.clone().into(),
        calls: calls(trace, text),
        diagnostics: diagnostics(&trace.diagnostics, text),
    }
}

/// Returns the matches of a pattern in a text.
pub fn matches(found: &[functions::script::PatternMatch], text: &str) -> Vec<PatternMatch> {
    let units = Utf16::of(text);
    let shown = |one: &functions::script::PatternMatch| PatternMatch {
        span: units.span(&one.span),
        groups: one.groups.clone(),
    };
    found.iter().map(shown).collect()
}

/// Returns the calls of a text.
pub(crate) fn calls(trace: &Trace, text: &str) -> Vec<Call> {
    let units = Utf16::of(text);
    let call = |call: &CallTrace| Call {
        name: call.name.to_string(),
        source: excerpt(text, call.span.clone()),
        span: units.span(&call.span),
        verdict: verdict(call.verdict),
        reason: call.reason.as_ref().map(ToString::to_string),
        ops: changes(&call.ops),
        diagnostics: diagnostics_at(&call.diagnostics, &units),
    };
    trace.calls.iter().map(call).collect()
}

/// Returns the diagnostics of a text.
pub(crate) fn diagnostics(found: &[state::Diagnostic], text: &str) -> Vec<Diagnostic> {
    if found.is_empty() { Vec::new() } else { diagnostics_at(found, &Utf16::of(text)) }
}

fn diagnostics_at(found: &[state::Diagnostic], units: &Utf16<'_>) -> Vec<Diagnostic> {
    let diagnostic = |found: &state::Diagnostic| Diagnostic {
        code: found.code.clone(),
        severity: found.severity.into(),
        message: found.message.clone(),
        span: units.span(&found.span),
    };
    found.iter().map(diagnostic).collect()
}

/// Returns how a story of a card begins.
pub fn initial(initial: &compat::Initial) -> Initial {
    let source = |source: &compat::initial::Source| Source {
        kind: source.kind.as_str().to_owned(),
        place: source.location.words(),
        used: source.used,
    };
    Initial {
        enabled: initial.enabled == Enabled::On,
        profile: initial.profile.as_str().to_owned(),
        reason: initial.reason.clone(),
        state: initial.state.clone().into(),
        locked: initial.locks.is_some(),
        functions: function_names(initial),
        sources: initial.sources.iter().map(source).collect(),
        diagnostics: initial.remarks.iter().map(remark).collect(),
    }
}

/// Returns the names of SAM's functions, the card's own, and its rules.
fn function_names(initial: &compat::Initial) -> Vec<String> {
    let sam = initial.sam_functions.iter().filter_map(|function| function.definition.get("func_name")?.as_text());
    let own = initial.library.functions.iter().map(|function| function.name.as_str());
    let rules = initial.library.rules.iter().map(|rule| rule.name.as_str());
    sam.chain(own).chain(rules).map(str::to_owned).collect()
}

fn remark(remark: &compat::Remark) -> Remark {
    Remark {
        code: remark.diagnostic.code.clone(),
        severity: remark.diagnostic.severity.into(),
        place: remark.location.words(),
        message: remark.diagnostic.message.clone(),
    }
}

/// Returns how a story of a cast begins.
pub(crate) fn beginning(begun: &compat::Begun) -> CastBeginning {
    let initial = &begun.initial;
    let held = |held: &compat::HeldFunctions| HeldFunctions {
        card: held.card.clone(),
        fingerprint: held.fingerprint,
        names: held.names.clone(),
        refused: held.refused,
    };
    let template = begun.template().filter(|state| state.as_object().is_some());
    CastBeginning {
        enabled: begun.is_on(),
        profile: initial.profile.as_str().to_owned(),
        reason: initial.reason.clone(),
        template: template.map(|state: &Value| JsonObject(state.clone())),
        functions: initial.library.functions.iter().map(|function| function.name.clone()).collect(),
        held: begun.held.iter().map(held).collect(),
        remarks: initial.remarks.iter().map(remark).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_stored_are_the_words_that_clients_see() {
        for own in history::Role::ALL {
            assert_eq!((role(own).as_str(), role_of(role(own))), (own.as_str(), own));
        }
        for own in [store::RefKind::Branch, store::RefKind::Tag] {
            assert_eq!((ref_kind(own).as_str(), ref_kind_of(ref_kind(own))), (own.as_str(), own));
        }
        for own in store::OperationKind::ALL {
            assert_eq!(operation_kind(*own).as_str(), own.as_str());
        }
        for own in functions::Verdict::ALL {
            assert_eq!(verdict(own).as_str(), own.as_str());
        }
        for own in state::Severity::ALL {
            assert_eq!(storeyline_wire::Severity::from(own).as_str(), own.as_str());
        }
        assert_eq!(Role::ALL.len(), history::Role::ALL.len());
        assert_eq!(OperationKind::ALL.len(), store::OperationKind::ALL.len());
    }
}
