//! The command line arguments as clap types. Doc comments of fields are the help texts.

mod authors;
mod care;
mod history;
mod refs;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

pub(crate) use self::authors::*;
pub(crate) use self::care::*;
pub(crate) use self::history::*;
pub(crate) use self::refs::*;

/// Keeps the state of role-play stories exact: swipe, edit, delete, branch, jump.
#[derive(Parser)]
#[command(name = "storeyline", version, about)]
pub(crate) struct Args {
    /// The data folder (default: the platform's own)
    #[arg(long, global = true, env = "STOREYLINE_DATA", value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,

    /// Print JSON, for scripts
    #[arg(long, global = true)]
    pub(crate) json: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Start the engine with its web page
    #[command(after_help = "Example: storeyline serve --port 0")]
    Serve(ServeArgs),
    /// Print a link that opens the page of the running engine; it works once
    #[command(after_help = "Example: storeyline link")]
    Link {
        /// The account whose stories it opens, as in the header `X-Storeyline-Owner` (default: your own)
        #[arg(long, value_name = "NAME")]
        account: Option<String>,
    },
    /// List the browsers that have access, or withdraw it
    #[command(subcommand, after_help = "Example: storeyline token list")]
    Token(TokenArgs),
    /// Print the description of the HTTP API, as OpenAPI
    #[command(after_help = "Example: storeyline openapi > openapi.json")]
    Openapi,
    /// Evaluate a reply on a state, without any story
    #[command(after_help = "Example: storeyline apply --state state.json --message reply.txt --profile mvu")]
    Apply(ApplyArgs),
    /// Print the prompt text that describes the functions to a model, for a prompt or a world book
    #[command(after_help = "Example: storeyline prompt --language zh --tag game_state_functions")]
    Prompt(PromptArgs),
    /// Manage the function library: list, describe, import, export, switch, test
    #[command(after_help = "Example: storeyline functions import shared.json")]
    Functions(FunctionsArgs),
    /// Show the state at every floor of a chat file, without any story
    #[command(after_help = "Example: storeyline replay chat.jsonl --card card.png --floor 12 --trace")]
    Replay(ReplayArgs),
    /// Run cases of other tools and compare the results
    #[command(
        after_help = "Example: storeyline conformance corpus/peers/mvu.jsonl --report report.jsonl\n\nExit code 1 if a plain case fails."
    )]
    Conformance(ConformanceArgs),
    /// Print completions for a shell
    #[command(
        after_help = "Example: storeyline completions bash > ~/.local/share/bash-completion/completions/storeyline"
    )]
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Runs JavaScript for another process of this program
    #[command(hide = true)]
    JsWorker,
    /// List all stories and their branches
    #[command(after_help = "Example: storeyline stories --json")]
    Stories,
    /// Create the example story, or find it if it is there
    #[command(after_help = "Example: storeyline example --language en")]
    Example {
        /// The language: zh or en (default: that of the terminal)
        #[arg(long, value_parser = ["zh", "en"])]
        language: Option<String>,
    },
    /// Import a SillyTavern chat file, a folder of them, or a chat history (JSON) into stories
    #[command(
        after_help = "Example: storeyline import chat.jsonl --card card.png --world-book world.json\nExample: storeyline import ~/SillyTavern/data/default-user/chats/Aria\n\nReading the same file again changes nothing; a changed one brings its branch up to date, and `undo` takes that back.\nExit code 1 if a file of a folder cannot be read; the others are stored."
    )]
    Import(ImportArgs),
    /// Inspect a character card
    #[command(subcommand)]
    Card(CardArgs),
    /// Remove MVU's metadata from variables: `$meta`, `$arrayMeta`, marks in lists
    #[command(after_help = "Example: storeyline strip-mvu mvu.json > state.json")]
    StripMvu {
        /// The JSON file; `-` reads standard input
        file: PathBuf,
    },
    /// Draw the branches and tags of a story, or list the operations of one of them
    #[command(after_help = "Example: storeyline log 雨夜酒馆 --operations")]
    Log(LogArgs),
    /// List the floors of a branch
    #[command(after_help = "Example: storeyline path 雨夜酒馆")]
    Path {
        /// STORY or STORY@BRANCH: an id, the beginning of one, or a title
        story: String,
    },
    /// Show one floor: text, state and what happened there
    #[command(after_help = "Example: storeyline show 雨夜酒馆 --floor 12")]
    Show(ShowArgs),
    /// Compare two branches, or two floors
    #[command(after_help = "Example: storeyline diff 雨夜酒馆@主线 @如果留下\nExample: storeyline diff 雨夜酒馆:4 :12")]
    Diff(DiffArgs),
    /// Show which floor and which call set a value
    #[command(after_help = "Example: storeyline blame 雨夜酒馆 角色.金币 --floor 12")]
    Blame(BlameArgs),
    /// List all changes of a value, or those after which a condition holds
    #[command(
        after_help = "Example: storeyline history 雨夜酒馆 角色.金币\nExample: storeyline history 雨夜酒馆 角色.金币 --when '< 0'"
    )]
    History(HistoryArgs),
    /// Search words on all pages of all branches; on, off: the search index
    #[command(after_help = "Example: storeyline search 酒馆 --story 雨夜酒馆\nExample: storeyline search -- on")]
    Search(SearchArgs),
    /// Show on which branches and floors a page is
    #[command(after_help = "Example: storeyline where 雨夜酒馆 9f30ac41-0c8d-4d3c-9a3e-0d1c2b3a4f5e")]
    Where(WhereArgs),
    /// Print the messages of a branch for a model, without the hidden ones
    #[command(after_help = "Example: storeyline messages 雨夜酒馆 --json")]
    Messages(Target),
    /// Append a message to a branch
    #[command(after_help = "Example: storeyline append 雨夜酒馆 --role user --text 你好")]
    Append(AppendArgs),
    /// Add another page to a floor and make it active
    #[command(after_help = "Example: storeyline alternative 雨夜酒馆 --floor 12 --file reply.txt")]
    Alternative(AlternativeArgs),
    /// Make another page of a floor active, with what followed it
    #[command(after_help = "Example: storeyline swipe 雨夜酒馆 --floor 12 --number 2")]
    Swipe(SwipeArgs),
    /// Change the text of a page
    #[command(after_help = "Example: storeyline edit 雨夜酒馆 --floor 12 --file reply.txt")]
    Edit(EditArgs),
    /// Delete a page, a floor, or several
    #[command(
        after_help = "Example: storeyline delete 雨夜酒馆 --floor 12 --and-below\n\n`storeyline undo` brings it back."
    )]
    Delete(DeleteArgs),
    /// Move a floor
    #[command(after_help = "Example: storeyline move 雨夜酒馆 12 10")]
    Move(MoveArgs),
    /// Hide a floor from the prompt, or show it again
    #[command(after_help = "Example: storeyline hide 雨夜酒馆 12")]
    Hide(HideArgs),
    /// Mark a page as not valid, or as valid again: its calls are not executed, and no model reads it
    #[command(after_help = "Example: storeyline invalidate 雨夜酒馆 --floor 12")]
    Invalidate(InvalidateArgs),
    /// Correct one path of a state by hand
    #[command(after_help = "Example: storeyline set 雨夜酒馆 角色.金币 100 --floor 12")]
    Set(SetArgs),
    /// Correct a whole state by hand, or go back to the computed one
    #[command(after_help = "Example: storeyline override 雨夜酒馆 --floor 12 --state state.json")]
    Override(OverrideArgs),
    /// Branches: list, create, switch, rename, delete, restore, graft, merge
    #[command(subcommand)]
    Branch(BranchArgs),
    /// Tags: list, create, delete
    #[command(subcommand)]
    Tag(TagArgs),
    /// Undo an operation
    #[command(after_help = "Example: storeyline undo 雨夜酒馆\nExample: storeyline undo 雨夜酒馆 17")]
    Undo(UndoArgs),
    /// Redo an undone operation
    #[command(after_help = "Example: storeyline redo 雨夜酒馆")]
    Redo(UndoArgs),
    /// Recompute states under the current rules, or preview other rules
    #[command(after_help = "Example: storeyline reprocess 雨夜酒馆 --from 12 --dry-run")]
    Reprocess(ReprocessArgs),
    /// Show or change the settings of a story
    #[command(after_help = "Example: storeyline settings 雨夜酒馆 --edit-policy manual")]
    Settings(SettingsArgs),
    /// Show or change the rules for new pages
    #[command(after_help = "Example: storeyline rules 雨夜酒馆 set --library functions.json --profile mvu")]
    Rules(RulesArgs),
    /// Templates of cards: show, set, versions
    #[command(subcommand)]
    Template(TemplateArgs),
    /// States saved outside any story: list, save, show, delete, to-template
    #[command(subcommand)]
    Snapshot(SnapshotArgs),
    /// Write a branch as a SillyTavern chat file
    #[command(after_help = "Example: storeyline export 雨夜酒馆 chat.jsonl")]
    Export(ExportArgs),
    /// Write a whole story to a file that `import` reads: branches, alternatives, states, rules
    #[command(after_help = "Example: storeyline archive 雨夜酒馆 story.archive.jsonl")]
    Archive(ArchiveArgs),
    /// Recompute every state and compare
    #[command(after_help = "Example: storeyline verify --repair")]
    Verify {
        /// Repair what can be recomputed
        #[arg(long)]
        repair: bool,
    },
    /// Count stories, pages and other rows, and their bytes
    #[command(after_help = "Example: storeyline stats --json")]
    Stats {
        /// Only this story: an id, the beginning of one, or a title
        story: Option<String>,
    },
    /// Delete unreachable rows and free their space
    #[command(after_help = "Example: storeyline gc --dry-run")]
    Gc(GcArgs),
    /// Write a copy of the whole database; other programs may keep running
    #[command(after_help = "Example: storeyline backup ~/storeyline-backup.db")]
    Backup {
        /// The file to write; it must not exist yet
        out: PathBuf,
    },
    /// Replace the database by a copy; the old one is kept beside it
    #[command(after_help = "Example: storeyline restore ~/storeyline-backup.db")]
    Restore {
        /// A copy that `storeyline backup` wrote
        file: PathBuf,
    },
    /// Check the data folder and say what to do
    #[command(after_help = "Example: storeyline doctor\n\nExit code 1 if something is wrong.")]
    Doctor,
    /// Install into SillyTavern, remove from it, or check it
    #[command(subcommand)]
    Sillytavern(HostArgs),
}

