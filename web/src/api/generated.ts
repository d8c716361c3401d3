// Made by `storeyline openapi --typescript` from the description of the API; a test compares. Do not edit.

/** Any JSON value. */
export type Json = unknown;

export interface Schemas {
  ArchiveImported: {
    current?: Schemas['RefId'] | null;
    /** Lines of nodes whose computed state is another than the archive says; the computed one counts. */
    differing: (number)[];
    /** Functions that were left out. */
    held_functions: number;
    /** Nodes that keep the state of the archive because it cannot be computed here. */
    kept: number;
    nodes: number;
    /** How many versions of pages there are. */
    pages: number;
    /** How many branches and tags there are. */
    refs: number;
    story: Schemas['StoryId'];
    /** Host chats that belong to branches which are there already. */
    unbound_chats: number;
  };
  /** A story and its first branch. */
  BegunStory: {
    ref: Schemas['RefId'];
    story: Schemas['StoryId'];
  };
  Blame: {
    change?: Schemas['ValueChange'] | null;
  };
  /** A change of a branch. */
  BranchEdit: {
    kind: 'append';
    name: string;
    page?: Schemas['PageId'] | null;
    role: Schemas['Role'];
    text: string;
    time?: number | null;
  } | {
    kind: 'reply';
    name: string;
    page?: Schemas['PageId'] | null;
    role: Schemas['Role'];
    text: string;
    time?: number | null;
  } | {
    floor: number;
    kind: 'insert';
    name: string;
    page?: Schemas['PageId'] | null;
    role: Schemas['Role'];
    text: string;
    time?: number | null;
  } | {
    floor: number;
    kind: 'add_page';
    page?: Schemas['PageId'] | null;
    text: string;
    time?: number | null;
  } | {
    kind: 'select';
    page: Schemas['PageId'];
  } | {
    kind: 'swipe';
    page: Schemas['PageId'];
  } | {
    keep?: Schemas['KeepText'];
    kind: 'edit';
    page: Schemas['PageId'];
    text: string;
  } | {
    kind: 'delete_page';
    page: Schemas['PageId'];
  } | {
    count?: number;
    floor: number;
    kind: 'delete';
  } | {
    floor: number;
    kind: 'cut';
  } | {
    kind: 'keep_only';
    page: Schemas['PageId'];
  } | {
    floor: number;
    kind: 'move';
    to: number;
  } | {
    floor: number;
    hidden: boolean;
    kind: 'hide';
  } | {
    count: number;
    first: number;
    floor: number;
    from: Schemas['RefId'];
    kind: 'graft';
  } | {
    kind: 'override';
    page: Schemas['PageId'];
    state: { [key: string]: Json };
  } | {
    kind: 'clear_override';
    page: Schemas['PageId'];
  } | {
    kind: 'set';
    page: Schemas['PageId'];
    path: string;
    value: Json;
  } | {
    kind: 'unset';
    page: Schemas['PageId'];
    path: string;
  };
  Broken: {
    file: string;
    what: string;
  };
  Bytes: {
    content: number;
    search: number;
    state: number;
    tree_and_log: number;
  };
  Call: {
    diagnostics: (Schemas['Diagnostic'])[];
    name: string;
    ops: (Schemas['Change'])[];
    reason?: string | null;
    source: string;
    span: (number)[];
    verdict: string;
  };
  /** A character card: its JSON, or its picture. */
  CardContent: {
    /** The card as JSON. */
    json?: { [key: string]: Json } | null;
    /** The card as PNG, base64. */
    png?: string | null;
  };
  /** What a card says. */
  CardRead: {
    greetings: (string)[];
    initial: Schemas['Initial'];
    /** The version of the functions that were kept, if any were. */
    library?: number | null;
    name: string;
    /** The version of the template that was kept, if one was. */
    template?: number | null;
  };
  Cards: {
    cards: (string)[];
  };
  /** Who plays in a host chat: one card, or the members of a group in their order. */
  Cast: {
    /** Fingerprints of functions that the user allowed. */
    allowed?: (string)[];
    /** The world books that count for the chat. */
    books?: (Schemas['WorldBook'])[];
    /** The cards, as the host would export them. */
    cards: ({ [key: string]: Json })[];
    /** Whether several can speak. */
    group?: boolean;
  };
  /** How a story of a cast begins. */
  CastBeginning: {
    /** Whether the state of the cards is kept at all. */
    enabled: boolean;
    /** The functions that count. */
    functions: (string)[];
    /** Functions that wait until the user allows them. */
    held: (Schemas['HeldFunctions'])[];
    profile: string;
    reason: Schemas['Words'];
    /** What is odd in the cards. */
    remarks: (Schemas['CastRemark'])[];
    /** The first state; null if no card says one. */
    template?: { [key: string]: Json } | null;
  };
  /** What is odd in a card. */
  CastRemark: {
    code: string;
    message: Schemas['Words'];
    place: Schemas['Words'];
    severity: string;
  };
  /** The call that did it. */
  Cause: {
    name: string;
    reason?: string | null;
    source: string;
  };
  /** Which floor last set each path. */
  Causes: {
    /** In the order of the question. A floor that set something above or inside a path set it too; `null`: none of the floors that were searched. */
    floors: (number | null)[];
    /** The first floor that was searched. At 0 a path without a floor has its value from the first state; otherwise ask at the floor before. */
    searched_from: number;
  };
  /** A change of one place of a state. */
  Change: {
    /** `changed`, `added` or `removed`. */
    kind: string;
    new?: Json;
    old?: Json;
    path: (Schemas['Step'])[];
  };
  Changes: {
    added: number;
    changed: number;
    failed: number;
    removed: number;
  };
  ChatFile: {
    /** Its name, without ending. */
    name: string;
    /** Its text. */
    text: string;
  };
  /** A chat of the host. */
  ChatId: string;
  /** What may be collected. */
  Collect: {
    /** Only count what would go; so unless it is switched off. */
    dry_run?: boolean;
    /** Days for which branches and stories stay in the trash. */
    trash_days?: number;
    /** Days for which operations can be taken back. */
    undo_days?: number;
  };
  Collected: {
    dry_run: boolean;
    nodes: number;
    operations: number;
    pages: number;
    refs: number;
    states: number;
    texts: number;
    turns: number;
    values: number;
  };
  Compared: {
    floor: number;
    name: string;
    page: Schemas['PageId'];
    role: string;
    text: string;
  };
  Comparison: {
    /** What follows on the one. */
    ours: (Schemas['Compared'])[];
    /** How many floors both share. */
    shared: number;
    /** From the state of the one to that of the other. */
    state: (Schemas['Change'])[];
    /** What follows on the other. */
    theirs: (Schemas['Compared'])[];
  };
  Conflict: {
    base?: Json;
    ours?: Json;
    path: (Schemas['Step'])[];
    theirs?: Json;
  };
  /** A diagnostic with its place in the text. */
  Diagnostic: {
    code: string;
    message: Schemas['Words'];
    /** `error`, `warning` or `info`. */
    severity: string;
    /** Start and end in UTF-16 code units of the text. */
    span: (number)[];
  };
  /** The number of an operation. */
  Done: {
    /** Nothing: all was so already, and nothing was written. */
    operation?: number | null;
  };
  /** The numbers of the operations. */
  DoneMany: {
    operations: (number)[];
  };
  /** What a change of an early floor does to the later ones. */
  EditPolicy: 'auto' | 'manual';
  /** What came of a change. */
  Edited: {
    /** Floors that were evaluated. */
    evaluated: (number)[];
    /** Whether an append came too late and was kept as an alternative. */
    late: boolean;
    /** Where the branch stands now. */
    node: Schemas['NodeId'];
    /** The number of the operation; nothing: all was so already, and nothing was written. */
    operation?: number | null;
    page?: Schemas['PageId'] | null;
    /** Which branch; another one than was asked for if an append came too late. */
    ref: Schemas['RefId'];
  };
  /** What every refusal and failure looks like. */
  Error: {
    error: Schemas['ErrorBody'];
  };
  ErrorBody: {
    /** Stable; for programs. */
    code: string;
    /** What to do next. */
    hint: Schemas['Words'];
    /** What happened, and to what. */
    message: Schemas['Words'];
    /** The name of the request, as in the header `x-request-id` and in the log. */
    request: string;
  };
  /** A text to be tried on a state. */
  Evaluate: {
    /** The text of a reply. */
    message: string;
    rules?: Schemas['RulesChange'] | null;
    /** The state before; nothing: an empty one. */
    state?: Json;
  };
  /** What a text makes of a state. */
  Evaluation: {
    calls: (Schemas['Call'])[];
    diagnostics: (Schemas['Diagnostic'])[];
    state: Json;
  };
  Excerpt: {
    after: string;
    before: string;
    hit: string;
  };
  Floor: {
    active: number;
    calls: (Schemas['Call'])[];
    diagnostics: (Schemas['Diagnostic'])[];
    floor: number;
    from?: number | null;
    hash: Schemas['StateHash'];
    hidden: boolean;
    name: string;
    overridden: boolean;
    page: Schemas['PageId'];
    pages: (Schemas['PageLine'])[];
    role: string;
    stale: boolean;
    state: Json;
    text: string;
    time?: number | null;
  };
  /** A floor whose state is another one. */
  FloorChange: {
    floor: number;
    state: (Schemas['Change'])[];
  };
  FloorLine: {
    active: number;
    changes: Schemas['Changes'];
    floor: number;
    hidden: boolean;
    name: string;
    overridden: boolean;
    page: Schemas['PageId'];
    pages: number;
    preview: string;
    role: string;
    stale: boolean;
    time?: number | null;
  };
  /** Floors in order. */
  Floors: {
    floors: (Schemas['FloorLine'])[];
    /** How many floors the branch has. */
    total: number;
  };
  /** How many branches went to the trash. */
  Forgotten: {
    trashed: number;
  };
  /** A built-in function. */
  Function: {
    aliases: (string)[];
    example: string;
    name: string;
    syntax: string;
    words: Schemas['Words'];
  };
  Functions: {
    functions: (Schemas['Function'])[];
  };
  /** Files of the host that are gone. */
  GoneFiles: {
    /** The name of the file; nothing: all files of the owner. */
    file?: string | null;
    /** The card or group. */
    owner: string;
  };
  /** The data of an event; its id is the number of the operation. */
  Happened: {
    client: string;
    kind: string;
    operation: number;
    ref: Schemas['RefId'];
    story: Schemas['StoryId'];
    /** Milliseconds since 1970. */
    time: number;
  };
  Health: {
    name: string;
    ok: boolean;
    version: string;
  };
  /** Functions of a card that wait until the user allows them. */
  HeldFunctions: {
    card: string;
    /** What is allowed: another text of any function is another fingerprint. */
    fingerprint: string;
    names: (string)[];
  };
  Hit: {
    excerpt: Schemas['Excerpt'];
    page: Schemas['PageId'];
    /** Where it stands; empty if only the log still holds this text. */
    places: (Schemas['HitPlace'])[];
    story: Schemas['StoryId'];
    title: string;
  };
  HitPlace: {
    floor: number;
    kind: string;
    name: string;
    /** Which page of the floor, from 1. */
    number: number;
    pages: number;
    /** Whether it is the page that is read there. */
    read: boolean;
    ref: Schemas['RefId'];
    trashed: boolean;
  };
  Hits: {
    hits: (Schemas['Hit'])[];
    /** Whether the index was there; without it every text is read. */
    indexed: boolean;
    total: number;
  };
  HostChange: {
    floor: number;
    op: 'edit';
    page: string;
    text: string;
  } | {
    floor: number;
    index: number;
    op: 'select';
    page: string;
  } | {
    floor: number;
    messages: ({ [key: string]: Json })[];
    op: 'replace';
  };
  /** A file of the host that shall hold a branch. */
  HostFile: {
    /** Its name, without ending. */
    file: string;
    /** Its card or group. */
    owner: string;
  };
  /** A chat file, with what belongs to it. */
  ImportChat: {
    /** Whether functions that come with the card may run. */
    allow_functions?: boolean;
    card?: Schemas['CardContent'] | null;
    /** Its name, without ending. */
    file?: string;
    into?: Schemas['StoryId'] | null;
    /** The text of the `.jsonl` file, or of a chat history. */
    text: string;
    /** The title of a new story; nothing: the card's name, else the file's. */
    title?: string | null;
    /** Whether states that MVU or SAM stored count. */
    trust_stored?: boolean;
    world_books?: (Schemas['WorldBook'])[];
  };
  /** The chats of one character or group. */
  ImportFolder: {
    /** Whether functions that come with the card may run. */
    allow_functions?: boolean;
    card?: Schemas['CardContent'] | null;
    files: (Schemas['ChatFile'])[];
    into?: Schemas['StoryId'] | null;
    /** The title, if all of them are one story. */
    title?: string;
    /** Whether states that MVU or SAM stored count. */
    trust_stored?: boolean;
    world_books?: (Schemas['WorldBook'])[];
  };
  Imported: {
    /** Files that were left out. */
    broken: (Schemas['Broken'])[];
    stories: (Schemas['ImportedStory'])[];
  };
  /** What came of a library from elsewhere. */
  ImportedLibrary: {
    /** The names of what came, all switched off. */
    imported: (string)[];
    /** What is wrong with the rest. */
    problems: (Schemas['Words'])[];
    version: number;
  };
  ImportedRef: {
    diagnostics: (Schemas['PageDiagnostic'])[];
    evaluated: number;
    file: string;
    floors: number;
    initial?: Schemas['Initial'] | null;
    new_pages: number;
    notices: (Schemas['Notice'])[];
    pages: number;
    ref: Schemas['RefId'];
    stored: Schemas['Stored'];
  };
  ImportedStory: {
    refs: (Schemas['ImportedRef'])[];
    story: Schemas['StoryId'];
  };
  /** How a story begins. */
  Initial: {
    diagnostics: (Schemas['Remark'])[];
    /** Whether the state of the card is kept at all. */
    enabled: boolean;
    functions: (string)[];
    /** Whether MVU's locks are on. */
    locked: boolean;
    profile: string;
    reason: Schemas['Words'];
    sources: (Schemas['Source'])[];
    state: Json;
  };
  /** Any JSON value; numbers are exact, keys keep their order. */
  Json: Json;
  /** What becomes of the old text. */
  KeepText: 'in_place' | 'as_alternative' | 'on_all_branches';
  KeptSnapshot: {
    snapshot: string;
  };
  /** The number of the last operation. */
  LastOperation: {
    last: number;
  };
  /** A function library in the form in which libraries are exchanged. */
  Library: {
    library: Json;
  };
  /** What was done on a branch, the newest first. */
  Log: {
    operations: (Schemas['Operation'])[];
  };
  /** A branch or tag that was made. */
  MadeRef: {
    operation?: number | null;
    ref: Schemas['RefId'];
  };
  Manual: {
    text: string;
  };
  /** A merge of states. */
  Merge: {
    /** The branch or tag whose state is merged in. */
    from: Schemas['RefId'];
    prefer?: Schemas['Prefer'] | null;
  };
  MergePreview: {
    /** The floor whose state is the common base; nothing: the initial state. */
    base?: number | null;
    /** Where both changed the same place. */
    conflicts: (Schemas['Conflict'])[];
    state: Json;
  };
  Merged: {
    edited: Schemas['Edited'];
    merge: Schemas['MergePreview'];
  };
  Message: {
    floor: number;
    name: string;
    page: Schemas['PageId'];
    role: string;
    text: string;
  };
  /** What a model reads. */
  Messages: {
    messages: (Schemas['Message'])[];
  };
  /** A branch as a new file of a host. */
  NewHostFile: {
    chat: Schemas['ChatId'];
    /** Its first line. */
    header: Json;
    messages: (Json)[];
  };
  /** A branch or tag to be made. */
  NewRef: {
    /** After which floor; nothing: at its end. */
    floor?: number | null;
    /** The branch or tag it is cut from. */
    from: Schemas['RefId'];
    kind: Schemas['RefKind'];
    name: string;
    /** Whether the new branch is read from now on. */
    switch?: boolean;
  };
  /** A story that no host tells. */
  NewStory: {
    /** The name of the first branch. */
    branch?: string | null;
    /** The card it is played with; what is kept for that card counts. */
    card?: string;
    /** Whose conventions count: `native`, `mvu`, `sam-…`, `varsystem`. */
    profile?: string | null;
    /** The first state; nothing: the template that is kept for the card. */
    template?: { [key: string]: Json } | null;
    title: string;
  };
  /** The number of the new version. */
  NewVersion: {
    version: number;
  };
  /** One turn under one ancestry; it never changes. */
  NodeId: string;
  Notice: {
    code: string;
    message: Schemas['Words'];
  };
  /** A host chat that is open. */
  OpenChat: {
    /** The cast can be told: a story that would begin without one is not made, the cast is asked for. */
    ask_cast?: boolean;
    cast?: Schemas['Cast'] | null;
    chat: Schemas['ChatId'];
    /** The name of its file, without ending. */
    file?: string;
    /** The last change of branch that this host carried out. */
    handled?: number;
    names?: Schemas['SyncNames'];
    /** Its card or group. */
    owner?: string;
    parent?: Schemas['ChatId'] | null;
    /** New pages follow what the cast says today. */
    renew?: boolean;
    /** The first state of a new story, whatever the cast says. */
    template?: { [key: string]: Json } | null;
    /** The title of a new story. */
    title?: string;
  };
  /** What a host learns when it opens a chat. */
  OpenedChat: {
    beginning?: Schemas['CastBeginning'] | null;
    /** Whether the branch was made now. */
    created: boolean;
    /** Nothing was made: ask again with the cast. */
    need_cast: boolean;
    node?: Schemas['NodeId'] | null;
    /** Whose conventions the story follows. */
    profile?: string | null;
    ref?: Schemas['RefId'] | null;
    story?: Schemas['StoryId'] | null;
    switch?: Schemas['SwitchTo'] | null;
  };
  /** An operation in the log. */
  Operation: {
    client: string;
    /** What else there is to know; not stable. */
    detail: Json;
    kind: string;
    operation: number;
    time: number;
    undoes?: number | null;
    undone: boolean;
  };
  PageDiagnostic: {
    code: string;
    floor: number;
    message: Schemas['Words'];
    page: string;
    severity: string;
    source: string;
  };
  /** One alternative text of a floor. */
  PageId: string;
  PageLine: {
    page: Schemas['PageId'];
    preview: string;
  };
  PageText: {
    page: Schemas['PageId'];
    text: string;
  };
  /** Texts in order. */
  Path: {
    /** How many floors the branch has. */
    total: number;
    turns: (Schemas['Turn'])[];
  };
  /** Whose word counts where both changed the same place. */
  Prefer: 'ours' | 'theirs';
  Problem: {
    branch: string;
    floor: number;
    repaired: boolean;
    what: string;
  };
  PutLibrary: {
    library: Json;
  };
  /** A global snapshot to be kept. */
  PutSnapshot: {
    description?: string;
    name: string;
    state: { [key: string]: Json };
    tags?: (string)[];
  };
  PutTemplate: {
    template: { [key: string]: Json };
  };
  /** What belongs to the character, beside the chat. */
  ReadCard: {
    /** Whether functions that come with the card may run. */
    allow_functions?: boolean;
    card: Schemas['CardContent'];
    /** Keeps the first state as the template of this card, and its functions beside it. */
    keep_as?: string | null;
    world_books?: (Schemas['WorldBook'])[];
  };
  Ref: {
    chat?: Schemas['ChatId'] | null;
    colour: string;
    file?: string | null;
    floors: number;
    head?: Schemas['NodeId'] | null;
    /** `branch` or `tag`. */
    kind: string;
    name: string;
    note: string;
    ref: Schemas['RefId'];
    /** When it was thrown away. */
    trashed?: number | null;
    /** Milliseconds since 1970. */
    updated: number;
  };
  /** What is to be changed of a branch or tag; what is absent stays. */
  RefChange: {
    colour?: string | null;
    name?: string | null;
    note?: string | null;
  };
  /** A branch or a tag. */
  RefId: string;
  /** Branch or tag. */
  RefKind: 'branch' | 'tag';
  /** Branches and tags. */
  Refs: {
    current?: Schemas['RefId'] | null;
    refs: (Schemas['Ref'])[];
  };
  Remark: {
    code: string;
    message: Schemas['Words'];
    place: Schemas['Words'];
    severity: string;
  };
  /** A chat file floor by floor; nothing is written. */
  Replayed: {
    floors: (Schemas['ReplayedFloor'])[];
    initial: Schemas['Initial'];
    /** The state after the last of them. */
    state: Json;
  };
  ReplayedFloor: {
    calls: (Schemas['Call'])[];
    floor: number;
    hash: Schemas['StateHash'];
    name: string;
    page: Schemas['PageId'];
    role: string;
  };
  /** States to be computed again. */
  Reprocess: {
    /** Only look what would change. */
    dry_run?: boolean;
    /** The first floor. */
    from?: number;
    /** The last floor; nothing: to the end. */
    to?: number | null;
    what_if?: Schemas['RulesChange'] | null;
  };
  Reprocessed: {
    changed: (Schemas['FloorChange'])[];
    /** How many floors were looked at. */
    floors: number;
    /** Nothing if nothing was written. */
    operation?: number | null;
  };
  /** Who speaks. */
  Role: 'assistant' | 'narrator' | 'user' | 'summary' | 'other';
  /** The rules that new pages of a story take. */
  Rules: {
    /** Where each setting comes from: `you` (chosen for this story), `kept` (a library or template that is kept for all cards or for this one), `card`, `default`. */
    from: { [key: string]: string };
    rules: Json;
  };
  /** What a user chooses of rules; what is absent stays. */
  RulesChange: {
    /** Whether the story has a state at all. */
    enabled?: boolean | null;
    /** Whether `{"function": "SET", "args": […]}` is a call. */
    json_calls?: boolean | null;
    /** A function library file; stands in place of the library for all cards. */
    library?: Json;
    /** Whose conventions count: `native`, `mvu`, `sam-…`, `varsystem`. */
    profile?: string | null;
    /** What the state may look like; null: no schema. */
    schema?: Json;
    /** Whether reasoning blocks are left out. */
    skip_reasoning?: boolean | null;
    /** Whether `<set path="…">…</set>` is a call. */
    tag_calls?: boolean | null;
    /** The state before the first page; a running story takes it when its first floor is re-processed. */
    template?: { [key: string]: Json } | null;
    /** Where `TIME` writes; without one `世界.时间` where it exists, else `time`. */
    time_path?: string | null;
    /** Settings that follow the card again, by the names of the other fields. */
    unset?: (string)[];
    /** Whether calls in the user's own messages count. */
    user_calls?: boolean | null;
  };
  SearchIndex: {
    /** Bytes of the index on disk, of all owners; 0 for those who do not run the engine. */
    bytes: number;
    /** Whether texts are indexed. */
    on: boolean;
    /** How many texts there are. */
    texts: number;
  };
  Snapshot: Schemas['SnapshotLine'] & {
    state: Json;
  };
  /** The state of a floor, to be kept. */
  SnapshotFloor: {
    description?: string;
    floor: number;
    name: string;
    ref: Schemas['RefId'];
    story: Schemas['StoryId'];
    tags?: (string)[];
  };
  SnapshotLine: {
    description: string;
    name: string;
    snapshot: string;
    tags: (string)[];
  };
  Snapshots: {
    snapshots: (Schemas['SnapshotLine'])[];
  };
  Source: {
    kind: string;
    place: Schemas['Words'];
    used: boolean;
  };
  /** A state, or one place of it. */
  State: {
    /** Whether there is a value at this place. */
    found: boolean;
    /** Names the whole state. */
    hash: Schemas['StateHash'];
    value?: Json;
  };
  /** Names a state by its content. */
  StateHash: string;
  Stats: {
    bytes?: Schemas['Bytes'] | null;
    floors: number;
    nodes: number;
    operations: number;
    pages: number;
    refs: number;
    states: number;
    stories: number;
  };
  /** How the engine is. */
  Status: {
    /** Bytes of the database; only those who run the engine are told. */
    file_bytes?: number | null;
    /** The number of the last operation. */
    last: number;
    /** The layout of the database. */
    layout: number;
    /** Whose stories the asker sees. */
    owner: string;
    /** What the database finds wrong with its file, if it was asked to look. */
    problems?: (string)[] | null;
    search: Schemas['SearchIndex'];
    version: string;
    /** Whether readers and a writer can work side by side. */
    wal: boolean;
  };
  /** One step of a path: a key of an object, or a position in a list. */
  Step: string | number;
  /** What became of states that other tools stored. */
  Stored: {
    differing: (number)[];
    found: number;
    overridden: (number)[];
  };
  /** Stories, the one that changed last first. */
  Stories: {
    stories: (Schemas['Story'])[];
  };
  Story: {
    /** The card or group that it is played with. */
    card: string;
    profile: string;
    refs: (Schemas['Ref'])[];
    story: Schemas['StoryId'];
    title: string;
  };
  /** What is to be changed of a story; what is absent stays. */
  StoryChange: {
    edit_policy?: Schemas['EditPolicy'] | null;
    title?: string | null;
  };
  /** A story with what the user chose for it. */
  StoryDetail: Schemas['Story'] & {
    current?: Schemas['RefId'] | null;
    edit_policy: Schemas['EditPolicy'];
    /** Whether it lies in the trash. */
    trashed: boolean;
  };
  /** A story. */
  StoryId: string;
  SwitchSearch: {
    on: boolean;
  };
  /** Another branch is to be shown. */
  SwitchTo: {
    /** Its file, if it has one. */
    file?: string | null;
    name: string;
    /** The operation that says so; name it as `handled` from then on. */
    operation: number;
    /** The card or group of that file. */
    owner?: string | null;
    ref: Schemas['RefId'];
    story: Schemas['StoryId'];
  };
  Sync: {
    base?: Schemas['NodeId'] | null;
    chat: Schemas['ChatId'];
    client: string;
    have?: Schemas['StateHash'] | null;
    keep?: Schemas['SyncKeep'];
    messages?: { [key: string]: { [key: string]: Json } };
    names?: Schemas['SyncNames'];
    seq: number;
    tail: (Schemas['SyncRow'])[];
  };
  SyncAnswer: {
    adopt: ([number, string])[];
    apply: (Schemas['HostChange'])[];
    diagnostics: (Schemas['PageDiagnostic'])[];
    evaluated: number;
    /** Where the branch stands: the base of the host once it has done what `apply` says. */
    head?: string | null;
    need: (string)[];
    node?: string | null;
    notices: (Schemas['Notice'])[];
    /** The last operation on the branch. */
    operation?: number | null;
    parent?: Schemas['SyncState'] | null;
    pending: boolean;
    ref: string;
    state?: Schemas['SyncState'] | null;
    story: string;
  };
  SyncKeep: {
    digest?: string;
    len: number;
  };
  SyncNames: {
    char?: string;
    user?: string;
  };
  SyncPage: {
    h: Schemas['TextHash'];
    id: Schemas['PageId'];
  };
  SyncRow: {
    active: number;
    hidden: boolean;
    name: string;
    role: string;
    swipes: (Schemas['SyncPage'])[];
  };
  SyncState: {
    hash: string;
    ops?: (Schemas['SyncStateOp'])[] | null;
    value?: Json;
  };
  SyncStateOp: {
    path: (Schemas['Step'])[];
    value: Json;
  } | {
    path: (Schemas['Step'])[];
    remove: boolean;
  };
  Template: {
    card: string;
    template: Json;
  };
  /** The first 128 bits of SHA-256 over a canonical text, base64url. */
  TextHash: string;
  ToTemplate: {
    /** The card whose template it becomes. */
    card: string;
  };
  /** One floor with the whole texts of its pages. */
  Turn: {
    /** Which page is read. */
    active: number;
    floor: number;
    hidden: boolean;
    name: string;
    pages: (Schemas['PageText'])[];
    role: string;
  };
  /** A floor on which a value became another. */
  ValueChange: {
    after?: Json;
    before?: Json;
    by?: Schemas['Cause'] | null;
    floor: number;
    page: Schemas['PageId'];
  };
  ValueHistory: {
    /** In reading order. */
    changes: (Schemas['ValueChange'])[];
  };
  Verified: {
    branches: number;
    floors: number;
    problems: (Schemas['Problem'])[];
    /** Floors whose state is from before a change further up, as the edit policy says. */
    stale: number;
    stories: number;
  };
  Verify: {
    /** Whether what can be computed is put right. */
    repair?: boolean;
  };
  Version: {
    /** Milliseconds since 1970. */
    time: number;
    /** What it was; null if it was thrown away. */
    value: Json;
    version: number;
  };
  /** The newest first. */
  Versions: {
    versions: (Schemas['Version'])[];
  };
  /** Which chat. */
  VmChat: {
    chatFile: string;
  };
  VmCleaned: {
    deletedChatFiles: (string)[];
    deletedCount: number;
    totalScanned: number;
  };
  /** The chats that exist. */
  VmCleanup: {
    /** Snapshots of all other chats go to the trash; an empty list moves nothing. */
    activeChatFiles: (string)[];
  };
  VmDeleted: {
    deletedCount: number;
    message: string;
  };
  /** A refusal as the plugin words it. */
  VmError: {
    details?: Json;
    error: Json;
  };
  VmGlobal: {
    createdAt: number;
    description?: string | null;
    name: string;
    snapshotBody: Json;
    snapshotId: string;
    tags: (string)[];
    updatedAt: number;
  };
  VmGlobalLine: {
    createdAt: number;
    description?: string | null;
    name: string;
    snapshotId: string;
    tags: (string)[];
    updatedAt: number;
  };
  VmGlobalList: {
    snapshots: (Schemas['VmGlobalLine'])[];
    total: number;
  };
  VmGlobalSave: {
    description?: string | null;
    name: string;
    snapshotBody: Json;
    snapshotId?: string | null;
    tags?: (string)[] | null;
  };
  VmGlobalSaved: {
    createdAt: number;
    replaced: boolean;
    snapshotId: string;
    structureHash: string;
    structureId: number;
    updatedAt: number;
  };
  VmRestore: {
    keys: (number)[];
  };
  VmRestored: {
    /** How many came back; one whose identifier was given again stays in the trash. */
    restored: number;
  };
  VmSnapshot: {
    chatFile: string;
    createdAt: number;
    identifier: string;
    messageId?: string | null;
    payload: Json;
  };
  /** A snapshot that was edited. */
  VmSnapshotPut: {
    /** Needed where there is no such snapshot yet. */
    chatFile?: string | null;
    messageId?: string | null;
    /** An object or a list; `payload` is understood too. */
    snapshot: Json;
  };
  /** A snapshot of a message. */
  VmSnapshotSave: {
    chatFile: string;
    identifier?: string | null;
    messageId?: string | null;
    /** An object or a list. */
    payload: Json;
  };
  VmSnapshotSaved: {
    chatFile: string;
    createdAt: number;
    identifier: string;
    messageId?: string | null;
    replaced: boolean;
    structureHash: string;
    structureId: number;
  };
  VmTemplate: {
    characterName: string;
    createdAt: number;
    template: Json;
    updatedAt: number;
  };
  VmTemplateSave: {
    characterName: string;
    template: Json;
  };
  /** Snapshots in the trash. */
  VmTrash: {
    snapshots: (Schemas['VmTrashed'])[];
  };
  VmTrashed: {
    chatFile: string;
    identifier: string;
    /** Names this one; identifiers may have been given again. */
    key: number;
    trashedAt: number;
  };
  /** Which operation. */
  WhichOperation: {
    /** Its number; nothing: the last one. */
    operation?: number | null;
  };
  /** A sentence in two languages. */
  Words: {
    en: string;
    zh: string;
  };
  /** A world book. */
  WorldBook: {
    /** The book as the host exports it. */
    book: { [key: string]: Json };
    name?: string;
  };
}

