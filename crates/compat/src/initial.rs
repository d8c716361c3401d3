//! The first state and the rules of a story, from its card, its world books and its chat.
//!
//! All known places are looked at; the first that holds a state, in the order of [`SourceKind`],
//! gives it. Every place that was found is listed, used or not, with what was odd there. The
//! profile is detected here, once, and told with its reason.

use storeyline_functions::sam::SamFunction;
use storeyline_functions::{Library, Locks, Profile};
use storeyline_history::rules::Greeting;
use storeyline_history::{Enabled, Rules};
use storeyline_state::{Diagnostic, TextHash, Value, Words};

use crate::card::Card;
use crate::host_message::HostMessage;
use crate::initvar::Names;
use crate::place::{Place, Remark};
use crate::world_book::{Entry, WorldBook};
use crate::{base_data, mvu, sam};

/// What a story is started from.
#[derive(Debug, Clone, Default)]
pub struct Given<'a> {
    /// The card.
    pub card: Option<&'a Card>,
    /// World books beside it. One with the name of the card's own book stands in its place: the
    /// host keeps that one up to date and not the copy inside the card.
    pub books: &'a [WorldBook],
    /// The messages of a chat.
    pub messages: &'a [HostMessage],
    /// Whose names stand for `{{user}}` and `{{char}}`.
    pub names: Names,
}

/// How a story begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Initial {
    /// Whether the state of the card is kept at all.
    pub enabled: Enabled,
    /// The first state.
    pub state: Value,
    /// Whose conventions count.
    pub profile: Profile,
    /// Why these.
    pub reason: Words,
    /// MVU's locks, if the variables carry marks.
    pub locks: Option<Locks>,
    /// The functions of a SAM card.
    pub sam_functions: Vec<SamFunction>,
    /// The card's own functions.
    pub library: Library,
    /// Greetings that bring their own first state.
    pub greetings: Vec<GreetingState>,
    /// Every place that holds something, in the order in which they count.
    pub sources: Vec<Source>,
    /// What was odd.
    pub remarks: Vec<Remark>,
}

/// A greeting with its own first state.
#[derive(Debug, Clone, PartialEq)]
pub struct GreetingState {
    /// Which one.
    pub place: Place,
    /// How a page is known to be this greeting.
    pub key: TextHash,
    /// The state before the greeting's calls.
    pub state: Value,
}

/// A place that holds a state or functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// What it holds.
    pub kind: SourceKind,
    /// Where.
    pub place: Place,
    /// Whether it was taken.
    pub used: bool,
}

/// What a place can hold, in the order in which they count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceKind {
    /// The card's `st_var_system.templateBody`.
    Template,
    /// The card's `st_var_system.functions`.
    CardFunctions,
    /// Our own entry `__vs_base_data__`.
    BaseData,
    /// An `[initvar]` entry.
    InitVar,
    /// An `<initvar>` block in a greeting.
    GreetingInitVar,
    /// SAM's `__SAM_base_data__` entry.
    SamBaseData,
    /// SAM's `__SAM_IDENTIFIER__` entry.
    SamFunctions,
    /// A state that SAM wrote into a message.
    SamBlock,
    /// A state that MVU stored with a message.
    MvuVariables,
}

impl SourceKind {
    /// Returns the word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            SourceKind::Template => "template",
            SourceKind::CardFunctions => "card_functions",
            SourceKind::BaseData => "base_data",
            SourceKind::InitVar => "initvar",
            SourceKind::GreetingInitVar => "greeting_initvar",
            SourceKind::SamBaseData => "sam_base_data",
            SourceKind::SamFunctions => "sam_functions",
            SourceKind::SamBlock => "sam_block",
            SourceKind::MvuVariables => "mvu_variables",
        }
    }
}

impl Initial {
    /// Returns the rules of a story that begins so.
    pub fn rules(&self) -> Rules {
        let greeting = |greeting: &GreetingState| Greeting { key: greeting.key, state: greeting.state.clone() };
        Rules {
            enabled: self.enabled,
            first_state: self.state.clone(),
            profile: self.profile,
            locks: self.locks.clone(),
            sam_functions: self.sam_functions.clone(),
            library: self.library.clone(),
            greetings: self.greetings.iter().map(greeting).collect(),
            ..Rules::default()
        }
    }
}

