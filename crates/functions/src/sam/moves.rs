//! `REBASE` and `SWAP`: move values between paths.

use storeyline_state::object::array_index;
use storeyline_state::{StatePath, Value};

use super::at_least;
use super::write::{guard, guard_type, path, path_at, put, take};
use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, refuse_path, wrong_kind};

pub(super) const REBASE: Builtin = Builtin {
    name: "REBASE",
    aliases: &[],
    syntax: "@.REBASE(\"path.to.var\", \"path.to.new.parent\");",
    zh: "移到另一个对象或列表下；父级留空表示最外层",
    en: "moves a value under another object or list; an empty parent is the top",
    example: "@.REBASE(\"主角.背包[0]\", \"仓库\");",
    apply: |draft, args| {
        at_least(args, 2, &REBASE)?;
        let from = path_at(draft, args, 0)?;
        let parent = path(draft, args[1].value.as_text().unwrap_or("").trim())?;
        rebase(draft, &from, parent)
    },
};

pub(super) const SWAP: Builtin = Builtin {
    name: "SWAP",
    aliases: &[],
    syntax: "@.SWAP(\"path.a\", \"path.b\");",
    zh: "交换两个值；第二个写 \"__DELETE__\" 表示删除，写 \"列表[__NULL__]\" 表示移到列表末尾",
    en: "exchanges two values; \"__DELETE__\" as the second deletes, \"list[__NULL__]\" moves to the end of a list",
    example: "@.SWAP(\"主角.左手\", \"主角.右手\");",
    apply: |draft, args| {
        at_least(args, 2, &SWAP)?;
        // Either argument may be the keyword.
        match [0, 1].map(|at| Side::read(args[at].value.as_text().unwrap_or("").trim())) {
            [Side::Value, Side::Value] => swap(draft, &path_at(draft, args, 0)?, &path_at(draft, args, 1)?),
            [Side::Value, other] => other.send(draft, &path_at(draft, args, 0)?),
            [other, Side::Value] => other.send(draft, &path_at(draft, args, 1)?),
            _ => Err(no_value()),
        }
    },
};

/// The meaning of an argument of `SWAP`.
enum Side<'a> {
    Value,
    /// `__DELETE__`
    Nowhere,
    /// `container[__NULL__]` or `container.__NULL__`
    Into(&'a str),
}

