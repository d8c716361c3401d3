//! The routes of ST-VarSystem's plugin with the same responses, so that its extension works on this
//! engine.
//!
//! Intended differences: cleaning up moves to the trash and never deletes, an empty list moves
//! nothing, templates keep the order of their keys, a value that looks like a reference stays
//! unchanged, and too deep nesting is a client error. `corpus/varsystem/http.jsonl` has the
//! recorded responses of the plugin.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use storeyline_engine::{Dated, ForeignSave, new_id};
use storeyline_state::Value;
use storeyline_wire::JsonObject;
use storeyline_wire::address::LimitQuery;
use storeyline_wire::assets::PutSnapshot;

use crate::answer::Json;
use crate::body::JsonBody;
use crate::error::ApiError;
use crate::extract::{PathOf, QueryOf, Requester};
use crate::refusals::INTERNAL;
use crate::routes::{Answer, call, change};
use crate::var_manager::{
    Fields, GlobalQuery, VmChat, VmChatAt, VmCleaned, VmCleanup, VmDeleted, VmError, VmGlobal, VmGlobalAt,
    VmGlobalLine, VmGlobalList, VmGlobalSave, VmGlobalSaved, VmRestore, VmRestored, VmSnapshot, VmSnapshotAt,
    VmSnapshotPut, VmSnapshotSave, VmSnapshotSaved, VmTemplate, VmTemplateAt, VmTemplateSave, VmTrash,
};

type Reply = axum::response::Result<Response>;

fn refuse(status: StatusCode, words: &str) -> Response {
    (status, Json(VmError { error: storeyline_wire::Json(Value::text(words)), details: None })).into_response()
}

fn not_found(words: &str) -> Response {
    refuse(StatusCode::NOT_FOUND, words)
}

fn bad(words: &str) -> Response {
    refuse(StatusCode::BAD_REQUEST, words)
}

/// Returns 200 for a replacement, 201 for something new.
fn saved(replaced: bool, wire: impl serde::Serialize) -> Response {
    let status = if replaced { StatusCode::OK } else { StatusCode::CREATED };
    (status, Json(wire)).into_response()
}

/// Tells that the plugin is available.
#[utoipa::path(post, path = "/var-manager/probe", tag = "var-manager", responses((status = 204)))]
pub(crate) async fn probe(_: Requester) -> StatusCode {
    StatusCode::NO_CONTENT
}

/// Saves a snapshot.
#[utoipa::path(post, path = "/var-manager/snapshots", tag = "var-manager", request_body = VmSnapshotSave,
    responses((status = 200, body = VmSnapshotSaved), (status = 201, body = VmSnapshotSaved), (status = 400, body = VmError)))]
pub(crate) async fn save(requester: Requester, JsonBody(JsonObject(body)): JsonBody<JsonObject>) -> Reply {
    let mut fields = Fields::of(&body);
    let name = fields.maybe_text("identifier", Some(""));
    let message = fields.maybe_text("messageId", Some(""));
    let chat = fields.text("chatFile", "chatFile 字段不能为空");
    let payload = fields.value("payload");
    fields.check("Invalid snapshot request payload")?;
    store(requester, ForeignSave { name, chat, message, payload: payload.unwrap_or(Value::Null) }).await
}

async fn store(requester: Requester, save: ForeignSave) -> Reply {
    if !matches!(save.payload, Value::Object(_) | Value::List(_)) {
        return Err(bad("payload 必须是对象或数组").into());
    }
    let payload = save.payload.clone();
    let done = change(&requester, move |engine, owner| engine.put_foreign(owner, &save)).await?;
    let done = done.ok_or_else(|| bad("chatFile 字段不能为空"))?;
    Ok(saved(done.replaced, VmSnapshotSaved::new(done, &payload)))
}

/// Returns a snapshot.
#[utoipa::path(get, path = "/var-manager/snapshots/{identifier}", tag = "var-manager", params(VmSnapshotAt),
    responses((status = 200, body = VmSnapshot), (status = 404, body = VmError)))]
