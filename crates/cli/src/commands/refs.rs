//! The branches and tags of a story as a tree: each is a child of the one it came from.

use std::collections::HashMap;

use storeyline_engine::{Engine, RefKey};
use storeyline_state::{RefId, StoryId};
use storeyline_wire::RefKind;
use storeyline_wire::view::Ref;

use crate::commands::shape::{ago, floors_text, short};
use crate::failure::Failure;
use crate::out::Context;
use crate::style::{Tone, harmless, pad, width};

/// A ref in the tree.
pub(crate) struct TreeRef {
    pub(crate) line: Ref,
    /// Number of floors that it shares with the ref above it.
    shared: Option<usize>,
    /// The drawn lines that lead to it.
    pub(crate) lead: String,
}

/// Returns the refs of a story in the order of their tree.
pub(crate) fn tree(context: &Context, engine: &Engine, story: StoryId, trash: bool) -> Result<Vec<TreeRef>, Failure> {
    let owner = context.owner();
    let all = engine.ref_lines(&owner, story)?;
    let by_id: HashMap<RefId, &Ref> = all.iter().map(|line| (line.id, line)).collect();
    let shown = |line: &Ref| trash || line.trashed.is_none();
    let mut below = Below::new();
    for line in all.iter().filter(|line| shown(line)) {
        // If the parent is not shown, the next visible ancestor is used.
        let parent = |line: &Ref| line.from.and_then(|from| by_id.get(&from).copied());
        let mut origin = parent(line);
        while let Some(hidden) = origin.filter(|line| !shown(line)) {
            origin = parent(hidden);
        }
        let origin = origin.map(|origin| origin.id);
        let shared = match origin {
            Some(other) if line.from != origin => Some(engine.shared_floors(&owner, story, line.id, other)?),
            Some(_) => line.shared,
            None => None,
        };
        below.entry(origin).or_default().push((shared, line));
    }
    // Refs that fork at the same floor are in the order in which they were made.
    let made: HashMap<RefId, RefKey> = engine.refs(&owner, story)?.iter().map(|found| (found.id, found.key)).collect();
    below.values_mut().for_each(|lines| lines.sort_by_key(|(shared, line)| (*shared, made.get(&line.id))));
    let mut tree = Vec::new();
    hang(&below, None, "", &mut tree);
    Ok(tree)
}

/// The refs below each ref, with the number of floors that they share with it.
type Below<'a> = HashMap<Option<RefId>, Vec<(Option<usize>, &'a Ref)>>;

fn hang(below: &Below<'_>, on: Option<RefId>, indent: &str, tree: &mut Vec<TreeRef>) {
    let lines = below.get(&on).map_or(&[][..], |lines| &lines[..]);
    for (index, &(shared, line)) in lines.iter().enumerate() {
        let last = index + 1 == lines.len();
        let (lead, further) = match (on, last) {
            (None, _) => ("", ""),
            (_, true) => ("└─ ", "   "),
            (_, false) => ("├─ ", "│  "),
        };
        tree.push(TreeRef { line: line.clone(), shared, lead: format!("{indent}{lead}") });
        hang(below, Some(line.id), &format!("{indent}{further}"), tree);
    }
}

/// Prints refs, one per line, with the lines of the tree.
pub(crate) fn print(context: &Context, tree: &[TreeRef]) {
    let names = tree.iter().map(|entry| width(&entry.lead) + width(&entry.line.name));
    let column = names.max().unwrap_or(0).min(48);
    for entry in tree {
        let found = &entry.line;
        let mark = mark(context, found);
        let name = pad(&harmless(&found.name), column.saturating_sub(width(&entry.lead)));
        let tone = match (found.trashed.is_some(), found.current) {
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
pub(crate) fn mark(context: &Context, found: &Ref) -> String {
    let (mark, tone) = match (found.trashed, found.kind, found.current) {
        (Some(_), ..) => ("✕", Tone::Bad),
        (_, RefKind::Tag, _) => ("◆", Tone::Changed),
        (_, _, true) => ("●", Tone::Good),
        _ => ("○", Tone::Name),
    };
    context.paint_in(&found.colour, mark).unwrap_or_else(|| context.paint(tone, mark))
}

fn words(context: &Context, entry: &TreeRef) -> String {
    let found = &entry.line;
    let last = entry.line.floors.saturating_sub(1);
    let mut words = vec![match found.kind {
        RefKind::Branch => floors_text(context, entry.line.floors),
        RefKind::Tag => format!("{} #{last}", context.words("标签", "tag")),
    }];
    match entry.shared {
        Some(shared) if found.kind == RefKind::Tag && shared == found.floors => {}
        Some(0) => words.push(context.words("没有共同的楼层", "no floor in common").to_owned()),
        Some(shared) => {
            let last = shared - 1;
            words.push(context.words(format!("自 #{last} 分出"), format!("forked after #{last}")));
        }
        None => {}
    }
    if found.current {
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