impl<'a> Side<'a> {
    fn read(text: &'a str) -> Side<'a> {
        let container = text.strip_suffix(']').unwrap_or(text).strip_suffix("__NULL__");
        match container.and_then(|container| container.strip_suffix(['.', '['])) {
            Some(container) => Side::Into(container),
            None if text == "__DELETE__" => Side::Nowhere,
            None => Side::Value,
        }
    }

    fn send(self, draft: &mut Draft<'_>, from: &StatePath) -> Result<(), Refusal> {
        match self {
            Side::Value => Err(no_value()),
            Side::Nowhere => {
                guard(draft, from)?;
                take(draft, from).map(|_| ())
            }
            Side::Into(container) => {
                let container = path(draft, container)?;
                rebase(draft, from, container)
            }
        }
    }
}

fn rebase(draft: &mut Draft<'_>, from: &StatePath, parent: StatePath) -> Result<(), Refusal> {
    guard(draft, from)?;
    let source = from.keys_in(draft.state());
    let target = parent.keys_in(draft.state());
    draft.get(from)?;
    if target.starts_with(&source) {
        return Err(into_itself(from));
    }
    let Some((last, above)) = source.split_last() else { return Err(into_itself(from)) };
    let in_list = path_of(above)?.get(draft.state()).is_some_and(|above| above.as_list().is_some());
    let moved = take(draft, from)?;
    // Items after the removed one move up, the target too.
    let parent = match array_index(last).filter(|_| in_list) {
        Some(at) => path_of(&after_removal(above, at as usize, &target).ok_or_else(|| into_itself(from))?)?,
        None => path_of(&target)?,
    };
    match parent.get(draft.state()) {
        Some(Value::List(_)) => draft.append(&parent, moved),
        Some(Value::Object(_)) | None => {
            let slot = parent.child(last).map_err(refuse_path)?;
            guard(draft, &slot)?;
            put_under(draft, &parent, last, moved)
        }
        Some(other) => Err(wrong_kind(&parent, &other.clone(), ("对象或列表", "an object or a list"))),
    }
}

/// Puts a value under a key. A missing parent becomes an object, whatever the key looks like.
fn put_under(draft: &mut Draft<'_>, parent: &StatePath, key: &str, value: Value) -> Result<(), Refusal> {
    if parent.get(draft.state()).is_none() {
        put(draft, parent, Value::empty_object())?;
    }
    draft.set(&parent.child(key).map_err(refuse_path)?, value)
}

/// Returns the keys that lead to the same value after an item of a list was removed, or `None` if
/// they led into that item.
fn after_removal(list: &[&str], at: usize, keys: &[&str]) -> Option<Vec<String>> {
    let mut after: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
    let index = keys.strip_prefix(list).and_then(|rest| array_index(rest.first()?)).map(|index| index as usize);
    match index {
        Some(index) if index == at => return None,
        Some(index) if index > at => after[list.len()] = (index - 1).to_string(),
        _ => {}
    }
    Some(after)
}

fn path_of(keys: &[impl AsRef<str>]) -> Result<StatePath, Refusal> {
    if keys.is_empty() { Ok(StatePath::root()) } else { StatePath::from_keys(keys).map_err(refuse_path) }
}

fn swap(draft: &mut Draft<'_>, first: &StatePath, second: &StatePath) -> Result<(), Refusal> {
    let (one, other) = (draft.get(first)?.clone(), draft.get(second)?.clone());
    let (a, b) = (first.keys_in(draft.state()), second.keys_in(draft.state()));
    if a != b && (a.starts_with(&b) || b.starts_with(&a)) {
        return Err(into_itself(first));
    }
    for (path, value) in [(first, &other), (second, &one)] {
        guard(draft, path)?;
        guard_type(draft, path, value)?;
    }
    draft.set(first, other)?;
    draft.set(second, one)
}

fn no_value() -> Refusal {
    Refusal::new(
        "E-SWAP",
        "SWAP 的两个参数都不是变量路径，没有改动。",
        "Neither argument of SWAP is the path of a value; nothing was changed.",
    )
}

pub(super) fn into_itself(path: &StatePath) -> Refusal {
    Refusal::new(
        "E-MOVE-SELF",
        format!("{path} 不能移到自己里面，没有改动。"),
        format!("{path} cannot be moved into itself; nothing was changed."),
    )
}

#[cfg(test)]
mod tests {
    use crate::profile::SamVersion::V4_2;
    use crate::sam::tests_support::data_after;

    #[test]
    fn a_value_moves_under_its_new_parent() {
        let after = |data, text| data_after(V4_2, data, text);
        assert_eq!(after(r#"{"l":["x",{"in":[]}]}"#, "@.REBASE(\"l[0]\", \"l[1].in\");"), r#"{"l":[{"in":["x"]}]}"#);
        assert_eq!(after(r#"{"a":{"b":{"a":1}}}"#, "@.REBASE(\"a.b.a\", \"\");"), r#"{"a":1}"#);
        assert_eq!(after(r#"{"a":{"b":1}}"#, "@.REBASE(\"a\", \"a.b\");"), "E-MOVE-SELF");
        assert_eq!(after(r#"{"a":1,"n":"x"}"#, "@.REBASE(\"a\", \"n\");"), "E-KIND");
        assert_eq!(after(r#"{"l":[7]}"#, "@.REBASE(\"l[0]\", \"新\");"), r#"{"l":[],"新":{"0":7}}"#);
    }

    #[test]
    fn two_values_change_places() {
        let after = |data, text| data_after(V4_2, data, text);
        assert_eq!(after(r#"{"l":[1,2],"n":"x"}"#, "@.SWAP(\"l[0]\", \"n\");"), r#"{"l":["x",2],"n":1}"#);
        assert_eq!(after(r#"{"a":{"b":1}}"#, "@.SWAP(\"a\", \"a.b\");"), "E-MOVE-SELF");
        assert_eq!(after(r#"{"l":[1,2]}"#, "@.SWAP(\"l[0]\", \"__DELETE__\"); @.ADD(\"l\", 3);"), r#"{"l":[2,3]}"#);
        assert_eq!(after(r#"{"a":1}"#, "@.SWAP(\"a\", \"b\");"), "E-MISSING");
        assert_eq!(after(r#"{"a":[1]}"#, "@.SWAP(\"__DELETE__\", \"a[__NULL__]\");"), "E-SWAP");
    }
}
