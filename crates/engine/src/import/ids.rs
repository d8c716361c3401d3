//! Gives the pages of a file their ids, so that a page that is known keeps its id.
//!
//! An id that the file carries stays. For the other pages the file is compared with what it showed
//! last, or with the chat it was branched from. A page without a counterpart is new: it gets the id
//! that follows from chat and text, or another one if that id belongs to another message.

use std::collections::{HashMap, HashSet};

use storeyline_compat::{HostMessage, Row};
use storeyline_history::path_states::StateTable;
use storeyline_history::{Listed, Role};
use storeyline_state::PageId;
use storeyline_store::{Story, View};

use super::align::{Item, Relation, align};
use crate::error::Result;

/// Returns the rows of a file with the final ids of their pages. `turns` are those that the file is compared with.
pub(super) fn keep_ids(
    tx: &View<'_>,
    story: &Story,
    turns: &[Listed],
    relation: Relation,
    mut rows: Vec<Row>,
    messages: &[HostMessage],
) -> Result<Vec<Row>> {
    let mut floors = rows.iter().zip(messages);
    let open = floors.any(|(row, message)| carried(row, message).count() < row.pages.len());
    if !open {
        return Ok(rows);
    }
    let old = known(tx, turns)?;
    let new: Vec<Item> = messages.iter().map(item).collect();
    // Pages with equal texts have ids by position; only dates show whether they were swapped.
    if old == new && same(turns, &rows) {
        return Ok(rows);
    }
    let fixed = fixed_pairs(turns, &rows, messages);
    let old_text = |turn: usize, page: usize| tx.page_text(turns[turn].pages[page].at).unwrap_or_default();
    let places = align(&old, &new, &fixed, relation, |index, place| {
        let message = &messages[index];
        continues(&message.pages[message.active].text, &old_text(place, old[place].active))
    });
    let floors = rows.iter().zip(messages);
    let mut used: HashSet<PageId> =
        floors.flat_map(|(row, message)| carried(row, message).map(|page| row.pages[page].0)).collect();
    let mut lacking: Vec<(usize, usize)> = Vec::new();
    for (floor, (row, message)) in rows.iter_mut().zip(messages).enumerate() {
        let own: Vec<bool> = (0..row.pages.len()).map(|page| carries_id(row, message, page)).collect();
        let turn = places[floor].map(|place| (place, &turns[place]));
        let pages = match turn {
            Some((place, turn)) => {
                let (old, new) = (singles(&old[place]), singles(&new[floor]));
                let fixed = row.pages.iter().zip(&own).map(|((id, _), own)| own.then(|| turn.position(*id)));
                align(&old, &new, &fixed.collect::<Vec<_>>(), Relation::Pages, |index, page| {
                    continues(&message.pages[index].text, &old_text(place, page))
                })
            }
            None => vec![None; row.pages.len()],
        };
        for (page, found) in pages.into_iter().enumerate() {
            let id = turn.and_then(|(_, turn)| Some(turn.pages[found?].page));
            match id {
                _ if own[page] => {}
                Some(id) if used.insert(id) => row.pages[page].0 = id,
                _ => lacking.push((floor, page)),
            }
        }
    }
    for (floor, page) in lacking {
        let id = free_id(tx, story, rows[floor].pages[page].0, &used, &messages[floor], page)?;
        used.insert(id);
        rows[floor].pages[page].0 = id;
    }
    Ok(rows)
}

/// Tells whether the first two floors of a file have the same dates as those of a chat. A date on a
/// whole second may be made up, so then the texts must be equal too.
pub(super) fn begins_like(tx: &View<'_>, turns: &[Listed], messages: &[HostMessage]) -> Result<bool> {
    let compared = messages.len().min(turns.len()).min(2);
    let old = known(tx, &turns[..compared])?;
    let alike = |(old, message): &(&Item, &HostMessage)| {
        let new = item(message);
        let moment = |(text, time): &(_, Option<i64>)| match *time {
            None => false,
            Some(whole) if whole % 1000 == 0 => new.pages.contains(&(*text, *time)),
            Some(_) => new.pages.iter().any(|page| page.1 == *time),
        };
        old.role == new.role && old.pages.iter().any(moment)
    };
    Ok(compared > 0 && old.iter().zip(messages).all(|pair| alike(&pair)))
}

