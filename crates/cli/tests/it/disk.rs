//! Read-only and full disks, databases of other programs, and two processes at once: stored data
//! stays.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::program::{CARD, Server, TestDir, chat, text};

fn story() -> (TestDir, String) {
    let place = TestDir::new();
    let (chat, card) = (place.write("chat.jsonl", &chat()), place.write("card.json", CARD));
    let id = place.json(&["import", text(&chat), "--card", text(&card)])["story"].as_str().unwrap().to_owned();
    (place, id)
}

#[test]
fn two_processes_write_to_one_branch_and_every_word_is_kept() {
    const EACH: usize = 60;
    let (place, id) = story();
    let write = |name: &str| {
        let mut pages = Vec::new();
        for number in 0..EACH {
            let words = format!("{name} {number} @.ADD(\"数\", 1);");
            let done = place.json(&["append", &id, "--role", "assistant", "--text", &words]);
            pages.push((done["page"].clone(), words));
        }
        pages
    };
    let acknowledged = std::thread::scope(|scope| {
        let writers = [scope.spawn(|| write("甲")), scope.spawn(|| write("乙"))];
        writers.map(|writer| writer.join().unwrap())
    });
    let floors = place.json(&["path", &id]);
    let floors = floors.as_array().unwrap();
    assert_eq!(floors.len(), 3 + 2 * EACH);
    for pages in &acknowledged {
        let places = pages.iter().map(|(page, words)| {
            let floor = floors.iter().position(|floor| floor["page"] == *page).expect("an acknowledged page is there");
            assert_eq!(floors[floor]["preview"], words.as_str());
            floor
        });
        assert!(places.is_sorted(), "what one process wrote stays in its order");
    }
    assert_eq!(place.json(&["show", &id])["state"]["数"], 2 * EACH);
    let verified = place.json(&["verify"]);
    assert_eq!((&verified["problems"], &verified["floors"]), (&json!([]), &json!(3 + 2 * EACH)));
}

#[test]
fn a_database_of_a_newer_program_is_left_alone() {
    let (place, id) = story();
    let path = place.path("data/storeyline.db");
    let whole = std::fs::read(&path).unwrap();
    let mut newer = whole.clone();
    // The layout version, in the header of every SQLite file.
    newer[60..64].copy_from_slice(&99u32.to_be_bytes());
    std::fs::write(&path, &newer).unwrap();
    let said = place.failure(&["stories"]);
    assert!(said.contains("newer version of Storeyline (layout 99") && said.contains("hint:"), "{said}");
    assert!(place.chinese(&["path", &id]).contains("更新版本"));
    let said = place.failure(&["serve", "--port", "0"]);
    assert!(said.contains("newer version") && said.contains("hint:"), "{said}");
    let checked: Value = serde_json::from_slice(&place.run(&["doctor", "--json"]).stdout).unwrap();
    assert_eq!(checked["wrong"], 1, "{checked}");
    assert_eq!(std::fs::read(&path).unwrap(), newer, "it was not touched");
    std::fs::write(&path, &whole).unwrap();
    assert_eq!(place.json(&["path", &id]).as_array().unwrap().len(), 3);
}

#[test]
fn a_folder_that_cannot_be_used_is_told_with_the_next_step() {
    // A folder instead of the database, a file instead of the folder: not even root can use them.
    let place = TestDir::new();
    std::fs::create_dir_all(place.path("data/storeyline.db")).unwrap();
    let said = place.failure(&["stories"]);
    assert!(said.contains("storeyline.db: it cannot be opened") && said.contains("--data"), "{said}");
    assert!(place.chinese(&["stories"]).contains("打不开"));
    assert_eq!(place.run(&["doctor"]).status.code(), Some(1));
    let place = TestDir::new();
    place.write("data", "a file");
    let said = place.failure(&["stories"]);
    assert!(said.contains("cannot be used") && said.contains("--data"), "{said}");
}

