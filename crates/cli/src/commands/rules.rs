//! `storeyline rules`: what new pages of a story are evaluated with.

use std::path::Path;

use storeyline_engine::Rules;
use storeyline_engine::authors::{Schema, Scope};
use storeyline_state::Value;

use crate::args::{RulesArgs, RulesChange, Switch};
use crate::commands::change::CLIENT;
use crate::commands::shape::{maybe, object, text};
use crate::commands::{functions, which};
use crate::failure::Failure;
use crate::out::{Context, read_json};
use crate::style::{Tone, pad};

pub(crate) fn run(context: &Context, args: &RulesArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let story = which::story(context, &engine, &args.story)?.story;
    let mut rules = engine.story_rules(&context.owner(), story.id)?;
    let before = rules.clone();
    apply(context, &mut rules, &args.change)?;
    let operation = match rules == before {
        true if args.what == "set" => return Err(Failure::NothingToSet),
        true => None,
        false => Some(engine.change_rules(&context.owner(), story.id, &rules, CLIENT)?),
    };
    if context.json {
        context.value(&object([
            ("story", text(story.id)),
            ("rules", rules.to_value()),
            ("operation", maybe(operation, Value::from)),
        ]));
        return Ok(());
    }
    context.line(&context.paint(Tone::Strong, &story.title));
    print(context, &rules);
    if let Some(operation) = operation {
        let words = context.words(
            "新的楼层使用这些规则；已有的楼层不变，直到 `storeyline reprocess`。",
            "New pages take these rules; those that are there keep theirs until `storeyline reprocess`.",
        );
        let number = format!("· {} {operation}", context.words("操作", "operation"));
        context.line(&format!("{} {words}  {}", context.paint(Tone::Good, "✓"), context.paint(Tone::Quiet, &number)));
    }
    Ok(())
}

/// Changes rules as somebody asks; a library replaces what is there but the functions of the card.
pub(crate) fn apply(context: &Context, rules: &mut Rules, change: &RulesChange) -> Result<(), Failure> {
    if let Some(path) = &change.library {
        // A library that is asked for by name must be there.
        std::fs::metadata(path).map_err(|source| Failure::file(path, source))?;
        let new = functions::read_library(context, path)?;
        let library = &mut rules.library;
        library.functions.retain(|function| function.scope == Scope::Card);
        library.rules.retain(|rule| rule.scope == Scope::Card);
        library.functions.extend(new.functions);
        library.rules.extend(new.rules);
        library.off = new.off;
    }
    if let Some(profile) = &change.profile {
        rules.profile = functions::profile_named(profile)?;
    }
    if let Some(schema) = &change.schema {
        rules.schema = read_schema(schema)?;
    }
    for (wanted, switch) in [
        (change.user_calls, &mut rules.user_calls),
        (change.skip_reasoning, &mut rules.skip_reasoning),
        (change.json_calls, &mut rules.json_calls),
        (change.tag_calls, &mut rules.tag_calls),
    ] {
        *switch = wanted.map_or(*switch, |wanted| wanted == Switch::On);
    }
    Ok(())
}

fn read_schema(path: &Path) -> Result<Option<Schema>, Failure> {
    if path == Path::new("none") {
        return Ok(None);
    }
    let read = Schema::read(&read_json(path)?);
    read.map(Some).map_err(|words| Failure::Schema { path: path.to_owned(), words: words.en })
}

fn print(context: &Context, rules: &Rules) {
    let line = |name: &str, value: &str, zh: &str, en: &str| {
        let meaning = context.paint(Tone::Quiet, context.words(zh, en));
        context.line(&format!("  {} {}  {meaning}", pad(name, 15), context.paint(Tone::Number, &pad(value, 8))));
    };
    let switch = |on: bool| if on { "on" } else { "off" };
    line("profile", rules.profile.as_str(), "按谁的习惯理解调用", "whose conventions count");
    line("user-calls", switch(rules.user_calls), "玩家消息里的调用是否有效", "calls in the player's own messages");
    line("skip-reasoning", switch(rules.skip_reasoning), "跳过思维链", "reasoning blocks are left out");
    line("json-calls", switch(rules.json_calls), "{\"function\": …} 是调用", "{\"function\": …} is a call");
    line("tag-calls", switch(rules.tag_calls), "<set path=…> 是调用", "<set path=…> is a call");
    line("schema", switch(rules.schema.is_some()), "类型、范围、只读", "types, ranges, read-only keys");
    let library = &rules.library;
    for function in &library.functions {
        line("function", switch(function.enabled), &function.name, &function.name);
    }
    for rule in &library.rules {
        line("rule", switch(rule.enabled), &rule.name, &rule.name);
    }
    for name in &library.off {
        line("built-in", "off", name, name);
    }
}
