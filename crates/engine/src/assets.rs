//! Assets: templates, function libraries and global snapshots. They are stored outside stories, with
//! every version.

use storeyline_functions::Library;
use storeyline_history::path_states::StateTable;
use storeyline_state::{RefId, StoryId, Value};
use storeyline_store::{Asset, AssetKind, Draft, Owner, View};

use crate::branch::{find_any_ref, node_at};
use crate::clock_and_random::{new_id, now};
use crate::engine::{Engine, ReadEngine};
use crate::error::{EngineError, Result};
use crate::object::object;
use crate::rules::compose_stories;

/// A labelled state outside any chat.
#[derive(Debug, Clone, PartialEq)]
pub struct GlobalSnapshot {
    /// Its id; empty for a new one.
    pub id: String,
    pub name: String,
    /// Written by the user.
    pub description: String,
    pub tags: Vec<String>,
    pub state: Value,
}

impl GlobalSnapshot {
    fn to_value(&self) -> Value {
        object([
            ("name", Value::text(&self.name)),
            ("description", Value::text(&self.description)),
            ("tags", Value::list(self.tags.iter().map(Value::text).collect())),
            ("state", self.state.clone()),
        ])
    }

    pub(crate) fn from_value(id: &str, value: &Value) -> GlobalSnapshot {
        let text = |key| value.get(key).and_then(Value::as_text).unwrap_or_default().to_owned();
        let tags = value.get("tags").and_then(Value::as_list).unwrap_or_default();
        GlobalSnapshot {
            id: id.to_owned(),
            name: text("name"),
            description: text("description"),
            tags: tags.iter().filter_map(Value::as_text).map(str::to_owned).collect(),
            state: value.get("state").cloned().unwrap_or(Value::Null),
        }
    }

    /// Tells whether name, description and tags contain all words of a query.
    fn fits(&self, query: &str) -> bool {
        let hay = format!("{}\n{}\n{}", self.name, self.description, self.tags.join("\n")).to_lowercase();
        query.to_lowercase().split_whitespace().all(|word| hay.contains(word))
    }
}

/// One version of an asset.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    pub version: i64,
    /// When it was saved, in milliseconds since 1970.
    pub time: i64,
    /// `None` if the asset was deleted.
    pub value: Option<Value>,
}

impl ReadEngine {
    /// Returns the template of a card.
    pub fn template(&self, owner: &Owner, card: &str) -> Result<Option<Value>> {
        self.read(owner, |tx| newest(tx, AssetKind::Template, card))
    }

    /// Returns all versions of the template of a card, newest first.
    pub fn template_versions(&self, owner: &Owner, card: &str) -> Result<Vec<Version>> {
        self.read(owner, |tx| versions(tx, AssetKind::Template, card))
    }

    /// Returns the cards that have a template.
    pub fn template_cards(&self, owner: &Owner) -> Result<Vec<String>> {
        self.read(owner, |tx| names(tx, AssetKind::Template))
    }

    /// Returns the scopes that have functions: a card, or empty for all cards.
    pub fn library_scopes(&self, owner: &Owner) -> Result<Vec<String>> {
        self.read(owner, |tx| names(tx, AssetKind::Library))
    }

    /// Returns the functions of a scope.
    pub fn library(&self, owner: &Owner, scope: &str) -> Result<Library> {
        self.read(owner, |tx| library(tx, scope))
    }

    /// Returns all versions of the library of a scope, newest first.
    pub fn library_versions(&self, owner: &Owner, scope: &str) -> Result<Vec<Version>> {
        self.read(owner, |tx| versions(tx, AssetKind::Library, scope))
    }

    /// Returns the global snapshots whose labels contain all words of a query, newest first.
    pub fn snapshots(&self, owner: &Owner, query: &str) -> Result<Vec<GlobalSnapshot>> {
        self.read(owner, |tx| {
            let assets = tx.assets(AssetKind::Snapshot)?;
            let present = assets.iter().filter_map(|asset| Some((&asset.name, asset.value?)));
            let found = present.map(|(id, value)| Ok(GlobalSnapshot::from_value(id, &tx.value(value)?)));
            let mut found: Vec<GlobalSnapshot> = found.collect::<Result<_>>()?;
            found.retain(|snapshot| snapshot.fits(query));
            Ok(found)
        })
    }

