-- Layout 10. What users or models wrote is bytes, never SQL text. Rows that come one after another in
-- time are numbered, so that a new floor is written at the end of each table; every look-up names the
-- owner. A hash that is searched for is split: its first 8 bytes as a number with an index, the rest
-- beside it.

-- `number` rises when something was collected: then whatever a program remembers of the database is
-- void. `search` tells whether all texts are indexed, for those who want to pay for it: 0 no, 1 yes, 2 the
-- index is being built. It stands here because this row is read at the start of every transaction; the
-- index itself is made when searching is switched on and dropped when it is switched off (`full_text.rs`).
--
-- Transactions that add rows to the tables of a tree (text, page, turn, node, state, operation) are
-- numbered. The rows of those after `spread` lie in `fresh` and are not in their tables yet.
--
-- `named` rises when a row of `story` or `ref` is written. Most transactions write none, so what was read of
-- them is remembered. A ref that only moved is written when rows are spread, which `spread` tells.
CREATE TABLE generation (
    number BIGINT NOT NULL,
    search BIGINT NOT NULL,
    spread BIGINT NOT NULL,
    named  BIGINT NOT NULL
);
INSERT INTO generation (number, search, spread, named) VALUES (1, 0, 0, 0);

-- What a small transaction adds lies together in one row, so that one more floor changes one page of the
-- file instead of ten; many of them are spread into their tables at once. The place of a transaction is its
-- number modulo 32. Bytes have one length, so that they are written where the last ones lay.
CREATE TABLE fresh (
    place  INTEGER PRIMARY KEY,
    number BIGINT NOT NULL,
    bytes  BLOB NOT NULL
);

CREATE TABLE owner (
    id   INTEGER PRIMARY KEY,
    name BLOB NOT NULL UNIQUE
);

-- JSON by its hash: rules, names, host fields, file headers.
CREATE TABLE value (
    id    INTEGER PRIMARY KEY,
    owner BIGINT NOT NULL,
    hash  BIGINT NOT NULL,
    rest  BLOB NOT NULL,
    bytes BLOB NOT NULL
);
CREATE INDEX value_by_hash ON value (owner, hash);

-- A text in pieces, so that the pages of the file fill: the first says how many there are, the others
-- follow it by their number. The number of the first is a multiple of 16.
CREATE TABLE text (
    id     INTEGER PRIMARY KEY,
    owner  BIGINT NOT NULL,
    pieces BIGINT,
    bytes  BLOB NOT NULL
);

-- One version of a page. `turn` is the newest turn in which it is the page that is read.
CREATE TABLE page (
    id        INTEGER PRIMARY KEY,
    owner     BIGINT NOT NULL,
    story     BIGINT NOT NULL,
    page      BIGINT NOT NULL,
    rest      BLOB NOT NULL,
    body      BLOB NOT NULL,
    text_hash BLOB NOT NULL,
    text      BIGINT NOT NULL,
    names     BIGINT NOT NULL,
    rules     BIGINT NOT NULL,
    inputs    BLOB NOT NULL,
    kept      BIGINT,
    turn      BIGINT
);
CREATE INDEX page_by_id ON page (owner, page);

CREATE TABLE turn (
    id    INTEGER PRIMARY KEY,
    owner BIGINT NOT NULL,
    host  BIGINT,
    bytes BLOB NOT NULL
);

-- `run` is the first node of an unbroken run: from it down to this one each node has the number after its
-- parent's.
CREATE TABLE node (
    id     INTEGER PRIMARY KEY,
    owner  BIGINT NOT NULL,
    story  BIGINT NOT NULL,
    hash   BIGINT NOT NULL,
    rest   BLOB NOT NULL,
    parent BIGINT NOT NULL,
    jump   BIGINT NOT NULL,
    run    BIGINT NOT NULL,
    depth  BIGINT NOT NULL,
    turn   BIGINT,
    digest BLOB,
    state  BIGINT
);
CREATE INDEX node_by_hash ON node (owner, hash);

-- An evaluation and the state it led to: the memo, the trace and the ops against `base` in one row.
-- `paths` is a small filter of the places that changed.
CREATE TABLE state (
    id     INTEGER PRIMARY KEY,
    owner  BIGINT NOT NULL,
    memo   BIGINT,
    rest   BLOB,
    hash   BLOB NOT NULL,
    base   BIGINT,
    trace  BLOB NOT NULL,
    paths  BLOB,
    weight BIGINT NOT NULL,
    steps  BIGINT NOT NULL,
    size   BIGINT NOT NULL,
    frame  BIGINT NOT NULL
);
CREATE INDEX state_by_memo ON state (owner, memo);

