//! Sets each column of each table to wrong values, one at a time: `verify` must end, find it and name the row; after a
//! repair a second run is clean, and no floor has another state or text than before.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../attack/src/damaged_story.rs"]
mod damaged_story;
#[path = "../../attack/src/tamper.rs"]
mod tamper;

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

use damaged_story::{read_floors, write_stories};
use rusqlite::Connection;
use storeyline_engine::{Engine, Owner};
use tamper::{Case, Done, Program, Told, Verdict, Whole};
use tempfile::TempDir;

/// The engine in this process.
struct Inside {
    whole: TempDir,
    tried: TempDir,
}

impl Inside {
    fn new() -> Inside {
        let (whole, tried) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        write_stories(whole.path()).unwrap();
        Inside { whole, tried }
    }
}

impl Program for Inside {
    fn reset(&mut self) -> Done {
        self.tried = tempfile::tempdir()?;
        fs::copy(self.whole.path().join("storeyline.db"), self.tried.path().join("storeyline.db"))?;
        Ok(())
    }

    fn folder(&self) -> &Path {
        self.tried.path()
    }

    fn verify(&mut self, repair: bool) -> Done<Told> {
        let (engine, owner) = (Engine::open(self.folder())?, Owner::local());
        let verified = if repair { engine.repair(&owner, |_| {})? } else { engine.verify(&owner, |_| {})? };
        let problems = verified.problems.into_iter().map(|problem| (problem.what, problem.repaired)).collect();
        Ok(Told { problems, time: Duration::ZERO })
    }

    fn floors(&mut self) -> Done<BTreeSet<String>> {
        read_floors(self.folder())
    }
}

#[test]
fn each_column_of_each_table_is_checked() {
    let mut inside = Inside::new();
    inside.reset().unwrap();
    assert_eq!(inside.verify(false).unwrap().problems, []);
    let whole = Whole { floors: inside.floors().unwrap(), time: None };
    let database = Connection::open(inside.whole.path().join("storeyline.db")).unwrap();
    let cases = Case::all(&database, &[0.5]).unwrap();
    // All of them are tried by the attack `damage`: here one value per column, and one under a fitting checksum.
    let mut tried: HashSet<(String, String, bool)> = HashSet::new();
    let is_new = |case: &&Case| tried.insert((case.table().to_owned(), case.column().to_owned(), case.fitting));
    let mut wrong = Vec::new();
    for case in cases.iter().filter(is_new) {
        if let Verdict::Wrong(what) = case.judge(&mut inside, &whole).unwrap() {
            wrong.push(what);
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), tried.len(), wrong.join("\n"));
}
