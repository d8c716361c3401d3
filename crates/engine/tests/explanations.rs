//! Checks that every error has a documented code, and a message and a hint in both languages.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use storeyline_compat::file_kind::FileKind;
use storeyline_compat::{ChatFileError, ChatHistoryError};
use storeyline_engine::authors::Incomplete;
use storeyline_engine::conformance::CaseError;
use storeyline_engine::{
    ArchiveError, ArchiveProblem, CardError, DiskTrouble, EditError, EngineError, Holder, OperationKind, StoreError,
    WorldBookError,
};
use storeyline_state::json::JsonError;
use storeyline_state::{ChatId, Explain, PageId, RefId, StoryId};
use storeyline_store::foreign::ForeignError;

/// One example of every variant; a variant that is not in the list does not compile.
macro_rules! every {
    ($($variant:pat => $example:expr),* $(,)?) => {{
        let examples = vec![$($example),*];
        examples.iter().for_each(|example| match example { $($variant => {})* });
        examples
    }};
}

/// What several kinds of errors may be to a program. Every other code is of one error alone.
const SHARED: [&str; 6] = ["bad_request", "not_found", "internal", "bad_archive", "nothing_to_undo", "incomplete"];

#[test]
fn every_error_has_a_documented_code_and_words_and_a_hint_in_both_languages() {
    let documented = include_str!("../../../docs/api.md");
    let mut owners: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for error in all() {
        let explanation = error.explain();
        let of = format!("{error}: {explanation:?}");
        assert!(documented.contains(&format!("`{}` ", explanation.code)), "{of}");
        assert_eq!(explanation.words.en, error.to_string());
        for words in [&explanation.words, &explanation.hint] {
            assert!(words.zh.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)) && !words.en.is_empty(), "{of}");
        }
        assert!(explanation.hint.zh.ends_with('。') && explanation.hint.en.ends_with('.'), "{of}");
        assert!(!explanation.words.zh.ends_with('。') && !explanation.words.en.ends_with('.'), "{of}");
        owners.entry(explanation.code).or_default().push(of);
    }
    let twice = owners.iter().find(|(code, of)| of.len() > 1 && !SHARED.contains(code));
    assert_eq!(twice, None, "a code of its own for each");
}

fn all() -> Vec<Box<dyn Explain>> {
    fn boxed<E: Explain + 'static>(errors: Vec<E>) -> impl Iterator<Item = Box<dyn Explain>> {
        errors.into_iter().map(|error| Box::new(error) as Box<dyn Explain>)
    }
    let of_archive = archive().into_iter().map(|problem| ArchiveError { line: 2, problem }).collect();
    boxed(engine())
        .chain(boxed(store()))
        .chain(boxed(edit()))
        .chain(boxed(of_archive))
        .chain(boxed(chat_file()))
        .chain(boxed(history()))
        .chain(boxed(foreign()))
        .chain(boxed(card()))
        .chain(boxed(book()))
        .chain(boxed(case()))
        .collect()
}

fn json() -> JsonError {
    JsonError { problem: "a comma is missing", line: 1, column: 2 }
}

fn page() -> PageId {
    PageId::from_random([7; 16])
}

fn failed() -> io::Error {
    io::Error::other("the pipe is closed")
}

