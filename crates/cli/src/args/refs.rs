//! Arguments about branches and tags.

use std::num::NonZeroUsize;

use clap::{ArgGroup, Args, Subcommand};

use super::history::Target;

#[derive(Subcommand)]
pub(crate) enum BranchArgs {
    /// List the branches of a story
    #[command(after_help = "Example: storeyline branch list 雨夜酒馆")]
    List(RefListArgs),
    /// Create a branch at a floor
    #[command(after_help = "Example: storeyline branch create 雨夜酒馆 --floor 12 --name 如果留下 --switch")]
    Create(CreateBranchArgs),
    /// Make another branch the current one
    #[command(after_help = "Example: storeyline branch switch 雨夜酒馆@如果留下")]
    Switch(Target),
    /// Change the name, note or colour of a branch or tag
    #[command(after_help = "Example: storeyline branch rename 雨夜酒馆@如果留下 留下的人 --note 试试 --colour '#f80'")]
    Rename(RenameArgs),
    /// Move a branch to the trash
    #[command(after_help = "Example: storeyline branch delete 雨夜酒馆@如果留下")]
    Delete(Target),
    /// Restore a branch or tag from the trash
    #[command(after_help = "Example: storeyline branch restore 雨夜酒馆@如果留下")]
    Restore(Target),
    /// Insert floors of another branch into this one, with their pages as they are
    #[command(
        after_help = "Example: storeyline branch graft 雨夜酒馆 如果留下 12 2 15\n\nTwo floors of 如果留下, from floor 12 on, are put at floor 15."
    )]
    Graft(GraftArgs),
    /// Merge the state of another branch into this one; the texts stay
    #[command(after_help = "Example: storeyline branch merge 雨夜酒馆 如果留下 --dry-run")]
    Merge(MergeArgs),
}

#[derive(Args)]
pub(crate) struct RefListArgs {
    /// STORY: an id, the beginning of one, or a title
    pub(crate) story: String,

    /// Show the trash too
    #[arg(long)]
    pub(crate) trash: bool,
}

#[derive(Args)]
pub(crate) struct CreateBranchArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    /// The branch or tag it starts from (default: the one named with the story, or the current one)
    #[arg(long, value_name = "BRANCH")]
    pub(crate) from: Option<String>,

    /// The last floor of the new branch (default: the last one there is)
    #[arg(long, value_name = "N")]
    pub(crate) floor: Option<usize>,

    /// Its name
    #[arg(long)]
    pub(crate) name: String,

    /// Make it the current branch
    #[arg(long)]
    pub(crate) switch: bool,
}

#[derive(Args)]
#[command(group(ArgGroup::new("what").required(true).multiple(true).args(["name", "note", "colour"])))]
pub(crate) struct RenameArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    /// Its new name
    pub(crate) name: Option<String>,

    /// A note about it
    #[arg(long)]
    pub(crate) note: Option<String>,

    /// Its colour: `#ff8800` or a word
    #[arg(long, alias = "color")]
    pub(crate) colour: Option<String>,
}

#[derive(Args)]
pub(crate) struct GraftArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    /// The other branch or tag
    pub(crate) from: String,

    /// The first floor there
    pub(crate) first: usize,

    /// Number of floors
    pub(crate) count: NonZeroUsize,

    /// The floor here at which the first of them is inserted
    pub(crate) at: usize,
}

#[derive(Args)]
pub(crate) struct MergeArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    /// The other branch or tag
    pub(crate) from: String,

    /// Which side has priority in conflicts; required only if there are any
    #[arg(long, value_parser = ["ours", "theirs"])]
    pub(crate) prefer: Option<String>,

    /// Only preview the result
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Subcommand)]
pub(crate) enum TagArgs {
    /// List the tags of a story
    #[command(after_help = "Example: storeyline tag list 雨夜酒馆")]
    List(RefListArgs),
    /// Mark a floor; the tag stays there whatever happens to the branch
    #[command(after_help = "Example: storeyline tag create 雨夜酒馆 决战之前 --floor 12")]
    Create(CreateTagArgs),
    /// Move a tag to the trash
    #[command(after_help = "Example: storeyline tag delete 雨夜酒馆@决战之前")]
    Delete(Target),
}

#[derive(Args)]
pub(crate) struct CreateTagArgs {
    #[command(flatten)]
    pub(crate) target: Target,

    /// Its name
    pub(crate) name: String,

    /// Which floor (default: the last)
    #[arg(long, value_name = "N")]
    pub(crate) floor: Option<usize>,

    /// A note about it
    #[arg(long)]
    pub(crate) note: Option<String>,
}
