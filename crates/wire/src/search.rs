//! Full-text search of all pages.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::ids::{PageId, RefId, StoryId};
use crate::words::RefKind;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// Words that must all occur in a text; one with spaces is in double quotes.
    pub q: String,
    /// Absent: all stories.
    pub story: Option<StoryId>,
    /// Maximum number of pages; at most 1,000.
    #[serde(default = "default_limit")]
    #[param(default = 50)]
    pub limit: u32,
}

fn default_limit() -> u32 {
    50
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Hits {
    pub total: usize,
    /// Whether the index was used; without it every text is scanned.
    pub indexed: bool,
    pub hits: Vec<Hit>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Hit {
    pub story: StoryId,
    pub title: String,
    pub page: PageId,
    /// Where it is; empty if only the log still refers to this text.
    pub places: Vec<HitPlace>,
    pub excerpt: Excerpt,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct HitPlace {
    #[serde(rename = "ref")]
    pub branch: RefId,
    pub name: String,
    pub kind: RefKind,
    pub trashed: bool,
    pub floor: usize,
    /// Index of the page on the floor, from 1.
    pub number: usize,
    pub pages: usize,
    /// Whether it is the active page there.
    pub read: bool,
}

/// A part of a text around a hit; `…` where it was cut.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Excerpt {
    pub before: String,
    pub hit: String,
    pub after: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct SearchIndex {
    /// Whether texts are indexed.
    pub on: bool,
    /// Number of texts.
    pub texts: u64,
    /// Size of the index in bytes, of all owners; 0 for owners who do not run the engine.
    pub bytes: u64,
}

#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct SwitchSearch {
    pub on: bool,
}
