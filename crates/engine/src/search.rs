//! Full-text search over the pages of all branches: which pages contain some words, and on which
//! branches and floors they are.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use storeyline_history::PageKey;
use storeyline_state::{PageId, StoryId};
use storeyline_store::{FoundPage, Owner, RefKind, Standing, Stands, StoryKey, TextKey, View, fold};
use storeyline_wire::search::{Excerpt, Hit, HitPlace, Hits, SearchIndex};

use crate::branch::find_story;
use crate::engine::{Engine, ReadEngine};
use crate::error::Result;
use crate::shown::ref_kind;

/// Characters of the text that are shown before and after a hit.
const BEFORE: usize = 24;
const AFTER: usize = 48;

/// Maximum number of refs that are named for a hit. A page that is on all of a thousand branches is still one hit.
const MAX_PLACES: usize = 100;

#[derive(Clone)]
pub struct Search<'a> {
    /// A text must contain all of them, ignoring case; one may contain spaces.
    pub words: &'a [String],
    /// `None` searches all stories.
    pub story: Option<StoryId>,
    /// Maximum number of hits.
    pub limit: usize,
    /// Asked now and then; a search that is stopped returns what it has found.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl ReadEngine {
    /// Searches; without the index, or for words of one or two characters, every text is read.
    pub fn search(&self, owner: &Owner, search: &Search<'_>) -> Result<Hits> {
        let words: Vec<String> = search.words.iter().map(|word| fold(word)).filter(|word| !word.is_empty()).collect();
        self.read(owner, |tx| {
            let story = search.story.map(|story| find_story(tx, story)).transpose()?.map(|story| story.key);
            let mut excerpts = HashMap::new();
            if !words.is_empty() {
                tx.texts_with(&words, story, search.stop, |text, content| {
                    excerpts.insert(text, excerpt(&content, &words));
                })?;
            }
            let pages = tx.pages_with(&excerpts.keys().copied().collect())?;
            let mut by_story: BTreeMap<StoryKey, Vec<FoundPage>> = BTreeMap::new();
            let pages: Vec<_> =
                pages.into_iter().filter(|page| story.is_none_or(|story| story == page.story)).collect();
            let mut standing = tx.standing(&pages)?;
            for page in pages {
                by_story.entry(page.story).or_default().push(page);
            }
            let mut hits = Vec::new();
            for (story, pages) in by_story {
                if (search.stop)() {
                    break;
                }
                let standing = standing.remove(&story).unwrap_or_default();
                hits.extend(hits_in(tx, story, &pages, &standing, &excerpts)?);
            }
            hits.sort_by_key(|(text, hit)| (rank(hit), Reverse(*text)));
            let total = hits.len();
            let hits = hits.into_iter().take(search.limit).map(|(_, hit)| hit).collect();
            Ok(Hits { hits, total, indexed: tx.has_search()? })
        })
    }

    /// Returns the state of the search index.
    pub fn search_status(&self, owner: &Owner) -> Result<SearchIndex> {
        let (on, texts) = self.store().search_status(owner)?;
        Ok(SearchIndex { on, texts, bytes: self.store().stats(owner)?.bytes.search })
    }
}

impl Engine {
    /// Switches the search index on or off, for all owners; `progress` is called with the number of
    /// indexed texts and of all texts.
    pub fn switch_search(&self, on: bool, progress: impl FnMut(u64, u64)) -> Result<()> {
        Ok(self.store().switch_search(on, progress)?)
    }
}

/// The order of hits: on branches, on tags, in the trash, only in the log.
fn rank(hit: &Hit) -> u8 {
    let rank = |place: &HitPlace| match (place.trashed, place.kind) {
        (false, storeyline_wire::RefKind::Branch) => 0,
        (false, storeyline_wire::RefKind::Tag) => 1,
        (true, _) => 2,
    };
    hit.places.first().map_or(3, rank)
}

