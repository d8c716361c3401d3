//! Assets: templates and global snapshots. They are stored outside stories, with every version.

use storeyline_history::path_states::StateTable;
use storeyline_state::{Object, Value};
use storeyline_store::{Asset, AssetKind, Draft, Owner, View};
use storeyline_wire::JsonObject;
use storeyline_wire::assets::{PutSnapshot, Snapshot, SnapshotFloor, SnapshotLine, SnapshotOrigin, Version};

use crate::branch::{find_any_ref, find_story, node_at};
use crate::clock_and_random::{new_id, now};
use crate::engine::{Engine, ReadEngine};
use crate::error::{EngineError, Result};
use crate::object::object;
use crate::rules::compose_stories;

/// A global snapshot as it is stored: JSON with these keys.
fn stored_snapshot(new: &PutSnapshot, from: Option<&SnapshotOrigin>) -> Value {
    let origin = |from: &SnapshotOrigin| {
        object([
            ("story", Value::text(&from.story)),
            ("branch", Value::text(&from.branch)),
            ("floor", Value::from(from.floor as i64)),
        ])
    };
    object([
        ("name", Value::text(&new.name)),
        ("description", Value::text(&new.description)),
        ("tags", Value::list(new.tags.iter().map(Value::text).collect())),
        ("from", from.map_or(Value::Null, origin)),
        ("state", new.state.0.clone()),
    ])
}

pub(crate) fn read_snapshot(id: &str, value: &Value, changed: i64) -> Snapshot {
    let state = value.get("state").cloned().unwrap_or(Value::Null);
    let tags = value.get("tags").and_then(Value::as_list).unwrap_or_default();
    let labels = SnapshotLine {
        snapshot: id.to_owned(),
        name: text(value, "name"),
        description: text(value, "description"),
        tags: tags.iter().filter_map(Value::as_text).map(str::to_owned).collect(),
        values: count_values(&state),
        from: value.get("from").and_then(read_origin),
        changed,
    };
    Snapshot { labels, state: state.into() }
}

fn text(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_text).unwrap_or_default().to_owned()
}

fn read_origin(from: &Value) -> Option<SnapshotOrigin> {
    let floor = from.get("floor")?.as_number()?.as_index()?;
    Some(SnapshotOrigin { story: text(from, "story"), branch: text(from, "branch"), floor })
}

/// Returns how many values a state has, without the objects and lists that hold them.
fn count_values(value: &Value) -> usize {
    match value {
        Value::Object(_) => {
            value.as_object().into_iter().flat_map(Object::iter).map(|(_, item)| count_values(item)).sum()
        }
        Value::List(_) => value.as_list().unwrap_or_default().iter().map(count_values).sum(),
        _ => 1,
    }
}

/// Tells whether name, description and tags contain all words of a query.
fn fits(labels: &SnapshotLine, query: &str) -> bool {
    let hay = format!("{}\n{}\n{}", labels.name, labels.description, labels.tags.join("\n")).to_lowercase();
    query.to_lowercase().split_whitespace().all(|word| hay.contains(word))
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

    /// Returns the global snapshots whose labels contain all words of a query, newest first.
    pub fn snapshots(&self, owner: &Owner, query: &str) -> Result<Vec<SnapshotLine>> {
        self.read(owner, |tx| {
            let mut found = Vec::new();
            for asset in tx.assets(AssetKind::Snapshot)? {
                let Some(value) = asset.value else { continue };
                let snapshot = read_snapshot(&asset.name, &tx.value(value)?, asset.time);
                found.extend(Some(snapshot.labels).filter(|labels| fits(labels, query)));
            }
            Ok(found)
        })
    }

    pub fn snapshot(&self, owner: &Owner, id: &str) -> Result<Option<Snapshot>> {
        self.read(owner, |tx| {
            let Some(asset) = tx.asset_versions(AssetKind::Snapshot, id)?.into_iter().next() else { return Ok(None) };
            let value = asset.value.map(|value| tx.value(value)).transpose()?;
            Ok(value.map(|value| read_snapshot(id, &value, asset.time)))
        })
    }
}

impl Engine {
    /// Saves or deletes the template of a card. Existing pages change only when they are re-processed.
    pub fn put_template(&self, owner: &Owner, card: &str, template: Option<&Value>) -> Result<i64> {
        self.change(owner, |tx| put_template(tx, card, template))
    }

