-- Layout 1. Every key begins with the owner. Whatever users or models wrote is stored as bytes. Ids of
-- rows are numbers per owner, reserved in blocks in `owner`, and are never given again.
-- `sum` is the checksum of all other columns of the row.

-- Whether texts are indexed for searching: 0 no, 1 yes, 2 the index is being built.
CREATE TABLE setting (
    search BIGINT NOT NULL
);
INSERT INTO setting (search) VALUES (0);

-- `node`, `state`, `other`: the last ids that were reserved for nodes, for states and for all other rows.
-- `change_seq`: the `seq` of the last operation when operations were last deleted.
CREATE TABLE owner (
    id         INTEGER PRIMARY KEY,
    name       BLOB NOT NULL UNIQUE,
    node       BIGINT NOT NULL,
    state      BIGINT NOT NULL,
    other      BIGINT NOT NULL,
    change_seq BIGINT NOT NULL,
    sum        BIGINT NOT NULL
);

-- JSON by its hash, compressed: rules, names, host fields, file headers.
CREATE TABLE value (
    owner BIGINT NOT NULL,
    id    INTEGER PRIMARY KEY,
    hash  BLOB NOT NULL,
    bytes BLOB NOT NULL,
    sum   BIGINT NOT NULL
);
CREATE UNIQUE INDEX value_by_hash ON value (owner, hash);

-- A text, compressed. With row ids: SQLite fills the pages of such a table, and an index may hold no long rows.
CREATE TABLE text (
    owner BIGINT NOT NULL,
    id    INTEGER PRIMARY KEY,
    bytes BLOB NOT NULL,
    sum   BIGINT NOT NULL
);

-- One version of a page. `inputs` is the rest of the body; `kept` the state that it keeps; `turn` the newest
-- turn in which it is the active page, and `used` the position in the change feed at which it became that:
-- the only columns that change.
CREATE TABLE page (
    owner     BIGINT NOT NULL,
    id        INTEGER PRIMARY KEY,
    story     BIGINT NOT NULL,
    page      BLOB NOT NULL,
    body      BLOB NOT NULL,
    text_hash BLOB NOT NULL,
    text      BIGINT NOT NULL,
    names     BIGINT NOT NULL,
    rules     BIGINT NOT NULL,
    inputs    BLOB NOT NULL,
    kept      BIGINT,
    turn      BIGINT,
    used      BIGINT NOT NULL,
    sum       BIGINT NOT NULL
);
CREATE INDEX page_by_id ON page (owner, page);

CREATE TABLE turn (
    owner BIGINT NOT NULL,
    id    INTEGER PRIMARY KEY,
    host  BIGINT,
    bytes BLOB NOT NULL,
    sum   BIGINT NOT NULL
);

-- `run` is the first node of an unbroken run: from it down to this one each node has the id after its
-- parent's. `state` is written once.
CREATE TABLE node (
    owner   BIGINT NOT NULL,
    id      INTEGER PRIMARY KEY,
    story   BIGINT NOT NULL,
    hash    BLOB NOT NULL,
    parent  BIGINT NOT NULL,
    jump    BIGINT NOT NULL,
    run     BIGINT NOT NULL,
    depth   BIGINT NOT NULL,
    turn    BIGINT,
    digest  BLOB,
    reading BLOB NOT NULL,
    state   BIGINT,
    sum     BIGINT NOT NULL
);
CREATE UNIQUE INDEX node_by_hash ON node (owner, hash);

-- An evaluation and the state it led to: memo key, trace, and the ops against `base` in one row. `paths` is a
-- filter of the paths that changed. `weight`, `steps`: bytes of ops and number of states since the keyframe of
-- the state `frame`; `size`: bytes of that keyframe.
CREATE TABLE state (
    owner  BIGINT NOT NULL,
    id     INTEGER PRIMARY KEY,
    memo   BLOB,
    hash   BLOB NOT NULL,
    base   BIGINT,
    trace  BLOB NOT NULL,
    paths  BLOB,
    weight BIGINT NOT NULL,
    steps  BIGINT NOT NULL,
    size   BIGINT NOT NULL,
    frame  BIGINT NOT NULL,
    sum    BIGINT NOT NULL
);
CREATE INDEX state_by_memo ON state (owner, memo);

-- A whole state, compressed; `against` another one if that makes it small. `root`: 0
-- variables, 1 tables.
CREATE TABLE keyframe (
    owner   BIGINT NOT NULL,
    state   BIGINT NOT NULL,
    root    BIGINT NOT NULL,
    against BIGINT,
    length  BIGINT NOT NULL,
    bytes   BLOB NOT NULL,
    sum     BIGINT NOT NULL,
    PRIMARY KEY (owner, state, root)
);

