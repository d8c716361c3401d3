//! Turns the rows and messages that a host declares into turns of a branch.
//!
//! A row that equals a turn of its branch is that turn, else the newest turn of its page if that is
//! equal. Any other row needs its message: texts and host fields come from there, and a known page
//! keeps all inputs but its text.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use storeyline_compat::{HostMessage, Row};
use storeyline_history::path_states::StateTable;
use storeyline_history::{Body, HostFields, Listed, NodeTable, Role, Turn};
use storeyline_state::{PageId, Value};
use storeyline_store::{Draft, PageText, Ref, Story, View};
use storeyline_wire::sync::Names;

use crate::branch::{length, tail};
use crate::error::{EngineError, Result};
use crate::sync::new_body;

/// The result of reading rows.
pub(crate) enum Declared {
    Turns(Vec<Listed>),
    /// Nothing was written: the messages of these rows (indices) are needed.
    Need(Vec<usize>),
}

/// Host messages by page id. Cloning shares the messages.
#[derive(Clone)]
pub(crate) struct Messages {
    messages: Arc<[HostMessage]>,
    by_page: HashMap<PageId, usize>,
}

impl Messages {
    pub(crate) fn new<'a>(messages: impl IntoIterator<Item = &'a Value>) -> Self {
        let messages: Arc<[HostMessage]> = messages.into_iter().filter_map(HostMessage::read).collect();
        let bound = messages.iter().enumerate();
        let by_page = bound.filter_map(|(index, message)| Some((message.pages[message.active].bound?.0, index)));
        Messages { by_page: by_page.collect(), messages }
    }

    /// Registers the message of `carried` under the id that the page had before it was lost.
    pub(crate) fn adopt(&mut self, carried: PageId, old: PageId) {
        if let Some(index) = self.by_page.get(&carried) {
            self.by_page.insert(old, *index);
        }
    }

    /// The messages of a file, in the order of its rows.
    pub(crate) fn of_rows(rows: &[Row], messages: Arc<[HostMessage]>) -> Self {
        let active = rows.iter().map(|row| row.pages[row.active].0);
        Messages { by_page: active.zip(0..messages.len()).collect(), messages }
    }

    /// The message whose active page this is.
    pub(crate) fn get(&self, page: PageId) -> Option<&HostMessage> {
        self.by_page.get(&page).map(|index| &self.messages[*index])
    }
}

/// The branch that rows are read for.
pub(crate) struct RowContext<'a> {
    pub(crate) story: &'a Story,
    pub(crate) branch: &'a Ref,
    /// The floor of the first row.
    pub(crate) first: usize,
}

/// Reads the rows of a chat as turns.
pub(crate) fn read_rows(
    tx: &mut Draft<'_>,
    context: &RowContext<'_>,
    rows: &[Row],
    messages: &Messages,
    names: &Names,
) -> Result<Declared> {
    check_rows(rows, context.first)?;
    let own = own_turns(tx, context)?;
    let mut found: Vec<Option<Listed>> = Vec::with_capacity(rows.len());
    let mut need = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let has_message = messages.get(row.pages[row.active].0).is_some();
        let known = if has_message { None } else { own_equal(&own, row).or(newest_equal(tx, context.story, row)?) };
        need.extend(Some(index).filter(|_| known.is_none() && !has_message));
        found.push(known);
    }
    if !need.is_empty() {
        return Ok(Declared::Need(need));
    }
    let turns = rows.iter().zip(found).enumerate().map(|(index, (row, known))| match known {
        Some(turn) => Ok(turn),
        None => build(tx, context, &own, row, messages, names, index),
    });
    turns.collect::<Result<_>>().map(Declared::Turns)
}

/// Checks that the active page of each row exists and that no page id occurs twice on the path.
fn check_rows(rows: &[Row], first_floor: usize) -> Result<()> {
    let mut seen = HashSet::new();
    for (index, row) in rows.iter().enumerate() {
        let bad = |problem| EngineError::BadRow { floor: first_floor + index, problem };
        if row.active >= row.pages.len() {
            return Err(bad("the active page is not among the pages"));
        }
        if !row.pages.iter().all(|(id, _)| seen.insert(*id)) {
            return Err(bad("a page id stands twice"));
        }
    }
    Ok(())
}

/// The turns of the branch by page, or those of its origin while it has none. Versions of a shared page on
/// other branches do not count.
type OwnTurns = HashMap<PageId, Rc<Listed>>;

