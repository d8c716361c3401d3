//! `storeyline template`: the initial states saved for cards.

use storeyline_wire::assets::Version;

use crate::args::{SetTemplateArgs, TemplateArgs};
use crate::commands::shape::{ago, object, text, value_text};
use crate::failure::Failure;
use crate::out::{Context, read_json};
use crate::style::{Tone, pad};

pub(crate) fn run(context: &Context, args: &TemplateArgs) -> Result<(), Failure> {
    match args {
        TemplateArgs::Show { card } => show(context, card),
        TemplateArgs::Set(args) => set(context, args),
        TemplateArgs::Versions { card } => versions(context, card),
    }
}

fn show(context: &Context, card: &str) -> Result<(), Failure> {
    let template = context.engine()?.template(&context.owner(), card)?;
    let template = template.ok_or_else(|| Failure::NoTemplate(card.to_owned()))?;
    match context.json {
        true => context.value(&template),
        false => context.line(&context.state_text(&template)),
    }
    Ok(())
}

fn set(context: &Context, args: &SetTemplateArgs) -> Result<(), Failure> {
    let template = args.file.as_deref().map(read_json).transpose()?;
    let engine = context.engine()?;
    if template.is_none() && engine.template(&context.owner(), &args.card)?.is_none() {
        return Err(Failure::NoTemplate(args.card.clone()));
    }
    let version = engine.put_template(&context.owner(), &args.card, template.as_ref())?;
    let card = &args.card;
    let (zh, en) = match template {
        Some(_) => (format!("“{card}”有了新的模板"), format!("`{card}` has a new template")),
        None => (format!("“{card}”不再有模板"), format!("`{card}` has no template any more")),
    };
    print_result(context, card, version, &context.words(zh, en));
    Ok(())
}

/// Prints that a card has another template.
pub(crate) fn print_result(context: &Context, card: &str, version: i64, message: &str) {
    if context.json {
        context.value(&object([("card", text(card)), ("version", version.into())]));
        return;
    }
    context.done(message, &format!("{} {version}", context.words("版本", "version")));
}

fn versions(context: &Context, card: &str) -> Result<(), Failure> {
    let versions = context.engine()?.template_versions(&context.owner(), card)?;
    if versions.is_empty() {
        return Err(Failure::NoTemplate(card.to_owned()));
    }
    if context.json {
        context.answer(&versions);
        return Ok(());
    }
    for Version { version, time, value } in versions {
        let state = match &value {
            Some(state) => value_text(state),
            None => context.paint(Tone::Bad, context.words("已去掉", "taken away")),
        };
        let number = context.paint(Tone::Number, &pad(&version.to_string(), 4));
        context.line(&format!("{number} {}  {state}", context.paint(Tone::Quiet, &pad(&ago(context, time), 14))));
    }
    Ok(())
}
