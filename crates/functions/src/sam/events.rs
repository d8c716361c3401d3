//! `EVENT_*`: one story arc at a time, with its steps, members and new things.

use storeyline_calls::Arg;
use storeyline_state::{Object, StatePath, Value};

use super::defaults::top;
use super::{at_least, batch_of, has_room};
use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, refuse_path, shown};

/// Maximum number of events of a story, and of entries of an event.
const MAX_EVENTS: usize = 1_000;
const MAX_ENTRIES: usize = 1_000;

pub(super) const EVENT_BEGIN: Builtin = Builtin {
    name: "EVENT_BEGIN",
    aliases: &[],
    syntax: "@.EVENT_BEGIN(\"name\", \"objective\", \"step\", ...);",
    zh: "开始一个事件；同时只能有一个",
    en: "begins an event; there is one at a time",
    example: "@.EVENT_BEGIN(\"护送商队\", \"把货送到北关\", \"清点货物\");",
    apply: |draft, args| {
        at_least(args, 2, &EVENT_BEGIN)?;
        begin(draft, args)
    },
};

pub(super) const EVENT_END: Builtin = Builtin {
    name: "EVENT_END",
    aliases: &[],
    syntax: "@.EVENT_END(status, \"summary\");",
    zh: "结束当前事件；状态默认为 1",
    en: "ends the event; the status is 1 unless given",
    example: "@.EVENT_END();",
    apply: |draft, args| {
        let event = open(draft)?;
        let status = match args.first().map(|arg| &arg.value) {
            None | Some(Value::Null) => Value::from(1),
            Some(status @ Value::Number(_)) if *status != Value::from(0) => status.clone(),
            Some(other) => {
                let other = shown(other);
                return Err(Refusal::new(
                    "E-EVENT-STATUS",
                    format!("{other} 不是结束状态，事件没有结束。"),
                    format!("{other} is not a status to end with; the event goes on."),
                ));
            }
        };
        let time = draft.state().get("time").cloned().unwrap_or(Value::Null);
        draft.set(&part(&event, "end_time")?, time)?;
        draft.set(&part(&event, "status")?, status)?;
        match args.get(1).map(|arg| &arg.value) {
            Some(summary @ Value::Text(_)) => draft.set(&part(&event, "summary")?, summary.clone()),
            _ => Ok(()),
        }
    },
};

pub(super) const EVENT_ADD_PROC: Builtin = Builtin {
    name: "EVENT_ADD_PROC",
    aliases: &[],
    syntax: "@.EVENT_ADD_PROC(\"step\", ...);",
    zh: "给当前事件添加经过",
    en: "adds steps to the event",
    example: "@.EVENT_ADD_PROC(\"首战告捷\");",
    apply: |draft, args| {
        at_least(args, 1, &EVENT_ADD_PROC)?;
        let event = open(draft)?;
        args.iter().try_for_each(|arg| add(draft, &event, "procedural", arg.value.clone()))
    },
};

pub(super) const EVENT_ADD_DEFN: Builtin = Builtin {
    name: "EVENT_ADD_DEFN",
    aliases: &[],
    syntax: "@.EVENT_ADD_DEFN(\"name\", \"description\");",
    zh: "给当前事件添加新事物",
    en: "adds a new thing to the event",
    example: "@.EVENT_ADD_DEFN(\"寒铁剑\", \"奖品\");",
    apply: |draft, args| {
        at_least(args, 2, &EVENT_ADD_DEFN)?;
        let event = open(draft)?;
        let entry = [("name".into(), args[0].value.clone()), ("desc".into(), args[1].value.clone())];
        add(draft, &event, "new_defines", Value::object(entry.into_iter().collect::<Object>()))
    },
};

pub(super) const EVENT_ADD_MEMBER: Builtin = Builtin {
    name: "EVENT_ADD_MEMBER",
    aliases: &[],
    syntax: "@.EVENT_ADD_MEMBER(\"name\", ...);",
    zh: "给当前事件添加参与者；不重复",
    en: "adds members to the event, each once",
    example: "@.EVENT_ADD_MEMBER(\"林舟\");",
    apply: |draft, args| {
        at_least(args, 1, &EVENT_ADD_MEMBER)?;
        let event = open(draft)?;
        let members = part(&event, "members")?;
        for arg in args {
            let known = members.get(draft.state()).and_then(Value::as_list).is_some_and(|all| all.contains(&arg.value));
            if !known {
                add(draft, &event, "members", arg.value.clone())?;
            }
        }
        Ok(())
    },
};