fn own_turns(tx: &View<'_>, context: &RowContext<'_>) -> Result<OwnTurns> {
    let origin = context.branch.origin.filter(|_| context.branch.head.is_none());
    let origin = origin.map_or(Ok(None), |origin| tx.ref_by_key(origin))?;
    let from = origin.as_ref().unwrap_or(context.branch);
    let first = context.first.min(length(tx, from.head)?);
    let (_, turns) = tail(tx, context.story, from, first)?;
    let mut by_page = HashMap::new();
    for turn in turns.into_iter().map(Rc::new) {
        by_page.extend(turn.pages.iter().map(|page| (page.page, turn.clone())));
    }
    Ok(by_page)
}

fn own_equal(own: &OwnTurns, row: &Row) -> Option<Listed> {
    own.get(&row.pages[row.active].0).filter(|turn| same_row(turn, row)).map(|turn| Listed::clone(turn))
}

fn newest_equal(tx: &View<'_>, story: &Story, row: &Row) -> Result<Option<Listed>> {
    let known = tx.newest_page(story.key, row.pages[row.active].0)?.and_then(|known| known.turn);
    let Some(key) = known else { return Ok(None) };
    Ok(Some(Listed::stored(key, tx.turn(key)?)).filter(|turn| same_row(turn, row)))
}

fn same_row(turn: &Turn, row: &Row) -> bool {
    turn.role == row.role
        && turn.name == row.name
        && turn.hidden == row.hidden
        && turn.active == row.active
        && turn.pages.iter().map(|page| (page.page, page.text)).eq(row.pages.iter().copied())
}

fn build(
    tx: &mut Draft<'_>,
    context: &RowContext<'_>,
    own: &OwnTurns,
    row: &Row,
    messages: &Messages,
    names: &Names,
    index: usize,
) -> Result<Listed> {
    let message = messages.get(row.pages[row.active].0).expect("rows without a message were asked for");
    let fits = message.pages.len() == row.pages.len()
        && message.active == row.active
        && message.pages.iter().zip(&row.pages).all(|(page, (_, hash))| page.hash == *hash);
    if !fits {
        let floor = context.first + index;
        return Err(EngineError::BadRow { floor, problem: "the message does not fit its row" });
    }
    let mut pages = Vec::with_capacity(row.pages.len());
    for (page, (id, hash)) in message.pages.iter().zip(&row.pages) {
        let known = own.get(id).and_then(|turn| Some(turn.pages[turn.position(*id)?]));
        let newest = match known {
            Some(_) => None,
            None => tx.newest_page(context.story.key, *id)?,
        };
        let elsewhere = newest.map(|newest| newest.page);
        let text = match known.or(elsewhere).filter(|other| other.text == *hash) {
            Some(other) => PageText::Of(other.at),
            None => PageText::New(&page.text),
        };
        let inputs = match (known, elsewhere) {
            (Some(known), _) => tx.inputs(known.at)?.body,
            // Overrides made on another branch do not apply here.
            (None, Some(other)) => Body { overrides: Vec::new(), kept: None, ..tx.inputs(other.at)?.body },
            (None, None) => Body { rules: tx.value_hash(context.story.rules)?, ..new_body(names, *id, page.time) },
        };
        // A changed text is evaluated even if the page had kept a state.
        let kept = inputs.kept.filter(|_| inputs.text == *hash);
        let kept_key = kept.and(known).map_or(Ok(None), |known| tx.kept(known.at))?;
        let turn_role = match newest.and_then(|newest| newest.turn) {
            Some(turn) => Some(tx.turn(turn)?.role),
            None => own.get(id).map(|turn| turn.role),
        };
        // A page that was marked invalid stays invalid.
        let invalid =
            !page.counts_as(*id) || inputs.role == Role::Other && turn_role.is_some_and(|role| role != Role::Other);
        let role = if invalid { Role::Other } else { row.role };
        let body = Body { role, speaker: row.name.clone(), stuck: tx.given_up(*id)?, kept, ..inputs.with_text(*hash) };
        pages.push(tx.put_page(context.story.key, *id, text, &body, kept_key)?);
    }
    let (at, hash) = tx.put_value(&message.fields)?;
    let turn = Turn {
        role: row.role,
        name: row.name.clone(),
        hidden: row.hidden,
        active: row.active,
        pages,
        host: Some(HostFields { hash, at }),
    };
    Ok(turn.into())
}
