//! Parses TOML. Dates stay text, numbers stay exact, keys may be of any script.

use storeyline_state::text::line_and_column;
use storeyline_state::{Number, Object, Value};
use toml::de::{DeTable, DeValue};

use super::{ParsedVariables, at};

pub(super) fn read(source: &str) -> ParsedVariables {
    let quoted = with_quoted_keys(source);
    match DeTable::parse(&quoted) {
        // A text of comments only is valid in any format.
        Ok(table) if table.get_ref().is_empty() => ParsedVariables::default(),
        Ok(table) => ParsedVariables::of(table_value(table.get_ref())),
        Err(error) => {
            let (line, _) = line_and_column(&quoted, error.span().map_or(0, |span| span.start));
            let message = error.message().lines().next().unwrap_or_default().to_owned();
            ParsedVariables { value: None, diagnostics: vec![at(source, "E-INIT-TOML", line, 1, &message, &message)] }
        }
    }
}

fn table_value(table: &DeTable<'_>) -> Value {
    let entries = table.iter().map(|(key, value)| (key.get_ref().as_ref().into(), value_of(value.get_ref())));
    Value::object(entries.collect::<Object>())
}

/// The parser bounds nesting, so recursion is safe.
fn value_of(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::text(text),
        DeValue::Integer(integer) => whole(integer.as_str(), integer.radix()),
        DeValue::Float(float) => number(float.as_str()),
        DeValue::Boolean(value) => Value::Bool(*value),
        DeValue::Datetime(date) => Value::text(date.to_string()),
        DeValue::Array(items) => Value::list(items.iter().map(|item| value_of(item.get_ref())).collect()),
        DeValue::Table(table) => table_value(table),
    }
}

fn whole(digits: &str, radix: u32) -> Value {
    if radix == 10 {
        return number(digits);
    }
    i64::from_str_radix(digits, radix).map_or_else(|_| Value::text(digits), Value::from)
}

/// Converts a number. `inf` and `nan`, which JSON cannot represent, become null, as in MVU's saves.
fn number(digits: &str) -> Value {
    match digits.parse::<Number>() {
        Ok(number) => Value::Number(number),
        Err(_) if digits.contains(['i', 'n']) => Value::Null,
        Err(_) => Value::text(digits),
    }
}

/// Quotes keys that are not ASCII; TOML requires it, but authors do not know that.
fn with_quoted_keys(source: &str) -> String {
    if source.is_ascii() {
        return source.to_owned();
    }
    source.split('\n').map(quoted_line).collect::<Vec<_>>().join("\n")
}

fn quoted_line(line: &str) -> String {
    let trimmed = line.trim();
    let brackets = trimmed.len() - trimmed.trim_start_matches('[').len();
    let header = trimmed.strip_suffix(']').filter(|_| brackets > 0 && !trimmed.contains(['=', '"', '\'', ',']));
    if let Some(inner) = header {
        return format!(
            "{}{}{}",
            "[".repeat(brackets),
            quoted_key(inner.trim_matches(['[', ']'])),
            "]".repeat(brackets)
        );
    }
    match line.split_once('=') {
        Some((key, value)) if !key.contains(['"', '\'', '{', '[', '#', ',']) => format!("{} ={value}", quoted_key(key)),
        _ => line.to_owned(),
    }
}

fn quoted_key(key: &str) -> String {
    let quote = |part: &str| {
        let part = part.trim();
        if part.is_ascii() { part.to_owned() } else { format!("\"{part}\"") }
    };
    key.split('.').map(quote).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    #[test]
    fn toml_is_read_exactly() {
        let source = "标题 = \"夜\"\n大数 = 12345678901234567\nf = 1.10\nh = 0xFF\nd = 2031-05-07T08:00:00\n\n[角色.林舟]\n金币 = 5\n[[物品]]\n名 = 'a'\n[[物品]]\n名 = 'b'\n";
        assert_eq!(
            read(source).value.map(|value| json::write(&value)),
            Some(
                r#"{"标题":"夜","大数":12345678901234567,"f":1.1,"h":255,"d":"2031-05-07T08:00:00","角色":{"林舟":{"金币":5}},"物品":[{"名":"a"},{"名":"b"}]}"#
                    .into()
            )
        );
        let broken = read("a = 1\nb = \n");
        assert!(broken.diagnostics[0].message.en.starts_with("line 2"), "{broken:?}");
    }
}
