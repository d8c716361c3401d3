-- Layout 1. What users or models wrote is bytes, never SQL text. Every key begins with the owner.

CREATE TABLE value (
    owner BLOB NOT NULL,
    hash  BLOB NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (owner, hash)
) WITHOUT ROWID;

CREATE TABLE story (
    owner   BLOB NOT NULL,
    story   BLOB NOT NULL,
    title   BLOB NOT NULL,
    root    BLOB NOT NULL,
    rules   BLOB NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (owner, story)
) WITHOUT ROWID;

CREATE TABLE node (
    owner  BLOB NOT NULL,
    node   BLOB NOT NULL,
    parent BLOB NOT NULL,
    jump   BLOB NOT NULL,
    depth  BIGINT NOT NULL,
    turn   BLOB,
    digest BLOB,
    state  BLOB,
    PRIMARY KEY (owner, node)
) WITHOUT ROWID;

-- The newest turn that holds a page: what a page was before is found without knowing where it stood.
CREATE TABLE page (
    owner BLOB NOT NULL,
    story BLOB NOT NULL,
    page  BLOB NOT NULL,
    turn  BLOB NOT NULL,
    PRIMARY KEY (owner, story, page)
) WITHOUT ROWID;

CREATE TABLE ref (
    owner      BLOB NOT NULL,
    ref        BLOB NOT NULL,
    story      BLOB NOT NULL,
    kind       BLOB NOT NULL,
    name       BLOB NOT NULL,
    head       BLOB,
    version    BIGINT NOT NULL,
    chat       BLOB,
    file       BLOB,
    file_owner BLOB,
    host_node  BLOB,
    header     BLOB,
    updated    BIGINT NOT NULL,
    PRIMARY KEY (owner, ref)
) WITHOUT ROWID;
CREATE INDEX ref_by_story ON ref (owner, story);
CREATE UNIQUE INDEX ref_by_chat ON ref (owner, chat);

CREATE TABLE memo (
    owner BLOB NOT NULL,
    memo  BLOB NOT NULL,
    state BLOB NOT NULL,
    trace BLOB NOT NULL,
    PRIMARY KEY (owner, memo)
) WITHOUT ROWID;

CREATE TABLE state (
    owner    BLOB NOT NULL,
    hash     BLOB NOT NULL,
    base     BLOB,
    ops      BLOB,
    keyframe BLOB,
    weight   BIGINT NOT NULL,
    size     BIGINT NOT NULL,
    steps    BIGINT NOT NULL,
    PRIMARY KEY (owner, hash)
) WITHOUT ROWID;

CREATE TABLE operation (
    operation INTEGER PRIMARY KEY AUTOINCREMENT,
    owner     BLOB NOT NULL,
    ref       BLOB NOT NULL,
    before    BLOB,
    after     BLOB,
    kind      BLOB NOT NULL,
    client    BLOB NOT NULL,
    time      BIGINT NOT NULL
);
CREATE INDEX operation_by_owner ON operation (owner, operation);

CREATE TABLE client (
    owner  BLOB NOT NULL,
    chat   BLOB NOT NULL,
    client BLOB NOT NULL,
    seq    BIGINT NOT NULL,
    time   BIGINT NOT NULL,
    PRIMARY KEY (owner, chat, client)
) WITHOUT ROWID;
