//! `SET`, `ADD`, `DEL`, `REMOVE`.

use storeyline_state::{StatePath, Value};

use super::at_least;
use super::batch::Hole;
use super::write::{add, guard, path_at, write};
use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, missing, refuse_path, shown};
use crate::written::value_over;

pub(super) const SET: Builtin = Builtin {
    name: "SET",
    aliases: &[],
    syntax: "@.SET(\"path.to.var\", value);",
    zh: "设置变量",
    en: "sets a value",
    example: "@.SET(\"主角.生命\", 80);",
    apply: |draft, args| {
        at_least(args, 2, &SET)?;
        let path = path_at(draft, args, 0)?;
        let new = value_over(&path, path.get(draft.state()), &args[1])?;
        write(draft, &path, new)
    },
};

pub(super) const ADD: Builtin = Builtin {
    name: "ADD",
    aliases: &[],
    syntax: "@.ADD(\"path.to.var\", value);",
    zh: "数值加法；列表则追加一项",
    en: "adds to a number, or an item to a list",
    example: "@.ADD(\"主角.金币\", 50);",
    apply: |draft, args| {
        at_least(args, 2, &ADD)?;
        let path = path_at(draft, args, 0)?;
        add(draft, &path, &args[1].value)
    },
};

pub(super) const DEL: Builtin = Builtin {
    name: "DEL",
    aliases: &[],
    syntax: "@.DEL(\"path.to.list\", index);",
    zh: "按序号删除列表项；整条消息执行完后列表才收紧",
    en: "removes the item at an index; the list closes up when the message ends",
    example: "@.DEL(\"主角.背包\", 0);",
    apply: |draft, args| {
        at_least(args, 2, &DEL)?;
        let path = path_at(draft, args, 0)?;
        guard(draft, &path)?;
        let index = super::write::number(&args[1].value).filter(|_| args[1].value != Value::Null);
        let length = draft.list(&path)?.len();
        let at = index.and_then(|index| index.as_index()).filter(|at| *at < length);
        let item = path.child(&shown(&args[1].value)).unwrap_or_else(|_| path.clone());
        empty(draft, &path, at.ok_or_else(|| missing(&item))?)
    },
};

pub(super) const REMOVE: Builtin = Builtin {
    name: "REMOVE",
    aliases: &[],
    syntax: "@.REMOVE(\"path.to.list\", value);",
    zh: "删除列表中所有等于该值的项",
    en: "removes every item that equals the value",
    example: "@.REMOVE(\"主角.背包\", \"干粮\");",
    apply: |draft, args| {
        at_least(args, 2, &REMOVE)?;
        let path = path_at(draft, args, 0)?;
        remove_where(draft, &path, |item| *item == args[1].value)
    },
};

/// Clears an item of a list until the message ends. Outside of a message the item is removed at
/// once.
fn empty(draft: &mut Draft<'_>, path: &StatePath, at: usize) -> Result<(), Refusal> {
    let (Some(batch), Some(list)) = (draft.sam(), path.steps(draft.state())) else {
        return draft.remove_item(path, at);
    };
    let item = StatePath::from_steps(&list).and_then(|list| list.child(&at.to_string()));
    draft.set(&item.map_err(refuse_path)?, Value::Null)?;
    batch.add_hole(list, at);
    Ok(())
}

/// Removes the cleared items at the end of a message, unless they were written again.
pub(super) fn close_up(draft: &mut Draft<'_>, mut holes: Vec<Hole>) -> Result<(), Refusal> {
    // Deeper and later items first, so that the indexes of the others stay valid.
    holes.sort_by_key(|hole| std::cmp::Reverse((hole.list.len(), hole.at)));
    for hole in holes {
        let list = StatePath::from_steps(&hole.list).map_err(refuse_path)?;
        let empty = list.get(draft.state()).and_then(Value::as_list).and_then(|items| items.get(hole.at));
        if empty == Some(&Value::Null) {
            draft.remove_item(&list, hole.at)?;
        }
    }
    Ok(())
}

