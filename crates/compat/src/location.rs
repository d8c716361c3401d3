//! Locations in cards, world books and chats, and how they are shown to users.

use storeyline_state::{Diagnostic, Words};

/// A location in the inputs of a story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
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
        /// Name of the book; empty if it has none.
        book: String,
        title: String,
    },
    /// A greeting of the card: 0 is the first message, then the alternate ones.
    Greeting { index: usize },
    /// A page of a chat.
    Page {
        /// From 0.
        floor: usize,
        /// From 0.
        page: usize,
    },
    /// A turn of a history with several branches.
    Turn {
        branch: String,
        /// The turn as numbered there; `None` for the branch as a whole.
        turn: Option<usize>,
    },
}

/// A diagnostic about a location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    pub location: Location,
    pub diagnostic: Diagnostic,
}

impl Location {
    /// Returns the location in both languages.
    pub fn words(&self) -> Words {
        match self {
            Location::CardSwitch => Words::new("角色卡的开关", "the card's switch"),
            Location::Template => Words::new("角色卡的模板", "the card's template"),
            Location::CardFunctions => Words::new("角色卡的函数", "the card's functions"),
            Location::CardBook => Words::new("角色卡内的世界书", "the world book in the card"),
            Location::Entry { book, title } if book.is_empty() => {
                Words::new(format!("世界书条目 `{title}`"), format!("world book entry `{title}`"))
            }
            Location::Entry { book, title } => Words::new(
                format!("世界书 `{book}` 的条目 `{title}`"),
                format!("entry `{title}` of the world book `{book}`"),
            ),
            Location::Greeting { index } => {
                Words::new(format!("第 {} 个开场白", index + 1), format!("greeting {}", index + 1))
            }
            Location::Page { floor, page } => {
                Words::new(format!("第 {floor} 层第 {} 页", page + 1), format!("floor {floor}, page {}", page + 1))
            }
            Location::Turn { branch, turn: None } => {
                Words::new(format!("分支 `{branch}`"), format!("branch `{branch}`"))
            }
            Location::Turn { branch, turn: Some(turn) } => {
                Words::new(format!("分支 `{branch}` 的回合 {turn}"), format!("turn {turn} of branch `{branch}`"))
            }
        }
    }

    pub(crate) fn remark(&self, diagnostic: Diagnostic) -> Remark {
        Remark { location: self.clone(), diagnostic }
    }
}
