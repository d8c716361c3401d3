//! The errors of reading an archive: the line, what is wrong with it, and a hint for the user.

use storeyline_state::json::JsonError;
use storeyline_state::{Explain, Explanation, StoryId};

/// Why an archive cannot be read. Nothing was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ArchiveError {
    /// From 1.
    pub line: usize,
    pub problem: ArchiveProblem,
}

/// What is wrong with a line of an archive.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveProblem {
    #[error("this is not the head of an archive")]
    NotAnArchive,
    #[error("the archive has version {0} of the format, which this program does not know")]
    Version(i64),
    #[error("not valid JSON: {0}")]
    Json(JsonError),
    #[error("the line is longer than {} MB", super::read::MAX_LINE / 1_000_000)]
    TooLong,
    /// A field of the record, which is missing or of a wrong type.
    #[error("not a record of an archive: `{0}` is missing or wrong")]
    Record(&'static str),
    /// A kind of record that the line refers to and that does not precede it.
    #[error("{0} is named that does not stand before this line")]
    Unknown(&'static str),
    /// Something that must be unique.
    #[error("{0} stands twice")]
    Twice(&'static str),
    #[error("the state does not follow from its changes")]
    State,
    #[error("the states are out of proportion to the file")]
    Disproportionate,
    #[error("the file ends before its last line")]
    CutOff,
    /// The counts of the last line are wrong.
    #[error("there are {found} lines of kind `{kind}`, the last line says {said}")]
    Count { kind: &'static str, found: usize, said: i64 },
    #[error("story {0} is there already")]
    Exists(StoryId),
}

impl Explain for ArchiveError {
    fn explain(&self) -> Explanation {
        let code = if matches!(self.problem, ArchiveProblem::Exists(_)) { "story_exists" } else { "bad_archive" };
        self.explained(code, format!("第 {} 行：{}", self.line, self.problem.chinese()), self.hint())
    }
}

impl ArchiveError {
    fn hint(&self) -> (&'static str, &'static str) {
        match self.problem {
            ArchiveProblem::Exists(_) => (
                "没有写入任何东西。加 `--copy`（HTTP：`copy=true`）导入为一个新故事。",
                "Nothing was written. Import it as a new story with `--copy` (HTTP: `copy=true`).",
            ),
            ArchiveProblem::Version(_) => (
                "请用更新的 Storeyline 导入；没有写入任何东西。",
                "Import it with a newer Storeyline; nothing was written.",
            ),
            ArchiveProblem::CutOff | ArchiveProblem::Json(_) => (
                "文件可能没有传完。请重新导出或重新传输；没有写入任何东西。",
                "The file may have been cut off. Write or transfer it again; nothing was written.",
            ),
            _ => (
                "文件被改动过或已损坏。请重新导出；没有写入任何东西。",
                "The file was changed or is damaged. Write it again; nothing was written.",
            ),
        }
    }
}

impl ArchiveProblem {
    pub(crate) fn at(self, line: usize) -> ArchiveError {
        ArchiveError { line, problem: self }
    }

    fn chinese(&self) -> String {
        match self {
            ArchiveProblem::NotAnArchive => "这不是归档文件的开头".into(),
            ArchiveProblem::Version(version) => format!("归档格式的版本是 {version}，本程序不认识"),
            ArchiveProblem::Json(error) => format!("不是合法的 JSON：{error}"),
            ArchiveProblem::TooLong => format!("这一行超过 {} MB", super::read::MAX_LINE / 1_000_000),
            ArchiveProblem::Record(field) => format!("不是归档的记录：`{field}` 缺失或有误"),
            ArchiveProblem::Unknown(what) => format!("引用的 {what} 在前面没有出现"),
            ArchiveProblem::Twice(what) => format!("{what} 出现了两次"),
            ArchiveProblem::State => "状态与它的改动不符".into(),
            ArchiveProblem::Disproportionate => "状态的大小与文件不成比例".into(),
            ArchiveProblem::CutOff => "文件在最后一行之前就结束了".into(),
            ArchiveProblem::Count { kind, found, said } => {
                format!("`{kind}` 有 {found} 行，最后一行说有 {said} 行")
            }
            ArchiveProblem::Exists(story) => format!("故事 {story} 已经存在"),
        }
    }
}
