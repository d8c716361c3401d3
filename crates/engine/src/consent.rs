//! Whether functions of cards may run: decided by the user of an owner once per card and functions, stored here.
//!
//! A client asks the user and sends the decision; what it sends with a card never allows anything. Functions that are
//! not allowed are left out of the rules of a story, so that they are never evaluated.

use storeyline_compat::{Card, Cast, Initial, WorldBook, held_functions, initvar};
use storeyline_state::text::excerpt;
use storeyline_state::{TextHash, Value};
use storeyline_store::{AssetKind, Draft, Owner, View};
use storeyline_wire::chats::{CastBeginning, Consent};

use crate::assets;
use crate::authors::card_beginning;
use crate::clock_and_random::now;
use crate::engine::{Engine, ReadEngine};
use crate::error::Result;
use crate::object::object;
use crate::shown;

impl Engine {
    /// Stores a decision; `None` forgets it, and the user is asked again. Stories change with their next renewal.
    pub fn decide_functions(
        &self,
        owner: &Owner,
        card: &str,
        fingerprint: TextHash,
        allow: Option<bool>,
    ) -> Result<()> {
        self.change(owner, |tx| put(tx, card, fingerprint, allow))
    }
}

impl ReadEngine {
    /// Returns what was decided, newest first.
    pub fn consents(&self, owner: &Owner) -> Result<Vec<Consent>> {
        self.read(owner, consents)
    }

    /// Returns how a story of a card would begin, with its functions only if the owner allowed them.
    pub fn look_at_card(&self, owner: &Owner, card: &Card, books: &[WorldBook]) -> Result<Initial> {
        let mut initial = card_beginning(card, books);
        self.read(owner, |tx| hold_undecided(tx, &card.name, &mut initial))?;
        Ok(initial)
    }

    /// Returns how a story of a cast would begin.
    pub fn look_at_cast(&self, owner: &Owner, cast: &Cast) -> Result<CastBeginning> {
        self.read(owner, |tx| Ok(shown::beginning(&decided(tx, cast)?.begin(&initvar::Names::default()))))
    }
}

pub(crate) fn put(tx: &mut Draft<'_>, card: &str, fingerprint: TextHash, allow: Option<bool>) -> Result<()> {
    let card = excerpt(card, 0..card.len());
    let value = allow.map(|allow| object([("card", Value::text(card)), ("allow", allow.into())]));
    tx.put_asset(AssetKind::Consent, &fingerprint.to_string(), value.as_ref(), now())?;
    Ok(())
}

/// Returns what was decided about a set of functions.
pub(crate) fn decision(tx: &View<'_>, fingerprint: TextHash) -> Result<Option<bool>> {
    let newest = assets::newest(tx, AssetKind::Consent, &fingerprint.to_string())?;
    Ok(newest.as_ref().and_then(|value| value.get("allow")).and_then(Value::as_bool))
}

fn consents(tx: &View<'_>) -> Result<Vec<Consent>> {
    let mut found = Vec::new();
    for asset in tx.assets(AssetKind::Consent)? {
        let (Some(value), Ok(fingerprint)) = (asset.value, asset.name.parse()) else { continue };
        let value = tx.value(value)?;
        let card = value.get("card").and_then(Value::as_text).unwrap_or_default().to_owned();
        let allow = value.get("allow").and_then(Value::as_bool).unwrap_or(false);
        found.push(Consent { card, fingerprint, allow });
    }
    Ok(found)
}

/// Leaves out the functions of a card unless the owner allowed them.
pub(crate) fn hold_undecided(tx: &View<'_>, card: &str, initial: &mut Initial) -> Result<()> {
    let allowed = match held_functions(card, initial) {
        Some(found) => consents(tx)?.iter().any(|one| one.allow && one.fingerprint == found.fingerprint),
        None => false,
    };
    if !allowed {
        initial.hold_functions();
    }
    Ok(())
}

/// Returns a cast with the decisions of the owner, whatever it had before.
pub(crate) fn decided(tx: &View<'_>, cast: &Cast) -> Result<Cast> {
    let (allowed, refused): (Vec<Consent>, Vec<Consent>) = consents(tx)?.into_iter().partition(|one| one.allow);
    let fingerprints = |all: Vec<Consent>| all.into_iter().map(|one| one.fingerprint).collect();
    Ok(Cast { allowed: fingerprints(allowed), refused: fingerprints(refused), ..cast.clone() })
}
