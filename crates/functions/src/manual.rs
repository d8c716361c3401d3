//! The prompt text that tells a model which functions there are.

use crate::builtin::Builtin;
use crate::library::Library;
use crate::library::function::{FunctionKind, VarFunction};
use crate::library::syntax;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Chinese,
    English,
}

/// Default tag around the text.
pub const TAG: &str = "variable_system_functions";

/// The description of one function.
struct ManualEntry<'a> {
    syntax: String,
    words: &'a str,
    example: Option<&'a str>,
}

/// Writes the text for these built-ins and for the active functions of a library.
///
/// Functions that are switched off are left out, and so are built-ins that a function of the
/// library replaces.
pub fn manual(functions: &[&Builtin], library: &Library, language: Language, tag: &str) -> String {
    let shown = |function: &&&Builtin| !function.is_off(&library.off) && library.named(function.name).is_none();
    let builtins = functions.iter().filter(shown).map(|function| about_builtin(function, language));
    let own = library.active().filter(|function| is_reachable(library, function)).map(|function| {
        let replaced = functions.iter().find(|builtin| builtin.is_called(&function.name));
        about_own(function, replaced.map(|builtin| about_builtin(builtin, language)))
    });
    let entries: Vec<ManualEntry<'_>> = builtins.chain(own).collect();
    write(&entries, language, tag)
}

/// Returns the line and the example of one function, in place of these built-ins.
pub fn entry(function: &VarFunction, functions: &[&Builtin], language: Language) -> String {
    let replaced = functions.iter().find(|builtin| builtin.is_called(&function.name));
    let entry = about_own(function, replaced.map(|builtin| about_builtin(builtin, language)));
    let mut text = entry.syntax;
    if !entry.words.is_empty() {
        text.push_str(&format!(" // {}", entry.words.replace('\n', " ")));
    }
    text
}

/// Tells whether a call reaches this function: of two with one name the card's runs, unless the other has a
/// pattern of its own.
fn is_reachable(library: &Library, function: &VarFunction) -> bool {
    let has_pattern = matches!(function.kind, FunctionKind::Active { pattern: Some(_) });
    has_pattern || library.named(&function.name).is_none_or(|named| named.id == function.id)
}

fn about_builtin<'a>(function: &'a Builtin, language: Language) -> ManualEntry<'a> {
    let words = match language {
        Language::Chinese => function.zh,
        Language::English => function.en,
    };
    ManualEntry { syntax: function.syntax.to_owned(), words, example: Some(function.example) }
}

/// Describes a function of the library in the author's own words, whatever the language. Where the author
/// says nothing, the built-in that it replaces serves.
fn about_own<'a>(function: &'a VarFunction, replaced: Option<ManualEntry<'a>>) -> ManualEntry<'a> {
    let written = Some(function.description.as_str()).filter(|words| !words.trim().is_empty());
    let example = function.notes.example.as_deref();
    match replaced {
        Some(builtin) => ManualEntry {
            syntax: syntax::declared(function).unwrap_or(builtin.syntax),
            words: written.unwrap_or(builtin.words),
            example: example.or(builtin.example),
        },
        None => ManualEntry {
            syntax: syntax::sample(function).unwrap_or_else(|| syntax::call(&function.name, &["…".to_owned()])),
            words: written.unwrap_or_default(),
            example,
        },
    }
}

fn write(entries: &[ManualEntry<'_>], language: Language, tag: &str) -> String {
    let (head, example) = match language {
        Language::Chinese => ("你可以使用以下函数来更新游戏状态：", "示例："),
        Language::English => ("You can use these functions to update the game state:", "Example: "),
    };
    let mut text = format!("<{tag}>\n{head}\n");
    for entry in entries {
        text.push_str(&format!("\n{}", entry.syntax));
        if !entry.words.is_empty() {
            text.push_str(&format!(" // {}", entry.words.replace('\n', " ")));
        }
        text.push('\n');
        if let Some(shown) = entry.example {
            text.push_str(&format!("{example}{shown}\n"));
        }
    }
    text + &format!("</{tag}>\n")
}

#[cfg(test)]
mod tests {
    use storeyline_calls::{Dialect, ParseSettings, parse};
    use storeyline_state::{Value, json};

    use super::*;
    use crate::library::exchange;
    use crate::library::function::Scope;
    use crate::{Conventions, Profile, builtins, run};

    #[test]
    fn the_chinese_text_is_the_seeds() {
        let text = manual(&builtins(Profile::Native, Dialect::At)[..2], &Library::default(), Language::Chinese, TAG);
        let wanted = "<variable_system_functions>\n你可以使用以下函数来更新游戏状态：\n\n\
            @.SET(\"path.to.var\", value); // 设置变量\n示例：@.SET(\"角色.名字\", \"张三\");\n\n\
            @.ADD(\"path.to.number\", 5); // 数值加法\n示例：@.ADD(\"角色.金币\", 100);\n</variable_system_functions>\n";
        assert_eq!(text, wanted);
    }

    #[test]
    fn functions_of_the_library_are_taught_too() {
        let file = r#"[{"name":"HEAL","description":"完全恢复生命值","syntax":"@.HEAL();","implementation":{"steps":[]}},
            {"name":"ADD","description":"own","executor":""},{"name":"hidden","enabled":false,"executor":""}]"#;
        let mut library = exchange::read(&json::read(file).unwrap(), Scope::Global).library;
        library.off.push("set".into());
        let text = manual(&builtins(Profile::Native, Dialect::At)[..3], &library, Language::English, "x");
        assert_eq!(
            text,
            "<x>\nYou can use these functions to update the game state:\n\n\
             @.SUB(\"path.to.number\", 5); // subtracts from a number\nExample: @.SUB(\"角色.生命值\", 10);\n\n\
             @.HEAL(); // 完全恢复生命值\n\n@.ADD(\"path.to.number\", 5); // own\n\
             Example: @.ADD(\"角色.金币\", 100);\n</x>\n"
        );
    }

    #[test]
    fn every_example_can_be_read_and_most_run_on_a_fitting_state() {
        let state = json::read(
            r#"{"世界":{"时间":"20:00"},"角色":{"好感":1,"金币":1,"生命值":1},"背包":{"物品":["x"]},"成就":[],"临时数据":{"flag":1},"队伍":[{"名":"小满","好感":1}]}"#,
        )
        .unwrap();
        for function in builtins(Profile::Native, Dialect::At) {
            let parsed = parse(function.example, &ParseSettings::default());
            assert_eq!((parsed.calls.len(), parsed.diagnostics.len()), (1, 0), "{}", function.example);
            let conventions = Conventions::of(Profile::Native);
            let fits = run(&state, &parsed.calls[0], conventions).or_else(|_| {
                let list = json::read(r#"{"背包":["伤药"]}"#).unwrap();
                run(&list, &parsed.calls[0], conventions)
            });
            assert!(fits.is_ok_and(|outcome| outcome.state != Value::Null), "{}", function.example);
        }
    }
}
