//! `storeyline functions`: the function library, as a file.

use std::path::{Path, PathBuf};

use storeyline_engine::authors::exchange::{self, Imported};
use storeyline_engine::authors::{
    Builtin, Executor, FunctionKind, Library, Profile, Schema, Scope, VarFunction, prompt_text, read_library_text,
    taught, try_message,
};
use storeyline_engine::{Rules, new_id};
use storeyline_state::{Value, json};

use crate::args::{FunctionsArgs, FunctionsWhat, PromptArgs};
use crate::commands::apply;
use crate::failure::Failure;
use crate::files::write_file;
use crate::out::{Context, read_json, read_message, read_state};

pub(crate) fn run(context: &Context, args: &FunctionsArgs) -> Result<(), Failure> {
    let path = args.library.clone().unwrap_or_else(|| context.data().join("functions.json"));
    match &args.what {
        FunctionsWhat::List => list(context, &read_library(context, &path)?),
        FunctionsWhat::Manual(prompt) => manual(context, prompt, &read_library(context, &path)?),
        FunctionsWhat::Import { file } => import(context, file, &path),
        FunctionsWhat::Export { out, names } => export(context, out, names, read_library(context, &path)?),
        FunctionsWhat::Enable { names } => switch(context, &path, names, true),
        FunctionsWhat::Disable { names } => switch(context, &path, names, false),
        FunctionsWhat::Test { name, state, message } => {
            test(context, &read_library(context, &path)?, name, state.as_deref(), message)
        }
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
        context.line(&format!("{mark} {:<14} {}  {}", function.name, kind(context, function), function.description));
    }
    for rule in &library.rules {
        let mark = if rule.enabled { "✓" } else { "·" };
        context.line(&format!("{mark} {:<14} {}", rule.name, context.words("自动规则", "rule")));
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
fn import(context: &Context, file: &Path, path: &PathBuf) -> Result<(), Failure> {
    let imported = exchange::import(&read_file(file)?, Scope::Global, new_id);
    tell_problems(context, &imported);
    let mut library = read_library(context, path)?;
    let names = imported.library.functions.iter().map(|function| function.name.clone());
    let names: Vec<String> = names.chain(imported.library.rules.iter().map(|rule| rule.name.clone())).collect();
    library.functions.extend(imported.library.functions);
    library.rules.extend(imported.library.rules);
    write_library(path, &library)?;
    if context.json {
        let result = serde_json::json!({ "imported": names, "problems": imported.problems.len(), "library": path });
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
        "用 `storeyline functions enable 名称` 启用。",
        "Switch one on with `storeyline functions enable NAME`.",
    ));
    Ok(())
}

fn export(context: &Context, out: &Path, names: &[String], mut library: Library) -> Result<(), Failure> {
    if !names.is_empty() {
        check_names(&library, names)?;
        library.functions.retain(|function| names.contains(&function.name));
        library.rules.retain(|rule| names.contains(&rule.name));
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

fn check_names(library: &Library, names: &[String]) -> Result<(), Failure> {
    let known = |name: &&String| {
        library.functions.iter().any(|function| function.name == **name)
            || library.rules.iter().any(|rule| rule.name == **name)
    };
    match names.iter().find(|name| !known(name)) {
        Some(name) => Err(Failure::NoFunction(name.clone())),
        None => Ok(()),
    }
}

/// Returns the built-in with this name or alias.
fn builtin_named(name: &str) -> Option<&'static Builtin> {
    taught(Profile::Native).iter().copied().find(|builtin| builtin.is_called(name))
}

/// Tells whether a name means a built-in, and no function of the library.
fn is_builtin(library: &Library, name: &str) -> bool {
    let own = library.functions.iter().any(|function| function.name == name);
    !own && builtin_named(name).is_some()
}

fn switch(context: &Context, path: &Path, names: &[String], on: bool) -> Result<(), Failure> {
    let mut library = read_library(context, path)?;
    let (builtins, names): (Vec<String>, Vec<String>) =
        names.iter().cloned().partition(|name| is_builtin(&library, name));
    let names = &names[..];
    check_names(&library, names)?;
    let is_named = |off: &String| builtins.iter().any(|name| builtin_named(name).is_some_and(|one| one.is_called(off)));
    library.off.retain(|off| !is_named(off));
    if !on {
        library.off.extend(builtins);
    }
    for function in library.functions.iter_mut().filter(|function| names.contains(&function.name)) {
        function.enabled = on;
    }
    for rule in library.rules.iter_mut().filter(|rule| names.contains(&rule.name)) {
        rule.enabled = on;
    }
    write_library(path, &library)?;
    list(context, &library)
}

/// Runs a message with this function switched on and all others off.
fn test(context: &Context, library: &Library, name: &str, state: Option<&Path>, message: &Path) -> Result<(), Failure> {
    check_names(library, &[name.to_owned()])?;
    let mut alone = library.clone();
    alone.functions.iter_mut().for_each(|function| function.enabled = function.name == name);
    alone.rules.iter_mut().for_each(|rule| rule.enabled = rule.name == name);
    let state = read_state(state)?;
    let message = read_message(message)?;
    let rules = Rules { library: alone, ..Rules::default() };
    let done = context.with_scripts(|scripts| try_message(&state, &message, &rules, scripts))?;
    apply::show(context, &message, &done);
    Ok(())
}
