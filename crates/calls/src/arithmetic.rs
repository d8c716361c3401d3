//! Bounded arithmetic in a value: `(3 + 4) * 2`, `30 - 12`, `Math.max(3, 11)`, `3 > 2 ? 10 : 20`.
//!
//! In: the text of one value. Out: a number, or `None` if the text is not arithmetic. Only the
//! functions and constants listed here are known; nothing is executed.

use storeyline_state::Number;

/// In bytes; longer texts are not arithmetic.
const MAX_LENGTH: usize = 400;

/// Maximum nesting of brackets.
const MAX_DEPTH: usize = 24;

/// Largest exponent that is computed.
const MAX_POWER: i64 = 1_000;

/// Largest number whose factorial is computed.
const MAX_FACTORIAL: i64 = 30;

pub(crate) fn compute(text: &str) -> Option<Number> {
    let text = text.trim();
    if text.len() > MAX_LENGTH || !text.is_ascii() {
        return None;
    }
    let mut parser = ExpressionParser { text, bytes: text.as_bytes(), at: 0 };
    parser.skip_assignment();
    let Term::Number(number) = parser.choice(0)? else { return None };
    parser.skip_spaces();
    (parser.at == parser.bytes.len()).then_some(number)
}

/// A comparison is allowed only as the condition of `?:`.
enum Term {
    Number(Number),
    Truth(bool),
}

