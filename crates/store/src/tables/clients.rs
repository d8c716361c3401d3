//! Clients: their names, and the last request number of each in a chat, so that a late request changes nothing.

use std::collections::HashMap;

use storeyline_state::ChatId;

use crate::draft::{Check, Draft};
use crate::error::StoreError;
use crate::ids::IdKind;
use crate::keys::OwnerKey;
use crate::sql::{Sql, params};
use crate::tables::table::Table;
use crate::view::View;

pub(crate) static CLIENTS: Table = Table::new("client", &["owner", "id", "name"], &["owner", "id"]);

pub(crate) static SEQS: Table =
    Table::new("request_seq", &["owner", "chat", "client", "seq", "time"], &["owner", "chat", "client"]);

/// Clients that were silent for so long, in milliseconds, are forgotten.
const FORGET_AFTER: i64 = 30 * 24 * 60 * 60 * 1000;

/// The number of a request.
#[derive(Debug, Clone)]
pub(crate) struct RequestSeq {
    pub(crate) chat: ChatId,
    pub(crate) client: String,
    pub(crate) seq: i64,
    pub(crate) time: i64,
}

/// Inserts new clients, by name.
pub(crate) fn insert(sql: &dyn Sql, owner: OwnerKey, clients: &HashMap<String, i64>) -> Result<(), StoreError> {
    let rows: Vec<_> = clients.iter().map(|(name, id)| params![owner, *id, name].to_vec()).collect();
    CLIENTS.insert(sql, &rows)
}

pub(crate) fn put_seq(sql: &dyn Sql, owner: OwnerKey, request: &RequestSeq) -> Result<(), StoreError> {
    let RequestSeq { chat, client, seq, time } = request;
    SEQS.put(sql, params![owner, chat.as_bytes(), client, *seq, *time])?;
    let forget = "DELETE FROM request_seq WHERE owner = $1 AND chat = $2 AND time < $3";
    sql.run(forget, params![owner, chat.as_bytes(), *time - FORGET_AFTER])?;
    Ok(())
}

pub(crate) fn last_seq(sql: &dyn Sql, owner: OwnerKey, chat: ChatId, client: &str) -> Result<Option<i64>, StoreError> {
    let rest = "owner = $1 AND chat = $2 AND client = $3";
    SEQS.one(sql, rest, params![owner, chat.as_bytes(), client], |row| row.int(3))
}

impl View<'_> {
    pub(crate) fn client_name(&self, client: i64) -> Result<String, StoreError> {
        let found =
            CLIENTS.one(self.sql()?, "owner = $1 AND id = $2", params![self.owner()?, client], |row| row.text(2))?;
        found.ok_or_else(|| StoreError::missing("client", client))
    }

    /// Returns the number of the last request of a client about a chat.
    pub fn last_seq(&self, chat: ChatId, client: &str) -> Result<Option<i64>, StoreError> {
        let Some(owner) = self.known_owner()? else { return Ok(None) };
        let last = last_seq(self.sql()?, owner, chat, client)?;
        self.check(Check::Seq { chat, client: client.to_owned(), last });
        Ok(last)
    }

    /// Tells whether another client spoke about this chat since a time.
    pub fn others_since(&self, chat: ChatId, client: &str, since: i64) -> Result<bool, StoreError> {
        let Some(owner) = self.known_owner()? else { return Ok(false) };
        let rest = "owner = $1 AND chat = $2 AND client <> $3 AND time >= $4 LIMIT 1";
        let found = SEQS.one(self.sql()?, rest, params![owner, chat.as_bytes(), client, since], |row| row.int(3))?;
        Ok(found.is_some())
    }
}

impl Draft<'_> {
    /// Returns the key of a client; nothing for one without a name.
    pub(crate) fn client_key(&mut self, name: &str) -> Result<Option<i64>, StoreError> {
        if name.is_empty() {
            return Ok(None);
        }
        let mut known = self.rows.clients.get(name).copied();
        if let (None, Some(owner)) = (known, self.known_owner()?) {
            let query = "SELECT id FROM client WHERE owner = $1 AND name = $2";
            known = self.sql()?.one(query, params![owner, name], |row| row.int(0))?;
        }
        if known.is_none() {
            let id = self.new_id(IdKind::Other)?;
            self.view.rows.clients.insert(name.to_owned(), id);
            known = Some(id);
        }
        Ok(known)
    }

    /// Notes the number of a request.
    pub fn put_seq(&mut self, chat: ChatId, client: &str, seq: i64, now: i64) {
        self.view.rows.seq = Some(RequestSeq { chat, client: client.to_owned(), seq, time: now });
    }
}