/// The indices of the pages whose id was carried by the file.
fn carried<'a>(row: &'a Row, message: &'a HostMessage) -> impl Iterator<Item = usize> + Clone + 'a {
    (0..row.pages.len()).filter(|page| carries_id(row, message, *page))
}

/// Tells whether the id of a page was carried by the file.
pub(super) fn carries_id(row: &Row, message: &HostMessage, page: usize) -> bool {
    message.pages[page].bound.is_some_and(|(bound, _)| bound == row.pages[page].0)
}

fn same(turns: &[Listed], rows: &[Row]) -> bool {
    let pages = |turn: &Listed| turn.pages.iter().map(|page| (page.page, page.text)).collect::<Vec<_>>();
    turns.len() == rows.len() && turns.iter().zip(rows).all(|(turn, row)| pages(turn) == row.pages)
}

fn known(tx: &View<'_>, turns: &[Listed]) -> Result<Vec<Item>> {
    let item = |turn: &Listed| {
        let pages = turn.pages.iter().map(|page| Ok((page.text, tx.inputs(page.at)?.body.time)));
        Ok(Item { role: turn.role, pages: pages.collect::<Result<_>>()?, active: turn.active })
    };
    turns.iter().map(item).collect()
}

fn item(message: &HostMessage) -> Item {
    let pages = message.pages.iter().map(|page| (page.hash, page.time)).collect();
    Item { role: message.role, pages, active: message.active }
}

fn singles(item: &Item) -> Vec<Item> {
    // All pages of a floor have one role, so any role will do.
    let single = |page: &(_, _)| Item { role: Role::Assistant, pages: vec![*page], active: 0 };
    item.pages.iter().map(single).collect()
}

/// The pairs of floors that carried ids determine: a known id identifies the floor; a floor whose
/// active page carries an unknown id has no counterpart.
fn fixed_pairs(turns: &[Listed], rows: &[Row], messages: &[HostMessage]) -> Vec<Option<Option<usize>>> {
    let mut floors: HashMap<PageId, usize> = HashMap::new();
    for (floor, turn) in turns.iter().enumerate() {
        floors.extend(turn.pages.iter().map(|page| (page.page, floor)));
    }
    let fixed = |(row, message): (&Row, &HostMessage)| {
        let carried = carried(row, message);
        let known = carried.clone().find_map(|page| floors.get(&row.pages[page].0).copied());
        let new = carried.into_iter().any(|page| page == row.active);
        known.map(Some).or(new.then_some(None))
    };
    rows.iter().zip(messages).map(fixed).collect()
}

/// A continued reply has a new date and begins with its old text.
fn continues(text: &str, old: &str) -> bool {
    !old.trim().is_empty() && text.starts_with(old.trim_end())
}

/// The id that follows from chat and text, or the next free one if it belongs to another message.
fn free_id(
    tx: &View<'_>,
    story: &Story,
    wanted: PageId,
    used: &HashSet<PageId>,
    message: &HostMessage,
    page: usize,
) -> Result<PageId> {
    let page = &message.pages[page];
    let mut id = wanted;
    for count in 1_u64.. {
        // The id may belong to the same message, deleted before, or to another one with the same text.
        let returned = match tx.newest_page(story.key, id)? {
            None => true,
            Some(known) => match (tx.inputs(known.page.at)?.body.time, page.time) {
                (Some(known), Some(own)) => known == own,
                _ => known.page.text == page.hash,
            },
        };
        if returned && !used.contains(&id) {
            break;
        }
        id = PageId::from_name(wanted.uuid(), &count.to_be_bytes());
    }
    Ok(id)
}
