//! Function libraries: one for all cards, one for each card, every version kept. New pages use the newest.
//!
//! A card carries its functions too. What a host reports of them is stored beside the saved library; once the
//! user saves one for a card, the saved one counts, and the host writes it into the card (`carried.rs`).

mod carried;
mod tryout;
mod uses;

pub use tryout::{Tried, Tryout};

use storeyline_functions::Library;
use storeyline_functions::library::exchange::{self, MAX_ENTRIES};
use storeyline_functions::library::function::{FunctionKind as Kind, Scope, VarFunction};
use storeyline_functions::library::steps::AutoRule;
use storeyline_state::{Value, json};
use storeyline_store::{AssetKind, Draft, Owner, View};
use storeyline_wire::assets::Version;
use storeyline_wire::library::{self as wire, FunctionKind, ImportedFunction, ImportedLibrary};

use crate::assets::{names, versions};
use crate::authors::read_library_text;
use crate::clock_and_random::{new_id, now};
use crate::engine::{Engine, ReadEngine};
use crate::error::{EngineError, Result};
use crate::rules::compose_stories;

/// A library that was saved.
pub(crate) struct Saved {
    pub(crate) library: Library,
    version: i64,
    /// Hash of what the card carried when the two were last the same.
    base: Option<String>,
}

/// What is imported, and how.
#[derive(Debug, Clone)]
pub struct LibraryImport<'a> {
    /// The card, or empty for all cards.
    pub scope: &'a str,
    /// An exchange file, or its text.
    pub file: &'a Value,
    /// Names to be switched on.
    pub enable: &'a [String],
    pub dry_run: bool,
}

impl ReadEngine {
    /// Returns the scopes that have functions: a card, or empty for all cards.
    pub fn library_scopes(&self, owner: &Owner) -> Result<Vec<String>> {
        self.read(owner, |tx| {
            let mut scopes = names(tx, AssetKind::Library)?;
            scopes.extend(names(tx, AssetKind::CarriedLibrary)?);
            scopes.sort();
            scopes.dedup();
            Ok(scopes)
        })
    }

    /// Returns the functions of a scope: the saved ones, else those that the card carries.
    pub fn library(&self, owner: &Owner, scope: &str) -> Result<Library> {
        self.read(owner, |tx| Ok(working(tx, scope)?.0))
    }

    /// Returns the functions of a scope as clients see them.
    pub fn shown_library(&self, owner: &Owner, scope: &str) -> Result<wire::Library> {
        self.read(owner, |tx| shown(tx, scope))
    }

    /// Returns all saved versions of the library of a scope, newest first.
    pub fn library_versions(&self, owner: &Owner, scope: &str) -> Result<Vec<Version>> {
        self.read(owner, |tx| versions(tx, AssetKind::Library, scope))
    }
}

impl Engine {
    /// Saves the functions of a scope: a card, or empty for all cards. New pages use them. Fails if the saved
    /// version is not the one that the change is based on.
    pub fn put_library(&self, owner: &Owner, scope: &str, library: &Library, based_on: Option<i64>) -> Result<i64> {
        self.change(owner, |tx| put(tx, scope, library, based_on))
    }

    /// Adds functions from elsewhere to the library of a scope: with new ids, and off unless they are named.
    pub fn import_library(&self, owner: &Owner, import: &LibraryImport<'_>) -> Result<ImportedLibrary> {
        let text = import.file.as_text().map(read_library_text).transpose();
        let file = match &text {
            Ok(read) => read.as_ref().unwrap_or(import.file),
            Err(error) => {
                let problems = vec![not_readable(error)];
                return Ok(ImportedLibrary { version: 0, imported: Vec::new(), problems });
            }
        };
        let count = exchange::count(file);
        if count > MAX_ENTRIES {
            return Err(EngineError::LargeLibrary { count, most: MAX_ENTRIES });
        }
        let mut read = exchange::import(file, scope_of(import.scope), new_id);
        for function in &mut read.library.functions {
            function.enabled = import.enable.contains(&function.name);
        }
        for rule in &mut read.library.rules {
            rule.enabled = import.enable.contains(&rule.name);
        }
        self.change(owner, |tx| {
            let (mut library, version) = working(tx, import.scope)?;
            let imported = listed(&read.library, &library);
            library.extend(read.library.clone());
            let version = match import.dry_run || imported.is_empty() {
                true => version,
                false => put(tx, import.scope, &library, None)?,
            };
            Ok(ImportedLibrary { version, imported, problems: read.problems.clone() })
        })
    }
}

