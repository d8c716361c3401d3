//! Decodes HTML and XML entities of punctuation.

const MARKS: [(&str, &str); 11] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&apos;", "'"),
    ("&#39;", "'"),
    ("&#x27;", "'"),
    ("&#34;", "\""),
    ("&#x22;", "\""),
    ("&nbsp;", " "),
    ("&#40;", "("),
    ("&amp;", "&"),
];

/// Returns the text with its entities decoded.
pub(crate) fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (written, mark) = at_start(rest).unwrap_or(("&", "&"));
        out.push_str(mark);
        rest = &rest[written.len()..];
    }
    out.push_str(rest);
    out
}

/// Returns the entity at the start of a text, and the character it stands for.
pub(crate) fn at_start(text: &str) -> Option<(&'static str, &'static str)> {
    MARKS.into_iter().find(|(written, _)| text.starts_with(written))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_entity_is_read_once() {
        assert_eq!(decoded("a &lt; b &amp;lt; &quot;c&quot; &#39;d&#39; & &x;"), "a < b &lt; \"c\" 'd' & &x;");
    }
}
