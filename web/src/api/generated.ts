// Made by `storeyline openapi --typescript` from the description of the API; a test compares. Do not edit.

/** Any JSON value. */
export type Json = unknown;

export interface Schemas {
  ArchiveImported: {
    current?: Schemas['RefId'] | null;
    /** Line numbers of nodes whose computed state differs from the archive; the computed one is used. */
    differing: (number)[];
    /** Number of functions that were left out. */
    held_functions: number;
    /** Number of nodes that keep the state of the archive because it cannot be computed here. */
    kept: number;
    nodes: number;
    /** Number of versions of pages. */
    pages: number;
    /** Number of branches and tags. */
    refs: number;
    story: Schemas['StoryId'];
    /** Number of host chats that are bound to existing branches. */
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
  BranchEdit: Schemas['NewTurn'] & {
    kind: 'append';
  } | Schemas['NewTurn'] & {
    kind: 'reply';
  } | Schemas['NewTurn'] & {
    floor: number;
  } & {
    kind: 'insert';
  } | Schemas['NewPage'] & {
    floor: number;
  } & {
    kind: 'add_page';
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
    state: Schemas['JsonObject'];
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
    message: Schemas['Words'];
  };
  Bytes: {
    content: number;
    search: number;
    state: number;
    tree_and_log: number;
  };
  /** A call or a function of a page, with what it did. */
  Call: {
    diagnostics: (Schemas['Diagnostic'])[];
    /** With the mark of its dialect, for example `@.ADD`; for a passive function, its own name. */
    name: string;
    ops: (Schemas['Change'])[];
    /** The reason that the text gives. */
    reason?: string | null;
    /** The beginning of the call as written, at most 200 characters; `span` is all of it. */
    source: string;
    /** Start and end in UTF-16 code units of the text; both 0 for a passive function. */
    span: (number)[];
    verdict: Schemas['Verdict'];
  };
  /** A character card: its JSON, or its image. */
  CardContent: {
    json?: Schemas['JsonObject'] | null;
    /** The card as PNG, base64. */
    png?: string | null;
  };
  /** What a card says about state. */
  CardRead: {
    greetings: (string)[];
    initial: Schemas['Initial'];
    /** Version of the functions that were saved, if any were. */
    library?: number | null;
    name: string;
    /** Version of the template that was saved, if one was. */
    template?: number | null;
  };
  Cards: {
    cards: (string)[];
  };
  /** The cards of a host chat: one card, or the members of a group in order. */
  Cast: {
    /** The active world books of the chat. */
    books?: (Schemas['WorldBook'])[];
    /** The cards, as the host would export them. */
    cards: (Schemas['JsonObject'])[];
    /** Whether several characters can speak. */
    group?: boolean;
  };
  /** How a story of a cast begins. */
  CastBeginning: {
    /** Whether the story has a state at all. */
    enabled: boolean;
    /** The active functions. */
    functions: (string)[];
    /** Functions that wait for the user's permission. */
    held: (Schemas['HeldFunctions'])[];
    profile: string;
    reason: Schemas['Words'];
    /** Problems in the cards. */
    remarks: (Schemas['Remark'])[];
    template?: Schemas['JsonObject'] | null;
  };
  /** The call that changed it. */
  Cause: {
    name: string;
    reason?: string | null;
    source: string;
  };
  /** Which floor last set each path. */
  Causes: {
    /** In the order of the request. A floor that set something above or inside a path set it too; `null`: none of the floors that were searched. */
    floors: (number | null)[];
    /** The first floor that was searched. At 0 a path without a floor has its value from the first state; otherwise ask at the floor before. */
    searched_from: number;
  };
  /** A change of one path of a state. */
  Change: {
    kind: Schemas['ChangeKind'];
    new?: Json;
    old?: Json;
    path: Schemas['StatePath'];
  };
  /** What happened to a path of a state. */
  ChangeKind: 'changed' | 'added' | 'removed';
  /** Numbers of changes that a page made. */
  Changes: {
    added: number;
    changed: number;
    /** Number of calls that failed. */
    failed: number;
    removed: number;
  };
  ChatFile: {
    /** Name of the file, without extension. */
    name: string;
    text: string;
  };
  /** A chat of the host. */
  ChatId: string;
  /** What to collect. */
  Collect: {
    /** Only count; on by default. */
    dry_run?: boolean;
    /** Days that branches and stories stay in the trash. */
    trash_days?: number;
    /** Days that operations can be undone. */
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
    /** More could go: the stories were written to all the time. Ask again later. */
    unfinished: boolean;
    values: number;
  };
  Compared: {
    floor: number;
    name: string;
    page: Schemas['PageId'];
    role: Schemas['Role'];
    text: string;
  };
  Comparison: {
    /** Floors after that on the first branch. */
    ours: (Schemas['Compared'])[];
    /** Number of floors that both share. */
    shared: number;
    /** Changes from the state of the first branch to that of the other. */
    state: (Schemas['Change'])[];
    /** Floors after that on the other branch. */
    theirs: (Schemas['Compared'])[];
  };
  Conflict: {
    base?: Json;
    ours?: Json;
    path: Schemas['StatePath'];
    theirs?: Json;
  };
  Consent: {
    allow: boolean;
    card: string;
    fingerprint: Schemas['TextHash'];
  };
  /** The decisions of the user, newest first. */
  Consents: {
    consents: (Schemas['Consent'])[];
  };
  /** A position in the changes; give it back as it came. */
  Cursor: string;
  /** What the user decided about functions that were held. */
  Decide: {
    /** Whether they may run; null: ask again. */
    allow?: boolean | null;
    /** Name of the card, to be shown. */
    card?: string;
    fingerprint: Schemas['TextHash'];
  };
  /** A diagnostic with its span in the text. */
  Diagnostic: {
    /** Stable, for example `E-ADD-NUM`. */
    code: string;
    message: Schemas['Words'];
    severity: Schemas['Severity'];
    /** Start and end in UTF-16 code units of the text. */
    span: (number)[];
  };
  /** Number of an operation. */
  Done: {
    /** Absent: nothing had to be changed, and nothing was written. */
    operation?: number | null;
  };
  /** Numbers of the operations. */
  DoneMany: {
    operations: (number)[];
  };
  /** How a change of an early floor affects the later ones. */
  EditPolicy: 'auto' | 'manual';
  /** The result of a change. */
  Edited: {
    /** Floors that were evaluated. */
    evaluated: (number)[];
    /** Whether an append came too late and was stored as an alternative. */
    late: boolean;
    /** New head of the branch. */
    node: Schemas['NodeId'];
    /** Number of the operation; absent: nothing had to be changed, and nothing was written. */
    operation?: number | null;
    page?: Schemas['PageId'] | null;
    /** The branch that was changed; another one than requested if an append came too late. */
    ref: Schemas['RefId'];
  };
  /** The body of every error response. */
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
    /** Id of the request, as in the header `x-request-id` and in the log. */
    request: string;
  };
  /** A text to be evaluated on a state. */
  Evaluate: {
    /** The text of a reply. */
    message: string;
    rules?: Schemas['RulesChange'] | null;
    /** The state before; absent: an empty one. */
    state?: Json;
  };
  /** The result of evaluating a text on a state. */
  Evaluation: {
    calls: (Schemas['Call'])[];
    diagnostics: (Schemas['Diagnostic'])[];
    state: Json;
  };
  /** A part of a text around a hit; `…` where it was cut. */
  Excerpt: {
    after: string;
    before: string;
    hit: string;
  };
  /** A floor, with the text, state and calls of one of its pages. */
  Floor: {
    /** Index of the active page. */
    active: number;
    calls: (Schemas['Call'])[];
    /** Diagnostics that belong to no call. */
    diagnostics: (Schemas['Diagnostic'])[];
    floor: number;
    /** The floor whose state it builds on; null: the first state. */
    from?: number | null;
    hash: Schemas['StateHash'];
    hidden: boolean;
    name: string;
    /** Whether the page was edited by hand. */
    overridden: boolean;
    /** The page that is shown. */
    page: Schemas['PageId'];
    pages: (Schemas['PageLine'])[];
    role: Schemas['Role'];
    /** Whether the page keeps a state from before a change further up. */
    stale: boolean;
    state: Json;
    text: string;
    /** When the page was written, in milliseconds since 1970. */
    time?: number | null;
  };
  /** A floor whose state differs. */
  FloorChange: {
    floor: number;
    state: (Schemas['Change'])[];
  };
  /** One floor in a list. */
  FloorLine: {
    /** Index of the active page. */
    active: number;
    changes: Schemas['Changes'];
    floor: number;
    hidden: boolean;
    name: string;
    /** Whether the page was edited by hand. */
    overridden: boolean;
    /** The active page. */
    page: Schemas['PageId'];
    /** Number of pages. */
    pages: number;
    /** Beginning of the text, on one line. */
    preview: string;
    role: Schemas['Role'];
    /** Whether the page keeps a state from before a change further up. */
    stale: boolean;
    /** When the page was written, in milliseconds since 1970. */
    time?: number | null;
  };
  /** Floors in order. */
  Floors: {
    floors: (Schemas['FloorLine'])[];
    /** Number of floors of the branch. */
    total: number;
  };
  /** Number of branches that went to the trash. */
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
  /** Deleted files of the host. */
  GoneFiles: {
    /** Name of the file; absent: all files of the owner. */
    file?: string | null;
    /** Card or group. */
    owner: string;
  };
  /** The data of an event; its id is the position in the feed, which is opaque. */
  Happened: {
    client: string;
    kind: Schemas['OperationKind'];
    /** The number of the operation on its branch or tag. */
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
  /** Functions of a card that wait for the user's permission. */
  HeldFunctions: {
    card: string;
    /** Identifies what is allowed: another card, or another text of any function, has another fingerprint. */
    fingerprint: Schemas['TextHash'];
    names: (string)[];
    /** Whether the user does not want to be asked about them again. */
    refused: boolean;
  };
  Hit: {
    excerpt: Schemas['Excerpt'];
    page: Schemas['PageId'];
    /** Where it is; empty if only the log still refers to this text. */
    places: (Schemas['HitPlace'])[];
    story: Schemas['StoryId'];
    title: string;
  };
  HitPlace: {
    floor: number;
    kind: Schemas['RefKind'];
    name: string;
    /** Index of the page on the floor, from 1. */
    number: number;
    pages: number;
    /** Whether it is the active page there. */
    read: boolean;
    ref: Schemas['RefId'];
    trashed: boolean;
  };
  Hits: {
    hits: (Schemas['Hit'])[];
    /** Whether the index was used; without it every text is scanned. */
    indexed: boolean;
    total: number;
  };
  /** A change that the host has to carry out. */
  HostChange: {
    floor: number;
    op: 'edit';
    page: Schemas['PageId'];
    text: string;
  } | {
    floor: number;
    index: number;
    op: 'select';
    page: Schemas['PageId'];
  } | {
    floor: number;
    messages: (Schemas['JsonObject'])[];
    op: 'replace';
  };
  /** A host file for a branch. */
  HostFile: {
    /** Without extension. */
    file: string;
    /** Its card or group. */
    owner: string;
  };
  /** A chat file, with its card and books. */
  ImportChat: {
    card?: Schemas['CardContent'] | null;
    /** Name of the file, without extension. */
    file?: string;
    into?: Schemas['StoryId'] | null;
    /** The text of the `.jsonl` file, or of a chat history. */
    text: string;
    /** Title of a new story; absent: the card's name, else the file's. */
    title?: string | null;
    /** Whether to use states stored by MVU or SAM. */
    trust_stored?: boolean;
    world_books?: (Schemas['WorldBook'])[];
  };
  /** The chats of one character or group. */
  ImportFolder: {
    card?: Schemas['CardContent'] | null;
    files: (Schemas['ChatFile'])[];
    into?: Schemas['StoryId'] | null;
    /** Title, if all of them are one story. */
    title?: string;
    /** Whether to use states stored by MVU or SAM. */
    trust_stored?: boolean;
    world_books?: (Schemas['WorldBook'])[];
  };
  Imported: {
    /** Files that could not be imported. */
    broken: (Schemas['Broken'])[];
    stories: (Schemas['ImportedStory'])[];
  };
  /** The result of importing a library. */
  ImportedLibrary: {
    /** Names of the imported functions, all switched off. */
    imported: (string)[];
    /** Problems of the rest. */
    problems: (Schemas['Words'])[];
    version: number;
  };
  ImportedRef: {
    /** Diagnostics of the evaluated pages. */
    diagnostics: (Schemas['PageDiagnostic'])[];
    /** Number of pages that were evaluated. */
    evaluated: number;
    /** Name of the file, or of the branch of a history. */
    file: string;
    floors: number;
    initial?: Schemas['Initial'] | null;
    /** How many of them are new. */
    new_pages: number;
    notices: (Schemas['Notice'])[];
    /** Number of pages in the file. */
    pages: number;
    ref: Schemas['RefId'];
    stored: Schemas['Stored'];
    story: Schemas['StoryId'];
  };
  ImportedStory: {
    refs: (Schemas['ImportedRef'])[];
    story: Schemas['StoryId'];
  };
  /** How a story begins. */
  Initial: {
    diagnostics: (Schemas['Remark'])[];
    /** Whether the story has a state at all. */
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
  /** Any JSON object; numbers are exact, keys keep their order. */
  JsonObject: { [key: string]: Json };
  /** What happens to the old text. */
  KeepText: 'in_place' | 'as_alternative' | 'on_all_branches';
  KeptSnapshot: {
    snapshot: string;
  };
  /** The position of the last operation; opaque. */
  LastOperation: {
    last: Schemas['Cursor'];
    /** Whether another client made one of the operations after that position. */
    others: boolean;
  };
  /** A function library in the exchange format. */
  Library: {
    library: Json;
  };
  /** A one-time link. */
  Link: {
    /** Milliseconds since 1970. */
    expires: number;
    /** The address to open, relative to the server. The code is behind `#`, so that it is in no request and no log. */
    link: string;
  };
  /** The operations of a branch, the newest first. */
  Log: {
    operations: (Schemas['Operation'])[];
  };
  /** A branch or tag that was created. */
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
    /** The floor whose state is the common base; absent: the initial state. */
    base?: number | null;
    /** Paths that both sides changed differently. */
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
    role: Schemas['Role'];
    text: string;
  };
  /** The messages for a model. */
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
  /** A page to be written. */
  NewPage: {
    page?: Schemas['PageId'] | null;
    text: string;
    /** In milliseconds since 1970; now if missing. */
    time?: number | null;
  };
  /** A branch or tag to be created. */
  NewRef: {
    /** Its last floor; absent: the end. */
    floor?: number | null;
    /** The branch or tag it starts from. */
    from: Schemas['RefId'];
    kind: Schemas['RefKind'];
    name: string;
    note?: string;
    /** Whether the new branch becomes the current one. */
    switch?: boolean;
  };
  /** A story without a host. */
  NewStory: {
    /** Name of the first branch. */
    branch?: string | null;
    /** The card it is played with; template and functions saved for that card apply. */
    card?: string;
    /** Profile: `native`, `mvu`, `sam-…`, `varsystem`. */
    profile?: string | null;
    template?: Schemas['JsonObject'] | null;
    title: string;
  };
  /** The token that a browser gets for a link. */
  NewToken: {
    /** Milliseconds since 1970; every use prolongs it. */
    expires: number;
    /** The owner whose stories it opens. */
    owner: string;
    /** Sent with every request as `Authorization: Bearer …`. */
    token: string;
  };
  /** A turn to be written. */
  NewTurn: Schemas['NewPage'] & {
    name: string;
    role: Schemas['Role'];
  };
  /** Number of the new version. */
  NewVersion: {
    version: number;
  };
  /** One turn under one ancestry; it never changes. */
  NodeId: string;
  /** A message for the user. */
  Notice: {
    /** Stable identifier. */
    code: string;
    message: Schemas['Words'];
  };
  /** An open host chat. */
  OpenChat: {
    /** Whether the client can send the cast: then a story without one is not created, and the cast is requested. */
    ask_cast?: boolean;
    cast?: Schemas['Cast'] | null;
    chat: Schemas['ChatId'];
    /** Name of its file, without extension. */
    file?: string;
    handled?: Schemas['Cursor'] | null;
    names?: Schemas['SyncNames'];
    /** Its card or group. */
    owner?: string;
    parent?: Schemas['ChatId'] | null;
    /** Whether new pages take the rules of the current cards. */
    renew?: boolean;
    template?: Schemas['JsonObject'] | null;
    /** Title of a new story. */
    title?: string;
  };
  /** The code of a link that was opened. */
  OpenLink: {
    code: string;
  };
  /** The result of opening a chat. */
  OpenedChat: {
    beginning?: Schemas['CastBeginning'] | null;
    /** Whether the branch was created now. */
    created: boolean;
    /** Nothing was created: send the request again with the cast. */
    need_cast: boolean;
    node?: Schemas['NodeId'] | null;
    /** Profile of the story. */
    profile?: string | null;
    ref?: Schemas['RefId'] | null;
    story?: Schemas['StoryId'] | null;
    switch?: Schemas['SwitchTo'] | null;
  };
  /** An operation in the log. */
  Operation: {
    client: string;
    /** Further details; not stable. */
    detail: Json;
    kind: Schemas['OperationKind'];
    operation: number;
    time: number;
    undoes?: number | null;
    undone: boolean;
  };
  /** What was done to a story or a branch. */
  OperationKind: 'sync' | 'import' | 'select' | 'edit' | 'append' | 'add_page' | 'delete' | 'delete_page' | 'keep_only' | 'move' | 'hide' | 'insert' | 'graft' | 'override' | 'reprocess' | 'merge' | 'swipe' | 'create_branch' | 'change' | 'trash' | 'restore' | 'create_tag' | 'rules' | 'switch' | 'undo' | 'redo' | 'reset' | 'settings' | 'rename' | 'trash_story' | 'restore_story';
  /** A diagnostic of a page that was evaluated. */
  PageDiagnostic: {
    code: string;
    floor: number;
    message: Schemas['Words'];
    page: Schemas['PageId'];
    severity: Schemas['Severity'];
    /** The beginning of the text that it refers to. */
    source: string;
  };
  /** One alternative text of a floor. */
  PageId: string;
  /** One page in the list of a floor's pages. */
  PageLine: {
    page: Schemas['PageId'];
    /** Beginning of the text, on one line. */
    preview: string;
  };
  PageText: {
    page: Schemas['PageId'];
    text: string;
  };
  /** Texts in order. */
  Path: {
    /** Number of floors of the branch. */
    total: number;
    turns: (Schemas['Turn'])[];
  };
  /** Which side has priority in a conflict. */
  Prefer: 'ours' | 'theirs';
  Problem: {
    /** Name of the branch or tag. */
    branch: string;
    floor: number;
    repaired: boolean;
    what: string;
  };
  PutLibrary: {
    library: Json;
  };
  /** A global snapshot to be saved. */
  PutSnapshot: {
    description?: string;
    name: string;
    state: Schemas['JsonObject'];
    tags?: (string)[];
  };
  PutTemplate: {
    template: Schemas['JsonObject'];
  };
  /** A card and its world books. */
  ReadCard: {
    card: Schemas['CardContent'];
    /** Saves the first state as the template of this card, and its functions with it. */
    keep_as?: string | null;
    world_books?: (Schemas['WorldBook'])[];
  };
  Ref: {
    chat?: Schemas['ChatId'] | null;
    colour: string;
    /** Whether it is the branch that is read. */
    current: boolean;
    /** Name of the file in the host, without extension. */
    file?: string | null;
    /** Number of floors. */
    floors: number;
    from?: Schemas['RefId'] | null;
    head?: Schemas['NodeId'] | null;
    kind: Schemas['RefKind'];
    name: string;
    note: string;
    /** Number of the last operation on it. */
    operation: number;
    ref: Schemas['RefId'];
    /** Number of floors that both share. */
    shared?: number | null;
    /** When it was moved to the trash, in milliseconds since 1970. */
    trashed?: number | null;
    /** Milliseconds since 1970. */
    updated: number;
  };
  /** Changes of a branch or tag; absent fields are unchanged. */
  RefChange: {
    colour?: string | null;
    name?: string | null;
    note?: string | null;
  };
  /** A branch or a tag. */
  RefId: string;
  RefKind: 'branch' | 'tag';
  /** Branches and tags. */
  Refs: {
    current?: Schemas['RefId'] | null;
    refs: (Schemas['Ref'])[];
  };
  /** A problem in a card. */
  Remark: {
    code: string;
    message: Schemas['Words'];
    place: Schemas['Words'];
    severity: Schemas['Severity'];
  };
  /** A chat file, evaluated floor by floor; nothing is stored. */
  Replayed: {
    floors: (Schemas['ReplayedFloor'])[];
    initial: Schemas['Initial'];
    /** The state after the last floor. */
    state: Json;
  };
  ReplayedFloor: {
    calls: (Schemas['Call'])[];
    diagnostics: (Schemas['Diagnostic'])[];
    floor: number;
    hash: Schemas['StateHash'];
    name: string;
    page: Schemas['PageId'];
    role: Schemas['Role'];
    /** Only where it was asked for. */
    state?: Json;
  };
  /** States to be recomputed. */
  Reprocess: {
    /** Only preview what would change. */
    dry_run?: boolean;
    /** The first floor. */
    from?: number;
    /** The last floor; absent: to the end. */
    to?: number | null;
    what_if?: Schemas['RulesChange'] | null;
  };
  Reprocessed: {
    changed: (Schemas['FloorChange'])[];
    /** Number of floors that were recomputed. */
    floors: number;
    /** Absent if nothing was written. */
    operation?: number | null;
  };
  /** Who speaks. */
  Role: 'assistant' | 'narrator' | 'user' | 'summary' | 'other';
  /** The rules for new pages of a story. */
  Rules: {
    /** Where each setting comes from: `you` (chosen for this story), `kept` (a library or template saved for all cards or for this one), `card`, `default`. */
    from: { [key: string]: string };
    rules: Json;
  };
  /** Choices of the user; absent ones are unchanged. */
  RulesChange: {
    /** Whether the story has a state at all. */
    enabled?: boolean | null;
    /** Whether `{"function": "SET", "args": […]}` is a call. */
    json_calls?: boolean | null;
    /** A function library file; replaces the library for all cards. */
    library?: Json;
    /** Profile: `native`, `mvu`, `sam-…`, `varsystem`. */
    profile?: string | null;
    /** Schema of the state; null: none. */
    schema?: Json;
    /** Whether reasoning blocks are skipped. */
    skip_reasoning?: boolean | null;
    /** Whether `<set path="…">…</set>` is a call. */
    tag_calls?: boolean | null;
    template?: Schemas['JsonObject'] | null;
    /** Where `TIME` writes; absent: `世界.时间` if it exists, else `time`. */
    time_path?: string | null;
    /** Settings that follow the card again, by the names of the other fields. */
    unset?: (string)[];
    /** Whether calls in the user's own messages are executed. */
    user_calls?: boolean | null;
  };
  SearchIndex: {
    /** Size of the index in bytes, of all owners; 0 for owners who do not run the engine. */
    bytes: number;
    /** Whether texts are indexed. */
    on: boolean;
    /** Number of texts. */
    texts: number;
  };
  Severity: 'error' | 'warning' | 'info';
  Snapshot: Schemas['SnapshotLine'] & {
    state: Json;
  };
  /** The state of a floor, to be saved. */
  SnapshotFloor: {
    description?: string;
    floor: number;
    name: string;
    ref: Schemas['RefId'];
    story: Schemas['StoryId'];
    tags?: (string)[];
  };
  /** A global snapshot without its state. */
  SnapshotLine: {
    /** When it was saved, in milliseconds since 1970. */
    changed: number;
    description: string;
    from?: Schemas['SnapshotOrigin'] | null;
    name: string;
    snapshot: string;
    tags: (string)[];
    /** Number of values in its state. */
    values: number;
  };
  /** The floor that a snapshot was saved from, as it was called then. */
  SnapshotOrigin: {
    branch: string;
    floor: number;
    story: string;
  };
  Snapshots: {
    snapshots: (Schemas['SnapshotLine'])[];
  };
  Source: {
    /** Where it was found: `template`, `initvar`, `greeting` … */
    kind: string;
    place: Schemas['Words'];
    used: boolean;
  };
  /** A state, or the value at one path of it. */
  State: {
    /** Whether there is a value at this path. */
    found: boolean;
    /** Hash of the whole state. */
    hash: Schemas['StateHash'];
    value?: Json;
  };
  /** Names a state by its content. */
  StateHash: string;
  /** Keys of objects and indices of lists. */
  StatePath: (string | number)[];
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
  /** Status of the engine. */
  Status: {
    /** Size of the database in bytes; only for the owner who runs the engine. */
    file_bytes?: number | null;
    /** The position of the last change. */
    last: Schemas['Cursor'];
    /** Layout version of the database. */
    layout: number;
    /** The owner whose stories the client sees. */
    owner: string;
    /** Problems found in the database file, if a check was requested. */
    problems?: (string)[] | null;
    search: Schemas['SearchIndex'];
    version: string;
    /** Whether readers and a writer can work concurrently. */
    wal: boolean;
  };
  /** States that other tools stored, and whether they were used. */
  Stored: {
    /** Floors where they differ from ours and were not used. */
    differing: (number)[];
    /** How many there are. */
    found: number;
    /** Floors whose state was overridden by them. */
    overridden: (number)[];
  };
  /** Stories, the last changed first. */
  Stories: {
    stories: (Schemas['Story'])[];
  };
  Story: {
    /** The card or group that it is played with. */
    card: string;
    /** Milliseconds since 1970. */
    created: number;
    /** `native`, `mvu`, `sam-…` or `varsystem`. */
    profile: string;
    /** The last changed first; without those in the trash. */
    refs: (Schemas['Ref'])[];
    story: Schemas['StoryId'];
    title: string;
  };
  /** Changes of a story; absent fields are unchanged. */
  StoryChange: {
    edit_policy?: Schemas['EditPolicy'] | null;
    title?: string | null;
  };
  /** A story with its settings. */
  StoryDetail: Schemas['Story'] & {
    current?: Schemas['RefId'] | null;
    edit_policy: Schemas['EditPolicy'];
    /** Whether it is in the trash. */
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
    /** The operation that switched; send it as `handled` from then on. */
    operation: Schemas['Cursor'];
    /** Card or group of that file. */
    owner?: string | null;
    ref: Schemas['RefId'];
    story: Schemas['StoryId'];
  };
  /** What a host shows. */
  Sync: {
    base?: Schemas['NodeId'] | null;
    chat: Schemas['ChatId'];
    /** Identifies a page load of the host, or a program. */
    client: string;
    have?: Schemas['StateHash'] | null;
    /** The first floors, which are unchanged since the base. */
    keep?: Schemas['SyncKeep'];
    /** Host messages that may not be known yet, by any key. */
    messages?: { [key: string]: Schemas['JsonObject'] };
    names?: Schemas['SyncNames'];
    /** Increases with each request of this client. */
    seq: number;
    /** The floors after the unchanged ones. */
    tail: (Schemas['SyncRow'])[];
  };
  SyncAnswer: {
    /** Floor and former id of pages that had lost their id. */
    adopt: ([number, string])[];
    /** The changes that the host has to carry out. */
    apply: (Schemas['HostChange'])[];
    /** Diagnostics of the evaluated pages. */
    diagnostics: (Schemas['PageDiagnostic'])[];
    /** Number of pages that were evaluated. */
    evaluated: number;
    head?: Schemas['NodeId'] | null;
    /** Pages whose message is needed; if there are any, nothing was written. */
    need: (Schemas['PageId'])[];
    node?: Schemas['NodeId'] | null;
    notices: (Schemas['Notice'])[];
    parent?: Schemas['SyncState'] | null;
    /** Functions are still running: ask again in a moment. */
    pending: boolean;
    /** The branch of the chat. */
    ref: Schemas['RefId'];
    /** The position in the changes that was seen: wait for changes after it. */
    seen: Schemas['Cursor'];
    state?: Schemas['SyncState'] | null;
    story: Schemas['StoryId'];
  };
  SyncKeep: {
    /** Their chain digest, as text. */
    digest?: string;
    len: number;
  };
  /** What `{{user}}` and `{{char}}` mean for new pages. */
  SyncNames: {
    char?: string;
    /** The player. */
    user?: string;
  };
  SyncPage: {
    h: Schemas['TextHash'];
    id: Schemas['PageId'];
  };
  SyncRow: {
    /** Index of the active page. */
    active: number;
    hidden: boolean;
    name: string;
    role: Schemas['Role'];
    swipes: (Schemas['SyncPage'])[];
  };
  /** A state: neither `value` nor `ops` if the client has it. */
  SyncState: {
    hash: Schemas['StateHash'];
    /** Changes of the state that the client has. */
    ops?: (Schemas['SyncStateOp'])[] | null;
    /** All of it. */
    value?: Json;
  };
  SyncStateOp: {
    path: Schemas['StatePath'];
    value: Json;
  } | {
    path: Schemas['StatePath'];
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
  /** The token of a browser, without its secret. */
  Token: {
    /** Whether this request came with it. */
    current: boolean;
    expires: number;
    /** Milliseconds since 1970, as all times here. */
    made: number;
    owner: string;
    /** Its id, to withdraw it. */
    token: string;
    /** The last use, give or take an hour. */
    used: number;
  };
  Tokens: {
    tokens: (Schemas['Token'])[];
  };
  /** One floor with the whole texts of its pages. */
  Turn: {
    /** Index of the active page. */
    active: number;
    floor: number;
    hidden: boolean;
    name: string;
    pages: (Schemas['PageText'])[];
    role: Schemas['Role'];
  };
  /** A floor on which a value changed. */
  ValueChange: {
    after?: Json;
    before?: Json;
    by?: Schemas['Cause'] | null;
    floor: number;
    page: Schemas['PageId'];
  };
  ValueHistory: {
    /** In floor order. */
    changes: (Schemas['ValueChange'])[];
  };
  /** How a call ended. */
  Verdict: 'done' | 'repaired' | 'failed';
  Verified: {
    branches: number;
    floors: number;
    problems: (Schemas['Problem'])[];
    /** Number of floors whose state is from before a change further up (edit policy `manual`). */
    stale: number;
    stories: number;
  };
  Verify: {
    /** Whether to repair what can be recomputed. */
    repair?: boolean;
  };
  Version: {
    /** Milliseconds since 1970. */
    time: number;
    /** Null if it was deleted. */
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
  /** An error as the plugin words it. */
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
    /** Number of restored snapshots; one whose identifier was reused stays in the trash. */
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
    /** Required if the snapshot does not exist yet. */
    chatFile?: string | null;
    messageId?: string | null;
    /** An object or a list; `payload` is accepted too. */
    snapshot: Json;
  };
  /** Saves the variables of a chat message. */
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
    /** Unique key; identifiers may have been reused. */
    key: number;
    trashedAt: number;
  };
  /** Which operation. */
  WhichOperation: {
    /** Its number; absent: the last one. */
    operation?: number | null;
  };
  Withdrawn: {
    /** The id of the token. */
    withdrawn: string;
  };
  /** A message in Chinese and English. */
  Words: {
    en: string;
    zh: string;
  };
  /** A world book. */
  WorldBook: {
    /** The book as the host exports it. */
    book: Schemas['JsonObject'];
    name?: string;
  };
}

/** What each operation takes and answers. */
export interface Operations {
  /** Imports an archive as a new story; nothing that exists is changed. */
  'POST /api/v1/archives': { path: Record<never, never>; query: { copy?: boolean }; body: undefined; answer: Schemas['ArchiveImported'] };
  /** Returns how a story with this card would begin, and saves that for new stories if requested. */
  'POST /api/v1/cards': { path: Record<never, never>; query: Record<never, never>; body: Schemas['ReadCard']; answer: Schemas['CardRead'] };
  /** Lists the functions of cards about which the user has decided. */
  'GET /api/v1/cards/consents': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: Schemas['Consents'] };
  /** Stores whether functions of a card may run. Nothing else allows them for a chat of the host. */
  'POST /api/v1/cards/consents': { path: Record<never, never>; query: Record<never, never>; body: Schemas['Decide']; answer: Schemas['Consents'] };
  /** Returns what a card, or the cards of a group, say about state. Nothing is stored. */
  'POST /api/v1/cards/look': { path: Record<never, never>; query: Record<never, never>; body: Schemas['Cast']; answer: Schemas['CastBeginning'] };
  /** Waits until there is an operation that the client does not know. */
  'GET /api/v1/changes': { path: Record<never, never>; query: { after?: Schemas['Cursor']; client?: string; wait?: number }; body: undefined; answer: Schemas['LastOperation'] };
  /** Identifies a host chat. */
  'POST /api/v1/chats': { path: Record<never, never>; query: Record<never, never>; body: Schemas['OpenChat']; answer: Schemas['OpenedChat'] };
  /** Reports that the host deleted a file, or all files of a card: their branches go to the trash. */
  'POST /api/v1/chats/forget': { path: Record<never, never>; query: Record<never, never>; body: Schemas['GoneFiles']; answer: Schemas['Forgotten'] };
  /** Evaluates a reply on a state. Nothing is stored. */
  'POST /api/v1/evaluate': { path: Record<never, never>; query: Record<never, never>; body: Schemas['Evaluate']; answer: Schemas['Evaluation'] };
  /** Sends every operation as it happens, as server-sent events. */
  'GET /api/v1/events': { path: Record<never, never>; query: { after?: Schemas['Cursor'] }; body: undefined; answer: string };
  /** Returns the built-in functions of a profile. */
  'GET /api/v1/functions': { path: Record<never, never>; query: { profile?: string }; body: undefined; answer: Schemas['Functions'] };
  /** Returns the prompt text that describes the functions to a model. */
  'GET /api/v1/functions/manual': { path: Record<never, never>; query: { profile?: string; language?: string; tag?: string; card?: string }; body: undefined; answer: Schemas['Manual'] };
  /** Collects unreachable rows; only counts them unless `dry_run` is false. */
  'POST /api/v1/gc': { path: Record<never, never>; query: Record<never, never>; body: Schemas['Collect']; answer: Schemas['Collected'] };
  /** Imports a chat file into its branch; the same file again changes nothing. */
  'POST /api/v1/import': { path: Record<never, never>; query: { file?: string; title?: string; into?: Schemas['StoryId']; trust_stored?: boolean }; body: Schemas['ImportChat']; answer: Schemas['Imported'] };
  /** Imports the chats of one character or group; shared pages are stored once. */
  'POST /api/v1/import/folder': { path: Record<never, never>; query: Record<never, never>; body: Schemas['ImportFolder']; answer: Schemas['Imported'] };
  /** Lists the cards that have their own functions; the empty name stands for all cards. */
  'GET /api/v1/libraries': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: Schemas['Cards'] };
  /** Returns the functions saved for all cards, or for one. */
  'GET /api/v1/library': { path: Record<never, never>; query: { card?: string }; body: undefined; answer: Schemas['Library'] };
  /** Saves functions for all cards, or for one, unchanged; new stories take them. */
  'PUT /api/v1/library': { path: Record<never, never>; query: { card?: string }; body: Schemas['PutLibrary']; answer: Schemas['NewVersion'] };
  /** Imports functions from elsewhere: they get new ids and are switched off. */
  'POST /api/v1/library/import': { path: Record<never, never>; query: { card?: string }; body: Schemas['PutLibrary']; answer: Schemas['ImportedLibrary'] };
  /** Returns all versions of a library, the newest first. */
  'GET /api/v1/library/versions': { path: Record<never, never>; query: { card?: string }; body: undefined; answer: Schemas['Versions'] };
  /** Makes a one-time link that opens the page for the owner of the request. Needs the token of the data folder. */
  'POST /api/v1/links': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: Schemas['Link'] };
  /** Returns the description of all routes, as OpenAPI 3.1. */
  'GET /api/v1/openapi.json': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: { [key: string]: Json } };
  /** Evaluates every floor of a chat file. Nothing is stored. */
  'POST /api/v1/replay': { path: Record<never, never>; query: Record<never, never>; body: Schemas['ImportChat']; answer: Schemas['Replayed'] };
  /** Returns pages on all branches that contain all the words. */
  'GET /api/v1/search': { path: Record<never, never>; query: { q: string; story?: Schemas['StoryId']; limit?: number }; body: undefined; answer: Schemas['Hits'] };
  /** Tells whether there is a search index. */
  'GET /api/v1/search/index': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: Schemas['SearchIndex'] };
  /** Switches the search index on or off, for all owners; responds when it is done. */
  'POST /api/v1/search/index': { path: Record<never, never>; query: Record<never, never>; body: Schemas['SwitchSearch']; answer: Schemas['SearchIndex'] };
  /** Lists global snapshots, the newest first. */
  'GET /api/v1/snapshots': { path: Record<never, never>; query: { q?: string }; body: undefined; answer: Schemas['Snapshots'] };
  /** Saves a new global snapshot. */
  'POST /api/v1/snapshots': { path: Record<never, never>; query: Record<never, never>; body: Schemas['PutSnapshot']; answer: Schemas['KeptSnapshot'] };
  /** Saves the state of a floor as a global snapshot. */
  'POST /api/v1/snapshots/from-floor': { path: Record<never, never>; query: Record<never, never>; body: Schemas['SnapshotFloor']; answer: Schemas['KeptSnapshot'] };
  /** Returns a global snapshot with its state. */
  'GET /api/v1/snapshots/{snapshot}': { path: { snapshot: string }; query: Record<never, never>; body: undefined; answer: Schemas['Snapshot'] };
  /** Saves a new version of a global snapshot. */
  'PUT /api/v1/snapshots/{snapshot}': { path: { snapshot: string }; query: Record<never, never>; body: Schemas['PutSnapshot']; answer: Schemas['KeptSnapshot'] };
  /** Deletes a global snapshot; its versions stay. */
  'DELETE /api/v1/snapshots/{snapshot}': { path: { snapshot: string }; query: Record<never, never>; body: undefined; answer: Schemas['KeptSnapshot'] };
  /** Makes the state of a global snapshot the template of a card. */
  'POST /api/v1/snapshots/{snapshot}/template': { path: { snapshot: string }; query: Record<never, never>; body: Schemas['ToTemplate']; answer: Schemas['NewVersion'] };
  /** Counts rows and bytes of all stories. */
  'GET /api/v1/stats': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: Schemas['Stats'] };
  /** Returns the status of the engine and its database. */
  'GET /api/v1/status': { path: Record<never, never>; query: { check?: boolean }; body: undefined; answer: Schemas['Status'] };
  /** Lists all stories, the last changed first. */
  'GET /api/v1/stories': { path: Record<never, never>; query: { trash?: boolean }; body: undefined; answer: Schemas['Stories'] };
  /** Creates a story without a host. */
  'POST /api/v1/stories': { path: Record<never, never>; query: Record<never, never>; body: Schemas['NewStory']; answer: Schemas['BegunStory'] };
  /** Returns one story, in the trash or not. */
  'GET /api/v1/stories/{story}': { path: { story: Schemas['StoryId'] }; query: Record<never, never>; body: undefined; answer: Schemas['StoryDetail'] };
  /** Changes the title or the edit policy of a story. */
  'POST /api/v1/stories/{story}': { path: { story: Schemas['StoryId'] }; query: Record<never, never>; body: Schemas['StoryChange']; answer: Schemas['DoneMany'] };
  /** Moves a story to the trash. */
  'DELETE /api/v1/stories/{story}': { path: { story: Schemas['StoryId'] }; query: Record<never, never>; body: undefined; answer: Schemas['Done'] };
  /** Exports a whole story as an archive: JSON lines, see `docs/format/archive.md`. */
  'GET /api/v1/stories/{story}/archive': { path: { story: Schemas['StoryId'] }; query: Record<never, never>; body: undefined; answer: string };
  /** Lists all branches and tags of a story, including those in the trash. */
  'GET /api/v1/stories/{story}/refs': { path: { story: Schemas['StoryId'] }; query: Record<never, never>; body: undefined; answer: Schemas['Refs'] };
  /** Creates a branch or a tag. */
  'POST /api/v1/stories/{story}/refs': { path: { story: Schemas['StoryId'] }; query: Record<never, never>; body: Schemas['NewRef']; answer: Schemas['MadeRef'] };
  /** Changes the name, note or colour of a branch or tag. */
  'POST /api/v1/stories/{story}/refs/{ref}': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: Record<never, never>; body: Schemas['RefChange']; answer: Schemas['Done'] };
  /** Moves a branch or tag to the trash. */
  'DELETE /api/v1/stories/{story}/refs/{ref}': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: Record<never, never>; body: undefined; answer: Schemas['Done'] };
  /** Returns the floor and the call that set a value, with the reason. */
  'GET /api/v1/stories/{story}/refs/{ref}/blame': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: { path: string; floor?: number }; body: undefined; answer: Schemas['Blame'] };
  /** Compares two branches or tags: shared floors, texts, states. */
  'GET /api/v1/stories/{story}/refs/{ref}/compare/{other}': { path: { story: Schemas['StoryId']; ref: Schemas['RefId']; other: Schemas['RefId'] }; query: Record<never, never>; body: undefined; answer: Schemas['Comparison'] };
  /** Exports a branch as a chat file of the host, including the host's own fields. */
  'GET /api/v1/stories/{story}/refs/{ref}/export': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: Record<never, never>; body: undefined; answer: string };
  /** Makes a host file of a branch; the host writes it. */
  'POST /api/v1/stories/{story}/refs/{ref}/file': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: Record<never, never>; body: Schemas['HostFile']; answer: Schemas['NewHostFile'] };
  /** Lists floors with their first words and what they changed. */
  'GET /api/v1/stories/{story}/refs/{ref}/floors': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: { from?: number; limit?: number }; body: undefined; answer: Schemas['Floors'] };
  /** Returns one floor: its pages, its text, its state, and how the state was computed. */
  'GET /api/v1/stories/{story}/refs/{ref}/floors/{floor}': { path: { story: Schemas['StoryId']; ref: Schemas['RefId']; floor: number }; query: { page?: Schemas['PageId'] }; body: undefined; answer: Schemas['Floor'] };
  /** Returns the floor that last set each of some paths, up to a floor. At most 2,000 floors are searched. */
  'GET /api/v1/stories/{story}/refs/{ref}/floors/{floor}/causes': { path: { story: Schemas['StoryId']; ref: Schemas['RefId']; floor: number }; query: { path: (string)[] }; body: undefined; answer: Schemas['Causes'] };
  /** Returns the state at a floor, or the value at one path of it. */
  'GET /api/v1/stories/{story}/refs/{ref}/floors/{floor}/state': { path: { story: Schemas['StoryId']; ref: Schemas['RefId']; floor: number }; query: { path?: string }; body: undefined; answer: Schemas['State'] };
  /** Returns all changes of a value, or those after which a condition holds. */
  'GET /api/v1/stories/{story}/refs/{ref}/history': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: { path: string; when?: string }; body: undefined; answer: Schemas['ValueHistory'] };
  /** Merges the state of another branch into this one, as an override of its last page. */
  'POST /api/v1/stories/{story}/refs/{ref}/merge': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: { head?: Schemas['NodeId'] }; body: Schemas['Merge']; answer: Schemas['Merged'] };
  /** Previews merging the state of another branch into this one. */
  'GET /api/v1/stories/{story}/refs/{ref}/merge/{other}': { path: { story: Schemas['StoryId']; ref: Schemas['RefId']; other: Schemas['RefId'] }; query: { prefer?: Schemas['Prefer'] }; body: undefined; answer: Schemas['MergePreview'] };
  /** Returns the messages of a branch for a model; hidden turns and remarks are left out. */
  'GET /api/v1/stories/{story}/refs/{ref}/messages': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: Record<never, never>; body: undefined; answer: Schemas['Messages'] };
  /** Returns the operations of a branch, the newest first. */
  'GET /api/v1/stories/{story}/refs/{ref}/operations': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: { limit?: number }; body: undefined; answer: Schemas['Log'] };
  /** Changes a branch. */
  'POST /api/v1/stories/{story}/refs/{ref}/operations': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: { head?: Schemas['NodeId'] }; body: Schemas['BranchEdit']; answer: Schemas['Edited'] };
  /** Returns floors with the whole texts of all their pages. */
  'GET /api/v1/stories/{story}/refs/{ref}/path': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: { from?: number; limit?: number }; body: undefined; answer: Schemas['Path'] };
  /** Redoes an undone operation: the last one, or any by its number. */
  'POST /api/v1/stories/{story}/refs/{ref}/redo': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: Record<never, never>; body: Schemas['WhichOperation']; answer: Schemas['Edited'] };
  /** Recomputes states under the current rules, or previews other rules. */
  'POST /api/v1/stories/{story}/refs/{ref}/reprocess': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: Record<never, never>; body: Schemas['Reprocess']; answer: Schemas['Reprocessed'] };
  /** Restores a branch or tag from the trash. */
  'POST /api/v1/stories/{story}/refs/{ref}/restore': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: Record<never, never>; body: undefined; answer: Schemas['Done'] };
  /** Makes this branch the current one. */
  'POST /api/v1/stories/{story}/refs/{ref}/switch': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: Record<never, never>; body: undefined; answer: Schemas['Done'] };
  /** Undoes an operation: the last one, or any by its number. */
  'POST /api/v1/stories/{story}/refs/{ref}/undo': { path: { story: Schemas['StoryId']; ref: Schemas['RefId'] }; query: Record<never, never>; body: Schemas['WhichOperation']; answer: Schemas['Edited'] };
  /** Restores a story from the trash. */
  'POST /api/v1/stories/{story}/restore': { path: { story: Schemas['StoryId'] }; query: Record<never, never>; body: undefined; answer: Schemas['Done'] };
  /** Returns the rules for new pages of a story. */
  'GET /api/v1/stories/{story}/rules': { path: { story: Schemas['StoryId'] }; query: Record<never, never>; body: undefined; answer: Schemas['Rules'] };
  /** Changes the user's choices among the rules for new pages. */
  'POST /api/v1/stories/{story}/rules': { path: { story: Schemas['StoryId'] }; query: Record<never, never>; body: Schemas['RulesChange']; answer: Schemas['Done'] };
  /** Counts rows and bytes of one story; the bytes are approximate. */
  'GET /api/v1/stories/{story}/stats': { path: { story: Schemas['StoryId'] }; query: Record<never, never>; body: undefined; answer: Schemas['Stats'] };
  /** Reports what the host shows, and returns what changed. */
  'POST /api/v1/sync': { path: Record<never, never>; query: Record<never, never>; body: Schemas['Sync']; answer: Schemas['SyncAnswer'] };
  /** Lists the cards that have a template. */
  'GET /api/v1/templates': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: Schemas['Cards'] };
  /** Returns the template (initial state) saved for a card. */
  'GET /api/v1/templates/{card}': { path: { card: string }; query: Record<never, never>; body: undefined; answer: Schemas['Template'] };
  /** Saves the template of a card; running stories are not affected. */
  'PUT /api/v1/templates/{card}': { path: { card: string }; query: Record<never, never>; body: Schemas['PutTemplate']; answer: Schemas['NewVersion'] };
  /** Removes the template of a card; its versions stay. */
  'DELETE /api/v1/templates/{card}': { path: { card: string }; query: Record<never, never>; body: undefined; answer: Schemas['NewVersion'] };
  /** Returns all versions of a card's template, the newest first. */
  'GET /api/v1/templates/{card}/versions': { path: { card: string }; query: Record<never, never>; body: undefined; answer: Schemas['Versions'] };
  /** Lists the tokens of browsers that may see the owner's stories, the one used last first. */
  'GET /api/v1/tokens': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: Schemas['Tokens'] };
  /** Exchanges the code of a link for a token. Needs no token; one of a browser that is sent along is replaced. */
  'POST /api/v1/tokens': { path: Record<never, never>; query: Record<never, never>; body: Schemas['OpenLink']; answer: Schemas['NewToken'] };
  /** Withdraws the token of a browser; from now on it opens nothing. */
  'DELETE /api/v1/tokens/{token}': { path: { token: string }; query: Record<never, never>; body: undefined; answer: Schemas['Withdrawn'] };
  /** Restores snapshots from the trash. */
  'POST /api/v1/var-manager/restore': { path: Record<never, never>; query: Record<never, never>; body: Schemas['VmRestore']; answer: Schemas['VmRestored'] };
  /** Lists what cleaning up moved to the trash, the newest first. */
  'GET /api/v1/var-manager/trash': { path: Record<never, never>; query: { limit?: number }; body: undefined; answer: Schemas['VmTrash'] };
  /** Recomputes every state and compares; repairs what can be recomputed if requested. */
  'POST /api/v1/verify': { path: Record<never, never>; query: Record<never, never>; body: Schemas['Verify']; answer: Schemas['Verified'] };
  /** Tells whether the server is running. Needs no token. */
  'GET /healthz': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: Schemas['Health'] };
  /** Lists global snapshots, the last changed first. */
  'GET /var-manager/global-snapshots': { path: Record<never, never>; query: { tag?: string; limit?: string; offset?: string }; body: undefined; answer: Schemas['VmGlobalList'] };
  /** Saves a global snapshot. */
  'POST /var-manager/global-snapshots': { path: Record<never, never>; query: Record<never, never>; body: Schemas['VmGlobalSave']; answer: Schemas['VmGlobalSaved'] };
  /** Returns a global snapshot. */
  'GET /var-manager/global-snapshots/{snapshotId}': { path: { snapshotId: string }; query: Record<never, never>; body: undefined; answer: Schemas['VmGlobal'] };
  /** Deletes a global snapshot; its versions stay. */
  'DELETE /var-manager/global-snapshots/{snapshotId}': { path: { snapshotId: string }; query: Record<never, never>; body: undefined; answer: undefined };
  /** Tells that the plugin is available. */
  'POST /var-manager/probe': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: undefined };
  /** Not implemented, as in the plugin. */
  'POST /var-manager/reprocess': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: never };
  /** Saves a snapshot. */
  'POST /var-manager/snapshots': { path: Record<never, never>; query: Record<never, never>; body: Schemas['VmSnapshotSave']; answer: Schemas['VmSnapshotSaved'] };
  /** Moves the snapshots of a chat to the trash; for clients whose proxies drop the body of a `DELETE`. */
  'POST /var-manager/snapshots/by-chat': { path: Record<never, never>; query: Record<never, never>; body: Schemas['VmChat']; answer: Schemas['VmDeleted'] };
  /** Moves the snapshots of a chat to the trash; the body names it. */
  'DELETE /var-manager/snapshots/by-chat': { path: Record<never, never>; query: Record<never, never>; body: Schemas['VmChat']; answer: Schemas['VmDeleted'] };
  /** Moves the snapshots of a chat to the trash. */
  'DELETE /var-manager/snapshots/by-chat/{chatFile}': { path: { chatFile: string }; query: Record<never, never>; body: undefined; answer: Schemas['VmDeleted'] };
  /** Moves the snapshots of all chats except the named ones to the trash; an empty list moves nothing. */
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