/// Makes the data folder a read-only file system, which not even root can change from inside.
#[cfg(target_os = "linux")]
const READ_ONLY: &str = r#"
mount --bind "$STOREYLINE_DATA" "$STOREYLINE_DATA" && mount -o remount,ro,bind "$STOREYLINE_DATA" || exit 77
touch "$STOREYLINE_DATA/probe" 2> /dev/null && exit 77
"$2" append "$3" --role user --text x 2> "$1/said"
"$2" doctor --json > "$1/doctor" 2> /dev/null
"$2" restore "$1/copy.db" 2> "$1/restored"
exit 0
"#;

/// Runs a script in its own mount namespace. Returns false if the system does not allow it.
#[cfg(target_os = "linux")]
fn alone(place: &TestDir, script: &str, story: &str) -> bool {
    let mut command = Command::new("unshare");
    command.args(["--mount", "--map-root-user", "sh", "-c", script, "sh", text(&place.path(""))]);
    command.args([env!("CARGO_BIN_EXE_storeyline"), story]).stderr(Stdio::null());
    command.env("STOREYLINE_DATA", place.path("data")).env("LANG", "C").env_remove("LC_ALL");
    let done = command.status().is_ok_and(|status| status.success());
    assert!(done || !place.path("said").exists(), "the script began and did not end");
    done
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_cannot_be_written_is_told_and_stays_as_it_was() {
    let (place, id) = story();
    place.json(&["backup", text(&place.path("copy.db"))]);
    if alone(&place, READ_ONLY, &id) {
        let read = |name: &str| std::fs::read_to_string(place.path(name)).unwrap();
        for said in [read("said"), read("restored")] {
            assert!(said.contains("error:") && said.contains("hint:") && !said.contains("panicked"), "{said}");
        }
        assert!(read("said").contains("--data"), "{}", read("said"));
        let checked: Value = serde_json::from_str(&read("doctor")).unwrap();
        assert!(checked["wrong"].as_u64().unwrap() > 0, "{checked}");
    }
    assert_eq!(place.json(&["path", &id]).as_array().unwrap().len(), 3);
    assert_eq!(place.json(&["verify"])["problems"], json!([]));
}

/// Returns a text that cannot be compressed.
fn noise(length: usize) -> String {
    let mut seed = 88_172_645_463_325_252u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        char::from(b'0' + (seed % 75) as u8)
    };
    (0..length).map(|_| next()).collect()
}

/// Fills a disk of two megabytes, prints the output of the program, and copies the data folder out
/// again.
#[cfg(target_os = "linux")]
const FULL_DISK: &str = r#"
set -u
mount -t tmpfs -o size=2m storeyline "$1/small" || exit 77
cp -r "$STOREYLINE_DATA" "$1/small/data" || exit 77
export STOREYLINE_DATA="$1/small/data"
said=0
for number in $(seq 200); do
    if "$2" append "$3" --role user --file "$1/long.txt" --json >> "$1/acknowledged" 2> "$1/said"; then :; else said=1; break; fi
done
"$2" path "$3" --json > "$1/floors"
"$2" doctor --json > "$1/doctor"
"$2" backup "$1/small/copy.db" 2> "$1/backup"
test -e "$1/small/copy.db" && echo REMAINS >> "$1/backup"
"$2" verify --json > "$1/verified"
cp "$1/small/data/"storeyline.db* "$1/out/"
exit $((1 - said))
"#;

