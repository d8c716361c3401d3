//! Kills whatever writes, at any moment: every writing command, and the server while several connections write.

mod commands;
mod fingerprint;
mod served;

use std::collections::BTreeMap;
use std::time::Duration;

use super::maintenance::Random;
use crate::{Attack, Done, Outcome, Target};

pub static KILLS: Attack = Attack {
    name: "kills",
    wants: "to lose what was acknowledged, or half of a change, by killing whatever writes",
    is_quick: false,
    limit: Duration::from_secs(1_800),
    run: |target| attempt(target, &Share { per_command: 9, of_server: 120, commands: commands::ALL }),
};

pub static SOME_KILLS: Attack = Attack {
    name: "some-kills",
    wants: "the same as `kills`, in a moment",
    is_quick: true,
    limit: Duration::from_secs(120),
    run: |target| attempt(target, &Share { per_command: 1, of_server: 3, commands: &commands::ALL[..3] }),
};

/// How much is killed.
struct Share {
    per_command: usize,
    of_server: usize,
    commands: &'static [commands::Writer],
}

/// What was seen of one command, or of the server.
#[derive(Default)]
struct Count {
    runs: usize,
    kills: usize,
    /// Runs, or floors of the server, that were reported as done.
    acknowledged: usize,
}

/// What was seen in all.
#[derive(Default)]
struct Seen {
    counts: BTreeMap<&'static str, Count>,
    wrong: Vec<String>,
}

fn attempt(target: &Target, share: &Share) -> Done<Outcome> {
    let (mut seen, mut random) = (Seen::default(), Random(3));
    commands::kill(target, share, &mut random, &mut seen)?;
    served::kill(target, share.of_server, &mut random, &mut seen)?;
    let total = |part: fn(&Count) -> usize| seen.counts.values().map(part).sum::<usize>();
    let line =
        |(name, count): (&&str, &Count)| format!("{name} {}/{} ({})", count.kills, count.runs, count.acknowledged);
    let lines: Vec<String> = seen.counts.iter().map(line).collect();
    let words = format!(
        "{} kills in {} runs, {} acknowledged; {} wrong{}{}\n    kills/runs (acknowledged): {}",
        total(|count| count.kills),
        total(|count| count.runs),
        total(|count| count.acknowledged),
        seen.wrong.len(),
        if seen.wrong.is_empty() { "" } else { "\n" },
        seen.wrong.join("\n"),
        lines.join(" · ")
    );
    Ok(Outcome::new(!seen.wrong.is_empty(), words))
}
