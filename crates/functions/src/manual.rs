//! The prompt text that teaches a model which functions there are.

use crate::builtin::Builtin;

/// The language of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// 中文
    Chinese,
    /// English
    English,
}

/// The tag around the text where nobody wants another one.
pub const TAG: &str = "variable_system_functions";

/// Writes the text for these functions.
pub fn manual(functions: &[&Builtin], language: Language, tag: &str) -> String {
    let (head, example) = match language {
        Language::Chinese => ("你可以使用以下函数来更新游戏状态：", "示例："),
        Language::English => ("You can use these functions to update the game state:", "Example: "),
    };
    let mut text = format!("<{tag}>\n{head}\n");
    for function in functions {
        let words = match language {
            Language::Chinese => function.zh,
            Language::English => function.en,
        };
        text.push_str(&format!("\n{} // {words}\n{example}{}\n", function.syntax, function.example));
    }
    text + &format!("</{tag}>\n")
}

#[cfg(test)]
mod tests {
    use storeyline_calls::{Dialect, ParseSettings, parse};
    use storeyline_state::{Value, json};

    use super::*;
    use crate::{Conventions, Profile, builtins, run};

    #[test]
    fn the_chinese_text_is_the_seeds() {
        let text = manual(&builtins(Profile::Native, Dialect::At)[..2], Language::Chinese, TAG);
        let wanted = "<variable_system_functions>\n你可以使用以下函数来更新游戏状态：\n\n\
            @.SET(\"path.to.var\", value); // 设置变量\n示例：@.SET(\"角色.名字\", \"张三\");\n\n\
            @.ADD(\"path.to.number\", 5); // 数值加法\n示例：@.ADD(\"角色.金币\", 100);\n</variable_system_functions>\n";
        assert_eq!(text, wanted);
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
            let conventions = Conventions { profile: Profile::Native, locks: None, schema: None };
            let fits = run(&state, &parsed.calls[0], conventions).or_else(|_| {
                let list = json::read(r#"{"背包":["伤药"]}"#).unwrap();
                run(&list, &parsed.calls[0], conventions)
            });
            assert!(fits.is_ok_and(|outcome| outcome.state != Value::Null), "{}", function.example);
        }
    }
}
