//! Arguments about the history of a story.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args};
use storeyline_engine::Setting;

/// Which story and branch.
#[derive(Args)]
pub(crate) struct Target {
    /// STORY or STORY@BRANCH: an id, the beginning of one, or a title (default: the current branch)
    #[arg(value_name = "STORY[@BRANCH]")]
    pub(crate) story: String,
}

/// Which page.
#[derive(Args)]
#[group(multiple = false)]
pub(crate) struct PageArgs {
    /// Which page: its id, or the beginning of it
    #[arg(long, value_name = "ID")]
    pub(crate) page: Option<String>,

    /// Which floor; its active page is used
    #[arg(long, value_name = "N")]
    pub(crate) floor: Option<usize>,
}

/// The text of a page; standard input if nothing is given.
#[derive(Args)]
#[group(multiple = false)]
pub(crate) struct TextArgs {
    /// The text
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) text: Option<String>,

    /// A file with the text; without it and without --text, standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct LogArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    /// List the operations of the branch, the newest first
    #[arg(long)]
    pub(crate) operations: bool,

    /// Maximum number of operations
    #[arg(long, default_value_t = 30, value_name = "N")]
    pub(crate) limit: usize,

    /// Show the trash too
    #[arg(long)]
    pub(crate) trash: bool,
}

#[derive(Args)]
pub(crate) struct DiffArgs {
    /// STORY[@BRANCH][:FLOOR]
    pub(crate) one: String,

    /// The same; omitted parts are as in the first: `@BRANCH`, `:FLOOR`
    pub(crate) other: String,
}

#[derive(Args)]
pub(crate) struct EditArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    #[command(flatten)]
    pub(crate) page: PageArgs,

    #[command(flatten)]
    pub(crate) text: TextArgs,

    /// Keep the old text: the new one becomes another page of the floor, which becomes active
    #[arg(long, conflicts_with = "all_branches")]
    pub(crate) as_alternative: bool,

    /// Change the page on every branch that has it
    #[arg(long)]
    pub(crate) all_branches: bool,
}

#[derive(Args)]
#[command(group(ArgGroup::new("what").required(true).args(["page", "floor"])))]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    /// This page of its floor: its id, or the beginning of it
    #[arg(long, value_name = "ID")]
    pub(crate) page: Option<String>,

    /// Delete the other pages of that floor instead
    #[arg(long, requires = "page")]
    pub(crate) keep_only: bool,

    /// This floor with all its pages
    #[arg(long, value_name = "N")]
    pub(crate) floor: Option<usize>,

    /// Number of floors
    #[arg(long, requires = "floor", default_value = "1", value_name = "N")]
    pub(crate) count: NonZeroUsize,

    /// That floor and all that follow
    #[arg(long, requires = "floor", conflicts_with = "count")]
    pub(crate) and_below: bool,
}

#[derive(Args)]
pub(crate) struct MoveArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    /// The floor to move
    pub(crate) from: usize,

    /// Its floor afterwards
    pub(crate) to: usize,
}

#[derive(Args)]
pub(crate) struct InvalidateArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    #[command(flatten)]
    pub(crate) page: PageArgs,

    /// Mark it as valid again
    #[arg(long)]
    pub(crate) valid: bool,
}

#[derive(Args)]
pub(crate) struct WhereArgs {
    /// A story: an id, the beginning of one, or a title
    pub(crate) story: String,

    /// The id of a page
    pub(crate) page: String,
}

#[derive(Args)]
pub(crate) struct HideArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    /// Which floor
    pub(crate) floor: usize,

    /// Show it again
    #[arg(long)]
    pub(crate) show: bool,
}

#[derive(Args)]
pub(crate) struct AppendArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    /// Who speaks
    #[arg(long, value_parser = ["user", "assistant", "narrator", "summary", "other"])]
    pub(crate) role: String,

    /// The speaker's name (default: the last speaker with that role on this branch)
    #[arg(long)]
    pub(crate) name: Option<String>,

    #[command(flatten)]
    pub(crate) text: TextArgs,

    /// Insert it at this floor; later ones move down
    #[arg(long, value_name = "FLOOR")]
    pub(crate) at: Option<usize>,
}

#[derive(Args)]
#[command(group(ArgGroup::new("which").required(true).args(["page", "floor"])))]
pub(crate) struct SwipeArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    /// The page to activate: its id, or the beginning of it
    #[arg(long, value_name = "ID")]
    pub(crate) page: Option<String>,

    /// The floor, together with --number
    #[arg(long, requires = "number", value_name = "N")]
    pub(crate) floor: Option<usize>,

    /// The first page of that floor is 1
    #[arg(long, requires = "floor", value_name = "N")]
    pub(crate) number: Option<usize>,

    /// Keep what follows, instead of what followed that page when it was last read
    #[arg(long)]
    pub(crate) keep_below: bool,
}

#[derive(Args)]
pub(crate) struct AlternativeArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    /// Which floor
    #[arg(long, value_name = "N")]
    pub(crate) floor: usize,

    #[command(flatten)]
    pub(crate) text: TextArgs,
}