pub(crate) async fn one(requester: Requester, PathOf(at): PathOf<VmSnapshotAt>) -> Reply {
    let found = call(&requester, move |engine, owner| engine.foreign(owner, &at.identifier)).await?;
    let (snapshot, payload) = found.ok_or_else(|| not_found("Snapshot not found"))?;
    Ok(Json(VmSnapshot::new(snapshot, payload)).into_response())
}

/// Saves an edited snapshot under the same identifier.
#[utoipa::path(put, path = "/var-manager/snapshots/{identifier}", tag = "var-manager", params(VmSnapshotAt), request_body = VmSnapshotPut,
    responses((status = 200, body = VmSnapshotSaved), (status = 201, body = VmSnapshotSaved), (status = 400, body = VmError)))]
pub(crate) async fn put(
    requester: Requester,
    PathOf(at): PathOf<VmSnapshotAt>,
    JsonBody(JsonObject(body)): JsonBody<JsonObject>,
) -> Reply {
    let mut fields = Fields::of(&body);
    let message = fields.maybe_text("messageId", Some(""));
    let chat = fields.maybe_text("chatFile", Some("chatFile 字段不能为空"));
    // Its editor sends `snapshot`, everything else `payload`.
    let payload = match body.get("snapshot") {
        Some(snapshot) => Some(snapshot.clone()),
        None => fields.value("payload"),
    };
    fields.check("Invalid snapshot request payload")?;
    let payload = payload.unwrap_or(Value::Null);
    store(requester, ForeignSave { name: Some(at.identifier), chat, message, payload }).await
}

/// Moves a snapshot to the trash.
#[utoipa::path(delete, path = "/var-manager/snapshots/{identifier}", tag = "var-manager", params(VmSnapshotAt), responses((status = 204)))]
pub(crate) async fn delete(requester: Requester, PathOf(at): PathOf<VmSnapshotAt>) -> Reply {
    change(&requester, move |engine, owner| engine.trash_foreign(owner, &at.identifier)).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Moves the snapshots of a chat to the trash.
#[utoipa::path(delete, path = "/var-manager/snapshots/by-chat/{chatFile}", tag = "var-manager", params(VmChatAt), responses((status = 200, body = VmDeleted)))]
pub(crate) async fn delete_of_chat(
    requester: Requester,
    PathOf(VmChatAt(chat)): PathOf<VmChatAt>,
) -> Answer<VmDeleted> {
    trash_of(requester, chat).await
}

/// Moves the snapshots of a chat to the trash; the body names it.
#[utoipa::path(delete, path = "/var-manager/snapshots/by-chat", tag = "var-manager", request_body = VmChat,
    responses((status = 200, body = VmDeleted), (status = 400, body = VmError)))]
pub(crate) async fn delete_of_chat_in_body(requester: Requester, body: JsonBody<JsonObject>) -> Reply {
    of_chat_in_body(requester, body).await
}

/// Moves the snapshots of a chat to the trash; for clients whose proxies drop the body of a `DELETE`.
#[utoipa::path(post, path = "/var-manager/snapshots/by-chat", tag = "var-manager", request_body = VmChat,
    responses((status = 200, body = VmDeleted), (status = 400, body = VmError)))]
pub(crate) async fn post_of_chat(requester: Requester, body: JsonBody<JsonObject>) -> Reply {
    of_chat_in_body(requester, body).await
}

async fn of_chat_in_body(requester: Requester, JsonBody(JsonObject(body)): JsonBody<JsonObject>) -> Reply {
    let mut fields = Fields::of(&body);
    let chat = fields.text("chatFile", "chatFile 字段不能为空");
    fields.check("chatFile 参数缺失")?;
    let chat = chat.ok_or_else(|| bad("chatFile 参数缺失"))?;
    Ok(trash_of(requester, chat).await?.into_response())
}

async fn trash_of(requester: Requester, chat: String) -> Answer<VmDeleted> {
    let count = change(&requester, move |engine, owner| engine.trash_foreign_of(owner, &chat)).await?;
    Ok(Json(VmDeleted { deleted_count: count, message: format!("已删除 {count} 个快照") }))
}

