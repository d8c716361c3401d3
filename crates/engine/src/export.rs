//! Exports a branch as a chat file of the host.

use storeyline_compat::chat_file;
use storeyline_compat::host_message::{self, PageToWrite};
use storeyline_history::Listed;
use storeyline_history::path_states::StateTable;
use storeyline_state::{RefId, StoryId, Value};
use storeyline_store::{Owner, Ref, View};

use crate::branch::{find_branch, turns_to};
use crate::engine::ReadEngine;
use crate::error::Result;
use crate::object::object;

impl ReadEngine {
    /// Returns a branch as the text of a host chat file, with the host's own fields.
    pub fn export(&self, owner: &Owner, story: StoryId, branch: RefId) -> Result<String> {
        self.read(owner, |tx| {
            let branch = find_branch(tx, story, branch)?;
            let turns = turns_to(tx, branch.head)?;
            Ok(chat_file::write(&header(tx, &branch)?, &host_messages(tx, &turns)?))
        })
    }
}

/// Writes turns as host messages.
pub(crate) fn host_messages(tx: &View<'_>, turns: &[Listed]) -> Result<Vec<Value>> {
    let message = |turn: &Listed| {
        let fields = match turn.host {
            Some(host) => tx.value(host.at)?,
            None => host_message::plain_fields(turn.role, &turn.name),
        };
        let read = turn.pages.iter().map(|page| Ok((page.page, tx.page_text(page.at)?, tx.inputs(page.at)?.body)));
        let read = read.collect::<Result<Vec<_>>>()?;
        let pages = read.iter().map(|(id, text, body)| PageToWrite {
            id: *id,
            text,
            time: body.time,
            valid: body.role == turn.role,
        });
        Ok(host_message::write(&fields, &pages.collect::<Vec<_>>(), turn.active, turn.hidden))
    };
    turns.iter().map(message).collect()
}

/// The header of the imported file, or a minimal one for a branch that never was a file.
pub(crate) fn header(tx: &View<'_>, branch: &Ref) -> Result<Value> {
    if let Some(header) = branch.header {
        return Ok(tx.value(header)?);
    }
    let chat = branch.host.as_ref().map_or_else(|| branch.id.to_string(), |host| host.chat.to_string());
    let metadata = object([(storeyline_compat::KEY, object([("chat", Value::text(chat))]))]);
    Ok(object([("chat_metadata", metadata), ("user_name", "unused".into()), ("character_name", "unused".into())]))
}