#[cfg(target_os = "linux")]
#[test]
fn on_a_full_disk_nothing_is_lost_and_nothing_is_half_written() {
    let (place, id) = story();
    for folder in ["small", "out"] {
        std::fs::create_dir(place.path(folder)).unwrap();
    }
    place.write("long.txt", &noise(30_000));
    if !alone(&place, FULL_DISK, &id) {
        // The next test uses another method.
        return;
    }
    let read = |name: &str| std::fs::read_to_string(place.path(name)).unwrap();
    let said = read("said");
    assert!(said.contains("the disk is full") && said.contains("Free some space"), "{said}");
    let acknowledged = read("acknowledged").lines().count();
    assert!(acknowledged > 5, "{acknowledged}");
    let floors: Value = serde_json::from_str(&read("floors")).unwrap();
    assert_eq!(floors.as_array().unwrap().len(), 3 + acknowledged, "what was acknowledged is there, and nothing else");
    assert!(read("doctor").contains("\"space\",\"level\":\"warning\""), "{}", read("doctor"));
    assert!(read("backup").contains("the disk is full") && !read("backup").contains("REMAINS"), "{}", read("backup"));
    let verified: Value = serde_json::from_str(&read("verified")).unwrap();
    assert_eq!(verified["problems"], json!([]));
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_is_told_and_what_is_there_stays() {
    let (place, id) = story();
    let long = place.write("long.txt", &noise(400_000));
    let output = place.limited(128, &["append", &id, "--role", "user", "--file", text(&long)]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("could not read or write it") && said.contains("hint:"), "{said}");
    assert_eq!(place.json(&["path", &id]).as_array().unwrap().len(), 3);
    assert_eq!(place.json(&["verify"])["problems"], json!([]));
    place.json(&["append", &id, "--role", "user", "--text", "现在可以了"]);
}

/// Appends a page over HTTP; returns the status and the code of a refusal.
#[cfg(unix)]
fn append(server: &Server, words: &str) -> (u16, Value) {
    let story = &server.get("/api/v1/stories").1["stories"][0];
    let (id, branch) = (story["story"].as_str().unwrap(), story["refs"][0]["ref"].as_str().unwrap());
    let body = json!({"kind": "append", "role": "user", "name": "U", "text": words}).to_string();
    let (status, answer) = server.post(&format!("/api/v1/stories/{id}/refs/{branch}/operations"), &body);
    (status, answer["error"].clone())
}

#[cfg(unix)]
#[test]
fn a_server_that_cannot_write_answers_and_goes_on_when_it_can() {
    let (place, id) = story();
    let server = place.serve_limited(256);
    let (status, error) = append(&server, &noise(600_000));
    assert_eq!(status, 500, "{error}");
    assert!(error["hint"]["en"].as_str().unwrap().contains("disk is full"), "{error}");
    let (status, answer) = server.get("/api/v1/status?check=true");
    assert_eq!((status, &answer["layout"], &answer["problems"]), (200, &json!(1), &json!([])), "{answer}");
    assert_eq!(server.get("/api/v1/status").0, 200);
    assert_eq!(append(&server, "短"), (200, Value::Null));
    drop(server);
    assert_eq!(place.json(&["path", &id]).as_array().unwrap().len(), 4);
    assert_eq!(place.json(&["verify"])["problems"], json!([]));
}

#[cfg(unix)]
#[test]
fn doctor_says_that_a_database_cannot_be_written() {
    let (place, _) = story();
    // While the server has it open, the log stays long, and the next page would be beyond the limit.
    let server = place.serve();
    assert_eq!(append(&server, &noise(600_000)).0, 200);
    let output = place.limited(128, &["doctor", "--json"]).output().unwrap();
    let checked: Value = serde_json::from_slice(&output.stdout).unwrap();
    let level = |name: &str| {
        let checks = checked["checks"].as_array().unwrap();
        checks.iter().find(|check| check["check"] == name).map(|check| check["level"].clone())
    };
    assert_eq!(
        (output.status.code(), level("database"), level("write")),
        (Some(1), Some("ok".into()), Some("wrong".into())),
        "{checked}"
    );
}

#[cfg(unix)]
#[test]
fn without_shared_memory_serve_and_doctor_say_so() {
    let place = TestDir::new();
    std::fs::create_dir(place.path("data")).unwrap();
    std::os::unix::fs::symlink("nowhere/at all", place.path("data/storeyline.db-shm")).unwrap();
    let (chat, card) = (place.write("chat.jsonl", &chat()), place.write("card.json", CARD));
    place.json(&["import", text(&chat), "--card", text(&card)]);
    let checked = place.json(&["doctor"]);
    let wal = checked["checks"].as_array().unwrap().iter().find(|check| check["check"] == "wal").unwrap();
    assert!(wal["level"] == "warning" && wal["what"].as_str().unwrap().contains("network drive"), "{wal}");
    let server = place.serve();
    assert_eq!((&server.first["wal"], server.get("/api/v1/stories").0), (&json!(false), 200));
    assert_eq!(place.json(&["stories"]).as_array().unwrap().len(), 1, "beside the engine");
}
