//! Arguments of the commands for card authors: evaluating a reply or a chat file, function libraries, prompts.

use clap::Subcommand;
use std::path::PathBuf;

use super::BeginningArgs;

#[derive(clap::Args)]
pub(crate) struct ApplyArgs {
    /// The state as JSON (default: an empty one)
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,

    /// The text of the reply
    #[arg(long, value_name = "FILE")]
    pub(crate) message: PathBuf,

    /// The profile: native, mvu, sam-3.5 … sam-6, varsystem
    #[arg(long, default_value = "native")]
    pub(crate) profile: String,

    /// A function library (JSON)
    #[arg(long, value_name = "FILE")]
    pub(crate) library: Option<PathBuf>,

    /// A schema (JSON Schema), or `infer` to keep the types of the state
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
}

#[derive(clap::Args)]
pub(crate) struct FunctionsArgs {
    /// Work on this file instead of the saved library
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "card")]
    pub(crate) library: Option<PathBuf>,

    /// The functions of this card (its file name in SillyTavern) instead of those for all cards
    #[arg(long, global = true)]
    pub(crate) card: Option<String>,

    #[command(subcommand)]
    pub(crate) what: FunctionsWhat,
}

#[derive(Subcommand)]
pub(crate) enum FunctionsWhat {
    /// List built-ins and the functions of the library, with their ids
    #[command(after_help = "Example: storeyline functions list --card Aria.png")]
    List,
    /// Print the prompt text that describes all of them
    #[command(after_help = "Example: storeyline functions manual --language zh")]
    Manual(PromptArgs),
    /// Add the functions of a file; they get new ids and are switched off
    #[command(after_help = "Example: storeyline functions import shared.json")]
    Import {
        /// The file: `{"version", "functions"}`, custom.json or rules.json
        file: PathBuf,
    },
    /// Write functions into a file
    #[command(after_help = "Example: storeyline functions export mine.json HEAL 时间推进")]
    Export {
        /// The file to write
        out: PathBuf,
        /// Names or ids (default: all)
        names: Vec<String>,
    },
    /// Switch functions on
    #[command(after_help = "Example: storeyline functions enable HEAL")]
    Enable {
        /// Their names or ids
        #[arg(required = true)]
        names: Vec<String>,
    },
    /// Switch functions off
    #[command(after_help = "Example: storeyline functions disable HEAL")]
    Disable {
        /// Their names or ids
        #[arg(required = true)]
        names: Vec<String>,
    },
    /// Give a function another name
    #[command(after_help = "Example: storeyline functions rename HEAL 治疗")]
    Rename {
        /// Its name, or its id if there are several of that name
        name: String,
        /// The new name
        to: String,
    },
    /// Delete functions; earlier versions of the library stay
    #[command(after_help = "Example: storeyline functions delete HEAL")]
    Delete {
        /// Their names or ids
        #[arg(required = true)]
        names: Vec<String>,
    },
    /// Move functions into the library of a card, or with no card into the one for all cards
    #[command(after_help = "Example: storeyline functions move HEAL --to Aria.png")]
    Move {
        /// Their names or ids
        #[arg(required = true)]
        names: Vec<String>,
        /// The card
        #[arg(long, default_value = "")]
        to: String,
    },
    /// Run a message with one function only
    #[command(after_help = "Example: storeyline functions test HEAL --state state.json --message reply.txt")]
    Test {
        /// Its name, or its id if there are several of that name
        name: String,
        /// The state as JSON (default: an empty one)
        #[arg(long, value_name = "FILE")]
        state: Option<PathBuf>,
        /// The text of the reply
        #[arg(long, value_name = "FILE")]
        message: PathBuf,
    },
}

#[derive(clap::Args)]
pub(crate) struct ReplayArgs {
    /// The chat file (.jsonl)
    pub(crate) chat: PathBuf,

    #[command(flatten)]
    pub(crate) beginning: BeginningArgs,

    /// A function library (JSON)
    #[arg(long, value_name = "FILE")]
    pub(crate) library: Option<PathBuf>,

    /// The profile (default: detected from the card)
    #[arg(long)]
    pub(crate) profile: Option<String>,

    /// Stop at this floor and show its state
    #[arg(long)]
    pub(crate) floor: Option<usize>,

    /// Show what each call did
    #[arg(long)]
    pub(crate) trace: bool,
}

#[derive(clap::Args)]
pub(crate) struct ConformanceArgs {
    /// Files with one case per line
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Write one line per case: id, class, pass, actual
    #[arg(long, value_name = "OUT")]
    pub(crate) report: Option<PathBuf>,
}

#[derive(clap::Args)]
pub(crate) struct PromptArgs {
    /// The language: zh or en (default: that of the terminal)
    #[arg(long, value_parser = ["zh", "en"])]
    pub(crate) language: Option<String>,

    /// The tag around the text
    #[arg(long)]
    pub(crate) tag: Option<String>,

    /// The profile
    #[arg(long, default_value = "native")]
    pub(crate) profile: String,
}
