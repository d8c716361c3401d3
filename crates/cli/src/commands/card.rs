//! `storeyline card`: what a card says about state.

use std::path::{Path, PathBuf};

use serde::Serialize;
use storeyline_compat::{Card, Given, find_initial};
use storeyline_engine::shown_initial;
use storeyline_state::{Words, json};
use storeyline_wire::chats::Remark;
use storeyline_wire::import::Initial;
use storeyline_wire::{Json, Severity};

use crate::failure::Failure;
use crate::out::{Context, read_card, read_world_books};

pub(crate) fn run(context: &Context, card: &Path, books: &[PathBuf]) -> Result<(), Failure> {
    let card = read_card(card)?;
    let books = read_world_books(books)?;
    let found = find_initial(&Given { card: Some(&card), books: &books, ..Given::default() });
    let initial = shown_initial(&found);
    let greetings = found.greetings.into_iter();
    let greetings: Vec<_> =
        greetings.map(|one| GreetingState { place: one.location.words(), state: one.state.into() }).collect();
    if context.json {
        context.answer(&shown_card(card, initial, greetings));
        return Ok(());
    }
    let words = context.words("个开场白", "greetings");
    context.line(&format!("{}  {} {words}", card.name, card.greetings.len()));
    print_beginning(context, &initial);
    for name in &initial.functions {
        context.line(&format!("{} {name}", context.words("函数", "function")));
    }
    context.line(&json::write(&initial.state));
    for GreetingState { place, state } in &greetings {
        context.line(&format!("{}  {}", context.say(place), json::write(state)));
    }
    Ok(())
}

/// Prints the profile with its reason, the sources of the state, and problems.
pub(crate) fn print_beginning(context: &Context, initial: &Initial) {
    let reason = context.say(&initial.reason);
    context.line(&format!("{} {}  {reason}", context.words("配置", "profile"), initial.profile));
    for source in &initial.sources {
        let mark = if source.used { "✓" } else { "·" };
        let unused = if source.used { "" } else { context.words("（未用）", " (not used)") };
        context.line(&format!("{mark} {}{unused}", context.say(&source.place)));
    }
    for remark in &initial.diagnostics {
        print_remark(context, remark);
    }
}

fn print_remark(context: &Context, remark: &Remark) {
    let mark = if remark.severity == Severity::Error { "✕" } else { "≈" };
    let (place, message) = (context.say(&remark.place), context.say(&remark.message));
    context.note(&format!("{mark} {} {place}  {message}", remark.code));
}

/// A card, and how its stories begin.
#[derive(Serialize)]
struct ShownCard {
    name: String,
    /// Number of greetings.
    greetings: usize,
    #[serde(flatten)]
    initial: Initial,
    greeting_states: Vec<GreetingState>,
}

/// The state that a greeting sets.
#[derive(Serialize)]
struct GreetingState {
    place: Words,
    state: Json,
}

fn shown_card(card: Card, initial: Initial, greeting_states: Vec<GreetingState>) -> ShownCard {
    ShownCard { greetings: card.greetings.len(), name: card.name, initial, greeting_states }
}
