//! Numbers as exact decimals: `mantissa × 10^exponent`, so that 0.1 + 0.2 is 0.3.
//!
//! NaN and infinity do not exist here. Text goes in and out in JavaScript's notation, because it
//! reaches prompts. Up to 34 significant digits; what is larger in size than a JavaScript number
//! is refused.

use std::fmt;
use std::str::FromStr;

/// An exact decimal number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Number {
    /// Never a multiple of ten, except zero itself.
    mantissa: i128,
    exponent: i32,
}

/// Why a text or a result is not a number that can be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// The text is not a decimal number.
    #[error("not a number")]
    NotANumber,
    /// The value is beyond what JavaScript can hold.
    #[error("the number is too large")]
    TooLarge,
    /// The value has more digits than are kept exactly.
    #[error("the number has more than 34 digits")]
    TooPrecise,
}

const MAX_DIGITS: u32 = 34;
const MAX_MAGNITUDE: i32 = 308;
const MIN_MAGNITUDE: i32 = -324;

impl Number {
    /// Zero.
    pub const ZERO: Number = Number { mantissa: 0, exponent: 0 };

    fn new(mantissa: i128, exponent: i32) -> Result<Self, NumberError> {
        if mantissa == 0 {
            return Ok(Number::ZERO);
        }
        let (mut mantissa, mut exponent) = (mantissa, exponent);
        while mantissa % 10 == 0 {
            mantissa /= 10;
            exponent += 1;
        }
        let digits = mantissa.unsigned_abs().ilog10() + 1;
        if digits > MAX_DIGITS {
            return Err(NumberError::TooPrecise);
        }
        let magnitude = exponent + digits as i32 - 1;
        if magnitude > MAX_MAGNITUDE {
            return Err(NumberError::TooLarge);
        }
        if magnitude < MIN_MAGNITUDE {
            return Ok(Number::ZERO);
        }
        Ok(Number { mantissa, exponent })
    }

    /// Returns the exact sum.
    pub fn plus(self, other: Number) -> Result<Number, NumberError> {
        let exponent = self.exponent.min(other.exponent);
        let left = scale(self, exponent).ok_or(NumberError::TooPrecise)?;
        let right = scale(other, exponent).ok_or(NumberError::TooPrecise)?;
        Number::new(left.checked_add(right).ok_or(NumberError::TooPrecise)?, exponent)
    }

    /// Returns the value as a list index, if it is one.
    pub fn as_index(self) -> Option<usize> {
        usize::try_from(scale(self, 0)?).ok()
    }

    /// Returns the value as a whole number, if it is one.
    pub fn as_i64(self) -> Option<i64> {
        i64::try_from(scale(self, 0)?).ok()
    }
}

/// The mantissa as it would be with this (smaller) exponent, if that is exact and fits.
fn scale(number: Number, exponent: i32) -> Option<i128> {
    if number.mantissa == 0 {
        return Some(0);
    }
    let shift = u32::try_from(number.exponent - exponent).ok()?;
    number.mantissa.checked_mul(10i128.checked_pow(shift)?)
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Number::new(i128::from(value), 0).expect("64 bits are fewer than 34 digits")
    }
}

impl FromStr for Number {
    type Err = NumberError;