#[derive(Subcommand)]
pub(crate) enum TokenArgs {
    /// List the tokens of browsers, the one used last first
    #[command(after_help = "Example: storeyline token list")]
    List,
    /// Withdraw tokens; these browsers need a new link
    #[command(after_help = "Example: storeyline token withdraw 3f9a0c12d4e5\nExample: storeyline token withdraw --all")]
    Withdraw {
        /// Ids, as `storeyline token list` prints them
        #[arg(value_name = "ID", required_unless_present = "all")]
        tokens: Vec<String>,
        /// All tokens of browsers
        #[arg(long, conflicts_with = "tokens")]
        all: bool,
    },
}

#[derive(clap::Args)]
pub(crate) struct ServeArgs {
    /// The port on this machine; 0 takes a free one
    #[arg(long, default_value_t = 7878)]
    pub(crate) port: u16,

    /// With `--port 0`: take the port of the last start again if it is free, so that browsers stay signed in
    #[arg(long)]
    pub(crate) keep_port: bool,

    /// Log each request on standard error, one line each; with `--json` as JSON
    #[arg(long)]
    pub(crate) log: bool,

    /// Stop when standard input closes, so that no engine outlives the program that started it
    #[arg(long)]
    pub(crate) exit_with_stdin: bool,
}

/// How a chat begins.
#[derive(clap::Args)]
pub(crate) struct BeginningArgs {
    /// The card (PNG or JSON); a new story begins with the state found in it
    #[arg(long)]
    pub(crate) card: Option<PathBuf>,

