//! Where in cards, world books and chats something stands, in words for people.

use storeyline_state::{Diagnostic, Words};

/// A place in what a story was started from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The card's switch, `data.extensions.st_var_system.enabled`.
    CardSwitch,
    /// The card's own template, `data.extensions.st_var_system.templateBody`.
    Template,
    /// The card's own functions, `data.extensions.st_var_system.functions`.
    CardFunctions,
    /// The card's `character_book`.
    CardBook,
    /// An entry of a world book.
    Entry {
        /// The book's name; empty where it has none.
        book: String,
        /// The entry's title.
        title: String,
    },
    /// A greeting of the card: 0 is the first message, then the alternate ones.
    Greeting {
        /// Which one.
        index: usize,
    },
    /// A page of a chat.
    Page {
        /// The floor, from 0.
        floor: usize,
        /// The page on that floor, from 0.
        page: usize,
    },
    /// A turn of a history with several branches.
    Turn {
        /// The branch.
        branch: String,
        /// The turn as it is numbered there; none for the branch as a whole.
        turn: Option<usize>,
    },
}

/// Something worth telling about a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Where.
    pub place: Place,
    /// What.
    pub diagnostic: Diagnostic,
}

impl Place {
    /// Returns the place in both languages.
    pub fn words(&self) -> Words {
        match self {
            Place::CardSwitch => Words::new("角色卡的开关", "the card's switch"),
            Place::Template => Words::new("角色卡的模板", "the card's template"),
            Place::CardFunctions => Words::new("角色卡的函数", "the card's functions"),
            Place::CardBook => Words::new("角色卡内的世界书", "the world book in the card"),
            Place::Entry { book, title } if book.is_empty() => {
                Words::new(format!("世界书条目 `{title}`"), format!("world book entry `{title}`"))
            }
            Place::Entry { book, title } => Words::new(
                format!("世界书 `{book}` 的条目 `{title}`"),
                format!("entry `{title}` of the world book `{book}`"),
            ),
            Place::Greeting { index } => {
                Words::new(format!("第 {} 个开场白", index + 1), format!("greeting {}", index + 1))
            }
            Place::Page { floor, page } => {
                Words::new(format!("第 {floor} 层第 {} 页", page + 1), format!("floor {floor}, page {}", page + 1))
            }
            Place::Turn { branch, turn: None } => Words::new(format!("分支 `{branch}`"), format!("branch `{branch}`")),
            Place::Turn { branch, turn: Some(turn) } => {
                Words::new(format!("分支 `{branch}` 的回合 {turn}"), format!("turn {turn} of branch `{branch}`"))
            }
        }
    }

    /// Makes a remark about this place.
    pub(crate) fn remark(&self, diagnostic: Diagnostic) -> Remark {
        Remark { place: self.clone(), diagnostic }
    }
}
