//! `storeyline hide`: hides a floor from the prompt, or shows it again.

use storeyline_engine::BranchEdit;

use crate::args::HideArgs;
use crate::commands::{change, which};
use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn run(context: &Context, args: &HideArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let which = which::find(context, &engine, &args.target.story)?;
    let (floor, hidden) = (args.floor, !args.show);
    let (zh, en) = match hidden {
        true => (format!("第 {floor} 层不再进入提示词"), format!("floor {floor} is hidden from the prompt")),
        false => (format!("第 {floor} 层重新进入提示词"), format!("floor {floor} is in the prompt again")),
    };
    change::run(context, &engine, &which, &BranchEdit::Hide { floor, hidden }, context.words(&zh, &en))
}
