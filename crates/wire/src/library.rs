//! Function libraries: the user's own, those of cards, trying out a function, and how often each was used.

use serde::{Deserialize, Serialize};
use storeyline_state::TextHash;
use utoipa::{IntoParams, ToSchema};

use crate::common::Words;
use crate::ids::{RefId, StoryId};
use crate::value::{Json, JsonObject};
use crate::view::Evaluation;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ScopeQuery {
    /// The card of the functions; absent: those for all cards.
    #[serde(default)]
    pub card: String,
}

/// The functions of a scope: for all cards, or for one.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Library {
    /// In the exchange format; new replies use it. For a card of which nothing was saved here: what it carries.
    pub library: Json,
    /// Number of the saved version, to be sent back as `based_on`; 0 if nothing was saved here.
    pub version: i64,
    /// Only for a card.
    pub carried: Option<CarriedLibrary>,
}

/// The functions that a card carries, beside those that are saved here.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct CarriedLibrary {
    /// In the exchange format; null if no host has shown the card yet.
    #[schema(value_type = Json, required = true)]
    pub library: Option<Json>,
    pub status: CarriedStatus,
    /// Identifies them in the decisions of the user; null if the card carries none.
    pub fingerprint: Option<TextHash>,
    /// What the user decided about them; null: nothing yet.
    pub allow: Option<bool>,
    /// The functions of this card that the user allowed last, for a comparison; null if there are none.
    #[schema(value_type = Json, required = true)]
    pub allowed_before: Option<Json>,
}

/// Whether the functions in a card and those that are saved here are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CarriedStatus {
    /// They are the same, or nothing is saved here: what the card carries counts, once it is allowed.
    Same,
    /// Only those here changed: the host is to write them into the card.
    SavedChanged,
    /// Both changed since they were the same: the user chooses.
    BothChanged,
}

#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct PutLibrary {
    /// In the exchange format.
    pub library: Json,
    /// The version that the change is based on; refused if there is another one. Absent: replaces any.
    pub based_on: Option<i64>,
}

/// A library as a host found it in a card.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct ReportCarried {
    /// File name of the card.
    pub card: String,
    /// Its name, as decisions of the user know it.
    pub name: String,
    /// `data.extensions.st_var_system.functions` as it is; null if there is none.
    pub functions: Json,
}

/// The answer to a card that was shown.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ReportedCarried {
    /// Whether the card carried something else when it was last shown.
    pub changed: bool,
    #[serde(flatten)]
    pub library: Library,
}

/// Which functions of a card count after both changed.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct ChooseLibrary {
    pub card: String,
    pub keep: KeptLibrary,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeptLibrary {
    /// Those saved here; the host writes them into the card.
    Saved,
    /// Those in the card.
    Carried,
}

/// A file of functions to be imported.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct ImportLibrary {
    /// An exchange file; or its text, which may be in the notation of JavaScript.
    pub library: Json,
    /// Names of the functions and rules to be switched on at once; the others are off.
    #[serde(default)]
    pub enable: Vec<String>,
    /// Only tell what would be imported.
    #[serde(default)]
    pub dry_run: bool,
}

/// The result of importing a library.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ImportedLibrary {
    pub version: i64,
    /// The imported functions and rules.
    pub imported: Vec<ImportedFunction>,
    /// Problems of the rest.
    pub problems: Vec<Words>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ImportedFunction {
    /// Its new id.
    pub id: String,
    pub name: String,
    pub kind: FunctionKind,
    /// Size of its definition in bytes.
    pub size: usize,
    /// Whether the library has one of this name already.
    pub duplicate: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FunctionKind {
    Active,
    Passive,
    Rule,
}

/// A function to be tried out. Nothing is stored.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct TryFunction {
    /// The definition of a function or rule, as in an exchange file. It is switched on, whatever it says.
    pub function: Json,
    /// The text of a reply.
    pub message: String,
    /// The floor whose state and rules it is tried on; absent: `state` and the rules of a new story.
    pub place: Option<TryPlace>,
    pub state: Option<JsonObject>,
    /// The card whose other functions its steps may use.
    #[serde(default)]
    pub card: String,
}

#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct TryPlace {
    pub story: StoryId,
    #[serde(rename = "ref")]
    pub branch: RefId,
    pub floor: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct TriedFunction {
    pub evaluation: Evaluation,
    /// What `console` printed.
    pub printed: Vec<String>,
    /// How long it took, in milliseconds.
    pub milliseconds: f64,
    /// How a prompt describes it; null for one that the model does not call.
    pub manual: Option<String>,
}

/// A pattern to be tried on a text.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct TryPattern {
    /// A JavaScript regular expression, bare or as `/source/flags`.
    pub pattern: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct TriedPattern {
    pub matches: Vec<PatternMatch>,
    /// Why it cannot be used; null if it can.
    pub problem: Option<Words>,
    /// How long it took, in milliseconds.
    pub milliseconds: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PatternMatch {
    /// Start and end in UTF-16 code units of the text.
    pub span: [usize; 2],
    /// Null for a group that did not take part.
    pub groups: Vec<Option<String>>,
}

/// How often functions were used on the newest floors of a branch.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FunctionUses {
    pub uses: Vec<FunctionUse>,
    /// The number of floors that were examined, from the newest up.
    pub floors: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FunctionUse {
    /// Without the mark of a dialect.
    pub name: String,
    /// Number of calls that were carried out.
    pub used: usize,
    pub failed: usize,
    /// The newest floor on which it ran.
    pub last: usize,
    /// The newest floor on which it failed.
    pub last_failed: Option<usize>,
}
