//! Parses dates as stories write them. A text without a time zone is UTC, on every machine.

use storeyline_state::iso_date;

/// Parses a date to milliseconds since 1970: ISO 8601, also with slashes, with a space instead of
/// `T`, without leading zeros, seconds or a zone, or with an offset.
pub(crate) fn read(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Some(moment) = iso_date::read(text) {
        return Some(moment);
    }
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00"));
    let time = time.trim();
    let (clock, shift) = match time.rfind(['+', '-']) {
        Some(at) => (&time[..at], offset(&time[at..])?),
        None => (time.trim_end_matches('Z'), 0),
    };
    let clock = if clock.find(':') == Some(1) { format!("0{clock}") } else { clock.to_owned() };
    iso_date::read(&format!("{}T{clock}Z", padded(date)?)).map(|moment| moment - shift)
}

/// `2030/1/1` as `2030-01-01`.
fn padded(date: &str) -> Option<String> {
    let mut parts = date.split(if date.contains('/') { '/' } else { '-' });
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    parts.next().is_none().then(|| format!("{year}-{month:0>2}-{day:0>2}"))
}

/// `+08:00` in milliseconds.
fn offset(text: &str) -> Option<i64> {
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let digits: String = text[1..].chars().filter(|character| *character != ':').collect();
    if digits.len() != 4 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (hours, minutes): (i64, i64) = (digits[..2].parse().ok()?, digits[2..].parse().ok()?);
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes) * 60_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_stories_write_them() {
        let noon = read("2030-01-01T12:00:00Z");
        assert!(noon.is_some());
        for text in [
            "2030-01-01 12:00",
            "2030-01-01T12:00",
            "2030/1/1 12:00",
            "2030-1-1 12:00:00",
            "2030-01-01T20:00:00+08:00",
            " 2030-01-01T12:00:00.000Z ",
        ] {
            assert_eq!(read(text), noon, "{text}");
        }
        assert_eq!(read("2030/1/1"), read("2030-01-01T00:00:00Z"));
        for text in [
            "明天",
            "12/30",
            "2030-1",
            "30/12/2030",
            "Chapter 5",
            "2024年10月26日 20:00",
            "",
            "T",
            "2030-01-01T12:00+8",
            "2030-01-01T-",
            "2030-01-01 金+0800",
            "- +-",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
