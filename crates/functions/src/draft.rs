//! A state that is being changed: every write goes through here and is recorded as an op.

use std::ops::Range;

use storeyline_calls::Arg;
use storeyline_state::op::{self, OpError};
use storeyline_state::path::PathError;
use storeyline_state::{Diagnostic, Op, Ops, Spot, StatePath, Value, Words, json};

use crate::growth;
use crate::mvu::locks::Locks;
use crate::sam::Batch;
use crate::target;

/// Why a function refuses a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Stable, for example `E-ADD-NUM`.
    pub code: &'static str,
    /// What is wrong, and what stays unchanged.
    pub message: Words,
}

impl Refusal {
    pub fn new(code: &'static str, zh: impl Into<String>, en: impl Into<String>) -> Self {
        Refusal { code, message: Words::new(zh, en) }
    }

    /// Converts the refusal to an error at a span of the text.
    pub(crate) fn at(self, span: &Range<usize>) -> Diagnostic {
        Diagnostic::error(self.code, span.clone(), self.message.zh, self.message.en)
    }
}

/// A state and the ops applied to it.
#[derive(Debug, Clone)]
pub struct Draft<'a> {
    state: Value,
    ops: Ops,
    locks: Option<&'a Locks>,
    sam: Option<&'a Batch>,
    time_path: Option<&'a StatePath>,
    /// Weight of the values added to the state that are not in the message text (see `growth.rs`).
    grown: usize,
}

impl<'a> Draft<'a> {
    /// Starts from a state. `locks` tell where MVU's calls may add and remove.
    pub fn new(state: Value, locks: Option<&'a Locks>) -> Self {
        Draft { state, ops: Ops::new(), locks, sam: None, time_path: None, grown: 0 }
    }

    /// Starts from a part of a SAM state. The batch holds the settings of the whole message.
    pub(crate) fn for_sam(state: Value, batch: &'a Batch) -> Self {
        Draft { state, ops: Ops::new(), locks: None, sam: Some(batch), time_path: None, grown: 0 }
    }

    /// Sets the path of the story's time. `None` selects the usual paths.
    pub(crate) fn with_time_at(self, time_path: Option<&'a StatePath>) -> Self {
        Draft { time_path, ..self }
    }

