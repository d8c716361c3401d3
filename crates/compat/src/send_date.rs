//! When a message was sent: ISO 8601 as the host writes it, or milliseconds.

use storeyline_state::{Value, iso_date};

/// Returns milliseconds since 1970; other forms of dates are not understood and give nothing.
pub fn read(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::Text(text) => iso_date::read(text),
        _ => None,
    }
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
}
