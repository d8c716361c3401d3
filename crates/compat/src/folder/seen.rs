//! One file as the comparison sees it.

use std::collections::HashMap;

use storeyline_state::{ChatId, PageId, TextHash};

use crate::binding::{Row, bind};
use crate::host_message::{HostMessage, HostPage};

/// The messages of a file and the ids of their pages.
pub(super) struct Seen<'a> {
    pub(super) messages: &'a [HostMessage],
    /// As if the file stood alone, until ids are shared.
    pub(super) rows: Vec<Row>,
    dates: HashMap<i64, Dated>,
    /// By floor and page: how many pages before it on the floor say the same.
    nth: Vec<Vec<usize>>,
}

/// Where a date stands in a file.
struct Dated {
    floor: usize,
    pages: usize,
    floors: usize,
}

impl<'a> Seen<'a> {
    pub(super) fn new(chat: ChatId, messages: &'a [HostMessage]) -> Seen<'a> {
        Seen { messages, rows: bind(chat, messages), dates: dates(messages), nth: messages.iter().map(nth).collect() }
    }

    /// All pages: floor, place on the floor.
    pub(super) fn slots(&self) -> Vec<(usize, usize)> {
        let floors = self.messages.iter().enumerate();
        floors.flat_map(|(floor, message)| (0..message.pages.len()).map(move |page| (floor, page))).collect()
    }

    pub(super) fn page(&self, (floor, page): (usize, usize)) -> &'a HostPage {
        &self.messages[floor].pages[page]
    }

    /// The date of a page; one that stands on several floors tells nothing.
    pub(super) fn time(&self, slot: (usize, usize)) -> Option<i64> {
        self.page(slot).time.filter(|time| self.dates[time].floors == 1)
    }

    /// The date of a page, if it was made at one moment. Dates on a whole second are often made up
    /// by a program, the same for every chat that it converts.
    pub(super) fn moment(&self, slot: (usize, usize)) -> Option<i64> {
        self.time(slot).filter(|time| time % 1000 != 0)
    }

    /// The same, if no other page of the file has it: it tells the page whatever became of its text.
    pub(super) fn own_moment(&self, slot: (usize, usize)) -> Option<i64> {
        self.moment(slot).filter(|time| self.dates[time].pages == 1)
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

fn dates(messages: &[HostMessage]) -> HashMap<i64, Dated> {
    let mut dates: HashMap<i64, Dated> = HashMap::new();
    for (floor, message) in messages.iter().enumerate() {
        for time in message.pages.iter().filter_map(|page| page.time) {
            let dated = dates.entry(time).or_insert(Dated { floor, pages: 0, floors: 1 });
            dated.pages += 1;
            dated.floors += usize::from(dated.floor != floor);
            dated.floor = floor;
        }
    }
    dates
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
