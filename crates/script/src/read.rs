//! Reads the result of a script into an exact state.
//!
//! The value is compared with the old state as the script saw it: where JavaScript sees the same,
//! the old part stays, with all the digits that JavaScript cannot represent. A number that was
//! moved within the state keeps its digits too.

use std::collections::HashMap;

use rquickjs::object::Filter;
use rquickjs::{Array, Atom, Error, Function, Object as JsObject, String as JsString, Type, Value as Js};
use storeyline_state::json::MAX_DEPTH;
use storeyline_state::{Number, Object, Step, Text, Value};

use crate::refuse;
use crate::request::Refused;

/// Why reading stopped.
pub(crate) enum Stop {
    Refused(Refused),
    /// A getter threw, or the engine had no memory.
    Thrown(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Thrown(error)
    }
}

impl From<Refused> for Stop {
    fn from(refused: Refused) -> Self {
        Stop::Refused(refused)
    }
}

/// A part of the result, compared with the old part.
enum Compared {
    Same,
    New(Value),
}

/// Reads one result.
pub(crate) struct ResultReader<'a, 'js> {
    before: &'a Value,
    plain: Js<'js>,
    well_formed: Function<'js>,
    iso_date: Function<'js>,
    limit: usize,
    used: usize,
    path: Vec<Step>,
    above: Vec<Js<'js>>,
    /// Numbers with more digits than JavaScript can represent, by their JavaScript value.
    long_numbers: Option<HashMap<u64, Number>>,
}

impl<'a, 'js> ResultReader<'a, 'js> {
    pub(crate) fn new(
        before: &'a Value,
        plain: Js<'js>,
        well_formed: Function<'js>,
        iso_date: Function<'js>,
        limit: usize,
    ) -> Self {
        let (path, above) = (Vec::new(), Vec::new());
        ResultReader { before, plain, well_formed, iso_date, limit, used: 0, path, above, long_numbers: None }
    }

    pub(crate) fn read(&mut self, after: &Js<'js>) -> Result<Value, Stop> {
        let before = self.before;
        Ok(match self.part(after, Some(before))? {
            Compared::Same => before.clone(),
            Compared::New(value) => value,
        })
    }

    fn part(&mut self, js: &Js<'js>, before: Option<&Value>) -> Result<Compared, Stop> {
        match js.type_of() {
            Type::Null => Ok(leaf(Value::Null, before)),
            Type::Bool => Ok(leaf(Value::Bool(js.as_bool().unwrap_or_default()), before)),
            Type::Int | Type::Float => self.number(js, before),
            Type::String => self.text(js, before),
            _ if js.is_proxy() => Err(self.refuse(js)),
            Type::Array => self.nested(js, |reader| {
                let array = js.as_array().expect("its type is array");
                reader.list(array, before)
            }),
            Type::Object => {
                self.nested(js, |reader| reader.object(js.as_object().expect("its type is object"), before))
            }
            _ => Err(self.refuse(js)),
        }
    }

    fn refuse(&self, js: &Js<'js>) -> Stop {
        refuse::value(&self.place(), kind(js)).into()
    }

    fn place(&self) -> String {
        let mut place = "snapshot".to_owned();
        for step in &self.path {
            match step {
                Step::Key(key) => place.extend([".", &key.chars().take(40).collect::<String>()]),
                Step::Index(index) => place.push_str(&format!("[{index}]")),
            }
        }
        place
    }

    fn spend(&mut self, bytes: usize) -> Result<(), Stop> {
        self.used = self.used.saturating_add(bytes);
        if self.used > self.limit { Err(refuse::output(self.limit).into()) } else { Ok(()) }
    }

    fn number(&mut self, js: &Js<'js>, before: Option<&Value>) -> Result<Compared, Stop> {
        self.spend(2)?;
        let float = js.as_number().unwrap_or(f64::NAN);
        if !float.is_finite() {
            return Err(self.refuse(js));
        }
        if let Some(Value::Number(number)) = before
            && number.to_f64() == float
        {
            return Ok(Compared::Same);
        }
        let long = self.long_numbers.get_or_insert_with(|| long_numbers(self.before));
        let number = long.get(&float.to_bits()).copied().or_else(|| Number::from_f64(float));
        Ok(Compared::New(Value::Number(number.unwrap_or(Number::ZERO))))
    }

    fn text(&mut self, js: &Js<'js>, before: Option<&Value>) -> Result<Compared, Stop> {
        let text = text(js.as_string().expect("its type is string"), &self.well_formed)?;
        self.spend(text.len() + 2)?;
        Ok(match before {
            Some(Value::Text(old)) if **old == *text => Compared::Same,
            _ => Compared::New(Value::text(text)),
        })
    }

    /// Runs `work` one level deeper.
    fn nested(
        &mut self,
        js: &Js<'js>,
        work: impl FnOnce(&mut Self) -> Result<Compared, Stop>,
    ) -> Result<Compared, Stop> {
        if self.above.len() >= MAX_DEPTH {
            let cyclic = self.above.contains(js);
            return Err(if cyclic { refuse::cycle(&self.place()) } else { refuse::deep(MAX_DEPTH) }.into());
        }
        self.above.push(js.clone());
        let part = work(self);
        self.above.pop();
        part
    }

