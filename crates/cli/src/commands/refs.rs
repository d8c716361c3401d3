//! The branches and tags of a story as a tree: each hangs on the one it came from.

use std::collections::HashMap;

use storeyline_engine::{Engine, RefKey, RefKind, RefLine};
use storeyline_state::{Object, RefId, StoryId, Value};

use crate::commands::shape::{ago, floors_text, maybe, number, ref_value, short, text};
use crate::failure::Failure;
use crate::out::Context;
use crate::style::{Tone, harmless, pad, width};

/// A ref in the tree.
pub(crate) struct Hung {
    pub(crate) line: RefLine,
    pub(crate) current: bool,
    /// The ref it hangs on, with its name and how many floors both share.
    pub(crate) on: Option<(RefId, String, usize)>,
    /// The lines that lead to it.
    lead: String,
}

/// Returns the refs of a story in the order of their tree.
pub(crate) fn tree(context: &Context, engine: &Engine, story: StoryId, trash: bool) -> Result<Vec<Hung>, Failure> {
    let all = engine.ref_lines(&context.owner(), story)?;
    let current = engine.current_branch(&context.owner(), story)?;
    let by_key: HashMap<RefKey, &RefLine> = all.iter().map(|line| (line.branch.key, line)).collect();
    let shown = |line: &RefLine| trash || line.branch.trashed.is_none();
    let mut below: HashMap<Option<RefKey>, Vec<(usize, &RefLine)>> = HashMap::new();
    for line in all.iter().filter(|line| shown(line)) {
        // Where the one it came from is not shown, the next one up is meant.
        let mut origin = line.branch.origin.and_then(|key| by_key.get(&key));
        while let Some(hidden) = origin.filter(|line| !shown(line)) {
            origin = hidden.branch.origin.and_then(|key| by_key.get(&key));
        }
        let shared = match origin {
            Some(origin) => engine.shared_floors(&context.owner(), story, line.branch.id, origin.branch.id)?,
            None => 0,
        };
        below.entry(origin.map(|origin| origin.branch.key)).or_default().push((shared, line));
    }
    below.values_mut().for_each(|lines| lines.sort_by_key(|(shared, line)| (*shared, line.branch.key)));
    let mut tree = Vec::new();
    hang(&below, None, "", current, &mut tree);
    Ok(tree)
}

fn hang(
    below: &HashMap<Option<RefKey>, Vec<(usize, &RefLine)>>,
    on: Option<&RefLine>,
    indent: &str,
    current: Option<RefId>,
    tree: &mut Vec<Hung>,
) {
    let lines = below.get(&on.map(|on| on.branch.key)).map_or(&[][..], |lines| &lines[..]);
    for (index, (shared, line)) in lines.iter().enumerate() {
        let last = index + 1 == lines.len();
        let (lead, further) = match (on, last) {
            (None, _) => ("", ""),
            (_, true) => ("└─ ", "   "),
            (_, false) => ("├─ ", "│  "),
        };
        tree.push(Hung {
            line: (*line).clone(),
            current: Some(line.branch.id) == current,
            on: on.map(|on| (on.branch.id, on.branch.name.clone(), *shared)),
            lead: format!("{indent}{lead}"),
        });
        hang(below, Some(line), &format!("{indent}{further}"), current, tree);
    }
}

/// Prints refs, one on each line, with the lines that lead to them.
pub(crate) fn print(context: &Context, tree: &[Hung]) {
    let names = tree.iter().map(|hung| width(&hung.lead) + width(&hung.line.branch.name));
    let column = names.max().unwrap_or(0).min(48);
    for hung in tree {
        let found = &hung.line.branch;
        let (mark, tone) = match (found.trashed, found.kind, hung.current) {
            (Some(_), ..) => ("✕", Tone::Bad),
            (_, RefKind::Tag, _) => ("◆", Tone::Changed),
            (_, _, true) => ("●", Tone::Good),
            _ => ("○", Tone::Name),
        };
        let mark = context.paint_in(&found.colour, mark).unwrap_or_else(|| context.paint(tone, mark));
        let name = pad(&harmless(&found.name), column.saturating_sub(width(&hung.lead)));
        let tone = match (found.trashed.is_some(), hung.current) {
            (true, _) => Tone::Quiet,
            (_, true) => Tone::Strong,
            _ => Tone::Name,
        };
        let lead = context.paint(Tone::Quiet, &hung.lead);
        let words = context.paint(Tone::Quiet, &words(context, hung));
        context.line(&format!("{lead}{mark} {}  {words}", context.paint(tone, &name)));
    }
}

/// Prints refs, one on each line; what is left out of the tree leaves no gaps.
pub(crate) fn print_flat(context: &Context, tree: &[Hung]) {
    let flat =
        tree.iter().map(|hung| Hung { lead: String::new(), line: hung.line.clone(), on: hung.on.clone(), ..*hung });
    print(context, &flat.collect::<Vec<_>>());
}

fn words(context: &Context, hung: &Hung) -> String {
    let found = &hung.line.branch;
    let last = hung.line.floors.saturating_sub(1);
    let mut words = vec![match found.kind {
        RefKind::Branch => floors_text(context, hung.line.floors),
        RefKind::Tag => format!("{} #{last}", context.words("标签", "tag")),
    }];
    match &hung.on {
        Some((_, _, shared)) if found.kind == RefKind::Tag && *shared == hung.line.floors => {}
        Some((_, _, 0)) => words.push(context.words("没有共同的楼层", "no floor in common").to_owned()),
        Some((_, _, shared)) => words.push(match context.chinese() {
            true => format!("自 #{} 分出", shared - 1),
            false => format!("forked after #{}", shared - 1),
        }),
        None => {}
    }
    if hung.current {
        words.push(context.words("当前", "current").to_owned());
    }
    if found.trashed.is_some() {
        words.push(context.words("在回收站", "in the trash").to_owned());
    }
    words.push(ago(context, found.trashed.unwrap_or(found.updated)));
    words.push(short(found.id));
    if !found.note.is_empty() {
        words.push(harmless(&found.note));
    }
    words.join(" · ")
}

/// Returns refs for scripts.
pub(crate) fn value(tree: &[Hung]) -> Value {
    let entry = |hung: &Hung| {
        let own = ref_value(&hung.line, hung.current);
        let mut entries: Object = own.as_object().cloned().unwrap_or_default();
        entries.insert("from".into(), maybe(hung.on.as_ref(), |(on, ..)| text(on)));
        entries.insert("shared".into(), maybe(hung.on.as_ref(), |(_, _, shared)| number(*shared)));
        Value::object(entries)
    };
    Value::list(tree.iter().map(entry).collect())
}
