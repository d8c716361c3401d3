//! Texts that were read in quadratic time. `benches/linear.rs` has many more and measures them.

use std::time::{Duration, Instant};

use storeyline_calls::loose;
use storeyline_state::json;

#[test]
fn values_without_commas_are_read_once() {
    let number = "\"k\": 0.000000000000000000000000000000000000000000001 ";
    for (again, wanted) in [(number, None), ("\"k\": (1+2) ", Some(r#"{"k":3}"#))] {
        let start = Instant::now();
        let found = loose::read(&format!("{{{}}}", again.repeat(400_000 / again.len())), 40);
        assert!(start.elapsed() < Duration::from_secs(8), "{again}: {:?}", start.elapsed());
        let found = found.ok().map(|read| json::write(&read.value));
        assert!(wanted.is_none_or(|wanted| found.as_deref() == Some(wanted)), "{again}");
    }
}
