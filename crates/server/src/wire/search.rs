//! Full-text search of all pages.

use serde::{Deserialize, Serialize};
use storeyline_engine::{self as engine, SearchStatus};
use utoipa::{IntoParams, ToSchema};

use crate::wire::common::all;
use crate::wire::ids::{PageId, RefId, StoryId};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SearchQuery {
    /// Words that must all occur in a text; one with spaces is in double quotes.
    pub(crate) q: String,
    /// Absent: all stories.
    pub(crate) story: Option<StoryId>,
    /// Maximum number of pages; at most 1,000.
    #[serde(default = "default_limit")]
    #[param(default = 50)]
    pub(crate) limit: u32,
}

fn default_limit() -> u32 {
    50
}

const MAX_WORDS: usize = 32;

impl SearchQuery {
    /// Splits a query into words: `a "b c"` are two.
    pub(crate) fn words(&self) -> Vec<String> {
        let parts = self.q.split('"').enumerate();
        let words = parts.flat_map(|(index, part)| match index % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
            _ => vec![part.trim().to_owned()],
        });
        words.filter(|word| !word.is_empty()).take(MAX_WORDS).collect()
    }
}

#[derive(Serialize, ToSchema)]
pub struct Hits {
    total: usize,
    /// Whether the index was used; without it every text is scanned.
    indexed: bool,
    hits: Vec<Hit>,
}

#[derive(Serialize, ToSchema)]
struct Hit {
    story: StoryId,
    title: String,
    page: PageId,
    /// Where it is; empty if only the log still refers to this text.
    places: Vec<HitPlace>,
    excerpt: Excerpt,
}

#[derive(Serialize, ToSchema)]
struct HitPlace {
    #[serde(rename = "ref")]
    branch: RefId,
    name: String,
    kind: &'static str,
    trashed: bool,
    floor: usize,
    /// Index of the page on the floor, from 1.
    number: usize,
    pages: usize,
    /// Whether it is the active page there.
    read: bool,
}

#[derive(Serialize, ToSchema)]
struct Excerpt {
    before: String,
    hit: String,
    after: String,
}

impl From<engine::Hits> for Hits {
    fn from(engine::Hits { hits, total, indexed }: engine::Hits) -> Self {
        Hits { total, indexed, hits: all(hits) }
    }
}

impl From<engine::Hit> for Hit {
    fn from(engine::Hit { story, title, page, places, excerpt }: engine::Hit) -> Self {
        let engine::Excerpt { before, hit, after } = excerpt;
        let excerpt = Excerpt { before, hit, after };
        Hit { story: story.into(), title, page: page.into(), places: all(places), excerpt }
    }
}

impl From<engine::Occurrence> for HitPlace {
    fn from(place: engine::Occurrence) -> Self {
        let engine::Occurrence { branch, name, kind, trashed, floor, number, pages, read } = place;
        HitPlace { branch: branch.into(), name, kind: kind.as_str(), trashed, floor, number, pages, read }
    }
}

#[derive(Serialize, ToSchema)]
pub struct SearchIndex {
    /// Whether texts are indexed.
    on: bool,
    /// Number of texts.
    texts: u64,
    /// Size of the index in bytes, of all owners; 0 for owners who do not run the engine.
    bytes: u64,
}

impl SearchIndex {
    pub fn new(status: SearchStatus, with_bytes: bool) -> Self {
        SearchIndex { on: status.on, texts: status.texts, bytes: if with_bytes { status.bytes } else { 0 } }
    }
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct SwitchSearch {
    pub(crate) on: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_in_quotes_is_one_word() {
        let words = |q: &str| SearchQuery { q: q.to_owned(), story: None, limit: 1 }.words();
        assert_eq!(words(r#"后厨 "two words" x"#), ["后厨", "two words", "x"]);
        assert_eq!(words(r#"" "  "#), Vec::<String>::new());
        assert_eq!(words(r#"open "never closed"#), ["open", "never closed"]);
    }
}