impl Initial {
    /// Leaves out functions that came with the card: they are code, and run only once a user allowed it.
    pub fn hold_functions(&mut self) {
        let library = std::mem::take(&mut self.library);
        let own = library.functions.len() + library.rules.len();
        let sam = std::mem::take(&mut self.sam_functions).len();
        for source in &mut self.sources {
            let count = match source.kind {
                SourceKind::CardFunctions => own,
                SourceKind::SamFunctions => sam,
                _ => continue,
            };
            source.used = false;
            self.remarks.push(source.place.remark(Diagnostic::warning(
                "W-FUNCTIONS-HELD",
                0..0,
                format!("角色卡带有 {count} 个函数（JavaScript），没有启用。信任它们的话，导入时加 `--allow-functions`。"),
                format!("the card brings {count} functions (JavaScript), which were left out; if you trust them, import with `--allow-functions`"),
            )));
        }
    }
}

/// Finds how a story begins. Never fails: what cannot be read is remarked.
pub fn find_initial(given: &Given<'_>) -> Initial {
    let books = Books::of(given);
    let mut notes = Notes::default();
    if let Some(card) = given.card {
        notes.remarks.extend(card.remarks.iter().cloned());
    }
    let template = template(given, &mut notes);
    let base = base_data::find(given, &books, &mut notes);
    let own = template.map(|state| (state, SourceKind::Template));
    let own = own.or(base.map(|state| (state, SourceKind::BaseData)));
    let variables = mvu::find(given, &books, &mut notes);
    let sam = sam::find(given, &books, &mut notes);
    let stored = mvu::stored(given.messages, &mut notes);
    let library = functions(given, &mut notes);
    let mut beginning = match (own, variables, sam, stored) {
        (Some((state, kind)), ..) => from_own(state, kind, given, &books),
        (_, variables, ..) if variables.books.is_some() || !variables.greetings.is_empty() => from_variables(variables),
        (_, _, Some(sam), _) => from_sam(sam),
        (.., Some(stored)) => from_stored(&stored),
        _ => from_nothing(&books, &mut notes),
    };
    beginning.initial.enabled = enabled(given, !beginning.taken.is_empty(), &mut notes);
    beginning.taken.push(SourceKind::CardFunctions);
    notes.settle(if beginning.initial.enabled == Enabled::On { &beginning.taken } else { &[] });
    Initial { library, sources: notes.sources, remarks: notes.remarks, ..beginning.initial }
}

/// Whether the state of the card is kept; where there is no card, whoever asks wants it.
fn enabled(given: &Given<'_>, found: bool, notes: &mut Notes) -> Enabled {
    let enabled = given.card.map_or(Enabled::On, |card| card.enabled_with(found));
    let remark = match enabled {
        Enabled::On => return enabled,
        Enabled::Off => Diagnostic::warning(
            "W-CARD-OFF",
            0..0,
            "角色卡关闭了变量系统（`enabled: false`）：调用和被动函数都不执行。",
            "the card has its variables switched off (`enabled: false`): no calls and no passive functions count",
        ),
        Enabled::Open => Diagnostic::info(
            "I-CARD-PLAIN",
            0..0,
            "角色卡没有初始状态，也没有打开变量系统：调用不执行。用 `storeyline rules STORY set --enabled on` 打开。",
            "the card brings no first state and does not switch its variables on: calls do not count; `storeyline rules STORY set --enabled on` switches them on",
        ),
    };
    notes.remark(&Place::CardSwitch, vec![remark]);
    enabled
}

/// The card's own functions count with any beginning, unless the card has its variables switched off.
fn functions(given: &Given<'_>, notes: &mut Notes) -> Library {
    let library = given.card.filter(|card| card.enabled != Some(false)).map(|card| card.library.clone());
    let library = library.unwrap_or_default();
    if !library.is_empty() {
        notes.source(SourceKind::CardFunctions, &Place::CardFunctions);
    }
    library
}

/// A beginning and the kinds of places it was taken from.
struct Beginning {
    initial: Initial,
    taken: Vec<SourceKind>,
}

