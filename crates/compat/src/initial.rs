//! The first state and the rules of a story, from its card, its world books and its chat.
//!
//! All known locations are searched; the first that has a state, in the order of [`SourceKind`], is
//! used. Every location that was found is listed, used or not, with its remarks. The profile is
//! detected here, once, and given with its reason.

use storeyline_functions::sam::SamFunction;
use storeyline_functions::{Library, Locks, Profile};
use storeyline_history::rules::Greeting;
use storeyline_history::{Enabled, Rules};
use storeyline_state::{Diagnostic, TextHash, Value, Words, written};

use crate::card::Card;
use crate::host_message::HostMessage;
use crate::initvar::Names;
use crate::location::{Location, Remark};
use crate::world_book::{Entry, WorldBook};
use crate::{base_data, mvu, sam};

/// What a story is started from.
#[derive(Debug, Clone, Default)]
pub struct Given<'a> {
    pub card: Option<&'a Card>,
    /// World books beside the card. One with the name of the card's own book replaces it: the host
    /// updates that one and not the copy inside the card.
    pub books: &'a [WorldBook],
    /// The messages of a chat.
    pub messages: &'a [HostMessage],
    /// Replacements of `{{user}}` and `{{char}}`.
    pub names: Names,
}

/// How a story begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Initial {
    /// Whether the story has a state at all.
    pub enabled: Enabled,
    pub state: Value,
    pub profile: Profile,
    /// Why this profile was chosen.
    pub reason: Words,
    /// MVU's locks, if the variables contain marks.
    pub locks: Option<Locks>,
    /// The functions of a SAM card.
    pub sam_functions: Vec<SamFunction>,
    /// The card's own functions.
    pub library: Library,
    /// Greetings with their own first state.
    pub greetings: Vec<GreetingState>,
    /// Every location that has something, in order of priority.
    pub sources: Vec<Source>,
    pub remarks: Vec<Remark>,
}

/// A greeting with its own first state.
#[derive(Debug, Clone, PartialEq)]
pub struct GreetingState {
    pub location: Location,
    /// Key by which a page is recognised as this greeting.
    pub key: TextHash,
    /// The state before the greeting's calls.
    pub state: Value,
}

/// A location that has a state or functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    pub kind: SourceKind,
    pub location: Location,
    pub used: bool,
}

written! {
    /// What a location can have, in order of priority.
    pub enum SourceKind {
        /// The card's `st_var_system.templateBody`.
        Template = "template",
        /// The card's `st_var_system.functions`.
        CardFunctions = "card_functions",
        /// Our own entry `__vs_base_data__`.
        BaseData = "base_data",
        /// An `[initvar]` entry.
        InitVar = "initvar",
        /// An `<initvar>` block in a greeting.
        GreetingInitVar = "greeting_initvar",
        /// SAM's `__SAM_base_data__` entry.
        SamBaseData = "sam_base_data",
        /// SAM's `__SAM_IDENTIFIER__` entry.
        SamFunctions = "sam_functions",
        /// A state that SAM wrote into a message.
        SamBlock = "sam_block",
        /// A state that MVU stored with a message.
        MvuVariables = "mvu_variables",
    }
}

impl Initial {
    /// Returns the rules of a story with this beginning.
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
    /// Removes functions that came with the card: they run only after the user allowed it.
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
            self.remarks.push(source.location.remark(Diagnostic::warning(
                "W-FUNCTIONS-HELD",
                0..0,
                format!("角色卡带有 {count} 个函数（JavaScript），没有启用。信任它们的话，导入时加 `--allow-functions`。"),
                format!("the card brings {count} functions (JavaScript), which were left out; if you trust them, import with `--allow-functions`"),
            )));
        }
    }
}

/// Finds how a story begins. Never fails: what cannot be read gives a remark.
pub fn find_initial(given: &Given<'_>) -> Initial {
    let books = Books::of(given);
    let mut findings = Findings::default();
    if let Some(card) = given.card {
        findings.remarks.extend(card.remarks.iter().cloned());
    }
    let template = template(given, &mut findings);
    let base = base_data::find(given, &books, &mut findings);
    let own = template.map(|state| (state, SourceKind::Template));
    let own = own.or(base.map(|state| (state, SourceKind::BaseData)));
    let variables = mvu::find(given, &books, &mut findings);
    let sam = sam::find(given, &books, &mut findings);
    let stored = mvu::stored(given.messages, &mut findings);
    let library = functions(given, &mut findings);
    let mut beginning = match (own, variables, sam, stored) {
        (Some((state, kind)), ..) => from_own(state, kind, given, &books),
        (_, variables, ..) if variables.books.is_some() || !variables.greetings.is_empty() => from_variables(variables),
        (_, _, Some(sam), _) => from_sam(sam),
        (.., Some(stored)) => from_stored(&stored),
        _ => from_nothing(&books, &mut findings),
    };
    beginning.initial.enabled = enabled(given, !beginning.taken.is_empty(), &mut findings);
    beginning.taken.push(SourceKind::CardFunctions);
    findings.mark_used(if beginning.initial.enabled == Enabled::On { &beginning.taken } else { &[] });
    Initial { library, sources: findings.sources, remarks: findings.remarks, ..beginning.initial }
}

