//! `storeyline bench search`: bytes of the index and time of a search, beside reading every text.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use storeyline_engine::{Durability, Engine, Owner, Search};

use super::median;
use super::store::Play;
use super::tale::Dice;
use crate::args::SearchBench;
use crate::failure::Failure;
use crate::out::Context;

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

pub(super) fn run(context: &Context, args: &SearchBench) -> Result<(), Failure> {
    let folder = std::env::temp_dir().join(format!("storeyline-bench-{}", std::process::id()));
    let progress = context.progress_of("正在写入", "writing", args.pages as u64);
    let measured = measure(&folder, args.pages, |page| progress.set_position(page as u64));
    progress.finish_and_clear();
    // A bench leaves nothing behind.
    let _ = fs::remove_dir_all(&folder);
    show(context, args.pages, &measured?);
    Ok(())
}

fn measure(folder: &Path, pages: usize, mut progress: impl FnMut(usize)) -> Result<Measured, Failure> {
    fs::create_dir_all(folder).map_err(|source| Failure::file(folder, source))?;
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
        off.push(append(&play, page)?);
        progress(number);
    }
    let owner = Owner::local();
    let stored = play.engine.stats(&owner)?.bytes.content;
    // A page in the middle is looked for by pieces of it: of two characters the index knows nothing.
    let piece = |from: usize, length: usize| middle.chars().skip(from).take(length).collect::<String>();
    let wanted = [piece(30, 2), piece(30, 3), piece(30, 4), piece(30, 8), "没有这样的词".to_owned()];
    let search = |wanted: &str| -> Result<(usize, Duration), Failure> {
        let words = [wanted.to_owned()];
        let mut times = Vec::new();
        let mut total = 0;
        for _ in 0..7 {
            let start = Instant::now();
            total = play.engine.search(&owner, &Search { words: &words, story: None, limit: 20 })?.total;
            times.push(start.elapsed());
        }
        Ok((total, median(&mut times)))
    };
    let without = wanted.iter().map(|wanted| search(wanted)).collect::<Result<Vec<_>, _>>()?;
    let start = Instant::now();
    play.engine.switch_search(true, |_, _| {})?;
    let build = start.elapsed();
    let index = play.engine.search_status(&owner)?.bytes;
    let with = wanted.iter().map(|wanted| search(wanted)).collect::<Result<Vec<_>, _>>()?;
    let rows = wanted.iter().zip(without.into_iter().zip(with));
    let rows = rows.map(|(wanted, ((total, off), (_, on)))| (wanted.clone(), total, on, off)).collect();
    let on = (0..200).map(|_| append(&play, prose(&words, &mut dice))).collect::<Result<Vec<_>, _>>();
    let mut on = on?;
    Ok(Measured { text, stored, index, build, append: [median(&mut off), median(&mut on)], rows })
}

fn append(play: &Play, page: String) -> Result<Duration, Failure> {
    let start = Instant::now();
    play.append(page)?;
    Ok(start.elapsed())
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

fn show(context: &Context, pages: usize, measured: &Measured) {
    let Measured { text, stored, index, build, append, rows } = measured;
    let ms = |time: &Duration| time.as_secs_f64() * 1e3;
    if context.json {
        let rows: Vec<_> = rows
            .iter()
            .map(|(words, pages, on, off)| serde_json::json!({ "characters": words.chars().count(), "pages": pages, "indexed_ms": ms(on), "plain_ms": ms(off) }))
            .collect();
        let answer = serde_json::json!({
            "pages": pages, "text_bytes": text, "stored_bytes": stored, "index_bytes": index, "build_ms": ms(build),
            "append_ms": ms(&append[0]), "append_indexed_ms": ms(&append[1]), "searches": rows,
        });
        context.line(&answer.to_string());
        return;
    }
    context.line(&format!(
        "{pages} {} | {:.1} MB | {} {:.1} MB | {} {:.1} MB (×{:.2}) | {} {:.0} ms | {} {:.2} → {:.2} ms",
        context.words("页", "pages"),
        *text as f64 / 1e6,
        context.words("存储", "stored"),
        *stored as f64 / 1e6,
        context.words("索引", "index"),
        *index as f64 / 1e6,
        *index as f64 / *text as f64,
        context.words("建立", "built in"),
        ms(build),
        context.words("追加", "append"),
        ms(&append[0]),
        ms(&append[1])
    ));
    context.line(context.words("字数 | 页 | 用索引 ms | 不用 ms", "characters | pages | indexed ms | plain ms"));
    for (words, pages, on, off) in rows {
        context.line(&format!("{} | {pages} | {:.1} | {:.1}", words.chars().count(), ms(on), ms(off)));
    }
}
