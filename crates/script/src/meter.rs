//! Counts the work and the memory of a call, and provides its clock and its random numbers.

use std::cell::{Cell, RefCell};

use crate::limits::POLLS_PER_TICK;

/// Shared between a realm and the functions that it exposes to JavaScript.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    mode: Cell<Mode>,
    ticks: Cell<u64>,
    units: Cell<u64>,
    /// Bytes allocated since the call began.
    allocated: Cell<u64>,
    limit: Cell<u64>,
    /// Bytes that the engine holds, the most it held during the call, and the most it may hold.
    held: Cell<usize>,
    most_held: Cell<usize>,
    room: Cell<Option<usize>>,
    /// Whether memory was refused because the limit was reached.
    is_full: Cell<bool>,
    wants_lodash: Cell<bool>,
    now: Cell<f64>,
    dice: Cell<u64>,
    /// What `console` printed during the call; `None` if nobody listens.
    console: RefCell<Option<Console>>,
}

/// The printed lines of a call, up to a size.
#[derive(Debug, Default)]
struct Console {
    lines: Vec<String>,
    bytes: usize,
}

/// Maximum size of what a call prints, in bytes; the rest is dropped.
const MAX_PRINTED: usize = 16 << 10;

/// Pieces of memory from here on are refused once the ticks are used up.
const LARGE: usize = 16 << 10;

/// Bytes that cost as much as one poll.
const BYTES_PER_POLL: u64 = 32;

#[derive(Debug, Clone, Copy, Default)]
enum Mode {
    /// Our own code runs.
    #[default]
    Off,
    /// The next tick ends the run; then the engine's poll counter is at its start.
    Drain,
    Counting,
}

impl Meter {
    /// Collects what the next call prints, or not.
    pub(crate) fn listen(&self, listens: bool) {
        *self.console.borrow_mut() = listens.then(Console::default);
    }

    /// Adds a line of `console`, if one is given. Returns whether somebody listens.
    pub(crate) fn print(&self, line: Option<String>) -> bool {
        let mut console = self.console.borrow_mut();
        let Some(console) = console.as_mut() else { return false };
        if let Some(line) = line
            && console.bytes < MAX_PRINTED
        {
            let room = MAX_PRINTED - console.bytes;
            let line = if line.len() > room { format!("{}…", &line[..line.floor_char_boundary(room)]) } else { line };
            // A line that is empty counts too, so that their number is bounded.
            console.bytes += line.len() + 1;
            console.lines.push(line);
        }
        true
    }

    /// Takes what was printed.
    pub(crate) fn printed(&self) -> Vec<String> {
        self.console.borrow_mut().take().map(|console| console.lines).unwrap_or_default()
    }

    /// Makes the next tick end the run.
    pub(crate) fn drain(&self) {
        self.mode.set(Mode::Drain);
    }

    /// Starts counting from zero.
    pub(crate) fn start(&self, limit: u64, time: i64, seed: u64) {
        self.ticks.set(0);
        self.units.set(0);
        self.allocated.set(0);
        self.most_held.set(self.held.get());
        self.is_full.set(false);
        self.wants_lodash.set(false);
        self.limit.set(limit);
        self.now.set(time as f64);
        self.dice.set(seed);
        self.mode.set(Mode::Counting);
    }

    /// Stops counting and returns the ticks.
    pub(crate) fn stop(&self) -> u64 {
        self.mode.set(Mode::Off);
        self.spent()
    }

    /// Tells whether the limit was exceeded.
    pub(crate) fn is_broken(&self) -> bool {
        self.spent() > self.limit.get()
    }

    /// Called by the engine at each tick; true ends the run.
    pub(crate) fn tick(&self) -> bool {
        match self.mode.get() {
            Mode::Off => false,
            Mode::Drain => {
                self.mode.set(Mode::Off);
                true
            }
            Mode::Counting => {
                self.ticks.set(self.ticks.get().saturating_add(1));
                self.is_broken()
            }
        }
    }

    /// Adds the cost of a built-in that does not poll; false if the limit is exceeded.
    pub(crate) fn charge(&self, units: f64) -> bool {
        if !matches!(self.mode.get(), Mode::Counting) {
            return true;
        }
        // The cast saturates; NaN costs nothing.
        self.units.set(self.units.get().saturating_add(units as u64));
        !self.is_broken()
    }