    /// Saves a global snapshot and returns its id, which is a new one unless it is given.
    pub fn put_snapshot(&self, owner: &Owner, id: Option<&str>, snapshot: &PutSnapshot) -> Result<String> {
        self.change(owner, |tx| {
            let from = id.map(|id| origin(tx, id)).transpose()?.flatten();
            put_snapshot(tx, id, &stored_snapshot(snapshot, from.as_ref()))
        })
    }

    /// Saves another version of a global snapshot, also of a deleted one, which is back then. Returns
    /// its id, or `None` if there never was one.
    pub fn replace_snapshot(&self, owner: &Owner, id: &str, snapshot: &PutSnapshot) -> Result<Option<String>> {
        self.change(owner, |tx| {
            if tx.asset_versions(AssetKind::Snapshot, id)?.is_empty() {
                return Ok(None);
            }
            let from = origin(tx, id)?;
            put_snapshot(tx, Some(id), &stored_snapshot(snapshot, from.as_ref())).map(Some)
        })
    }

    /// Saves the state of a floor as a global snapshot and returns its id.
    pub fn snapshot_floor(&self, owner: &Owner, new: &SnapshotFloor) -> Result<String> {
        self.change(owner, |tx| snapshot_floor(tx, None, new))
    }

    /// Deletes a global snapshot; its versions stay.
    pub fn drop_snapshot(&self, owner: &Owner, id: &str) -> Result<()> {
        self.change(owner, |tx| Ok(tx.put_asset(AssetKind::Snapshot, id, None, now()).map(drop)?))
    }

    /// Saves the state of a global snapshot as the template of a card.
    pub fn snapshot_to_template(&self, owner: &Owner, id: &str, card: &str) -> Result<Option<i64>> {
        self.change(owner, |tx| {
            let Some(value) = newest(tx, AssetKind::Snapshot, id)? else { return Ok(None) };
            Ok(Some(put_template(tx, card, value.get("state"))?))
        })
    }
}

/// Where a snapshot came from first; other versions of it come from there, too.
fn origin(tx: &View<'_>, id: &str) -> Result<Option<SnapshotOrigin>> {
    let versions = tx.asset_versions(AssetKind::Snapshot, id)?;
    let Some(kept) = versions.into_iter().find_map(|version| version.value) else { return Ok(None) };
    Ok(tx.value(kept)?.get("from").and_then(read_origin))
}

/// Saves the state of a floor as a global snapshot and returns its id, which is a new one unless it is given.
pub(crate) fn snapshot_floor(tx: &mut Draft<'_>, id: Option<&str>, new: &SnapshotFloor) -> Result<String> {
    let (story, branch) = (find_story(tx, new.story)?, find_any_ref(tx, new.story, new.branch)?);
    let floor = new.floor as usize;
    let node = node_at(tx, &branch, floor)?;
    let state = tx.state(node.state.ok_or(EngineError::EmptyPath)?)?;
    let from = SnapshotOrigin { story: story.title, branch: branch.name, floor };
    let SnapshotFloor { name, description, tags, .. } = new.clone();
    let snapshot = PutSnapshot { name, description, tags, state: JsonObject(state) };
    put_snapshot(tx, id, &stored_snapshot(&snapshot, Some(&from)))
}

fn put_snapshot(tx: &mut Draft<'_>, id: Option<&str>, value: &Value) -> Result<String> {
    let id = id.map_or_else(new_id, str::to_owned);
    tx.put_asset(AssetKind::Snapshot, &id, Some(value), now())?;
    Ok(id)
}

pub(crate) fn names(tx: &View<'_>, kind: AssetKind) -> Result<Vec<String>> {
    Ok(tx.assets(kind)?.into_iter().map(|kept| kept.name).collect())
}

pub(crate) fn newest(tx: &View<'_>, kind: AssetKind, name: &str) -> Result<Option<Value>> {
    let newest = tx.asset_versions(kind, name)?.into_iter().next().and_then(|kept| kept.value);
    Ok(newest.map(|value| tx.value(value)).transpose()?)
}

pub(crate) fn versions(tx: &View<'_>, kind: AssetKind, name: &str) -> Result<Vec<Version>> {
    let version = |kept: Asset| {
        let value = kept.value.map(|value| tx.value(value)).transpose()?.map(Into::into);
        Ok(Version { version: kept.version, time: kept.time, value })
    };
    tx.asset_versions(kind, name)?.into_iter().map(version).collect()
}

pub(crate) fn put_template(tx: &mut Draft<'_>, card: &str, template: Option<&Value>) -> Result<i64> {
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
