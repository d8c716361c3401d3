//! Queries of the full-text search.

const MAX_WORDS: usize = 32;

/// Splits a query into words: `a "b c"` are two.
pub(crate) fn words(query: &str) -> Vec<String> {
    let parts = query.split('"').enumerate();
    let words = parts.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
        _ => vec![part.trim().to_owned()],
    });
    words.filter(|word| !word.is_empty()).take(MAX_WORDS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_in_quotes_is_one_word() {
        assert_eq!(words(r#"后厨 "two words" x"#), ["后厨", "two words", "x"]);
        assert_eq!(words(r#"" "  "#), Vec::<String>::new());
        assert_eq!(words(r#"open "never closed"#), ["open", "never closed"]);
    }
}
