//! Numbers as exact decimals: `mantissa × 10^exponent`, so that 0.1 + 0.2 is 0.3.
//!
//! NaN and infinity do not exist here. Text is parsed and formatted in JavaScript's notation,
//! because it reaches prompts. Numbers have up to 34 significant digits; a number beyond the range
//! of a JavaScript number is refused.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// An exact decimal number.
///
/// Packed, because a state consists mostly of numbers and texts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(Rust, packed(8))]
pub struct Number {
    /// Never a multiple of ten, except zero itself.
    mantissa: i128,
    exponent: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    #[error("not a number")]
    NotANumber,
    /// The value is beyond the range of a JavaScript number.
    #[error("the number is too large")]
    TooLarge,
    /// The value has more than 34 significant digits.
    #[error("the number has more than 34 digits")]
    TooPrecise,
}

const MAX_DIGITS: u32 = 34;
const QUOTIENT_DIGITS: u32 = 15;
/// Integers below this are exact as floats.
const EXACT_FLOAT: i64 = 1 << 53;
/// The powers of ten that are exact as floats.
const POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];
const MAX_MAGNITUDE: i32 = 308;
const MIN_MAGNITUDE: i32 = -324;

impl Number {
    pub const ZERO: Number = Number { mantissa: 0, exponent: 0 };

    fn new(mut mantissa: i128, mut exponent: i32) -> Result<Self, NumberError> {
        if mantissa == 0 {
            return Ok(Number::ZERO);
        }
        while mantissa % 10 == 0 {
            mantissa /= 10;
            exponent += 1;
        }
        let digits = digits_of(mantissa);
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

    /// Returns mantissa and exponent; they are equal only for equal numbers.
    pub(crate) fn parts(self) -> (i128, i32) {
        (self.mantissa, self.exponent)
    }

    /// Returns the exact sum.
    pub fn plus(self, other: Number) -> Result<Number, NumberError> {
        let exponent = self.exponent.min(other.exponent);
        let left = scale(self, exponent).ok_or(NumberError::TooPrecise)?;
        let right = scale(other, exponent).ok_or(NumberError::TooPrecise)?;
        Number::new(left.checked_add(right).ok_or(NumberError::TooPrecise)?, exponent)
    }

    /// Returns the exact difference.
    pub fn minus(self, other: Number) -> Result<Number, NumberError> {
        self.plus(other.negated())
    }

    pub fn negated(self) -> Number {
        Number { mantissa: -self.mantissa, ..self }
    }

    /// Returns the exact product.
    pub fn times(self, other: Number) -> Result<Number, NumberError> {
        let mantissa = self.mantissa.checked_mul(other.mantissa).ok_or(NumberError::TooPrecise)?;
        Number::new(mantissa, self.exponent + other.exponent)
    }

    /// Returns the quotient, exact if it has few digits, else rounded to 15 digits. Returns `None`
    /// for a zero divisor.
    pub fn divided(self, other: Number) -> Option<Number> {
        let (left, right) = (self.rounded(QUOTIENT_DIGITS + 2), other.rounded(QUOTIENT_DIGITS + 2));
        let shifted = left.mantissa.checked_mul(10i128.pow(20))?;
        let quotient = Number::new(shifted.checked_div(right.mantissa)?, left.exponent - 20 - right.exponent);
        let rounded = quotient.ok()?.rounded(QUOTIENT_DIGITS);
        // 20 digits are enough to tell an exact short quotient from a rounded one.
        Some(rounded)
    }

    /// Returns the remainder of the division, with the sign of the dividend. Returns `None` for a
    /// zero divisor.
    pub fn remainder(self, other: Number) -> Option<Number> {
        let exponent = self.exponent.min(other.exponent);
        let rest = scale(self, exponent)?.checked_rem(scale(other, exponent)?)?;
        Number::new(rest, exponent).ok()
    }

    /// Rounds to at most this many significant digits; halves go away from zero.
    pub fn rounded(self, digits: u32) -> Number {
        if self.mantissa == 0 {
            return self;
        }
        let have = digits_of(self.mantissa);
        if have <= digits {
            return self;
        }
        let unit = 10i128.pow(have - digits);
        let half = self.mantissa.signum() * (unit / 2);
        let exponent = self.exponent + (have - digits) as i32;
        Number::new((self.mantissa + half) / unit, exponent).unwrap_or(self)
    }

    pub fn floor(self) -> Number {
        if self.exponent >= 0 {
            return self;
        }
        let whole = match 10i128.checked_pow(self.exponent.unsigned_abs()) {
            Some(unit) => self.mantissa.div_euclid(unit),
            None => -i128::from(self.mantissa < 0),
        };
        Number::new(whole, 0).unwrap_or(self)
    }

    /// Converts a float through its shortest JavaScript notation. Returns `None` for NaN and
    /// infinity.
    pub fn from_f64(value: f64) -> Option<Number> {
        if value.fract() == 0.0 && value.abs() < EXACT_FLOAT as f64 {
            return Some(Number::from(value as i64));
        }
        value.is_finite().then(|| format!("{value:e}").parse().ok()).flatten()
    }

    /// Returns the nearest float.
    pub fn to_f64(self) -> f64 {
        // Both parts are exact floats, so one operation rounds once and correctly.
        if self.mantissa.unsigned_abs() < EXACT_FLOAT as u128 && self.exponent.abs() <= 22 {
            let power = POWERS_OF_TEN[self.exponent.unsigned_abs() as usize];
            let mantissa = self.mantissa as f64;
            return if self.exponent < 0 { mantissa / power } else { mantissa * power };
        }
        self.to_string().parse().unwrap_or(0.0)
    }

    pub fn as_index(self) -> Option<usize> {
        usize::try_from(scale(self, 0)?).ok()
    }

    /// Returns the value if it is an integer.
    pub fn as_i64(self) -> Option<i64> {
        i64::try_from(scale(self, 0)?).ok()
    }
}

fn digits_of(mantissa: i128) -> u32 {
    mantissa.unsigned_abs().ilog10() + 1
}

/// Returns the mantissa for a smaller exponent, if it is exact and fits.
fn scale(number: Number, exponent: i32) -> Option<i128> {
    if number.mantissa == 0 {
        return Some(0);
    }
    let shift = u32::try_from(number.exponent - exponent).ok()?;
    if shift == 0 {
        return Some(number.mantissa);
    }
    number.mantissa.checked_mul(10i128.checked_pow(shift)?)
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match self.minus(*other) {
            Ok(difference) => { difference.mantissa }.cmp(&0),
            // They differ by more than 34 digits can express, so floats can compare them.
            Err(_) => self.to_f64().total_cmp(&other.to_f64()),
        }
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Number::new(i128::from(value), 0).expect("64 bits are fewer than 34 digits")
    }
}

