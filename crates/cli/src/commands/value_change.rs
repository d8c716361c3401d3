//! A change of a value, as JSON and for people: shared by `blame` and `history`.

use storeyline_engine::{Cause, ValueChange};
use storeyline_state::{Object, Value};

use crate::commands::shape::{maybe, number, object, text, value_text};
use crate::out::Context;
use crate::style::{Tone, cut, harmless};

/// Returns a change as JSON; a missing value has no key.
pub(crate) fn value(change: &ValueChange) -> Value {
    let cause = |cause: &Cause| {
        object([
            ("name", text(&cause.name)),
            ("source", text(&cause.source)),
            ("reason", maybe(cause.reason.as_ref(), text)),
        ])
    };
    let mut entries: Object = [
        ("floor".into(), number(change.floor)),
        ("page".into(), text(change.page)),
        ("by".into(), maybe(change.by.as_ref(), cause)),
    ]
    .into_iter()
    .collect();
    for (key, value) in [("before", &change.before), ("after", &change.after)] {
        if let Some(value) = value {
            entries.insert(key.into(), value.clone());
        }
    }
    Value::object(entries)
}

/// Returns `7 → 12`, `+ 12` or `- 7`.
pub(crate) fn arrow(context: &Context, change: &ValueChange) -> String {
    let (before, after) = (change.before.as_ref().map(value_text), change.after.as_ref().map(value_text));
    match (before, after) {
        (Some(before), Some(after)) => {
            format!("{} → {}", context.paint(Tone::Bad, &before), context.paint(Tone::Good, &after))
        }
        (None, Some(after)) => format!("{} {}", context.paint(Tone::Good, "+"), context.paint(Tone::Good, &after)),
        (Some(before), None) => format!("{} {}", context.paint(Tone::Bad, "-"), context.paint(Tone::Bad, &before)),
        (None, None) => String::new(),
    }
}

/// Returns the cause on one line, with the reason given in the text.
pub(crate) fn cause(context: &Context, change: &ValueChange, columns: usize) -> String {
    let Some(cause) = &change.by else {
        return context.paint(Tone::Quiet, context.words("没有调用说明是它做的", "no call says that it was it"));
    };
    let words = match (cause.source.is_empty(), cause.name.as_str()) {
        (false, _) => harmless(&cut(&cause.source, columns)),
        (true, "override") => context.words("手动改正", "corrected by hand").to_owned(),
        (true, name) => harmless(name),
    };
    // MVU's calls contain their reason themselves.
    let new = |reason: &&str| !reason.is_empty() && !words.contains(*reason);
    match cause.reason.as_deref().map(str::trim).filter(new) {
        Some(reason) => format!("{words}  {}", context.paint(Tone::Quiet, &harmless(&cut(reason, columns)))),
        None => words,
    }
}

/// Same without colours, to measure its width.
pub(crate) fn plain_arrow(change: &ValueChange) -> String {
    let (before, after) = (change.before.as_ref().map(value_text), change.after.as_ref().map(value_text));
    match (before, after) {
        (Some(before), Some(after)) => format!("{before} → {after}"),
        (one, other) => format!("+ {}", one.or(other).unwrap_or_default()),
    }
}
