//! One file as the comparison sees it.

use std::collections::HashMap;

use storeyline_state::{ChatId, PageId, TextHash};

use crate::binding::{Row, bind};
use crate::host_message::{HostMessage, HostPage};

/// The messages of a file, the ids of their pages, and the dates that can tell pages apart.
pub(super) struct Seen<'a> {
    pub(super) messages: &'a [HostMessage],
    /// As if the file stood alone, until ids are shared.
    pub(super) rows: Vec<Row>,
    /// By floor and page; a date that stands twice in the file tells nothing.
    times: Vec<Vec<Option<i64>>>,
    /// By floor and page: how many pages before it on the floor say the same.
    nth: Vec<Vec<usize>>,
}

impl<'a> Seen<'a> {
    pub(super) fn new(chat: ChatId, messages: &'a [HostMessage]) -> Seen<'a> {
        let mut count: HashMap<i64, usize> = HashMap::new();
        for time in messages.iter().flat_map(|message| &message.pages).filter_map(|page| page.time) {
            *count.entry(time).or_default() += 1;
        }
        let once = |page: &HostPage| page.time.filter(|time| count.get(time) == Some(&1));
        let times = messages.iter().map(|message| message.pages.iter().map(once).collect()).collect();
        let nth = messages.iter().map(nth).collect();
        Seen { messages, rows: bind(chat, messages), times, nth }
    }

    /// All pages: floor, place on the floor.
    pub(super) fn slots(&self) -> Vec<(usize, usize)> {
        let floors = self.messages.iter().enumerate();
        floors.flat_map(|(floor, message)| (0..message.pages.len()).map(move |page| (floor, page))).collect()
    }

    pub(super) fn page(&self, (floor, page): (usize, usize)) -> &'a HostPage {
        &self.messages[floor].pages[page]
    }

    pub(super) fn time(&self, (floor, page): (usize, usize)) -> Option<i64> {
        self.times[floor][page]
    }

    pub(super) fn nth(&self, (floor, page): (usize, usize)) -> usize {
        self.nth[floor][page]
    }

    /// The id of a page, if it is the one that the file carries for it.
    pub(super) fn kept(&self, slot: (usize, usize)) -> Option<PageId> {
        let id = self.rows[slot.0].pages[slot.1].0;
        self.page(slot).bound.is_some_and(|(bound, _)| bound == id).then_some(id)
    }

    /// The ids of the pages that are read, floor by floor.
    pub(super) fn read_pages(&self) -> impl Iterator<Item = PageId> {
        self.rows.iter().map(|row| row.pages[row.active].0)
    }
}

/// Says whether a date is that of one moment. Dates on a whole second are often made up by a
/// program, the same for every chat that it converts.
pub(super) fn is_moment(time: i64) -> bool {
    time % 1000 != 0
}

fn nth(message: &HostMessage) -> Vec<usize> {
    let mut count: HashMap<TextHash, usize> = HashMap::new();
    let mut next = |hash: TextHash| {
        let count = count.entry(hash).or_default();
        *count += 1;
        *count - 1
    };
    message.pages.iter().map(|page| next(page.hash)).collect()
}
