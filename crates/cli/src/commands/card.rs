//! `storeyline card`: what a card says about state.

use std::path::{Path, PathBuf};

use storeyline_compat::{Card, Given, Initial, Remark, find_initial};
use storeyline_server::wire;
use storeyline_state::{Severity, Value, json};

use crate::commands::shape::{api_value, entries, list, number, object, text};
use crate::failure::Failure;
use crate::out::{Context, read_card, read_world_books};

pub(crate) fn run(context: &Context, card: &Path, books: &[PathBuf]) -> Result<(), Failure> {
    let card = read_card(card)?;
    let books = read_world_books(books)?;
    let initial = find_initial(&Given { card: Some(&card), books: &books, ..Given::default() });
    if context.json {
        context.value(&card_value(&card, &initial));
        return Ok(());
    }
    let greetings = context.words("个开场白", "greetings");
    context.line(&format!("{}  {} {greetings}", card.name, card.greetings.len()));
    print_beginning(context, &initial);
    for name in wire::import::function_names(&initial) {
        context.line(&format!("{} {name}", context.words("函数", "function")));
    }
    context.line(&json::write(&initial.state));
    for greeting in &initial.greetings {
        let place = greeting.location.words();
        context.line(&format!("{}  {}", context.say(&place), json::write(&greeting.state)));
    }
    Ok(())
}

/// Prints the profile with its reason, the sources of the state, and problems.
pub(crate) fn print_beginning(context: &Context, initial: &Initial) {
    let reason = context.say(&initial.reason);
    context.line(&format!("{} {}  {reason}", context.words("配置", "profile"), initial.profile.as_str()));
    for source in &initial.sources {
        let place = source.location.words();
        let mark = if source.used { "✓" } else { "·" };
        let unused = if source.used { "" } else { context.words("（未用）", " (not used)") };
        context.line(&format!("{mark} {}{unused}", context.say(&place)));
    }
    for remark in &initial.remarks {
        print_remark(context, remark);
    }
}

fn print_remark(context: &Context, remark: &Remark) {
    let mark = if remark.diagnostic.severity == Severity::Error { "✕" } else { "≈" };
    let (place, found) = (remark.location.words(), &remark.diagnostic);
    let place = context.say(&place);
    context.note(&format!("{mark} {} {place}  {}", found.code, context.say(&found.message)));
}

/// Returns how a story begins as JSON, without the state.
pub(crate) fn initial_value(initial: &Initial) -> Value {
    object(entries(&api_value(&wire::import::Initial::from(initial))).filter(|(key, _)| *key != "state"))
}

/// Same for a card, with its states.
fn card_value(card: &Card, initial: &Initial) -> Value {
    let greetings = list(&initial.greetings, |greeting| {
        object([("place", text(greeting.location.words().en)), ("state", greeting.state.clone())])
    });
    let more = [
        ("name", text(&card.name)),
        ("greetings", number(card.greetings.len())),
        ("state", initial.state.clone()),
        ("greeting_states", greetings),
    ];
    object(entries(&initial_value(initial)).chain(more))
}