fn engine() -> Vec<EngineError> {
    let (chat, story, branch) =
        (ChatId::from_random([1; 16]), StoryId::from_random([2; 16]), RefId::from_random([3; 16]));
    every![
        EngineError::UnknownChat(_) => EngineError::UnknownChat(chat),
        EngineError::UnknownStory(_) => EngineError::UnknownStory(story),
        EngineError::UnknownRef(_) => EngineError::UnknownRef(branch),
        EngineError::InTrash(_) => EngineError::InTrash(branch),
        EngineError::LastBranch => EngineError::LastBranch,
        EngineError::IsTag(_) => EngineError::IsTag(branch),
        EngineError::UnknownOperation(_) => EngineError::UnknownOperation(4),
        EngineError::NothingToUndo => EngineError::NothingToUndo,
        EngineError::NothingToRedo => EngineError::NothingToRedo,
        EngineError::UndoConflict { .. } =>
            EngineError::UndoConflict { operation: 4, later: 5, kind: OperationKind::Edit },
        EngineError::NoFloor { .. } => EngineError::NoFloor { floor: 9, floors: 3 },
        EngineError::NoPage(_) => EngineError::NoPage(page()),
        EngineError::EmptyPath => EngineError::EmptyPath,
        EngineError::KeepMismatch => EngineError::KeepMismatch,
        EngineError::OldSeq { .. } => EngineError::OldSeq { seq: 1, last: 2 },
        EngineError::BadRow { .. } => EngineError::BadRow { floor: 1, problem: "it has no page" },
        EngineError::Pending => EngineError::Pending,
        EngineError::Busy => EngineError::Busy,
        EngineError::RefMoved => EngineError::RefMoved,
        EngineError::LibraryMoved => EngineError::LibraryMoved,
        EngineError::LargeLibrary { .. } => EngineError::LargeLibrary { count: 2_000, most: 1_000 },
        EngineError::OtherStory => EngineError::OtherStory,
        EngineError::BadPath { .. } => EngineError::BadPath { path: "a[".into(), problem: "it does not end".into() },
        EngineError::ChatElsewhere { .. } => EngineError::ChatElsewhere { chat, story },
        EngineError::Output(_) => EngineError::Output(failed()),
        EngineError::Store(_) => EngineError::Store(Incomplete::new("the worker ended").into()),
        EngineError::Edit(_) => EngineError::Edit(EditError::NoFloor(9)),
        EngineError::ChatFile(_) => EngineError::ChatFile(ChatFileError::Empty),
        EngineError::History(_) => EngineError::History(ChatHistoryError::NoMessage),
        EngineError::Archive(_) => EngineError::Archive(ArchiveError { line: 2, problem: ArchiveProblem::CutOff }),
        EngineError::Foreign(_) => EngineError::Foreign(ForeignError::TooMany { table: "variables" }),
    ]
}

fn store() -> Vec<StoreError> {
    let path = || PathBuf::from("storeyline.db");
    let file = |kind: io::ErrorKind| StoreError::File { path: path(), source: kind.into() };
    let mut examples = every![
        StoreError::Sqlite(_) => file(io::ErrorKind::NotFound),
        StoreError::Incomplete(_) => Incomplete::new("the worker ended").into(),
        StoreError::Conflict => StoreError::Conflict,
        StoreError::TooNew { .. } => StoreError::TooNew { path: path(), found: 9, known: 1 },
        StoreError::NotOurs { .. } => StoreError::NotOurs { path: path() },
        StoreError::Disk { .. } => StoreError::Disk { path: path(), reason: DiskTrouble::Full },
        StoreError::Held { .. } => StoreError::Held { by: Holder { work: None, processes: vec![1] } },
        StoreError::Missing { .. } => StoreError::missing("node", 3),
        StoreError::Damaged { .. } => StoreError::damaged("node", 3),
        StoreError::File { .. } => file(io::ErrorKind::AlreadyExists),
    ];
    let troubles = every![
        DiskTrouble::Full => DiskTrouble::Full,
        DiskTrouble::ReadOnly => DiskTrouble::ReadOnly,
        DiskTrouble::Busy => DiskTrouble::Busy,
        DiskTrouble::CannotOpen => DiskTrouble::CannotOpen,
        DiskTrouble::Refused => DiskTrouble::Refused,
        DiskTrouble::Damaged => DiskTrouble::Damaged,
    ];
    examples.extend(troubles.into_iter().map(|reason| StoreError::Disk { path: path(), reason }));
    examples
}

fn edit() -> Vec<EditError> {
    every![
        EditError::NoFloor(_) => EditError::NoFloor(9),
        EditError::NoPage(_) => EditError::NoPage(page()),
        EditError::PageTwice(_) => EditError::PageTwice(page()),
    ]
}

