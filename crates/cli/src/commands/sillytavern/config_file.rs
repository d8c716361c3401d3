//! The host's `config.yaml`: changes one line. The rest stays byte for byte.

const KEY: &str = "enableServerPlugins:";

/// Tells whether server plugins are enabled.
pub(super) fn plugins_on(text: &str) -> bool {
    text.lines().any(|line| value(line) == Some("true"))
}

/// Returns the text with server plugins enabled.
pub(super) fn switch_on(text: &str) -> String {
    if text.lines().any(|line| value(line).is_some()) {
        let lines = text.split_inclusive('\n').map(|line| match value(line) {
            Some("true") | None => line.to_owned(),
            Some(_) => format!("{KEY} true{}", if line.ends_with('\n') { "\n" } else { "" }),
        });
        return lines.collect();
    }
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{gap}{KEY} true\n")
}

/// Returns the value of our key, if the line has it, without a comment after it.
fn value(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(KEY)?;
    Some(rest.split('#').next().unwrap_or(rest).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_line_changes() {
        let cases = [
            ("", "enableServerPlugins: true\n"),
            ("a: 1", "a: 1\nenableServerPlugins: true\n"),
            ("a: 1\nenableServerPlugins: false # no\nb: 2\n", "a: 1\nenableServerPlugins: true\nb: 2\n"),
            ("enableServerPlugins: true # yes\n", "enableServerPlugins: true # yes\n"),
            (
                "  enableServerPlugins: false\nenableServerPluginsAutoUpdate: true\n",
                "  enableServerPlugins: false\nenableServerPluginsAutoUpdate: true\nenableServerPlugins: true\n",
            ),
        ];
        for (before, after) in cases {
            assert_eq!(switch_on(before), after);
            assert!(plugins_on(after));
            assert_eq!(switch_on(after), after, "doing it again changes nothing");
        }
        assert!(!plugins_on("enableServerPlugins: false"));
    }
}
