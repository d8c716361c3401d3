//! `storeyline export`: writes a branch as a SillyTavern chat file.

use std::fs;

use crate::args::ExportArgs;
use crate::commands::which;
use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn run(context: &Context, args: &ExportArgs) -> Result<(), Failure> {
    let which = which::find(context, &args.story)?;
    let text = which.engine.export(&which.owner(), which.story, which.id())?;
    // Written to a temporary file and renamed: a crash leaves the old file intact.
    let beside = args.out.with_extension("storeyline-part");
    fs::write(&beside, text)
        .and_then(|()| fs::rename(&beside, &args.out))
        .map_err(|source| Failure::file(&args.out, source))?;
    if context.json {
        context.line(&serde_json::json!({ "floors": which.branch.floors, "file": args.out }).to_string());
    } else {
        context.line(&format!("{} {} → {}", which.branch.floors, context.words("层", "floors"), args.out.display()));
    }
    Ok(())
}