fn archive() -> Vec<ArchiveProblem> {
    every![
        ArchiveProblem::NotAnArchive => ArchiveProblem::NotAnArchive,
        ArchiveProblem::Version(_) => ArchiveProblem::Version(9),
        ArchiveProblem::Json(_) => ArchiveProblem::Json(json()),
        ArchiveProblem::TooLong => ArchiveProblem::TooLong,
        ArchiveProblem::Record(_) => ArchiveProblem::Record("kind"),
        ArchiveProblem::Unknown(_) => ArchiveProblem::Unknown("a node"),
        ArchiveProblem::Twice(_) => ArchiveProblem::Twice("a node"),
        ArchiveProblem::State => ArchiveProblem::State,
        ArchiveProblem::Disproportionate => ArchiveProblem::Disproportionate,
        ArchiveProblem::CutOff => ArchiveProblem::CutOff,
        ArchiveProblem::Count { .. } => ArchiveProblem::Count { kind: "node", found: 1, said: 2 },
        ArchiveProblem::Exists(_) => ArchiveProblem::Exists(StoryId::from_random([2; 16])),
    ]
}

fn chat_file() -> Vec<ChatFileError> {
    every![
        ChatFileError::Empty => ChatFileError::Empty,
        ChatFileError::Line { .. } => ChatFileError::Line { line: 3, source: json() },
        ChatFileError::NotAMessage { .. } => ChatFileError::NotAMessage { line: 3 },
        ChatFileError::NoMessage => ChatFileError::NoMessage,
    ]
}

fn history() -> Vec<ChatHistoryError> {
    every![
        ChatHistoryError::TooLarge => ChatHistoryError::TooLarge,
        ChatHistoryError::Json(_) => ChatHistoryError::Json(json()),
        ChatHistoryError::NotAHistory { .. } => ChatHistoryError::NotAHistory { kind: FileKind::Chat },
        ChatHistoryError::NoMessage => ChatHistoryError::NoMessage,
    ]
}

fn foreign() -> Vec<ForeignError> {
    let not_ours = || ForeignError::NotVarSystem { path: "vars.db".into(), missing: "no table".into() };
    every![
        ForeignError::Open { .. } => not_ours(),
        ForeignError::Sqlite(_) => not_ours(),
        ForeignError::NotVarSystem { .. } => not_ours(),
        ForeignError::TooMany { .. } => ForeignError::TooMany { table: "variables" },
        ForeignError::TooLarge { .. } => ForeignError::TooLarge { table: "variables", row: 3 },
    ]
}

fn card() -> Vec<CardError> {
    let mut examples = every![
        CardError::UnknownFormat => CardError::UnknownFormat,
        CardError::NoCard => CardError::NoCard,
        CardError::TooLarge => CardError::TooLarge,
        CardError::Json(_) => CardError::Json(json()),
        CardError::NotACard { .. } => CardError::NotACard { kind: FileKind::WorldBook },
    ];
    let kinds = every![
        FileKind::Card => FileKind::Card,
        FileKind::WorldBook => FileKind::WorldBook,
        FileKind::Chat => FileKind::Chat,
        FileKind::Preset => FileKind::Preset,
        FileKind::RegexScript => FileKind::RegexScript,
        FileKind::Script => FileKind::Script,
        FileKind::MvuRecord => FileKind::MvuRecord,
        FileKind::Unknown => FileKind::Unknown,
    ];
    examples.extend(kinds.into_iter().map(|kind| CardError::NotACard { kind }));
    examples
}

fn book() -> Vec<WorldBookError> {
    every![
        WorldBookError::NotText => WorldBookError::NotText,
        WorldBookError::TooLarge => WorldBookError::TooLarge,
        WorldBookError::Json(_) => WorldBookError::Json(json()),
        WorldBookError::NotAWorldBook { .. } => WorldBookError::NotAWorldBook { kind: FileKind::Card },
    ]
}

fn case() -> Vec<CaseError> {
    every![
        CaseError::Peer(_) => CaseError::Peer("nobody".into()),
        CaseError::NoMessage => CaseError::NoMessage,
        CaseError::Incomplete(_) => Incomplete::new("the worker ended").into(),
    ]
}
