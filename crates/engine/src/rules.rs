//! The rules of a story, composed from what its card says, what the user chose, and the libraries.
//!
//! The parts are stored, and so is the composition, which every new page refers to. Whoever changes a
//! part composes again. Existing pages keep the rules that they refer to.

use storeyline_compat::Cast;
use storeyline_history::choices::origin;
use storeyline_history::node::ancestor;
use storeyline_history::path_states::StateTable;
use storeyline_history::{Choices, NodeTable, Origin, Rules, RulesChange, Setting, UserDefaults, compose};
use storeyline_state::StoryId;
use storeyline_store::{Change, Detail, Draft, OperationKind, Owner, RulesParts, StoreError, Story, View};
use storeyline_wire::import::Initial;
use storeyline_wire::sync::Names;

use crate::assets;
use crate::branch::{Note, find_story};
use crate::engine::{Engine, ReadEngine};
use crate::error::{EngineError, Result};
use crate::library;
use crate::operations::record_on_current;
use crate::shown;
use crate::sync::known_names;

/// The rules of new pages of a story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoryRules {
    pub rules: Rules,
    /// What the user chose.
    pub choices: Choices,
    /// Where each setting comes from.
    pub origins: Vec<(Setting, Origin)>,
}

impl StoryRules {
    /// Returns the rules as clients see them.
    pub fn shown(&self) -> storeyline_wire::rules::Rules {
        let from =
            self.origins.iter().map(|(setting, origin)| (setting.as_str().to_owned(), origin.as_str().to_owned()));
        storeyline_wire::rules::Rules { rules: self.rules.to_value().into(), from: from.collect() }
    }
}

impl ReadEngine {
    pub fn story_rules(&self, owner: &Owner, story: StoryId) -> Result<StoryRules> {
        self.read(owner, |tx| {
            let story = find_story(tx, story)?;
            let (card, choices) = (tx.rules(story.card_rules)?, choices(tx, &story)?);
            let defaults = user_defaults(tx, &story.card)?;
            let origins = Setting::ALL.map(|setting| (setting, origin(setting, &card, &choices, &defaults)));
            let rules = tx.rules(story.rules)?.as_ref().clone();
            Ok(StoryRules { rules, choices, origins: origins.to_vec() })
        })
    }
}

impl Engine {
    /// Updates the rules of the card from a cast; choices of the user stay. Returns the operation, if
    /// anything changed, and what was found in the cast.
    pub fn renew_rules(
        &self,
        owner: &Owner,
        story: StoryId,
        cast: &Cast,
        client: &str,
    ) -> Result<(Option<i64>, Initial)> {
        self.change(owner, |tx| {
            let story = find_story(tx, story)?;
            let begun = cast.begin(&known_names(&names(tx, &story)?));
            Ok((renew(tx, &story, &begun.initial.rules(), client)?, shown::initial(&begun.initial)))
        })
    }

    /// Changes what the user chose of the rules; existing pages keep theirs.
    pub fn choose_rules(&self, owner: &Owner, story: StoryId, change: &RulesChange, client: &str) -> Result<i64> {
        self.change(owner, |tx| {
            let story = find_story(tx, story)?;
            let chosen = change.after(&choices(tx, &story)?);
            let parts = Story { choices: Some(tx.put_value(&chosen.to_value())?.0), ..story.clone() };
            put_parts(tx, &story, parts, Note::new(OperationKind::Rules, client))
        })
    }
}

/// Replaces the rules of the card; choices of the user stay. Returns `None` if nothing changed.
pub(crate) fn renew(tx: &mut Draft<'_>, story: &Story, card: &Rules, client: &str) -> Result<Option<i64>> {
    let after = Story { card_rules: tx.put_rules(card)?, ..story.clone() };
    match after == *story {
        true => Ok(None),
        false => put_parts(tx, story, after, Note::new(OperationKind::Rules, client)).map(Some),
    }
}

/// The names in the first page of a story.
fn names(tx: &View<'_>, story: &Story) -> Result<Names> {
    let branch = story.current.map(|current| tx.ref_by_key(current)).transpose()?.flatten();
    let Some(head) = branch.and_then(|branch| branch.head) else { return Ok(Names::default()) };
    let first = ancestor(tx, head, 1)?.and_then(|node| node.turn).ok_or(EngineError::EmptyPath)?;
    let body = tx.inputs(tx.turn(first)?.active_page().at)?.body;
    Ok(Names { user: body.user, character: body.character })
}

/// Saves and logs a story with other parts of its rules.
pub(crate) fn put_parts(tx: &mut Draft<'_>, before: &Story, after: Story, note: Note<'_>) -> Result<i64> {
    let after = composed(tx, after)?;
    tx.save_story(&after);
    let changed = Detail::Rules(Change::new(parts(before), parts(&after)));
    record_on_current(tx, before, note.with(changed))
}

/// The parts of a story's rules, for the log.
pub(crate) fn parts(story: &Story) -> RulesParts {
    RulesParts { card_rules: story.card_rules, choices: story.choices }
}

/// Composes the rules of a story again; the caller saves it.
pub(crate) fn composed(tx: &mut Draft<'_>, story: Story) -> Result<Story> {
    let (card, choices) = (tx.rules(story.card_rules)?, choices(tx, &story)?);
    let rules = compose(&card, &choices, &user_defaults(tx, &story.card)?);
    Ok(Story { rules: tx.put_rules(&rules)?, ..story })
}

/// Composes the rules of all stories of a card again (empty: of all stories).
pub(crate) fn compose_stories(tx: &mut Draft<'_>, card: &str) -> Result<()> {
    for story in tx.stories()?.into_iter().filter(|story| card.is_empty() || story.card == card) {
        up_to_date(tx, story)?;
    }
    Ok(())
}

/// Composes the rules of a story again and saves it if they changed: a new engine may have other
/// semantics.
pub(crate) fn up_to_date(tx: &mut Draft<'_>, story: Story) -> Result<Story> {
    let after = composed(tx, story.clone())?;
    if after != story {
        tx.save_story(&after);
    }
    Ok(after)
}

pub(crate) fn choices(tx: &View<'_>, story: &Story) -> Result<Choices> {
    let Some(key) = story.choices else { return Ok(Choices::default()) };
    Ok(Choices::from_value(&tx.value(key)?).ok_or_else(|| StoreError::damaged("choices", key.0))?)
}

/// What the user saved for all cards and for this one.
pub(crate) fn user_defaults(tx: &View<'_>, card: &str) -> Result<UserDefaults> {
    let global = library::saved(tx, "")?.map(|saved| saved.library).unwrap_or_default();
    if card.is_empty() {
        return Ok(UserDefaults { global, ..UserDefaults::default() });
    }
    let own = library::saved(tx, card)?.map(|saved| saved.library);
    Ok(UserDefaults { global, card: own, template: assets::template(tx, card)? })
}
