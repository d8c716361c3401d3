//! `storeyline functions`: the saved function libraries, or one in a file.

use std::path::{Path, PathBuf};

use storeyline_engine::authors::exchange::{self, Imported};
use storeyline_engine::authors::{
    Builtin, Executor, FunctionKind, Library, Profile, Schema, Scope, VarFunction, prompt_text, read_library_text,
    taught, try_message,
};
use storeyline_engine::{Engine, Rules, Tried, new_id};
use storeyline_state::{Value, json};

use crate::args::{FunctionsArgs, FunctionsWhat, PromptArgs};
use crate::commands::apply;
use crate::failure::Failure;
use crate::files::write_file;
use crate::out::{Context, read_json, read_message, read_state};
use crate::style::Tone;

pub(crate) fn run(context: &Context, args: &FunctionsArgs) -> Result<(), Failure> {
    let shelf = Shelf::open(context, args)?;
    match &args.what {
        FunctionsWhat::List => list(context, &shelf.library),
        FunctionsWhat::Manual(prompt) => manual(context, prompt, &shelf.library),
        FunctionsWhat::Import { file } => import(context, file, shelf),
        FunctionsWhat::Export { out, names } => export(context, out, names, shelf.library),
        FunctionsWhat::Enable { names } => switch(context, shelf, names, true),
        FunctionsWhat::Disable { names } => switch(context, shelf, names, false),
        FunctionsWhat::Rename { name, to } => rename(context, shelf, name, to),
        FunctionsWhat::Delete { names } => delete(context, shelf, names),
        FunctionsWhat::Move { names, to } => move_to(context, shelf, names, to),
        FunctionsWhat::Test { name, state, message } => test(context, &shelf.library, name, state.as_deref(), message),
    }
}

/// A library, and where it is saved.
struct Shelf {
    library: Library,
    place: Place,
}

enum Place {
    File(PathBuf),
    Saved {
        engine: Box<Engine>,
        /// The card, or empty for all cards.
        scope: String,
        /// The version that was read.
        version: i64,
    },
}

impl Shelf {
    fn open(context: &Context, args: &FunctionsArgs) -> Result<Shelf, Failure> {
        if let Some(path) = &args.library {
            return Ok(Shelf { library: read_library(context, path)?, place: Place::File(path.clone()) });
        }
        Shelf::of_scope(context, args.card.clone().unwrap_or_default())
    }

    fn of_scope(context: &Context, scope: String) -> Result<Shelf, Failure> {
        let engine = context.engine()?;
        let shown = engine.shown_library(&context.owner(), &scope)?;
        let library = engine.library(&context.owner(), &scope)?;
        let place = Place::Saved { engine: Box::new(engine), scope, version: shown.version };
        Ok(Shelf { library, place })
    }

    fn save(&self, context: &Context) -> Result<(), Failure> {
        match &self.place {
            Place::File(path) => write_library(path, &self.library),
            Place::Saved { engine, scope, version } => {
                engine.put_library(&context.owner(), scope, &self.library, Some(*version))?;
                Ok(())
            }
        }
    }

    /// Returns the id that a name or an id means.
    fn id_of(&self, name: &str) -> Result<String, Failure> {
        id_of(&self.library, name)
    }
}

/// Returns the id of the function or rule that a name or an id means.
fn id_of(library: &Library, name: &str) -> Result<String, Failure> {
    let all = library.functions.iter().map(|function| (&function.id, &function.name));
    let all: Vec<_> = all.chain(library.rules.iter().map(|rule| (&rule.id, &rule.name))).collect();
    if let Some((id, _)) = all.iter().find(|(id, _)| *id == name) {
        return Ok((*id).clone());
    }
    let ids: Vec<String> = all.iter().filter(|(_, own)| *own == name).map(|(id, _)| (*id).clone()).collect();
    match ids.len() {
        0 => Err(Failure::NoFunction(name.to_owned())),
        1 => Ok(ids[0].clone()),
        _ => Err(Failure::SeveralFunctions { name: name.to_owned(), ids }),
    }
}

/// Reads a library; a missing file is an empty one.
pub(crate) fn read_library(context: &Context, path: &Path) -> Result<Library, Failure> {
    if !path.exists() {
        return Ok(Library::default());
    }
    let read = exchange::read(&read_file(path)?, Scope::Global);
    tell_problems(context, &read);
    Ok(read.library)
}

/// Reads a library that may be absent.
pub(crate) fn read_any_library(context: &Context, path: Option<&Path>) -> Result<Library, Failure> {
    path.map_or_else(|| Ok(Library::default()), |path| read_library(context, path))
}