struct ExpressionParser<'a> {
    /// ASCII only.
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> ExpressionParser<'a> {
    fn skip_spaces(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn eat(&mut self, word: &str) -> bool {
        self.skip_spaces();
        let found = self.bytes[self.at..].starts_with(word.as_bytes());
        if found {
            self.at += word.len();
        }
        found
    }

    fn eat_one_of(&mut self, marks: &[u8]) -> Option<u8> {
        self.skip_spaces();
        let mark = self.bytes.get(self.at).copied().filter(|byte| marks.contains(byte))?;
        self.at += 1;
        Some(mark)
    }

    /// Skips the target of an assignment: `a = 5` is 5.
    fn skip_assignment(&mut self) {
        let start = self.at;
        let name = self.name();
        let assigned = !name.is_empty() && self.eat("=") && self.bytes.get(self.at) != Some(&b'=');
        if !assigned {
            self.at = start;
        }
    }

    fn name(&mut self) -> &'a str {
        self.skip_spaces();
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn choice(&mut self, depth: usize) -> Option<Term> {
        if depth > MAX_DEPTH {
            return None;
        }
        let first = self.comparison(depth)?;
        if !self.eat("?") {
            return Some(first);
        }
        let yes = self.choice(depth + 1)?;
        let no = if self.eat(":") { self.choice(depth + 1)? } else { return None };
        let holds = match first {
            Term::Truth(truth) => truth,
            Term::Number(number) => number != Number::ZERO,
        };
        Some(if holds { yes } else { no })
    }

    fn comparison(&mut self, depth: usize) -> Option<Term> {
        let left = self.sum(depth)?;
        self.skip_spaces();
        if !matches!(self.bytes.get(self.at), Some(b'=' | b'!' | b'<' | b'>')) {
            return Some(Term::Number(left));
        }
        let signs = ["===", "!==", "==", "!=", ">=", "<=", ">", "<"];
        let Some(sign) = signs.into_iter().find(|sign| self.eat(sign)) else { return Some(Term::Number(left)) };
        let right = self.sum(depth)?;
        Some(Term::Truth(match sign {
            ">=" => left >= right,
            "<=" => left <= right,
            ">" => left > right,
            "<" => left < right,
            "!=" | "!==" => left != right,
            _ => left == right,
        }))
    }

    fn sum(&mut self, depth: usize) -> Option<Number> {
        let mut total = self.product(depth)?;
        loop {
            total = match self.eat_one_of(b"+-") {
                Some(b'+') => total.plus(self.product(depth)?).ok()?,
                Some(_) => total.minus(self.product(depth)?).ok()?,
                None => return Some(total),
            };
        }
    }

    fn product(&mut self, depth: usize) -> Option<Number> {
        let mut total = self.power(depth)?;
        loop {
            total = match self.eat_one_of(b"*/%") {
                Some(b'*') => total.times(self.power(depth)?).ok()?,
                Some(b'/') => total.divided(self.power(depth)?)?,
                Some(_) => total.remainder(self.power(depth)?)?,
                None => return Some(total),
            };
        }
    }

    fn power(&mut self, depth: usize) -> Option<Number> {
        if depth > MAX_DEPTH {
            return None;
        }
        if let Some(sign) = self.eat_one_of(b"-+") {
            let number = self.power(depth + 1)?;
            return Some(if sign == b'-' { number.negated() } else { number });
        }
        let base = self.marked(depth)?;
        if self.eat("**") || self.eat("^") {
            return raise(base, self.power(depth + 1)?);
        }
        Some(base)
    }

    /// Parses a postfix operator: `45%` is 0.45, `5!` is 120.
    fn marked(&mut self, depth: usize) -> Option<Number> {
        let number = self.primary(depth)?;
        self.skip_spaces();
        match &self.bytes[self.at..] {
            [b'!', rest @ ..] if rest.first() != Some(&b'=') => {
                self.at += 1;
                factorial(number)
            }
            [b'%', rest @ ..] if !begins_operand(rest) => {
                self.at += 1;
                number.divided(Number::from(100))
            }
            _ => Some(number),
        }
    }

    fn primary(&mut self, depth: usize) -> Option<Number> {
        if self.eat("(") {
            let Term::Number(inner) = self.choice(depth + 1)? else { return None };
            return self.eat(")").then_some(inner);
        }
        self.skip_spaces();
        match self.bytes.get(self.at)? {
            byte if byte.is_ascii_digit() || *byte == b'.' => self.number(),
            _ => self.named(depth),
        }
    }

    fn number(&mut self) -> Option<Number> {
        let start = self.at;
        if let Some(radix) = self.radix() {
            let start = self.at + 2;
            let digits = self.bytes[start..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            self.at = start + digits;
            return i64::from_str_radix(&self.text[start..self.at], radix).ok().map(Number::from);
        }
        while self.bytes.get(self.at).is_some_and(|byte| byte.is_ascii_digit() || *byte == b'.') {
            self.at += 1;
        }
        if self.bytes.get(self.at).is_some_and(|byte| matches!(byte, b'e' | b'E')) {
            let signed = usize::from(matches!(self.bytes.get(self.at + 1), Some(b'+' | b'-')));
            let digits = self.bytes[self.at + 1 + signed..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits > 0 {
                self.at += 1 + signed + digits;
            }
        }
        self.text[start..self.at].parse().ok()
    }

    fn radix(&self) -> Option<u32> {
        match self.bytes.get(self.at..self.at + 2)? {
            b"0x" | b"0X" => Some(16),
            b"0b" | b"0B" => Some(2),
            b"0o" | b"0O" => Some(8),
            _ => None,
        }
    }

    fn named(&mut self, depth: usize) -> Option<Number> {
        let name = self.name();
        let (space, word) = match name.strip_prefix("Math.").or_else(|| name.strip_prefix("math.")) {
            Some(word) => (true, word),
            None => (false, name),
        };
        if !self.eat("(") {
            // A bare `e` or `pi` is a word of the story, `Math.PI` is not.
            return if space { constant(word) } else { None };
        }
        let mut arguments = Vec::new();
        while !self.eat(")") {
            if !arguments.is_empty() && !self.eat(",") {
                return None;
            }
            let Term::Number(argument) = self.choice(depth + 1)? else { return None };
            arguments.push(argument);
        }
        function(word, &arguments)
    }
}

/// Tells whether an operand follows. `%` is a percent sign only if none does.
fn begins_operand(rest: &[u8]) -> bool {
    rest.trim_ascii_start().first().is_some_and(|byte| byte.is_ascii_alphanumeric() || b".(-+".contains(byte))
}

fn constant(name: &str) -> Option<Number> {
    Number::from_f64(match name {
        "PI" | "pi" => std::f64::consts::PI,
        "E" | "e" => std::f64::consts::E,
        _ => return None,
    })
}

fn function(name: &str, arguments: &[Number]) -> Option<Number> {
    let half: Number = "0.5".parse().ok()?;
    match (name, arguments) {
        ("max", [_, ..]) => arguments.iter().max().copied(),
        ("min", [_, ..]) => arguments.iter().min().copied(),
        ("floor", [x]) => Some(x.floor()),
        ("ceil", [x]) => Some(x.negated().floor().negated()),
        ("round", [x]) => Some(x.plus(half).ok()?.floor()),
        ("trunc" | "fix", [x]) => Some(if *x < Number::ZERO { x.negated().floor().negated() } else { x.floor() }),
        ("abs", [x]) => Some(if *x < Number::ZERO { x.negated() } else { *x }),
        ("sign", [x]) => Some(Number::from(x.cmp(&Number::ZERO) as i64)),
        ("pow", [x, y]) => raise(*x, *y),
        ("mod", [x, y]) => x.remainder(*y),
        ("sqrt", [x]) => Number::from_f64(x.to_f64().sqrt()),
        _ => None,
    }
}

/// Computes a power. Integer exponents are exact; the only root is the square root.
fn raise(base: Number, exponent: Number) -> Option<Number> {
    let Some(whole) = exponent.as_i64() else {
        let half: Number = "0.5".parse().ok()?;
        return if exponent == half { Number::from_f64(base.to_f64().sqrt()) } else { None };
    };
    if !(-MAX_POWER..=MAX_POWER).contains(&whole) {
        return None;
    }
    let power = (0..whole.abs()).try_fold(Number::from(1), |power, _| power.times(base).ok())?;
    if whole < 0 { Number::from(1).divided(power) } else { Some(power) }
}

fn factorial(number: Number) -> Option<Number> {
    let whole = number.as_i64().filter(|whole| (0..=MAX_FACTORIAL).contains(whole))?;
    (1..=whole).try_fold(Number::from(1), |product, factor| product.times(Number::from(factor)).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_computed_exactly() {
        let cases = [
            ("(3 + 4) * 2", "14"),
            ("0.1 + 0.2", "0.3"),
            ("17 % 5", "2"),
            ("Math.max(3, 11, 7)", "11"),
            ("math.floor(9.99)", "9"),
            ("Math.round(Math.PI * 100) / 100", "3.14"),
            ("3 > 2 ? 10 : 20", "10"),
            ("max(1, (2 + 3))", "5"),
            ("-(3 + 4)", "-7"),
            ("2 * 60 * 60 * 1000", "7200000"),
            ("0xFF", "255"),
            ("007", "7"),
            ("45%", "0.45"),
            ("5!", "120"),
            ("2^10", "1024"),
            ("2 ** 3 ** 2", "512"),
            ("a = 5", "5"),
            ("3e4", "30000"),
            ("123456789012345 + 1", "123456789012346"),
            ("10 - - 3", "13"),
            ("2^-1", "0.5"),
            ("0^0", "1"),
            ("0^3", "0"),
            ("1^999", "1"),
            ("(-1)^999", "-1"),
            ("(-1)^-2", "1"),
            ("5 == 5 ? 1 : 0", "1"),
            ("1 != 2 ? 7 : 8", "7"),
            ("Math.ceil(-1.5)", "-1"),
        ];
        for (text, wanted) in cases {
            assert_eq!(compute(text).map(|number| number.to_string()), Some(wanted.to_owned()), "{text}");
        }
    }

    #[test]
    fn everything_else_is_not_arithmetic() {
        let deep = "(".repeat(100_000);
        for text in [
            "",
            "e",
            "pi",
            "3 > 2",
            "3:06",
            "2031-05-07x",
            "1 +",
            "(1",
            "1 2",
            "a.b * 2",
            "zeros(3000,3000)",
            "1/0",
            "0^-1",
            "2^999",
            "process.exit()",
            "Infinity",
            "NaN",
            "99999999999999999999!",
            "9^9^9^9",
            "一",
            "()",
            "max()",
            &deep,
            "1,500",
            "...",
            "0x",
            "--",
        ] {
            assert_eq!(compute(text), None, "{}", &text[..text.len().min(40)]);
        }
    }
}