impl Beginning {
    fn new(profile: Profile, state: Value, taken: &[SourceKind], zh: impl Into<String>, en: impl Into<String>) -> Self {
        let initial = Initial {
            enabled: Enabled::On,
            state,
            profile,
            reason: Words::new(zh, en),
            locks: None,
            sam_functions: Vec::new(),
            library: Library::default(),
            greetings: Vec::new(),
            sources: Vec::new(),
            remarks: Vec::new(),
        };
        Beginning { initial, taken: taken.to_vec() }
    }
}

fn template(given: &Given<'_>, notes: &mut Notes) -> Option<Value> {
    let template = given.card?.template.clone()?;
    notes.source(SourceKind::Template, &Place::Template);
    Some(template)
}

/// A state in one of our own places. ST-VarSystem publishes `#NAME(…)`; its design, and we, write `@.NAME(…)`.
fn from_own(state: Value, kind: SourceKind, given: &Given<'_>, books: &Books<'_>) -> Beginning {
    const HASH: [&str; 8] =
        ["#set(", "#update(", "#add(", "#delete(", "#select_set(", "#select_add(", "#push_unique(", "#pull("];
    let greetings = given.card.into_iter().flat_map(|card| &card.greetings).map(String::as_str);
    let texts: Vec<String> = books.texts().chain(greetings).map(str::to_ascii_lowercase).collect();
    let hash = texts.iter().any(|text| HASH.iter().any(|call| text.contains(call)));
    let at = ["@.set(", "@.add("].iter().any(|call| texts.iter().any(|text| text.contains(call)));
    let (zh, en) = match kind {
        SourceKind::BaseData => ("世界书有 `__vs_base_data__` 条目", "a world book has the entry `__vs_base_data__`"),
        _ => ("角色卡有自己的模板", "the card has its own template"),
    };
    if hash && !at {
        let (zh, en) = (format!("{zh}，并使用 `#NAME(…)` 写法"), format!("{en} and writes calls as `#NAME(…)`"));
        return Beginning::new(Profile::VarSystem, state, &[kind], zh, en);
    }
    Beginning::new(Profile::Native, state, &[kind], zh, en)
}

fn from_variables(variables: mvu::Variables) -> Beginning {
    let mvu::Variables { books, greetings } = variables;
    let (zh, en) = match books {
        Some(_) => ("世界书有 `[initvar]` 条目", "a world book has `[initvar]` entries"),
        None => ("开场白有 `<initvar>` 块", "a greeting has an `<initvar>` block"),
    };
    let taken: &[SourceKind] = &[SourceKind::InitVar, SourceKind::GreetingInitVar];
    let mut beginning = from_marked(&books.unwrap_or_else(Value::empty_object), taken, zh, en);
    let clean = |greeting: GreetingState| GreetingState { state: Locks::initialise(&greeting.state).1, ..greeting };
    beginning.initial.greetings = greetings.into_iter().map(clean).collect();
    beginning
}

fn from_stored(stored: &Value) -> Beginning {
    let (zh, en) = ("聊天里存有 MVU 的变量", "the chat holds variables of MVU");
    from_marked(stored, &[SourceKind::MvuVariables], zh, en)
}

/// Variables with marks are locked; without any they are left open, because most cards of today
/// bring a schema of their own in place of the marks.
fn from_marked(variables: &Value, taken: &[SourceKind], zh: &str, en: &str) -> Beginning {
    let (locks, state) = Locks::initialise(variables);
    let marked = state != *variables;
    let mut beginning = Beginning::new(Profile::Mvu, state, taken, zh, en);
    beginning.initial.locks = Some(locks).filter(|_| marked);
    beginning
}

fn from_sam(sam: sam::Sam) -> Beginning {
    let (version, (sign_zh, sign_en)) = sam.version;
    let profile = Profile::Sam(version);
    let (state, kind) = sam.state.unwrap_or_else(|| (Value::empty_object(), SourceKind::SamFunctions));
    let taken = [kind, SourceKind::SamFunctions];
    let zh = format!("角色卡或聊天属于 SAM；版本依据：{sign_zh}");
    let en = format!("the card or chat is of SAM; its version shows by {sign_en}");
    let mut beginning = Beginning::new(profile, state, &taken, zh, en);
    beginning.initial.sam_functions = sam.functions;
    beginning
}

