//! The ops of SAM 6's `<JSONPatch>` blocks. A pointer begins with a slash; missing containers are
//! created; keys that begin with `_` are read-only except for `forced_set`.
//!
//! RFC 6902's `add`, `copy`, `test` and `move` with `path`, which SAM does not support, are
//! executed.

use storeyline_calls::Arg;
use storeyline_state::{Object, StatePath, Value};

use super::fields;
use super::functions::not_here;
use super::time::set_time;
use super::write::{put, write};
use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, missing, refuse_path};
use crate::growth;
use crate::patch::{check, no_value};
use crate::target;

pub(crate) const PATCH: &[&Builtin] = &[
    &op(
        "replace",
        r#"{"op":"replace","path":"/主角/生命","value":12}"#,
        "设置变量",
        "sets a value",
        |draft, args| replace(draft, &pointer(draft, args, &["path"])?, value(args)?),
    ),
    &op(
        "forced_set",
        r#"{"op":"forced_set","path":"/主角/_等级","value":9}"#,
        "设置变量，只读键也可以",
        "sets a value, read-only keys too",
        |draft, args| put(draft, &pointer(draft, args, &["path"])?, value(args)?.clone()),
    ),
    &op(
        "insert",
        r#"{"op":"insert","path":"/主角/背包/-","value":"盐"}"#,
        "插入列表项(- 为末尾)或新键",
        "puts an item into a list (`-` is its end), or a new key",
        |draft, args| fields::insert(draft, &pointer(draft, args, &["path"])?, value(args)?.clone()),
    ),
    &op("add", r#"{"op":"add","path":"/主角/称号","value":"侠客"}"#, "同 insert", "as insert", |draft, args| {
        fields::insert(draft, &pointer(draft, args, &["path"])?, value(args)?.clone())
    }),
    &op("remove", r#"{"op":"remove","path":"/主角/称号"}"#, "删除", "removes a value", |draft, args| {
        fields::remove(draft, &pointer(draft, args, &["path"])?)
    }),
    &op(
        "delta",
        r#"{"op":"delta","path":"/主角/金币","value":-5}"#,
        "数值加法",
        "adds to a number",
        |draft, args| fields::increase(draft, &pointer(draft, args, &["path"])?, value(args)?),
    ),
    &op("inc", r#"{"op":"inc","path":"/主角/金币","value":5}"#, "同 delta", "as delta", |draft, args| {
        fields::increase(draft, &pointer(draft, args, &["path"])?, value(args)?)
    }),
    &op(
        "mul",
        r#"{"op":"mul","path":"/主角/金币","value":2}"#,
        "数值乘法",
        "multiplies a number",
        |draft, args| fields::multiply(draft, &pointer(draft, args, &["path"])?, value(args)?),
    ),
    &op(
        "min",
        r#"{"op":"min","path":"/主角/生命","value":100}"#,
        "取较小值",
        "keeps the smaller number",
        |draft, args| fields::bound(draft, &pointer(draft, args, &["path"])?, value(args)?, std::cmp::min),
    ),
    &op(
        "max",
        r#"{"op":"max","path":"/主角/生命","value":0}"#,
        "取较大值",
        "keeps the larger number",
        |draft, args| fields::bound(draft, &pointer(draft, args, &["path"])?, value(args)?, std::cmp::max),
    ),
    &op(
        "push",
        r#"{"op":"push","path":"/主角/背包","value":"盐"}"#,
        "列表追加",
        "appends to a list",
        |draft, args| fields::push(draft, &pointer(draft, args, &["path"])?, value(args)?, false),
    ),
    &op(
        "addToSet",
        r#"{"op":"addToSet","path":"/主角/背包","value":"盐"}"#,
        "列表追加，不重复",
        "appends to a list what is not in it",
        |draft, args| fields::push(draft, &pointer(draft, args, &["path"])?, value(args)?, true),
    ),
    &op(
        "pull",
        r#"{"op":"pull","path":"/主角/背包","value":"盐"}"#,
        "删除列表中的值",
        "removes a value from a list",
        |draft, args| fields::pull(draft, &pointer(draft, args, &["path"])?, value(args)?),
    ),
    &op(
        "pop",
        r#"{"op":"pop","path":"/主角/背包","value":1}"#,
        "删除列表末项(-1 为首项)",
        "removes the last item of a list (-1: the first)",
        |draft, args| fields::pop(draft, &pointer(draft, args, &["path"])?, args[0].value.get("value")),
    ),
    &op("move", r#"{"op":"move","from":"/天气","to":"/环境/天气"}"#, "移动", "moves a value", |draft, args| {
        let target = pointer(draft, args, &["to", "path"])?;
        fields::relocate(draft, &pointer(draft, args, &["from"])?, &target)
    }),
    &op(
        "copy",
        r#"{"op":"copy","from":"/天气","path":"/昨日天气"}"#,
        "复制",
        "copies a value",
        |draft, args| {
            let copied = draft.get(&pointer(draft, args, &["from"])?)?.clone();
            if let Some(batch) = draft.sam() {
                batch.grow(growth::weight(&copied))?;
            }
            fields::insert(draft, &pointer(draft, args, &["path", "to"])?, copied)
        },
    ),
    &op(
        "test",
        r#"{"op":"test","path":"/天气","value":"晴"}"#,
        "检查一个值",
        "checks a value",
        |draft, args| check(draft, &pointer(draft, args, &["path"])?, value(args)?),
    ),
    &op(
        "time",
        r#"{"op":"time","value":"1024-03-05T09:00:00Z"}"#,
        "更新故事时间",
        "sets the story's time",
        |draft, args| set_time(draft, value(args)?),
    ),
    &op(
        "func",
        r#"{"op":"func","func_name":"升级","params":[2]}"#,
        "运行角色卡的函数",
        "runs a function of the card",
        |_, _| Err(not_here()),
    ),
];

