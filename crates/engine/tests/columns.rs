//! Sets each column of each table to wrong values, one at a time: `verify` must end, find it and name the row; after a
//! repair a second run is clean, and no floor has another state or text than before.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../attack/src/tamper.rs"]
mod tamper;
mod teller;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use rusqlite::types::Value as Sql;
use storeyline_engine::{BranchEdit, Engine, ForeignSave, OpenedChat, Owner, Verified};
use storeyline_state::json;
use tamper::{FREE, LEFT, Row, checksum, is_in, row_at, set, wrong_values};
use teller::Teller;

fn story(folder: &Path) -> OpenedChat {
    let engine = Engine::open(folder).unwrap();
    let template = json::read(r#"{"n":0}"#).unwrap();
    engine.put_template(&Owner::local(), "card.png", Some(&template)).unwrap();
    let save = ForeignSave { name: Some("s".into()), chat: Some("c".into()), message: None, payload: template };
    engine.put_foreign(&Owner::local(), &save).unwrap();
    let teller = Teller::begin(engine, r#"{"n":0,"世界":{"天气":"雨"},"清单":[1,2,3]}"#);
    for floor in 0..12 {
        teller.reply(&format!("第{floor}夜 @.SET(\"n\", {}); @.SET(\"世界.天气\", \"{floor}\");", 700_000 + floor));
    }
    let left = teller.page(4);
    teller.alternative(4, "别的路 @.ADD(\"n\", 5);");
    teller.reply("之后 @.ADD(\"n\", 1);");
    teller.edit(&BranchEdit::Swipe { page: left }).unwrap();
    let other = Teller::begin_chat(teller.engine, 2, r#"{"m":1}"#);
    other.reply("开场 @.SET(\"m\", 2);");
    other.reply("再来 @.SET(\"m\", 3);");
    teller.opened
}

/// What is read of the story; nothing for a floor that cannot be read.
fn floors(folder: &Path, opened: &OpenedChat) -> Vec<Option<(String, String)>> {
    let engine = Engine::open(folder).unwrap();
    let owner = Owner::local();
    let floor = |floor| {
        let state = engine.state_at(&owner, opened.story, opened.branch, floor).ok()?;
        let text = engine.floor(&owner, opened.story, opened.branch, floor, None).ok()?.text;
        Some((json::write(&state), text))
    };
    (0..12).map(floor).collect()
}

fn verify(folder: &Path, repair: bool) -> Verified {
    let engine = Engine::open(folder).unwrap();
    let owner = Owner::local();
    if repair { engine.repair(&owner, |_| {}).unwrap() } else { engine.verify(&owner, |_| {}).unwrap() }
}

fn words(verified: &Verified) -> Vec<String> {
    let line = |problem: &storeyline_engine::Problem| {
        format!("{} #{} {} [{}]", problem.branch, problem.floor, problem.what, problem.repaired)
    };
    verified.problems.iter().map(line).collect()
}

struct Tried<'a> {
    folder: &'a Path,
    opened: &'a OpenedChat,
    whole: &'a [Option<(String, String)>],
    usual: Duration,
}

impl Tried<'_> {
    /// Damages a copy; returns what is wrong with how that was dealt with.
    fn damage(&self, row: &Row, column: usize, value: &Sql, fitting: bool) -> Option<String> {
        let copy = tempfile::tempdir().unwrap();
        fs::copy(self.folder.join("storeyline.db"), copy.path().join("storeyline.db")).unwrap();
        if !set(copy.path(), row, column, value, fitting).unwrap() {
            return None;
        }
        let (table, name) = (row.table.as_str(), row.columns[column].as_str());
        let case = format!("{table}.{name} = {value:?} (was {:?}), fitting: {fitting}", row.values[column]);
        let begun = Instant::now();
        let found = verify(copy.path(), false);
        if begun.elapsed() > self.usual * 2 + Duration::from_secs(2) {
            return Some(format!("{case}: it took {:?}", begun.elapsed()));
        }
        let may_pass = fitting && is_in(FREE, table, name);
        if found.problems.is_empty() && !may_pass {
            return Some(format!("{case}: not found"));
        }
        let is_named = found.problems.iter().any(|problem| problem.what.contains(table));
        if !is_named && !found.problems.is_empty() && !fitting {
            return Some(format!("{case}: not named: {:?}", words(&found)));
        }
        let first = verify(copy.path(), true);
        let left = verify(copy.path(), false);
        // A row with a column of another type cannot be read: it is named and left.
        let is_other_type = value.data_type() != row.values[column].data_type();
        let may_stay = is_in(LEFT, table, name) || fitting || is_other_type;
        if !left.problems.is_empty() && !may_stay {
            return Some(format!("{case}: left {:?}\n    after {:?}", words(&left), words(&first)));
        }
        if !left.problems.is_empty() {
            let again = verify(copy.path(), true);
            if again.problems.iter().any(|problem| problem.repaired) {
                return Some(format!("{case}: a second repair changes more: {:?}", words(&again)));
            }
        }
        // Who can write a fitting checksum is found out, but until then his text is shown.
        if fitting && (found.problems.is_empty() || !left.problems.is_empty()) {
            return None;
        }
        let is_whole = self.whole.iter().zip(floors(copy.path(), self.opened));
        let wrong: Vec<usize> = is_whole
            .enumerate()
            .filter(|(_, (old, new))| match new {
                None => left.problems.is_empty(),
                Some(_) => new != *old,
            })
            .map(|(floor, _)| floor)
            .collect();
        (!wrong.is_empty()).then(|| format!("{case}: floors {wrong:?} are others now; {:?}", words(&left)))
    }
}

#[test]
fn each_column_of_each_table_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    let opened = story(folder.path());
    add_rows(folder.path()).unwrap();
    let begun = Instant::now();
    assert_eq!(words(&verify(folder.path(), false)), Vec::<String>::new());
    let usual = begun.elapsed();
    let whole = floors(folder.path(), &opened);
    let tried = Tried { folder: folder.path(), opened: &opened, whole: &whole, usual };
    let database = Connection::open(folder.path().join("storeyline.db")).unwrap();
    let mut cases = Vec::new();
    for row in tamper::tables(&database).unwrap().iter().filter_map(|table| row_at(&database, table, 0.5).unwrap()) {
        for column in 0..row.columns.len() {
            // All of them are tried by the attack `damage`.
            let values = wrong_values(&database, &row, column);
            let plain = values.iter().cycle().skip(column).take(1).map(|value| (value.clone(), false));
            let fitting = values.iter().take(1).map(|value| (value.clone(), true));
            cases.extend(plain.chain(fitting).map(|(value, fitting)| (row.clone(), column, value, fitting)));
        }
    }
    let wrong: Vec<String> =
        cases.iter().filter_map(|(row, column, value, fitting)| tried.damage(row, *column, value, *fitting)).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Rows of tables that the story itself does not fill.
fn add_rows(folder: &Path) -> rusqlite::Result<()> {
    let database = Connection::open(folder.join("storeyline.db"))?;
    let blob = |words: &str| Sql::Blob(words.as_bytes().to_vec());
    let page: Vec<u8> = database.query_row("SELECT page FROM page LIMIT 1", [], |row| row.get(0))?;
    let rows = [
        ("request_seq", vec![Sql::Integer(1), Sql::Blob(vec![1; 16]), blob("web"), Sql::Integer(7), Sql::Integer(9)]),
        ("given_up", vec![Sql::Integer(1), Sql::Blob(page), blob("HEAL")]),
    ];
    for (table, row) in rows {
        let sum = checksum(&row);
        let marks = vec!["?"; row.len() + 1].join(", ");
        let params = row.into_iter().chain([Sql::Integer(sum)]);
        database.execute(&format!("INSERT INTO {table} VALUES ({marks})"), rusqlite::params_from_iter(params))?;
    }
    Ok(())
}