    /// Notes that a script asked for lodash.
    pub(crate) fn want_lodash(&self) {
        self.wants_lodash.set(true);
    }

    pub(crate) fn wants_lodash(&self) -> bool {
        self.wants_lodash.get()
    }

    /// Limits the memory to so much more than is held now.
    pub(crate) fn limit_memory(&self, more: usize) {
        self.room.set(Some(self.held.get().saturating_add(more)));
    }

    /// Tells whether the call was refused memory.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full.get()
    }

    /// Tells whether the call held more than half of what it might.
    pub(crate) fn held_much(&self, limit: usize) -> bool {
        self.room.get().is_some_and(|room| self.most_held.get() > room.saturating_sub(limit / 2))
    }

    /// Asks for memory; false if there is none left, or it is much and the limit of ticks is exceeded.
    pub(crate) fn allocate(&self, size: usize) -> bool {
        let held = self.held.get().saturating_add(rounded(size));
        if self.room.get().is_some_and(|room| held > room) {
            self.is_full.set(true);
            return false;
        }
        if matches!(self.mode.get(), Mode::Counting) {
            self.allocated.set(self.allocated.get().saturating_add(size as u64));
            // Small pieces are always there: the error that ends the call needs some.
            if size >= LARGE && self.is_broken() {
                return false;
            }
        }
        self.held.set(held);
        self.most_held.set(self.most_held.get().max(held));
        true
    }

    pub(crate) fn free(&self, size: usize) {
        self.held.set(self.held.get().saturating_sub(size));
    }

    /// Asks for a piece of another size instead of one.
    pub(crate) fn reallocate(&self, before: usize, size: usize) -> bool {
        self.free(before);
        let granted = self.allocate(size);
        if !granted {
            self.held.set(self.held.get().saturating_add(before));
        }
        granted
    }

    /// Returns the fixed time of the clock.
    pub(crate) fn now(&self) -> f64 {
        self.now.get()
    }

    /// Returns the next random number in `0..1` (SplitMix64).
    pub(crate) fn random(&self) -> f64 {
        let state = self.dice.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.dice.set(state);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn spent(&self) -> u64 {
        let polls = self.units.get().saturating_add(self.allocated.get() / BYTES_PER_POLL);
        self.ticks.get().saturating_add(polls / POLLS_PER_TICK)
    }
}

/// Memory comes in pieces of eight bytes.
fn rounded(size: usize) -> usize {
    size.saturating_add(7) & !7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_and_charges_count_together() {
        let meter = Meter::default();
        meter.start(2, 0, 0);
        assert!(!meter.tick());
        assert!(meter.charge(10_000.0));
        assert!(!meter.charge(10_000.0) && meter.is_broken() && meter.tick());
        assert_eq!(meter.stop(), 4);
    }

    #[test]
    fn memory_is_limited_and_charged() {
        let meter = Meter::default();
        assert!(meter.allocate(1_000), "what is there before the limit is not counted");
        meter.limit_memory(100);
        meter.start(1, 0, 0);
        assert!(meter.allocate(40) && !meter.held_much(100));
        assert!(meter.reallocate(40, 60) && meter.held_much(100));
        assert!(!meter.allocate(50) && meter.is_full() && !meter.is_broken());
        meter.free(64);
        assert!(meter.allocate(96));
        assert!(!meter.reallocate(96, 200), "it stays as it was");
        meter.free(96);
        for _ in 0..100 {
            meter.limit_memory(1 << 20);
            if !meter.allocate(1 << 16) {
                break;
            }
            meter.free(1 << 16);
        }
        assert!(meter.is_broken(), "much memory, one piece after the other, is much work");
    }

    #[test]
    fn the_dice_depend_on_the_seed_only() {
        let throws = |seed| {
            let meter = Meter::default();
            meter.start(1, 0, seed);
            [meter.random(), meter.random()]
        };
        assert_eq!(throws(7), throws(7));
        assert_ne!(throws(7), throws(8));
        assert!(throws(7).iter().all(|number| (0.0..1.0).contains(number)));
    }
}
