//! `storeyline swipe`: makes another page of a floor active.

use storeyline_engine::{BranchEdit, Engine};
use storeyline_state::PageId;

use crate::args::SwipeArgs;
use crate::commands::change;
use crate::commands::which::{self, Which};
use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn run(context: &Context, args: &SwipeArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let which = which::find(context, &engine, &args.target.story)?;
    let (floor, page) = page_to_activate(context, &engine, &which, args)?;
    let turn = which::floor_line(context, &engine, &which, floor)?.turn;
    let (number, pages) = (turn.position(page).map_or(0, |index| index + 1), turn.pages.len());
    let message = match context.chinese() {
        true => format!("第 {floor} 层正在读第 {number}/{pages} 页"),
        false => format!("page {number} of {pages} is read on floor {floor}"),
    };
    let edit = if args.keep_below { BranchEdit::Select { page } } else { BranchEdit::Swipe { page } };
    change::run(context, &engine, &which, &edit, &message)
}

fn page_to_activate(
    context: &Context,
    engine: &Engine,
    which: &Which,
    args: &SwipeArgs,
) -> Result<(usize, PageId), Failure> {
    if let Some(page) = &args.page {
        return which::page_named(context, engine, which, page);
    }
    let (floor, number) = (args.floor.unwrap_or_default(), args.number.unwrap_or_default());
    let turn = which::floor_line(context, engine, which, floor)?.turn;
    let page = number.checked_sub(1).and_then(|index| turn.pages.get(index));
    page.map(|page| (floor, page.page)).ok_or_else(|| Failure::NoPage(number.to_string()))
}
