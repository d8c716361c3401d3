//! Arguments about the values of a story and about the data folder.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};

use super::history::Target;

#[derive(Args)]
pub(crate) struct BlameArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    /// The value: `角色.金币`, `背包[0]`
    pub(crate) path: String,

    /// Up to this floor (default: the last)
    #[arg(long, value_name = "N")]
    pub(crate) floor: Option<usize>,
}

#[derive(Args)]
pub(crate) struct HistoryArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    /// The value: `角色.金币`, `背包[0]`
    pub(crate) path: String,

    /// Only changes after which this holds: `< 0`, `>= 5`, `= 旅馆`, `!= null`
    #[arg(long, value_name = "CONDITION", allow_hyphen_values = true)]
    pub(crate) when: Option<String>,
}

#[derive(Args)]
pub(crate) struct GcArgs {
    /// Only show what would be deleted
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Days that branches and tags stay in the trash
    #[arg(long, value_name = "N", default_value_t = 30, allow_negative_numbers = true)]
    pub(crate) trash_days: i64,

    /// Days that operations can be undone
    #[arg(long, value_name = "N", default_value_t = 90, allow_negative_numbers = true)]
    pub(crate) undo_days: i64,
}

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct SearchArgs {
    #[command(subcommand)]
    pub(crate) what: Option<SearchWhat>,

    /// Words that must all occur in the text of a page; put a phrase with spaces in quotes
    #[arg(value_name = "WORDS")]
    pub(crate) words: Vec<String>,

    /// Only in this story: an id, the beginning of one, or a title
    #[arg(long, value_name = "STORY")]
    pub(crate) story: Option<String>,

    /// Maximum number of pages shown
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) limit: usize,
}

#[derive(Subcommand)]
pub(crate) enum SearchWhat {
    /// Index all texts: searching becomes fast, and the database larger
    #[command(after_help = "Example: storeyline search on")]
    On,
    /// Drop the index; searching scans every text again
    #[command(after_help = "Example: storeyline search off")]
    Off,
    /// Show whether there is an index, and its size
    #[command(after_help = "Example: storeyline search status")]
    Status,
}

#[derive(Subcommand)]
pub(crate) enum TemplateArgs {
    /// Print the template of a card
    #[command(after_help = "Example: storeyline template show 阿丽娅")]
    Show {
        /// The card
        card: String,
    },
    /// Save or remove the template of a card; every version stays
    #[command(
        after_help = "Example: storeyline template set 阿丽娅 state.json\nExample: storeyline template set 阿丽娅 --clear"
    )]
    Set(SetTemplateArgs),
    /// List all templates that a card had, the newest first
    #[command(after_help = "Example: storeyline template versions 阿丽娅")]
    Versions {
        /// The card
        card: String,
    },
}

#[derive(Args)]
#[command(group(ArgGroup::new("what").required(true).args(["file", "clear"])))]
pub(crate) struct SetTemplateArgs {
    /// The card
    pub(crate) card: String,

    /// The state as JSON; `-` reads standard input
    pub(crate) file: Option<PathBuf>,

    /// Remove the template
    #[arg(long)]
    pub(crate) clear: bool,
}

#[derive(Subcommand)]
pub(crate) enum SnapshotArgs {
    /// List global snapshots, the newest first; all words must occur in name, description or tags
    #[command(after_help = "Example: storeyline snapshot list 酒馆 开头")]
    List {
        /// Words to search for
        words: Vec<String>,
    },
    /// Save the state of a floor outside its story
    #[command(after_help = "Example: storeyline snapshot save 雨夜酒馆 --floor 12 --name 出发前 --tag 酒馆")]
    Save(SaveSnapshotArgs),
    /// Print one with its state
    #[command(after_help = "Example: storeyline snapshot show 出发前")]
    Show {
        /// Its name, its id, or the beginning of that
        snapshot: String,
    },
    /// Delete one
    #[command(after_help = "Example: storeyline snapshot delete 出发前")]
    Delete {
        /// Its name, its id, or the beginning of that
        snapshot: String,
    },
    /// Make its state the template of a card
    #[command(after_help = "Example: storeyline snapshot to-template 出发前 阿丽娅")]
    ToTemplate {
        /// Its name, its id, or the beginning of that
        snapshot: String,
        /// The card
        card: String,
    },
}

#[derive(Args)]
pub(crate) struct SaveSnapshotArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    /// Which floor (default: the last)
    #[arg(long, value_name = "N")]
    pub(crate) floor: Option<usize>,

    /// Its name
    #[arg(long)]
    pub(crate) name: String,

    /// Its description
    #[arg(long, default_value = "")]
    pub(crate) description: String,

    /// A word to find it by; may be given several times
    #[arg(long, value_name = "WORD")]
    pub(crate) tag: Vec<String>,
}
