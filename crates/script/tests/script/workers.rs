//! The worker process: started by command, filtered, killed, replaced.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use storeyline_functions::script::Used;
use storeyline_functions::{Scripts, Stopped};
use storeyline_script::{Limits, Worker, WorkerCommand};

use crate::support::{after, command, run_on, worker};

/// A loop inside the engine that the guards do not see.
const STUCK: &str = "let o = {}; for (let i = 0; i < 1e5; i++) o = Object.create(o); for (;;) o.missing";

#[test]
fn a_stuck_worker_is_ended_and_the_spare_answers() {
    let mut js = worker(Limits { wall: Duration::from_secs(5), ..Limits::default() });
    assert_eq!(after(&mut js, r#"{"a":1}"#, "snapshot.a = 2"), r#"{"a":2}"#);
    let before = js.process_id();
    let stuck = run_on(&mut js, r#"{"a":1}"#, STUCK);
    assert!(matches!(stuck, Err(Stopped::Incomplete(_))), "{stuck:?}");
    assert_eq!(after(&mut js, r#"{"a":1}"#, "snapshot.a = 3"), r#"{"a":3}"#);
    assert_ne!(js.process_id(), before);
}

#[test]
fn a_command_that_does_not_exist_is_incomplete() {
    let mut js = Worker::new(WorkerCommand { program: "no-such-program".into(), args: Vec::new() });
    assert!(matches!(js.find("a", "a"), Err(Stopped::Incomplete(_))));
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
#[test]
fn a_filtered_worker_cannot_open_a_file() {
    let mut js = worker(Limits::default());
    assert_eq!(js.is_filtered(), Ok(true));
    let id = js.process_id().unwrap();
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    assert!(status.contains("Seccomp:\t2"), "{status}");
    assert_eq!(js.try_to_open_a_file(), Ok("PermissionDenied".to_owned()));
}

#[cfg(target_os = "linux")]
#[test]
fn the_environment_of_a_worker_is_empty() {
    let mut js = worker(Limits::default());
    js.is_filtered().unwrap();
    let environment = std::fs::read(format!("/proc/{}/environ", js.process_id().unwrap())).unwrap();
    assert_eq!(String::from_utf8(environment).unwrap(), "TZ=UTC0\0");
}

#[cfg(target_os = "linux")]
#[test]
fn all_threads_of_a_worker_run_at_low_priority() {
    // The 19th field; the second is a name in parentheses.
    let niceness = |stat: std::path::PathBuf| -> i32 {
        let stat = std::fs::read_to_string(stat).unwrap();
        stat.rsplit_once(") ").unwrap().1.split(' ').nth(16).unwrap().parse().unwrap()
    };
    let mut js = worker(Limits::default());
    js.is_filtered().unwrap();
    let expected = (niceness("/proc/self/stat".into()) + 10).min(19);
    let threads = std::fs::read_dir(format!("/proc/{}/task", js.process_id().unwrap())).unwrap();
    let all: Vec<i32> = threads.map(|thread| niceness(thread.unwrap().path().join("stat"))).collect();
    assert!(all.len() > 1 && all.iter().all(|own| *own == expected), "{all:?}, not {expected}");
}

/// Starts a worker and sends it, frame by frame, its limits and a script that hangs.
fn hanging_process(wall: u64) -> std::process::Child {
    let mut process =
        Command::new(command().program).stdin(Stdio::piped()).stdout(Stdio::piped()).env_clear().spawn().unwrap();
    let mut send = |frame: Vec<u8>| {
        let stdin = process.stdin.as_mut().unwrap();
        stdin.write_all(&(frame.len() as u32).to_le_bytes()).and_then(|()| stdin.write_all(&frame)).unwrap();
    };
    let limits = Limits { wall: Duration::from_millis(wall), ..Limits::default() };
    send(postcard::to_stdvec(&limits).unwrap());
    // The first of a page: run, the whole state; a body; no arguments, the context, seed, time, ticks, nobody listens.
    send(postcard::to_stdvec(&(true, 0u8, 0u8, "{}", 0u8, STUCK, 0u8, "null", 0u8, 0u8, 1_000u64, false)).unwrap());
    let mut ready = [0; 5];
    process.stdout.as_mut().unwrap().read_exact(&mut ready).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert!(process.try_wait().unwrap().is_none(), "it hangs");
    process
}

#[test]
fn a_worker_ends_when_its_input_closes_also_in_the_middle_of_a_script() {
    let mut stuck = hanging_process(60_000);
    drop(stuck.stdin.take());
    // Without the closed input it would end much later, and with another code.
    assert_eq!(stuck.wait().unwrap().code(), Some(0));
}

#[test]
fn a_worker_that_nobody_ends_ends_itself() {
    let mut stuck = hanging_process(0);
    let held_open = stuck.stdin.take();
    assert_eq!(stuck.wait().unwrap().code(), Some(4));
    drop(held_open);
}

#[test]
fn a_worker_that_is_told_nonsense_ends() {
    let start = || Command::new(command().program).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut silent = start();
    drop(silent.stdin.take());
    assert_eq!(silent.wait().unwrap().code(), Some(2), "it was told nothing");
    let mut odd = start();
    odd.stdin.as_mut().unwrap().write_all(&[3, 0, 0, 0, 1, 2, 3]).unwrap();
    assert_eq!(odd.wait().unwrap().code(), Some(2), "limits that cannot be read");
}

#[test]
fn dropping_a_worker_ends_its_process() {
    let mut js = worker(Limits::default());
    js.is_filtered().unwrap();
    let id = js.process_id().unwrap();
    drop(js);
    assert!(!std::path::Path::new(&format!("/proc/{id}")).exists());
}

#[test]
fn requests_and_pages_have_budgets() {
    let limits = Limits { call_ticks: 100, page_ticks: 150, request_ticks: 400, ..Limits::default() };
    let mut js = worker(limits);
    let sixty = "for (let i = 0; i < 300000; i++);";
    for _ in 0..3 {
        js.begin_page();
        assert_eq!(after(&mut js, "{}", sixty), "{}");
        assert_eq!(after(&mut js, "{}", sixty), "{}");
        assert_eq!(after(&mut js, "{}", sixty), "E-JS-PAGE");
        assert_eq!(after(&mut js, "{}", "snapshot.small = 1"), r#"{"small":1}"#);
    }
    js.begin_page();
    js.begin_request(Used::default());
    for _ in 0..4 {
        js.begin_page();
        assert_eq!(after(&mut js, "{}", "for (;;);"), "E-JS-TICKS");
    }
    assert!(after(&mut js, "{}", "").starts_with("incomplete: "), "the request is used up");
    js.begin_request(Used::default());
    js.begin_page();
    assert_eq!(after(&mut js, "{}", ""), "{}");
}

#[test]
fn whoever_runs_scripts_can_go_to_another_thread() {
    fn can_go<T: Send>() {}
    can_go::<Worker>();
    can_go::<storeyline_script::InProcess>();
}

#[test]
fn the_calls_of_a_page_and_of_a_request_have_a_time_together() {
    let mut js = worker(Limits { page_time: Duration::from_secs(2), ..Limits::default() });
    js.begin_page();
    js.begin_request(Used::default());
    let start = Instant::now();
    let ended = run_on(&mut js, "{}", STUCK);
    assert!(matches!(&ended, Err(Stopped::Incomplete(incomplete)) if incomplete.out_of_time), "{ended:?}");
    assert!(start.elapsed() < Limits::default().wall, "not the limit of one call");
    let next = run_on(&mut js, "{}", "snapshot.n = 1");
    assert!(matches!(&next, Err(Stopped::Incomplete(incomplete)) if incomplete.out_of_time), "{next:?}");
    js.begin_page();
    assert_eq!(after(&mut js, "{}", "snapshot.n = 1"), r#"{"n":1}"#);
    js.begin_request(Used { time: Limits::default().request_time, ..Used::default() });
    let over = run_on(&mut js, "{}", "snapshot.n = 1");
    assert!(matches!(&over, Err(Stopped::Incomplete(incomplete)) if !incomplete.hung), "{over:?}");
}

#[test]
fn pages_take_turns_between_three_processes() {
    let mut js = worker(Limits::default());
    let mut seen = Vec::new();
    let mut state = r#"{"n":0}"#.to_owned();
    for _ in 0..6 {
        js.begin_page();
        state = after(&mut js, &state, "snapshot.n += 1");
        seen.extend(js.process_id());
    }
    assert_eq!(state, r#"{"n":6}"#);
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 3);
}

#[test]
fn every_worker_that_starts_lives() {
    // The filter must not be installed before all threads of the worker have started.
    for _ in 0..40 {
        let mut js = worker(Limits::default());
        assert_eq!(after(&mut js, "{}", "snapshot.n = 1"), r#"{"n":1}"#);
    }
}
