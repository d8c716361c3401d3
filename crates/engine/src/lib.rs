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
mod example;
mod export;
mod feed;
mod foreign_snapshots;
mod host_chat;
mod import;
mod library;
mod log;
mod maintenance;
mod object;
mod operations;
mod replay;
mod rules;
pub mod scripts;
mod search;
mod shown;
mod stories;
mod sync;
mod tree;
mod value_history;
mod verify;
mod view;
mod workers;

pub use archive::{ArchiveError, ArchiveOptions, ArchiveProblem, is_archive};
pub use causes::MAX_FLOORS_SEARCHED;
pub use chats::{OpenChat, OpenedChat};
pub use engine::{Engine, ReadEngine};
pub use error::EngineError;
pub use foreign_snapshots::{Dated, ForeignCleaned, ForeignSave, ForeignSaved};
pub use host_chat::HostChat;
pub use import::{FolderRequest, ImportRequest, Stored, VarSystemStates, is_history};
pub use library::{LibraryImport, Tried, Tryout};
pub use maintenance::Collect;
pub use operations::{By, Reprocess, Settings};
pub use replay::{EvaluatedFloor, replay};
pub use rules::StoryRules;
pub use search::Search;
pub use shown::{evaluation as shown_evaluation, initial as shown_initial, matches as shown_matches};
pub use storeyline_calls::{Arg, Call};
pub use storeyline_compat::card::CardError;
pub use storeyline_compat::world_book::WorldBookError;
pub use storeyline_compat::{Card, Cast, ChatFile, Row, WorldBook, chat_uid, strip_mvu};
pub use storeyline_history::{
    Choices, EditError, Enabled, Evaluation, Listed, Origin, Rules, RulesChange, Setting, Trace, Turn,
};
pub use storeyline_store::{
    Change, ChangeSeq, Detail, DiskTrouble, Durability, ForeignSnapshot, Holder, HostBinding, Operation, OperationKind,
    Owner, Ref, RefKey, StoreError, Story, Work, private,
};
pub use stories::NewStory;
pub use value_history::Condition;
