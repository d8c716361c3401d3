//! Converts errors to HTTP responses: status, stable code, message, hint.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use storeyline_engine::{CardError, EditError, EngineError, StoreError, WorldBookError};
use utoipa::ToSchema;

use crate::wire::common::WordsWire;

/// The body of every error response.
#[derive(Serialize, ToSchema)]
#[schema(as = Error)]
pub(crate) struct ErrorWire {
    error: ErrorBodyWire,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ErrorBody)]
struct ErrorBodyWire {
    /// Stable; for programs.
    code: &'static str,
    /// What happened, and to what.
    message: WordsWire,
    /// What to do next.
    hint: WordsWire,
    /// Id of the request, as in the header `x-request-id` and in the log.
    request: String,
}

#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    code: &'static str,
    message: (String, String),
    hint: (&'static str, &'static str),
}

impl ApiError {
    fn new(status: u16, code: &'static str, message: (&str, &str), hint: (&'static str, &'static str)) -> Self {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        ApiError { status, code, message: (message.0.to_owned(), message.1.to_owned()), hint }
    }

    pub(crate) fn code(&self) -> &'static str {
        self.code
    }

    /// Returns the response body.
    pub(crate) fn wire(&self, request: &str) -> ErrorWire {
        let words = |words: (&str, &str)| WordsWire { zh: words.0.to_owned(), en: words.1.to_owned() };
        ErrorWire {
            error: ErrorBodyWire {
                code: self.code,
                message: words((&self.message.0, &self.message.1)),
                hint: words(self.hint),
                request: request.to_owned(),
            },
        }
    }

    pub(crate) fn bad_owner() -> Self {
        Self::new(
            400,
            "bad_owner",
            ("请求头 X-Storeyline-Owner 不是账号名。", "The header X-Storeyline-Owner is not the name of an account."),
            (
                "账号名由 1 到 64 个字母、数字、`.`、`_`、`-`、`@` 组成。",
                "A name has 1 to 64 letters, digits, `.`, `_`, `-` or `@`.",
            ),
        )
    }

    pub(crate) fn owner_needs_token() -> Self {
        Self::new(
            403,
            "owner_needs_token",
            ("网页不能代表别的账号提问。", "A web page cannot ask for another account."),
            (
                "X-Storeyline-Owner 只能与令牌一起使用，不能与 cookie 一起使用。",
                "X-Storeyline-Owner counts only together with the token, never with the cookie.",
            ),
        )
    }

    pub(crate) fn not_local() -> Self {
        Self::new(
            403,
            "not_local",
            ("这会影响所有账号。", "This would concern all accounts."),
            ("只有运行引擎的人可以这样做。", "Only the one who runs the engine may do it."),
        )
    }

    pub(crate) fn bad_method() -> Self {
        Self::new(
            405,
            "bad_method",
            ("这个地址不接受这种请求。", "This address does not take such a request."),
            ("可用的请求见 /docs。", "See /docs for the requests it takes."),
        )
    }

    pub(crate) fn too_many() -> Self {
        Self::new(
            429,
            "too_many",
            ("同时收听的连接太多。", "Too many connections listen at the same time."),
            ("请关掉几个页面，或改用 `/api/v1/changes`。", "Close some pages, or use `/api/v1/changes`."),
        )
    }

    pub(crate) fn conflicts(count: usize) -> Self {
        let zh = format!("有 {count} 处两条分支都改过。没有写入任何东西。");
        let en = format!("Both branches changed {count} places. Nothing was written.");
        Self::new(
            409,
            "conflicts",
            (&zh, &en),
            ("请用 `prefer` 说明以哪一边为准。", "Say with `prefer` whose word counts."),
        )
    }

    pub(crate) fn nothing_here(zh: &str, en: &str) -> Self {
        let hint = ("请检查名称或 id；没有写入任何东西。", "Check the name or the id. Nothing was written.");
        Self::new(404, "not_found", (zh, en), hint)
    }

    pub(crate) fn no_token() -> Self {
        Self::new(
            401,
            "no_token",
            ("没有访问令牌，或令牌不对。", "The access token is missing or wrong."),
            (
                "请用 `storeyline serve` 打印的链接打开，或带上数据文件夹里 `token` 文件的内容。",
                "Open the link that `storeyline serve` prints, or send what is in the file `token` of the data folder.",
            ),
        )
    }

    pub(crate) fn bad_host() -> Self {
        Self::new(
            403,
            "bad_host",
            ("不接受这个主机名。", "This host name is not accepted."),
            ("请使用 127.0.0.1 或 localhost。", "Use 127.0.0.1 or localhost."),
        )
    }

    pub(crate) fn bad_origin() -> Self {
        Self::new(
            403,
            "bad_origin",
            ("请求来自别的网页。", "The request comes from another web page."),
            ("请从 Storeyline 自己的页面操作。", "Use Storeyline's own page."),
        )
    }

    pub(crate) fn no_header() -> Self {
        Self::new(
            403,
            "no_header",
            ("缺少请求头 X-Storeyline。", "The header X-Storeyline is missing."),
            ("修改请求要带上 `X-Storeyline: 1`。", "Send `X-Storeyline: 1` with every request that changes something."),
        )
    }

    pub(crate) fn not_json() -> Self {
        Self::new(
            415,
            "not_json",
            ("请求不是 JSON。", "The request is not JSON."),
            ("请带上 `Content-Type: application/json`。", "Send `Content-Type: application/json`."),
        )
    }

    pub(crate) fn too_large() -> Self {
        Self::new(
            413,
            "too_large",
            ("请求太大。", "The request is too large."),
            ("请分几次发送。", "Send it in parts."),
        )
    }

    pub(crate) fn not_found() -> Self {
        Self::new(
            404,
            "not_found",
            ("没有这个地址。", "There is no such address."),
            ("可用的地址见 /docs。", "See /docs for the addresses."),
        )
    }

    pub(crate) fn internal() -> Self {
        Self::new(
            500,
            "internal",
            ("引擎内部出错。", "Something went wrong inside the engine."),
            ("没有写入任何东西，请重试。", "Nothing was written; try again."),
        )
    }

    pub(crate) fn bad_json(problem: &str) -> Self {
        let mut error = Self::new(
            400,
            "bad_json",
            ("", ""),
            ("请检查请求的内容。没有写入任何东西。", "Check what was sent. Nothing was written."),
        );
        error.message = (format!("请求内容无法读取：{problem}"), format!("The request cannot be read: {problem}"));
        error
    }

    pub(crate) fn bad_request(problem: &str) -> Self {
        ApiError { code: "bad_request", ..Self::bad_json(problem) }
    }
}

