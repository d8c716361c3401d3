//! `storeyline override`: replaces the state of a page by hand, or removes the correction.

use storeyline_engine::BranchEdit;

use crate::args::OverrideArgs;
use crate::commands::{change, which};
use crate::failure::Failure;
use crate::out::{Context, read_json};

pub(crate) fn run(context: &Context, args: &OverrideArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let which = which::find(context, &engine, &args.target.story)?;
    let (floor, page) = which::page(context, &engine, &which, &args.page)?;
    let (edit, zh, en) = match &args.state {
        Some(file) => (
            BranchEdit::Override { page, state: read_json(file)? },
            format!("第 {floor} 层的状态已手动改正"),
            format!("the state of floor {floor} was corrected by hand"),
        ),
        None => (
            BranchEdit::ClearOverride { page },
            format!("第 {floor} 层恢复为计算出的状态"),
            format!("floor {floor} has the computed state again"),
        ),
    };
    change::run(context, &engine, &which, &edit, context.words(&zh, &en))
}
