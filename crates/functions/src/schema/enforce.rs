//! Checks what a call wrote, and corrects values where possible.

use storeyline_state::value::edit;
use storeyline_state::{Change, Diagnostic, Object, Op, StatePath, Step, Text, Value, Words, json};

use super::{Others, Rule, Schema, ValueType};
use crate::draft::{Draft, Refusal, refuse_path, shown};

/// Checks everything that a call changed. Refuses the whole call, or corrects values and reports
/// it.
pub(crate) fn enforce(draft: &mut Draft<'_>, schema: &Schema) -> Result<Vec<Diagnostic>, Refusal> {
    let mut remarks = Vec::new();
    for op in draft.ops().to_vec() {
        if schema.is_read_only(&op.path) {
            return Err(read_only(&op.path));
        }
        if let Some(path) = read_only_inside(schema, &op) {
            return Err(read_only(&path));
        }
        check(draft, schema, &op, &mut remarks)?;
    }
    let remark = |words: Words| Diagnostic::warning("W-SCHEMA", 0..0, words.zh, words.en);
    Ok(remarks.into_iter().map(remark).collect())
}

/// Returns the first read-only value that an op changes by replacing or removing something around it.
fn read_only_inside(schema: &Schema, op: &Op) -> Option<Vec<Step>> {
    let (old, new) = match &op.change {
        Change::Set { old, new } => (old, Some(new)),
        Change::Remove { old, .. } => (old, None),
        Change::Insert { .. } => return None,
    };
    let mut path = op.path.to_vec();
    changes_read_only(schema.at(&op.path)?, old, new, &mut path).then_some(path)
}

/// Tells whether a declared read-only field below a rule differs; `path` leads to it then.
fn changes_read_only(rule: &Rule, old: &Value, new: Option<&Value>, path: &mut Vec<Step>) -> bool {
    rule.fields.iter().any(|(name, rule)| {
        let Some(before) = old.get(name) else { return false };
        let after = new.and_then(|new| new.get(name));
        if after == Some(before) {
            return false;
        }
        path.push(Step::Key(name.as_str().into()));
        let found = rule.read_only || changes_read_only(rule, before, after, path);
        if !found {
            path.pop();
        }
        found
    })
}

fn check(draft: &mut Draft<'_>, schema: &Schema, op: &Op, remarks: &mut Vec<Words>) -> Result<(), Refusal> {
    let shown_path = named(&op.path);
    if let Change::Insert { .. } = op.change
        && let Some((Step::Key(key), parents)) = op.path.split_last()
        && let Some(rule) = schema.at(parents)
        && rule.others == Others::None
        && !rule.fields.iter().any(|(name, _)| **name == **key)
    {
        return Err(refuse(&shown_path, "不在 schema 中", "is not in the schema"));
    }
    let Some(rule) = schema.at(&op.path) else { return Ok(()) };
    let path =
        if op.path.is_empty() { StatePath::root() } else { StatePath::from_steps(&op.path).map_err(refuse_path)? };
    let Some(value) = path.get(draft.state()).cloned() else {
        // A removed value with a default is set to the default.
        if let (Some(default), Change::Remove { .. }) = (&rule.default, &op.change) {
            remarks.push(Words::new(
                format!("{shown_path} 恢复为默认值。"),
                format!("{shown_path} got its default back."),
            ));
            draft.set(&path, default.clone())?;
        }
        return Ok(());
    };
    let fitted = coerce(rule, &value, &shown_path, remarks)?;
    if fitted != value {
        draft.set(&path, fitted)?;
    }
    Ok(())
}

