//! `storeyline strip-mvu`: the variables of an MVU block, without its metadata.

use std::path::Path;

use storeyline_compat::strip_mvu;
use storeyline_state::json;

use crate::failure::Failure;
use crate::out::{Context, read_json};

pub(crate) fn run(context: &Context, file: &Path) -> Result<(), Failure> {
    let state = json::write(&strip_mvu(&read_json(file)?));
    context.line(&if context.json { format!(r#"{{"state":{state}}}"#) } else { state });
    Ok(())
}