/// Declares an op: the only argument of its call is the op itself.
const fn op(
    name: &'static str,
    example: &'static str,
    zh: &'static str,
    en: &'static str,
    apply: fn(&mut Draft<'_>, &[Arg]) -> Result<(), Refusal>,
) -> Builtin {
    Builtin { name, aliases: &[], syntax: example, zh, en, example, apply }
}

fn value(args: &[Arg]) -> Result<&Value, Refusal> {
    args.first().and_then(|arg| arg.value.get("value")).ok_or_else(no_value)
}

/// Parses the pointer under the first of these keys that is there. A leading `/static` is dropped.
fn pointer(draft: &Draft<'_>, args: &[Arg], keys: &[&str]) -> Result<StatePath, Refusal> {
    let text = args.first().and_then(|arg| keys.iter().find_map(|key| arg.value.get(key))).and_then(Value::as_text);
    let text = text.ok_or_else(no_value)?;
    if !text.starts_with('/') {
        return Err(Refusal::new(
            "E-PATCH-PATH",
            format!("路径 {text} 应以 / 开头，没有执行。"),
            format!("The path {text} must begin with a slash; nothing was done."),
        ));
    }
    let inner =
        text.strip_prefix("/static").filter(|rest| rest.starts_with('/') && draft.state().get("static").is_none());
    target::pointer(draft.state(), inner.unwrap_or(text)).map_err(refuse_path)
}

/// `replace`: creates missing containers; `/-` is the end of a list.
fn replace(draft: &mut Draft<'_>, path: &StatePath, new: &Value) -> Result<(), Refusal> {
    if let Some((parent, key)) = path.parent() {
        let list = parent.get(draft.state()).and_then(Value::as_list);
        if key == "-" && list.is_some() {
            return fields::insert(draft, path, new.clone());
        }
        if key.is_empty() && path.keys().len() == 1 {
            return Err(missing(path));
        }
    }
    let kept = match path.get(draft.state()) {
        Some(old) if draft.sam().is_some_and(|batch| batch.read_only) => keep_read_only(old, new),
        _ => new.clone(),
    };
    write(draft, path, kept)
}

/// Returns the new value with the read-only keys of the old one, so that replacing the parent does
/// not change them.
fn keep_read_only(old: &Value, new: &Value) -> Value {
    let (Value::Object(old), Value::Object(new)) = (old, new) else { return new.clone() };
    let mut kept: Object = new.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    for (key, value) in old.iter() {
        if key.starts_with('_') {
            kept.insert(key.clone(), value.clone());
        } else if let Some(inner) = new.get(key) {
            kept.insert(key.clone(), keep_read_only(value, inner));
        }
    }
    Value::object(kept)
}

#[cfg(test)]
mod tests {
    use crate::profile::SamVersion::{V4_2, V6};
    use crate::sam::tests_support::data_after;

    fn after(data: &str, op: &str) -> String {
        data_after(V6, data, &format!("<JSONPatch>[{op}]</JSONPatch>"))
    }

    #[test]
    fn ops_create_what_is_missing_and_close_lists() {
        let cases = [
            (r#"{"l":[1,2]}"#, r#"{"op":"remove","path":"/l/0"}"#, r#"{"l":[2]}"#),
            (r#"{"l":[1,2]}"#, r#"{"op":"insert","path":"/l/1","value":9}"#, r#"{"l":[1,9,2]}"#),
            (r#"{"l":[1]}"#, r#"{"op":"replace","path":"/l/-","value":9}"#, r#"{"l":[1,9]}"#),
            ("{}", r#"{"op":"insert","path":"/n/-","value":{"$each":[]}}"#, r#"{"n":[{"$each":[]}]}"#),
            ("{}", r#"{"op":"add","path":"/a/b","value":1}"#, r#"{"a":{"b":1}}"#),
            (r#"{"a":1}"#, r#"{"op":"move","from":"/a","path":"/x/a"}"#, r#"{"x":{"a":1}}"#),
            (r#"{"a":1}"#, r#"{"op":"copy","from":"/a","path":"/b"}"#, r#"{"a":1,"b":1}"#),
            (r#"{"a":5}"#, r#"{"op":"mul","path":"/a","value":0}"#, r#"{"a":0}"#),
            (r#"{"a":"5"}"#, r#"{"op":"inc","path":"/a","value":1}"#, r#"{"a":6}"#),
            (r#"{"a":5}"#, r#"{"op":"replace","path":"/static/a","value":1}"#, r#"{"a":1}"#),
            (r#"{"a":5}"#, r#"{"op":"replace","path":"a","value":1}"#, "E-PATCH-PATH"),
            (r#"{"a":"x"}"#, r#"{"op":"push","path":"/a","value":1}"#, "E-KIND"),
            (r#"{"a":5}"#, r#"{"op":"test","path":"/a","value":6}"#, "E-PATCH-TEST"),
            (r#"{"a":5}"#, r#"{"op":"replace","path":"/","value":6}"#, "E-MISSING"),
            (r#"{"a":{"b":1}}"#, r#"{"op":"move","from":"/a","to":"/a/b/c"}"#, "E-MOVE-SELF"),
            (r#"{"a":5}"#, r#"{"op":"fly","path":"/a"}"#, "E-UNKNOWN"),
        ];
        for (data, op, wanted) in cases {
            assert_eq!(after(data, op), wanted, "{op}");
        }
    }

    #[test]
    fn read_only_keys_outlive_their_parents_replacement() {
        let op = r#"{"op":"replace","path":"/p","value":{"hp":3,"in":{"_x":9}}}"#;
        assert_eq!(after(r#"{"p":{"_lv":1,"hp":2,"in":{"_x":4}}}"#, op), r#"{"p":{"hp":3,"in":{"_x":4},"_lv":1}}"#);
        assert_eq!(after(r#"{"p":{"_lv":1}}"#, r#"{"op":"remove","path":"/p/_lv"}"#), "E-READ-ONLY");
    }

    #[test]
    fn things_of_one_name_stay_several() {
        let data = r#"{"l":[{"name":"ore","n":1},{"name":"ore","n":2}]}"#;
        assert_eq!(after(data, r#"{"op":"test","path":"/l/0/n","value":1}"#), data);
    }

    #[test]
    fn older_versions_read_patches_too() {
        let text = "<JSONPatch>[{\"op\":\"inc\",\"path\":\"/a\",\"value\":1}]</JSONPatch>";
        assert_eq!(data_after(V4_2, r#"{"a":1}"#, text), r#"{"a":2}"#);
    }
}
