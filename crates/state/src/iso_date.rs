//! Converts ISO 8601 dates in UTC, as JavaScript writes them, to and from milliseconds since 1970.

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
    let valid =
        (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60 && date.next().is_none();
    let seconds = ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + whole(second, 2)?;
    valid.then_some(seconds * 1000 + fraction)
}

/// Formats a time as JavaScript's `toISOString` does. Returns `None` outside the years 0 to 9999.
pub fn write(moment: i64) -> Option<String> {
    let (day, rest) = (moment.div_euclid(86_400_000), moment.rem_euclid(86_400_000));
    let (year, month, date) = civil(day);
    let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60);
    (0..10_000)
        .contains(&year)
        .then(|| format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", rest % 1_000))
}

/// Returns year, month and day for a number of days since 1970-01-01.
pub(crate) fn civil(day: i64) -> (i64, i64, i64) {
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let part = (5 * of_year + 2) / 153;
    let (date, month) = (of_year - (153 * part + 2) / 5 + 1, if part < 10 { part + 3 } else { part - 9 });
    (year_of_era + era * 400 + i64::from(month <= 2), month, date)
}

/// Returns the number of days since 1970-01-01 in the Gregorian calendar.
pub(crate) fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + (153 * ((month + 9) % 12) + 2) / 5 + day - 1 - 719_468
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
        ];
        for (text, moment) in cases {
            assert_eq!(read(text), Some(moment), "{text}");
            assert_eq!(write(moment).as_deref(), Some(text));
        }
        assert_eq!(read("2026-11-15"), read("2026-11-15T00:00:00Z"));
        assert_eq!(read("2026-11-15T20:02:29.5Z"), Some(1_794_772_949_500));
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
        assert_eq!(write(i64::MAX), None);
    }
}
