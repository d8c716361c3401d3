//! Converts an error of the JavaScript engine to a refusal, with the line and column in the
//! author's text.

use rquickjs::{Ctx, Error, Object, Value as Js};

use storeyline_functions::script::NOT_IN_CONTEXT;

use crate::limits::Limits;
use crate::meter::Meter;
use crate::refuse::{self, SourcePosition};
use crate::request::Refused;

/// File name of the author's text in stack traces.
pub(crate) const SCRIPT: &str = "your-script";

/// Number of our own lines before the author's text.
const LINES_BEFORE: u32 = 1;

/// Maximum number of characters of a message that are shown.
const MAX_MESSAGE: usize = 300;

/// Converts the reason why the engine stopped. `compiling`: nothing has run yet.
pub(crate) fn refusal(ctx: &Ctx<'_>, error: &Error, limits: &Limits, meter: &Meter, compiling: bool) -> Refused {
    match error {
        Error::Exception => thrown(&ctx.catch(), limits, meter, compiling),
        Error::Allocation if meter.is_broken() => refuse::ticks(u64::MAX),
        Error::Allocation => refuse::memory(limits.memory),
        Error::InvalidString(_) if compiling => refuse::syntax("a NUL character", None),
        other => refuse::thrown(&other.to_string(), None),
    }
}

fn thrown(value: &Js<'_>, limits: &Limits, meter: &Meter, compiling: bool) -> Refused {
    if meter.is_broken() {
        return refuse::ticks(u64::MAX);
    }
    // If there is no memory even for the error, the engine throws null.
    if value.is_null() && meter.is_full() {
        return refuse::memory(limits.memory);
    }
    let Some(object) = value.as_object() else {
        return refuse::thrown(&primitive(value), None);
    };
    let (name, message, stack) = (text(object, "name"), text(object, "message"), text(object, "stack"));
    let position = stack.as_deref().and_then(position);
    let message = message.unwrap_or_default();
    match (name.as_deref(), message.as_str()) {
        (Some("InternalError"), "out of memory") if meter.is_full() => refuse::memory(limits.memory),
        (Some("RangeError"), "Maximum call stack size exceeded") => refuse::stack(),
        (Some("InternalError"), "stack overflow") => refuse::stack(),
        (Some("SyntaxError"), _) if compiling => refuse::syntax(&cut(&message), position),
        (Some(NOT_IN_CONTEXT), name) => refuse::context(&cut(name)),
        (Some(name), _) => refuse::thrown(&cut(&format!("{name}: {message}")), position),
        (None, _) => refuse::thrown(&cut(&message), position),
    }
}

/// Returns a text property. A getter may run here; it is counted like the script.
fn text(object: &Object<'_>, name: &str) -> Option<String> {
    let value: Result<Js<'_>, _> = object.get(name);
    match value {
        Ok(value) => value.as_string()?.to_string().ok(),
        Err(_) => {
            object.ctx().catch();
            None
        }
    }
}

fn primitive(value: &Js<'_>) -> String {
    match value.as_string().map(|text| text.to_string()) {
        Some(Ok(text)) => cut(&text),
        _ => match (value.as_number(), value.as_bool()) {
            (Some(number), _) => number.to_string(),
            (_, Some(truth)) => truth.to_string(),
            _ if value.is_null() => "null".to_owned(),
            _ => value.type_name().to_owned(),
        },
    }
}

fn cut(message: &str) -> String {
    match message.char_indices().nth(MAX_MESSAGE) {
        Some((at, _)) => format!("{}…", &message[..at]),
        None => message.to_owned(),
    }
}

/// Returns the first position of the author's text in a stack trace.
fn position(stack: &str) -> SourcePosition {
    let (_, rest) = stack.split_once(&format!("{SCRIPT}:"))?;
    let mut numbers = rest.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    let (line, column) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    (line > LINES_BEFORE).then(|| (line - LINES_BEFORE, column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_that_of_the_authors_text() {
        assert_eq!(position("    at f (native)\n    at <anonymous> (your-script:3:14)\n"), Some((2, 14)));
        assert_eq!(position("    at your-script:2:1\n"), Some((1, 1)));
        assert_eq!(position("    at eval (<input>)"), None);
    }
}