    /// Reads JSON's number syntax, and also a leading `+`, a leading or a trailing point.
    fn from_str(text: &str) -> Result<Self, NumberError> {
        let (negative, unsigned) = match text.as_bytes().first() {
            Some(b'-') => (true, &text[1..]),
            Some(b'+') => (false, &text[1..]),
            _ => (false, text),
        };
        let (digits, power) = match unsigned.find(['e', 'E']) {
            Some(at) => (&unsigned[..at], read_exponent(&unsigned[at + 1..])?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.is_empty() && fraction.is_empty() {
            return Err(NumberError::NotANumber);
        }
        let mut reader = DigitReader::default();
        for byte in whole.bytes().chain(fraction.bytes()) {
            reader.push(byte)?;
        }
        let exponent =
            power.saturating_sub(i64::try_from(fraction.len()).unwrap_or(i64::MAX)).saturating_add(reader.dropped);
        if reader.mantissa == 0 {
            return Ok(Number::ZERO);
        }
        if exponent > 1_000 {
            return Err(NumberError::TooLarge);
        }
        if exponent < -1_000_000 {
            return Ok(Number::ZERO);
        }
        let mantissa = if negative { -reader.mantissa } else { reader.mantissa };
        Number::new(mantissa, exponent as i32)
    }
}

fn read_exponent(text: &str) -> Result<i64, NumberError> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NumberError::NotANumber);
    }
    let size = digits.parse::<i64>().unwrap_or(i64::MAX / 4).min(i64::MAX / 4);
    Ok(if text.starts_with('-') { -size } else { size })
}

/// Collects digits; those after the 34th are cut off, as JavaScript would round them away too.
#[derive(Default)]
struct DigitReader {
    mantissa: i128,
    digits: u32,
    dropped: i64,
}

impl DigitReader {
    fn push(&mut self, byte: u8) -> Result<(), NumberError> {
        if !byte.is_ascii_digit() {
            return Err(NumberError::NotANumber);
        }
        if self.digits == MAX_DIGITS {
            self.dropped += 1;
            return Ok(());
        }
        self.mantissa = self.mantissa * 10 + i128::from(byte - b'0');
        if self.mantissa != 0 {
            self.digits += 1;
        }
        Ok(())
    }
}

impl fmt::Display for Number {
    /// Writes what JavaScript's `String(number)` would write.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.mantissa.unsigned_abs().to_string();
        if self.mantissa < 0 {
            f.write_str("-")?;
        }
        let length = digits.len() as i32;
        let point = length + self.exponent;
        if self.exponent >= 0 && point <= 21 {
            return write!(f, "{digits}{}", "0".repeat(self.exponent as usize));
        }
        if point > 0 && point <= 21 {
            let (whole, fraction) = digits.split_at(point as usize);
            return write!(f, "{whole}.{fraction}");
        }
        if point > -6 && point <= 0 {
            return write!(f, "0.{}{digits}", "0".repeat(-point as usize));
        }
        let (first, rest) = digits.split_at(1);
        let sign = if point > 0 { "+" } else { "-" };
        let dot = if rest.is_empty() { "" } else { "." };
        write!(f, "{first}{dot}{rest}e{sign}{}", (point - 1).abs())
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn numbers_are_written_as_javascript_writes_them() {
        let cases = [
            ("0", "0"),
            ("-0", "0"),
            ("1.50", "1.5"),
            ("100", "100"),
            ("1e3", "1000"),
            ("0.000001", "0.000001"),
            ("0.0000001", "1e-7"),
            ("1e21", "1e+21"),
            ("123e20", "1.23e+22"),
            ("-12.25e-1", "-1.225"),
            (".5", "0.5"),
            ("5.", "5"),
            ("+3", "3"),
            ("100000000000000000000", "100000000000000000000"),
            ("1e-400", "0"),
        ];
        for (given, written) in cases {
            assert_eq!(number(given).to_string(), written, "{given}");
        }
    }

    #[test]
    fn decimals_add_without_binary_noise() {
        assert_eq!(number("0.1").plus(number("0.2")).unwrap().to_string(), "0.3");
        assert_eq!(number("1e20").plus(number("1e-10")).unwrap().to_string(), "100000000000000000000.0000000001");
        assert_eq!(number("1e300").plus(number("1")), Err(NumberError::TooPrecise));
    }

    #[test]
    fn what_is_not_a_number_is_refused() {
        for text in ["", ".", "-", "1e", "0x10", "1_000", "NaN", "Infinity", "1e999", "１", "1 "] {
            assert!(text.parse::<Number>().is_err(), "{text}");
        }
    }
}
