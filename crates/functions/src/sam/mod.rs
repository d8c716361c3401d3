//! SAM's way with a message: its own order, timers by round, deletions at the end.

use storeyline_calls::Call;
use storeyline_state::Value;

use crate::carried::Carried;
use crate::profile::SamVersion;
use crate::script::{Incomplete, Scripts};

/// A function of a card's `__SAM_IDENTIFIER__` entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SamFunction {
    /// The definition as the card has it: `func_name`, `func_params`, `func_body`, `periodic`,
    /// `order`, `sequence`.
    pub definition: Value,
}

/// What a message is carried out with.
#[derive(Debug, Clone, Copy)]
pub struct SamTurn<'a> {
    /// Which SAM.
    pub version: SamVersion,
    /// The floor of the message, from 0 (SAM: chat length - 1).
    pub round: i64,
    /// The card's functions.
    pub functions: &'a [SamFunction],
    /// What scripts see as `context`.
    pub context: &'a Value,
    /// Where random numbers start.
    pub seed: u64,
    /// When the page was written, in milliseconds since 1970.
    pub time: i64,
}

/// Carries out a message's calls on a state.
pub fn run_message(
    state: &Value,
    _calls: &[Call],
    _turn: &SamTurn<'_>,
    _scripts: &mut dyn Scripts,
) -> Result<(Value, Vec<Carried>), Incomplete> {
    Ok((state.clone(), Vec::new()))
}
