//! What a user has beside stories: templates, libraries, global snapshots. Every version stays.

use storeyline_history::ValueKey;
use storeyline_state::Value;

use crate::draft::Draft;
use crate::error::StoreError;
use crate::keys::OwnerKey;
use crate::sql::{Param, Row, Sql, params};
use crate::tables::table::Table;
use crate::view::View;

pub(crate) static TABLE: Table =
    Table::new("asset", &["owner", "kind", "name", "version", "value", "time"], &["owner", "kind", "name", "version"]);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssetKind {
    /// The initial state of a card, by the card.
    Template,
    /// Functions, by scope: empty for all cards, else the card.
    Library,
    /// A labelled state outside any chat, by its id.
    Snapshot,
    /// Whether functions of a card may run, by their fingerprint.
    Consent,
    /// The functions that a card carries, as last seen, by the card.
    CarriedLibrary,
}

impl AssetKind {
    fn number(self) -> i64 {
        match self {
            AssetKind::Template => 1,
            AssetKind::Library => 2,
            AssetKind::Snapshot => 3,
            AssetKind::Consent => 4,
            AssetKind::CarriedLibrary => 5,
        }
    }

    pub(crate) fn from_number(number: i64) -> Option<AssetKind> {
        let all = [
            AssetKind::Template,
            AssetKind::Library,
            AssetKind::Snapshot,
            AssetKind::Consent,
            AssetKind::CarriedLibrary,
        ];
        all.into_iter().find(|kind| kind.number() == number)
    }
}

/// One version of an asset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    pub kind: AssetKind,
    pub name: String,
    /// From 1.
    pub version: i64,
    /// Nothing if it was thrown away.
    pub value: Option<ValueKey>,
    /// Since when, in milliseconds since 1970.
    pub time: i64,
}

pub(crate) fn read(row: &dyn Row) -> Result<Asset, StoreError> {
    let (name, version) = (row.text(2)?, row.int(3)?);
    let kind = AssetKind::from_number(row.int(1)?).ok_or_else(|| StoreError::damaged("asset", &name))?;
    Ok(Asset { kind, name, version, value: row.maybe_int(4)?.map(ValueKey), time: row.int(5)? })
}

pub(crate) fn insert(sql: &dyn Sql, owner: OwnerKey, assets: &[Asset]) -> Result<(), StoreError> {
    TABLE.insert(sql, &assets.iter().map(|asset| columns(owner, asset)).collect::<Vec<_>>())
}

fn columns(owner: OwnerKey, asset: &Asset) -> Vec<Param<'_>> {
    params![owner, asset.kind.number(), &asset.name, asset.version, asset.value, asset.time].to_vec()
}

impl View<'_> {
    /// Returns the versions of an asset, the newest first.
    pub fn asset_versions(&self, kind: AssetKind, name: &str) -> Result<Vec<Asset>, StoreError> {
        let own = self.rows.assets.iter().rev().filter(|asset| asset.kind == kind && asset.name == name);
        let mut found: Vec<Asset> = own.cloned().collect();
        if let Some(owner) = self.known_owner()? {
            let rest = "owner = $1 AND kind = $2 AND name = $3 ORDER BY version DESC";
            found.extend(TABLE.many(self.sql()?, rest, params![owner, kind.number(), name], read)?);
        }
        Ok(found)
    }

    /// Returns the newest version of each asset of a kind that was not thrown away, the newest first.
    pub fn assets(&self, kind: AssetKind) -> Result<Vec<Asset>, StoreError> {
        let Some(owner) = self.known_owner()? else { return Ok(Vec::new()) };
        let rest = "owner = $1 AND kind = $2 ORDER BY name, version DESC";
        let mut found = TABLE.many(self.sql()?, rest, params![owner, kind.number()], read)?;
        found.dedup_by(|later, first| later.name == first.name);
        found.retain(|asset| asset.value.is_some());
        found.sort_by_key(|asset| std::cmp::Reverse(asset.time));
        Ok(found)
    }
}

impl Draft<'_> {
    /// Adds a version of an asset and returns its number; without a value the asset is thrown away.
    pub fn put_asset(
        &mut self,
        kind: AssetKind,
        name: &str,
        value: Option<&Value>,
        now: i64,
    ) -> Result<i64, StoreError> {
        let value = value.map(|value| Ok::<_, StoreError>(self.put_value(value)?.0)).transpose()?;
        let version = self.asset_versions(kind, name)?.first().map_or(1, |newest| newest.version + 1);
        self.view.rows.assets.push(Asset { kind, name: name.to_owned(), version, value, time: now });
        Ok(version)
    }
}
