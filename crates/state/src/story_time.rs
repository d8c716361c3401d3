//! Shifts times as stories write them, and formats them in the form they had:
//! `2024-10-20T15:30:00Z`, `2024-10-20 15:30`, `2024/10/20`, `2024年10月26日 20:00`, `20:00`.

use std::ops::Range;

use crate::iso_date::{civil, midnight};

/// One number of a time: its range in the text and its value.
#[derive(Debug, Clone)]
struct Field {
    at: Range<usize>,
    value: i64,
}

/// Year, month, day, hour, minute, second, millisecond, as far as they were written.
#[derive(Debug, Default)]
struct Fields {
    date: Option<[Field; 3]>,
    clock: Vec<Field>,
}

/// Returns the time shifted by some milliseconds, in the same form. Returns `None` if the text is no time or a
/// year is beyond 9999.
///
/// What the form does not show is lost: a date without a clock moves by whole days.
pub fn shift(text: &str, milliseconds: i64) -> Option<String> {
    let fields = read(text)?;
    let scale = [3_600_000, 60_000, 1_000, 1];
    let clock: i64 = fields.clock.iter().zip(scale).map(|(field, unit)| field.value * unit).sum();
    let passed = clock.checked_add(milliseconds)?;
    let moved = civil(match &fields.date {
        Some([year, month, day]) => midnight(year.value, month.value, day.value)?.checked_add(passed)?,
        None => passed.rem_euclid(86_400_000),
    })?;
    let numbers = [moved.hour().into(), moved.minute().into(), moved.second().into(), moved.millisecond()];
    let dates = fields.date.iter().flatten().zip([moved.year(), moved.month().into(), moved.day().into()]);
    let mut out = text.to_owned();
    let all: Vec<(Field, i16)> = dates.chain(fields.clock.iter().zip(numbers)).map(|(f, n)| (f.clone(), n)).collect();
    for (index, (field, number)) in all.into_iter().enumerate().rev() {
        let old = &text[field.at.clone()];
        let dated = fields.date.is_some();
        let width = match index {
            0 if dated => old.len(),
            1 | 2 if dated && padded_date(text, &fields) => 2,
            1 | 2 if dated => 1,
            _ => old.len(),
        };
        out.replace_range(field.at, &format!("{number:0width$}"));
    }
    Some(out)
}

/// Tells whether a text is a clock without a date: `20:00`.
pub fn is_clock(text: &str) -> bool {
    read(text).is_some_and(|fields| fields.date.is_none())
}

/// Tells whether a text is a time with a date: one of the forms above, or a date of up to six
/// digits of year followed by words (`2024年10月26日 周六 傍晚`). A clock in it must be valid.
pub fn is_dated(text: &str) -> bool {
    if read(text).is_some_and(|fields| fields.date.is_some()) {
        return true;
    }
    let start = text.len() - text.trim_start().len();
    let Some((_, end)) = read_date(text, start) else { return false };
    let behind = text[end..].trim_start_matches(|mark: char| mark.is_whitespace() || "T,，".contains(mark));
    let behind = ["星期", "周"].into_iter().find_map(|word| behind.strip_prefix(word)).map_or(behind, after_one);
    let behind = behind.trim_start();
    let (clock, _) = read_clock(behind, 0);
    !behind.starts_with(|mark: char| mark.is_ascii_digit()) || !clock.is_empty() || is_hour(behind)
}

fn after_one(text: &str) -> &str {
    text.char_indices().nth(1).map_or("", |(at, _)| &text[at..])
}

/// Tells whether a text is an hour without minutes: `20点`.
fn is_hour(text: &str) -> bool {
    let hour = number(text, 0, 1..=2).filter(|hour| hour.value <= 24);
    hour.is_some_and(|hour| text[hour.at.end..].starts_with(['时', '點', '点']))
}

/// Tells whether month and day have two digits: with dashes always, otherwise if one of them was
/// written so.
fn padded_date(text: &str, fields: &Fields) -> bool {
    let Some([year, month, day]) = &fields.date else { return false };
    let dash = text[year.at.end..].starts_with('-');
    dash || [month, day].iter().any(|field| text[field.at.clone()].starts_with('0'))
}

fn read(text: &str) -> Option<Fields> {
    let mut fields = Fields::default();
    let mut at = text.len() - text.trim_start().len();
    if let Some((date, after)) = read_date(text, at) {
        fields.date = Some(date);
        at = after;
        let gap = text[at..].trim_start_matches([' ', 'T', '\u{3000}']);
        at = text.len() - gap.len();
    }
    let (clock, after) = read_clock(text, at);
    fields.clock = clock;
    let rest = text[after..].trim();
    let known = rest.is_empty() || rest == "Z" || is_offset(rest);
    (known && (fields.date.is_some() || !fields.clock.is_empty())).then_some(fields)
}

