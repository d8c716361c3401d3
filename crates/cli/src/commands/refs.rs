//! The branches and tags of a story as a tree: each is a child of the one it came from.

use std::collections::HashMap;

use storeyline_engine::{Engine, Ref, RefKey, RefKind, RefLine};
use storeyline_state::{RefId, StoryId, Value};

use crate::commands::shape::{ago, floors_text, list, maybe, number, ref_value, short, text};
use crate::failure::Failure;
use crate::out::Context;
use crate::style::{Tone, harmless, pad, width};

/// A ref in the tree.
pub(crate) struct TreeRef {
    pub(crate) line: RefLine,
    pub(crate) current: bool,
    /// The parent, and the number of floors both share.
    on: Option<(RefId, usize)>,
    /// The drawn lines that lead to it.
    pub(crate) lead: String,
}

/// Returns the refs of a story in the order of their tree.
pub(crate) fn tree(context: &Context, engine: &Engine, story: StoryId, trash: bool) -> Result<Vec<TreeRef>, Failure> {
    let all = engine.ref_lines(&context.owner(), story)?;
    let current = engine.current_branch(&context.owner(), story)?;
    let by_key: HashMap<RefKey, &RefLine> = all.iter().map(|line| (line.branch.key, line)).collect();
    let shown = |line: &RefLine| trash || line.branch.trashed.is_none();
    let mut below: HashMap<Option<RefKey>, Vec<(usize, &RefLine)>> = HashMap::new();
    for line in all.iter().filter(|line| shown(line)) {
        // If the parent is not shown, the next visible ancestor is used.
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
    tree: &mut Vec<TreeRef>,
) {
    let lines = below.get(&on.map(|on| on.branch.key)).map_or(&[][..], |lines| &lines[..]);
    for (index, (shared, line)) in lines.iter().enumerate() {
        let last = index + 1 == lines.len();
        let (lead, further) = match (on, last) {
            (None, _) => ("", ""),
            (_, true) => ("└─ ", "   "),
            (_, false) => ("├─ ", "│  "),
        };
        tree.push(TreeRef {
            line: (*line).clone(),
            current: Some(line.branch.id) == current,
            on: on.map(|on| (on.branch.id, *shared)),
            lead: format!("{indent}{lead}"),
        });
        hang(below, Some(line), &format!("{indent}{further}"), current, tree);
    }
}

/// Prints refs, one per line, with the lines of the tree.
pub(crate) fn print(context: &Context, tree: &[TreeRef]) {
    let names = tree.iter().map(|entry| width(&entry.lead) + width(&entry.line.branch.name));
    let column = names.max().unwrap_or(0).min(48);
    for entry in tree {
        let found = &entry.line.branch;
        let mark = mark(context, found, entry.current);
        let name = pad(&harmless(&found.name), column.saturating_sub(width(&entry.lead)));
        let tone = match (found.trashed.is_some(), entry.current) {
            (true, _) => Tone::Quiet,
            (_, true) => Tone::Strong,
            _ => Tone::Name,
        };
        let lead = context.paint(Tone::Quiet, &entry.lead);
        let words = context.paint(Tone::Quiet, &words(context, entry));
        context.line(&format!("{lead}{mark} {}  {words}", context.paint(tone, &name)));
    }
}

/// Returns the mark of a ref, in its own colour if it has one.
pub(crate) fn mark(context: &Context, found: &Ref, current: bool) -> String {
    let (mark, tone) = match (found.trashed, found.kind, current) {
        (Some(_), ..) => ("✕", Tone::Bad),
        (_, RefKind::Tag, _) => ("◆", Tone::Changed),
        (_, _, true) => ("●", Tone::Good),
        _ => ("○", Tone::Name),
    };
    context.paint_in(&found.colour, mark).unwrap_or_else(|| context.paint(tone, mark))
}

fn words(context: &Context, entry: &TreeRef) -> String {
    let found = &entry.line.branch;
    let last = entry.line.floors.saturating_sub(1);
    let mut words = vec![match found.kind {
        RefKind::Branch => floors_text(context, entry.line.floors),
        RefKind::Tag => format!("{} #{last}", context.words("标签", "tag")),
    }];
    match &entry.on {
        Some((_, shared)) if found.kind == RefKind::Tag && *shared == entry.line.floors => {}
        Some((_, 0)) => words.push(context.words("没有共同的楼层", "no floor in common").to_owned()),
        Some((_, shared)) => {
            let last = shared - 1;
            words.push(context.words(format!("自 #{last} 分出"), format!("forked after #{last}")));
        }
        None => {}
    }
    if entry.current {
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

/// Returns refs as JSON.
pub(crate) fn value(tree: &[TreeRef]) -> Value {
    list(tree, |entry| {
        let from = maybe(entry.on.as_ref(), |(on, _)| text(on));
        let shared = maybe(entry.on.as_ref(), |(_, shared)| number(*shared));
        ref_value(&entry.line, entry.current, [("from", from), ("shared", shared)])
    })
}