/// Tells whether the card has a state; without a card it has.
fn enabled(given: &Given<'_>, found: bool, findings: &mut Findings) -> Enabled {
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
    findings.remark(&Location::CardSwitch, vec![remark]);
    enabled
}

/// Returns the card's own functions, unless the card has its variables switched off.
fn functions(given: &Given<'_>, findings: &mut Findings) -> Library {
    let library = given.card.filter(|card| card.enabled != Some(false)).map(|card| card.library.clone());
    let library = library.unwrap_or_default();
    if !library.is_empty() {
        findings.source(SourceKind::CardFunctions, &Location::CardFunctions);
    }
    library
}

/// A beginning and the kinds of sources it uses.
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

fn template(given: &Given<'_>, findings: &mut Findings) -> Option<Value> {
    let template = given.card?.template.clone()?;
    findings.source(SourceKind::Template, &Location::Template);
    Some(template)
}

/// Makes the beginning from a state in one of our own locations. ST-VarSystem publishes `#NAME(…)`;
/// its design, and we, write `@.NAME(…)`.
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

/// Makes the beginning from MVU's variables. Variables with marks are locked; without any they are
/// open, because most current cards have their own schema instead of the marks.
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

/// Makes the beginning without a state. Native rules are the safe ones: they create missing paths.
fn from_nothing(books: &Books<'_>, findings: &mut Findings) -> Beginning {
    let teaches = |text: &str| text.contains("<UpdateVariable>") || text.contains("stat_data");
    if let Some((location, _)) = books.entry(|entry| teaches(&entry.content)) {
        findings.remark(
            &location,
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

    /// Returns the first matching entry and its location.
    pub(crate) fn entry(&self, wanted: impl Fn(&Entry) -> bool) -> Option<(Location, &'a Entry)> {
        self.entries(wanted).next()
    }

    /// Iterates over the matching entries and their locations.
    pub(crate) fn entries(&self, wanted: impl Fn(&Entry) -> bool) -> impl Iterator<Item = (Location, &'a Entry)> {
        let entries = self.all().flat_map(|book| book.entries.iter().map(move |entry| (book, entry)));
        let location =
            |book: &WorldBook, entry: &Entry| Location::Entry { book: book.name.clone(), title: entry.title.clone() };
        entries.filter(move |(_, entry)| wanted(entry)).map(move |(book, entry)| (location(book, entry), entry))
    }

    /// Iterates over all texts.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &'a str> {
        self.all().flat_map(|book| book.entries.iter().map(|entry| entry.content.as_str()))
    }
}

/// Sources and remarks collected while searching.
#[derive(Default)]
pub(crate) struct Findings {
    sources: Vec<Source>,
    remarks: Vec<Remark>,
}

impl Findings {
    pub(crate) fn source(&mut self, kind: SourceKind, location: &Location) {
        self.sources.push(Source { kind, location: location.clone(), used: false });
    }

    pub(crate) fn remark(&mut self, location: &Location, diagnostics: Vec<Diagnostic>) {
        self.remarks.extend(diagnostics.into_iter().map(|diagnostic| location.remark(diagnostic)));
    }

    /// Marks the sources that were used. A state on a later floor contains the effects of the
    /// floors before it, which gives a remark.
    fn mark_used(&mut self, taken: &[SourceKind]) {
        for source in &mut self.sources {
            source.used = taken.contains(&source.kind);
        }
        self.sources.sort_by_key(|source| source.kind);
        let late = self.sources.iter().filter(|source| source.used).find_map(|source| match source.location {
            Location::Page { floor, .. } if floor > 0 => Some((source.location.clone(), floor)),
            _ => None,
        });
        if let Some((location, floor)) = late {
            self.remark(&location, vec![later(floor)]);
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
