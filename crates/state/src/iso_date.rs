//! Converts ISO 8601 dates in UTC, as JavaScript writes them, to and from milliseconds since 1970.

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime};

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// Parses `2030-01-01`, `2030-01-01T00:00:00Z` and `2030-01-01T00:00:00.000Z` to milliseconds since
/// 1970.
pub fn read(text: &str) -> Option<i64> {
    let text = text.trim();
    let (date, time) = match text.split_once('T') {
        Some((date, time)) => (date, time.strip_suffix('Z')?),
        None => (text, "00:00:00"),
    };
    let whole = |text: &str, digits: usize| -> Option<i64> {
        (text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
    };
    let mut date = date.split('-');
    let (year, month, day) = (whole(date.next()?, 4)?, whole(date.next()?, 2)?, whole(date.next()?, 2)?);
    let mut time = time.split(':');
    let (hour, minute) = (whole(time.next()?, 2)?, whole(time.next()?, 2)?);
    let (second, fraction) =
        time.next().map_or(("00", "000"), |second| second.split_once('.').unwrap_or((second, "000")));
    let fraction = whole(format!("{fraction:0<3}").get(..3)?, 3)?;
    let valid = (1..=31).contains(&day) && hour < 24 && minute < 60 && date.next().is_none();
    let seconds = (hour * 60 + minute) * 60 + whole(second, 2)?;
    midnight(year, month, day).filter(|_| valid).map(|moment| moment + seconds * 1000 + fraction)
}

/// Formats a time as JavaScript's `toISOString` does. Returns `None` outside the years 0 to 9999.
pub fn write(moment: i64) -> Option<String> {
    civil(moment).map(|civil| format!("{civil:.3}Z"))
}

/// Returns date and clock of a time in UTC. Returns `None` outside the years 0 to 9999.
pub(crate) fn civil(moment: i64) -> Option<DateTime> {
    EPOCH.checked_add(SignedDuration::from_millis(moment)).ok().filter(|civil| civil.year() >= 0)
}

/// Returns the time at which a day begins. A day beyond the end of its month continues into the next one,
/// as in JavaScript.
pub(crate) fn midnight(year: i64, month: i64, day: i64) -> Option<i64> {
    let first = Date::new(year.try_into().ok()?, month.try_into().ok()?, 1).ok()?;
    let since = first.duration_since(EPOCH.date()) + SignedDuration::from_hours(24 * (day - 1));
    i64::try_from(since.as_millis()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_survive_reading_and_writing() {
        let cases = [
            ("1970-01-01T00:00:00.000Z", 0),
            ("2000-02-29T12:00:00.000Z", 951_825_600_000),
            ("2026-11-15T20:02:29.500Z", 1_794_772_949_500),
            ("1969-12-31T23:59:59.999Z", -1),
            ("0000-03-01T00:00:00.000Z", -62_162_035_200_000),
            ("0999-12-31T00:00:00.000Z", -30_610_310_400_000),
            ("1900-03-01T00:00:00.000Z", -2_203_891_200_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ];
        for (text, moment) in cases {
            assert_eq!(read(text), Some(moment), "{text}");
            assert_eq!(write(moment).as_deref(), Some(text));
        }
        assert_eq!(read("2026-11-15"), read("2026-11-15T00:00:00Z"));
        assert_eq!(read("2026-11-15T20:02:29.5Z"), Some(1_794_772_949_500));
        assert_eq!(read("2026-11-15T20:02:29.500999Z"), Some(1_794_772_949_500));
    }

    #[test]
    fn a_day_or_a_second_too_many_counts_on() {
        assert_eq!(read("2026-02-31"), read("2026-03-03"));
        assert_eq!(read("2026-02-28T23:59:75Z"), read("2026-03-01T00:00:15Z"));
    }

    #[test]
    fn other_texts_are_no_dates() {
        for text in [
            "",
            "T:Z",
            "12/30",
            "Chapter 5",
            "2030-1-1",
            "2030-01-01T",
            "2030-13-01",
            "2026-11-15T20:02:29.金Z",
            "2026-11-15T25:00:00Z",
            "2026-11-15-01",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        for moment in [i64::MAX, i64::MIN, 253_402_300_800_000, -62_167_219_200_001] {
            assert_eq!(write(moment), None);
        }
    }
}