/// Returns the value corrected to fit the rule.
fn coerce(rule: &Rule, value: &Value, path: &str, remarks: &mut Vec<Words>) -> Result<Value, Refusal> {
    let mut value = value.clone();
    if !rule.kinds.is_empty() && !rule.kinds.iter().any(|kind| kind.matches(&value)) {
        value = number_in(rule, &value).ok_or_else(|| wrong_type(rule, &value, path))?;
        remarks.push(Words::new(format!("{path} 的文本已转为数字。"), format!("The text at {path} became a number.")));
    }
    if rule.one_of.as_ref().is_some_and(|allowed| !allowed.contains(&value)) {
        let allowed = shown(&Value::list(rule.one_of.clone().unwrap_or_default()));
        return Err(refuse(path, &format!("应是 {allowed} 之一"), &format!("must be one of {allowed}")));
    }
    match &mut value {
        Value::Number(number) => {
            let clamped = rule.least.map_or(*number, |least| least.max(*number));
            let clamped = rule.most.map_or(clamped, |most| most.min(clamped));
            if clamped != *number {
                remarks.push(Words::new(
                    format!("{path} 的 {number} 超出范围，改为 {clamped}。"),
                    format!("{number} is out of range at {path}; it became {clamped}."),
                ));
                *number = clamped;
            }
        }
        Value::Object(object) => coerce_object(rule, edit(object), path, remarks)?,
        Value::List(items) => {
            if let Some(rule) = &rule.items {
                for (index, item) in edit(items).iter_mut().enumerate() {
                    *item = coerce(rule, item, &format!("{path}[{index}]"), remarks)?;
                }
            }
        }
        _ => {}
    }
    Ok(value)
}

fn coerce_object(rule: &Rule, object: &mut Object, path: &str, remarks: &mut Vec<Words>) -> Result<(), Refusal> {
    let keys: Vec<Text> = object.iter().map(|(key, _)| key.clone()).collect();
    for key in keys {
        let below = format!("{path}.{key}");
        match rule.below(&Step::Key(key.clone())) {
            Some(rule) => {
                let value = object.get(&key).expect("its keys were listed").clone();
                object.insert(key, coerce(rule, &value, &below, remarks)?);
            }
            None if rule.others == Others::None => {
                return Err(refuse(&below, "不在 schema 中", "is not in the schema"));
            }
            None => {}
        }
    }
    for (name, rule) in &rule.fields {
        if let Some(default) = rule.default.as_ref().filter(|_| object.get(name).is_none()) {
            object.insert(name.as_str().into(), default.clone());
        }
    }
    Ok(())
}

/// Converts a numeric text, if the rule requires a number.
fn number_in(rule: &Rule, value: &Value) -> Option<Value> {
    let number = Value::Number(value.as_text()?.trim().parse().ok()?);
    let wanted = |kind: &ValueType| matches!(kind, ValueType::Number | ValueType::Integer) && kind.matches(&number);
    rule.kinds.iter().any(wanted).then_some(number)
}

fn named(path: &[Step]) -> String {
    path.iter().map(Step::to_key).collect::<Vec<_>>().join(".")
}

fn wrong_type(rule: &Rule, value: &Value, path: &str) -> Refusal {
    let words: Vec<&str> = rule.kinds.iter().map(|kind| kind.as_str()).collect();
    let (wanted, given) = (words.join(" / "), shown(value));
    refuse(path, &format!("应是 {wanted}，不能写入 {given}"), &format!("must be {wanted}; {given} does not fit"))
}

fn refuse(path: &str, zh: &str, en: &str) -> Refusal {
    Refusal::new("E-SCHEMA", format!("{path} {zh}，没有改动。"), format!("{path} {en}; nothing was changed."))
}

fn read_only(path: &[Step]) -> Refusal {
    let shown_path = json::write(&Value::text(named(path)));
    Refusal::new(
        "E-READ-ONLY",
        format!("{shown_path} 是只读的，没有改动。"),
        format!("{shown_path} is read-only; nothing was changed."),
    )
}

#[cfg(test)]
mod tests {
    use storeyline_calls::{ParseSettings, parse};

    use super::*;
    use crate::run::run_in;
    use crate::{Conventions, Profile};