pub(crate) fn read_schema(path: &Path) -> Result<Schema, Failure> {
    Schema::read(&read_json(path)?).map_err(|words| Failure::Schema { path: path.to_owned(), words: words.en })
}

fn read_file(path: &Path) -> Result<Value, Failure> {
    read_library_text(&read_message(path)?).map_err(|source| Failure::Json { path: path.to_owned(), source })
}

fn tell_problems(context: &Context, imported: &Imported) {
    for problem in &imported.problems {
        context.note(&format!("✕ {}", context.say(problem)));
    }
}

fn write_library(path: &Path, library: &Library) -> Result<(), Failure> {
    write_file(path, json::write_pretty(&exchange::export(library)).as_bytes())
}

fn list(context: &Context, library: &Library) -> Result<(), Failure> {
    if context.json {
        context.line(&json::write(&exchange::export(library)));
        return Ok(());
    }
    for function in taught(Profile::Native) {
        let words = context.words(function.zh, function.en);
        let mark = if function.is_off(&library.off) { "·" } else { "✓" };
        context.line(&format!("{mark} {:<14} {}  {words}", function.name, context.words("内置", "built-in")));
    }
    for function in &library.functions {
        let mark = if function.enabled { "✓" } else { "·" };
        let (kind, id) = (kind(context, function), context.paint(Tone::Quiet, &function.id));
        context.line(&format!("{mark} {:<14} {kind}  {}  {id}", function.name, function.description));
    }
    for rule in &library.rules {
        let mark = if rule.enabled { "✓" } else { "·" };
        let id = context.paint(Tone::Quiet, &rule.id);
        context.line(&format!("{mark} {:<14} {}  {id}", rule.name, context.words("自动规则", "rule")));
    }
    Ok(())
}

fn kind<'a>(context: &Context, function: &VarFunction) -> &'a str {
    match (&function.kind, &function.executor) {
        (FunctionKind::Active { .. }, Executor::Script(_)) => context.words("主动", "active"),
        (FunctionKind::Active { .. }, Executor::Steps(_)) => context.words("主动 · 步骤", "active · steps"),
        (FunctionKind::Passive { .. }, _) => context.words("被动", "passive"),
    }
}

/// `storeyline prompt`: the prompt text for the functions that every story has.
pub(crate) fn prompt(context: &Context, args: &PromptArgs) -> Result<(), Failure> {
    manual(context, args, &Library::default())
}

fn manual(context: &Context, args: &PromptArgs, library: &Library) -> Result<(), Failure> {
    let language = args.language.as_deref().unwrap_or_else(|| context.words("zh", "en"));
    let profile = profile_named(&args.profile)?;
    let text = prompt_text(profile, library, language == "zh", args.tag.as_deref());
    if context.json {
        context.line(&serde_json::json!({ "text": text }).to_string());
    } else {
        context.line(text.trim_end());
    }
    Ok(())
}

pub(crate) fn profile_named(word: &str) -> Result<Profile, Failure> {
    Profile::from_word(word).ok_or_else(|| Failure::NoProfile(word.to_owned()))
}

/// Imports functions from elsewhere: they get new ids and are switched off.
fn import(context: &Context, file: &Path, mut shelf: Shelf) -> Result<(), Failure> {
    let scope = match &shelf.place {
        Place::Saved { scope, .. } if !scope.is_empty() => Scope::Card,
        _ => Scope::Global,
    };
    let imported = exchange::import(&read_file(file)?, scope, new_id);
    tell_problems(context, &imported);
    let names = imported.library.functions.iter().map(|function| function.name.clone());
    let names: Vec<String> = names.chain(imported.library.rules.iter().map(|rule| rule.name.clone())).collect();
    shelf.library.extend(imported.library);
    shelf.save(context)?;
    if context.json {
        let result = serde_json::json!({ "imported": names, "problems": imported.problems.len() });
        context.line(&result.to_string());
        return Ok(());
    }
    context.line(&format!(
        "{} {}",
        names.len(),
        context.words("个函数已导入，均未启用：", "functions were imported, all switched off:")
    ));
    for name in &names {
        context.line(&format!("· {name}"));
    }
    context.note(context.words(
        "用 `storeyline functions enable 名称` 启用；从下一条回复起生效。",
        "Switch one on with `storeyline functions enable NAME`; it counts from the next reply.",
    ));
    Ok(())
}

