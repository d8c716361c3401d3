//! A damaged disk: wrong values in every column of every table, and flipped bits.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::Connection as Database;

use super::maintenance::{Random, verify};
use crate::damaged_story::{read_floors, write_stories};
use crate::tamper::{Case, Program, Told, Verdict, Whole};
use crate::{Attack, Done, Outcome, Target};

pub static DAMAGE: Attack = Attack {
    name: "damage",
    wants: "a wrong column or a flipped bit that verify calls clean, does not end on, or repairs wrongly",
    is_quick: false,
    limit: Duration::from_secs(3_600),
    run: damage,
};

/// Random bits that are flipped.
const FLIPS: usize = 2_000;

/// The rows of a table that are damaged: those at these parts of its length.
const PARTS: [f64; 3] = [0.0, 0.5, 1.0];

/// Starting a program takes about as long as checking so small a database.
const LEAST_TIME: Duration = Duration::from_millis(200);

/// The program, and a database that it checks.
struct Outside<'a> {
    program: &'a Path,
    whole: PathBuf,
    tried: PathBuf,
}

impl Program for Outside<'_> {
    fn reset(&mut self) -> Done {
        write(&self.tried, &fs::read(self.whole.join("storeyline.db"))?)
    }

    fn folder(&self) -> &Path {
        &self.tried
    }

    fn verify(&mut self, repair: bool) -> Done<Told> {
        let begun = Instant::now();
        let problems = verify(self.program, &self.tried, repair)?;
        Ok(Told { problems, time: begun.elapsed() })
    }

    fn floors(&mut self) -> Done<BTreeSet<String>> {
        read_floors(&self.tried)
    }
}

/// Writes a database file, without what is left of another.
fn write(folder: &Path, bytes: &[u8]) -> Done {
    fs::create_dir_all(folder)?;
    for end in ["-wal", "-shm"] {
        let _ = fs::remove_file(folder.join(format!("storeyline.db{end}")));
    }
    Ok(fs::write(folder.join("storeyline.db"), bytes)?)
}

/// What became of the wrong values of a table.
#[derive(Default)]
struct Tally {
    columns: BTreeSet<String>,
    values: usize,
    repaired: usize,
    lost: usize,
    /// Found under a fitting checksum, and not repaired.
    forged: usize,
    free: usize,
}

fn damage(target: &Target) -> Done<Outcome> {
    let (program, whole) = (target.program.as_path(), target.data());
    write_stories(&whole)?;
    let tried = target.folder.path().join("tried");
    let mut outside = Outside { program, whole, tried };
    outside.reset()?;
    let mut usual = Duration::MAX;
    for _ in 0..5 {
        usual = usual.min(outside.verify(false)?.time);
    }
    let most = (usual * 2).max(LEAST_TIME);
    let whole = Whole { floors: outside.floors()?, time: Some(most) };
    let cases = Case::all(&Database::open(outside.whole.join("storeyline.db"))?, &PARTS)?;
    let (mut tables, mut wrong) = (BTreeMap::<String, Tally>::new(), Vec::new());
    for case in &cases {
        let verdict = case.judge(&mut outside, &whole)?;
        let tally = tables.entry(case.table().to_owned()).or_default();
        tally.columns.insert(case.column().to_owned());
        tally.values += usize::from(verdict != Verdict::Refused);
        match verdict {
            Verdict::Refused => {}
            Verdict::Repaired => tally.repaired += 1,
            Verdict::Lost if case.fitting => tally.forged += 1,
            Verdict::Lost => tally.lost += 1,
            Verdict::Free => tally.free += 1,
            Verdict::Wrong(what) => wrong.push(what),
        }
    }
    let missed = flips(&mut outside, &whole.floors)?;
    let values: usize = tables.values().map(|tally| tally.values).sum();
    let mut seen = format!(
        "{values} wrong values: {} wrong; {FLIPS} flips: {} wrong; verify took {usual:.1?}, damaged at most {most:.1?}",
        wrong.len(),
        missed.len()
    );
    for (table, Tally { columns, values, repaired, lost, forged, free }) in &tables {
        seen += &format!(
            "\n  {table}: {} columns, {values} values: {repaired} repaired, {lost} lost, {forged} forged, {free} free",
            columns.len()
        );
    }
    let is_got = !wrong.is_empty() || !missed.is_empty();
    wrong.iter().chain(&missed).for_each(|what| seen += &format!("\n{what}"));
    Ok(Outcome::new(is_got, seen))
}

/// Flips bits; what verify calls clean must be read as before.
fn flips(outside: &mut Outside<'_>, whole: &BTreeSet<String>) -> Done<Vec<String>> {
    let bytes = fs::read(outside.whole.join("storeyline.db"))?;
    let (mut random, mut wrong) = (Random(7), Vec::new());
    for _ in 0..FLIPS {
        let (at, bit) = (random.next(bytes.len() as u64) as usize, random.next(8));
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << bit;
        write(&outside.tried, &flipped)?;
        // A file that is refused was not called clean.
        let Ok(Told { problems, .. }) = outside.verify(false) else { continue };
        if problems.is_empty() && outside.floors()? != *whole {
            wrong.push(format!("bit {bit} of byte {at} is not found"));
        }
    }
    Ok(wrong)
}
