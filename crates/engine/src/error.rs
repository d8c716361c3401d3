//! Why a request could not be carried out.

use storeyline_compat::ChatFileError;
use storeyline_history::EditError;
use storeyline_state::{ChatId, PageId, RefId, StoryId};
use storeyline_store::StoreError;

/// Why a request could not be carried out. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The chat was never opened.
    #[error("chat {0} is not known")]
    UnknownChat(ChatId),
    /// There is no such story.
    #[error("there is no story {0}")]
    UnknownStory(StoryId),
    /// There is no such branch in the story.
    #[error("there is no branch {0} in this story")]
    UnknownRef(RefId),
    /// The branch is shorter.
    #[error("the branch has {floors} floors, there is no floor {floor}")]
    NoFloor {
        /// Which one was asked for.
        floor: usize,
        /// How many there are.
        floors: usize,
    },
    /// The page is not on this floor.
    #[error("page {0} is not on this floor")]
    NoPage(PageId),
    /// A path without floors is never accepted.
    #[error("the list of floors is empty")]
    EmptyPath,
    /// The first floors are not what the client believes.
    #[error("the kept floors are not those of the base")]
    KeepMismatch,
    /// A later request of the same client came first.
    #[error("request {seq} is older than {last}")]
    OldSeq {
        /// The number of the request.
        seq: i64,
        /// The newest number.
        last: i64,
    },
    /// A row or message cannot be understood.
    #[error("floor {floor}: {problem}")]
    BadRow {
        /// Where.
        floor: usize,
        /// What is wrong.
        problem: &'static str,
    },
    /// Another writer moved the branch at the same time.
    #[error("the branch was changed at the same time")]
    RefMoved,
    /// An edit does not fit the branch.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A chat file cannot be read.
    #[error(transparent)]
    ChatFile(#[from] ChatFileError),
}
