//! Values that no script changed stay exact.

use crate::support::{after, in_process, run_on, value};
use storeyline_functions::Scripts;
use storeyline_functions::script::Source;
use storeyline_state::json;

const LONG: &str =
    r#"{"a":0.1234567890123456789012345678901234,"b":[9007199254740993,{"c":1.2345678901234567890123e+22}],"n":0.1}"#;

#[test]
fn numbers_that_javascript_cannot_hold_keep_their_digits() {
    let mut js = in_process();
    assert_eq!(
        after(&mut js, LONG, "snapshot.n += 0.2; snapshot.b.push(1)")
            .replace("0.30000000000000004", "0.1")
            .replace(",1]", "]"),
        LONG
    );
    assert_eq!(
        after(&mut js, LONG, "snapshot.b.shift(); snapshot.copy = snapshot.a; delete snapshot.a"),
        r#"{"b":[{"c":1.2345678901234567890123e+22}],"n":0.1,"copy":0.1234567890123456789012345678901234}"#
    );
    assert_eq!(after(&mut js, LONG, "return JSON.parse(JSON.stringify(snapshot))"), LONG);
    assert_eq!(after(&mut js, LONG, "return _.cloneDeep(snapshot)"), LONG);
}

#[test]
fn a_script_that_changes_nothing_gives_no_op() {
    let mut js = in_process();
    assert_eq!(run_on(&mut js, LONG, "").unwrap().ops.as_slice(), []);
    assert_eq!(run_on(&mut js, LONG, "snapshot.n = 0.1; snapshot.b = _.clone(snapshot.b)").unwrap().ops.as_slice(), []);
}

#[test]
fn ops_lead_from_the_state_before_to_the_state_after() {
    let mut js = in_process();
    let before = value(r#"{"1":{"x":[1,2,{"y":"金"}]},"b":"text","c":null,"d":{"e":[[]]}}"#);
    for body in [
        "snapshot.b = 'other'; snapshot.c = {}; delete snapshot[1]",
        "snapshot[1].x.unshift(0); snapshot.d.e[0].push({z: snapshot.b})",
        "const {b, ...rest} = snapshot; return {z: 1, ...rest, b}",
        "snapshot[1].x.reverse(); snapshot.new = snapshot.d",
    ] {
        let outcome = js.run(&before, &crate::support::script(Source::Body(body), &[])).unwrap();
        let mut state = before.clone();
        outcome.ops.iter().for_each(|op| op.apply(&mut state).unwrap());
        assert_eq!(json::write(&state), json::write(&outcome.state), "{body}");
        outcome.ops.iter().rev().for_each(|op| op.inverse().apply(&mut state).unwrap());
        assert_eq!(json::write(&state), json::write(&before), "{body} undone");
    }
}

#[test]
fn consecutive_states_follow_each_other_and_strangers_come_between() {
    let mut js = in_process();
    let mut state = value(r#"{"n":0,"list":[]}"#);
    for turn in 0..50 {
        let body = Source::Body("snapshot.n++; snapshot.list.push(snapshot.n)");
        state = js.run(&state, &crate::support::script(body, &[])).unwrap().state;
        if turn % 7 == 0 {
            assert_eq!(after(&mut js, r#"{"other":true}"#, "snapshot.seen = 1"), r#"{"other":true,"seen":1}"#);
            assert_eq!(after(&mut js, r#"{"other":true}"#, "snapshot.seen = 1; throw 1"), "E-JS-THROW");
        }
    }
    assert_eq!(state.get("n"), Some(&50.into()));
    assert_eq!(state.get("list").unwrap().as_list().unwrap().len(), 50);
}
