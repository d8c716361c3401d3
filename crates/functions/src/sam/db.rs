//! `@.DB({…})` of SAM 5: an update in MongoDB's syntax. Each field of each operator is executed on
//! its own, in SAM's order of the operators.

use storeyline_calls::Arg;
use storeyline_state::{StatePath, Text, Value};

use super::fields;
use super::write::{path, write};
use super::{at_least, fields::bound};
use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, refuse_path, shown};

pub(crate) const DB: Builtin = Builtin {
    name: "DB",
    aliases: &[],
    syntax: "@.DB({ \"$set\": { \"path.to.var\": value }, \"$inc\": { \"path.to.number\": 5 } });",
    zh: "MongoDB 式更新：$set $unset $rename $move $inc $mul $min $max $push $addToSet $pop $pull",
    en: "an update in MongoDB's words: $set $unset $rename $move $inc $mul $min $max $push $addToSet $pop $pull",
    example: "@.DB({ \"$inc\": { \"主角.金币\": 10 }, \"$push\": { \"主角.背包\": \"盐\" } });",
    apply: |draft, args| entries(args)?.iter().try_for_each(|entry| apply(draft, entry)),
};

/// The operators in SAM's order; a field without an operator is set.
const OPERATORS: [&str; 12] =
    ["$set", "$unset", "$rename", "$move", "$inc", "$mul", "$min", "$max", "$push", "$addToSet", "$pop", "$pull"];

/// One field of one operator.
pub(super) struct FieldChange {
    pub(super) operator: &'static str,
    path: Text,
    value: Value,
}

/// Returns the single changes of an update.
pub(super) fn entries(args: &[Arg]) -> Result<Vec<FieldChange>, Refusal> {
    at_least(args, 1, &DB)?;
    let Value::Object(update) = &args[0].value else { return Err(unreadable(&args[0].value)) };
    let known = |key: &str| OPERATORS.contains(&key) || !key.starts_with('$');
    if let Some((key, _)) = update.iter().find(|(key, _)| !known(key)) {
        return Err(Refusal::new(
            "E-DB-OP",
            format!("没有 {key} 这个操作，没有执行。"),
            format!("There is no operator {key}; nothing was done."),
        ));
    }
    let mut entries = Vec::new();
    let mut add = |operator, path: &Text, value: &Value| {
        entries.push(FieldChange { operator, path: path.clone(), value: value.clone() });
    };
    for (key, value) in update.iter().filter(|(key, _)| !key.starts_with('$')) {
        add("$set", key, value);
    }
    for operator in OPERATORS {
        match update.get(operator) {
            None => {}
            Some(Value::Object(fields)) => fields.iter().for_each(|(key, value)| add(operator, key, value)),
            Some(other) => return Err(unreadable(other)),
        }
    }
    Ok(entries)
}

/// Executes a single change.
pub(super) fn apply(draft: &mut Draft<'_>, entry: &FieldChange) -> Result<(), Refusal> {
    let path = parse_path(draft, &entry.path)?;
    match entry.operator {
        "$set" => write(draft, &path, entry.value.clone()),
        "$unset" => fields::remove(draft, &path),
        "$inc" => fields::increase(draft, &path, &entry.value),
        "$mul" => fields::multiply(draft, &path, &entry.value),
        "$min" => bound(draft, &path, &entry.value, std::cmp::min),
        "$max" => bound(draft, &path, &entry.value, std::cmp::max),
        "$push" => fields::push(draft, &path, &entry.value, false),
        "$addToSet" => fields::push(draft, &path, &entry.value, true),
        "$pop" => fields::pop(draft, &path, Some(&entry.value)),
        "$pull" => fields::pull(draft, &path, &entry.value),
        _ => {
            let target = entry.value.as_text().ok_or_else(|| unreadable(&entry.value))?;
            let target = parse_path(draft, target)?;
            fields::relocate(draft, &path, &target)
        }
    }
}

