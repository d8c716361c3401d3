//! `storeyline import`

use std::fs;

use storeyline_engine::ImportRequest;

use crate::args::ImportArgs;
use crate::commands::{card, which};
use crate::failure::Failure;
use crate::out::{Context, read_card, read_world_books};

pub(crate) fn run(context: &Context, args: &ImportArgs) -> Result<(), Failure> {
    let card = args.beginning.card.as_deref().map(read_card).transpose()?;
    let world_books = read_world_books(&args.beginning.world_book)?;
    let bytes = fs::read(&args.chat).map_err(|source| Failure::file(&args.chat, source))?;
    let file = args.chat.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let character = card.as_ref().map(|card| card.name.clone()).unwrap_or_default();
    let engine = context.engine()?;
    let into = args.into.as_deref().map(|story| which::story(context, &engine, story)).transpose()?;
    let request = ImportRequest {
        text: String::from_utf8_lossy(&bytes).into_owned(),
        title: if character.is_empty() { file.clone() } else { character },
        file,
        card,
        world_books,
        into: into.map(|line| line.story.id),
        allow_functions: args.beginning.allow_functions,
    };
    let progress = context.progress("正在读取", "reading");
    let imported = engine.import(&context.owner(), &request)?;
    progress.finish_and_clear();
    if context.json {
        let result = serde_json::json!({
            "story": imported.story.to_string(),
            "ref": imported.branch.to_string(),
            "floors": imported.floors,
            "pages": imported.pages,
            "new_pages": imported.new_pages,
            "evaluated": imported.evaluated,
            "diagnostics": imported.answer.diagnostics.len(),
            "initial": imported.initial.as_ref().map(card::initial_json),
        });
        context.line(&result.to_string());
        return Ok(());
    }
    let summary = format!(
        "{} {} · {} {} · {} {}",
        imported.floors,
        context.words("层", "floors"),
        imported.pages,
        context.words("页", "pages"),
        imported.new_pages,
        context.words("页是新的", "of them new")
    );
    context.line(&format!("{}  {summary}", imported.story));
    let told = imported.initial.as_ref().filter(|initial| !initial.sources.is_empty() || !initial.remarks.is_empty());
    if let Some(initial) = told {
        card::print_beginning(context, initial);
    }
    for found in &imported.answer.diagnostics {
        let message = context.words(&found.diagnostic.message.zh, &found.diagnostic.message.en);
        context.note(&format!("#{} {}  {message}", found.floor, found.source));
    }
    Ok(())
}