    fn list(&mut self, array: &Array<'js>, before: Option<&Value>) -> Result<Compared, Stop> {
        let length: f64 = array.as_object().get("length")?;
        let length = length as usize;
        self.spend(length.saturating_add(2))?;
        let old = before.and_then(Value::as_list);
        let mut items = if old.is_some_and(|old| old.len() == length) { None } else { Some(Vec::new()) };
        let old = old.unwrap_or_default();
        for index in 0..length {
            let js: Js<'js> = array.get(index)?;
            self.path.push(Step::Index(index));
            let part = self.part(&js, old.get(index))?;
            self.path.pop();
            match part {
                Compared::New(new) => items.get_or_insert_with(|| old[..index].to_vec()).push(new),
                Compared::Same => items.iter_mut().for_each(|items| items.push(old[index].clone())),
            }
        }
        Ok(items.map_or(Compared::Same, |items| Compared::New(Value::list(items))))
    }

    fn object(&mut self, object: &JsObject<'js>, before: Option<&Value>) -> Result<Compared, Stop> {
        if object.get_prototype().is_some_and(|proto| proto.as_value() != &self.plain) {
            return self.date(object, before);
        }
        self.spend(2)?;
        let old = before.and_then(Value::as_object);
        let mut places = old.map(Object::iter);
        // Most objects are unchanged: entries are collected only after the first difference.
        let mut entries: Option<Vec<(Text, Value)>> = if old.is_some() { None } else { Some(Vec::new()) };
        let begun = |count: usize| -> Vec<(Text, Value)> {
            let first = old.into_iter().flat_map(Object::iter).take(count);
            first.map(|(key, value)| (key.clone(), value.clone())).collect()
        };
        let mut count = 0;
        for key in object.own_keys::<Atom<'js>>(Filter::new().string().enum_only()) {
            let place = places.as_mut().and_then(Iterator::next);
            match (self.entry(object, key?, place, old)?, place) {
                (None, Some((key, value))) => {
                    entries.iter_mut().for_each(|entries| entries.push((key.clone(), value.clone())));
                }
                (entry, _) => entries.get_or_insert_with(|| begun(count)).extend(entry),
            }
            count += 1;
        }
        if entries.is_none() && old.is_some_and(|old| old.len() != count) {
            entries = Some(begun(count));
        }
        Ok(entries.map_or(Compared::Same, |entries| Compared::New(Value::object(entries.into_iter().collect()))))
    }

    /// Reads one entry. Returns `None` if it is the one that was at this position before.
    fn entry(
        &mut self,
        object: &JsObject<'js>,
        key: Atom<'js>,
        place: Option<(&Text, &Value)>,
        old: Option<&Object>,
    ) -> Result<Option<(Text, Value)>, Stop> {
        let name = text(&key.to_js_string()?, &self.well_formed)?;
        self.spend(name.len() + 4)?;
        let js: Js<'js> = object.get(key)?;
        let place = place.filter(|(key, _)| ***key == *name);
        let (key, before) = match place {
            Some((key, value)) => (key.clone(), Some(value)),
            None => (Text::new(&name), old.and_then(|old| old.get(&name))),
        };
        self.path.push(Step::Key(key.clone()));
        let part = self.part(&js, before)?;
        self.path.pop();
        Ok(match (part, before) {
            (Compared::New(value), _) => Some((key, value)),
            (Compared::Same, _) if place.is_some() => None,
            (Compared::Same, before) => Some((key, before.cloned().unwrap_or(Value::Null))),
        })
    }

    /// Converts a date to text, as `JSON.stringify` does; other classes are refused.
    fn date(&mut self, object: &JsObject<'js>, before: Option<&Value>) -> Result<Compared, Stop> {
        let iso: Js<'js> = self.iso_date.call((object.clone(),))?;
        if iso.is_string() { self.text(&iso, before) } else { Err(self.refuse(object.as_value())) }
    }
}

fn leaf(value: Value, before: Option<&Value>) -> Compared {
    if before == Some(&value) { Compared::Same } else { Compared::New(value) }
}

/// Converts a text; half a surrogate pair becomes U+FFFD.
pub(crate) fn text<'js>(text: &JsString<'js>, well_formed: &Function<'js>) -> rquickjs::Result<String> {
    match text.to_string() {
        Err(Error::Utf8(_)) => well_formed.call((text.clone(),)),
        other => other,
    }
}

/// Returns the name of a value's type for messages.
pub(crate) fn kind(value: &Js<'_>) -> &'static str {
    if value.is_proxy() {
        return "Proxy";
    }
    match value.type_of() {
        Type::Undefined => "undefined",
        Type::Null => "null",
        Type::Bool => "true/false",
        Type::Int => "number",
        Type::Float if value.as_number().is_some_and(f64::is_nan) => "NaN",
        Type::Float if value.as_number().is_some_and(f64::is_infinite) => "Infinity",
        Type::Float => "number",
        Type::String => "string",
        Type::Symbol => "Symbol",
        Type::Array => "array",
        Type::Constructor | Type::Function => "function",
        Type::Promise => "Promise",
        Type::Exception => "Error",
        Type::BigInt => "BigInt",
        _ => "a special object (Map, Set, class …)",
    }
}

fn long_numbers(state: &Value) -> HashMap<u64, Number> {
    let mut found = HashMap::new();
    collect_long(state, &mut found);
    found
}

fn collect_long(value: &Value, found: &mut HashMap<u64, Number>) {
    match value {
        Value::Number(number) => {
            let float = number.to_f64();
            if Number::from_f64(float) != Some(*number) {
                found.entry(float.to_bits()).or_insert(*number);
            }
        }
        Value::List(items) => items.iter().for_each(|item| collect_long(item, found)),
        Value::Object(object) => object.iter().for_each(|(_, value)| collect_long(value, found)),
        _ => {}
    }
}
