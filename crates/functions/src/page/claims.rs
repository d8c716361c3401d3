//! Assigns spans of a text to functions.
//!
//! A span belongs to one call: of overlapping ones the leftmost, then the longest, then the lowest
//! order, then the card's. So a function imported beside a built-in of the same name applies
//! nothing twice.

use std::cmp::Reverse;
use std::ops::Range;

use storeyline_calls::{Call, Dialect, Form, value};
use storeyline_state::{Diagnostic, Value, json};

use crate::builtin::find;
use crate::library::Library;
use crate::library::function::{FunctionKind, VarFunction};
use crate::page::PageRun;
use crate::profile::Profile;
use crate::script::{Incomplete, PatternMatch, Scripts, Stopped};

/// Maximum number of matches of all patterns on one page.
const MAX_MATCHES: usize = 2_000;

/// A call and the function that executes it.
pub(super) enum Claim<'a> {
    Builtin(&'a Call),
    Custom(Called<'a>),
}

/// A call of a function of the library.
pub(super) struct Called<'a> {
    pub(super) function: &'a VarFunction,
    /// The parsed call; `None` if a pattern matched.
    pub(super) call: Option<&'a Call>,
    pub(super) span: Range<usize>,
    /// `None` stands for `undefined`.
    pub(super) args: Vec<Option<Value>>,
}

impl Claim<'_> {
    fn span(&self) -> &Range<usize> {
        match self {
            Claim::Builtin(call) => &call.span,
            Claim::Custom(called) => &called.span,
        }
    }

    /// Whether it was parsed as a call, not matched by a pattern.
    fn is_read(&self) -> bool {
        !matches!(self, Claim::Custom(Called { call: None, .. }))
    }

    fn function(&self) -> Option<&VarFunction> {
        match self {
            Claim::Builtin(_) => None,
            Claim::Custom(called) => Some(called.function),
        }
    }
}

/// Tells whether a parsed call is one. A hash before a word and a bracket is prose, unless it names
/// a function or the profile is that of the peer which writes calls so.
pub fn is_call(call: &Call, profile: Profile, library: &Library) -> bool {
    call.dialect != Dialect::Hash
        || profile == Profile::VarSystem
        || find(profile, call.dialect, &call.name).is_some()
        || library.named(&call.name).is_some()
}

/// Assigns the spans of a text to functions.
pub(super) fn claim<'a>(
    calls: &'a [Call],
    page: &PageRun<'a>,
    scripts: &mut dyn Scripts,
) -> Result<(Vec<Claim<'a>>, Vec<Diagnostic>), Incomplete> {
    let mut diagnostics = Vec::new();
    let mut claims: Vec<Claim<'a>> = calls.iter().map(|call| by_name(call, page)).collect();
    diagnostics.extend(claims.iter().flat_map(|claim| namesakes(claim, page.library)));
    for function in page.library.active() {
        claims.extend(by_pattern(function, page, scripts, &mut diagnostics)?);
    }
    // A built-in has no order; it comes last.
    claims.sort_by_key(|claim| {
        let span = claim.span();
        // A pattern without the final semicolon matches the same call.
        let end = span.start + page.text[span.clone()].trim_end_matches([';', '；', ' ', '\t']).len();
        let rank = claim.function().map(|function| (function.order, function.scope));
        (span.start, Reverse(end), rank.is_none(), rank)
    });
    let mut kept: Vec<Claim<'a>> = Vec::with_capacity(claims.len());
    for claim in claims {
        // Parsed calls never overlap; the ops of one patch share their block.
        let both_read = |last: &Claim<'_>| last.is_read() && claim.is_read();
        match kept.last().filter(|last| claim.span().start < last.span().end && !both_read(last)) {
            Some(winner) => diagnostics.extend(lost(&claim, winner)),
            None => kept.push(claim),
        }
    }
    Ok((kept, diagnostics))
}

/// Resolves a call by name. MVU's calls and patches always mean built-ins; others may name a
/// function of the library.
fn by_name<'a>(call: &'a Call, page: &PageRun<'a>) -> Claim<'a> {
    match page.library.named(&call.name).filter(|_| matches!(call.dialect, Dialect::At | Dialect::Hash)) {
        None => Claim::Builtin(call),
        Some(function) => {
            let texts = call.dialect == Dialect::Hash && page.conventions.profile == Profile::VarSystem;
            let argument = |value: &Value| if texts { as_text(value) } else { value.clone() };
            let args = call.args.iter().map(|arg| Some(argument(&arg.value))).collect();
            Claim::Custom(Called { function, call: Some(call), span: call.span.clone(), args })
        }
    }
}

