//! Patch blocks with a `test`: when the test fails, the ops before it are undone and the rest is
//! skipped.
//!
//! The ops of a block are calls that name the same block. Blocks without a `test` are not handled
//! here.

use std::collections::HashSet;

use storeyline_calls::{Call, Dialect};

use crate::draft::Refusal;
use crate::trace::{CallTrace, Verdict};

/// The blocks of a message that have a `test`, and the one that is being executed.
///
/// `S` is what must be saved to undo a block.
#[derive(Debug)]
pub(crate) struct Blocks<S> {
    /// Start offsets of the blocks.
    tested: HashSet<usize>,
    current: Option<Current<S>>,
    /// Whether the current call is a test.
    at_test: bool,
}

#[derive(Debug)]
struct Current<S> {
    block: usize,
    /// Index of its first op among the traces.
    first: usize,
    /// The state before the block; `None` once a test has failed.
    before: Option<S>,
}

impl<S> Blocks<S> {
    /// Finds the blocks with a test.
    pub(crate) fn of(calls: &[Call]) -> Blocks<S> {
        let tested = calls.iter().filter(|call| is_test(call)).filter_map(|call| call.block).collect();
        Blocks { tested, current: None, at_test: false }
    }

    /// Tells whether a call is an op of a block with a test.
    pub(crate) fn is_tested(&self, call: &Call) -> bool {
        call.block.is_some_and(|block| self.tested.contains(&block))
    }

    /// Enters a call. Returns a refusal if it must be skipped.
    pub(crate) fn enter(&mut self, call: &Call, traces: usize, save: impl FnOnce() -> S) -> Option<Refusal> {
        if !self.is_tested(call) {
            self.current = None;
            return None;
        }
        self.at_test = is_test(call);
        if self.current.as_ref().is_none_or(|current| call.block != Some(current.block)) {
            let block = call.block.expect("an op of a tested block names it");
            self.current = Some(Current { block, first: traces, before: Some(save()) });
        }
        self.current.as_ref().is_some_and(|current| current.before.is_none()).then(skipped)
    }

    /// Leaves a call. After a failed test, marks the ops before it as undone and returns what was
    /// saved before the block.
    pub(crate) fn leave(&mut self, traces: &mut [CallTrace]) -> Option<S> {
        let current = self.current.as_mut()?;
        if !self.at_test || traces.last().is_none_or(|last| last.verdict != Verdict::Failed) {
            return None;
        }
        let before = current.before.take()?;
        for earlier in &mut traces[current.first..] {
            if !earlier.ops.is_empty() {
                earlier.fail(undone());
            }
        }
        Some(before)
    }
}

fn is_test(call: &Call) -> bool {
    call.dialect == Dialect::Patch && call.name.eq_ignore_ascii_case("test")
}

fn undone() -> Refusal {
    Refusal::new(
        "E-PATCH-UNDONE",
        "同一补丁块里的 test 没有通过，这一项已撤销。",
        "A test in the same patch block failed; this was undone.",
    )
}

fn skipped() -> Refusal {
    Refusal::new(
        "E-PATCH-SKIPPED",
        "同一补丁块里的 test 没有通过，这一项没有执行。",
        "A test in the same patch block failed; this was not done.",
    )
}
