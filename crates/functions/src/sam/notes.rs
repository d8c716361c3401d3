//! `RESPONSE_SUMMARY` and `SUMMARY`: the summary of a message in one sentence.

use storeyline_calls::Arg;
use storeyline_state::{StatePath, Value};

use super::defaults::top;
use super::{at_least, batch_of, has_room};
use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, refuse_path, shown};

/// Maximum number of sentences in a story.
const MAX_NOTES: usize = 10_000;

pub(super) const RESPONSE_SUMMARY: Builtin = Builtin {
    name: "RESPONSE_SUMMARY",
    aliases: &[],
    syntax: "@.RESPONSE_SUMMARY(\"text\");",
    zh: "记下这条消息的摘要",
    en: "keeps a summary of this message",
    example: "@.RESPONSE_SUMMARY(\"林舟抵达青石镇。\");",
    apply: |draft, args| {
        at_least(args, 1, &RESPONSE_SUMMARY)?;
        add_sentence(draft, &args[0], Again::Left)
    },
};

pub(super) const SUMMARY: Builtin = Builtin {
    name: "SUMMARY",
    aliases: &[],
    syntax: "@.SUMMARY(\"text\");",
    zh: "记下这条消息的摘要(L1)",
    en: "keeps a summary of this message (L1)",
    example: "@.SUMMARY(\"林舟抵达青石镇。\");",
    apply: |draft, args| {
        at_least(args, 1, &SUMMARY)?;
        add_sentence(draft, &args[0], Again::Kept)
    },
};

/// What happens if the text is already there: SAM's two commands differ.
#[derive(PartialEq)]
enum Again {
    Kept,
    Left,
}

fn add_sentence(draft: &mut Draft<'_>, arg: &Arg, again: Again) -> Result<(), Refusal> {
    batch_of(draft)?;
    let Value::Text(text) = &arg.value else { return Err(no_text(&arg.value)) };
    if text.trim().is_empty() {
        return Err(no_text(&arg.value));
    }
    let path = list(draft)?;
    let notes = draft.get(&path)?.as_list().unwrap_or(&[]);
    if again == Again::Left && notes.contains(&arg.value) {
        return Ok(());
    }
    has_room(notes.len(), MAX_NOTES, "responseSummary")?;
    draft.append(&path, arg.value.clone())
}

/// Returns the list itself, or the first of three levels; anything else is replaced by a list.
fn list(draft: &mut Draft<'_>) -> Result<StatePath, Refusal> {
    let path = top("responseSummary")?;
    let path = match path.get(draft.state()) {
        Some(Value::Object(_)) => path.child("L1").map_err(refuse_path)?,
        _ => path,
    };
    if path.get(draft.state()).and_then(Value::as_list).is_none() {
        draft.set(&path, Value::list(Vec::new()))?;
    }
    Ok(path)
}

fn no_text(value: &Value) -> Refusal {
    let value = shown(value);
    Refusal::new("E-TEXT", format!("{value} 不是文字，没有记下。"), format!("{value} is not a text; it was not kept."))
}