/// Moves the snapshots of all chats except the named ones to the trash; an empty list moves nothing.
#[utoipa::path(post, path = "/var-manager/snapshots/cleanup", tag = "var-manager", request_body = VmCleanup,
    responses((status = 200, body = VmCleaned), (status = 400, body = VmError)))]
pub(crate) async fn cleanup(requester: Requester, JsonBody(JsonObject(body)): JsonBody<JsonObject>) -> Reply {
    let mut fields = Fields::of(&body);
    let active = fields.maybe_texts("activeChatFiles").ok_or_else(|| bad("activeChatFiles 必须是字符串数组"))?;
    let cleaned = change(&requester, move |engine, owner| engine.clean_foreign(owner, &active)).await?;
    let wire =
        VmCleaned { deleted_count: cleaned.moved, total_scanned: cleaned.chats, deleted_chat_files: cleaned.gone };
    Ok(Json(wire).into_response())
}

/// Saves a template.
#[utoipa::path(post, path = "/var-manager/templates", tag = "var-manager", request_body = VmTemplateSave,
    responses((status = 200, body = VmTemplate), (status = 400, body = VmError)))]
pub(crate) async fn save_template(requester: Requester, JsonBody(JsonObject(body)): JsonBody<JsonObject>) -> Reply {
    let mut fields = Fields::of(&body);
    let name = fields.text("characterName", "");
    fields.check("Invalid template payload")?;
    let (name, template) = (name.unwrap_or_default(), body.get("template").cloned().unwrap_or(Value::Null));
    let card = name.clone();
    change(&requester, move |engine, owner| engine.put_template(owner, &card, Some(&template))).await?;
    template_of(requester, name).await
}

/// Returns a template.
#[utoipa::path(get, path = "/var-manager/templates/{characterName}", tag = "var-manager", params(VmTemplateAt),
    responses((status = 200, body = VmTemplate), (status = 404, body = VmError)))]
pub(crate) async fn template(requester: Requester, PathOf(VmTemplateAt(name)): PathOf<VmTemplateAt>) -> Reply {
    template_of(requester, name).await
}

async fn template_of(requester: Requester, name: String) -> Reply {
    let card = name.clone();
    let found = call(&requester, move |engine, owner| engine.template_with_times(owner, &card)).await?;
    let Dated { value, created, updated } = found.ok_or_else(|| not_found("Template not found"))?;
    let wire = VmTemplate {
        character_name: name,
        template: storeyline_wire::Json(value),
        created_at: created,
        updated_at: updated,
    };
    Ok(Json(wire).into_response())
}

/// Saves a global snapshot.
#[utoipa::path(post, path = "/var-manager/global-snapshots", tag = "var-manager", request_body = VmGlobalSave,
    responses((status = 200, body = VmGlobalSaved), (status = 201, body = VmGlobalSaved), (status = 400, body = VmError)))]
pub(crate) async fn save_global(requester: Requester, JsonBody(JsonObject(body)): JsonBody<JsonObject>) -> Reply {
    let mut fields = Fields::of(&body);
    let id = fields.maybe_text("snapshotId", Some(""));
    let name = fields.text("name", "name 字段不能为空");
    let description = fields.maybe_text("description", None);
    let state = fields.value("snapshotBody");
    let tags = fields.maybe_texts("tags");
    fields.check("Invalid global snapshot request payload")?;
    let id = id.unwrap_or_else(new_id);
    let snapshot = PutSnapshot {
        name: name.unwrap_or_default(),
        description: description.unwrap_or_default(),
        tags: tags.unwrap_or_default(),
        state: JsonObject(state.unwrap_or(Value::Null)),
    };
    let hash = snapshot.state.0.hash().to_string();
    let done = change(&requester, move |engine, owner| {
        let before = engine.snapshot_with_times(owner, &id)?;
        let id = engine.put_snapshot(owner, Some(&id), &snapshot)?;
        Ok((before.is_some(), engine.snapshot_with_times(owner, &id)?))
    });
    let (replaced, kept) = done.await?;
    let kept = kept.ok_or_else(|| ApiError::from(INTERNAL))?;
    let wire = VmGlobalSaved {
        snapshot_id: kept.value.labels.snapshot,
        structure_id: 0,
        structure_hash: hash,
        created_at: kept.created,
        updated_at: kept.updated,
        replaced,
    };
    Ok(saved(replaced, wire))
}