fn is_offset(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).map(|rest| rest.replace(':', ""));
    digits.is_some_and(|digits| digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn read_date(text: &str, at: usize) -> Option<([Field; 3], usize)> {
    let year = number(text, at, 1..=6)?;
    let forms: [[&str; 3]; 4] = [["-", "-", ""], ["/", "/", ""], [".", ".", ""], ["年", "月", "日"]];
    let form = forms.iter().find(|form| text[year.at.end..].starts_with(form[0]))?;
    let month = number(text, year.at.end + form[0].len(), 1..=2)?;
    let day_at = month.at.end + text[month.at.end..].strip_prefix(form[1]).map(|_| form[1].len())?;
    let day = number(text, day_at, 1..=2)?;
    let end = day.at.end + text[day.at.end..].strip_prefix(form[2]).map(|_| form[2].len())?;
    let valid = (1..=12).contains(&month.value) && (1..=31).contains(&day.value);
    valid.then_some(([year, month, day], end))
}

/// Parses at least hour and minute: `20:00`, `20:00:05.250`, `20时05分30秒`.
fn read_clock(text: &str, at: usize) -> (Vec<Field>, usize) {
    let marks: [&[&str]; 3] = [&[":", "：", "时", "點", "点"], &[":", "：", "分"], &[".", "秒"]];
    let limits = [23, 59, 59, 999];
    let mut clock = Vec::new();
    let mut end = at;
    for (index, limit) in limits.into_iter().enumerate() {
        let digits = if index == 3 { 3..=3 } else { 1..=2 };
        let Some(field) = number(text, end, digits).filter(|field| field.value <= limit) else { break };
        end = field.at.end;
        clock.push(field);
        let mark = marks.get(index).and_then(|marks| marks.iter().find(|mark| text[end..].starts_with(**mark)));
        let Some(mark) = mark else { break };
        end += mark.len();
    }
    if clock.len() < 2 { (Vec::new(), at) } else { (clock, end) }
}

fn number(text: &str, at: usize, digits: std::ops::RangeInclusive<usize>) -> Option<Field> {
    let length = text.as_bytes()[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value = digits.contains(&length).then(|| text[at..at + length].parse().ok())??;
    Some(Field { at: at..at + length, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600_000;

    #[test]
    fn times_move_on_in_the_form_they_have() {
        let cases = [
            ("2024年10月26日 20:00", 5 * HOUR, "2024年10月27日 01:00"),
            ("2024年9月30日 8:05", 24 * HOUR, "2024年10月1日 8:05"),
            ("2024年10月1日", -24 * HOUR, "2024年9月30日"),
            ("2024-10-20T15:30:00Z", HOUR, "2024-10-20T16:30:00Z"),
            ("2024-12-31T23:59:59.999Z", 1, "2025-01-01T00:00:00.000Z"),
            ("2024-10-20 15:30", 90 * 60_000, "2024-10-20 17:00"),
            ("2024/02/28", 24 * HOUR, "2024/02/29"),
            ("2024-10-20T15:30:00+08:00", HOUR, "2024-10-20T16:30:00+08:00"),
            ("0999-12-31", 24 * HOUR, "1000-01-01"),
            ("987年2月28日", 24 * HOUR, "987年3月1日"),
            ("1900/2/28", 24 * HOUR, "1900/3/1"),
            ("2023-02-30", 0, "2023-03-02"),
            ("23:30", HOUR, "00:30"),
            ("00:30", -1_000_000 * 24 * HOUR, "00:30"),
            ("8时5分", HOUR, "9时5分"),
            (" 20：00 ", HOUR, " 21：00 "),
        ];
        for (text, by, wanted) in cases {
            assert_eq!(shift(text, by).as_deref(), Some(wanted), "{text}");
        }
    }

    #[test]
    fn a_date_may_have_words_behind_it() {
        for text in [
            "2024-10-20T15:30:00Z",
            "2024-10-20T15:30:00.123456Z",
            "2024-10-20",
            "2024年10月26日 20:00",
            "2024年10月26日 周六 20:00",
            "2024年10月26日，傍晚",
            "2024年10月26日 20点",
            "102400/1/2",
        ] {
            assert!(is_dated(text) && !is_clock(text), "{text}");
        }
        for text in ["", "garbage", "20:00", "明天", "2024", "2024-13-01", "2024-10-20 25:00", "2024-10-20T99", "周六"]
        {
            assert!(!is_dated(text), "{text}");
        }
        assert!(is_clock("20:00") && !is_clock("20"));
    }

    #[test]
    fn other_texts_are_no_times() {
        for text in
            ["", "傍晚", "第3天", "2024", "2024-13-01", "25:00", "12:61", "2024-10-20 morning", "12", "1:2:3:4:5"]
        {
            assert_eq!(shift(text, HOUR), None, "{text}");
        }
        for (text, by) in [("2024-10-20", i64::MAX), ("9999-12-31", 24 * HOUR), ("0000-01-01", -1), ("10000-01-01", 0)]
        {
            assert_eq!(shift(text, by), None, "{text}");
        }
    }
}