impl From<EngineError> for ApiError {
    fn from(error: EngineError) -> Self {
        let nothing = ("没有写入任何东西。", "Nothing was written.");
        let words = error.to_string();
        let told = |status, code, zh: &str| Self::new(status, code, (zh, &words), nothing);
        match error {
            EngineError::UnknownChat(_) => Self::new(
                404,
                "unknown_chat",
                ("这个聊天还没有登记。", "This chat is not known yet."),
                ("先发送 `POST /api/v1/chats`。", "Send `POST /api/v1/chats` first."),
            ),
            EngineError::UnknownStory(_) => {
                Self::new(404, "not_found", ("没有这个故事。", "There is no such story."), nothing)
            }
            EngineError::UnknownRef(_) => Self::new(
                404,
                "not_found",
                ("这个故事里没有这个分支。", "There is no such branch in this story."),
                nothing,
            ),
            EngineError::NoFloor { floors, .. } => {
                let last = floors.saturating_sub(1);
                Self::new(
                    404,
                    "not_found",
                    (&format!("这个分支到 #{last} 为止。"), &format!("This branch ends at #{last}.")),
                    nothing,
                )
            }
            EngineError::Edit(EditError::PageTwice(page)) => Self::new(
                409,
                "page_twice",
                (&format!("页 {page} 已经在这条分支上。"), &format!("Page {page} is on this branch already.")),
                nothing,
            ),
            EngineError::Edit(EditError::NoFloor(floor)) => Self::new(
                404,
                "not_found",
                (&format!("这条分支没有第 {floor} 层。"), &format!("This branch has no floor {floor}.")),
                nothing,
            ),
            EngineError::NoPage(_) | EngineError::Edit(EditError::NoPage(_)) => Self::new(
                404,
                "not_found",
                ("这一页不在这里。", "This page is not here."),
                ("请刷新后再试。", "Reload and try again."),
            ),
            EngineError::EmptyPath => {
                Self::new(400, "bad_request", ("楼层列表是空的。", "The list of floors is empty."), nothing)
            }
            EngineError::BadRow { floor, problem } => {
                told(400, "bad_request", &format!("第 {floor} 层读不懂：{problem}"))
            }
            EngineError::KeepMismatch => Self::new(
                409,
                "keep_mismatch",
                ("双方记得的楼层不一致。", "The two sides remember different floors."),
                (
                    "用 `keep: {\"len\": 0, \"digest\": \"\"}` 重新发送全部楼层。",
                    "Send all floors again with `keep: {\"len\": 0, \"digest\": \"\"}`.",
                ),
            ),
            EngineError::OldSeq { .. } => Self::new(
                409,
                "old_seq",
                ("这个请求比已处理的更旧。", "This request is older than one that was handled."),
                nothing,
            ),
            EngineError::RefMoved => Self::new(
                409,
                "ref_moved",
                ("分支刚被别处改动。", "The branch was changed elsewhere just now."),
                ("请重试。", "Try again."),
            ),
            EngineError::ChatElsewhere { chat, story } => {
                told(409, "chat_elsewhere", &format!("聊天 {chat} 已经是故事 {story} 的分支。"))
            }
            EngineError::ChatFile(_) | EngineError::History(_) => {
                told(400, "bad_request", &format!("聊天文件无法读取：{words}"))
            }
            EngineError::Archive(error) => {
                let (status, words) = (if error.code() == "story_exists" { 409 } else { 400 }, error.words());
                Self::new(status, error.code(), (&words.zh, &words.en), error.hint())
            }
            EngineError::Output(_) => Self::internal(),
            EngineError::Foreign(_) => told(400, "bad_request", &format!("数据库无法读取：{words}")),
            EngineError::BadPath { path, problem } => told(400, "bad_request", &format!("“{path}”不是路径：{problem}")),
            EngineError::OtherStory => told(400, "bad_request", "两条分支不属于同一个故事。"),
            EngineError::InTrash(_) => Self::new(
                409,
                "in_trash",
                ("这个分支在回收站里。", "The branch is in the trash."),
                ("先把它恢复。", "Restore it first."),
            ),
            EngineError::LastBranch => Self::new(
                409,
                "last_branch",
                ("故事的最后一个分支不能删除。", "The last branch of a story cannot be deleted."),
                ("先建另一个分支。", "Make another branch first."),
            ),
            EngineError::IsTag(_) => Self::new(
                409,
                "is_tag",
                ("标签不会改变。", "A tag never changes."),
                ("从它建一个分支再修改。", "Make a branch from it and change that."),
            ),
            EngineError::UnknownOperation(number) => {
                told(404, "unknown_operation", &format!("这条分支上没有操作 {number}。"))
            }
            EngineError::NothingToUndo | EngineError::NothingToRedo => Self::new(
                409,
                "nothing_to_undo",
                ("没有可以撤销或重做的操作。", "There is nothing to undo or redo."),
                nothing,
            ),
            EngineError::UndoConflict { operation, later, .. } => {
                let zh = format!("操作 {operation} 无法撤销：后来的操作 {later} 改了同一处。");
                let mut error = told(409, "undo_conflict", &zh);
                error.hint = ("先撤销那个更晚的操作。", "Undo that later operation first.");
                error
            }
            EngineError::Store(StoreError::TooNew { .. }) => Self::new(
                500,
                "internal",
                ("数据库由更新的版本写成。", "The database was written by a newer version."),
                ("请更新 Storeyline。", "Update Storeyline."),
            ),
            EngineError::Store(StoreError::Incomplete(_)) => Self::new(
                503,
                "incomplete",
                (
                    "有函数没有在限时内算完，这一页还没有状态，也没有写入任何东西。",
                    "A function did not end in time: this page has no state yet, and nothing was written.",
                ),
                ("请重试；如果总是这样，请停用该函数。", "Try again; if it always happens, switch that function off."),
            ),
            EngineError::Store(_) => {
                let mut error = told(500, "internal", &format!("数据库出错：{words}"));
                error.message.1 = format!("The database failed: {words}");
                error.hint =
                    ("请运行 `storeyline verify`。没有写入任何东西。", "Run `storeyline verify`. Nothing was written.");
                error
            }
        }
    }
}

impl From<CardError> for ApiError {
    fn from(error: CardError) -> Self {
        Self::bad_request(&error.to_string())
    }
}

impl From<WorldBookError> for ApiError {
    fn from(error: WorldBookError) -> Self {
        Self::bad_request(&error.to_string())
    }
}

impl IntoResponse for ApiError {
    /// The body is written by the middleware that knows the id of the request.
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}
