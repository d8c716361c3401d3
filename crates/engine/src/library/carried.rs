//! The functions that a card carries, and the library that the user saved for the card.
//!
//! In: what a host found in a card. Out: whether it is what is saved here, and if not, which of the two
//! changed since they were last the same. A saved library that was not changed follows the card; one that was
//! changed goes into the card, by the host; if both changed, the user chooses.

use storeyline_compat::functions_fingerprint;
use storeyline_functions::Library;
use storeyline_functions::library::exchange;
use storeyline_functions::library::function::Scope;
use storeyline_state::text::hash;
use storeyline_state::{TextHash, Value, json};
use storeyline_store::{AssetKind, Draft, Owner, View};
use storeyline_wire::library::{CarriedLibrary, CarriedStatus, KeptLibrary, ReportCarried, ReportedCarried};

use super::{Saved, saved, stored};
use crate::clock_and_random::now;
use crate::consent;
use crate::engine::Engine;
use crate::error::Result;
use crate::object::object;
use crate::rules::compose_stories;

/// Maximum number of earlier versions that are searched for one that was allowed.
const MAX_COMPARED: usize = 20;

/// What a card carried when a host last showed it.
pub(super) struct Carried {
    pub(super) library: Library,
    /// Name of the card.
    name: String,
}

impl Engine {
    /// Stores what a card carries. The user's own edits need no permission: once the card carries what is saved
    /// here, that is allowed.
    pub fn report_carried(&self, owner: &Owner, report: &ReportCarried) -> Result<ReportedCarried> {
        let library = exchange::read(&report.functions.0, Scope::Card).library;
        let value = object([("name", Value::text(&report.name)), ("library", library.to_value())]);
        self.change(owner, |tx| {
            let before = read(tx, &report.card)?;
            let changed = before.as_ref().is_none_or(|before| before.library != library || before.name != report.name);
            if changed && (before.is_some() || !library.is_empty()) {
                tx.put_asset(AssetKind::CarriedLibrary, &report.card, Some(&value), now())?;
            }
            if let Some(saved) = saved(tx, &report.card)? {
                let followed = before.as_ref().is_some_and(|before| before.library == saved.library);
                follow(tx, report, &library, &saved, followed)?;
            }
            let changed = changed && before.is_some();
            Ok(ReportedCarried { changed, library: super::shown(tx, &report.card)? })
        })
    }

    /// Decides which functions of a card count after both changed.
    pub fn choose_library(
        &self,
        owner: &Owner,
        card: &str,
        keep: KeptLibrary,
    ) -> Result<storeyline_wire::library::Library> {
        self.change(owner, |tx| {
            if let (Some(saved), Some(carried)) = (saved(tx, card)?, read(tx, card)?) {
                match keep {
                    KeptLibrary::Saved => {
                        let value = stored(&saved.library, Some(&hash_of(&carried.library)));
                        tx.put_asset(AssetKind::Library, card, Some(&value), now())?;
                    }
                    KeptLibrary::Carried => drop(tx.put_asset(AssetKind::Library, card, None, now())?),
                }
                compose_stories(tx, card)?;
            }
            super::shown(tx, card)
        })
    }
}

/// Follows a card that changed: what was saved and not edited since the card carried it is what the card carries
/// now. `unedited`: the card carried what is saved when it was last shown.
fn follow(tx: &mut Draft<'_>, report: &ReportCarried, carried: &Library, saved: &Saved, unedited: bool) -> Result<()> {
    if saved.library == *carried {
        let fingerprint = functions_fingerprint(&report.name, carried, &[]);
        if !carried.is_empty() && consent::decision(tx, fingerprint)? != Some(true) {
            consent::put(tx, &report.name, fingerprint, Some(true))?;
        }
    } else if unedited {
        tx.put_asset(AssetKind::Library, &report.card, None, now())?;
        compose_stories(tx, &report.card)?;
    }
    Ok(())
}

/// Returns what a card carried when it was last shown.
pub(super) fn read(tx: &View<'_>, card: &str) -> Result<Option<Carried>> {
    let newest = tx.asset_versions(AssetKind::CarriedLibrary, card)?.into_iter().next().and_then(|kept| kept.value);
    Ok(newest.map(|key| tx.value(key)).transpose()?.as_ref().and_then(parse))
}

fn parse(value: &Value) -> Option<Carried> {
    let name = value.get("name").and_then(Value::as_text)?.to_owned();
    Some(Carried { library: Library::from_value(value.get("library")?)?, name })
}

/// Returns the base of the next version that is saved: what the card carries if that is the same as what was
/// saved or if nothing was, else the base stays.
pub(super) fn base_of_next(tx: &View<'_>, card: &str) -> Result<Option<String>> {
    let carried = read(tx, card)?.map(|carried| carried.library).unwrap_or_default();
    Ok(match saved(tx, card)? {
        Some(saved) if saved.library != carried => saved.base,
        _ => Some(hash_of(&carried)),
    })
}

pub(super) fn shown(tx: &View<'_>, card: &str) -> Result<CarriedLibrary> {
    let carried = read(tx, card)?;
    let here = carried.as_ref().map(|carried| &carried.library).cloned().unwrap_or_default();
    let status = match saved(tx, card)? {
        Some(saved) if saved.library != here => match saved.base == Some(hash_of(&here)) {
            true => CarriedStatus::SavedChanged,
            false => CarriedStatus::BothChanged,
        },
        _ => CarriedStatus::Same,
    };
    let fingerprint = carried.as_ref().filter(|carried| !carried.library.is_empty()).map(fingerprint);
    Ok(CarriedLibrary {
        allow: fingerprint.map_or(Ok(None), |fingerprint| consent::decision(tx, fingerprint))?,
        allowed_before: allowed_before(tx, card, fingerprint)?,
        library: carried.map(|carried| exchange::export(&carried.library).into()),
        fingerprint,
        status,
    })
}

/// Returns the newest functions of a card, before the present ones, that the user allowed.
fn allowed_before(tx: &View<'_>, card: &str, now: Option<TextHash>) -> Result<Option<storeyline_wire::Json>> {
    for version in tx.asset_versions(AssetKind::CarriedLibrary, card)?.into_iter().take(MAX_COMPARED) {
        let Some(carried) = version.value.map(|key| tx.value(key)).transpose()?.as_ref().and_then(parse) else {
            continue;
        };
        let fingerprint = fingerprint(&carried);
        if Some(fingerprint) != now && consent::decision(tx, fingerprint)? == Some(true) {
            return Ok(Some(exchange::export(&carried.library).into()));
        }
    }
    Ok(None)
}

fn fingerprint(carried: &Carried) -> TextHash {
    functions_fingerprint(&carried.name, &carried.library, &[])
}

fn hash_of(library: &Library) -> String {
    hash(&json::write(&library.to_value())).to_string()
}
