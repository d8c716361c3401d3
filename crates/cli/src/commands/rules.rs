//! `storeyline rules`: the rules for new pages of a story.

use std::path::Path;

use serde::Serialize;
use storeyline_compat::initvar::Names;
use storeyline_engine::authors::{Library, Schema};
use storeyline_engine::{Cast, Choices, Enabled, Engine, EngineError, Origin, RulesChange, Setting, StoryRules};
use storeyline_state::path::PathError;
use storeyline_state::{StatePath, StoryId, Value};
use storeyline_wire::rules::Rules;

use crate::args::{RulesArgs, RulesOptions};
use crate::commands::change::CLIENT;
use crate::commands::{card, functions, which};
use crate::failure::Failure;
use crate::out::{Context, read_card, read_json, read_world_books};
use crate::style::{Tone, pad};

pub(crate) fn run(context: &Context, args: &RulesArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let story = which::story(context, &engine, &args.story)?;
    let change = rules_change(context, &args.change)?;
    let renewed =
        args.card.as_deref().map(|card| renew(context, &engine, story.story, card, args)).transpose()?.flatten();
    let before = engine.story_rules(&context.owner(), story.story)?;
    let operation = match change.after(&before.choices) == before.choices {
        true if args.what == "set" && renewed.is_none() => return Err(Failure::NothingToSet),
        true => renewed,
        false => Some(engine.choose_rules(&context.owner(), story.story, &change, CLIENT)?),
    };
    let rules = engine.story_rules(&context.owner(), story.story)?;
    if context.json {
        context.answer(&ShownRules { story: story.story, rules: rules.shown(), operation });
        return Ok(());
    }
    context.line(&context.paint(Tone::Strong, &story.title));
    print(context, &rules);
    if let Some(operation) = operation {
        let words = context.words(
            "新的楼层使用这些规则；已有的楼层不变，直到 `storeyline reprocess`。",
            "New pages take these rules; those that are there keep theirs until `storeyline reprocess`.",
        );
        context.done(words, &context.operation(operation));
    }
    Ok(())
}

#[derive(Serialize)]
struct ShownRules {
    story: StoryId,
    #[serde(flatten)]
    rules: Rules,
    operation: Option<i64>,
}

/// Takes over the rules of the current card.
fn renew(
    context: &Context,
    engine: &Engine,
    story: StoryId,
    card: &Path,
    args: &RulesArgs,
) -> Result<Option<i64>, Failure> {
    let books = read_world_books(&args.world_book)?;
    let mut cast = Cast { members: vec![read_card(card)?], books, ..Cast::default() };
    if args.allow_functions {
        cast.allowed = cast.begin(&Names::default()).held.into_iter().map(|held| held.fingerprint).collect();
    }
    let (operation, begun) = engine.renew_rules(&context.owner(), story, &cast, CLIENT)?;
    if !context.json {
        card::print_beginning(context, &begun);
    }
    Ok(operation)
}

/// Returns the choices of the command line.
pub(crate) fn rules_change(context: &Context, args: &RulesOptions) -> Result<RulesChange, Failure> {
    let set = Choices {
        profile: args.profile.as_deref().map(functions::profile_named).transpose()?,
        enabled: args.enabled,
        user_calls: args.user_calls,
        skip_reasoning: args.skip_reasoning,
        json_calls: args.json_calls,
        tag_calls: args.tag_calls,
        time_path: args.time_path.as_deref().map(path).transpose()?,
        schema: args.schema.as_deref().map(read_schema).transpose()?,
        first_state: args.template.as_deref().map(read_template).transpose()?,
        library: args.library.as_deref().map(|path| read_library(context, path)).transpose()?,
    };
    Ok(RulesChange { set, unset: args.unset.clone() })
}

fn path(text: &str) -> Result<StatePath, Failure> {
    let refuse = |error: PathError| EngineError::BadPath { path: text.to_owned(), problem: error.to_string() };
    Ok(text.parse().map_err(refuse)?)
}

/// Reads a library that was named, so it must exist.
fn read_library(context: &Context, path: &Path) -> Result<Library, Failure> {
    std::fs::metadata(path).map_err(|source| Failure::file(path, source))?;
    functions::read_library(context, path)
}

fn read_template(path: &Path) -> Result<Value, Failure> {
    let template = read_json(path)?;
    match template.as_object() {
        Some(_) => Ok(template),
        None => Err(Failure::NotAnObject(path.to_owned())),
    }
}

fn read_schema(path: &Path) -> Result<Option<Schema>, Failure> {
    if path == Path::new("none") { Ok(None) } else { functions::read_schema(path).map(Some) }
}

fn print(context: &Context, rules: &StoryRules) {
    let line = |name: &str, value: &str, zh: &str, en: &str| {
        let meaning = context.paint(Tone::Quiet, context.words(zh, en));
        let from = rules.origins.iter().find(|(setting, _)| Setting::from_word(name) == Some(*setting));
        let from = pad(from.map_or("", |(_, origin)| origin_words(context, *origin)), 8);
        let value = context.paint(Tone::Number, &pad(value, 10));
        context.line(&format!("  {} {value} {from} {meaning}", pad(name, 15)));
    };
    let rules = &rules.rules;
    let switch = |on: bool| if on { "on" } else { "off" };
    line("enabled", switch(rules.enabled == Enabled::On), "变量系统是否开启", "whether the story has a state at all");
    line("profile", rules.profile.as_str(), "按谁的习惯理解调用", "whose conventions count");
    line("user-calls", switch(rules.user_calls), "玩家消息里的调用是否有效", "calls in the player's own messages");
    line("skip-reasoning", switch(rules.skip_reasoning), "跳过思维链", "reasoning blocks are left out");
    line("json-calls", switch(rules.json_calls), "{\"function\": …} 是调用", "{\"function\": …} is a call");
    line("tag-calls", switch(rules.tag_calls), "<set path=…> 是调用", "<set path=…> is a call");
    let time = rules.time_path.as_ref().map_or("", |path| path.source());
    line("time-path", time, "TIME 写到哪里", "where TIME writes");
    line("schema", switch(rules.schema.is_some()), "类型、范围、只读", "types, ranges, read-only keys");
    let entries = rules.first_state.as_object().map_or(0, |state| state.len()).to_string();
    line("template", &entries, "初始状态的条目数", "entries of the first state");
    let library = &rules.library;
    let functions = (library.functions.len() + library.rules.len()).to_string();
    line("library", &functions, "自定义函数和规则", "functions and rules");
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

fn origin_words(context: &Context, origin: Origin) -> &'static str {
    match origin {
        Origin::Chosen => context.words("你选的", "you"),
        Origin::Kept => context.words("你存的", "kept"),
        Origin::Card => context.words("角色卡", "card"),
        Origin::Default => context.words("默认", "default"),
    }
}
