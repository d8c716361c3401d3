//! Same inputs, same bytes: a thousand chats with scripts, patterns, timers and failing calls,
//! evaluated in two processes whose workers ran different calls before, and once on a busy machine.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use storeyline_engine::authors::Scripts;
use storeyline_engine::authors::{Library, Profile, Scope, exchange};
use storeyline_engine::scripts::{WorkerCommand, with_worker};
use storeyline_engine::{Card, ImportRequest, Trace, replay};
use storeyline_state::{Change, Op, json};

const CHATS: u64 = 1_000;
const FLOORS: u64 = 10;

/// Every so many chats have a function that uses lodash. Each page has an engine of its own, and loading lodash takes
/// ten times as long as everything else on a page.
const WITH_LODASH: u64 = 10;

const CHILD: &str = "STOREYLINE_DETERMINISM_CHILD";

/// A seeded random generator, so that both processes make the same chats.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % sides
    }
}

/// Returns the functions of a chat.
fn library(number: u64) -> Library {
    let random =
        if number.is_multiple_of(WITH_LODASH) { "_.random(1, 1000000)" } else { "Math.floor(Math.random() * 1e6)" };
    let file = r#"[
        {"name":"clock","type":"passive","timing":"before_active","executor":"snapshot.now = new Date().toISOString(); snapshot.ms = Date.now();"},
        {"name":"luck","type":"passive","executor":"snapshot.luck = RANDOM; snapshot.dice = [Math.random(), Math.random()]; if (context.round % 7 === 3) throw new Error('bad luck');"},
        {"name":"half","type":"passive","order":2,"executor":"snapshot.half = 1; if (Math.random() < 0.5) foo.bar();"},
        {"name":"heal","pattern":"治疗<(\\d+)>","executor":"snapshot.hp = (snapshot.hp || 0) + args[0];"},
        {"name":"list","pattern":"/\\[(\\S+?)\\]\\s*(\\S+)?/gu","executor":"(snapshot.list = snapshot.list || []).push(args); snapshot.list = snapshot.list.slice(-9);"}]"#;
    exchange::read(&json::read(&file.replace("RANDOM", random)).unwrap(), Scope::Global).library
}

/// Uses about nine tenths of the limit of one call.
fn heavy(_: u64) -> Library {
    let file = r#"[{"name":"heavy","type":"passive","executor":"let n = 0; for (let i = 0; i < 8900000; i++) n = (n + i) % 1000003; snapshot.n = n;"}]"#;
    exchange::read(&json::read(file).unwrap(), Scope::Global).library
}

fn reply(dice: &mut Dice) -> String {
    let mut text = "她看着雨。".to_owned();
    for _ in 0..dice.roll(5) {
        let n = dice.roll(50);
        text += &match dice.roll(9) {
            0 => format!("\n@.ADD(\"角色.金币\", {n});"),
            1 => format!("\n_.set('角色.心情', '第{n}种');//变了"),
            2 => format!("\n治疗<{n}>"),
            3 => format!("\n[灯] 第{n}盏"),
            4 => "\n@.ADD(\"角色.金币\", \"很多\");".to_owned(),
            5 => format!("\n@.SET(\"坏\", {{a: [{n}"),
            6 => format!("\n<JSONPatch>[{{\"op\":\"add\",\"path\":\"/角色/包{n}\",\"value\":[{n}]}}]</JSONPatch>"),
            7 => format!("\n@.TIMED_SET(\"角色.金币\", {n}, \"round\", {}, \"债\");", dice.roll(4)),
            _ => format!("\n@.APPEND(\"背包\", \"物{n}\");"),
        };
    }
    text
}

