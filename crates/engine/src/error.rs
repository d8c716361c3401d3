//! Why a request could not be carried out.

use crate::archive::ArchiveError;
use storeyline_compat::{ChatFileError, ChatHistoryError};
use storeyline_history::EditError;
use storeyline_state::{ChatId, Explain, Explanation, PageId, RefId, StoryId};
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
    #[error("{0} is a tag: a tag is never changed")]
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

impl Explain for EngineError {
    fn explain(&self) -> Explanation {
        let (code, zh): (_, String) = match self {
            EngineError::Store(error) => return error.explain(),
            EngineError::Edit(error) => return error.explain(),
            EngineError::ChatFile(error) => return error.explain(),
            EngineError::History(error) => return error.explain(),
            EngineError::Archive(error) => return error.explain(),
            EngineError::Foreign(error) => return error.explain(),
            EngineError::UnknownChat(chat) => ("unknown_chat", format!("聊天 {chat} 还没有登记")),
            EngineError::UnknownStory(story) => ("not_found", format!("没有故事 {story}")),
            EngineError::UnknownRef(branch) => ("not_found", format!("这个故事没有分支 {branch}")),
            EngineError::InTrash(branch) => ("in_trash", format!("分支 {branch} 在回收站里")),
            EngineError::LastBranch => ("last_branch", "故事的最后一个分支不能删除".into()),
            EngineError::IsTag(tag) => ("is_tag", format!("{tag} 是标签，标签不会改变")),
            EngineError::UnknownOperation(number) => ("unknown_operation", format!("这条分支上没有操作 {number}")),
            EngineError::NothingToUndo => ("nothing_to_undo", "没有可以撤销的操作".into()),
            EngineError::NothingToRedo => ("nothing_to_undo", "没有可以重做的操作".into()),
            EngineError::UndoConflict { operation, later, .. } => {
                ("undo_conflict", format!("操作 {operation} 无法撤销：后来的操作 {later} 改了同一处"))
            }
            EngineError::NoFloor { floor, floors } => {
                ("not_found", format!("这条分支有 {floors} 层，没有第 {floor} 层"))
            }
            EngineError::NoPage(page) => ("not_found", format!("页 {page} 不在这一层")),
            EngineError::EmptyPath => ("bad_request", "楼层列表是空的".into()),
            EngineError::KeepMismatch => ("keep_mismatch", "双方记得的楼层不一致".into()),
            EngineError::OldSeq { seq, last } => ("old_seq", format!("请求 {seq} 比已处理的 {last} 更旧")),
            EngineError::BadRow { floor, problem } => ("bad_request", format!("第 {floor} 层读不懂：{problem}")),
            EngineError::Pending => ("pending", "改动还在计算中".into()),
            EngineError::Busy => ("busy", "等待函数结束的改动太多".into()),
            EngineError::RefMoved => ("ref_moved", "分支刚被别处改动".into()),
            EngineError::OtherStory => ("bad_request", "两条分支不属于同一个故事".into()),
            EngineError::BadPath { path, problem } => ("bad_request", format!("“{path}”不是路径：{problem}")),
            EngineError::ChatElsewhere { chat, story } => {
                ("chat_elsewhere", format!("聊天 {chat} 已经是故事 {story} 的分支"))
            }
            EngineError::Output(error) => ("internal", format!("结果无法写出：{error}")),
        };
        self.explained(code, zh, self.hint())
    }
}

impl EngineError {
    fn hint(&self) -> (&'static str, &'static str) {
        match self {
            EngineError::UnknownChat(_) => {
                ("先登记它（`POST /api/v1/chats`）。", "Open it first (`POST /api/v1/chats`).")
            }
            EngineError::NoPage(_) => ("请刷新后再试。", "Reload and try again."),
            EngineError::EmptyPath => {
                ("分支至少要有一层；没有写入任何东西。", "A branch has at least one floor; nothing was written.")
            }
            EngineError::KeepMismatch => (
                "用 `keep: {\"len\": 0, \"digest\": \"\"}` 重新发送全部楼层。",
                "Send all floors again with `keep: {\"len\": 0, \"digest\": \"\"}`.",
            ),
            EngineError::Pending => (
                "文字已经保存；算完后分支会自动前进。过一会儿再看。",
                "The text is stored; the branch moves when the computation ends. Look again in a moment.",
            ),
            EngineError::Busy => (
                "没有写入任何东西。等正在计算的改动结束后再试。",
                "Nothing was written. Try again when the changes under way have ended.",
            ),
            EngineError::RefMoved => ("没有写入任何东西。请重试。", "Nothing was written. Try again."),
            EngineError::InTrash(_) => ("先把它恢复。", "Restore it first."),
            EngineError::LastBranch => ("先建另一个分支。", "Make another branch first."),
            EngineError::IsTag(_) => ("从它建一个分支再修改。", "Make a branch from it and change that."),
            EngineError::UndoConflict { .. } => ("先撤销那个更晚的操作。", "Undo that later operation first."),
            EngineError::OtherStory => {
                ("只能比较或合并同一故事的分支。", "Only branches of one story can be compared or merged.")
            }
            EngineError::BadPath { .. } => {
                ("路径写作 `角色.金币`、`背包[0]`。", "A path is written `角色.金币`, `背包[0]`.")
            }
            EngineError::ChatElsewhere { .. } => (
                "不带 `--into`（HTTP：`into`）再试；没有写入任何东西。",
                "Try again without `--into` (HTTP: `into`); nothing was written.",
            ),
            _ => ("没有写入任何东西。", "Nothing was written."),
        }
    }
}