/// Converts an argument to text unless it is a list or an object. ST-VarSystem does so, and
/// executors rely on it.
fn as_text(value: &Value) -> Value {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => Value::text(json::write(value)),
        other => other.clone(),
    }
}

/// Reports functions of the same scope with the same name, because the user may have meant another
/// one.
fn namesakes(claim: &Claim<'_>, library: &Library) -> Vec<Diagnostic> {
    let Some(winner) = claim.function() else { return Vec::new() };
    let same = |other: &&VarFunction| {
        other.id != winner.id && other.scope == winner.scope && other.name.to_lowercase() == winner.name.to_lowercase()
    };
    let others = library.active().filter(same).count();
    let told = (others > 0).then(|| {
        let name = &winner.name;
        Diagnostic::warning(
            "W-SAME-NAME",
            claim.span().clone(),
            format!("另有 {others} 个函数也叫 {name}，只执行了 order 最小的一个。"),
            format!("{others} more functions are named {name}; only the one with the lowest order was run."),
        )
    });
    told.into_iter().collect()
}

fn by_pattern<'a>(
    function: &'a VarFunction,
    page: &PageRun<'a>,
    scripts: &mut dyn Scripts,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Vec<Claim<'a>>, Incomplete> {
    let FunctionKind::Active { pattern: Some(pattern) } = &function.kind else { return Ok(Vec::new()) };
    if page.stuck.contains(&function.id) {
        return Ok(Vec::new());
    }
    let found = match scripts.find(pattern, page.text).map_err(|stopped| stopped.of(&function.id)) {
        Ok(found) => found,
        Err(Stopped::Incomplete(incomplete)) => return Err(incomplete),
        Err(Stopped::Refused(refusal)) => {
            let name = &function.name;
            diagnostics.push(Diagnostic::error(
                refusal.code,
                0..0,
                format!("函数“{name}”的正则没有执行：{}", refusal.message.zh),
                format!("The pattern of the function `{name}` was not used: {}", refusal.message.en),
            ));
            return Ok(Vec::new());
        }
    };
    let readable = found.into_iter().filter(|found| !is_skipped(page.skipped, found.span.start)).take(MAX_MATCHES);
    Ok(readable.map(|found| Claim::Custom(called(function, found))).collect())
}

fn is_skipped(skipped: &[Range<usize>], at: usize) -> bool {
    let after = skipped.partition_point(|block| block.end <= at);
    skipped.get(after).is_some_and(|block| block.contains(&at))
}

fn called(function: &VarFunction, found: PatternMatch) -> Called<'_> {
    let args = found.groups.into_iter().map(|group| group.map(|text| literal(&text))).collect();
    Called { function, call: None, span: found.span, args }
}

/// Parses a capture group: a complete literal becomes its value, anything else stays text.
fn literal(text: &str) -> Value {
    let read = value::read(text);
    match read.form {
        Form::Literal | Form::Quoted | Form::Undefined => read.value,
        Form::Arithmetic | Form::Bare | Form::Empty => Value::text(text),
    }
}

/// Reports an overlapping claim, unless the same function matched the same call twice.
fn lost(loser: &Claim<'_>, winner: &Claim<'_>) -> Option<Diagnostic> {
    let id = |claim: &Claim<'_>| claim.function().map(|function| function.id.clone());
    if id(loser).is_some() && id(loser) == id(winner) {
        return None;
    }
    let name = |claim: &Claim<'_>| match claim {
        Claim::Builtin(call) => call.name.written().to_owned(),
        Claim::Custom(called) => called.function.name.clone(),
    };
    let (loser_name, winner_name) = (name(loser), name(winner));
    Some(Diagnostic::warning(
        "W-OVERLAP",
        loser.span().clone(),
        format!("这段文字属于 {winner_name}，{loser_name} 没有执行。"),
        format!("This text belongs to {winner_name}; {loser_name} was not run."),
    ))
}
