//! Figures, printed: `cargo test -p storeyline-script --release -- --ignored --nocapture figures`.

use std::time::Instant;

use storeyline_script::{InProcess, Limits, bench};

use crate::support::{after, worker};

#[test]
#[ignore = "prints figures; run it in release"]
#[expect(clippy::print_stdout, reason = "it is there to print")]
fn figures_of_calls_and_starts() {
    println!("in process");
    bench(&mut InProcess::default(), 15).unwrap().iter().for_each(|row| println!("{row}"));
    println!("worker");
    bench(&mut worker(Limits::default()), 15).unwrap().iter().for_each(|row| println!("{row}"));
    let started = Instant::now();
    let mut js = worker(Limits::default());
    js.is_filtered().unwrap();
    println!("start of a worker {:?}", started.elapsed());
    let started = Instant::now();
    assert_eq!(after(&mut js, "{}", ""), "{}");
    println!("first call {:?}", started.elapsed());
    let started = Instant::now();
    assert_eq!(after(&mut js, "{}", "for (;;);"), "E-JS-TICKS");
    println!("an endless loop (judged twice) {:?}", started.elapsed());
}