fn export(context: &Context, out: &Path, names: &[String], mut library: Library) -> Result<(), Failure> {
    if !names.is_empty() {
        let ids = names.iter().map(|name| id_of(&library, name)).collect::<Result<Vec<String>, Failure>>()?;
        library.functions.retain(|function| ids.contains(&function.id));
        library.rules.retain(|rule| ids.contains(&rule.id));
        library.off.clear();
    }
    write_library(out, &library)?;
    let count = library.functions.len() + library.rules.len();
    if context.json {
        context.line(&serde_json::json!({ "exported": count, "file": out }).to_string());
    } else {
        context.line(&format!("{count} {} {}", context.words("个函数 →", "functions →"), out.display()));
    }
    Ok(())
}

/// Returns the built-in with this name or alias.
fn builtin_named(name: &str) -> Option<&'static Builtin> {
    taught(Profile::Native).iter().copied().find(|builtin| builtin.is_called(name))
}

/// Tells whether a name means a built-in, and no function of the library.
fn is_builtin(library: &Library, name: &str) -> bool {
    let own = library.functions.iter().any(|function| function.name == name || function.id == name);
    !own && builtin_named(name).is_some()
}

fn switch(context: &Context, mut shelf: Shelf, names: &[String], on: bool) -> Result<(), Failure> {
    let (builtins, names): (Vec<String>, Vec<String>) =
        names.iter().cloned().partition(|name| is_builtin(&shelf.library, name));
    let ids = names.iter().map(|name| shelf.id_of(name)).collect::<Result<Vec<String>, Failure>>()?;
    let library = &mut shelf.library;
    let is_named = |off: &String| builtins.iter().any(|name| builtin_named(name).is_some_and(|one| one.is_called(off)));
    library.off.retain(|off| !is_named(off));
    if !on {
        library.off.extend(builtins);
    }
    for function in library.functions.iter_mut().filter(|function| ids.contains(&function.id)) {
        function.enabled = on;
    }
    for rule in library.rules.iter_mut().filter(|rule| ids.contains(&rule.id)) {
        rule.enabled = on;
    }
    shelf.save(context)?;
    list(context, &shelf.library)
}

fn rename(context: &Context, mut shelf: Shelf, name: &str, to: &str) -> Result<(), Failure> {
    let id = shelf.id_of(name)?;
    for function in shelf.library.functions.iter_mut().filter(|function| function.id == id) {
        function.name = to.to_owned();
    }
    for rule in shelf.library.rules.iter_mut().filter(|rule| rule.id == id) {
        rule.name = to.to_owned();
    }
    shelf.save(context)?;
    list(context, &shelf.library)
}

fn delete(context: &Context, mut shelf: Shelf, names: &[String]) -> Result<(), Failure> {
    drop(taken(&mut shelf, names)?);
    shelf.save(context)?;
    list(context, &shelf.library)
}

/// Moves functions to another scope. They are added there first, so that an interruption loses nothing.
fn move_to(context: &Context, mut shelf: Shelf, names: &[String], to: &str) -> Result<(), Failure> {
    let mut target = Shelf::of_scope(context, to.to_owned())?;
    target.library.extend(taken(&mut shelf, names)?);
    target.save(context)?;
    shelf.save(context)?;
    list(context, &target.library)
}

/// Takes functions and rules out of a library.
fn taken(shelf: &mut Shelf, names: &[String]) -> Result<Library, Failure> {
    let ids = names.iter().map(|name| shelf.id_of(name)).collect::<Result<Vec<String>, Failure>>()?;
    let library = &mut shelf.library;
    let functions = library.functions.extract_if(.., |function| ids.contains(&function.id)).collect();
    let rules = library.rules.extract_if(.., |rule| ids.contains(&rule.id)).collect();
    Ok(Library { functions, rules, off: Vec::new() })
}

/// Runs a message with this function on; no other one runs by itself.
fn test(context: &Context, library: &Library, name: &str, state: Option<&Path>, message: &Path) -> Result<(), Failure> {
    let id = id_of(library, name)?;
    let function = library.functions.iter().find(|function| function.id == id).cloned().map(Tried::Function);
    let tried = function.or_else(|| library.rules.iter().find(|rule| rule.id == id).cloned().map(Tried::Rule));
    let tried = tried.ok_or_else(|| Failure::NoFunction(name.to_owned()))?;
    let state = read_state(state)?;
    let message = read_message(message)?;
    let rules = Rules { library: tried.alone_in(library), ..Rules::default() };
    let (done, printed) = context.with_scripts(|scripts| {
        scripts.listen();
        let done = try_message(&state, &message, &rules, scripts);
        (done, scripts.printed())
    });
    for line in printed {
        context.note(&format!("console: {}", context.story_text(&line)));
    }
    apply::show(context, &message, &done?);
    Ok(())
}
