//! `storeyline card`: what a card says about state.

use storeyline_compat::{Card, Given, Initial, Remark, find_initial};
use storeyline_engine::Enabled;
use storeyline_state::{Severity, Words, json};

use crate::args::{CardArgs, CardShowArgs};
use crate::failure::Failure;
use crate::out::{Context, read_card, read_world_books};

pub(crate) fn run(context: &Context, args: &CardArgs) -> Result<(), Failure> {
    match args {
        CardArgs::Show(args) => show(context, args),
    }
}

fn show(context: &Context, args: &CardShowArgs) -> Result<(), Failure> {
    let card = read_card(&args.card)?;
    let books = read_world_books(&args.world_book)?;
    let initial = find_initial(&Given { card: Some(&card), books: &books, ..Given::default() });
    if context.json {
        context.line(&card_json(&card, &initial));
        return Ok(());
    }
    let greetings = context.words("个开场白", "greetings");
    context.line(&format!("{}  {} {greetings}", card.name, card.greetings.len()));
    print_beginning(context, &initial);
    for name in function_names(&initial) {
        context.line(&format!("{} {name}", context.words("函数", "function")));
    }
    context.line(&json::write(&initial.state));
    for greeting in &initial.greetings {
        let place = greeting.location.words();
        context.line(&format!("{}  {}", context.words(&place.zh, &place.en), json::write(&greeting.state)));
    }
    Ok(())
}

/// Prints the profile with its reason, the sources of the state, and problems.
pub(crate) fn print_beginning(context: &Context, initial: &Initial) {
    let reason = context.words(&initial.reason.zh, &initial.reason.en);
    context.line(&format!("{} {}  {reason}", context.words("配置", "profile"), initial.profile.as_str()));
    for source in &initial.sources {
        let place = source.location.words();
        let mark = if source.used { "✓" } else { "·" };
        let unused = if source.used { "" } else { context.words("（未用）", " (not used)") };
        context.line(&format!("{mark} {}{unused}", context.words(&place.zh, &place.en)));
    }
    for remark in &initial.remarks {
        print_remark(context, remark);
    }
}

fn print_remark(context: &Context, remark: &Remark) {
    let mark = if remark.diagnostic.severity == Severity::Error { "✕" } else { "≈" };
    let (place, found) = (remark.location.words(), &remark.diagnostic);
    let place = context.words(&place.zh, &place.en);
    context.note(&format!("{mark} {} {place}  {}", found.code, context.words(&found.message.zh, &found.message.en)));
}

/// Returns how a story begins as JSON, without the state, whose numbers must stay exact.
pub(crate) fn initial_json(initial: &Initial) -> serde_json::Value {
    let words = |words: &Words| serde_json::json!({ "zh": words.zh, "en": words.en });
    let sources = initial.sources.iter().map(|source| {
        serde_json::json!({ "kind": source.kind.as_str(), "place": words(&source.location.words()), "used": source.used })
    });
    let diagnostics = initial.remarks.iter().map(|remark| {
        serde_json::json!({
            "place": words(&remark.location.words()),
            "code": remark.diagnostic.code,
            "severity": remark.diagnostic.severity.as_str(),
            "message": words(&remark.diagnostic.message),
        })
    });
    serde_json::json!({
        "enabled": initial.enabled == Enabled::On,
        "profile": initial.profile.as_str(),
        "reason": words(&initial.reason),
        "locked": initial.locks.is_some(),
        "functions": function_names(initial),
        "sources": sources.collect::<Vec<_>>(),
        "diagnostics": diagnostics.collect::<Vec<_>>(),
    })
}

/// Same for a card, with its states.
fn card_json(card: &Card, initial: &Initial) -> String {
    let mut head = initial_json(initial);
    head["name"] = card.name.as_str().into();
    head["greetings"] = card.greetings.len().into();
    let greetings = initial.greetings.iter().map(|greeting| {
        let place = serde_json::Value::from(greeting.location.words().en);
        format!(r#"{{"place":{place},"state":{}}}"#, json::write(&greeting.state))
    });
    let greetings = greetings.collect::<Vec<_>>().join(",");
    let head = head.to_string();
    let open = head.strip_suffix('}').expect("an object ends with a brace");
    format!(r#"{open},"state":{},"greeting_states":[{greetings}]}}"#, json::write(&initial.state))
}

/// Returns the names of SAM's functions, the card's own, and its rules.
fn function_names(initial: &Initial) -> Vec<&str> {
    let sam = initial.sam_functions.iter().filter_map(|function| function.definition.get("func_name")?.as_text());
    let own = initial.library.functions.iter().map(|function| function.name.as_str());
    sam.chain(own).chain(initial.library.rules.iter().map(|rule| rule.name.as_str())).collect()
}
