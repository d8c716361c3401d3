//! Everything that a data folder contains, as texts that are equal for equal contents: ids and times, which differ
//! from run to run, are left out.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::process::Command;

use storeyline_state::{Value, json};

use crate::Done;

/// One text for each story, each log of operations, and each kind of other thing.
pub(super) type Fingerprint = BTreeSet<String>;

/// Reads a data folder by the program.
pub(super) fn read(program: &Path, data: &Path) -> Done<Fingerprint> {
    let ask = |args: &[&str]| output(program, data, args);
    let mut items = Fingerprint::new();
    let stories = json::read(&ask(&["stories", "--json"])?)?;
    for story in stories.as_list().into_iter().flat_map(|stories| stories.iter()) {
        let id = story.get("story").and_then(Value::as_text).unwrap_or_default();
        let file = data.with_extension("archive.jsonl");
        ask(&["archive", id, &file.to_string_lossy()])?;
        let archive = fs::read_to_string(&file)?;
        fs::remove_file(&file)?;
        items.insert(anonymous(&archive));
        items.insert(anonymous(&ask(&["log", id, "--operations", "--trash", "--json"])?));
    }
    items.insert(anonymous(&ask(&["snapshot", "list", "--json"])?));
    items.insert(anonymous(&ask(&["template", "versions", "A", "--json"])?));
    items.insert(is_indexed(&ask(&["search", "status", "--json"])?)?);
    items.insert(anonymous(&ask(&["functions", "list", "--json"])?));
    Ok(items)
}

/// Only whether there is an index: how many texts it has follows from the stories.
fn is_indexed(status: &str) -> Done<String> {
    Ok(format!("index: {}", json::read(status)?.get("on").map(json::write).unwrap_or_default()))
}

fn output(program: &Path, data: &Path, args: &[&str]) -> Done<String> {
    let output = Command::new(program).arg("--data").arg(data).args(args).output()?;
    if !output.status.success() {
        return Err(format!("{args:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Replaces ids and hashes by the order of their first occurrence, and leaves out times and seeds.
fn anonymous(text: &str) -> String {
    let mut known = HashMap::new();
    let mut out = String::new();
    let is_part = |letter: char| letter.is_ascii_hexdigit() || letter == '-';
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        let end = rest[start..].find(|letter| !is_part(letter)).map_or(rest.len(), |length| start + length);
        let word = &rest[start..end];
        out.push_str(&rest[..start]);
        match word.len() {
            // A random seed, or milliseconds since 1970.
            16 | 13 => out.push('…'),
            // An id, or a hash that covers ids.
            36 | 64 => {
                let next = known.len();
                out.push_str(&format!("#{}", known.entry(word).or_insert(next)));
            }
            _ => out.push_str(word),
        }
        rest = &rest[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_times_are_left_out_and_the_rest_stays() {
        let one = r#"{"id":"0d96e779-47b3-4269-b861-b53f96646ede","of":"0d96e779-47b3-4269-b861-b53f96646ede","t":1794928413311,"n":-5}"#;
        assert_eq!(anonymous(one), r##"{"id":"#0","of":"#0","t":…,"n":-5}"##);
    }
}
