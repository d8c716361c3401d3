//! The files of `corpus/initial`, as the tests of this crate need them.

use std::path::{Path, PathBuf};

use storeyline_compat::initvar::Names;
use storeyline_compat::{Card, ChatFile, Given, Initial, WorldBook, find_initial, names_in};

/// One folder: how a story begins.
pub(crate) struct Case {
    folder: PathBuf,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

pub(crate) fn read(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap()
}

/// Returns the files of a folder of the corpus, sorted by name.
pub(crate) fn files(name: impl AsRef<Path>) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder().join(name))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

impl Case {
    pub(crate) fn all() -> Vec<Case> {
        let mut cases: Vec<Case> = std::fs::read_dir(folder().join("initial"))
            .unwrap()
            .map(|entry| Case { folder: entry.unwrap().path() })
            .filter(|case| case.folder.is_dir())
            .collect();
        cases.sort_by(|a, b| a.folder.cmp(&b.folder));
        cases
    }

    pub(crate) fn name(&self) -> String {
        self.folder.file_name().unwrap().to_string_lossy().into_owned()
    }

    pub(crate) fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.join(name)).unwrap()
    }

    /// Returns every file except the expectation, sorted by name.
    pub(crate) fn files(&self) -> Vec<(String, Vec<u8>)> {
        files(&self.folder).into_iter().filter(|(name, _)| name != "expected.json").collect()
    }

    /// Reads all files, each as its name says.
    pub(crate) fn initial(&self) -> Initial {
        let (mut card, mut books, mut messages, mut names) = (None, Vec::new(), Vec::new(), Names::default());
        for (name, bytes) in self.files() {
            match name.as_str() {
                "card.png" | "card.json" => card = Some(Card::read(&bytes).unwrap()),
                "chat.jsonl" => {
                    let file = ChatFile::read(std::str::from_utf8(&bytes).unwrap()).unwrap();
                    names = names_in(&file.header, &file.read);
                    messages = file.read;
                }
                book => books.push(WorldBook::read(&bytes, book.split('.').next().unwrap()).unwrap()),
            }
        }
        find_initial(&Given { card: card.as_ref(), books: &books, messages: &messages, names })
    }
}