-- A whole state, compressed; `against` another one if that makes it small.
CREATE TABLE keyframe (
    state   INTEGER PRIMARY KEY,
    owner   BIGINT NOT NULL,
    against BIGINT,
    length  BIGINT NOT NULL,
    bytes   BLOB NOT NULL
);

-- `rules` is composed from `card_rules` (what the card says), `choices` (what the user chose) and the
-- libraries in `keep`. `trashed`: when it was thrown away as a whole, in milliseconds since 1970.
CREATE TABLE story (
    id         INTEGER PRIMARY KEY,
    owner      BIGINT NOT NULL,
    story      BLOB NOT NULL,
    title      BLOB NOT NULL,
    card       BLOB NOT NULL,
    root       BIGINT NOT NULL,
    rules      BIGINT NOT NULL,
    card_rules BIGINT NOT NULL,
    choices    BIGINT,
    settings   BIGINT,
    current    BIGINT,
    created    BIGINT NOT NULL,
    trashed    BIGINT
);
CREATE UNIQUE INDEX story_by_id ON story (owner, story);

CREATE TABLE ref (
    id         INTEGER PRIMARY KEY,
    owner      BIGINT NOT NULL,
    ref        BLOB NOT NULL,
    story      BIGINT NOT NULL,
    kind       BIGINT NOT NULL,
    name       BLOB NOT NULL,
    note       BLOB NOT NULL,
    colour     BLOB NOT NULL,
    origin     BIGINT,
    head       BIGINT,
    version    BIGINT NOT NULL,
    operation  BIGINT,
    chat       BLOB,
    file       BLOB,
    file_owner BLOB,
    host_node  BIGINT,
    header     BIGINT,
    updated    BIGINT NOT NULL,
    trashed    BIGINT
);
CREATE UNIQUE INDEX ref_by_id ON ref (owner, ref);
CREATE INDEX ref_by_story ON ref (owner, story);
CREATE UNIQUE INDEX ref_by_chat ON ref (owner, chat);

-- `earlier` is the operation before it on the same ref; `undoes` the one that it takes back.
CREATE TABLE operation (
    id      INTEGER PRIMARY KEY,
    owner   BIGINT NOT NULL,
    ref     BIGINT NOT NULL,
    earlier BIGINT,
    kind    BIGINT NOT NULL,
    before  BIGINT,
    after   BIGINT,
    undoes  BIGINT,
    client  BIGINT,
    time    BIGINT NOT NULL,
    detail  BLOB
);

-- The leaf last read below a page, so that swiping back restores what followed.
CREATE TABLE cursor (
    owner BIGINT NOT NULL,
    ref   BIGINT NOT NULL,
    page  BLOB NOT NULL,
    node  BIGINT NOT NULL,
    PRIMARY KEY (owner, ref, page)
);

CREATE TABLE client (
    id    INTEGER PRIMARY KEY,
    owner BIGINT NOT NULL,
    name  BLOB NOT NULL
);
CREATE UNIQUE INDEX client_by_name ON client (owner, name);

-- The last request number of each client in a chat.
CREATE TABLE seq (
    owner  BIGINT NOT NULL,
    chat   BLOB NOT NULL,
    client BLOB NOT NULL,
    seq    BIGINT NOT NULL,
    time   BIGINT NOT NULL,
    PRIMARY KEY (owner, chat, client)
);

-- Functions that had to be killed on a page again and again: from then on an input of that page.
CREATE TABLE stuck (
    owner    BIGINT NOT NULL,
    page     BLOB NOT NULL,
    function BLOB NOT NULL,
    PRIMARY KEY (owner, page, function)
);

-- What a user keeps beside stories, each version for ever: templates, libraries, global snapshots.
CREATE TABLE keep (
    id      INTEGER PRIMARY KEY,
    owner   BIGINT NOT NULL,
    kind    BIGINT NOT NULL,
    name    BLOB NOT NULL,
    value   BIGINT,
    time    BIGINT NOT NULL
);
CREATE INDEX keep_by_name ON keep (owner, kind, name);

-- Snapshots that ST-VarSystem keeps through its own routes. They stand outside stories and belong to its
-- own identifiers; what is thrown away stays until it is collected.
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
