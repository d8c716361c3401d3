//! Errors as HTTP responses. The errors of other crates have their own messages; here they get a status.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use storeyline_state::{self as state, Explain, Explanation};
use storeyline_wire::common::Words;
use utoipa::ToSchema;

use crate::refusals::Refusal;

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
        "bad_json" | "bad_request" | "bad_owner" | "bad_archive" | "large_library" => StatusCode::BAD_REQUEST,
        "no_token" => StatusCode::UNAUTHORIZED,
        "bad_host" | "bad_origin" | "no_header" | "needs_token" | "bad_link" | "not_local" => StatusCode::FORBIDDEN,
        "not_found" | "unknown_chat" | "unknown_operation" => StatusCode::NOT_FOUND,
        "bad_method" => StatusCode::METHOD_NOT_ALLOWED,
        "old_seq" | "keep_mismatch" | "ref_moved" | "library_moved" | "conflict" | "chat_elsewhere"
        | "story_exists" | "in_trash" | "last_branch" | "is_tag" | "page_twice" | "nothing_to_undo"
        | "undo_conflict" | "conflicts" => StatusCode::CONFLICT,
        "too_slow" => StatusCode::REQUEST_TIMEOUT,
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
        let (message, hint) = (sentence(&self.0.words), self.0.hint.clone());
        Error { error: ErrorBody { code: self.0.code, message, hint, request: request.to_owned() } }
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

    pub(crate) fn bad_json(problem: &str) -> Self {
        Self::unreadable("bad_json", problem)
    }

    pub(crate) fn bad_request(problem: &str) -> Self {
        Self::unreadable("bad_request", problem)
    }

    /// Like [`ApiError::bad_request`], where the problem has words of its own in both languages.
    pub(crate) fn bad_words(problem: &state::Words) -> Self {
        let hint = ("请改正后再试。没有写入任何东西。", "Correct it and try again. Nothing was written.");
        Self::new("bad_request", (&problem.zh, &problem.en), hint)
    }

    fn unreadable(code: &'static str, problem: &str) -> Self {
        let (zh, en) = (format!("请求内容无法读取：{problem}"), format!("The request cannot be read: {problem}"));
        let hint = ("请检查请求的内容。没有写入任何东西。", "Check what was sent. Nothing was written.");
        Self::new(code, (&zh, &en), hint)
    }
}

impl From<Refusal> for ApiError {
    fn from(Refusal { code, words, hint }: Refusal) -> Self {
        ApiError::new(code, words, hint)
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