/** What each operation takes and answers. */
export interface Operations {
  /** Reads an archive. It becomes a story of its own; nothing that exists is changed. */
  'POST /api/v1/archives': { path: Record<never, never>; query: { allow_functions?: boolean; copy?: boolean }; body: undefined; answer: Schemas['ArchiveImported'] };
  /** Says how a story with this card would begin, and keeps that for stories to come if asked to. */
  'POST /api/v1/cards': { path: Record<never, never>; query: Record<never, never>; body: Schemas['ReadCard']; answer: Schemas['CardRead'] };
  /** What a card, or the cards of a group, say about state. Nothing is stored. */
  'POST /api/v1/cards/look': { path: Record<never, never>; query: Record<never, never>; body: Schemas['Cast']; answer: Schemas['CastBeginning'] };
  /** Waits until an operation with another number exists. */
  'GET /api/v1/changes': { path: Record<never, never>; query: { after?: number; wait?: number }; body: undefined; answer: Schemas['LastOperation'] };
  /** Says who a host chat is. */
  'POST /api/v1/chats': { path: Record<never, never>; query: Record<never, never>; body: Schemas['OpenChat']; answer: Schemas['OpenedChat'] };
  /** Says that the host deleted a file, or all files of a card: their branches go to the trash. */
  'POST /api/v1/chats/forget': { path: Record<never, never>; query: Record<never, never>; body: Schemas['GoneFiles']; answer: Schemas['Forgotten'] };
  /** What a reply makes of a state. Nothing is written. */
  'POST /api/v1/evaluate': { path: Record<never, never>; query: Record<never, never>; body: Schemas['Evaluate']; answer: Schemas['Evaluation'] };
  /** Every operation as it happens, as server-sent events. */
  'GET /api/v1/events': { path: Record<never, never>; query: { after?: number }; body: undefined; answer: string };
  /** The built-in functions of a profile. */
  'GET /api/v1/functions': { path: Record<never, never>; query: { profile?: string }; body: undefined; answer: Schemas['Functions'] };
  /** The text that teaches a model the functions. */
  'GET /api/v1/functions/manual': { path: Record<never, never>; query: { profile?: string; language?: string; tag?: string; card?: string }; body: undefined; answer: Schemas['Manual'] };
  /** Collects what nothing holds any more; only counts it unless `dry_run` is false. */
  'POST /api/v1/gc': { path: Record<never, never>; query: Record<never, never>; body: Schemas['Collect']; answer: Schemas['Collected'] };
  /** Reads a chat file into its branch; the same file again changes nothing. */
  'POST /api/v1/import': { path: Record<never, never>; query: { file?: string; title?: string; into?: Schemas['StoryId']; trust_stored?: boolean }; body: Schemas['ImportChat']; answer: Schemas['Imported'] };
  /** Reads the chats of one character or group; what they share is stored once. */
  'POST /api/v1/import/folder': { path: Record<never, never>; query: Record<never, never>; body: Schemas['ImportFolder']; answer: Schemas['Imported'] };
  /** The cards that have functions of their own; the empty name stands for all cards. */
  'GET /api/v1/libraries': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: Schemas['Cards'] };
  /** The functions that are kept for all cards, or for one. */
  'GET /api/v1/library': { path: Record<never, never>; query: { card?: string }; body: undefined; answer: Schemas['Library'] };
  /** Keeps functions for all cards, or for one, as they stand; new stories take them. */
  'PUT /api/v1/library': { path: Record<never, never>; query: { card?: string }; body: Schemas['PutLibrary']; answer: Schemas['NewVersion'] };
  /** Adds functions from elsewhere: they get new ids and are switched off. */
  'POST /api/v1/library/import': { path: Record<never, never>; query: { card?: string }; body: Schemas['PutLibrary']; answer: Schemas['ImportedLibrary'] };
  /** Every library that was kept, the newest first. */
  'GET /api/v1/library/versions': { path: Record<never, never>; query: { card?: string }; body: undefined; answer: Schemas['Versions'] };
  /** The description of all routes, as OpenAPI 3.1. */
  'GET /api/v1/openapi.json': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: { [key: string]: Json } };
  /** The state at every floor of a chat file. Nothing is written. */
  'POST /api/v1/replay': { path: Record<never, never>; query: Record<never, never>; body: Schemas['ImportChat']; answer: Schemas['Replayed'] };
  /** Pages on all branches that hold all the words. */
  'GET /api/v1/search': { path: Record<never, never>; query: { q: string; story?: Schemas['StoryId']; limit?: number }; body: undefined; answer: Schemas['Hits'] };
  /** Whether there is an index for searching. */
  'GET /api/v1/search/index': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: Schemas['SearchIndex'] };
  /** Switches the index on or off, for all owners; answers when it is done. */
  'POST /api/v1/search/index': { path: Record<never, never>; query: Record<never, never>; body: Schemas['SwitchSearch']; answer: Schemas['SearchIndex'] };
  /** Global snapshots, the newest first. */
  'GET /api/v1/snapshots': { path: Record<never, never>; query: { q?: string }; body: undefined; answer: Schemas['Snapshots'] };
  /** Keeps a new global snapshot. */
  'POST /api/v1/snapshots': { path: Record<never, never>; query: Record<never, never>; body: Schemas['PutSnapshot']; answer: Schemas['KeptSnapshot'] };
  /** Keeps the state of a floor as a global snapshot. */
  'POST /api/v1/snapshots/from-floor': { path: Record<never, never>; query: Record<never, never>; body: Schemas['SnapshotFloor']; answer: Schemas['KeptSnapshot'] };
  /** One global snapshot with its state. */
  'GET /api/v1/snapshots/{snapshot}': { path: { snapshot: string }; query: Record<never, never>; body: undefined; answer: Schemas['Snapshot'] };
  /** Keeps a new version of a global snapshot. */
  'PUT /api/v1/snapshots/{snapshot}': { path: { snapshot: string }; query: Record<never, never>; body: Schemas['PutSnapshot']; answer: Schemas['KeptSnapshot'] };
  /** Throws a global snapshot away; its versions stay. */
  'DELETE /api/v1/snapshots/{snapshot}': { path: { snapshot: string }; query: Record<never, never>; body: undefined; answer: Schemas['KeptSnapshot'] };
  /** Makes the state of a global snapshot the template of a card. */
  'POST /api/v1/snapshots/{snapshot}/template': { path: { snapshot: string }; query: Record<never, never>; body: Schemas['ToTemplate']; answer: Schemas['NewVersion'] };
  /** How many things there are, and how many bytes they take. */
  'GET /api/v1/stats': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: Schemas['Stats'] };
  /** How the engine and its database are. */
  'GET /api/v1/status': { path: Record<never, never>; query: { check?: boolean }; body: undefined; answer: Schemas['Status'] };
  /** All stories, the one that changed last first. */
  'GET /api/v1/stories': { path: Record<never, never>; query: { trash?: boolean }; body: undefined; answer: Schemas['Stories'] };
  /** Begins a story that no host tells. */
  'POST /api/v1/stories': { path: Record<never, never>; query: Record<never, never>; body: Schemas['NewStory']; answer: Schemas['BegunStory'] };
  /** One story, in the trash or not. */
  'GET /api/v1/stories/{story}': { path: { story: Schemas['StoryId'] }; query: Record<never, never>; body: undefined; answer: Schemas['StoryDetail'] };
  /** Gives a story another title, or another edit policy. */
  'POST /api/v1/stories/{story}': { path: { story: Schemas['StoryId'] }; query: Record<never, never>; body: Schemas['StoryChange']; answer: Schemas['DoneMany'] };
  /** Throws a story away. */
  'DELETE /api/v1/stories/{story}': { path: { story: Schemas['StoryId'] }; query: Record<never, never>; body: undefined; answer: Schemas['Done'] };
  /** A whole story as an archive: JSON lines, see `docs/format/archive.md`. */
  'GET /api/v1/stories/{story}/archive': { path: { story: Schemas['StoryId'] }; query: Record<never, never>; body: undefined; answer: string };
  /** All branches and tags of a story, those in the trash too. */
  'GET /api/v1/stories/{story}/refs': { path: { story: Schemas['StoryId'] }; query: Record<never, never>; body: undefined; answer: Schemas['Refs'] };
  /** Makes a branch or a tag. */
  'POST /api/v1/stories/{story}/refs': { path: { story: Schemas['StoryId'] }; query: Record<never, never>; body: Schemas['NewRef']; answer: Schemas['MadeRef'] };
  /** Gives a branch or tag another name, note or colour. */
  'POST /api/v1/stories/{story}/refs/{ref}': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: Record<never, never>; body: Schemas['RefChange']; answer: Schemas['Done'] };
  /** Throws a branch or tag away; it can be brought back. */
  'DELETE /api/v1/stories/{story}/refs/{ref}': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: Record<never, never>; body: undefined; answer: Schemas['Done'] };
  /** Which floor and which call set a value, and why. */
  'GET /api/v1/stories/{story}/refs/{ref}/blame': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: { path: string; floor?: number }; body: undefined; answer: Schemas['Blame'] };
  /** Compares two branches or tags: shared floors, texts, states. */
  'GET /api/v1/stories/{story}/refs/{ref}/compare/{other}': { path: { story: Schemas['StoryId']; ref: Schemas['RefId']; other: Schemas['RefId'] }; query: Record<never, never>; body: undefined; answer: Schemas['Comparison'] };
  /** A branch as a chat file of the host; what the host kept there is kept. */
  'GET /api/v1/stories/{story}/refs/{ref}/export': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: Record<never, never>; body: undefined; answer: string };
  /** Makes a host file of a branch; the host writes it. */
  'POST /api/v1/stories/{story}/refs/{ref}/file': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: Record<never, never>; body: Schemas['HostFile']; answer: Schemas['NewHostFile'] };
  /** Floors in order, with their first words and what they changed. */
  'GET /api/v1/stories/{story}/refs/{ref}/floors': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: { from?: number; limit?: number }; body: undefined; answer: Schemas['Floors'] };
  /** One floor: its pages, its text, its state, and how that came about. */
  'GET /api/v1/stories/{story}/refs/{ref}/floors/{floor}': { path: { story: Schemas['StoryId']; ref: Schemas['RefId']; floor: number }; query: { page?: Schemas['PageId'] }; body: undefined; answer: Schemas['Floor'] };
  /** Which floor last set each of some paths, up to a floor. At most 2,000 floors are searched. */
  'GET /api/v1/stories/{story}/refs/{ref}/floors/{floor}/causes': { path: { story: Schemas['StoryId']; ref: Schemas['RefId']; floor: number }; query: { path: (string)[] }; body: undefined; answer: Schemas['Causes'] };
  /** The state at a floor, whole or one place of it. */
  'GET /api/v1/stories/{story}/refs/{ref}/floors/{floor}/state': { path: { story: Schemas['StoryId']; ref: Schemas['RefId']; floor: number }; query: { path?: string }; body: undefined; answer: Schemas['State'] };
  /** All changes of a value, or those by which something came to hold. */
  'GET /api/v1/stories/{story}/refs/{ref}/history': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: { path: string; when?: string }; body: undefined; answer: Schemas['ValueHistory'] };
  /** Merges the state of another branch into this one: its last page says what the state is. */
  'POST /api/v1/stories/{story}/refs/{ref}/merge': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: { head?: Schemas['NodeId'] }; body: Schemas['Merge']; answer: Schemas['Merged'] };
  /** Shows what merging the state of another branch into this one would give. */
  'GET /api/v1/stories/{story}/refs/{ref}/merge/{other}': { path: { story: Schemas['StoryId']; ref: Schemas['RefId']; other: Schemas['RefId'] }; query: { prefer?: Schemas['Prefer'] }; body: undefined; answer: Schemas['MergePreview'] };
  /** What a model reads of a branch; hidden turns and remarks are left out. */
  'GET /api/v1/stories/{story}/refs/{ref}/messages': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: Record<never, never>; body: undefined; answer: Schemas['Messages'] };
  /** What was done on a branch, the newest first. */
  'GET /api/v1/stories/{story}/refs/{ref}/operations': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: { limit?: number }; body: undefined; answer: Schemas['Log'] };
  /** Changes a branch. */
  'POST /api/v1/stories/{story}/refs/{ref}/operations': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: { head?: Schemas['NodeId'] }; body: Schemas['BranchEdit']; answer: Schemas['Edited'] };
  /** Floors with the whole texts of all their pages. */
  'GET /api/v1/stories/{story}/refs/{ref}/path': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: { from?: number; limit?: number }; body: undefined; answer: Schemas['Path'] };
  /** Does an operation again that was taken back: the last one, or any by its number. */
  'POST /api/v1/stories/{story}/refs/{ref}/redo': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: Record<never, never>; body: Schemas['WhichOperation']; answer: Schemas['Edited'] };
  /** Computes states again under the rules of today, or looks what other rules would give. */
  'POST /api/v1/stories/{story}/refs/{ref}/reprocess': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: Record<never, never>; body: Schemas['Reprocess']; answer: Schemas['Reprocessed'] };
  /** Brings a branch or tag back from the trash. */
  'POST /api/v1/stories/{story}/refs/{ref}/restore': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: Record<never, never>; body: undefined; answer: Schemas['Done'] };
  /** Reads this branch from now on. */
  'POST /api/v1/stories/{story}/refs/{ref}/switch': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: Record<never, never>; body: undefined; answer: Schemas['Done'] };
  /** Takes an operation back: the last one, or any by its number. */
  'POST /api/v1/stories/{story}/refs/{ref}/undo': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: Record<never, never>; body: Schemas['WhichOperation']; answer: Schemas['Edited'] };
  /** Brings a story back from the trash. */
  'POST /api/v1/stories/{story}/restore': { path: { story: Schemas['StoryId'] }; query: Record<never, never>; body: undefined; answer: Schemas['Done'] };
  /** The rules that new pages of a story take. */
  'GET /api/v1/stories/{story}/rules': { path: { story: Schemas['StoryId'] }; query: Record<never, never>; body: undefined; answer: Schemas['Rules'] };
  /** Changes what the user chose of the rules that new pages take. */
  'POST /api/v1/stories/{story}/rules': { path: { story: Schemas['StoryId'] }; query: Record<never, never>; body: Schemas['RulesChange']; answer: Schemas['Done'] };
  /** How many things a story has, and about how many bytes they take. */
  'GET /api/v1/stories/{story}/stats': { path: { story: Schemas['StoryId'] }; query: Record<never, never>; body: undefined; answer: Schemas['Stats'] };
  /** Says what the host shows, and hears what changed. */
  'POST /api/v1/sync': { path: Record<never, never>; query: Record<never, never>; body: Schemas['Sync']; answer: Schemas['SyncAnswer'] };
  /** The cards that have a template. */
  'GET /api/v1/templates': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: Schemas['Cards'] };
  /** The initial state that is kept for a card. */
  'GET /api/v1/templates/{card}': { path: { card: string }; query: Record<never, never>; body: undefined; answer: Schemas['Template'] };
  /** Keeps the initial state of a card; stories that run are not touched. */
  'PUT /api/v1/templates/{card}': { path: { card: string }; query: Record<never, never>; body: Schemas['PutTemplate']; answer: Schemas['NewVersion'] };
  /** Keeps no template for a card any more; its versions stay. */
  'DELETE /api/v1/templates/{card}': { path: { card: string }; query: Record<never, never>; body: undefined; answer: Schemas['NewVersion'] };
  /** Every template that a card had, the newest first. */
  'GET /api/v1/templates/{card}/versions': { path: { card: string }; query: Record<never, never>; body: undefined; answer: Schemas['Versions'] };
  /** Brings snapshots back from the trash. */
  'POST /api/v1/var-manager/restore': { path: Record<never, never>; query: Record<never, never>; body: Schemas['VmRestore']; answer: Schemas['VmRestored'] };
  /** What cleaning up moved to the trash, the newest first. */
  'GET /api/v1/var-manager/trash': { path: Record<never, never>; query: { limit?: number }; body: undefined; answer: Schemas['VmTrash'] };
  /** Computes every state again and compares; puts right what can be computed if asked to. */
  'POST /api/v1/verify': { path: Record<never, never>; query: Record<never, never>; body: Schemas['Verify']; answer: Schemas['Verified'] };
  /** Whether it is there. Needs no token. */
  'GET /healthz': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: Schemas['Health'] };
  /** Global snapshots, what was changed last first. */
  'GET /var-manager/global-snapshots': { path: Record<never, never>; query: { tag?: string; limit?: string; offset?: string }; body: undefined; answer: Schemas['VmGlobalList'] };
  /** Saves a global snapshot. */
  'POST /var-manager/global-snapshots': { path: Record<never, never>; query: Record<never, never>; body: Schemas['VmGlobalSave']; answer: Schemas['VmGlobalSaved'] };
  /** Returns a global snapshot. */
  'GET /var-manager/global-snapshots/{snapshotId}': { path: { snapshotId: string }; query: Record<never, never>; body: undefined; answer: Schemas['VmGlobal'] };
  /** Throws a global snapshot away; its versions stay. */
  'DELETE /var-manager/global-snapshots/{snapshotId}': { path: { snapshotId: string }; query: Record<never, never>; body: undefined; answer: undefined };
  /** Says that it is there. */
  'POST /var-manager/probe': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: undefined };
  /** The plugin never had it either. */
  'POST /var-manager/reprocess': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: never };
  /** Saves a snapshot. */
  'POST /var-manager/snapshots': { path: Record<never, never>; query: Record<never, never>; body: Schemas['VmSnapshotSave']; answer: Schemas['VmSnapshotSaved'] };
  /** Moves the snapshots of a chat to the trash; for those whose proxies drop the body of a `DELETE`. */
  'POST /var-manager/snapshots/by-chat': { path: Record<never, never>; query: Record<never, never>; body: Schemas['VmChat']; answer: Schemas['VmDeleted'] };
  /** Moves the snapshots of a chat to the trash; the body names it. */
  'DELETE /var-manager/snapshots/by-chat': { path: Record<never, never>; query: Record<never, never>; body: Schemas['VmChat']; answer: Schemas['VmDeleted'] };
  /** Moves the snapshots of a chat to the trash. */
  'DELETE /var-manager/snapshots/by-chat/{chatFile}': { path: { chatFile: string }; query: Record<never, never>; body: undefined; answer: Schemas['VmDeleted'] };
  /** Moves the snapshots of all chats but the named ones to the trash; an empty list moves nothing. */
  'POST /var-manager/snapshots/cleanup': { path: Record<never, never>; query: Record<never, never>; body: Schemas['VmCleanup']; answer: Schemas['VmCleaned'] };
  /** Returns a snapshot. */
  'GET /var-manager/snapshots/{identifier}': { path: { identifier: string }; query: Record<never, never>; body: undefined; answer: Schemas['VmSnapshot'] };
  /** Saves an edited snapshot under the same identifier. */
  'PUT /var-manager/snapshots/{identifier}': { path: { identifier: string }; query: Record<never, never>; body: Schemas['VmSnapshotPut']; answer: Schemas['VmSnapshotSaved'] };
  /** Moves a snapshot to the trash. */
  'DELETE /var-manager/snapshots/{identifier}': { path: { identifier: string }; query: Record<never, never>; body: undefined; answer: undefined };
  /** Saves a template. */
  'POST /var-manager/templates': { path: Record<never, never>; query: Record<never, never>; body: Schemas['VmTemplateSave']; answer: Schemas['VmTemplate'] };
  /** Returns a template. */
  'GET /var-manager/templates/{characterName}': { path: { characterName: string }; query: Record<never, never>; body: undefined; answer: Schemas['VmTemplate'] };
}
