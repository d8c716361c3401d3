//! Host chats: their identity, their cards, their files.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::Words;
use crate::ids::{ChatId, Cursor, NodeId, RefId, StoryId, TextHash};
use crate::import::WorldBook;
use crate::sync::Names;
use crate::value::{Json, JsonObject};
use crate::words::Severity;

/// An open host chat.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct OpenChat {
    pub chat: ChatId,
    /// The chat that it was branched or copied from.
    pub parent: Option<ChatId>,
    /// Name of its file, without extension.
    #[serde(default)]
    pub file: String,
    /// Its card or group.
    #[serde(default)]
    pub owner: String,
    /// Title of a new story.
    #[serde(default)]
    pub title: String,
    /// First state of a new story, instead of the cards' one.
    pub template: Option<JsonObject>,
    #[serde(default)]
    #[schema(required = false)]
    pub names: Names,
    pub cast: Option<Cast>,
    /// Whether the client can send the cast: then a story without one is not created, and the cast is requested.
    #[serde(default)]
    pub ask_cast: bool,
    /// Number of the last branch switch that this host carried out.
    #[serde(default)]
    pub handled: Option<Cursor>,
    /// Whether new pages take the rules of the current cards.
    #[serde(default)]
    pub renew: bool,
}

/// The cards of a host chat: one card, or the members of a group in order.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct Cast {
    /// The cards, as the host would export them.
    pub cards: Vec<JsonObject>,
    /// The active world books of the chat.
    #[serde(default)]
    pub books: Vec<WorldBook>,
    /// Whether several characters can speak.
    #[serde(default)]
    pub group: bool,
}

/// The result of opening a chat.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct OpenedChat {
    /// Null while the cast is missing, or while another branch is to be shown.
    pub story: Option<StoryId>,
    #[serde(rename = "ref")]
    pub branch: Option<RefId>,
    /// Head of the branch; null if it has no floor yet.
    pub node: Option<NodeId>,
    /// Whether the branch was created now.
    pub created: bool,
    /// Profile of the story.
    pub profile: Option<String>,
    /// Nothing was created: send the request again with the cast.
    pub need_cast: bool,
    /// Another branch is to be shown.
    pub switch: Option<SwitchTo>,
    /// How the story begins, if the cast was sent.
    pub beginning: Option<CastBeginning>,
}

/// Another branch is to be shown.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct SwitchTo {
    /// The operation that switched; send it as `handled` from then on.
    pub operation: Cursor,
    pub story: StoryId,
    #[serde(rename = "ref")]
    pub branch: RefId,
    pub name: String,
    /// Its file, if it has one.
    pub file: Option<String>,
    /// Card or group of that file.
    pub owner: Option<String>,
}

/// How a story of a cast begins.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct CastBeginning {
    /// Whether the story has a state at all.
    pub enabled: bool,
    pub profile: String,
    pub reason: Words,
    /// The first state; null if no card defines one.
    pub template: Option<JsonObject>,
    /// The active functions.
    pub functions: Vec<String>,
    /// Functions that wait for the user's permission.
    pub held: Vec<HeldFunctions>,
    /// Problems in the cards.
    pub remarks: Vec<Remark>,
}

/// Functions of a card that wait for the user's permission.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct HeldFunctions {
    pub card: String,
    /// Identifies what is allowed: another card, or another text of any function, has another fingerprint.
    pub fingerprint: TextHash,
    pub names: Vec<String>,
    /// Whether the user does not want to be asked about them again.
    pub refused: bool,
}

/// What the user decided about functions that were held.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct Decide {
    /// Name of the card, to be shown.
    #[serde(default)]
    pub card: String,
    pub fingerprint: TextHash,
    /// Whether they may run; null: ask again.
    pub allow: Option<bool>,
}

/// The decisions of the user, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Consents {
    pub consents: Vec<Consent>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Consent {
    pub card: String,
    pub fingerprint: TextHash,
    pub allow: bool,
}

/// A problem in a card.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Remark {
    pub code: String,
    pub severity: Severity,
    pub place: Words,
    pub message: Words,
}

/// A host file for a branch.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct HostFile {
    /// Without extension.
    pub file: String,
    /// Its card or group.
    pub owner: String,
}

/// Deleted files of the host.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct GoneFiles {
    /// Card or group.
    pub owner: String,
    /// Name of the file; absent: all files of the owner.
    pub file: Option<String>,
}

/// Number of branches that went to the trash.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Forgotten {
    pub trashed: usize,
}

/// A branch as a new file of a host.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct NewHostFile {
    pub chat: ChatId,
    /// Its first line.
    pub header: Json,
    pub messages: Vec<Json>,
}

/// The chat files that exist, to find branches that no file shows any more.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct Unused {
    pub existing: Vec<ExistingFiles>,
    /// Only list them; on by default.
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub dry_run: bool,
}

fn yes() -> bool {
    true
}

/// All chat files of a card or group. One that could not be listed is left out, and its branches are left alone.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct ExistingFiles {
    pub owner: String,
    /// Without extension.
    pub files: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct UnusedBranches {
    /// Whether they were moved to the trash.
    pub trashed: bool,
    pub branches: Vec<UnusedBranch>,
}

/// A branch whose file does not exist any more.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct UnusedBranch {
    pub story: StoryId,
    pub title: String,
    #[serde(rename = "ref")]
    pub branch: RefId,
    pub name: String,
    pub file: String,
    pub owner: String,
    pub floors: usize,
}
