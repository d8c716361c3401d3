//! The facade for server and command line. A change reads from the store, lets the pure crates
//! evaluate, and commits in one transaction.
//!
//! Clock and random numbers enter here. HTTP, files and SQL belong to other crates.

mod clock_and_random;
pub use clock_and_random::new_id;
mod engine;
mod error;

mod archive;
mod assets;
pub mod authors;
mod branch;
mod causes;
mod chats;
pub mod conformance;
mod consent;
mod declared;
mod export;
mod feed;
mod foreign_snapshots;
mod host_chat;
mod import;
mod log;
mod maintenance;
mod object;
mod operations;
mod replay;
mod rules;
pub mod scripts;
mod search;
mod stories;
mod sync;
mod value_history;
mod verify;
mod view;
mod workers;

pub use archive::{ArchiveError, ArchiveImported, ArchiveOptions, ArchiveProblem, is_archive};
pub use assets::{GlobalSnapshot, Version};
pub use causes::{Causes, MAX_FLOORS_SEARCHED};
pub use chats::{OpenChat, OpenedChat};
pub use consent::Consent;
pub use engine::{Engine, ReadEngine};
pub use error::EngineError;
pub use feed::FeedEntry;
pub use foreign_snapshots::{Dated, ForeignCleaned, ForeignSave, ForeignSaved};
pub use host_chat::{HostChat, HostOpened, NewFile, SwitchTo};
pub use import::{
    BrokenFile, FolderFile, FolderImported, FolderRequest, ImportRequest, Imported, ImportedFile, ImportedStory,
    Stored, StoredReport, VarSystemStates, is_history,
};
pub use maintenance::Collect;
pub use operations::{
    BranchEdit, By, Comparison, EditPolicy, Edited, FloorChange, KeepText, Logged, MergePreview, NewPage, NewRef,
    NewTurn, Prefer, RefChange, Reprocess, Reprocessed, Settings,
};
pub use replay::{Replayed, ReplayedFloor, replay};
pub use rules::StoryRules;
pub use search::{Excerpt, Hit, Hits, Occurrence, Search, SearchStatus};
pub use storeyline_calls::{Arg, Call};
pub use storeyline_compat::card::CardError;
pub use storeyline_compat::world_book::WorldBookError;
pub use storeyline_compat::{Begun, Card, Cast, ChatFile, HeldFunctions, Initial, Remark, Row, WorldBook, chat_uid};
pub use storeyline_history::{
    CallTrace, Choices, EditError, Enabled, Evaluation, Listed, Origin, Role, Rules, RulesChange, Setting, Trace, Turn,
    Verdict,
};
pub use storeyline_store::{
    Bytes, Change, ChangeSeq, Collected, Detail, DiskTrouble, Durability, ForeignSnapshot, Holder, HostBinding,
    Operation, OperationKind, Owner, Ref, RefKey, RefKind, Stats, StoreError, Story, Work, private,
};
pub use stories::NewStory;
pub use sync::{HostChange, Keep, Names, Notice, PageDiagnostic, StateAnswer, StateContent, SyncAnswer, SyncRequest};
pub use value_history::{Cause, Condition, ValueChange};
pub use verify::{Problem, Verified};
pub use view::{Changes, FloorLine, FloorView, PageLine, PromptMessage, RefLine, StoryLine};
