//! `bench search`: bytes of the index and time of a search, beside reading every text.

use std::path::Path;
use std::time::{Duration, Instant};

use storeyline_engine::{Durability, Engine, Owner, Search};

use crate::Done;
use crate::measure::{median, millis, time_into};
use crate::play::Play;
use crate::tale::Dice;

/// Characters of a page.
const LENGTH: usize = 900;

/// Words of which a story is made. Common ones come far more often than rare ones, as in any language.
const WORDS: usize = 6_000;

struct Measured {
    text: u64,
    stored: u64,
    index: u64,
    build: Duration,
    append: [Duration; 2],
    /// Words that were searched for, pages found, time with the index and without it.
    rows: Vec<(String, usize, Duration, Duration)>,
}

pub(crate) fn run(json: bool, pages: usize) -> Done {
    let folder = tempfile::tempdir()?;
    show(json, pages, &measure(folder.path(), pages)?);
    Ok(())
}

fn measure(folder: &Path, pages: usize) -> Done<Measured> {
    let mut dice = Dice::new(11);
    let words: Vec<String> = (0..WORDS)
        .map(|_| {
            let length = 1 + dice.below(3);
            dice.words(length)
        })
        .collect();
    let engine = Engine::open(folder)?.with_durability(Durability::Normal);
    let play = Play::begin(engine, &storeyline_state::Value::empty_object())?;
    let mut text = 0;
    let mut middle = String::new();
    let mut off = Vec::new();
    for number in 0..pages {
        let page = prose(&words, &mut dice);
        text += page.len() as u64;
        if number == pages / 2 {
            middle.clone_from(&page);
        }
        time_into(&mut off, || play.append(page))?;
    }
    let owner = Owner::local();
    let stored = play.engine.stats(&owner)?.bytes.unwrap_or_default().content;
    // A page in the middle is looked for by pieces of it: of two characters the index knows nothing.
    let piece = |from: usize, length: usize| middle.chars().skip(from).take(length).collect::<String>();
    let wanted = [piece(30, 2), piece(30, 3), piece(30, 4), piece(30, 8), "没有这样的词".to_owned()];
    let search = |wanted: &str| -> Done<(usize, Duration)> {
        let words = [wanted.to_owned()];
        let mut times = Vec::new();
        let mut total = 0;
        for _ in 0..7 {
            let wanted = Search { words: &words, story: None, limit: 20, stop: &|| false };
            total = time_into(&mut times, || play.engine.search(&owner, &wanted))?.total;
        }
        Ok((total, median(&mut times)))
    };
    let without = wanted.iter().map(|wanted| search(wanted)).collect::<Done<Vec<_>>>()?;
    let start = Instant::now();
    play.engine.switch_search(true, |_, _| {})?;
    let build = start.elapsed();
    let index = play.engine.search_status(&owner)?.bytes;
    let with = wanted.iter().map(|wanted| search(wanted)).collect::<Done<Vec<_>>>()?;
    let rows = wanted.iter().zip(without.into_iter().zip(with));
    let rows = rows.map(|(wanted, ((total, off), (_, on)))| (wanted.clone(), total, on, off)).collect();
    let mut on = Vec::new();
    for _ in 0..200 {
        let page = prose(&words, &mut dice);
        time_into(&mut on, || play.append(page))?;
    }
    Ok(Measured { text, stored, index, build, append: [median(&mut off), median(&mut on)], rows })
}

/// A page of words; the fourth power of a number below one makes small ones frequent.
fn prose(words: &[String], dice: &mut Dice) -> String {
    let mut text = String::new();
    let mut length = 0;
    while length < LENGTH {
        let chance = dice.below(1_000_000) as f64 / 1e6;
        let word = &words[(chance.powi(4) * words.len() as f64) as usize];
        length += word.chars().count() + 1;
        text.push_str(word);
        if dice.below(9) == 0 {
            text.push('，');
        }
    }
    text
}

fn show(json: bool, pages: usize, measured: &Measured) {
    let Measured { text, stored, index, build, append: [append, append_indexed], rows } = measured;
    let (build, append, append_indexed) = (millis(*build), millis(*append), millis(*append_indexed));
    if json {
        let rows: Vec<_> = rows
            .iter()
            .map(|(words, pages, on, off)| serde_json::json!({ "characters": words.chars().count(), "pages": pages, "indexed_ms": millis(*on), "plain_ms": millis(*off) }))
            .collect();
        let answer = serde_json::json!({
            "pages": pages, "text_bytes": text, "stored_bytes": stored, "index_bytes": index, "build_ms": build,
            "append_ms": append, "append_indexed_ms": append_indexed, "searches": rows,
        });
        println!("{answer}");
        return;
    }
    let [text, stored, index] = [text, stored, index].map(|bytes| *bytes as f64 / 1e6);
    println!(
        "{pages} pages | {text:.1} MB | stored {stored:.1} MB | index {index:.1} MB (×{:.2}) | built in {build:.0} ms | append {append:.2} → {append_indexed:.2} ms",
        index / text
    );
    println!("characters | pages | indexed ms | plain ms");
    for (words, pages, on, off) in rows {
        println!("{} | {pages} | {:.1} | {:.1}", words.chars().count(), millis(*on), millis(*off));
    }
}
