//! `bench store`: what a floor costs on disk and in time, beside the whole state as JSON per floor in the
//! same SQLite.

mod show;

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use storeyline_engine::authors::try_text;
use storeyline_engine::{Durability, Engine, OpenedChat, Owner};
use storeyline_state::json;
use storeyline_wire::KeepText;
use storeyline_wire::care::Bytes;
use storeyline_wire::operation::BranchEdit;

use crate::Done;
use crate::bare::{self, Bare};
use crate::measure::{mean, median, time_into, timed};
use crate::play::Play;
use crate::tale::{Dice, Tale};

const SIZES: [(&str, usize); 3] = [("10 KB", 10_000), ("100 KB", 100_000), ("1 MB", 1_000_000)];

/// Leaves that each floor changes.
const CHANGES: usize = 3;

/// A floor near the beginning, to compare the last one with.
const EARLY: usize = 10;

struct Measured {
    size: &'static str,
    state_bytes: usize,
    entropy: f64,
    /// zstd size of the replies, per floor.
    content_limit: f64,
    /// Bytes per floor of whole states as JSON.
    whole: f64,
    appends: Appends,
    /// One more floor at FULL, without its evaluation; a row by itself.
    full: (Duration, Duration),
    /// The state of any floor; the same from JSON.
    load: (Duration, Duration),
    /// Everything about floor `EARLY` and about the floor whose number is the count of floors.
    open: (Duration, Duration),
    edit: EarlyEdit,
    /// What as many rows as the edit writes cost at least.
    rows: Duration,
}

/// All floors, appended one after the other at NORMAL.
struct Appends {
    /// Bytes per floor between the middle and the end.
    per_floor: [f64; 3],
    /// Median without the evaluation; a row by itself.
    median: (Duration, Duration),
    /// Mean of all appends, with their evaluation.
    mean: Duration,
    evaluation: Duration,
}

/// Changing floor 1, which changes the state of every later floor.
struct EarlyEdit {
    /// With all rows.
    whole: Duration,
    evaluation: Duration,
    rows: u64,
    /// The mean length of a row, with its share of indexes and pages.
    row: usize,
}

pub(crate) fn run(json: bool, floors: usize) -> Done {
    // An early edit needs a floor 1.
    let floors = floors.max(2);
    let measured = SIZES.map(|(size, bytes)| measure(size, bytes, floors));
    let rows = measured.into_iter().collect::<Done<Vec<_>>>()?;
    show::show(json, floors, &rows);
    Ok(())
}

fn measure(size: &'static str, bytes: usize, floors: usize) -> Done<Measured> {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    let mut dice = Dice::new(7);
    let tale = Tale::new(bytes, &mut dice);
    let replies: Vec<String> = (0..floors).map(|_| tale.reply(CHANGES, &mut dice)).collect();
    let text = json::write(&tale.state);
    let (opened, appends) = append(folder, &tale, &replies)?;
    let full = append_full(folder, &opened, &tale, appends.evaluation, &mut dice)?;
    let load = load(folder, &opened, floors, &mut dice)?;
    let open = (open_floor(folder, &opened, EARLY)?, open_floor(folder, &opened, floors)?);
    let edit = edit_first(folder, &opened, &replies[1])?;
    let later = &replies[floors / 2..];
    Ok(Measured {
        size,
        state_bytes: text.len(),
        entropy: bare::packed(text.as_bytes()) as f64 / text.len() as f64,
        content_limit: later.iter().map(|reply| bare::packed(reply.as_bytes())).sum::<usize>() as f64
            / later.len() as f64,
        whole: bare::whole_states(&folder.join("whole.db"), text.as_bytes(), 20)?,
        rows: bare::many_rows(&folder.join("rows.db"), edit.rows, edit.row)?,
        appends,
        full,
        load,
        open,
        edit,
    })
}