    const SCHEMA: &str = r#"{"type":"object","properties":{
        "hp":{"type":"integer","minimum":0,"maximum":100,"default":50},
        "mood":{"enum":["好","坏"]},
        "bag":{"type":"array","items":{"type":"object","properties":{"n":{"type":"number","default":1}},"additionalProperties":false}},
        "id":{"readOnly":true},
        "deep":{"properties":{"lock":{"readOnly":true}}},
        "npc":{"additionalProperties":{"type":"number","maximum":10}}}}"#;
    const STATE: &str = r#"{"hp":50,"mood":"好","bag":[],"id":7,"npc":{},"_secret":1,"free":{},"deep":{"lock":1}}"#;

    /// Returns the state after a call and the diagnostics, or the code of the refusal.
    fn after(text: &str) -> String {
        let schema = Schema::read(&json::read(SCHEMA).unwrap()).unwrap();
        let conventions = Conventions { schema: Some(&schema), ..Conventions::of(Profile::Native) };
        let call = &parse(text, &ParseSettings::default()).calls[0];
        let mut draft = Draft::new(json::read(STATE).unwrap(), None);
        match run_in(&mut draft, call, conventions) {
            Ok((ops, remarks)) => {
                let mut replayed = json::read(STATE).unwrap();
                ops.iter().for_each(|op| op.apply(&mut replayed).unwrap());
                assert_eq!(replayed, *draft.state());
                format!("{} {}", json::write(&replayed), remarks.len())
            }
            Err(refusal) => {
                assert_eq!(json::write(draft.state()), STATE, "a refused call leaves nothing behind");
                refusal.code.to_owned()
            }
        }
    }

    #[test]
    fn what_fits_is_written_and_what_nearly_fits_is_put_right() {
        let with = |part: &str, new: &str, remarks: usize| format!("{} {remarks}", STATE.replace(part, new));
        assert_eq!(after("@.SET(\"hp\", 60);"), with("\"hp\":50", "\"hp\":60", 0));
        assert_eq!(after("@.ADD(\"hp\", 500);"), with("\"hp\":50", "\"hp\":100", 1));
        assert_eq!(after("@.SET(\"hp\", \"12\");"), with("\"hp\":50", "\"hp\":12", 1));
        assert_eq!(
            after("@.UNSET(\"hp\");"),
            "{\"mood\":\"好\",\"bag\":[],\"id\":7,\"npc\":{},\"_secret\":1,\"free\":{},\"deep\":{\"lock\":1},\"hp\":50} 1"
        );
        assert_eq!(after("@.APPEND(\"bag\", {});"), with("\"bag\":[]", "\"bag\":[{\"n\":1}]", 0));
        assert_eq!(after("@.SET(\"npc.甲\", 99);"), with("\"npc\":{}", "\"npc\":{\"甲\":10}", 1));
        assert_eq!(after("@.SET(\"free.x\", [1]);"), with("\"free\":{}", "\"free\":{\"x\":[1]}", 0));
    }

    #[test]
    fn what_does_not_fit_is_refused_whole() {
        for text in [
            "@.SET(\"hp\", \"很多\");",
            "@.SET(\"hp\", 1.5);",
            "@.SET(\"mood\", \"怪\");",
            "@.SET(\"bag\", 3);",
            "@.APPEND(\"bag\", {\"x\": 1});",
            "@.SET(\"bag[0].x\", 1);",
        ] {
            assert_eq!(after(text), "E-SCHEMA", "{text}");
        }
        for text in ["@.SET(\"deep\", {\"lock\": 2});", "@.UNSET(\"deep\");", "@.SET(\"deep.lock\", 2);"] {
            assert_eq!(after(text), "E-READ-ONLY", "{text}");
        }
        assert!(after("@.SET(\"deep\", {\"lock\": 1, \"x\": 2});").ends_with(" 0"), "what is around it may change");
        for text in ["@.SET(\"id\", 8);", "@.UNSET(\"_secret\");", "@.SET(\"free._x.y\", 1);"] {
            assert_eq!(after(text), "E-READ-ONLY", "{text}");
        }
    }

    #[test]
    fn an_inferred_schema_fits_its_state_and_keeps_types() {
        let state = json::read(r#"{"a":1,"b":["x"],"c":{"d":null},"e":[]}"#).unwrap();
        let schema = Schema::infer(&state);
        assert_eq!(coerce(&schema.root, &state, "", &mut Vec::new()).unwrap(), state);
        assert_eq!(
            json::write(schema.source()),
            r#"{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"array","items":{"type":"string"}},"c":{"type":"object","properties":{"d":{}}},"e":{"type":"array"}}}"#
        );
        assert_eq!(Schema::read(schema.source()), Ok(schema));
        assert!(Schema::read(&json::read(r#"{"properties":{"a":{"type":"money"}}}"#).unwrap()).is_err());
    }
}