/// Makes a chat file and the profile it is played under.
fn chat(number: u64) -> (ImportRequest, Profile) {
    let mut dice = Dice(number);
    let mut text = format!(r#"{{"chat_metadata":{{"integrity":"chat {number}"}}}}"#);
    for floor in 0..FLOORS {
        let user = floor % 2 == 1;
        let mut words = String::new();
        json::write_text(&mut words, &if user { "继续".to_owned() } else { reply(&mut dice) });
        text += &format!(
            "\n{{\"name\":\"{}\",\"is_user\":{user},\"send_date\":\"2026-11-{:02}T0{}:00:00Z\",\"mes\":{words}}}",
            if user { "旅人" } else { "岚" },
            dice.roll(28) + 1,
            dice.roll(10)
        );
    }
    let template = match number % 3 {
        0 => r#"{"static":{"角色":{"金币":1}},"time":""}"#,
        _ => r#"{"角色":{"金币":1},"背包":[]}"#,
    };
    let profile = ["sam-4.2", "native", "mvu"][(number % 3) as usize];
    let request = ImportRequest {
        text,
        file: String::new(),
        title: String::new(),
        card: Some(Card { template: Some(json::read(template).unwrap()), ..Card::default() }),
        world_books: Vec::new(),
        into: None,
        allow_functions: true,
    };
    (request, Profile::from_word(profile).unwrap())
}

fn worker() -> WorkerCommand {
    let program = env!("CARGO_BIN_EXE_storeyline").into();
    WorkerCommand { program, args: vec!["js-worker".into()] }
}

/// An op as text.
fn op_text(op: &Op) -> String {
    let (kind, values, at) = match &op.change {
        Change::Set { old, new } => ("set", [Some(old), Some(new)], None),
        Change::Insert { new, at } => ("insert", [None, Some(new)], Some(at)),
        Change::Remove { old, at } => ("remove", [Some(old), None], Some(at)),
    };
    format!("{kind} {:?} {:?} {at:?}", op.path, values.map(|value| value.map(json::write)))
}

/// A trace as text.
fn trace_text(trace: &Trace) -> String {
    let calls = trace.calls.iter().map(|call| {
        let ops: Vec<String> = call.ops.iter().map(op_text).collect();
        format!("{} {:?} {:?} {:?} {ops:?} {:?}", call.name, call.span, call.verdict, call.reason, call.diagnostics)
    });
    calls.collect::<String>() + &format!("{:?}", trace.diagnostics)
}

/// Returns every state and trace of a chat, as one line.
fn play(number: u64, library: &Library, scripts: &mut dyn Scripts) -> String {
    let (request, profile) = chat(number);
    let mut line = format!("{number}");
    let change = |rules: &mut storeyline_engine::Rules| {
        rules.library = library.clone();
        rules.profile = profile;
    };
    replay(&request, change, None, scripts, |floor| {
        let bytes = json::write(&floor.evaluation.state) + &trace_text(&floor.evaluation.trace);
        line += &format!(" {} {}", floor.evaluation.state.hash(), storeyline_state::text::hash(&bytes));
    })
    .unwrap();
    line
}

fn play_all(numbers: impl Iterator<Item = u64>, library: fn(u64) -> Library) -> Vec<String> {
    let mut lines: Vec<String> =
        with_worker(worker(), |scripts| numbers.map(|number| play(number, &library(number), scripts)).collect());
    lines.sort();
    lines
}

/// Keeps all cores busy until dropped.
struct Busy(Arc<AtomicBool>);

impl Busy {
    fn start() -> Busy {
        let stop = Arc::new(AtomicBool::new(false));
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            let stop = stop.clone();
            std::thread::spawn(move || while !stop.load(Ordering::Relaxed) {});
        }
        Busy(stop)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_thousand_chats_give_the_same_bytes_in_two_processes() {
    if std::env::var_os(CHILD).is_some() {
        // The other process runs them backwards, so that its worker ran different calls before each
        // chat.
        let lines = play_all((0..CHATS).rev(), library);
        std::fs::write(std::env::var_os(CHILD).unwrap(), lines.join("\n")).unwrap();
        return;
    }
    let name = "determinism::a_thousand_chats_give_the_same_bytes_in_two_processes";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lines");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([name, "--exact", "--nocapture"])
        .env(CHILD, &file)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let own = play_all(0..CHATS, library);
    assert!(child.wait().unwrap().success());
    let other = std::fs::read_to_string(file).unwrap();
    let other: Vec<&str> = other.lines().collect();
    assert_eq!(own.len(), CHATS as usize);
    assert_eq!(own, other);
    let states: std::collections::HashSet<&String> = own.iter().collect();
    assert_eq!(states.len(), own.len(), "chats differ from each other");
}

#[test]
fn a_function_near_its_budget_gives_the_same_bytes_on_a_busy_machine() {
    let quiet = play_all(0..2, heavy);
    let busy = Busy::start();
    let hurried = play_all((0..2).rev(), heavy);
    drop(busy);
    assert_eq!(quiet, hurried);
    assert!(quiet.iter().all(|line| !line.is_empty()));
}
