-- Layout 7. Snapshots that ST-VarSystem keeps through its own routes. They stand outside stories and
-- belong to its own identifiers; what is thrown away stays until it is collected.
CREATE TABLE foreign_snapshot (
    id      INTEGER PRIMARY KEY,
    owner   BIGINT NOT NULL,
    name    BLOB NOT NULL,
    chat    BLOB NOT NULL,
    message BLOB,
    value   BIGINT NOT NULL,
    created BIGINT NOT NULL,
    trashed BIGINT
);
CREATE INDEX foreign_snapshot_by_name ON foreign_snapshot (owner, name);
CREATE INDEX foreign_snapshot_by_chat ON foreign_snapshot (owner, chat);