impl FromStr for Number {
    type Err = NumberError;

    /// Parses JSON's number syntax, and also a leading `+`, a leading or a trailing point.
    fn from_str(text: &str) -> Result<Self, NumberError> {
        let (negative, unsigned) = match text.as_bytes().first() {
            Some(b'-') => (true, &text[1..]),
            Some(b'+') => (false, &text[1..]),
            _ => (false, text),
        };
        let mut reader = DigitReader::default();
        let (mut point, mut end, mut power) = (None, unsigned.len(), 0);
        for (at, byte) in unsigned.bytes().enumerate() {
            match byte {
                b'0'..=b'9' => reader.push(byte - b'0'),
                b'.' if point.is_none() => point = Some(at),
                b'e' | b'E' => {
                    (end, power) = (at, read_exponent(&unsigned[at + 1..])?);
                    break;
                }
                _ => return Err(NumberError::NotANumber),
            }
        }
        let fraction = point.map_or(0, |point| end - point - 1);
        let has_digits = end > usize::from(point.is_some());
        if !has_digits {
            return Err(NumberError::NotANumber);
        }
        let exponent = power.saturating_sub(i64::try_from(fraction).unwrap_or(i64::MAX)).saturating_add(reader.dropped);
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

/// Collects digits. Digits after the 34th are dropped; JavaScript would round them away too.
#[derive(Default)]
struct DigitReader {
    mantissa: i128,
    digits: u32,
    dropped: i64,
}

impl DigitReader {
    fn push(&mut self, digit: u8) {
        if self.digits == MAX_DIGITS {
            self.dropped += 1;
            return;
        }
        self.mantissa = self.mantissa * 10 + i128::from(digit);
        if self.mantissa != 0 {
            self.digits += 1;
        }
    }
}

impl fmt::Display for Number {
    /// Formats the number as JavaScript's `String(number)` does.
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
    fn arithmetic_is_exact_where_it_can_be() {
        let cases = [
            (number("1").divided(number("8")), "0.125"),
            (number("10").divided(number("3")), "3.33333333333333"),
            (number("2").divided(number("3")), "0.666666666666667"),
            (number("1e300").divided(number("1e-5")), "1e+305"),
            (number("-7.5").remainder(number("2")), "-1.5"),
            (number("0.1").times(number("0.2")).ok(), "0.02"),
            (Some(number("-1.5").floor()), "-2"),
            (Some(number("1e-40").floor()), "0"),
            (Some(number("-1e-40").floor()), "-1"),
            (Some(number("123456789012345").rounded(12)), "123456789012000"),
            (Number::from_f64(1e21), "1e+21"),
        ];
        for (result, wanted) in cases {
            assert_eq!(result.unwrap().to_string(), wanted);
        }
        assert_eq!(number("1").divided(Number::ZERO), None);
        assert_eq!(Number::from_f64(f64::NAN), None);
        assert!(number("1e300") > number("1") && number("-0.1") < Number::ZERO && number("2.50") == number("2.5"));
    }

    #[test]
    fn floats_are_the_nearest_ones() {
        for text in ["0.1", "-1.225", "9007199254740991", "9007199254740993", "1e22", "1e23", "5e-324", "123456.789e-9"]
        {
            let wanted: f64 = text.parse().unwrap();
            assert_eq!(number(text).to_f64(), wanted, "{text}");
            assert_eq!(Number::from_f64(wanted).unwrap().to_f64(), wanted, "{text}");
        }
        assert_eq!(Number::from_f64(-0.0), Some(Number::ZERO));
    }

    #[test]
    fn what_is_not_a_number_is_refused() {
        for text in ["", ".", "-", "1e", "0x10", "1_000", "NaN", "Infinity", "1e999", "１", "1 "] {
            assert!(text.parse::<Number>().is_err(), "{text}");
        }
    }
}