/// Removes every matching item. Refuses if none matches.
pub(super) fn remove_where(
    draft: &mut Draft<'_>,
    path: &StatePath,
    fits: impl Fn(&Value) -> bool,
) -> Result<(), Refusal> {
    guard(draft, path)?;
    let items = draft.list(path)?;
    let found: Vec<usize> = items.iter().enumerate().filter(|(_, item)| fits(item)).map(|(at, _)| at).collect();
    if found.is_empty() {
        return Err(Refusal::new(
            "E-MISSING",
            format!("{path} 里没有这样的项，没有改动。"),
            format!("{path} has no such item; nothing was changed."),
        ));
    }
    // Up to 64 single removals are readable in a history; more become one change of the list.
    if found.len() > 64 {
        let mut gone =
            draft.sam().zip(path.steps(draft.state())).map_or_else(Vec::new, |(batch, list)| batch.holes_in(&list));
        gone.sort_unstable();
        let stays = |at: usize, item: &Value| !fits(item) && (*item != Value::Null || gone.binary_search(&at).is_err());
        let kept =
            items.iter().enumerate().filter(|(at, item)| stays(*at, item)).map(|(_, item)| item.clone()).collect();
        return draft.set(path, Value::list(kept));
    }
    found.into_iter().rev().try_for_each(|at| draft.remove_item(path, at))
}

#[cfg(test)]
mod tests {
    use crate::profile::SamVersion::{V4_2, V6};
    use crate::sam::tests_support::{codes, data_after};

    #[test]
    fn deletions_by_index_use_the_places_at_the_start_of_the_message() {
        let after = |text| data_after(V4_2, r#"{"l":["a","b","c","d"]}"#, text);
        assert_eq!(after("@.DEL(\"l\", 0); @.DEL(\"l\", 1);"), r#"{"l":["c","d"]}"#);
        assert_eq!(after("@.DEL(\"l\", 0); @.DEL(\"l\", 0);"), r#"{"l":["b","c","d"]}"#);
        assert_eq!(after("@.DEL(\"l\", 2); @.REMOVE(\"l\", \"a\"); @.ADD(\"l\", \"e\");"), r#"{"l":["b","d","e"]}"#);
        assert_eq!(after("@.DEL(\"l\", 1); @.SET(\"l[1]\", \"x\");"), r#"{"l":["a","x","c","d"]}"#);
        assert_eq!(after("@.DEL(\"l\", 1); @.SET(\"l\", [1, null]);"), r#"{"l":[1,null]}"#);
        assert_eq!(after("@.DEL(\"l\", 1); @.UNSET(\"l[0]\");"), r#"{"l":["c","d"]}"#);
        let inserting =
            "@.DEL(\"l\", 0); <JSONPatch>[{\"op\":\"insert\",\"path\":\"/l/0\",\"value\":null}]</JSONPatch>";
        assert_eq!(after(inserting), r#"{"l":[null,"b","c","d"]}"#);
        assert_eq!(after("@.DEL(\"l\", 99999999999999999999);"), "E-MISSING");
        assert_eq!(after("@.DEL(\"l\", 0.5);"), "E-MISSING");
    }

    #[test]
    fn nested_lists_close_up_too() {
        let data = r#"{"l":[[1,2],[3,4],[5,6]]}"#;
        let text = "@.DEL(\"l\", 0); @.DEL(\"l[2]\", 0); @.DEL(\"l[1]\", 1);";
        assert_eq!(data_after(V4_2, data, text), r#"{"l":[[3],[6]]}"#);
    }

    #[test]
    fn the_type_lock_and_read_only_keys_are_watched() {
        for call in ["@.SET(\"p._lv\", 2);", "_.set('p._lv', 2);", "@.var.SET(\"p._lv\", 2);"] {
            assert_eq!(data_after(V6, r#"{"p":{"_lv":1}}"#, call), "E-READ-ONLY");
        }
        let locked = r#"{"static":{"a":1},"disable_dtype_mutation":true}"#;
        assert_eq!(codes(V4_2, locked, "_.set('a', 'x'); @.SET(\"a\", null); @.ADD(\"a\", 1);"), ["E-TYPE-LOCK"; 2]);
        assert_eq!(data_after(V4_2, r#"{"p":{"_lv":1}}"#, "@.SET(\"p._lv\", 2);"), r#"{"p":{"_lv":2}}"#);
    }

    #[test]
    fn a_great_many_items_go_at_once() {
        let data = format!("{{\"l\":[0,{},2,null]}}", vec!["1"; 500].join(","));
        assert_eq!(data_after(V4_2, &data, "@.REMOVE(\"l\", 1);"), r#"{"l":[0,2,null]}"#);
        assert_eq!(data_after(V4_2, &data, "@.DEL(\"l\", 0); @.REMOVE(\"l\", 1);"), r#"{"l":[2,null]}"#);
    }
}
