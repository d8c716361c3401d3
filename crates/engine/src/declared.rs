//! From what a host declares (rows and messages) to turns.
//!
//! A row that equals the newest turn of its page is that turn. Any other row needs its message:
//! texts and host fields come from there, and a page that is known keeps all inputs but its text.

use std::collections::{HashMap, HashSet};

use storeyline_compat::{HostMessage, Row};
use storeyline_history::{Body, Turn, TurnPage};
use storeyline_state::{PageId, Value};
use storeyline_store::{Story, Tx};

use crate::branch::StoredTurn;
use crate::error::EngineError;
use crate::sync::Names;

/// The outcome of reading rows.
pub(crate) enum Declared {
    /// All of them are turns now.
    Turns(Vec<StoredTurn>),
    /// Nothing was written: these rows, counted from the first, need their message.
    Need(Vec<usize>),
}

/// Host messages by the ids that they carry.
pub(crate) struct Messages {
    by_page: HashMap<PageId, HostMessage>,
}

impl Messages {
    pub(crate) fn new<'a>(messages: impl IntoIterator<Item = &'a Value>) -> Self {
        let mut by_page = HashMap::new();
        for message in messages.into_iter().filter_map(HostMessage::read) {
            if let Some((id, _)) = message.pages[message.active].bound {
                by_page.insert(id, message);
            }
        }
        Messages { by_page }
    }

    /// The message of a page that lost its id answers to the old id too.
    pub(crate) fn adopt(&mut self, carried: PageId, old: PageId) {
        if let Some(message) = self.by_page.get(&carried).cloned() {
            self.by_page.insert(old, message);
        }
    }

    /// For a file, whose messages stand beside their rows.
    pub(crate) fn of_rows(rows: &[Row], messages: &[HostMessage]) -> Self {
        let active = |row: &Row| row.pages[row.active].0;
        Messages { by_page: rows.iter().map(active).zip(messages.iter().cloned()).collect() }
    }
}

/// Reads the rows of a chat; `first_floor` is the floor of the first one.
pub(crate) fn read_rows(
    tx: &mut Tx<'_>,
    story: &Story,
    rows: &[Row],
    messages: &Messages,
    names: &Names,
    first_floor: usize,
) -> Result<Declared, EngineError> {
    check_rows(rows, first_floor)?;
    let mut found: Vec<Option<StoredTurn>> = Vec::with_capacity(rows.len());
    let mut need = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let (id, _) = row.pages[row.active];
        let has_message = messages.by_page.contains_key(&id);
        let known =
            if has_message { None } else { tx.turn_of_page(story.id, id)?.filter(|(_, turn)| same_row(turn, row)) };
        if known.is_none() && !has_message {
            need.push(index);
        }
        found.push(known);
    }
    if !need.is_empty() {
        return Ok(Declared::Need(need));
    }
    let mut turns = Vec::with_capacity(rows.len());
    for (index, (row, known)) in rows.iter().zip(found).enumerate() {
        turns.push(match known {
            Some(turn) => turn,
            None => {
                let message = &messages.by_page[&row.pages[row.active].0];
                build(tx, story, row, message, names, first_floor + index)?
            }
        });
    }
    Ok(Declared::Turns(turns))
}

/// A page id stands once on a path: whoever declares it twice has not bound its pages.
fn check_rows(rows: &[Row], first_floor: usize) -> Result<(), EngineError> {
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

fn same_row(turn: &Turn, row: &Row) -> bool {
    turn.role == row.role
        && turn.name == row.name
        && turn.hidden == row.hidden
        && turn.active == row.active
        && turn.pages.iter().map(|page| (page.page, page.text)).eq(row.pages.iter().copied())
}

fn build(
    tx: &mut Tx<'_>,
    story: &Story,
    row: &Row,
    message: &HostMessage,
    names: &Names,
    floor: usize,
) -> Result<StoredTurn, EngineError> {
    let fits = message.pages.len() == row.pages.len()
        && message.active == row.active
        && message.pages.iter().zip(&row.pages).all(|(page, (_, hash))| page.hash == *hash);
    if !fits {
        return Err(EngineError::BadRow { floor, problem: "the message does not fit its row" });
    }
    let mut pages = Vec::with_capacity(row.pages.len());
    for (page, (id, _)) in message.pages.iter().zip(&row.pages) {
        let text = tx.put_text(&page.text)?;
        let inputs = inputs(tx, story, *id, page.time, names)?;
        let body = Body { role: row.role, speaker: row.name.clone(), stuck: tx.stuck(*id)?, ..inputs };
        let body = tx.put_body(&body.with_text(text))?;
        pages.push(TurnPage { page: *id, text, body });
    }
    let host = tx.put_value(&message.fields)?;
    let turn = Turn { role: row.role, name: row.name.clone(), hidden: row.hidden, active: row.active, pages, host };
    Ok((tx.put_turn(story.id, &turn)?, turn))
}

/// What evaluation may know of a page: as it was when the page was made.
fn inputs(tx: &Tx<'_>, story: &Story, page: PageId, time: Option<i64>, names: &Names) -> Result<Body, EngineError> {
    if let Some((_, turn)) = tx.turn_of_page(story.id, page)? {
        let index = turn.position(page).expect("the index names turns that hold the page");
        return Ok(tx.body_inputs(turn.pages[index].body)?);
    }
    Ok(Body { rules: story.rules, ..names.body(page, time) })
}