pub(super) const EVENT_SUMMARY: Builtin = Builtin {
    name: "EVENT_SUMMARY",
    aliases: &[],
    syntax: "@.EVENT_SUMMARY(\"text\");",
    zh: "写当前事件的摘要",
    en: "writes the event's summary",
    example: "@.EVENT_SUMMARY(\"进行到第二轮\");",
    apply: |draft, args| {
        at_least(args, 1, &EVENT_SUMMARY)?;
        let event = open(draft)?;
        draft.set(&part(&event, "summary")?, args[0].value.clone())
    },
};

fn begin(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(), Refusal> {
    if let Ok(event) = open(draft) {
        let name = part(&event, "name")?.get(draft.state()).map(shown).unwrap_or_default();
        return Err(Refusal::new(
            "E-EVENT-OPEN",
            format!("事件 {name} 还没有结束，没有开始新的。"),
            format!("The event {name} has not ended; no other was begun."),
        ));
    }
    batch_of(draft)?;
    let events = top("events")?;
    if events.get(draft.state()).and_then(Value::as_list).is_none() {
        draft.set(&events, Value::list(Vec::new()))?;
    }
    has_room(draft.get(&events)?.as_list().map_or(0, <[Value]>::len), MAX_EVENTS, "events")?;
    let counter = top("event_counter")?;
    let last = counter.get(draft.state()).and_then(Value::as_number).and_then(|number| number.as_i64()).unwrap_or(0);
    let id = Value::from(last.saturating_add(1));
    let text = |arg: &Arg| arg.value.clone();
    let event = Value::entries([
        ("name", text(&args[0])),
        ("evID", id.clone()),
        ("start_time", draft.state().get("time").cloned().unwrap_or(Value::Null)),
        ("end_time", Value::Null),
        ("objective", text(&args[1])),
        ("members", Value::list(Vec::new())),
        ("procedural", Value::list(args[2..].iter().map(text).collect())),
        ("new_defines", Value::list(Vec::new())),
        ("status", 0.into()),
        ("summary", Value::Null),
    ]);
    draft.append(&events, event)?;
    draft.set(&counter, id)
}

/// Returns the path of the last event that has not ended.
fn open(draft: &Draft<'_>) -> Result<StatePath, Refusal> {
    batch_of(draft)?;
    let events = draft.state().get("events").and_then(Value::as_list).unwrap_or(&[]);
    let at = events.iter().rposition(|event| event.get("status") == Some(&Value::from(0))).ok_or_else(|| {
        Refusal::new("E-EVENT-NONE", "没有进行中的事件，没有执行。", "There is no event going on; nothing was done.")
    })?;
    top("events")?.child(&at.to_string()).map_err(refuse_path)
}

fn part(event: &StatePath, key: &str) -> Result<StatePath, Refusal> {
    event.child(key).map_err(refuse_path)
}

fn add(draft: &mut Draft<'_>, event: &StatePath, key: &str, item: Value) -> Result<(), Refusal> {
    let list = part(event, key)?;
    let length = list.get(draft.state()).and_then(Value::as_list).map(<[Value]>::len);
    if length.is_none() {
        draft.set(&list, Value::list(Vec::new()))?;
    }
    has_room(length.unwrap_or(0), MAX_ENTRIES, key)?;
    draft.append(&list, item)
}

#[cfg(test)]
mod tests {
    use crate::profile::SamVersion::V4_0;
    use crate::sam::tests_support::{after, codes};

    #[test]
    fn an_event_has_a_beginning_and_an_end() {
        let text = "@.EVENT_BEGIN(\"战\", \"胜\"); @.EVENT_ADD_MEMBER(\"甲\", \"乙\", \"甲\"); @.EVENT_END(2, \"败\");";
        let state = after(V4_0, r#"{"time":"T"}"#, text);
        let wanted =
            r#""members":["甲","乙"],"procedural":[],"new_defines":[],"status":2,"summary":"败"}],"event_counter":1"#;
        assert!(state.contains(wanted), "{state}");
    }

    #[test]
    fn there_is_one_event_at_a_time() {
        let text = "@.EVENT_END(); @.EVENT_BEGIN(\"a\", \"b\"); @.EVENT_BEGIN(\"c\", \"d\"); @.EVENT_END(0);";
        assert_eq!(codes(V4_0, "{}", text), ["E-EVENT-NONE", "E-EVENT-OPEN", "E-EVENT-STATUS"]);
    }
}
