//! The commands that change the floors of a branch: `append`, `alternative`, `swipe`, `edit`,
//! `delete`, `move`, `hide`, `set`, `override`.
//!
//! Each makes one edit and the message that is printed after it.

use storeyline_state::{PageId, Value, json};
use storeyline_wire::operation::{BranchEdit, NewPage, NewTurn};
use storeyline_wire::{Json, JsonObject, KeepText, Role};

use crate::args::{
    AlternativeArgs, AppendArgs, DeleteArgs, EditArgs, HideArgs, InvalidateArgs, MoveArgs, OverrideArgs, SetArgs,
    SwipeArgs, TextArgs,
};
use crate::commands::change;
use crate::commands::which::{self, Which};
use crate::failure::Failure;
use crate::out::{Context, read_json, read_text};

pub(crate) fn append(context: &Context, args: &AppendArgs) -> Result<(), Failure> {
    let which = which::find(context, &args.target.story)?;
    let role = Role::ALL.into_iter().find(|role| role.as_str() == args.role).expect("only known words are accepted");
    let name = match &args.name {
        Some(name) => name.clone(),
        None => last_name(&which, role)?,
    };
    let turn = NewTurn { role, name, page: new_page(context, &args.text)? };
    let floor = args.at.unwrap_or(which.branch.floors);
    let message = context
        .words(format!("已写入第 {floor} 层（{}）", turn.name), format!("{} speaks on floor {floor}", turn.name));
    let edit = match args.at {
        Some(floor) => BranchEdit::Insert { floor, turn },
        None => BranchEdit::Append(turn),
    };
    change::run(&which, &edit, &message)
}

fn new_page(context: &Context, args: &TextArgs) -> Result<NewPage, Failure> {
    Ok(NewPage { page: None, text: read_text(context, args)?, time: None })
}

/// Returns the name of the last speaker with this role on the branch.
fn last_name(which: &Which<'_>, role: Role) -> Result<String, Failure> {
    let mut name = None;
    which.visit_from_end(|line| {
        name = Some(line.name.clone()).filter(|_| line.role == role);
        name.is_some()
    })?;
    name.ok_or(Failure::NoName(role.as_str()))
}

pub(crate) fn alternative(context: &Context, args: &AlternativeArgs) -> Result<(), Failure> {
    let which = which::find(context, &args.target.story)?;
    let floor = args.floor;
    let number = which.floor_line(floor)?.pages + 1;
    let page = new_page(context, &args.text)?;
    let message = context.words(
        format!("第 {floor} 层加了一页，正在读第 {number} 页"),
        format!("floor {floor} has another page, and page {number} is read"),
    );
    change::run(&which, &BranchEdit::AddPage { floor, page }, &message)
}

pub(crate) fn swipe(context: &Context, args: &SwipeArgs) -> Result<(), Failure> {
    let which = which::find(context, &args.target.story)?;
    let (floor, page) = page_to_activate(&which, args)?;
    let pages = which.view(floor, Some(page))?.pages;
    let (number, pages) = (pages.iter().position(|one| one.page == page).map_or(0, |index| index + 1), pages.len());
    let message = context.words(
        format!("第 {floor} 层正在读第 {number}/{pages} 页"),
        format!("page {number} of {pages} is read on floor {floor}"),
    );
    let edit = if args.keep_below { BranchEdit::Select { page } } else { BranchEdit::Swipe { page } };
    change::run(&which, &edit, &message)
}

fn page_to_activate(which: &Which<'_>, args: &SwipeArgs) -> Result<(usize, PageId), Failure> {
    if let Some(page) = &args.page {
        return which.page_named(page);
    }
    let (floor, number) = (args.floor.unwrap_or_default(), args.number.unwrap_or_default());
    let pages = which.view(floor, None)?.pages;
    let page = number.checked_sub(1).and_then(|index| pages.get(index));
    page.map(|page| (floor, page.page)).ok_or_else(|| Failure::NoPage(number.to_string()))
}

pub(crate) fn edit(context: &Context, args: &EditArgs) -> Result<(), Failure> {
    let which = which::find(context, &args.target.story)?;
    let (floor, page) = which.page(&args.page)?;
    let text = read_text(context, &args.text)?;
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
    change::run(&which, &BranchEdit::Edit { page, text, keep }, &context.words(zh, en))
}