/// Where the versions of a page are, on all refs of a story.
pub(crate) fn places_of(tx: &View<'_>, story: StoryKey, page: PageId) -> Result<Vec<HitPlace>> {
    let found = tx.versions_of_page(story, page)?;
    let standing = tx.standing(&found)?.remove(&story).unwrap_or_default();
    let hits = hits_in(tx, story, &found, &standing, &HashMap::new())?;
    let mut places: Vec<HitPlace> = hits.into_iter().flat_map(|(_, hit)| hit.places).collect();
    places.sort_by_key(|place| (place.trashed, place.kind == storeyline_wire::RefKind::Tag));
    Ok(places)
}

/// The hits in a story, each with the key of its text. Versions of a page with the same text are one
/// hit.
fn hits_in(
    tx: &View<'_>,
    story: StoryKey,
    pages: &[FoundPage],
    standing: &Standing,
    excerpts: &HashMap<TextKey, Excerpt>,
) -> Result<Vec<(TextKey, Hit)>> {
    let Some(found) = tx.story_by_key(story)? else { return Ok(Vec::new()) };
    let which: HashMap<PageKey, (PageId, TextKey)> =
        pages.iter().map(|page| (page.at, (page.page, page.text))).collect();
    let mut places: BTreeMap<(PageId, TextKey), Vec<HitPlace>> = which.values().map(|key| (*key, Vec::new())).collect();
    let mut refs = tx.refs(story)?;
    refs.sort_by_key(|found| (found.trashed.is_some(), found.kind == RefKind::Tag));
    for found in refs {
        let Some(head) = found.head else { continue };
        for Stands { page, floor, number, pages, is_active: read } in standing.on_the_path_to(head) {
            let (branch, name, kind) = (found.id, found.name.clone(), ref_kind(found.kind));
            let trashed = found.trashed.is_some();
            let place = HitPlace { branch, name, kind, trashed, floor, number: number + 1, pages, read };
            let places = places.entry(which[&page]).or_default();
            if places.len() < MAX_PLACES {
                places.push(place);
            }
        }
    }
    let hit = |((page, text), places)| {
        let excerpt = excerpts.get(&text).cloned().unwrap_or_default();
        (text, Hit { story: found.id, title: found.title.clone(), page, places, excerpt })
    };
    Ok(places.into_iter().map(hit).collect())
}

/// Cuts out the part of a text around the first occurrence of one of the words. Folding keeps the
/// number of characters, so positions are the same in both texts.
fn excerpt(text: &str, words: &[String]) -> Excerpt {
    let folded = fold(text);
    let places = words.iter().filter_map(|word| folded.find(word.as_str()).map(|at| (at, word)));
    let Some((at, word)) = places.min_by_key(|(at, _)| *at) else { return Excerpt::default() };
    let start = folded[..at].chars().count();
    let end = start + word.chars().count();
    let characters: Vec<char> = text.chars().collect();
    let (from, to) = (start.saturating_sub(BEFORE), (end + AFTER).min(characters.len()));
    let piece = |range: std::ops::Range<usize>| characters[range].iter().collect::<String>();
    Excerpt {
        before: format!("{}{}", if from > 0 { "…" } else { "" }, piece(from..start)),
        hit: piece(start..end),
        after: format!("{}{}", piece(end..to), if to < characters.len() { "…" } else { "" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_shows_the_first_hit_as_the_text_has_it() {
        let words = |words: &[&str]| words.iter().map(|word| fold(word)).collect::<Vec<_>>();
        let found = excerpt("İ雨夜。The INN was loud.", &words(&["loud", "inn"]));
        assert_eq!(
            (found.before.as_str(), found.hit.as_str(), found.after.as_str()),
            ("İ雨夜。The ", "INN", " was loud.")
        );
        let long = format!("{}酒馆{}", "一".repeat(100), "二".repeat(100));
        let found = excerpt(&long, &words(&["酒馆"]));
        assert_eq!(found.before, format!("…{}", "一".repeat(BEFORE)));
        assert_eq!(found.after, format!("{}…", "二".repeat(AFTER)));
        assert_eq!(excerpt("a", &words(&["b"])), Excerpt::default());
    }
}