fn append(folder: &Path, tale: &Tale, replies: &[String]) -> Done<(OpenedChat, Appends)> {
    let play = Play::begin(Engine::open(folder)?.with_durability(Durability::Normal), &tale.state)?;
    let bare = Bare::open(&folder.join("bare-normal.db"), Durability::Normal)?;
    let (mut appends, mut evaluations, mut bares) = (Vec::new(), Vec::new(), Vec::new());
    let middle = replies.len() / 2;
    let mut half = Bytes::default();
    for (floor, reply) in replies.iter().enumerate() {
        if floor == middle {
            half = play.engine.stats(&Owner::local())?.bytes.unwrap_or_default();
        }
        // Beside what it is compared with: the clock of a shared machine changes within a run.
        if floor % 500 == 250 {
            bare.commit(100, &mut bares)?;
        }
        if floor % 64 == 32 {
            time_into(&mut evaluations, || black_box(try_text(&tale.state, reply, "native")));
        }
        let reply = reply.clone();
        time_into(&mut appends, || play.append(reply))?;
    }
    let end = play.engine.stats(&Owner::local())?.bytes.unwrap_or_default();
    let parts = [(half.state, end.state), (half.tree_and_log, end.tree_and_log), (half.content, end.content)];
    let (mean, evaluation) = (mean(&appends), median(&mut evaluations));
    let appends = Appends {
        per_floor: parts.map(|(from, to)| (to - from) as f64 / (replies.len() - middle) as f64),
        median: (median(&mut appends).saturating_sub(evaluation), median(&mut bares)),
        mean,
        evaluation,
    };
    Ok((play.opened, appends))
}

fn append_full(
    folder: &Path,
    opened: &OpenedChat,
    tale: &Tale,
    evaluation: Duration,
    dice: &mut Dice,
) -> Done<(Duration, Duration)> {
    let play = Play { engine: Engine::open(folder)?.with_durability(Durability::Full), opened: opened.clone() };
    let bare = Bare::open(&folder.join("bare-full.db"), Durability::Full)?;
    let (mut appends, mut bares) = (Vec::new(), Vec::new());
    for round in 0..200 {
        if round % 10 == 5 {
            bare.commit(100, &mut bares)?;
        }
        let reply = tale.reply(CHANGES, dice);
        time_into(&mut appends, || play.append(reply))?;
    }
    Ok((median(&mut appends).saturating_sub(evaluation), median(&mut bares)))
}

/// Reads any floor in an engine that has read nothing yet but the first one.
fn load(folder: &Path, opened: &OpenedChat, floors: usize, dice: &mut Dice) -> Done<(Duration, Duration)> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..41 {
        let engine = Engine::open(folder)?;
        let state = |floor| engine.state_at(&Owner::local(), opened.story, opened.branch, floor);
        black_box(state(0)?);
        let floor = dice.below(floors);
        let loaded = time_into(&mut ours, || state(floor))?;
        let text = json::write(&loaded).into_bytes();
        theirs.push(timed(|| black_box(serde_json::from_slice::<serde_json::Value>(&text).expect("our own JSON"))));
    }
    Ok((median(&mut ours), median(&mut theirs)))
}

/// Opens a floor as the web page shows it, in an engine that has opened nothing yet but the first one.
fn open_floor(folder: &Path, opened: &OpenedChat, floor: usize) -> Done<Duration> {
    let mut times = Vec::new();
    for _ in 0..11 {
        let engine = Engine::open(folder)?;
        let view = |floor| engine.floor(&Owner::local(), opened.story, opened.branch, floor, None);
        black_box(view(0)?);
        black_box(time_into(&mut times, || view(floor))?);
    }
    Ok(median(&mut times))
}

/// An edit of floor 1, and the same evaluation in memory.
fn edit_first(folder: &Path, opened: &OpenedChat, first: &str) -> Done<EarlyEdit> {
    let play = Play { engine: Engine::open(folder)?, opened: opened.clone() };
    let (engine, owner, &OpenedChat { story, branch, .. }) = (&play.engine, Owner::local(), opened);
    let page = engine.floor(&owner, story, branch, 1, None)?.page;
    let text = format!("{first}\n@.SET(\"开头\", 1);");
    let mut state = engine.state_at(&owner, story, branch, 0)?;
    let mut texts = engine.texts(&owner, story, branch)?;
    texts[1].clone_from(&text);
    let start = Instant::now();
    for words in &texts[1..] {
        state = try_text(&state, words, "native").expect("a known profile").state;
        black_box(state.hash());
    }
    let evaluation = start.elapsed();
    let bytes = || engine.stats(&owner).map(|stats| stats.bytes.map_or(0, |bytes| bytes.state + bytes.tree_and_log));
    let (bytes_before, before) = (bytes()?, engine.work().written);
    let start = Instant::now();
    play.change(&BranchEdit::Edit { page, text, keep: KeepText::InPlace })?;
    let whole = start.elapsed();
    let rows = engine.work().written - before;
    let row = ((bytes()? - bytes_before) / rows.max(1)) as usize;
    Ok(EarlyEdit { whole, evaluation, rows, row })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_story_is_measured() {
        let measured = measure("10 KB", 10_000, 40).unwrap();
        assert!(measured.state_bytes.abs_diff(10_000) < 3_000, "{}", measured.state_bytes);
        assert!(measured.appends.mean > Duration::ZERO && measured.edit.rows > 40);
    }
}