/// Default limit of a list.
const LIST: usize = 100;

/// Lists global snapshots, the last changed first.
#[utoipa::path(get, path = "/var-manager/global-snapshots", tag = "var-manager", params(GlobalQuery), responses((status = 200, body = VmGlobalList)))]
pub(crate) async fn globals(requester: Requester, QueryOf(query): QueryOf<GlobalQuery>) -> Answer<VmGlobalList> {
    let mut all = call(&requester, |engine, owner| engine.snapshots_with_times(owner)).await?;
    if let Some(tag) = query.tag.as_ref().filter(|tag| !tag.is_empty()) {
        all.retain(|kept| kept.value.labels.tags.contains(tag));
    }
    let number = |text: Option<String>, default: usize| text.and_then(|text| text.parse().ok()).unwrap_or(default);
    let (limit, offset) = (number(query.limit, LIST), number(query.offset, 0));
    let snapshots: Vec<VmGlobalLine> = all.iter().skip(offset).take(limit).map(Into::into).collect();
    Ok(Json(VmGlobalList { snapshots, total: all.len() }))
}

/// Returns a global snapshot.
#[utoipa::path(get, path = "/var-manager/global-snapshots/{snapshotId}", tag = "var-manager", params(VmGlobalAt),
    responses((status = 200, body = VmGlobal), (status = 404, body = VmError)))]
pub(crate) async fn global(requester: Requester, PathOf(VmGlobalAt(id)): PathOf<VmGlobalAt>) -> Reply {
    let found = call(&requester, move |engine, owner| engine.snapshot_with_times(owner, &id)).await?;
    Ok(Json(VmGlobal::from(found.ok_or_else(|| not_found("Global snapshot not found"))?)).into_response())
}

/// Deletes a global snapshot; its versions stay.
#[utoipa::path(delete, path = "/var-manager/global-snapshots/{snapshotId}", tag = "var-manager", params(VmGlobalAt), responses((status = 204)))]
pub(crate) async fn delete_global(requester: Requester, PathOf(VmGlobalAt(id)): PathOf<VmGlobalAt>) -> Reply {
    let done = change(&requester, move |engine, owner| match engine.snapshot(owner, &id)? {
        Some(_) => engine.drop_snapshot(owner, &id),
        None => Ok(()),
    });
    done.await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Not implemented, as in the plugin.
#[utoipa::path(post, path = "/var-manager/reprocess", tag = "var-manager", responses((status = 501, body = VmError)))]
pub(crate) async fn reprocess(_: Requester) -> Response {
    refuse(StatusCode::NOT_IMPLEMENTED, "Reprocess command not implemented yet")
}

/// Lists what cleaning up moved to the trash, the newest first.
#[utoipa::path(get, path = "/api/v1/var-manager/trash", tag = "var-manager", params(LimitQuery), responses((status = 200, body = VmTrash)))]
pub(crate) async fn trash(requester: Requester, QueryOf(query): QueryOf<LimitQuery>) -> Answer<VmTrash> {
    let found = call(&requester, move |engine, owner| engine.foreign_trash(owner, query.limit())).await?;
    Ok(Json(VmTrash { snapshots: found.into_iter().map(Into::into).collect() }))
}

/// Restores snapshots from the trash.
#[utoipa::path(post, path = "/api/v1/var-manager/restore", tag = "var-manager", request_body = VmRestore, responses((status = 200, body = VmRestored)))]
pub(crate) async fn restore(requester: Requester, JsonBody(wire): JsonBody<VmRestore>) -> Answer<VmRestored> {
    let restored = change(&requester, move |engine, owner| engine.restore_foreign(owner, &wire.keys)).await?;
    Ok(Json(VmRestored { restored }))
}
