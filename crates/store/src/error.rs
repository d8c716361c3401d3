//! Why the store could not do something.

use std::io;
use std::path::{Path, PathBuf};

use storeyline_history::Incomplete;
use storeyline_state::{Explain, Explanation};

use crate::hold::Holder;

/// Why the store could not do something. What was stored before is as it was.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite said no.
    #[error("the database failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A page could not be evaluated now.
    #[error(transparent)]
    Incomplete(#[from] Incomplete),
    /// What a change was made from has changed meanwhile.
    #[error("the story was changed at the same time")]
    Conflict,
    /// A newer program wrote this database.
    #[error("{path} was written by a newer version of Storeyline (layout {found}; this program knows {known})")]
    TooNew {
        /// The file.
        path: PathBuf,
        /// Its layout.
        found: i64,
        /// The newest layout that is known.
        known: i64,
    },
    /// A file that is not one of ours.
    #[error("{path} is not a database of Storeyline")]
    NotOurs {
        /// The file.
        path: PathBuf,
    },
    /// The disk said no.
    #[error("{path}: {reason}")]
    Disk {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: DiskTrouble,
    },
    /// Another program does something that needs the data folder for itself.
    #[error("the data folder is in use by another program{by}")]
    Held {
        /// Who, and what for.
        by: Holder,
    },
    /// Something that must be there is not.
    #[error("{kind} {id} is missing from the store")]
    Missing {
        /// What kind of thing.
        kind: &'static str,
        /// Which one.
        id: String,
    },
    /// Something that is there cannot be read.
    #[error("{kind} {id} is damaged")]
    Damaged {
        /// What kind of thing.
        kind: &'static str,
        /// Which one.
        id: String,
    },
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// What can be wrong with a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DiskTrouble {
    /// No space.
    #[error("the disk is full")]
    Full,
    /// No right to write.
    #[error("it cannot be written")]
    ReadOnly,
    /// Another program holds it for too long.
    #[error("another program is writing to it and does not come to an end")]
    Busy,
    /// It cannot be opened at all.
    #[error("it cannot be opened")]
    CannotOpen,
    /// The system refused to read or write a piece of it.
    #[error("the system could not read or write it")]
    Refused,
    /// Its bytes are no longer those of a database.
    #[error("the file is damaged")]
    Damaged,
}

impl Explain for StoreError {
    fn explain(&self) -> Explanation {
        let zh = match self {
            StoreError::Incomplete(error) => return error.explain(),
            StoreError::Sqlite(error) => format!("数据库出错：{error}"),
            StoreError::Conflict => "故事刚被别处改动".into(),
            StoreError::TooNew { path, found, known } => {
                format!("{} 由更新版本的 Storeyline 写成（格式 {found}，本程序只认识到 {known}）", path.display())
            }
            StoreError::NotOurs { path } => format!("{} 不是 Storeyline 的数据库", path.display()),
            StoreError::Disk { path, reason } => format!("{}：{}", path.display(), reason.chinese()),
            StoreError::Held { by } => format!("数据文件夹正被占用：{}", by.chinese()),
            StoreError::Missing { kind, id } => format!("数据库里缺少 {kind} {id}"),
            StoreError::Damaged { kind, id } => format!("数据库里的 {kind} {id} 已损坏"),
            StoreError::File { path, source } => format!("文件 {}：{source}", path.display()),
        };
        let code = if let StoreError::Conflict = self { "conflict" } else { "internal" };
        self.explained(code, zh, self.hint())
    }
}

