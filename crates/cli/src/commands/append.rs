//! `storeyline append`: appends a message to a branch, or inserts it at a floor.

use storeyline_engine::{BranchEdit, Engine, NewPage, NewTurn, Role};

use crate::args::AppendArgs;
use crate::commands::change;
use crate::commands::which::{self, Which};
use crate::failure::Failure;
use crate::out::{Context, read_text};

pub(crate) fn run(context: &Context, args: &AppendArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let which = which::find(context, &engine, &args.target.story)?;
    let role = Role::from_word(&args.role).expect("only known words are accepted");
    let name = match &args.name {
        Some(name) => name.clone(),
        None => last_name(context, &engine, &which, role)?,
    };
    let text = read_text(context, args.text.text.as_deref(), args.text.file.as_deref())?;
    let turn = NewTurn { role, name, page: NewPage { page: None, text, time: None } };
    let floor = args.at.unwrap_or(which.branch.floors);
    let message = match context.chinese() {
        true => format!("已写入第 {floor} 层（{}）", turn.name),
        false => format!("{} speaks on floor {floor}", turn.name),
    };
    let edit = match args.at {
        Some(floor) => BranchEdit::Insert { floor, turn },
        None => BranchEdit::Append(turn),
    };
    change::run(context, &engine, &which, &edit, &message)
}

/// Returns the name of the last speaker with this role on the branch.
fn last_name(context: &Context, engine: &Engine, which: &Which, role: Role) -> Result<String, Failure> {
    let mut name = None;
    which::from_the_end(context, engine, which, |line| {
        name = Some(line.turn.name.clone()).filter(|_| line.turn.role == role);
        name.is_some()
    })?;
    name.ok_or(Failure::NoName(role.as_str()))
}