#[derive(Args)]
pub(crate) struct SetArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    /// A path of the state: `角色.金币`, `背包[0]`
    pub(crate) path: String,

    /// The value: JSON, or else text
    #[arg(required_unless_present = "remove", conflicts_with = "remove", allow_negative_numbers = true)]
    pub(crate) value: Option<String>,

    /// Remove the value
    #[arg(long)]
    pub(crate) remove: bool,

    #[command(flatten)]
    pub(crate) page: PageArgs,
}

#[derive(Args)]
#[command(group(ArgGroup::new("what").required(true).args(["state", "clear"])))]
pub(crate) struct OverrideArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    #[command(flatten)]
    pub(crate) page: PageArgs,

    /// The state as JSON; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,

    /// Go back to the computed state
    #[arg(long)]
    pub(crate) clear: bool,
}

#[derive(Args)]
pub(crate) struct UndoArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    /// Which operation, by its number in `storeyline log --operations` (default: the last)
    pub(crate) operation: Option<i64>,
}

#[derive(Args)]
pub(crate) struct ReprocessArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    /// The first floor
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) from: usize,

    /// The last floor (default: the last there is)
    #[arg(long, value_name = "N")]
    pub(crate) to: Option<usize>,

    /// Only preview what would change
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Preview the states under this function library; nothing is written
    #[arg(long, value_name = "FILE")]
    pub(crate) library: Option<PathBuf>,

    /// Preview the states under this profile; nothing is written
    #[arg(long)]
    pub(crate) profile: Option<String>,
}

#[derive(Args)]
pub(crate) struct SettingsArgs {
    /// STORY: an id, the beginning of one, or a title
    pub(crate) story: String,

    /// How a change of an early floor affects the later ones: `auto` recomputes them at once, `manual` leaves them as they are, marked stale, until they are re-processed
    #[arg(long, value_parser = ["auto", "manual"])]
    pub(crate) edit_policy: Option<String>,
}

#[derive(Args)]
pub(crate) struct RulesArgs {
    /// STORY: an id, the beginning of one, or a title
    pub(crate) story: String,

    /// Show the rules for new pages, or change them
    #[arg(value_parser = ["show", "set"], default_value = "show")]
    pub(crate) what: String,

    /// The current card (PNG or JSON): new pages follow it, except where you chose otherwise
    #[arg(long, value_name = "FILE")]
    pub(crate) card: Option<PathBuf>,

    /// A world book of the card (JSON); may be given several times
    #[arg(long, value_name = "FILE", requires = "card")]
    pub(crate) world_book: Vec<PathBuf>,

    /// Let functions that come with the card run; they are JavaScript
    #[arg(long, requires = "card")]
    pub(crate) allow_functions: bool,

    #[command(flatten)]
    pub(crate) change: RulesOptions,
}

#[derive(Args, Default)]
#[group(multiple = true)]
pub(crate) struct RulesOptions {
    /// The function library (JSON); functions that came with the card stay
    #[arg(long, value_name = "FILE")]
    pub(crate) library: Option<PathBuf>,

    /// The profile: native, mvu, sam-3.5 … sam-6, varsystem
    #[arg(long)]
    pub(crate) profile: Option<String>,

    /// Whether the story has a state at all
    #[arg(long, value_parser = on_or_off(), value_name = "on|off", hide_possible_values = true)]
    pub(crate) enabled: Option<bool>,

    /// Where `TIME` writes (default: `世界.时间` if it exists, else `time`)
    #[arg(long, value_name = "PATH")]
    pub(crate) time_path: Option<String>,

    /// The state before the first page (JSON); a running story takes it by `reprocess --from 0`
    #[arg(long, value_name = "FILE")]
    pub(crate) template: Option<PathBuf>,

    /// A schema (JSON Schema), or `none`
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,

    /// Whether calls in the player's own messages are executed
    #[arg(long, value_parser = on_or_off(), value_name = "on|off", hide_possible_values = true)]
    pub(crate) user_calls: Option<bool>,

    /// Whether reasoning blocks are skipped
    #[arg(long, value_parser = on_or_off(), value_name = "on|off", hide_possible_values = true)]
    pub(crate) skip_reasoning: Option<bool>,

    /// Whether `{"function": "SET", "args": […]}` is a call
    #[arg(long, value_parser = on_or_off(), value_name = "on|off", hide_possible_values = true)]
    pub(crate) json_calls: Option<bool>,

    /// Whether `<set path="…">…</set>` is a call
    #[arg(long, value_parser = on_or_off(), value_name = "on|off", hide_possible_values = true)]
    pub(crate) tag_calls: Option<bool>,

    /// A setting that follows the card again, by its name here: `--unset profile`; may be given several times
    #[arg(long, value_name = "NAME", value_parser = setting)]
    pub(crate) unset: Vec<Setting>,
}

fn setting(name: &str) -> Result<Setting, String> {
    let names = || Setting::ALL.map(|setting| setting.as_str().replace('_', "-")).join(", ");
    Setting::from_word(name).ok_or_else(|| format!("settings are {}", names()))
}

fn on_or_off() -> impl TypedValueParser<Value = bool> {
    PossibleValuesParser::new(["on", "off"]).map(|word| word == "on")
}
