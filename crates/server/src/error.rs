//! Errors as HTTP responses. The errors of other crates have their own messages; here they get a status.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use storeyline_state as state;
use storeyline_state::{Explain, Explanation};
use utoipa::ToSchema;

use crate::wire::common::Words;

/// The body of every error response.
#[derive(Serialize, ToSchema)]
pub(crate) struct Error {
    error: ErrorBody,
}

#[derive(Serialize, ToSchema)]
struct ErrorBody {
    /// Stable; for programs.
    code: &'static str,
    /// What happened, and to what.
    message: Words,
    /// What to do next.
    hint: Words,
    /// Id of the request, as in the header `x-request-id` and in the log.
    request: String,
}

#[derive(Debug)]
pub(crate) struct ApiError(Explanation);

/// The status of every code, as `docs/api.md` lists them.
fn status(code: &str) -> StatusCode {
    match code {
        "bad_json" | "bad_request" | "bad_owner" | "bad_archive" => StatusCode::BAD_REQUEST,
        "no_token" => StatusCode::UNAUTHORIZED,
        "bad_host" | "bad_origin" | "no_header" | "owner_needs_token" | "not_local" => StatusCode::FORBIDDEN,
        "not_found" | "unknown_chat" | "unknown_operation" => StatusCode::NOT_FOUND,
        "bad_method" => StatusCode::METHOD_NOT_ALLOWED,
        "old_seq" | "keep_mismatch" | "ref_moved" | "conflict" | "chat_elsewhere" | "story_exists" | "in_trash"
        | "last_branch" | "is_tag" | "page_twice" | "nothing_to_undo" | "undo_conflict" | "conflicts" => {
            StatusCode::CONFLICT
        }
        "too_large" => StatusCode::PAYLOAD_TOO_LARGE,
        "not_json" => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "too_many" | "busy" => StatusCode::TOO_MANY_REQUESTS,
        "incomplete" | "pending" => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Makes a sentence of a clause, because a page shows it right before the hint.
fn sentence(words: &state::Words) -> Words {
    let word = words.en.split(' ').next().unwrap_or_default();
    let mut en = words.en.clone();
    if word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        en[..word.len().min(1)].make_ascii_uppercase();
    }
    let ended = |text: String, stop: &str| if text.ends_with(stop) { text } else { text + stop };
    Words { zh: ended(words.zh.clone(), "。"), en: ended(en, ".") }
}

impl ApiError {
    fn new(code: &'static str, words: (&str, &str), hint: (&str, &str)) -> Self {
        let (words, hint) = (state::Words::new(words.0, words.1), state::Words::new(hint.0, hint.1));
        ApiError(Explanation { code, words, hint })
    }

    pub(crate) fn code(&self) -> &'static str {
        self.0.code
    }

    /// Returns the response body.
    pub(crate) fn wire(&self, request: &str) -> Error {
        let (message, hint) = (sentence(&self.0.words), (&self.0.hint).into());
        Error { error: ErrorBody { code: self.0.code, message, hint, request: request.to_owned() } }
    }

    pub(crate) fn bad_owner() -> Self {
        Self::new(
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
            "not_local",
            ("这会影响所有账号。", "This would concern all accounts."),
            ("只有运行引擎的人可以这样做。", "Only the one who runs the engine may do it."),
        )
    }

    pub(crate) fn bad_method() -> Self {
        Self::new(
            "bad_method",
            ("这个地址不接受这种请求。", "This address does not take such a request."),
            ("可用的请求见 /docs。", "See /docs for the requests it takes."),
        )
    }

    pub(crate) fn too_many() -> Self {
        Self::new(
            "too_many",
            ("同时收听的连接太多。", "Too many connections listen at the same time."),
            ("请关掉几个页面，或改用 `/api/v1/changes`。", "Close some pages, or use `/api/v1/changes`."),
        )
    }

    pub(crate) fn conflicts(count: usize) -> Self {
        let zh = format!("有 {count} 处两条分支都改过。没有写入任何东西。");
        let en = format!("Both branches changed {count} places. Nothing was written.");
        Self::new("conflicts", (&zh, &en), ("请用 `prefer` 说明以哪一边为准。", "Say with `prefer` whose word counts."))
    }

    pub(crate) fn nothing_here(zh: &str, en: &str) -> Self {
        let hint = ("请检查名称或 id；没有写入任何东西。", "Check the name or the id. Nothing was written.");
        Self::new("not_found", (zh, en), hint)
    }

    pub(crate) fn no_token() -> Self {
        Self::new(
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
            "bad_host",
            ("不接受这个主机名。", "This host name is not accepted."),
            ("请使用 127.0.0.1 或 localhost。", "Use 127.0.0.1 or localhost."),
        )
    }

    pub(crate) fn bad_origin() -> Self {
        Self::new(
            "bad_origin",
            ("请求来自别的网页。", "The request comes from another web page."),
            ("请从 Storeyline 自己的页面操作。", "Use Storeyline's own page."),
        )
    }

    pub(crate) fn no_header() -> Self {
        Self::new(
            "no_header",
            ("缺少请求头 X-Storeyline。", "The header X-Storeyline is missing."),
            ("修改请求要带上 `X-Storeyline: 1`。", "Send `X-Storeyline: 1` with every request that changes something."),
        )
    }

    pub(crate) fn not_json() -> Self {
        Self::new(
            "not_json",
            ("请求不是 JSON。", "The request is not JSON."),
            ("请带上 `Content-Type: application/json`。", "Send `Content-Type: application/json`."),
        )
    }

    pub(crate) fn too_large() -> Self {
        Self::new("too_large", ("请求太大。", "The request is too large."), ("请分几次发送。", "Send it in parts."))
    }

    pub(crate) fn not_found() -> Self {
        Self::new(
            "not_found",
            ("没有这个地址。", "There is no such address."),
            ("可用的地址见 /docs。", "See /docs for the addresses."),
        )
    }

    pub(crate) fn internal() -> Self {
        Self::new(
            "internal",
            ("引擎内部出错。", "Something went wrong inside the engine."),
            ("没有写入任何东西，请重试。", "Nothing was written; try again."),
        )
    }

    pub(crate) fn bad_json(problem: &str) -> Self {
        Self::unreadable("bad_json", problem)
    }

    pub(crate) fn bad_request(problem: &str) -> Self {
        Self::unreadable("bad_request", problem)
    }

    fn unreadable(code: &'static str, problem: &str) -> Self {
        let (zh, en) = (format!("请求内容无法读取：{problem}"), format!("The request cannot be read: {problem}"));
        let hint = ("请检查请求的内容。没有写入任何东西。", "Check what was sent. Nothing was written.");
        Self::new(code, (&zh, &en), hint)
    }
}

impl<E: Explain> From<E> for ApiError {
    fn from(error: E) -> Self {
        ApiError(error.explain())
    }
}

impl IntoResponse for ApiError {
    /// The body is written by the middleware that knows the id of the request.
    fn into_response(self) -> Response {
        let mut response = status(self.code()).into_response();
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_documented_code_has_its_status() {
        let codes = include_str!("../../../docs/api.md").split("\n\n").find(|part| part.starts_with("`bad_json` 400"));
        for entry in codes.unwrap().replace('\n', " ").trim_end_matches('.').split(", ") {
            let (code, documented) = entry.split_once(' ').unwrap();
            assert_eq!(status(code.trim_matches('`')).as_str(), documented, "{code}");
        }
    }

    #[test]
    fn a_clause_becomes_a_sentence_but_a_file_name_stays() {
        let said = |zh: &str, en: &str| {
            let Words { zh, en } = sentence(&state::Words::new(zh, en));
            (zh, en)
        };
        assert_eq!(said("没有", "there is none"), ("没有。".to_owned(), "There is none.".to_owned()));
        assert_eq!(said("好。", "a.db: it is full."), ("好。".to_owned(), "a.db: it is full.".to_owned()));
    }
}
