//! Formats shared by several commands: differences of states, refs, times; as JSON and for people.

use std::time::{SystemTime, UNIX_EPOCH};

use storeyline_state::op::Step;
use storeyline_state::{Object, Value, iso_date, json};
use storeyline_wire::{Change, ChangeKind, Json};

use crate::out::Context;
use crate::style::{Tone, cut, harmless};

/// Maximum number of columns of a value in a line.
const VALUE_COLUMNS: usize = 60;

/// Makes a JSON object.
pub(crate) fn object<'a>(entries: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    Value::object(entries.into_iter().map(|(key, value)| (key.into(), value)).collect::<Object>())
}

/// Makes a JSON number.
pub(crate) fn number(number: usize) -> Value {
    Value::from(number as i64)
}

/// Makes a JSON string.
pub(crate) fn text(text: impl ToString) -> Value {
    Value::text(text.to_string())
}

/// Makes a JSON value, or null for `None`.
pub(crate) fn maybe<T>(value: Option<T>, shape: impl FnOnce(T) -> Value) -> Value {
    value.map_or(Value::Null, shape)
}

/// Makes a JSON list.
pub(crate) fn list<T>(items: impl IntoIterator<Item = T>, shape: impl FnMut(T) -> Value) -> Value {
    Value::list(items.into_iter().map(shape).collect())
}

/// Returns a path as a user would type it.
pub(crate) fn path_text(steps: &[Step]) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            Step::Index(index) => text.push_str(&format!("[{index}]")),
            Step::Key(key) if key.is_empty() || key.contains(['.', '[', ']', '"', '\'']) => {
                text.push_str(&format!("[{}]", json::write(&Value::text(key))));
            }
            Step::Key(key) if text.is_empty() => text.push_str(key),
            Step::Key(key) => text.push_str(&format!(".{key}")),
        }
    }
    text
}

/// Prints changes of a state, one line per path.
pub(crate) fn print_changes(context: &Context, indent: &str, changes: &[Change]) {
    for change in changes {
        let path = match &change.path.0[..] {
            [] => context.words("整个状态", "the whole state").to_owned(),
            path => harmless(&path_text(path)),
        };
        let side = |value: &Option<Json>| value.as_deref().map_or(String::new(), value_text);
        let (old, new) = (side(&change.old), side(&change.new));
        context.line(&match change.kind {
            ChangeKind::Changed => format!(
                "{indent}{} {path}: {} → {}",
                context.paint(Tone::Changed, "~"),
                context.paint(Tone::Bad, &old),
                context.paint(Tone::Good, &new)
            ),
            ChangeKind::Added => format!("{indent}{} {path}: {new}", context.paint(Tone::Good, "+")),
            ChangeKind::Removed => format!("{indent}{} {path}: {old}", context.paint(Tone::Bad, "-")),
        });
    }
}

/// Formats a value on one line, truncated if it is long.
pub(crate) fn value_text(value: &Value) -> String {
    // Control characters are escaped in JSON; slightly more bytes than can be shown are enough.
    cut(&json::write_start(value, 8 * VALUE_COLUMNS), VALUE_COLUMNS)
}

/// Returns words for unusual properties of a floor.
pub(crate) fn floor_marks(context: &Context, stale: bool, overridden: bool, hidden: bool) -> Vec<String> {
    let words = [(stale, "过时", "stale"), (overridden, "手动改正", "corrected by hand"), (hidden, "已隐藏", "hidden")];
    let shown = words.into_iter().filter(|(is, ..)| *is);
    shown.map(|(_, zh, en)| context.paint(Tone::Changed, context.words(zh, en))).collect()
}

pub(crate) fn floors_text(context: &Context, floors: usize) -> String {
    match (context.chinese(), floors) {
        (true, _) => format!("{floors} 层"),
        (false, 1) => "1 floor".to_owned(),
        (false, _) => format!("{floors} floors"),
    }
}

/// Formats a number of bytes for people.
pub(crate) fn bytes_text(bytes: u64) -> String {
    let mut size = bytes as f64;
    let mut units = ["B", "KB", "MB", "GB", "TB"].into_iter();
    let mut unit = units.next().unwrap_or_default();
    for larger in units {
        if size < 1000.0 {
            break;
        }
        size /= 1024.0;
        unit = larger;
    }
    match unit {
        "B" => format!("{bytes} {unit}"),
        _ if size < 10.0 => format!("{size:.1} {unit}"),
        _ => format!("{size:.0} {unit}"),
    }
}

/// A number with its unit: in Chinese, of one, of several.
pub(crate) type Count<'a> = (usize, &'a str, &'a str, &'a str);

/// Joins counts with their units.
pub(crate) fn counts_text<'a>(context: &Context, counts: impl Iterator<Item = Count<'a>>) -> String {
    let words = counts
        .map(|(count, zh, one, many)| format!("{count} {}", context.words(zh, if count == 1 { one } else { many })));
    words.collect::<Vec<_>>().join(" · ")
}

/// Returns the first characters of an id: enough to type it.
pub(crate) fn short(id: impl ToString) -> String {
    id.to_string().chars().take(8).collect()
}

/// Formats how long ago a time was; after a week its date.
pub(crate) fn ago(context: &Context, moment: i64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_millis() as i64);
    ago_from(context.chinese(), now, moment)
}

fn ago_from(chinese: bool, now: i64, moment: i64) -> String {
    let minutes = (now - moment).max(0) / 60_000;
    let (count, zh, en) = match minutes {
        0 => return if chinese { "刚刚" } else { "just now" }.to_owned(),
        1..60 => (minutes, "分钟前", "minute"),
        60..1440 => (minutes / 60, "小时前", "hour"),
        1440..10080 => (minutes / 1440, "天前", "day"),
        _ => return iso_date::write(moment).map(|date| date[..10].to_owned()).unwrap_or_default(),
    };
    match chinese {
        true => format!("{count} {zh}"),
        false => format!("{count} {en}{} ago", if count == 1 { "" } else { "s" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_as_they_are_typed() {
        let key = |key: &str| Step::Key(key.into());
        assert_eq!(path_text(&[key("角色"), key("背包"), Step::Index(0), key("a.b")]), "角色.背包[0][\"a.b\"]");
    }

    #[test]
    fn bytes_are_told_as_people_do() {
        let told: Vec<String> = [0, 999, 1_000, 20_480, 5_000_000_000].map(bytes_text).into();
        assert_eq!(told, ["0 B", "999 B", "1.0 KB", "20 KB", "4.7 GB"]);
    }

    #[test]
    fn moments_are_told_as_people_do() {
        let now = 1_800_000_000_000;
        assert_eq!(ago_from(false, now, now - 59_000), "just now");
        assert_eq!(ago_from(false, now, now - 60_000), "1 minute ago");
        assert_eq!(ago_from(true, now, now - 7_200_000), "2 小时前");
        assert_eq!(ago_from(false, now, now - 3 * 86_400_000), "3 days ago");
        assert_eq!(ago_from(false, now, 0), "1970-01-01");
        assert_eq!(ago_from(true, now, now + 5), "刚刚", "clocks may differ");
    }
}
