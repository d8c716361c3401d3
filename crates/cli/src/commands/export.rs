//! `storeyline export`: writes a branch as a SillyTavern chat file.

use crate::args::ExportArgs;
use crate::commands::which;
use crate::failure::Failure;
use crate::files::write_file;
use crate::out::Context;

pub(crate) fn run(context: &Context, args: &ExportArgs) -> Result<(), Failure> {
    let which = which::find(context, &args.story)?;
    let text = which.engine.export(&which.owner(), which.story, which.id())?;
    write_file(&args.out, text.as_bytes())?;
    if context.json {
        context.line(&serde_json::json!({ "floors": which.branch.floors, "file": args.out }).to_string());
    } else {
        context.line(&format!("{} {} → {}", which.branch.floors, context.words("层", "floors"), args.out.display()));
    }
    Ok(())
}
