//! Colours, and the width of texts on a terminal.
//!
//! In: the purpose of a part of a line. Out: the part as it is printed. Colours are used on a
//! terminal only, and not if `NO_COLOR` is set; the caller decides that once.

use anstyle::{AnsiColor, RgbColor, Style};

/// The purpose of a part of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// The main thing: a title, the current branch.
    Strong,
    /// Details: ids, times, counts.
    Quiet,
    /// New, done, healthy.
    Good,
    /// Gone, failed.
    Bad,
    /// Changed, doubtful.
    Changed,
    /// A number that can be typed: a floor, an operation.
    Number,
    /// A name: a speaker, a branch.
    Name,
}

impl Tone {
    pub(crate) fn style(self) -> Style {
        let plain = Style::new();
        match self {
            Tone::Strong => plain.bold(),
            Tone::Quiet => plain.dimmed(),
            Tone::Good => AnsiColor::Green.on_default(),
            Tone::Bad => AnsiColor::Red.on_default(),
            Tone::Changed => AnsiColor::Yellow.on_default(),
            Tone::Number => AnsiColor::Cyan.on_default(),
            Tone::Name => AnsiColor::Blue.on_default().bold(),
        }
    }
}

/// Colours a part of a line, if `wanted`.
pub(crate) fn paint(wanted: bool, style: Style, text: &str) -> String {
    if wanted && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

/// Parses the colour that a user gave a branch: `#f80`, `#ff8800`, or a word.
pub(crate) fn style_of(colour: &str) -> Option<Style> {
    if let Some(digits) = colour.strip_prefix('#') {
        let wide = match digits.len() {
            3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
            _ => digits.to_owned(),
        };
        let number = u32::from_str_radix(&wide, 16).ok().filter(|_| wide.len() == 6)?;
        let [_, red, green, blue] = number.to_be_bytes();
        return Some(RgbColor(red, green, blue).on_default());
    }
    let known = match colour.to_ascii_lowercase().as_str() {
        "red" => AnsiColor::Red,
        "green" => AnsiColor::Green,
        "yellow" | "orange" => AnsiColor::Yellow,
        "blue" => AnsiColor::Blue,
        "magenta" | "purple" | "pink" => AnsiColor::Magenta,
        "cyan" => AnsiColor::Cyan,
        "grey" | "gray" => AnsiColor::BrightBlack,
        _ => return None,
    };
    Some(known.on_default())
}

/// Returns the number of columns of a text: East Asian characters take two.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

fn columns(character: char) -> usize {
    match character {
        '\u{0300}'..='\u{036f}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe4f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'.. => 2,
        _ => 1,
    }
}

/// Pads a text to a number of columns.
pub(crate) fn pad(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}

/// Truncates a text to a number of columns, on one line.
pub(crate) fn cut(text: &str, to: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if width(&line) <= to {
        return line;
    }
    let mut used = 1;
    let kept = line.chars().take_while(|character| {
        used += columns(*character);
        used <= to
    });
    kept.chain(['…']).collect()
}

/// Removes characters that would move the cursor or change colours: texts of models and cards are
/// data.
pub(crate) fn harmless(text: &str) -> String {
    let shown = |character: char| match character {
        '\n' | '\t' => character,
        control if control.is_control() => '�',
        other => other,
    };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_as_a_terminal_does() {
        assert_eq!(width("金币 10"), 7);
        assert_eq!(width("“a”…→"), 5, "quotes and arrows take one column");
        assert_eq!(pad("金", 4), "金  ");
        assert_eq!(cut("雨夜的酒馆\n有人", 7), "雨夜的…");
        assert_eq!(cut("short", 7), "short");
    }

    #[test]
    fn colours_are_words_or_digits_and_anything_else_is_left_alone() {
        assert_eq!(style_of("#f80"), style_of("#ff8800"));
        assert!(style_of("red").is_some() && style_of("#12").is_none() && style_of("温柔").is_none());
        assert_eq!(paint(false, Tone::Bad.style(), "x"), "x");
    }

    #[test]
    fn a_text_cannot_steer_the_terminal() {
        assert_eq!(harmless("a\u{1b}[2Jb\n\tc"), "a�[2Jb\n\tc");
    }
}