    pub(crate) fn time_path(&self) -> Option<&'a StatePath> {
        self.time_path
    }

    /// Continues with the growth of an earlier draft of the same message.
    pub(crate) fn after_growth(self, grown: usize) -> Self {
        Draft { grown, ..self }
    }

    /// Returns the weight of the values added that are not in the message text.
    pub(crate) fn grown(&self) -> usize {
        self.grown
    }

    /// Returns a copy of the value at a path. Refuses if the message has copied too much.
    pub(crate) fn copy_of(&mut self, path: &StatePath) -> Result<Value, Refusal> {
        let copied = self.get(path)?.clone();
        self.grown = growth::grow(self.grown, growth::weight(&copied))?;
        Ok(copied)
    }

    pub(crate) fn sam(&self) -> Option<&'a Batch> {
        self.sam
    }

    pub(crate) fn locks(&self) -> Option<&'a Locks> {
        self.locks
    }

    pub fn state(&self) -> &Value {
        &self.state
    }

    /// Returns the ops of the current call.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Writes a value and creates missing containers.
    pub fn set(&mut self, path: &StatePath, value: Value) -> Result<(), Refusal> {
        let op = op::set(&mut self.state, path, value);
        self.note(path, op).map(|_| ())
    }

    /// Resolves a path, or refuses if nothing is there.
    pub(crate) fn find(&self, path: &StatePath) -> Result<Spot, Refusal> {
        Spot::find(&self.state, path).ok_or_else(|| missing(path))
    }

    /// Writes a value at a resolved position; the path is used in a refusal.
    pub(crate) fn put(&mut self, spot: Spot, path: &StatePath, value: Value) -> Result<(), Refusal> {
        let op = spot.set(&mut self.state, value);
        self.note(path, op).map(|_| ())
    }

    /// Inserts an item into the list at a resolved position.
    pub(crate) fn put_item(&mut self, list: Spot, path: &StatePath, at: usize, item: Value) -> Result<(), Refusal> {
        let op = list.insert(&mut self.state, at, item);
        self.note(path, op.map(Some)).map(|_| ())
    }

    /// Records an op, or refuses the write; tells whether something changed.
    fn note(&mut self, path: &StatePath, op: Result<Option<Op>, OpError>) -> Result<bool, Refusal> {
        let op = op.map_err(|error| refuse_write(path, error))?;
        let changed = op.is_some();
        self.ops.extend(op);
        Ok(changed)
    }

    /// Appends an item to the list at a path.
    pub fn append(&mut self, path: &StatePath, item: Value) -> Result<(), Refusal> {
        let op = op::append(&mut self.state, path, item);
        self.note(path, op.map(Some)).map(|_| ())
    }

    /// Inserts an item into the list at a path; later items move down.
    pub fn insert_item(&mut self, path: &StatePath, at: usize, item: Value) -> Result<(), Refusal> {
        let op = op::insert_item(&mut self.state, path, at, item);
        self.note(path, op.map(Some)).map(|_| ())
    }

    /// Sets a key of the object at a resolved position.
    pub(crate) fn put_entry(&mut self, object: Spot, path: &StatePath, key: &str, value: Value) -> Result<(), Refusal> {
        let child = path.child(key).map_err(refuse_path)?;
        let op = object.put(&mut self.state, key, value);
        self.note(&child, op).map(|_| ())
    }

    /// Returns the items of the list at a path, or refuses if there is none.
    pub(crate) fn list(&self, path: &StatePath) -> Result<&[Value], Refusal> {
        let found = self.get(path)?;
        found.as_list().ok_or_else(|| wrong_kind(path, found, ("列表", "a list")))
    }

    /// Appends one item, or each of `{"$each": […]}`; `unique` skips items that are already there.
    pub(crate) fn push(&mut self, path: &StatePath, given: &Value, unique: bool) -> Result<(), Refusal> {
        let one = std::slice::from_ref(given);
        for item in given.get("$each").and_then(Value::as_list).unwrap_or(one) {
            if !(self.list(path)?.contains(item) && unique) {
                self.append(path, item.clone())?;
            }
        }
        Ok(())
    }

    /// Removes the first or the last item of a list.
    pub(crate) fn pop(&mut self, path: &StatePath, first: bool) -> Result<(), Refusal> {
        match self.list(path)?.len() {
            0 => Err(missing(path)),
            length => self.remove_item(path, if first { 0 } else { length - 1 }),
        }
    }

    /// Removes every matching item of a list and returns how many there were.
    pub(crate) fn pull(&mut self, path: &StatePath, fits: impl Fn(&Value) -> bool) -> Result<usize, Refusal> {
        let items = self.list(path)?.iter().enumerate();
        let found: Vec<usize> = items.filter(|(_, item)| fits(item)).map(|(at, _)| at).collect();
        found.iter().rev().try_for_each(|at| self.remove_item(path, *at))?;
        Ok(found.len())
    }

    /// Removes an item of the list at a path; later items move up.
    pub(crate) fn remove_item(&mut self, path: &StatePath, at: usize) -> Result<(), Refusal> {
        let item = self.child(path, &at.to_string())?;
        self.unset(&item).map(|_| ())
    }

    /// Returns the path of a key below a path. The first key of the path may be a literal key with
    /// dots.
    pub(crate) fn child(&self, path: &StatePath, key: &str) -> Result<StatePath, Refusal> {
        StatePath::from_keys(path.keys_in(&self.state).into_iter().chain([key])).map_err(refuse_path)
    }

    /// Returns the value at a path, or refuses if there is none.
    pub fn get(&self, path: &StatePath) -> Result<&Value, Refusal> {
        path.get(&self.state).ok_or_else(|| missing(path))
    }

    /// Removes the value at a path and tells whether there was one.
    pub fn unset(&mut self, path: &StatePath) -> Result<bool, Refusal> {
        let op = op::unset(&mut self.state, path);
        self.note(path, op)
    }

    /// Takes the ops of the current call; the next call starts with none.
    pub(crate) fn take_ops(&mut self) -> Ops {
        std::mem::take(&mut self.ops)
    }

    /// Undoes the current call: a call is all or nothing.
    pub fn undo(&mut self) {
        for op in std::mem::take(&mut self.ops).iter().rev() {
            op.inverse().apply(&mut self.state).expect("what was done just now can be undone");
        }
    }

    /// Returns the final state and the ops of the current call.
    pub fn finish(self) -> (Value, Ops) {
        (self.state, self.ops)
    }
}

