//! Tests of backup and restore: a copy is complete at any moment, and is restored only while no program
//! has the database open.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use storeyline_engine::{Durability, Engine, EngineError, Owner, StoreError};

use crate::teller::Teller;

fn begin(folder: &Path) -> Teller {
    Teller::begin(Engine::open(folder).unwrap().with_durability(Durability::Normal), "{}")
}

fn verified(engine: &Engine) -> usize {
    let verified = engine.verify(&Owner::local(), |_| {}).unwrap();
    assert!(verified.problems.is_empty(), "{:?}", verified.problems);
    verified.floors
}

#[test]
fn a_copy_made_while_another_program_writes_is_whole() {
    let (folder, copies) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let writer = begin(folder.path());
    writer.reply("@.SET(\"n\", 0);");
    let copier = Teller::again(folder.path(), &writer.opened);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for number in 1..400 {
                writer.reply(&format!("@.ADD(\"n\", 1); {number}"));
            }
            done.store(true, Ordering::Relaxed);
        });
        let mut last = 0;
        for number in 0.. {
            let copy = copies.path().join(format!("{number}.db"));
            copier.engine.back_up(&copy).unwrap();
            let place = copies.path().join(number.to_string());
            std::fs::create_dir(&place).unwrap();
            assert_eq!(Engine::restore(&place, &copy).unwrap(), None);
            let restored = Teller::again(&place, &writer.opened);
            let floors = verified(&restored.engine);
            assert!(floors >= last, "later copies hold more");
            assert_eq!(restored.state(floors - 1), format!("{{\"n\":{}}}", floors - 1));
            last = floors;
            if done.load(Ordering::Relaxed) {
                break;
            }
        }
    });
    assert_eq!(verified(&writer.engine), 400);
}

#[test]
fn a_copy_takes_the_place_of_a_database_that_nobody_has_open() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.db");
    let teller = begin(folder.path());
    teller.reply("一");
    teller.engine.back_up(&copy).unwrap();
    let bytes = std::fs::read(&copy).unwrap();
    teller.reply("二");
    let refused = Engine::restore(folder.path(), &copy).unwrap_err();
    let EngineError::Store(StoreError::Held { by }) = &refused else { panic!("{refused}") };
    if cfg!(target_os = "linux") {
        assert_eq!(by.work, None);
    }
    let opened = teller.opened.clone();
    drop(teller);

    let old = Engine::restore(folder.path(), &copy).unwrap().unwrap();
    assert_eq!(Teller::again(folder.path(), &opened).texts(), ["一"]);
    assert_eq!(std::fs::read(&copy).unwrap(), bytes, "the copy is not touched");
    // The old one is a copy like any other.
    let older = Engine::restore(folder.path(), &old).unwrap().unwrap();
    assert_ne!(older, old);
    assert_eq!(Teller::again(folder.path(), &opened).texts(), ["一", "二"]);
    assert!(!folder.path().join("storeyline.db.incoming").exists());
}

#[test]
fn a_copy_that_cannot_be_used_leaves_everything_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.db");
    let teller = begin(folder.path());
    for number in 0..40 {
        teller.reply(&format!("{number} {}", "雨夜的酒馆里坐着一个人。".repeat(number)));
    }
    teller.engine.back_up(&copy).unwrap();
    assert!(matches!(
        teller.engine.back_up(&copy),
        Err(EngineError::Store(StoreError::File { source, .. })) if source.kind() == std::io::ErrorKind::AlreadyExists
    ));
    let nowhere = folder.path().join("no such folder/copy.db");
    assert!(matches!(teller.engine.back_up(&nowhere), Err(EngineError::Store(StoreError::File { .. }))));
    let opened = teller.opened.clone();
    drop(teller);
    let whole = std::fs::read(&copy).unwrap();
    let cases: [(&str, Vec<u8>); 5] = [
        ("nothing", Vec::new()),
        ("a diary", b"this is a diary and no database at all, whatever it is called".repeat(40)),
        ("cut off", whole[..whole.len() / 2].to_vec()),
        ("of a newer program", {
            let mut bytes = whole.clone();
            bytes[60..64].copy_from_slice(&99u32.to_be_bytes());
            bytes
        }),
        ("damaged", {
            let mut bytes = whole.clone();
            let middle = bytes.len() / 2;
            bytes[middle..middle + 6_000].fill(0xa5);
            bytes
        }),
    ];
    for (what, bytes) in cases {
        std::fs::write(&copy, &bytes).unwrap();
        let error = Engine::restore(folder.path(), &copy).expect_err(what);
        assert!(!error.to_string().contains("incoming"), "{what}: {error}");
        assert_eq!(Teller::again(folder.path(), &opened).floors(), 40, "{what}");
    }
    assert!(Engine::restore(folder.path(), &folder.path().join("none.db")).is_err());
    assert!(Engine::restore(folder.path(), folder.path()).is_err(), "a folder is no copy");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("before")), "{left:?}");
}

#[test]
fn who_has_a_database_open_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let teller = begin(folder.path());
    assert_eq!(Engine::holders(folder.path()), (None, Vec::new()), "this process is left out");
    assert!(teller.engine.quick_integrity().unwrap().is_empty());
    assert!(teller.engine.has_wal() && teller.engine.file_bytes() > 0);
}

#[cfg(unix)]
#[test]
fn where_there_is_no_shared_memory_the_old_journal_does() {
    let folder = tempfile::tempdir().unwrap();
    // What a network drive refuses, the file for shared memory, cannot be made where a link leads nowhere.
    let memory = folder.path().join("storeyline.db-shm");
    let refuse = || std::os::unix::fs::symlink("nowhere/at all", &memory).unwrap();
    refuse();
    let teller = begin(folder.path());
    assert!(!teller.engine.has_wal());
    teller.reply("一");
    let opened = teller.opened.clone();
    drop(teller);
    // On a disk that has it, the log is used again; and back on the drive it is not.
    std::fs::remove_file(&memory).unwrap();
    let teller = Teller::again(folder.path(), &opened);
    assert!(teller.engine.has_wal());
    teller.reply("二");
    drop(teller);
    refuse();
    let teller = Teller::again(folder.path(), &opened);
    assert!(!teller.engine.has_wal());
    teller.reply("三");
    let beside = Teller::again(folder.path(), &opened);
    beside.reply("四");
    teller.reply("五");
    assert_eq!(teller.texts(), ["一", "二", "三", "四", "五"]);
    assert_eq!(verified(&beside.engine), 5);
}
