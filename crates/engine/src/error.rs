//! The error of every engine function, with code, message and hint.

use crate::archive::ArchiveError;
use storeyline_compat::{ChatFileError, ChatHistoryError};
use storeyline_history::EditError;
use storeyline_state::{ChatId, Explain, Explanation, PageId, RefId, StoryId};
use storeyline_store::foreign::ForeignError;
use storeyline_store::{OperationKind, StoreError};

pub(crate) type Result<T, E = EngineError> = std::result::Result<T, E>;

/// Why a request could not be carried out. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The scripts of a change take long. It continues, and the branch moves when it is done.
    #[error("the change is still being computed")]
    Pending,
    #[error("too many changes are waiting for functions to end")]
    Busy,
    #[error("chat {0} is not known")]
    UnknownChat(ChatId),
    #[error("there is no story {0}")]
    UnknownStory(StoryId),
    #[error("there is no branch {0} in this story")]
    UnknownRef(RefId),
    #[error("branch {0} is in the trash")]
    InTrash(RefId),
    #[error("the last branch of a story cannot be deleted")]
    LastBranch,
    #[error("{0} is a tag: a tag is never changed")]
    IsTag(RefId),
    #[error("there is no operation {0} on this branch")]
    UnknownOperation(i64),
    #[error("there is nothing to undo")]
    NothingToUndo,
    #[error("there is nothing to redo")]
    NothingToRedo,
    #[error("operation {operation} cannot be taken back: the later operation {later} ({}) touched the same place", kind.as_str())]
    UndoConflict { operation: i64, later: i64, kind: OperationKind },
    #[error("the branch has {floors} floors, there is no floor {floor}")]
    NoFloor { floor: usize, floors: usize },
    #[error("page {0} is not on this floor")]
    NoPage(PageId),
    /// A branch, or a list of floors that a client sent, has no floor.
    #[error("the list of floors is empty")]
    EmptyPath,
    /// The client's digest of the unchanged floors is not the digest of its base.
    #[error("the kept floors are not those of the base")]
    KeepMismatch,
    /// A later request of the same client was handled already.
    #[error("request {seq} is older than {last}")]
    OldSeq { seq: i64, last: i64 },
    #[error("floor {floor}: {problem}")]
    BadRow { floor: usize, problem: &'static str },
    #[error("the branch was changed at the same time")]
    RefMoved,
    /// A library was saved by somebody else since the client read it.
    #[error("the function library was changed at the same time")]
    LibraryMoved,
    #[error("a library has at most {most} functions and rules, this one would have {count}")]
    LargeLibrary { count: usize, most: usize },
    #[error("the two branches belong to different stories")]
    OtherStory,
    #[error("`{path}` is not a path: {problem}")]
    BadPath { path: String, problem: String },
    /// A chat is imported into another story than its own.
    #[error("chat {chat} is a branch of story {story} already")]
    ChatElsewhere { chat: ChatId, story: StoryId },
    #[error(transparent)]
    Edit(#[from] EditError),
    #[error(transparent)]
    ChatFile(#[from] ChatFileError),
    #[error(transparent)]
    History(#[from] ChatHistoryError),
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The caller could not write what it was given.
    #[error("the output cannot be written: {0}")]
    Output(#[source] std::io::Error),
    /// The database of another program cannot be read.
    #[error(transparent)]
    Foreign(#[from] ForeignError),
}

impl Explain for EngineError {
    fn explain(&self) -> Explanation {
        let (code, zh): (_, String) = match self {
            Self::Store(error) => return error.explain(),
            Self::Edit(error) => return error.explain(),
            Self::ChatFile(error) => return error.explain(),
            Self::History(error) => return error.explain(),
            Self::Archive(error) => return error.explain(),
            Self::Foreign(error) => return error.explain(),
            Self::UnknownChat(chat) => ("unknown_chat", format!("聊天 {chat} 还没有登记")),
            Self::UnknownStory(story) => ("not_found", format!("没有故事 {story}")),
            Self::UnknownRef(branch) => ("not_found", format!("这个故事没有分支 {branch}")),
            Self::InTrash(branch) => ("in_trash", format!("分支 {branch} 在回收站里")),
            Self::LastBranch => ("last_branch", "故事的最后一个分支不能删除".into()),
            Self::IsTag(tag) => ("is_tag", format!("{tag} 是标签，标签不会改变")),
            Self::UnknownOperation(number) => ("unknown_operation", format!("这条分支上没有操作 {number}")),
            Self::NothingToUndo => ("nothing_to_undo", "没有可以撤销的操作".into()),
            Self::NothingToRedo => ("nothing_to_undo", "没有可以重做的操作".into()),
            Self::UndoConflict { operation, later, .. } => {
                ("undo_conflict", format!("操作 {operation} 无法撤销：后来的操作 {later} 改了同一处"))
            }
            Self::NoFloor { floor, floors } => ("not_found", format!("这条分支有 {floors} 层，没有第 {floor} 层")),
            Self::NoPage(page) => ("not_found", format!("页 {page} 不在这一层")),
            Self::EmptyPath => ("bad_request", "楼层列表是空的".into()),
            Self::KeepMismatch => ("keep_mismatch", "双方记得的楼层不一致".into()),
            Self::OldSeq { seq, last } => ("old_seq", format!("请求 {seq} 比已处理的 {last} 更旧")),
            Self::BadRow { floor, problem } => ("bad_request", format!("第 {floor} 层读不懂：{problem}")),
            Self::Pending => ("pending", "改动还在计算中".into()),
            Self::Busy => ("busy", "等待函数结束的改动太多".into()),
            Self::RefMoved => ("ref_moved", "分支刚被别处改动".into()),
            Self::LibraryMoved => ("library_moved", "函数库刚在别处被改过".into()),
            Self::LargeLibrary { count, most } => {
                ("large_library", format!("一个函数库最多 {most} 个函数和规则，这样会有 {count} 个"))
            }
            Self::OtherStory => ("bad_request", "两条分支不属于同一个故事".into()),
            Self::BadPath { path, problem } => ("bad_request", format!("“{path}”不是路径：{problem}")),
            Self::ChatElsewhere { chat, story } => ("chat_elsewhere", format!("聊天 {chat} 已经是故事 {story} 的分支")),
            Self::Output(error) => ("internal", format!("结果无法写出：{error}")),
        };
        self.explained(code, zh, self.hint())
    }
}

impl EngineError {
    fn hint(&self) -> (&'static str, &'static str) {
        match self {
            Self::UnknownChat(_) => ("先登记它（`POST /api/v1/chats`）。", "Open it first (`POST /api/v1/chats`)."),
            Self::NoPage(_) => ("请刷新后再试。", "Reload and try again."),
            Self::EmptyPath => {
                ("分支至少要有一层；没有写入任何东西。", "A branch has at least one floor; nothing was written.")
            }
            Self::KeepMismatch => (
                "用 `keep: {\"len\": 0, \"digest\": \"\"}` 重新发送全部楼层。",
                "Send all floors again with `keep: {\"len\": 0, \"digest\": \"\"}`.",
            ),
            Self::Pending => (
                "文字已经保存；算完后分支会自动前进。过一会儿再看。",
                "The text is stored; the branch moves when the computation ends. Look again in a moment.",
            ),
            Self::Busy => (
                "没有写入任何东西。等正在计算的改动结束后再试。",
                "Nothing was written. Try again when the changes under way have ended.",
            ),
            Self::RefMoved => ("没有写入任何东西。请重试。", "Nothing was written. Try again."),
            Self::LibraryMoved => (
                "没有写入任何东西。重新读取函数库，再改一次。",
                "Nothing was written. Read the library again and repeat your change.",
            ),
            Self::LargeLibrary { .. } => (
                "没有写入任何东西。请只导入需要的函数。",
                "Nothing was written. Import only the functions that you need.",
            ),
            Self::InTrash(_) => ("先把它恢复。", "Restore it first."),
            Self::LastBranch => ("先建另一个分支。", "Make another branch first."),
            Self::IsTag(_) => ("从它建一个分支再修改。", "Make a branch from it and change that."),
            Self::UndoConflict { .. } => ("先撤销那个更晚的操作。", "Undo that later operation first."),
            Self::OtherStory => {
                ("只能比较或合并同一故事的分支。", "Only branches of one story can be compared or merged.")
            }
            Self::BadPath { .. } => ("路径写作 `角色.金币`、`背包[0]`。", "A path is written `角色.金币`, `背包[0]`."),
            Self::ChatElsewhere { .. } => (
                "不带 `--into`（HTTP：`into`）再试；没有写入任何东西。",
                "Try again without `--into` (HTTP: `into`); nothing was written.",
            ),
            _ => ("没有写入任何东西。", "Nothing was written."),
        }
    }
}
