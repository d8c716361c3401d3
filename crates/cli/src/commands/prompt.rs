//! `storeyline prompt`

use storeyline_engine::prompt_text;

use crate::args::PromptArgs;
use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn run(context: &Context, args: &PromptArgs) -> Result<(), Failure> {
    let language = args.language.as_deref().unwrap_or_else(|| context.words("zh", "en"));
    let text = prompt_text(language == "zh", args.tag.as_deref());
    if context.json {
        context.line(&serde_json::json!({ "text": text }).to_string());
    } else {
        context.line(text.trim_end());
    }
    Ok(())
}
