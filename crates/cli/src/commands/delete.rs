//! `storeyline delete`: deletes a page, a floor, or several floors.

use storeyline_engine::BranchEdit;

use crate::args::DeleteArgs;
use crate::commands::{change, which};
use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn run(context: &Context, args: &DeleteArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let which = which::find(context, &engine, &args.target.story)?;
    let (edit, zh, en) = match (&args.page, args.floor.unwrap_or_default()) {
        (Some(page), _) => {
            let (floor, page) = which::page_named(context, &engine, &which, page)?;
            match args.keep_only {
                true => (
                    BranchEdit::KeepOnly { page },
                    format!("第 {floor} 层只留下这一页"),
                    format!("floor {floor} keeps this page only"),
                ),
                false => (
                    BranchEdit::DeletePage { page },
                    format!("已删除第 {floor} 层的一页"),
                    format!("a page of floor {floor} was deleted"),
                ),
            }
        }
        (None, floor) if args.and_below => (
            BranchEdit::Cut { floor },
            format!("已删除第 {floor} 层和它后面的全部楼层"),
            format!("floor {floor} and all that followed were deleted"),
        ),
        (None, floor) if args.count.get() > 1 => (
            BranchEdit::Delete { floor, count: args.count.get() },
            format!("已删除从第 {floor} 层起的 {} 层", args.count),
            format!("{} floors were deleted, from floor {floor} on", args.count),
        ),
        (None, floor) => (
            BranchEdit::Delete { floor, count: 1 },
            format!("已删除第 {floor} 层"),
            format!("floor {floor} was deleted"),
        ),
    };
    change::run(context, &engine, &which, &edit, context.words(&zh, &en))
}