-- `rules` is composed from `card_rules` (what the card says), `choices` (what the user chose) and the
-- libraries in `asset`. Times are in milliseconds since 1970.
CREATE TABLE story (
    owner      BIGINT NOT NULL,
    id         BIGINT NOT NULL,
    story      BLOB NOT NULL,
    version    BIGINT NOT NULL,
    title      BLOB NOT NULL,
    card       BLOB NOT NULL,
    root       BIGINT NOT NULL,
    rules      BIGINT NOT NULL,
    card_rules BIGINT NOT NULL,
    choices    BIGINT,
    settings   BIGINT,
    current    BIGINT,
    created    BIGINT NOT NULL,
    trashed    BIGINT,
    sum        BIGINT NOT NULL,
    PRIMARY KEY (owner, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX story_by_id ON story (owner, story);

-- A branch or a tag. `operation` is the number of the last operation on it.
CREATE TABLE ref (
    owner      BIGINT NOT NULL,
    id         BIGINT NOT NULL,
    ref        BLOB NOT NULL,
    story      BIGINT NOT NULL,
    kind       BIGINT NOT NULL,
    name       BLOB NOT NULL,
    note       BLOB NOT NULL,
    colour     BLOB NOT NULL,
    origin     BIGINT,
    head       BIGINT,
    version    BIGINT NOT NULL,
    operation  BIGINT NOT NULL,
    chat       BLOB,
    file       BLOB,
    file_owner BLOB,
    host_node  BIGINT,
    header     BIGINT,
    updated    BIGINT NOT NULL,
    trashed    BIGINT,
    sum        BIGINT NOT NULL,
    PRIMARY KEY (owner, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX ref_by_id ON ref (owner, ref);
CREATE INDEX ref_by_story ON ref (owner, story);
CREATE UNIQUE INDEX ref_by_chat ON ref (owner, chat);

-- Operations are numbered per ref, from 1. `undoes` is the number of the operation that this one takes back;
-- `seq` orders all operations of an owner.
CREATE TABLE operation (
    owner  BIGINT NOT NULL,
    ref    BIGINT NOT NULL,
    number BIGINT NOT NULL,
    seq    BIGINT NOT NULL,
    kind   BIGINT NOT NULL,
    before BIGINT,
    after  BIGINT,
    undoes BIGINT,
    client BIGINT,
    time   BIGINT NOT NULL,
    detail BLOB NOT NULL,
    sum    BIGINT NOT NULL,
    PRIMARY KEY (owner, ref, number)
) WITHOUT ROWID;
CREATE INDEX operation_by_seq ON operation (owner, seq);

-- The leaf that was last read below a page, so that swiping back restores what followed.
CREATE TABLE cursor (
    owner BIGINT NOT NULL,
    ref   BIGINT NOT NULL,
    page  BLOB NOT NULL,
    node  BIGINT NOT NULL,
    sum   BIGINT NOT NULL,
    PRIMARY KEY (owner, ref, page)
) WITHOUT ROWID;

CREATE TABLE client (
    owner BIGINT NOT NULL,
    id    BIGINT NOT NULL,
    name  BLOB NOT NULL,
    sum   BIGINT NOT NULL,
    PRIMARY KEY (owner, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX client_by_name ON client (owner, name);

-- The last request number of each client in a chat.
CREATE TABLE request_seq (
    owner  BIGINT NOT NULL,
    chat   BLOB NOT NULL,
    client BLOB NOT NULL,
    seq    BIGINT NOT NULL,
    time   BIGINT NOT NULL,
    sum    BIGINT NOT NULL,
    PRIMARY KEY (owner, chat, client)
) WITHOUT ROWID;

-- Functions that had to be killed on a page again and again: from then on an input of that page.
CREATE TABLE given_up (
    owner    BIGINT NOT NULL,
    page     BLOB NOT NULL,
    function BLOB NOT NULL,
    sum      BIGINT NOT NULL,
    PRIMARY KEY (owner, page, function)
) WITHOUT ROWID;

-- Templates, libraries and global snapshots: every version, numbered from 1.
CREATE TABLE asset (
    owner   BIGINT NOT NULL,
    kind    BIGINT NOT NULL,
    name    BLOB NOT NULL,
    version BIGINT NOT NULL,
    value   BIGINT,
    time    BIGINT NOT NULL,
    sum     BIGINT NOT NULL,
    PRIMARY KEY (owner, kind, name, version)
) WITHOUT ROWID;

-- Snapshots that ST-VarSystem writes through its own routes, by its own identifiers.
CREATE TABLE foreign_snapshot (
    owner   BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    name    BLOB NOT NULL,
    chat    BLOB NOT NULL,
    message BLOB,
    value   BIGINT NOT NULL,
    created BIGINT NOT NULL,
    trashed BIGINT,
    sum     BIGINT NOT NULL,
    PRIMARY KEY (owner, id)
) WITHOUT ROWID;
CREATE INDEX foreign_snapshot_by_name ON foreign_snapshot (owner, name);
CREATE INDEX foreign_snapshot_by_chat ON foreign_snapshot (owner, chat);

-- SQLite plans by these numbers (rows in all, rows with the same first column, with the same first two …).
-- Without them it takes an owner for a few rows and goes through all of them instead of using an index.
ANALYZE owner;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('value', 'value_by_hash', '1000000 1000000 1'),
    ('page', 'page_by_id', '1000000 1000000 2'),
    ('node', 'node_by_hash', '1000000 1000000 1'),
    ('state', 'state_by_memo', '1000000 1000000 1'),
    ('keyframe', 'sqlite_autoindex_keyframe_1', '1000000 1000000 2 1'),
    ('story', 'story', '10000 10000 1'),
    ('story', 'story_by_id', '10000 10000 1'),
    ('ref', 'ref', '10000 10000 1'),
    ('ref', 'ref_by_id', '10000 10000 1'),
    ('ref', 'ref_by_story', '10000 10000 10'),
    ('ref', 'ref_by_chat', '10000 10000 1'),
    ('operation', 'operation', '1000000 1000000 1000 1'),
    ('operation', 'operation_by_seq', '1000000 1000000 1'),
    ('client', 'client', '10000 10000 1'),
    ('client', 'client_by_name', '10000 10000 1'),
    ('foreign_snapshot', 'foreign_snapshot', '10000 10000 1'),
    ('foreign_snapshot', 'foreign_snapshot_by_name', '10000 10000 2'),
    ('foreign_snapshot', 'foreign_snapshot_by_chat', '10000 10000 100');
ANALYZE sqlite_schema;
