//! `storeyline import`: imports chat files, folders, histories and archives.

use std::collections::HashMap;
use std::error::Error as _;
use std::fs;
use std::path::{Path, PathBuf};

use storeyline_engine::{
    Engine, EngineError, FolderRequest, ImportRequest, Stored, VarSystemStates, is_archive, is_history,
};
use storeyline_state::{StoryId, Words};
use storeyline_wire::import::{Broken, ChatFile, Imported, ImportedRef};

use crate::args::{BeginningArgs, ImportArgs};
use crate::commands::{archive, card, which};
use crate::failure::Failure;
use crate::out::{Context, read_card, read_lossy, read_world_books};

pub(crate) fn run(context: &Context, args: &ImportArgs) -> Result<(), Failure> {
    let open =
        |path: &PathBuf| VarSystemStates::open(path).map_err(|source| Failure::Import { path: path.clone(), source });
    let snapshots = args.varsystem_db.as_ref().map(open).transpose()?;
    let stored = Stored { trust: args.trust_stored, snapshots: snapshots.as_ref() };
    if args.chat.is_dir() { folder(context, args, &stored) } else { file(context, args, &stored) }
}

fn file(context: &Context, args: &ImportArgs, stored: &Stored<'_>) -> Result<(), Failure> {
    let text = read_lossy(&args.chat)?;
    if is_archive(&text) {
        return archive::read(context, args, &text);
    }
    let request = request(&args.chat, &args.beginning, text)?;
    let engine = context.engine()?;
    let request = ImportRequest { into: into(context, &engine, args)?, ..request };
    let failed = |source: EngineError| Failure::Import { path: args.chat.clone(), source };
    let progress = context.progress("正在读取", "reading");
    if is_history(&request.text) {
        let answer = engine.import_history(&context.owner(), &request).map_err(failed)?;
        progress.finish_and_clear();
        return show_stories(context, &answer);
    }
    let imported = engine.import_with(&context.owner(), &request, stored).map_err(failed)?;
    progress.finish_and_clear();
    if context.json {
        context.answer(&imported);
        return Ok(());
    }
    context.line(&format!("{}  {}", imported.story, summary(context, &imported)));
    print_remarks(context, &imported);
    Ok(())
}

fn folder(context: &Context, args: &ImportArgs, stored: &Stored<'_>) -> Result<(), Failure> {
    let paths = chat_files(&args.chat)?;
    let one = request(&args.chat, &args.beginning, String::new())?;
    let engine = context.engine()?;
    let into = into(context, &engine, args)?;
    let progress = context.progress_of("正在读取", "reading", paths.len() as u64);
    let (mut files, mut unread) = (Vec::with_capacity(paths.len()), Vec::new());
    for path in &paths {
        match read_lossy(path) {
            Ok(text) => files.push(ChatFile { name: stem(path), text }),
            Err(failure) => unread.push(Broken { file: stem(path), message: reason(&failure) }),
        }
    }
    let ImportRequest { title, card, world_books, allow_functions, .. } = one;
    let request = FolderRequest { files, title, card, world_books, into, allow_functions };
    let mut answer = engine.import_folder(&context.owner(), request, stored, |_| progress.inc(1));
    progress.finish_and_clear();
    answer.broken.splice(..0, unread);
    let by_name: HashMap<String, &PathBuf> = paths.iter().map(|path| (stem(path), path)).collect();
    for broken in &mut answer.broken {
        if let Some(path) = by_name.get(&broken.file) {
            broken.file = path.display().to_string();
        }
    }
    show_stories(context, &answer)
}

/// Returns why a file could not be read, without its path.
fn reason(failure: &Failure) -> Words {
    let said = failure.source().map_or_else(|| failure.to_string(), ToString::to_string);
    Words::new(said.clone(), said)
}

pub(crate) fn request(chat: &Path, beginning: &BeginningArgs, text: String) -> Result<ImportRequest, Failure> {
    let card = beginning.card.as_deref().map(read_card).transpose()?;
    let world_books = read_world_books(&beginning.world_book)?;
    let file = stem(chat);
    let character = card.as_ref().map(|card| card.name.clone()).unwrap_or_default();
    Ok(ImportRequest {
        text,
        title: if character.is_empty() { file.clone() } else { character },
        file,
        card,
        world_books,
        into: None,
        allow_functions: beginning.allow_functions,
    })
}

fn into(context: &Context, engine: &Engine, args: &ImportArgs) -> Result<Option<StoryId>, Failure> {
    args.into.as_deref().map(|story| Ok(which::story(context, engine, story)?.story)).transpose()
}

/// Returns the name of a chat: the stem of its file; `.` is a folder too.
fn stem(path: &Path) -> String {
    let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let named = if path.is_dir() { full.file_name() } else { path.file_stem() };
    named.map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Returns the chat files of a folder, sorted by name.
fn chat_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |source| Failure::file(folder, source);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let is_chat = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("jsonl"));
        if is_chat && path.is_file() {
            paths.push(path);
        }
    }
    paths.sort();
    if paths.is_empty() { Err(Failure::NoChats(folder.to_owned())) } else { Ok(paths) }
}

/// Prints stories and their branches; files that could not be imported make the command fail.
fn show_stories(context: &Context, answer: &Imported) -> Result<(), Failure> {
    if context.json {
        context.answer(answer);
    } else {
        for story in &answer.stories {
            context.line(&story.story.to_string());
            for found in &story.refs {
                context.line(&format!("  {}  {}", found.file, summary(context, found)));
                print_remarks(context, found);
            }
        }
        answer
            .broken
            .iter()
            .for_each(|broken| context.note(&format!("{}: {}", broken.file, context.say(&broken.message))));
    }
    if answer.broken.is_empty() { Ok(()) } else { Err(Failure::BrokenFiles(answer.broken.len())) }
}

fn summary(context: &Context, imported: &ImportedRef) -> String {
    format!(
        "{} {} · {} {} · {} {}",
        imported.floors,
        context.words("层", "floors"),
        imported.pages,
        context.words("页", "pages"),
        imported.new_pages,
        context.words("页是新的", "of them new")
    )
}

/// Prints remarks about the result.
fn print_remarks(context: &Context, imported: &ImportedRef) {
    let beginning =
        imported.initial.as_ref().filter(|initial| !initial.sources.is_empty() || !initial.diagnostics.is_empty());
    if let Some(initial) = beginning {
        card::print_beginning(context, initial);
    }
    for found in &imported.diagnostics {
        let message = context.say(&found.message);
        context.note(&format!("#{} {}  {message}", found.floor, found.source));
    }
    for notice in &imported.notices {
        context.note(context.say(&notice.message));
    }
    let stored = &imported.stored;
    if !stored.overridden.is_empty() {
        let words = context.words("以下楼层采用了存储的状态：", "the stored state counts on floors");
        context.note(&format!("{words} {}", floors(&stored.overridden)));
    }
    if !stored.differing.is_empty() {
        let words = context.words(
            "以下楼层存储的状态与计算结果不同，采用计算结果（`--trust-stored` 采用存储的）：",
            "the stored state differs and the computed one counts (`--trust-stored` takes the stored one) on floors",
        );
        context.note(&format!("{words} {}", floors(&stored.differing)));
    }
}

/// Formats the first of many floors.
fn floors(all: &[usize]) -> String {
    let shown: Vec<String> = all.iter().take(20).map(usize::to_string).collect();
    let more = if all.len() > 20 { format!(" … ({})", all.len()) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}