impl StoreError {
    fn hint(&self) -> (&'static str, &'static str) {
        match self {
            StoreError::TooNew { .. } => (
                "请使用更新版本的 Storeyline，或用 `--data` 指定另一个文件夹。文件没有被改动。",
                "Use a newer Storeyline, or give another folder with `--data`. The file was not touched.",
            ),
            StoreError::NotOurs { .. } => (
                "请用 `--data` 指定另一个文件夹。文件没有被改动。",
                "Give another folder with `--data`. The file was not touched.",
            ),
            StoreError::Conflict => ("没有写入任何东西。请重试。", "Nothing was written. Try again."),
            StoreError::Disk { reason, .. } => reason.hint(),
            StoreError::Held { .. } => DiskTrouble::Busy.hint(),
            StoreError::File { source, .. } if source.kind() == io::ErrorKind::AlreadyExists => {
                ("请给出一个还不存在的文件名。", "Give the name of a file that is not there yet.")
            }
            StoreError::File { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                ("请检查路径是否写对。", "Check that the path is right.")
            }
            StoreError::Damaged { kind: "the copy", .. } => (
                "这份备份已损坏，请换另一份；没有改动任何东西。",
                "This copy is damaged; take another one. Nothing was changed.",
            ),
            StoreError::Missing { .. } | StoreError::Damaged { .. } => (
                "没有写入任何东西。运行 `storeyline verify --repair`：能重新算出的都会修好。",
                "Nothing was written. Run `storeyline verify --repair`: what can be computed is put right.",
            ),
            _ => (
                "没有写入任何东西。用 `--data` 指定另一个文件夹，或运行 `storeyline verify`。",
                "Nothing was written. Give another folder with `--data`, or run `storeyline verify`.",
            ),
        }
    }

    /// Names another file: the one that somebody gave, instead of our copy of it.
    pub(crate) fn about(self, other: &Path) -> StoreError {
        match self {
            StoreError::TooNew { found, known, .. } => StoreError::TooNew { path: other.to_owned(), found, known },
            StoreError::NotOurs { .. } => StoreError::NotOurs { path: other.to_owned() },
            StoreError::Disk { reason, .. } => StoreError::Disk { path: other.to_owned(), reason },
            error => error,
        }
    }

    /// A row that is there already was not there when the change was made.
    pub(crate) fn or_conflict(self) -> StoreError {
        match &self {
            StoreError::Sqlite(error)
                if error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation) =>
            {
                StoreError::Conflict
            }
            _ => self,
        }
    }

    /// Something that is stored cannot be read.
    pub fn damaged(kind: &'static str, id: impl ToString) -> StoreError {
        StoreError::Damaged { kind, id: id.to_string() }
    }

    /// Something that must be stored is not there.
    pub fn missing(kind: &'static str, id: impl ToString) -> StoreError {
        StoreError::Missing { kind, id: id.to_string() }
    }
}

impl DiskTrouble {
    fn chinese(self) -> &'static str {
        match self {
            DiskTrouble::Full => "磁盘已满",
            DiskTrouble::ReadOnly => "不能写入",
            DiskTrouble::Busy => "另一个程序一直在写它",
            DiskTrouble::CannotOpen => "打不开",
            DiskTrouble::Refused => "系统无法读写它",
            DiskTrouble::Damaged => "文件已损坏",
        }
    }

    /// Says what to do next, in Chinese and in English.
    pub fn hint(self) -> (&'static str, &'static str) {
        match self {
            DiskTrouble::Full => (
                "请在磁盘上腾出空间再试；已有的内容完好，没有写入一半的东西。",
                "Free some space and try again; what was stored is whole, and nothing was written by half.",
            ),
            DiskTrouble::ReadOnly => (
                "请检查文件和文件夹的写权限，或用 `--data` 指定一个可写的文件夹。",
                "Check that file and folder can be written, or give a folder that can with `--data`.",
            ),
            DiskTrouble::Busy => (
                "等另一个程序结束，或停止它，再试一次。",
                "Wait for the other program to end, or stop it, and try again.",
            ),
            DiskTrouble::CannotOpen => (
                "请检查文件夹是否存在、能否读取，或用 `--data` 指定另一个。",
                "Check that the folder exists and can be read, or give another one with `--data`.",
            ),
            DiskTrouble::Refused => (
                "请检查磁盘是否已满、文件是否过大或硬盘是否有故障，再试一次；已有的内容完好，没有写入一半的东西。",
                "Check whether the disk is full, the file may not grow, or the drive fails, and try again; what was stored is whole, and nothing was written by half.",
            ),
            DiskTrouble::Damaged => (
                "先复制一份数据文件夹，再用 `storeyline restore` 恢复备份，或试 `storeyline verify --repair`。",
                "Copy the data folder first; then bring a backup back with `storeyline restore`, or try `storeyline verify --repair`.",
            ),
        }
    }
}