/// The saved functions of a scope.
pub(crate) fn saved(tx: &View<'_>, scope: &str) -> Result<Option<Saved>> {
    let Some(newest) = tx.asset_versions(AssetKind::Library, scope)?.into_iter().next() else { return Ok(None) };
    let Some(key) = newest.value else { return Ok(None) };
    let value = tx.value(key)?;
    let base = value.get("base").and_then(Value::as_text).map(str::to_owned);
    let library = Library::from_value(&value).unwrap_or_default();
    Ok(Some(Saved { library, version: newest.version, base }))
}

/// The functions of a scope, and the number of the newest version.
fn working(tx: &View<'_>, scope: &str) -> Result<(Library, i64)> {
    if let Some(saved) = saved(tx, scope)? {
        return Ok((saved.library, saved.version));
    }
    let version = tx.asset_versions(AssetKind::Library, scope)?.first().map_or(0, |newest| newest.version);
    Ok((carried::read(tx, scope)?.map(|carried| carried.library).unwrap_or_default(), version))
}

fn shown(tx: &View<'_>, scope: &str) -> Result<wire::Library> {
    let (library, version) = working(tx, scope)?;
    let carried = if scope.is_empty() { None } else { Some(carried::shown(tx, scope)?) };
    Ok(wire::Library { library: exchange::export(&library).into(), version, carried })
}

fn put(tx: &mut Draft<'_>, scope: &str, library: &Library, based_on: Option<i64>) -> Result<i64> {
    let version = tx.asset_versions(AssetKind::Library, scope)?.first().map_or(0, |newest| newest.version);
    if based_on.is_some_and(|based_on| based_on != version) {
        return Err(EngineError::LibraryMoved);
    }
    let count = library.functions.len() + library.rules.len();
    if count > MAX_ENTRIES {
        return Err(EngineError::LargeLibrary { count, most: MAX_ENTRIES });
    }
    let mut library = library.clone();
    let scope_word = scope_of(scope);
    library.functions.iter_mut().for_each(|function: &mut VarFunction| function.scope = scope_word);
    library.rules.iter_mut().for_each(|rule: &mut AutoRule| rule.scope = scope_word);
    library.make_ids_unique();
    let base = if scope.is_empty() { None } else { carried::base_of_next(tx, scope)? };
    let version = tx.put_asset(AssetKind::Library, scope, Some(&stored(&library, base.as_deref())), now())?;
    compose_stories(tx, scope)?;
    Ok(version)
}

/// A library as it is stored, with the hash of what the card carried when the two were last the same.
fn stored(library: &Library, base: Option<&str>) -> Value {
    let mut value = library.to_value();
    if let (Some(base), Value::Object(object)) = (base, &mut value) {
        storeyline_state::value::edit(object).insert("base".into(), Value::text(base));
    }
    value
}

fn listed(new: &Library, before: &Library) -> Vec<ImportedFunction> {
    let taken = |name: &str| {
        before.functions.iter().any(|function| function.name == name)
            || before.rules.iter().any(|rule| rule.name == name)
    };
    let entry = |id: &str, name: &str, kind, value: &Value| ImportedFunction {
        id: id.to_owned(),
        name: name.to_owned(),
        kind,
        size: json::write(value).len(),
        duplicate: taken(name),
    };
    let functions = new.functions.iter().map(|function| {
        let kind = match function.kind {
            Kind::Active { .. } => FunctionKind::Active,
            Kind::Passive { .. } => FunctionKind::Passive,
        };
        entry(&function.id, &function.name, kind, &function.to_value())
    });
    let rules = new.rules.iter().map(|rule| entry(&rule.id, &rule.name, FunctionKind::Rule, &rule.to_value()));
    functions.chain(rules).collect()
}

fn not_readable(error: &storeyline_state::json::JsonError) -> storeyline_state::Words {
    let (line, column, problem) = (error.line, error.column, error.problem);
    storeyline_state::Words::new(
        format!("文件读不懂：第 {line} 行第 {column} 列，{problem}。"),
        format!("The file cannot be read: line {line}, column {column}: {problem}."),
    )
}

fn scope_of(scope: &str) -> Scope {
    if scope.is_empty() { Scope::Global } else { Scope::Card }
}
