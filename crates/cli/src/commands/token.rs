//! `storeyline token`: the browsers that have access, and withdrawing it.

use std::time::{SystemTime, UNIX_EPOCH};

use storeyline_server::{BrowserToken, Browsers};
use storeyline_state::iso_date;

use crate::args::TokenArgs;
use crate::commands::shape::{list as json_list, object, text};
use crate::failure::Failure;
use crate::out::Context;
use crate::style::{Tone, harmless};

pub(crate) fn run(context: &Context, action: &TokenArgs) -> Result<(), Failure> {
    let browsers = Browsers::new(&context.data());
    match action {
        TokenArgs::List => list(context, &browsers),
        TokenArgs::Withdraw { tokens, all } => return withdraw(context, &browsers, tokens, *all),
    }
    Ok(())
}

fn list(context: &Context, browsers: &Browsers) {
    let tokens = browsers.list(SystemTime::now());
    if context.json {
        let tokens = tokens.into_iter().map(|token| token.shown(None));
        return context.answer(&tokens.collect::<Vec<_>>());
    }
    if tokens.is_empty() {
        context.line(context.words("没有浏览器有访问权限。", "No browser has access."));
    }
    for token in tokens {
        context.line(&line(context, &token));
    }
}

fn line(context: &Context, token: &BrowserToken) -> String {
    let date = |time: SystemTime| {
        let age = time.duration_since(UNIX_EPOCH).map_or(0, |age| age.as_millis() as i64);
        iso_date::write(age).map(|date| date[..10].to_owned()).unwrap_or_default()
    };
    let times = context.words(
        format!("生成 {}，上次使用 {}", date(token.made), date(token.used)),
        format!("made {}, last used {}", date(token.made), date(token.used)),
    );
    let owner = harmless(token.owner.name());
    format!("{}  {owner}  {}", context.paint(Tone::Strong, &token.id), context.paint(Tone::Quiet, &times))
}

fn withdraw(context: &Context, browsers: &Browsers, tokens: &[String], all: bool) -> Result<(), Failure> {
    let ids = match all {
        true => browsers.list(SystemTime::now()).into_iter().map(|token| token.id).collect(),
        false => tokens.to_vec(),
    };
    for id in &ids {
        if !browsers.withdraw(id, None) {
            return Err(Failure::NoToken(id.clone()));
        }
        if !context.json {
            context.done(&format!("{} {id}", context.words("已收回", "withdrawn:")), "");
        }
    }
    if context.json {
        context.value(&object([("withdrawn", json_list(ids, text))]));
    }
    Ok(())
}
