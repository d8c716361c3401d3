//! Libraries as files: the form of seed 000 §4.4, and `custom.json` and `rules.json` of seed 001.
//!
//! Imported functions get new ids and are switched off, so that nothing runs before the user has
//! reviewed it.

use storeyline_state::{Object, Value, Words};

use crate::library::Library;
use crate::library::function::{Scope, VarFunction};
use crate::library::steps::AutoRule;

/// Maximum number of functions and rules in one file, and in a saved library.
pub const MAX_ENTRIES: usize = 1_000;

/// The result of reading a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Imported {
    pub library: Library,
    /// One message for each entry that could not be read.
    pub problems: Vec<Words>,
}

/// Reads a file literally: ids and switches are the file's.
pub fn read(file: &Value, scope: Scope) -> Imported {
    let mut imported = Imported::default();
    let entries = entries(file);
    if entries.is_empty() && file.get("functions").is_none() && file.get("rules").is_none() {
        imported.problems.push(Words::new(
            "文件里没有函数：应是 {\"version\": \"1.0\", \"functions\": [...]}。",
            "There are no functions in the file: it should be {\"version\": \"1.0\", \"functions\": [...]}.",
        ));
    }
    for (index, entry) in entries.iter().enumerate().take(MAX_ENTRIES) {
        if let Err(problem) = take(entry, scope, &mut imported.library) {
            let number = index + 1;
            imported
                .problems
                .push(Words::new(format!("第 {number} 项：{}", problem.zh), format!("Entry {number}: {}", problem.en)));
        }
    }
    if entries.len() > MAX_ENTRIES {
        imported.problems.push(Words::new(
            format!("只读取了前 {MAX_ENTRIES} 项。"),
            format!("Only the first {MAX_ENTRIES} entries were read."),
        ));
    }
    let off = file.get("off").and_then(Value::as_list).unwrap_or_default();
    imported.library.off = off.iter().filter_map(Value::as_text).map(str::to_owned).take(MAX_ENTRIES).collect();
    imported.library.make_ids_unique();
    imported
}

/// Returns how many functions and rules a file claims to have.
pub fn count(file: &Value) -> usize {
    entries(file).len()
}

/// Imports a file from elsewhere: new ids, everything switched off.
pub fn import(file: &Value, scope: Scope, mut new_id: impl FnMut() -> String) -> Imported {
    let mut imported = read(file, scope);
    for function in &mut imported.library.functions {
        function.id = new_id();
        function.enabled = false;
    }
    for rule in &mut imported.library.rules {
        rule.id = new_id();
        rule.enabled = false;
    }
    // A shared file must not switch off built-ins of the user.
    imported.library.off.clear();
    imported
}

/// Writes functions and rules as a file.
pub fn export(library: &Library) -> Value {
    let mut file = Object::default();
    file.insert("version".into(), "1.0".into());
    file.insert("functions".into(), Value::list(library.functions.iter().map(VarFunction::to_value).collect()));
    if !library.rules.is_empty() {
        file.insert("rules".into(), Value::list(library.rules.iter().map(AutoRule::to_value).collect()));
    }
    if !library.off.is_empty() {
        file.insert("off".into(), Value::texts(&library.off));
    }
    Value::object(file)
}

/// Returns the definitions of a file: an object with `functions` and `rules`, a bare list, or one
/// definition.
fn entries(file: &Value) -> Vec<Value> {
    if let Some(list) = file.as_list() {
        return list.to_vec();
    }
    let lists = ["functions", "rules"].map(|key| file.get(key).and_then(Value::as_list));
    match lists {
        [None, None] if file.get("name").is_some() => vec![file.clone()],
        lists => lists.into_iter().flatten().flatten().cloned().collect(),
    }
}

fn take(entry: &Value, scope: Scope, library: &mut Library) -> Result<(), Words> {
    if entry.get("trigger").is_some() || entry.get("actions").is_some() {
        library.rules.push(AutoRule::from_value(entry, scope)?);
    } else {
        library.functions.push(VarFunction::from_value(entry, scope)?);
    }
    Ok(())
}
