//! Counts the work of a call, and provides its clock and its random numbers.

use std::cell::Cell;

use crate::limits::POLLS_PER_TICK;

/// Shared between a realm and the functions that it exposes to JavaScript.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    mode: Cell<Mode>,
    ticks: Cell<u64>,
    units: Cell<u64>,
    limit: Cell<u64>,
    now: Cell<f64>,
    dice: Cell<u64>,
}

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
    /// Makes the next tick end the run.
    pub(crate) fn drain(&self) {
        self.mode.set(Mode::Drain);
    }

    /// Starts counting from zero.
    pub(crate) fn start(&self, limit: u64, time: i64, seed: u64) {
        self.ticks.set(0);
        self.units.set(0);
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
        self.ticks.get().saturating_add(self.units.get() / POLLS_PER_TICK)
    }
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