pub(crate) fn delete(context: &Context, args: &DeleteArgs) -> Result<(), Failure> {
    let which = which::find(context, &args.target.story)?;
    let (edit, zh, en) = match (&args.page, args.floor.unwrap_or_default(), args.count.get()) {
        (Some(page), ..) => {
            let (floor, page) = which.page_named(page)?;
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
        (None, floor, _) if args.and_below => (
            BranchEdit::Cut { floor },
            format!("已删除第 {floor} 层和它后面的全部楼层"),
            format!("floor {floor} and all that followed were deleted"),
        ),
        (None, floor, 1) => (
            BranchEdit::Delete { floor, count: 1 },
            format!("已删除第 {floor} 层"),
            format!("floor {floor} was deleted"),
        ),
        (None, floor, count) => (
            BranchEdit::Delete { floor, count },
            format!("已删除从第 {floor} 层起的 {count} 层"),
            format!("{count} floors were deleted, from floor {floor} on"),
        ),
    };
    change::run(&which, &edit, &context.words(zh, en))
}

pub(crate) fn move_floor(context: &Context, args: &MoveArgs) -> Result<(), Failure> {
    let which = which::find(context, &args.target.story)?;
    let MoveArgs { from, to, .. } = *args;
    let message = context.words(format!("第 {from} 层已移到第 {to} 层"), format!("floor {from} is floor {to} now"));
    change::run(&which, &BranchEdit::Move { floor: from, to }, &message)
}

pub(crate) fn hide(context: &Context, args: &HideArgs) -> Result<(), Failure> {
    let which = which::find(context, &args.target.story)?;
    let (floor, hidden) = (args.floor, !args.show);
    let (zh, en) = match hidden {
        true => (format!("第 {floor} 层不再进入提示词"), format!("floor {floor} is hidden from the prompt")),
        false => (format!("第 {floor} 层重新进入提示词"), format!("floor {floor} is in the prompt again")),
    };
    change::run(&which, &BranchEdit::Hide { floor, hidden }, &context.words(zh, en))
}

pub(crate) fn invalidate(context: &Context, args: &InvalidateArgs) -> Result<(), Failure> {
    let which = which::find(context, &args.target.story)?;
    let (floor, page) = which.page(&args.page)?;
    let valid = args.valid;
    let (zh, en) = match valid {
        false => {
            (format!("第 {floor} 层的这一页已标为无效"), format!("this page of floor {floor} is not valid any more"))
        }
        true => (format!("第 {floor} 层的这一页重新有效"), format!("this page of floor {floor} is valid again")),
    };
    change::run(&which, &BranchEdit::Validity { page, valid }, &context.words(zh, en))
}

pub(crate) fn set(context: &Context, args: &SetArgs) -> Result<(), Failure> {
    let which = which::find(context, &args.target.story)?;
    let (floor, page) = which.page(&args.page)?;
    let message = context
        .words(format!("已改正第 {floor} 层的 {}", args.path), format!("{} was corrected on floor {floor}", args.path));
    let path = args.path.as_str().into();
    let edit = match &args.value {
        Some(value) => BranchEdit::Set { page, path, value: Json(read_value(value)) },
        None => BranchEdit::Unset { page, path },
    };
    change::run(&which, &edit, &message)
}

/// Parses JSON, or else text: `100`, `true`, `["剑"]`, `张三`.
fn read_value(text: &str) -> Value {
    json::read(text).unwrap_or_else(|_| Value::text(text))
}

pub(crate) fn override_state(context: &Context, args: &OverrideArgs) -> Result<(), Failure> {
    let which = which::find(context, &args.target.story)?;
    let (floor, page) = which.page(&args.page)?;
    let (edit, zh, en) = match &args.state {
        Some(file) => (
            BranchEdit::Override { page, state: JsonObject(read_json(file)?) },
            format!("第 {floor} 层的状态已手动改正"),
            format!("the state of floor {floor} was corrected by hand"),
        ),
        None => (
            BranchEdit::ClearOverride { page },
            format!("第 {floor} 层恢复为计算出的状态"),
            format!("floor {floor} has the computed state again"),
        ),
    };
    change::run(&which, &edit, &context.words(zh, en))
}
