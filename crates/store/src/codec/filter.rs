//! A filter of the paths that an evaluation changed: 16 bytes that answer "surely not" without reading
//! the trace.

use storeyline_history::Trace;
use storeyline_state::Step;

/// 64 bits for the changed paths themselves, 64 for these and all their ancestors. A path that is not in
/// the filter was not changed; one that is in it may have been.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PathFilter {
    exact: u64,
    above: u64,
}

impl PathFilter {
    pub(crate) fn of(trace: &Trace) -> PathFilter {
        let mut filter = PathFilter::default();
        for op in trace.ops() {
            if op.path.is_empty() {
                return PathFilter { exact: u64::MAX, above: u64::MAX };
            }
            let mut last = 0;
            for mark in marks(&op.path) {
                filter.above |= mark;
                last = mark;
            }
            filter.exact |= last;
        }
        filter
    }

    /// Tells whether the value at a path may have changed: itself, something above or below it.
    pub(crate) fn may_contain(self, path: &[Step]) -> bool {
        let Some(own) = marks(path).last() else { return self.above != 0 };
        self.above & own == own || marks(path).any(|mark| self.exact & mark == mark)
    }

    pub(crate) fn to_bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.exact.to_le_bytes());
        bytes[8..].copy_from_slice(&self.above.to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<PathFilter> {
        let number = |bytes: &[u8]| bytes.try_into().ok().map(u64::from_le_bytes);
        Some(PathFilter { exact: number(bytes.get(..8)?)?, above: number(bytes.get(8..16)?)? })
    }
}

/// Two bits for each beginning of a path. A list counts as one path: its items move.
fn marks(path: &[Step]) -> impl Iterator<Item = u64> {
    let keys = path.iter().map_while(|step| match step {
        Step::Key(key) => Some(key),
        Step::Index(_) => None,
    });
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    keys.map(move |key| {
        for byte in key.bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        // The last bytes reach all bits only after another round.
        let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (1 << (mixed >> 58)) | (1 << ((mixed >> 52) & 63))
    })
}

#[cfg(test)]
mod tests {
    use storeyline_history::{CallTrace, Verdict};
    use storeyline_state::{Change, Op, Value};

    use super::*;

    fn path(steps: &[&str]) -> Vec<Step> {
        let step = |step: &&str| step.parse().map_or_else(|_| Step::Key((*step).into()), Step::Index);
        steps.iter().map(step).collect()
    }

    #[test]
    fn the_filter_never_misses() {
        let changed = [&["角色", "阿丽娅", "hp"][..], &["包", "2"], &["旧"]];
        let set = || Change::Set { old: Value::Null, new: Value::Null };
        let ops = changed.iter().map(|steps| Op { path: path(steps), change: set() }).collect();
        let (name, verdict, diagnostics) = ("@.SET".into(), Verdict::Done, Vec::new());
        let call = CallTrace { name, span: 0..0, verdict, reason: None, ops, diagnostics };
        let filter = PathFilter::of(&Trace { calls: vec![call], diagnostics: Vec::new() });
        for held in [
            &["角色"][..],
            &["角色", "阿丽娅"],
            &["角色", "阿丽娅", "hp"],
            &["角色", "阿丽娅", "hp", "x"],
            &["包"],
            &["包", "7"],
            &["旧"],
            &[],
        ] {
            assert!(filter.may_contain(&path(held)), "{held:?}");
        }
        assert!(!filter.may_contain(&path(&["角色", "老板"])), "a sibling is not in it");
        assert_eq!(PathFilter::from_bytes(&filter.to_bytes()), Some(filter));
    }
}
