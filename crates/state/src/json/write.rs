//! Formats a [`Value`] as JSON text, as JavaScript does.

use std::fmt::Write as _;

use crate::value::Value;

/// Formats a value as JavaScript's `JSON.stringify(value)` does.
pub fn write(value: &Value) -> String {
    let mut out = String::new();
    write_into(&mut out, value);
    out
}

/// Formats a value for people, as JavaScript's `JSON.stringify(value, null, 2)` does.
pub fn write_pretty(value: &Value) -> String {
    let mut out = String::new();
    write_indented(&mut out, value, 0);
    out
}

fn write_indented(out: &mut String, value: &Value, depth: usize) {
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        (0..depth).for_each(|_| out.push_str("  "));
    };
    match value {
        Value::List(items) if !items.is_empty() => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                line(out, depth + 1);
                write_indented(out, item, depth + 1);
            }
            line(out, depth);
            out.push(']');
        }
        Value::Object(object) if !object.is_empty() => {
            out.push('{');
            for (index, (key, value)) in object.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                line(out, depth + 1);
                write_text(out, key);
                out.push_str(": ");
                write_indented(out, value, depth + 1);
            }
            line(out, depth);
            out.push('}');
        }
        other => write_into(out, other),
    }
}

/// Formats the start of a value: at least `bytes` bytes of it, if it has as many, and not many
/// more.
pub fn write_start(value: &Value, bytes: usize) -> String {
    let mut out = String::new();
    write_up_to(&mut out, value, bytes);
    out
}

/// Appends a value to a text.
pub fn write_into(out: &mut String, value: &Value) {
    write_up_to(out, value, usize::MAX);
}

fn write_up_to(out: &mut String, value: &Value, most: usize) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => write!(out, "{number}").expect("writing to a String cannot fail"),
        Value::Text(text) => write_text(out, &text[..text.floor_char_boundary(most)]),
        Value::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if out.len() >= most {
                    return;
                }
                if index > 0 {
                    out.push(',');
                }
                write_up_to(out, item, most);
            }
            out.push(']');
        }
        Value::Object(object) => {
            out.push('{');
            for (index, (key, value)) in object.iter().enumerate() {
                if out.len() >= most {
                    return;
                }
                if index > 0 {
                    out.push(',');
                }
                write_text(out, key);
                out.push(':');
                write_up_to(out, value, most);
            }
            out.push('}');
        }
    }
}

/// Appends a text with quotes and escapes.
pub fn write_text(out: &mut String, text: &str) {
    out.push('"');
    let mut written = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= b' ' && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(&text[written..at]);
        written = at + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x8 => out.push_str("\\b"),
            0xc => out.push_str("\\f"),
            control => write!(out, "\\u{control:04x}").expect("writing to a String cannot fail"),
        }
    }
    out.push_str(&text[written..]);
    out.push('"');
}
