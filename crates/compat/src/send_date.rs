//! When a message was sent: ISO 8601 as the host writes it, or milliseconds.

use storeyline_state::Value;

/// Returns milliseconds since 1970; other forms of dates are not understood and give nothing.
pub fn read(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::Text(text) => from_iso(text),
        _ => None,
    }
}

/// Reads `2026-11-15T20:02:29.123Z`.
fn from_iso(text: &str) -> Option<i64> {
    let rest = text.strip_suffix('Z')?;
    let (date, time) = rest.split_once('T')?;
    let mut date = date.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let mut time = time.split(':');
    let (hour, minute) = (time.next()?.parse::<i64>().ok()?, time.next()?.parse::<i64>().ok()?);
    let (second, fraction) = time.next().map(|s| s.split_once('.').unwrap_or((s, "0")))?;
    let milliseconds = format!("{:0<3}", fraction).get(..3)?.parse::<i64>().ok()?;
    let valid = (1970..10_000).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    (valid && (0..24).contains(&hour) && (0..60).contains(&minute)).then_some(())?;
    let seconds = ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second.parse::<i64>().ok()?;
    Some(seconds * 1000 + milliseconds)
}

/// Days since 1970-01-01 in the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year / 400;
    let of_era = year - era * 400;
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iso_dates_and_numbers_are_read() {
        let cases = [
            ("1970-01-01T00:00:00.000Z", Some(0)),
            ("2000-02-29T12:00:00Z", Some(951_825_600_000)),
            ("2026-11-15T20:02:29.5Z", Some(1_794_772_949_500)),
            ("October 26, 2024 8:00pm", None),
            ("2026-13-01T00:00:00Z", None),
            ("2026-11-15T20:02:29.金Z", None),
            ("T:Z", None),
        ];
        for (text, wanted) in cases {
            assert_eq!(read(&text.into()), wanted, "{text}");
        }
        assert_eq!(read(&Value::from(5)), Some(5));
    }
}
