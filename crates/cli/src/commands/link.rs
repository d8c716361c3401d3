//! `storeyline link`: a new one-time link to the page of the engine that runs.

use std::time::SystemTime;

use storeyline_engine::Owner;
use storeyline_server::{Browsers, account};

use crate::commands::run_file::RunFile;
use crate::commands::shape::{object, text};
use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn run(context: &Context, named: Option<&str>) -> Result<(), Failure> {
    let data = context.data();
    let owner = match named {
        Some(name) => account(name).ok_or_else(|| Failure::NoAccount(name.to_owned()))?,
        None => Owner::local(),
    };
    let engine = RunFile::read(&data).filter(RunFile::answers).ok_or(Failure::NoEngine)?;
    let made = Browsers::new(&data).make_link(&owner, SystemTime::now());
    let (code, _) = made.map_err(|source| Failure::data_folder(&data, source))?;
    let link = format!("{}/#open={code}", engine.url);
    if context.json {
        context.value(&object([("link", text(&link)), ("owner", text(owner.name()))]));
        return Ok(());
    }
    let words =
        context.words("打开网页（链接只能用一次，一小时内有效）：", "open the page (works once, within an hour):");
    context.line(&format!("{words} {link}"));
    Ok(())
}