/// Without a state our own rules are the safe ones: they create what is missing.
fn from_nothing(books: &Books<'_>, notes: &mut Notes) -> Beginning {
    let teaches = |text: &str| text.contains("<UpdateVariable>") || text.contains("stat_data");
    if let Some((place, _)) = books.entry(|entry| teaches(&entry.content)) {
        notes.remark(
            &place,
            vec![Diagnostic::warning(
                "W-NO-INITVAR",
                0..0,
                "这里教的是 MVU 的写法，但没有找到 `[initvar]`。如果它在另一本世界书里，请用 `--world-book` 给出。",
                "this teaches MVU's calls, but no `[initvar]` was found; if it is in another world book, give that with `--world-book`",
            )],
        );
    }
    Beginning::new(Profile::Native, Value::empty_object(), &[], "没有找到初始状态", "no initial state was found")
}

/// The world books of a story: the card's own first.
pub(crate) struct Books<'a> {
    pub(crate) primary: Option<&'a WorldBook>,
    pub(crate) others: Vec<&'a WorldBook>,
}

impl<'a> Books<'a> {
    fn of(given: &Given<'a>) -> Books<'a> {
        let inside = given.card.and_then(|card| card.book.as_ref());
        let linked = given.card.and_then(|card| card.linked_book.as_deref());
        let is_own = |book: &&WorldBook| {
            let name = Some(book.name.as_str()).filter(|name| !name.is_empty());
            name.is_some() && (name == linked || name == inside.map(|inside| inside.name.as_str()))
        };
        let own = given.books.iter().find(is_own);
        let is_other = |book: &&WorldBook| !own.is_some_and(|own| std::ptr::eq(own, *book));
        Books { primary: own.or(inside), others: given.books.iter().filter(is_other).collect() }
    }

    fn all(&self) -> impl Iterator<Item = &'a WorldBook> {
        self.primary.into_iter().chain(self.others.iter().copied())
    }

    /// Finds the first entry of this kind and its place.
    pub(crate) fn entry(&self, wanted: impl Fn(&Entry) -> bool) -> Option<(Place, &'a Entry)> {
        self.entries(wanted).next()
    }

    /// Goes through the entries of this kind and their places.
    pub(crate) fn entries(&self, wanted: impl Fn(&Entry) -> bool) -> impl Iterator<Item = (Place, &'a Entry)> {
        let entries = self.all().flat_map(|book| book.entries.iter().map(move |entry| (book, entry)));
        let place =
            |book: &WorldBook, entry: &Entry| Place::Entry { book: book.name.clone(), title: entry.title.clone() };
        entries.filter(move |(_, entry)| wanted(entry)).map(move |(book, entry)| (place(book, entry), entry))
    }

    /// Goes through all texts.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &'a str> {
        self.all().flat_map(|book| book.entries.iter().map(|entry| entry.content.as_str()))
    }
}

/// What is found on the way.
#[derive(Default)]
pub(crate) struct Notes {
    sources: Vec<Source>,
    remarks: Vec<Remark>,
}

impl Notes {
    pub(crate) fn source(&mut self, kind: SourceKind, place: &Place) {
        self.sources.push(Source { kind, place: place.clone(), used: false });
    }

    pub(crate) fn remark(&mut self, place: &Place, diagnostics: Vec<Diagnostic>) {
        self.remarks.extend(diagnostics.into_iter().map(|diagnostic| place.remark(diagnostic)));
    }

    /// Marks what was taken. A state that stands on a later floor holds what floors before it did.
    fn settle(&mut self, taken: &[SourceKind]) {
        for source in &mut self.sources {
            source.used = taken.contains(&source.kind);
        }
        self.sources.sort_by_key(|source| source.kind);
        let late = self.sources.iter().filter(|source| source.used).find_map(|source| match source.place {
            Place::Page { floor, .. } if floor > 0 => Some((source.place.clone(), floor)),
            _ => None,
        });
        if let Some((place, floor)) = late {
            self.remark(&place, vec![later(floor)]);
        }
    }
}

fn later(floor: usize) -> Diagnostic {
    Diagnostic::warning(
        "W-INITIAL-LATER",
        0..0,
        format!("最早存有状态的是第 {floor} 层，把它当作开头的状态；第 0 到 {floor} 层的调用会在它上面再执行一次。"),
        format!(
            "floor {floor} is the first that holds a state; it was taken for the beginning, so calls on floors 0 to {floor} run on it once more"
        ),
    )
}
