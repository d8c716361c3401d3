//! The date of a message: ISO 8601 as the host writes it, or milliseconds.

use storeyline_state::{Value, iso_date};

/// Returns milliseconds since 1970, or `None` for other formats.
pub fn read(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::Text(text) => iso_date::read(text),
        _ => None,
    }
}

/// Formats a time as the host does (`toISOString`); as a number if ISO 8601 has no year for it.
pub fn write(moment: i64) -> Value {
    iso_date::write(moment).map_or_else(|| Value::from(moment), Value::text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iso_dates_and_numbers_are_read() {
        assert_eq!(read(&"2000-02-29T12:00:00Z".into()), Some(951_825_600_000));
        assert_eq!(read(&Value::from(5)), Some(5));
        assert_eq!(read(&"October 26, 2024 8:00pm".into()), None);
        assert_eq!(read(&Value::Null), None);
    }

    #[test]
    fn a_written_moment_reads_as_the_same_milliseconds() {
        let days = (0..4_000).map(|step| -62_167_219_200_000 + step * 79_000_000_123);
        for moment in days.chain([0, -1, 999, 1_794_882_942_007, i64::MAX, i64::MIN]) {
            assert_eq!(read(&write(moment)), Some(moment));
        }
        assert_eq!(write(1_769_774_400_000), "2026-01-30T12:00:00.000Z".into());
    }
}