fn refuse_write(path: &StatePath, error: OpError) -> Refusal {
    match error {
        OpError::TooDeep => Refusal::new(
            "E-DEEP",
            format!("{path} 嵌套过深，没有写入。"),
            format!("{path} is nested too deeply; nothing was written."),
        ),
        OpError::NoSuchIndex => Refusal::new(
            "E-LIST-PLACE",
            format!("列表没有 {path} 这个位置，没有写入。"),
            format!("The list has no place {path}; nothing was written."),
        ),
        OpError::NoSuchPath => Refusal::new(
            "E-PATH",
            format!("{path} 指向列表的非数字键，没有写入。"),
            format!("{path} uses a name as a list index; nothing was written."),
        ),
    }
}

/// Parses the path argument of a call.
pub(crate) fn path_argument(draft: &Draft<'_>, args: &[Arg]) -> Result<StatePath, Refusal> {
    let Some(Value::Text(text)) = args.first().map(|arg| &arg.value) else {
        return Err(Refusal::new(
            "E-PATH-ARG",
            "第一个参数应是路径文本。",
            "The first argument must be a path in quotes.",
        ));
    };
    target::dotted(draft.state(), text.trim()).map_err(refuse_path)
}

/// Refuses a text that is not a path.
pub(crate) fn refuse_path(error: PathError) -> Refusal {
    match error {
        PathError::Empty => Refusal::new("E-PATH-ARG", "路径是空的。", "The path is empty."),
        PathError::TooLong => Refusal::new("E-PATH-ARG", "路径超过 64 层。", "The path has more than 64 keys."),
        PathError::Forbidden => {
            Refusal::new("E-PATH-ARG", "路径不能包含 __proto__。", "The path must not contain __proto__.")
        }
    }
}

/// Refuses because there is nothing at a path.
pub(crate) fn missing(path: &StatePath) -> Refusal {
    Refusal::new("E-MISSING", format!("没有 {path}，没有改动。"), format!("There is no {path}; nothing was changed."))
}

/// Refuses because the card does not allow keys or items to be added or removed here.
pub(crate) fn locked(path: &StatePath) -> Refusal {
    let place = if path.source().is_empty() { "stat_data" } else { path.source() };
    Refusal::new(
        "E-LOCKED",
        format!("{place} 被角色卡锁定，不能增删，没有改动。"),
        format!("The card locks {place}: nothing can be added or removed there."),
    )
}

/// Refuses because the value at a path has the wrong type.
pub(crate) fn wrong_kind(path: &StatePath, found: &Value, wanted: (&str, &str)) -> Refusal {
    let found = shown(found);
    Refusal::new(
        "E-KIND",
        format!("{path} 是 {found}，不是{}，没有改动。", wanted.0),
        format!("{path} is {found}, not {}; nothing was changed.", wanted.1),
    )
}

/// Formats a value for a message, shortened.
pub(crate) fn shown(value: &Value) -> String {
    // Sorting a wide object only to show its start is too expensive.
    if value.as_object().is_some_and(|object| object.len() > 40) {
        return "{…}".to_owned();
    }
    let text = json::write_start(value, 200);
    if text.chars().count() <= 40 { text } else { text.chars().take(39).chain(['…']).collect() }
}

/// Refuses a call that has too few or too many arguments.
pub(crate) fn count_arguments(
    args: &[Arg],
    syntax: &str,
    allowed: std::ops::RangeInclusive<usize>,
) -> Result<(), Refusal> {
    if allowed.contains(&args.len()) {
        return Ok(());
    }
    let given = args.len();
    Err(Refusal::new(
        "E-ARGS",
        format!("参数有 {given} 个，应写成 {syntax}，没有执行。"),
        format!("It has {given} arguments; write {syntax}. Nothing was done."),
    ))
}
