//! Dates as stories write them. Where a text names no zone it is UTC, on every machine.

use storeyline_state::iso_date;

/// Reads a date: ISO 8601, also with a blank instead of `T`, without seconds, without a zone or
/// with an offset.
pub(super) fn read(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Some(moment) = iso_date::read(text) {
        return Some(moment);
    }
    let (date, time) = text.split_once(['T', ' '])?;
    let time = time.trim();
    let (clock, shift) = match time.rfind(['+', '-']) {
        Some(at) => (&time[..at], offset(&time[at..])?),
        None => (time.trim_end_matches('Z'), 0),
    };
    iso_date::read(&format!("{date}T{clock}Z")).map(|moment| moment - shift)
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
        for text in ["2030-01-01 12:00", "2030-01-01T12:00", "2030-01-01T20:00:00+08:00", " 2030-01-01T12:00:00.000Z "]
        {
            assert_eq!(read(text), noon, "{text}");
        }
        for text in ["明天", "", "T", "2030-01-01T12:00+8", "2030-01-01T-", "2030-01-01 金+0800", "- +-"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
