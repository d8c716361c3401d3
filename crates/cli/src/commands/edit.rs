//! `storeyline edit`: changes the text of a page.

use storeyline_engine::{BranchEdit, KeepText};

use crate::args::EditArgs;
use crate::commands::{change, which};
use crate::failure::Failure;
use crate::out::{Context, read_text};

pub(crate) fn run(context: &Context, args: &EditArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let which = which::find(context, &engine, &args.target.story)?;
    let (floor, page) = which::page(context, &engine, &which, &args.page)?;
    let text = read_text(context, args.text.text.as_deref(), args.text.file.as_deref())?;
    let (keep, zh, en) = match (args.as_alternative, args.all_branches) {
        (true, _) => (
            KeepText::AsAlternative,
            format!("第 {floor} 层加了一页新文本，旧的还在"),
            format!("floor {floor} has the new text on another page; the old one is kept"),
        ),
        (_, true) => (
            KeepText::OnAllBranches,
            format!("已在所有分支上修改第 {floor} 层的这一页"),
            format!("this page of floor {floor} has another text on every branch"),
        ),
        _ => (KeepText::InPlace, format!("已修改第 {floor} 层"), format!("floor {floor} has another text")),
    };
    change::run(context, &engine, &which, &BranchEdit::Edit { page, text, keep }, context.words(&zh, &en))
}
