//! `storeyline search`: words on all pages of all branches.

use storeyline_engine::{Engine, Search};
use storeyline_wire::RefKind;
use storeyline_wire::search::{Excerpt, Hit, HitPlace, Hits, SearchIndex};

use crate::args::{SearchArgs, SearchWhat, WhereArgs};
use crate::commands::shape::{bytes_text, short};
use crate::commands::which;
use crate::failure::Failure;
use crate::out::Context;
use crate::style::{Tone, cut, harmless};

/// Maximum number of locations shown per page.
const MAX_LOCATIONS: usize = 4;

pub(crate) fn run(context: &Context, args: &SearchArgs) -> Result<(), Failure> {
    match &args.what {
        Some(SearchWhat::On) => switch(context, true),
        Some(SearchWhat::Off) => switch(context, false),
        Some(SearchWhat::Status) => tell_status(context, &context.engine()?),
        None => find(context, args),
    }
}

fn switch(context: &Context, on: bool) -> Result<(), Failure> {
    let engine = context.engine()?;
    let progress = match on {
        true => context.progress_of("正在建立索引", "indexing texts", 0),
        false => context.waiting("正在删除索引", "dropping the index"),
    };
    let done = engine.switch_search(on, |done, all| {
        progress.set_length(all);
        progress.set_position(done);
    });
    progress.finish_and_clear();
    done?;
    tell_status(context, &engine)
}

fn tell_status(context: &Context, engine: &Engine) -> Result<(), Failure> {
    let status = engine.search_status(&context.owner())?;
    if context.json {
        context.answer(&status);
        return Ok(());
    }
    let SearchIndex { on, texts, bytes } = status;
    let size = bytes_text(bytes);
    context.line(&match (context.chinese(), on) {
        (true, true) => format!("搜索索引：{}  {texts} 段文本，{size}", context.paint(Tone::Good, "开")),
        (true, false) => format!("搜索索引：{}  搜索时会读 {texts} 段文本", context.paint(Tone::Changed, "关")),
        (false, true) => format!("search index: {}  {texts} texts, {size}", context.paint(Tone::Good, "on")),
        (false, false) => {
            format!("search index: {}  a search reads {texts} texts", context.paint(Tone::Changed, "off"))
        }
    });
    Ok(())
}

fn find(context: &Context, args: &SearchArgs) -> Result<(), Failure> {
    if args.words.iter().all(|word| word.trim().is_empty()) {
        return Err(Failure::NoWords);
    }
    let engine = context.engine()?;
    let story = args.story.as_deref().map(|story| which::story(context, &engine, story)).transpose()?;
    let search = Search { words: &args.words, story: story.map(|line| line.story), limit: args.limit, stop: &|| false };
    let found = context.while_waiting("正在搜索", "searching", || engine.search(&context.owner(), &search))?;
    match context.json {
        true => context.answer(&found),
        false => print(context, &found),
    }
    Ok(())
}

/// Tells on which branches and floors a page is.
pub(crate) fn places_of_page(context: &Context, args: &WhereArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let story = which::story(context, &engine, &args.story)?.story;
    let page = args.page.parse().map_err(|_| Failure::NoPage(args.page.clone()))?;
    let found = engine.places_of_page(&context.owner(), story, page)?;
    if context.json {
        context.answer(&found);
        return Ok(());
    }
    if found.places.is_empty() {
        return Err(Failure::NoPage(args.page.clone()));
    }
    for one in &found.places {
        context.line(&place(context, one));
    }
    Ok(())
}

fn print(context: &Context, found: &Hits) {
    for hit in &found.hits {
        let title = context.paint(Tone::Strong, &harmless(&hit.title));
        let page = context.paint(Tone::Quiet, &short(hit.page));
        context.line(&format!("{title}  {}  {page}", places(context, hit)));
        context.line(&format!("    {}", excerpt(context, &hit.excerpt)));
    }
    let shown = found.hits.len();
    context.line(&match (context.chinese(), found.total) {
        (true, 0) => "没有找到。".to_owned(),
        (false, 0) => "Nothing was found.".to_owned(),
        (true, total) if shown < total => format!("共 {total} 页，显示 {shown} 页；用 `--limit` 查看更多。"),
        (false, total) if shown < total => format!("{total} pages, {shown} of them shown; `--limit` shows more."),
        (true, total) => format!("共 {total} 页。"),
        (false, 1) => "1 page.".to_owned(),
        (false, total) => format!("{total} pages."),
    });
}

fn places(context: &Context, hit: &Hit) -> String {
    if hit.places.is_empty() {
        let words = context.words("只在操作日志里", "only in the log");
        return context.paint(Tone::Changed, words);
    }
    let mut shown: Vec<String> = hit.places.iter().take(MAX_LOCATIONS).map(|one| place(context, one)).collect();
    if let Some(more) = hit.places.len().checked_sub(MAX_LOCATIONS).filter(|more| *more > 0) {
        shown.push(context.paint(Tone::Quiet, &format!("+{more}")));
    }
    shown.join(" · ")
}

fn place(context: &Context, place: &HitPlace) -> String {
    let floor = context.paint(Tone::Number, &format!("#{}", place.floor));
    let mut words = vec![format!("{floor} {}", context.paint(Tone::Name, &harmless(&cut(&place.name, 24))))];
    if place.kind == RefKind::Tag {
        words.push(context.paint(Tone::Quiet, context.words("标签", "tag")));
    }
    if place.trashed {
        words.push(context.paint(Tone::Bad, context.words("回收站", "trash")));
    }
    if !place.read {
        let number = format!("{}/{}", place.number, place.pages);
        words.push(context.paint(Tone::Quiet, &format!("{number} {}", context.words("未读", "not read"))));
    }
    words.join(" ")
}

/// Formats a piece of the text on one line, with the hit in colour, or between marks without
/// colours.
fn excerpt(context: &Context, excerpt: &Excerpt) -> String {
    let line = |text: &str| harmless(&text.replace(['\n', '\t'], " "));
    let plain = line(&excerpt.hit);
    let painted = context.paint(Tone::Changed, &plain);
    let hit = if painted == plain { format!("«{plain}»") } else { painted };
    format!("{}{hit}{}", line(&excerpt.before), line(&excerpt.after)).trim().to_owned()
}
