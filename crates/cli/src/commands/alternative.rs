//! `storeyline alternative`: adds a page to a floor and makes it active.

use storeyline_engine::{BranchEdit, NewPage};

use crate::args::AlternativeArgs;
use crate::commands::{change, which};
use crate::failure::Failure;
use crate::out::{Context, read_text};

pub(crate) fn run(context: &Context, args: &AlternativeArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let which = which::find(context, &engine, &args.target.story)?;
    let pages = which::floor_line(context, &engine, &which, args.floor)?.turn.pages.len();
    let text = read_text(context, args.text.text.as_deref(), args.text.file.as_deref())?;
    let page = NewPage { page: None, text, time: None };
    let message = match context.chinese() {
        true => format!("第 {} 层加了一页，正在读第 {} 页", args.floor, pages + 1),
        false => format!("floor {} has another page, and page {} is read", args.floor, pages + 1),
    };
    change::run(context, &engine, &which, &BranchEdit::AddPage { floor: args.floor, page }, &message)
}