    /// Returns a global snapshot.
    pub fn snapshot(&self, owner: &Owner, id: &str) -> Result<Option<GlobalSnapshot>> {
        self.read(owner, |tx| {
            Ok(newest(tx, AssetKind::Snapshot, id)?.map(|value| GlobalSnapshot::from_value(id, &value)))
        })
    }
}

impl Engine {
    /// Saves or deletes the template of a card. Existing pages change only when they are re-processed.
    pub fn put_template(&self, owner: &Owner, card: &str, template: Option<&Value>) -> Result<i64> {
        self.change(owner, |tx| put_template(tx, card, template))
    }

    /// Saves the functions of a scope: a card, or empty for all cards. New pages use them.
    pub fn put_library(&self, owner: &Owner, scope: &str, library: &Library) -> Result<i64> {
        let value = library.to_value();
        self.change(owner, |tx| {
            let version = tx.put_asset(AssetKind::Library, scope, Some(&value), now())?;
            compose_stories(tx, scope)?;
            Ok(version)
        })
    }

    /// Saves a global snapshot and returns its id.
    pub fn put_snapshot(&self, owner: &Owner, snapshot: &GlobalSnapshot) -> Result<String> {
        let id = if snapshot.id.is_empty() { new_id() } else { snapshot.id.clone() };
        self.change(owner, |tx| {
            tx.put_asset(AssetKind::Snapshot, &id, Some(&snapshot.to_value()), now())?;
            Ok(id.clone())
        })
    }

    /// Saves the state of a floor as a global snapshot and returns its id.
    pub fn snapshot_floor(
        &self,
        owner: &Owner,
        story: StoryId,
        from: RefId,
        floor: usize,
        labels: &GlobalSnapshot,
    ) -> Result<String> {
        let state = self.read(owner, |tx| {
            let node = node_at(tx, &find_any_ref(tx, story, from)?, floor)?;
            Ok(tx.state(node.state.ok_or(EngineError::EmptyPath)?)?)
        })?;
        self.put_snapshot(owner, &GlobalSnapshot { state, ..labels.clone() })
    }

    /// Deletes a global snapshot; its versions stay.
    pub fn drop_snapshot(&self, owner: &Owner, id: &str) -> Result<()> {
        self.change(owner, |tx| Ok(tx.put_asset(AssetKind::Snapshot, id, None, now()).map(drop)?))
    }

    /// Saves the state of a global snapshot as the template of a card.
    pub fn snapshot_to_template(&self, owner: &Owner, id: &str, card: &str) -> Result<Option<i64>> {
        self.change(owner, |tx| {
            let Some(value) = newest(tx, AssetKind::Snapshot, id)? else { return Ok(None) };
            let state = GlobalSnapshot::from_value(id, &value).state;
            Ok(Some(put_template(tx, card, Some(&state))?))
        })
    }
}

fn names(tx: &View<'_>, kind: AssetKind) -> Result<Vec<String>> {
    Ok(tx.assets(kind)?.into_iter().map(|kept| kept.name).collect())
}

fn newest(tx: &View<'_>, kind: AssetKind, name: &str) -> Result<Option<Value>> {
    let newest = tx.asset_versions(kind, name)?.into_iter().next().and_then(|kept| kept.value);
    Ok(newest.map(|value| tx.value(value)).transpose()?)
}

fn versions(tx: &View<'_>, kind: AssetKind, name: &str) -> Result<Vec<Version>> {
    let version = |kept: Asset| {
        let value = kept.value.map(|value| tx.value(value)).transpose()?;
        Ok(Version { version: kept.version, time: kept.time, value })
    };
    tx.asset_versions(kind, name)?.into_iter().map(version).collect()
}

fn put_template(tx: &mut Draft<'_>, card: &str, template: Option<&Value>) -> Result<i64> {
    let version = tx.put_asset(AssetKind::Template, card, template, now())?;
    if !card.is_empty() {
        compose_stories(tx, card)?;
    }
    Ok(version)
}

/// The saved template of a card.
pub(crate) fn template(tx: &View<'_>, card: &str) -> Result<Option<Value>> {
    newest(tx, AssetKind::Template, card)
}

/// The saved functions of a scope.
pub(crate) fn library(tx: &View<'_>, scope: &str) -> Result<Library> {
    let value = newest(tx, AssetKind::Library, scope)?;
    Ok(value.as_ref().and_then(Library::from_value).unwrap_or_default())
}
