//! The last request number of each client, so that a late request changes nothing.

use storeyline_state::ChatId;

use crate::error::StoreError;
use crate::sql::params;
use crate::tx::Tx;

/// Clients that were silent for so long are forgotten.
const FORGET_AFTER: i64 = 30 * 24 * 60 * 60 * 1000;

impl Tx<'_> {
    /// Returns the last number of a client in a chat.
    pub fn last_seq(&self, chat: ChatId, client: &str) -> Result<Option<i64>, StoreError> {
        let sql = "SELECT seq FROM seq WHERE owner = $1 AND chat = $2 AND client = $3";
        self.one(sql, params![self.owner, chat.as_bytes(), client], |row| row.int(0))
    }

    /// Says whether another client spoke about this chat since a time.
    pub fn others_since(&self, chat: ChatId, client: &str, since: i64) -> Result<bool, StoreError> {
        let sql = "SELECT seq FROM seq WHERE owner = $1 AND chat = $2 AND client <> $3 AND time >= $4 LIMIT 1";
        let found = self.one(sql, params![self.owner, chat.as_bytes(), client, since], |row| row.int(0))?;
        Ok(found.is_some())
    }

    /// Notes the number of a request.
    pub fn put_seq(&mut self, chat: ChatId, client: &str, seq: i64, now: i64) -> Result<(), StoreError> {
        let sql = "INSERT INTO seq (owner, chat, client, seq, time) VALUES ($1, $2, $3, $4, $5)
                   ON CONFLICT (owner, chat, client) DO UPDATE SET seq = excluded.seq, time = excluded.time";
        self.run(sql, params![self.owner, chat.as_bytes(), client, seq, now])?;
        let sql = "DELETE FROM seq WHERE owner = $1 AND chat = $2 AND time < $3";
        self.run(sql, params![self.owner, chat.as_bytes(), now - FORGET_AFTER])?;
        Ok(())
    }
}