    /// A world book of the card (JSON); may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) world_book: Vec<PathBuf>,

    /// Let functions that come with the card run; they are JavaScript
    #[arg(long)]
    pub(crate) allow_functions: bool,
}

#[derive(clap::Args)]
pub(crate) struct ImportArgs {
    /// The chat file (.jsonl), the folder of a character or group, a history (.json), or an archive
    pub(crate) chat: PathBuf,

    #[command(flatten)]
    pub(crate) beginning: BeginningArgs,

    /// The story that new branches belong to: an id, the beginning of one, or a title
    #[arg(long, value_name = "STORY")]
    pub(crate) into: Option<String>,

    /// Use the states that MVU and SAM stored in the chat where they differ from the computed ones
    #[arg(long)]
    pub(crate) trust_stored: bool,

    /// The database of ST-VarSystem's plugin; its states are used
    #[arg(long, value_name = "FILE")]
    pub(crate) varsystem_db: Option<PathBuf>,

    /// Import an archive as a new story, even if its story exists already
    #[arg(long)]
    pub(crate) copy: bool,
}

#[derive(Subcommand)]
pub(crate) enum CardArgs {
    /// Show how a story with this card begins: profile, state, sources, problems
    #[command(after_help = "Example: storeyline card show card.png --world-book world.json")]
    Show {
        /// The card (PNG or JSON)
        card: PathBuf,
        /// A world book of the card (JSON); may be given several times
        #[arg(long, value_name = "FILE")]
        world_book: Vec<PathBuf>,
    },
}

