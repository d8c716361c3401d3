//! Blocks with a `test`: when it fails, what the block did before is undone and the rest is skipped.
//!
//! The ops of a block are calls that name the same block. A block without a `test` is none of our business.

use std::collections::HashSet;

use storeyline_calls::{Call, Dialect};

use crate::draft::Refusal;
use crate::trace::{CallTrace, Verdict};

/// The blocks of a message that have a `test`, and the one that is being carried out.
///
/// `S` is what must be kept to undo a block.
#[derive(Debug)]
pub(crate) struct Blocks<S> {
    /// Where they begin.
    tested: HashSet<usize>,
    current: Option<Current<S>>,
    /// Whether the present call is a test.
    at_test: bool,
}

#[derive(Debug)]
struct Current<S> {
    block: usize,
    /// The first of its ops among what was carried out.
    first: usize,
    /// What was before; gone once a test has failed.
    before: Option<S>,
}

impl<S> Blocks<S> {
    /// Finds the blocks with a test.
    pub(crate) fn of(calls: &[Call]) -> Blocks<S> {
        let tested = calls.iter().filter(|call| is_test(call)).filter_map(|call| call.block).collect();
        Blocks { tested, current: None, at_test: false }
    }

    /// Whether a call is an op of a block with a test.
    pub(crate) fn is_tested(&self, call: &Call) -> bool {
        call.block.is_some_and(|block| self.tested.contains(&block))
    }

    /// Goes to the next call and says whether it must be left out.
    pub(crate) fn enter(&mut self, call: &Call, carried: usize, save: impl FnOnce() -> S) -> Option<Refusal> {
        if !self.is_tested(call) {
            self.current = None;
            return None;
        }
        self.at_test = is_test(call);
        if self.current.as_ref().is_none_or(|current| call.block != Some(current.block)) {
            let block = call.block.expect("an op of a tested block names it");
            self.current = Some(Current { block, first: carried, before: Some(save()) });
        }
        self.current.as_ref().is_some_and(|current| current.before.is_none()).then(skipped)
    }

    /// Looks at what came of the call that was entered. After a failed test the ops before it are marked as undone, and
    /// what was before the block is returned.
    pub(crate) fn leave(&mut self, carried: &mut [CallTrace]) -> Option<S> {
        let current = self.current.as_mut()?;
        if !self.at_test || carried.last().is_none_or(|last| last.verdict != Verdict::Failed) {
            return None;
        }
        let before = current.before.take()?;
        for earlier in &mut carried[current.first..] {
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
