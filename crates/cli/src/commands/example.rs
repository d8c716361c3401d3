//! `storeyline example`: creates the example story, or finds it.

use storeyline_wire::Language;

use crate::commands::change::CLIENT;
use crate::commands::shape::floors_text;
use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn run(context: &Context, language: Option<&str>) -> Result<(), Failure> {
    let language = match language.unwrap_or_else(|| context.words("zh", "en")) {
        "zh" => Language::Chinese,
        _ => Language::English,
    };
    let (engine, owner) = (context.engine()?, context.owner());
    let opened = engine.open_example(&owner, language, CLIENT)?;
    if context.json {
        context.answer(&opened);
        return Ok(());
    }
    let story = engine.story(&owner, opened.story)?.story;
    let floors = story.refs.iter().find(|found| found.id == opened.branch).map_or(0, |found| found.floors);
    context.line(&format!("{}  {}  {}", story.story, story.title, floors_text(context, floors)));
    Ok(())
}