/// Parses a path; a dot after a backslash belongs to its key.
fn parse_path(draft: &Draft<'_>, text: &str) -> Result<StatePath, Refusal> {
    if !text.contains("\\.") {
        let path = path(draft, text.trim())?;
        return if path.keys().is_empty() { Err(unreadable(&Value::text(text))) } else { Ok(path) };
    }
    let mut keys = vec![String::new()];
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '\\' if rest.peek() == Some(&'.') => {
                rest.next();
                keys.iter_mut().last().into_iter().for_each(|key| key.push('.'));
            }
            '.' => keys.push(String::new()),
            other => keys.iter_mut().last().into_iter().for_each(|key| key.push(other)),
        }
    }
    StatePath::from_keys(keys).map_err(refuse_path)
}

fn unreadable(value: &Value) -> Refusal {
    let value = shown(value);
    Refusal::new(
        "E-DB-FORM",
        format!("{value} 不是可用的更新，没有执行。"),
        format!("{value} is not an update that can be used; nothing was done."),
    )
}

#[cfg(test)]
mod tests {
    use crate::profile::SamVersion::{V4_2, V5};
    use crate::run::tests_support::after as native_after;
    use crate::sam::tests_support::{codes, data_after};

    #[test]
    fn every_operator_changes_its_fields() {
        let cases = [
            (r#"{"a":1}"#, r#"{"$set":{"a":2,"b.c":[1]}}"#, r#"{"a":2,"b":{"c":[1]}}"#),
            (r#"{"a":1,"l":[1,2]}"#, r#"{"$unset":{"a":"","l.0":1}}"#, r#"{"l":[2]}"#),
            (r#"{"a":1}"#, r#"{"$rename":{"a":"x.y"}}"#, r#"{"x":{"y":1}}"#),
            (r#"{"a":1}"#, r#"{"$move":{"a":"b"}}"#, r#"{"b":1}"#),
            (r#"{"a":"10"}"#, r#"{"$inc":{"a":0.1,"n":-2}}"#, r#"{"a":10.1,"n":-2}"#),
            (r#"{"a":7}"#, r#"{"$mul":{"a":0}}"#, r#"{"a":0}"#),
            (r#"{"a":7,"b":7}"#, r#"{"$min":{"a":5,"c":1},"$max":{"b":9}}"#, r#"{"a":5,"b":9,"c":1}"#),
            (r#"{"l":[1]}"#, r#"{"$push":{"l":{"$each":[2,3]},"m":1}}"#, r#"{"l":[1,2,3],"m":[1]}"#),
            (r#"{"l":[1]}"#, r#"{"$addToSet":{"l":{"$each":[1,2,2]}}}"#, r#"{"l":[1,2]}"#),
            (r#"{"l":[1,2,3]}"#, r#"{"$pop":{"l":-1}}"#, r#"{"l":[2,3]}"#),
            (r#"{"l":[{"n":1,"k":2},{"n":3}]}"#, r#"{"$pull":{"l":{"n":1}}}"#, r#"{"l":[{"n":3}]}"#),
            (r#"{"s":{}}"#, r#"{"$set":{"s.MK\\.50.on":true}}"#, r#"{"s":{"MK.50":{"on":true}}}"#),
            ("{}", r#"{"a.b":1}"#, r#"{"a":{"b":1}}"#),
        ];
        for (data, update, wanted) in cases {
            assert_eq!(data_after(V5, data, &format!("@.DB({update});")), wanted, "{update}");
        }
    }

    #[test]
    fn one_bad_field_leaves_the_others_alone() {
        let text = r#"@.DB({"$inc":{"a":1,"t":1},"$push":{"t":1}});"#;
        let state = r#"{"static":{"a":1,"t":"x"}}"#;
        assert_eq!(codes(V5, state, text), ["E-ADD-NUM", "E-KIND"]);
        assert_eq!(
            codes(V4_2, "{}", "@.DB({\"$fly\":{}}); @.DB([1]); @.DB({\"$set\":1});"),
            ["E-DB-OP", "E-DB-FORM", "E-DB-FORM"]
        );
    }

    #[test]
    fn an_update_is_read_in_every_story() {
        assert_eq!(native_after(r#"{"a":1}"#, "@.DB({\"$inc\":{\"a\":1}});"), r#"{"a":2}"#);
    }
}