#[derive(clap::Args)]
pub(crate) struct ShowArgs {
    /// STORY or STORY@BRANCH: an id, the beginning of one, or a title
    pub(crate) story: String,

    /// Which floor (default: the last)
    #[arg(long, conflicts_with = "page")]
    pub(crate) floor: Option<usize>,

    /// Which page: its id, or the beginning of it
    #[arg(long)]
    pub(crate) page: Option<String>,
}

#[derive(clap::Args)]
pub(crate) struct ExportArgs {
    /// STORY or STORY@BRANCH: an id, the beginning of one, or a title
    pub(crate) story: String,

    /// The file to write
    pub(crate) out: PathBuf,
}

#[derive(clap::Args)]
pub(crate) struct ArchiveArgs {
    /// The story: an id, the beginning of one, or a title
    pub(crate) story: String,

    /// The file to write
    pub(crate) out: PathBuf,
}

#[derive(Subcommand)]
pub(crate) enum HostArgs {
    /// Copy plugin and extension into a SillyTavern folder and enable plugins
    #[command(after_help = "Example: storeyline sillytavern install ~/SillyTavern")]
    Install(HostFolder),
    /// Remove plugin and extension; stories are kept
    #[command(after_help = "Example: storeyline sillytavern uninstall ~/SillyTavern")]
    Uninstall(HostFolder),
    /// Check an installation and say what to do
    #[command(after_help = "Example: storeyline sillytavern doctor ~/SillyTavern")]
    Doctor(HostFolder),
}

#[derive(clap::Args)]
pub(crate) struct HostFolder {
    /// The folder of SillyTavern (the one with server.js)
    pub(crate) folder: PathBuf,

    /// Its config.yaml, if it is not in that folder
    #[arg(long)]
    pub(crate) config: Option<PathBuf>,
}
