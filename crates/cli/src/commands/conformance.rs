//! `storeyline conformance`: runs cases of the peers and compares the results.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use storeyline_engine::authors::Scripts;
use storeyline_engine::conformance::{Answered, Class, answer_case};
use storeyline_state::{Value, json};

use crate::args::ConformanceArgs;
use crate::commands::shape::{maybe, object, text};
use crate::failure::Failure;
use crate::out::{Context, read_lossy};

pub(crate) fn run(context: &Context, args: &ConformanceArgs) -> Result<(), Failure> {
    let mut report = String::new();
    let (mut passed, mut failed, mut plain_failed) = (0, 0, 0);
    for path in &args.files {
        let answers = context.with_scripts(|scripts| answers(path, scripts))?;
        for answered in &answers {
            report.push_str(&line(answered));
            report.push('\n');
            match answered.pass {
                Some(true) => passed += 1,
                Some(false) => failed += 1,
                None => {}
            }
            let wrong = answered.class == Class::Plain && answered.pass == Some(false);
            plain_failed += usize::from(wrong);
            if wrong && !context.json {
                context.note(&format!("✕ {} {}", answered.id, json::write(&answered.actual)));
            }
        }
        if !context.json {
            show_counts(context, path, &answers);
        }
    }
    if let Some(path) = &args.report {
        fs::write(path, &report).map_err(|source| Failure::file(path, source))?;
    }
    if context.json {
        context.line(report.trim_end());
    }
    context.line(&format!("{passed} passed, {failed} failed"));
    if plain_failed == 0 { Ok(()) } else { Err(Failure::Problems(plain_failed)) }
}

fn answers(path: &Path, scripts: &mut dyn Scripts) -> Result<Vec<Answered>, Failure> {
    let text = read_lossy(path)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let answer = |(index, line): (usize, &str)| {
        let case = json::read(line).map_err(|source| Failure::Json { path: path.to_owned(), source })?;
        answer_case(&case, scripts).map_err(|source| Failure::Case { path: path.to_owned(), line: index + 1, source })
    };
    lines.map(answer).collect()
}

fn line(answered: &Answered) -> String {
    json::write(&object([
        ("id", text(&answered.id)),
        ("class", text(answered.class.as_str())),
        ("pass", maybe(answered.pass, Value::from)),
        ("actual", answered.actual.clone()),
    ]))
}

/// Prints per class the number of correct results, of cases, and of results equal to the peer's.
fn show_counts(context: &Context, path: &Path, answers: &[Answered]) {
    let mut counts: BTreeMap<Class, [usize; 3]> = BTreeMap::new();
    for answered in answers {
        let [right, all, like_peer] = counts.entry(answered.class).or_default();
        *right += usize::from(answered.pass == Some(true));
        *all += 1;
        *like_peer += usize::from(answered.like_peer == Some(true));
    }
    for (class, [right, all, like_peer]) in counts {
        let (path, class) = (path.display(), class.as_str());
        context.line(&context.words(
            format!("{path}  {class}  {right}/{all} 正确 · {like_peer} 与原工具相同"),
            format!("{path}  {class}  {right}/{all} right · {like_peer} like the peer"),
        ));
    }
}
