//! Why a request could not be carried out.

use crate::archive::ArchiveError;
use storeyline_compat::{ChatFileError, ChatHistoryError};
use storeyline_history::EditError;
use storeyline_state::{ChatId, PageId, RefId, StoryId};
use storeyline_store::foreign::ForeignError;
use storeyline_store::{OperationKind, StoreError};

/// Why a request could not be carried out. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The scripts of a change take long; it goes on, and the branch moves when it is done.
    #[error("the change is still being computed")]
    Pending,
    /// Too many changes of this owner wait for scripts.
    #[error("too many changes are waiting for functions to end")]
    Busy,
    /// The chat was never opened.
    #[error("chat {0} is not known")]
    UnknownChat(ChatId),
    /// There is no such story.
    #[error("there is no story {0}")]
    UnknownStory(StoryId),
    /// There is no such branch in the story.
    #[error("there is no branch {0} in this story")]
    UnknownRef(RefId),
    /// The branch was thrown away.
    #[error("branch {0} is in the trash")]
    InTrash(RefId),
    /// A story always has a branch.
    #[error("the last branch of a story cannot be deleted")]
    LastBranch,
    /// A tag stays where it is.
    #[error("{0} is a tag: a tag is never changed, make a branch from it")]
    IsTag(RefId),
    /// There is no such operation on this branch.
    #[error("there is no operation {0} on this branch")]
    UnknownOperation(i64),
    /// Nothing is left to take back.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// Nothing is left to do again.
    #[error("there is nothing to redo")]
    NothingToRedo,
    /// Something later touched the same place.
    #[error("operation {operation} cannot be taken back: the later operation {later} ({}) touched the same place", kind.as_str())]
    UndoConflict {
        /// The one to be taken back.
        operation: i64,
        /// The one in its way.
        later: i64,
        /// What that was.
        kind: OperationKind,
    },
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
    /// Two places are in different stories.
    #[error("the two branches belong to different stories")]
    OtherStory,
    /// A path of a state cannot be read.
    #[error("`{path}` is not a path: {problem}")]
    BadPath {
        /// The path.
        path: String,
        /// What is wrong.
        problem: String,
    },
    /// A chat is read into another story than the one it belongs to.
    #[error("chat {chat} is a branch of story {story} already")]
    ChatElsewhere {
        /// The chat.
        chat: ChatId,
        /// Its story.
        story: StoryId,
    },
    /// An edit does not fit the branch.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A chat file cannot be read.
    #[error(transparent)]
    ChatFile(#[from] ChatFileError),
    /// A chat history cannot be read.
    #[error(transparent)]
    History(#[from] ChatHistoryError),
    /// An archive cannot be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// What was asked for could not be passed on.
    #[error("the output cannot be written: {0}")]
    Output(#[source] std::io::Error),
    /// The database of another program cannot be read.
    #[error(transparent)]
    Foreign(#[from] ForeignError),
}
