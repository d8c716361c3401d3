//! Calls found in whole texts, by dialect.

use storeyline_state::{Value, json};

use crate::{Forced, ParseSettings, parse};

/// Formats every call as `NAME[args] reason`, then the codes.
fn read(text: &str) -> Vec<String> {
    read_with(text, &ParseSettings::default())
}

fn read_with(text: &str, settings: &ParseSettings) -> Vec<String> {
    let parsed = parse(text, settings);
    let calls = parsed.calls.iter().map(|call| {
        let args = json::write(&Value::list(call.args.iter().map(|arg| arg.value.clone()).collect()));
        let reason = call.reason.as_deref().map(|reason| format!(" //{reason}")).unwrap_or_default();
        let repairs: String = call.repairs.iter().map(|repair| format!(" {}", repair.code)).collect();
        format!("{}{args}{reason}{repairs}", call.name)
    });
    calls.chain(parsed.diagnostics.iter().map(|diagnostic| diagnostic.code.clone())).collect()
}

#[test]
fn calls_are_read_from_prose() {
    let cases: &[(&str, &[&str])] = &[
        ("她笑了。@.SET(\"角色.名字\", \"张三\");然后", &["SET[\"角色.名字\",\"张三\"]"]),
        ("@.ADD('金币', -5.50)", &["ADD[\"金币\",-5.5]"]),
        ("@.var.SET(\"a\", 1);", &["SET[\"a\",1]"]),
        ("@.SET(\n  \"a\",\n  {b: [1, 2,], 'c': null}\n);", &["SET[\"a\",{\"b\":[1,2],\"c\":null}]"]),
        ("_.set('a', 1, 2);//因为", &["set[\"a\",1,2] //因为"]),
        ("_.set('a', 2);\n// 不执行 _.set('b', 3);", &["set[\"a\",2] //不执行 _.set('b', 3);"]),
        ("@.SET（“金币”，5）；", &["SET[\"金币\",5] W-FULL-WIDTH W-CURLY-QUOTES"]),
        ("@.SET (金币, 5,)", &["SET[\"金币\",5] W-TRAILING-COMMA W-NO-QUOTES"]),
        ("@.SET(背包[0].名字, 刀)", &["SET[\"背包[0].名字\",\"刀\"] W-NO-QUOTES"]),
        ("@.SET(\"a\", \"@.SET('b', 1);\")", &["SET[\"a\",\"@.SET('b', 1);\"]"]),
        ("@.SET(\"a\", 1 @.ADD(\"b\", 2);", &["SET[\"a\",1] W-BRACKETS", "ADD[\"b\",2]"]),
        ("<think>@.SET(\"a\", 1);</think>@.SET(\"a\", 2);", &["SET[\"a\",2]"]),
        ("/* @.SET(\"a\", 1); */@.SET(\"a\", 2);", &["SET[\"a\",2]"]),
        ("mail me@.example or @.5(1) or @.SET or # set(1) or #1(x)", &[]),
        ("lodash_.set('a', 3);", &["set[\"a\",3]"]),
        ("_.set(\u{200b}'a', 3);", &["set[\"a\",3] W-ESCAPED"]),
        ("@.SET('👨\u{200d}👩', true);", &["SET[\"👨\u{200d}👩\",true]"]),
        ("@.UNSET(\"a\") @.SET(\"b\"", &["UNSET[\"a\"]", "E-CALL-OPEN"]),
        ("#set(\"hero.hp\", 2\n#set(\"hero.mp\", 3)", &["set[\"hero.hp\",2] W-BRACKETS", "set[\"hero.mp\",3]"]),
        ("#set(\"bio\", it's fine)\n#set(\"hp\", 4)", &["set[\"bio\",\"it's fine\"] W-NO-QUOTES", "set[\"hp\",4]"]),
        ("_.set('d', 'oops);\n_.set('b', 3);\n_.set('a', 4);", &["set[\"b\",3]", "set[\"a\",4]", "E-CALL-DAMAGED"]),
        ("_.set('d', 'oops);//说\n_.set('b', 3);", &["set[\"d\",\"oops\"] //说 W-QUOTE", "set[\"b\",3]"]),
        ("_.set('d', \"C:\\\\\"); _.set('e', 2);", &["set[\"d\",\"C:\\\\\"]", "set[\"e\",2]"]),
        ("_.set('a.状' , \"轻伤(左臂)\")；", &["set[\"a.状\",\"轻伤(左臂)\"]"]),
        ("_.set('a', 2));", &["set[\"a\",2]"]),
        ("@.SET(\"a\", [1, 2)", &["SET[\"a\",[1,2]] W-BRACKETS"]),
        ("@.HEAL();", &["HEAL[]"]),
        ("@.ADD(\"金\", 1,500);", &["ADD[\"金\",1500] W-THOUSANDS"]),
        ("@.ADD(\"金\", -12,345,678 )", &["ADD[\"金\",-12345678] W-THOUSANDS"]),
        ("_.set('金',1,500); _.set('金', 1, 500);", &["set[\"金\",1,500]", "set[\"金\",1,500]"]),
        ("@.A(1,500) @.A(\"a\", 1,50) @.A(\"a\", 0,500)", &["A[1,500]", "A[\"a\",1,50]", "A[\"a\",0,500]"]),
        ("@.SET(a[0][1], {{user}})", &["SET[\"a[0][1]\",\"{{user}}\"] W-NO-QUOTES"]),
    ];
    for (text, wanted) in cases {
        assert_eq!(read(text), *wanted, "{text}");
    }
}

#[test]
fn objects_and_tags_are_calls_where_that_is_wanted() {
    let cases: &[(&str, &[&str])] = &[
        ("好 {\"function\": \"SET\", \"args\": [\"a\", 1]} 了", &["SET[\"a\",1]"]),
        (
            "```json\n[{\"function\":\"SET\",\"args\":[\"a\",{\"b\":1}]},\n {args: ['a', 2], function: 'ADD'}]\n```",
            &["SET[\"a\",{\"b\":1}]", "ADD[\"a\",2]"],
        ),
        ("{\"function\": {\"function\": \"SET\", \"args\": []}} {function} { x } {{user}}", &[]),
        ("{\"function\": \"a b\", \"args\": []} {\"function\": \"A\"}", &[]),
        ("{\"function\": \"SET\", \"args\": [\"a\", 1] @.SET(\"b\", 2)", &["SET[\"b\",2]", "E-CALL-OPEN"]),
        (
            "@.SET(\"a\", '{\"function\": \"SET\", \"args\": [\"b\", 1]}')",
            &["SET[\"a\",\"{\\\"function\\\": \\\"SET\\\", \\\"args\\\": [\\\"b\\\", 1]}\"]"],
        ),
        ("<set path=\"角色.名字\">张三</set>", &["set[\"角色.名字\",\"张三\"]"]),
        ("<ADD path='金'> 5 </add><unset path=\"x\"></unset>", &["add[\"金\",5]", "unset[\"x\"]"]),
        ("<set path=\"a\">{\"b\": [1, 2]}</set>", &["set[\"a\",{\"b\":[1,2]}]"]),
        ("<set path=\"a\">x &lt; y &amp; z</set>", &["set[\"a\",\"x < y & z\"]"]),
        ("<set path=\"a\"> 忘了 <set path=\"b\">1</set>", &["set[\"b\",1]", "E-CALL-OPEN"]),
        ("<set> <set path=a>1</set> <settings path=\"a\">1</settings> <b>", &[]),
        ("<think><set path=\"a\">1</set></think>", &[]),
    ];
    let settings = ParseSettings { json_calls: true, tag_calls: true, ..ParseSettings::default() };
    for (text, wanted) in cases {
        assert_eq!(read_with(text, &settings), *wanted, "{text}");
        assert!(text.contains('@') || read(text).is_empty(), "off by default: {text}");
    }
}

#[test]
fn in_line_mode_a_call_in_a_sentence_is_prose() {
    let settings = ParseSettings { line_mode: true, ..ParseSettings::default() };
    let text = "  @.A(1); @.B(2); x @.C(3);\n@.D(\n4)\n她写下 @.E(5)";
    let parsed = parse(text, &settings);
    let names: Vec<&str> = parsed.calls.iter().map(|call| call.name.as_str()).collect();
    assert_eq!(names, ["A", "B", "D"]);
    assert!(parsed.diagnostics.iter().all(|diagnostic| diagnostic.code == "W-CALL-SENTENCE"));
    assert_eq!(parsed.diagnostics.len(), 2);
}

#[test]
fn a_prefix_says_whose_rules_count() {
    let parsed = parse("@.var.A(1) @.sam.A(1) @.A(1) @.DB({$set: {\"a.b\": 1}});", &ParseSettings::default());
    let forced: Vec<_> = parsed.calls.iter().map(|call| (call.name.as_str(), call.forced)).collect();
    assert_eq!(forced, [("A", Some(Forced::Native)), ("A", Some(Forced::Sam)), ("A", None), ("DB", None)]);
    assert_eq!(json::write(&parsed.calls[3].args[0].value), r#"{"$set":{"a.b":1}}"#);
}

#[test]
fn patch_blocks_are_calls_too() {
    let cases: &[(&str, &[&str])] = &[
        (
            "<JSONPatch>[{\"op\":\"replace\",\"path\":\"/a\",\"value\":1},{\"op\":\"remove\",\"path\":\"/b\"}]</JSONPatch>",
            &[
                "replace[{\"op\":\"replace\",\"path\":\"/a\",\"value\":1}]",
                "remove[{\"op\":\"remove\",\"path\":\"/b\"}]",
            ],
        ),
        (
            "<json_patch>\n```json\n[{op: 'delta', path: '/a', value: -4,},]\n```\n</json_patch>",
            &["delta[{\"op\":\"delta\",\"path\":\"/a\",\"value\":-4}]"],
        ),
        (
            "<JSONPatch>{\"op\":\"remove\",\"path\":\"/a\"}</JSONPatch>",
            &["remove[{\"op\":\"remove\",\"path\":\"/a\"}] W-PATCH-FORM"],
        ),
        (
            "<JSONPatch>{\"op\":\"remove\",\"path\":\"/a\"},{\"op\":\"remove\",\"path\":\"/b\"}</JSONPatch>",
            &[
                "remove[{\"op\":\"remove\",\"path\":\"/a\"}] W-PATCH-FORM",
                "remove[{\"op\":\"remove\",\"path\":\"/b\"}] W-PATCH-FORM",
            ],
        ),
        (
            "<JSONPatch>{\"operations\":[{\"op\":\"remove\",\"path\":\"/a\"}]}</JSONPatch>",
            &["remove[{\"op\":\"remove\",\"path\":\"/a\"}] W-PATCH-FORM"],
        ),
        (
            "<JSONPatch> 想 <JSONPatch>[{\"op\":\"remove\",\"path\":\"/a\"}]</JSONPatch>",
            &["remove[{\"op\":\"remove\",\"path\":\"/a\"}]"],
        ),
        (
            "<JSONPatch>[{\"op\":\"remove\",\"path\":\"/a\"}, {\"op\":\"replace\",\"pa",
            &["remove[{\"op\":\"remove\",\"path\":\"/a\"}]", "E-PATCH-BROKEN"],
        ),
        (
            "<JSONPatch>[{\"op\":\"remove\"},{\"op\":\"remove\",\"path\":\"/a\"}]</JSONPatch>",
            &["remove[{\"op\":\"remove\",\"path\":\"/a\"}]", "E-PATCH-OP"],
        ),
        (
            "<JSONPatch>\n- op: replace\n  path: /a\n  value: 8\n- op: insert\n  path: /l/-\n  value: 甲\n</JSONPatch>",
            &[
                "replace[{\"op\":\"replace\",\"path\":\"/a\",\"value\":8}] W-PATCH-FORM",
                "insert[{\"op\":\"insert\",\"path\":\"/l/-\",\"value\":\"甲\"}] W-PATCH-FORM",
            ],
        ),
        ("<JSONPatch>今天没有变化</JSONPatch>", &["E-PATCH-READ"]),
        ("<JSONPatch>[]</JSONPatch>", &[]),
        ("<think>{\"op\": 1}</think>```json\n[{\"op\":\"remove\",\"path\":\"/a\"}]\n```", &["E-PATCH-TAG"]),
        (
            "<UpdateVariable>\n```json\n[{\"op\":\"REMOVE\",\"path\":\"/a\"}]\n```\n</UpdateVariable>",
            &["remove[{\"op\":\"REMOVE\",\"path\":\"/a\"}]"],
        ),
        (
            "<JSONPatch>[{\"op\":\"replace\",\"path\":\"/s\",\"value\":\"写 _.set('a', 5); 即可\"}]</JSONPatch>",
            &["replace[{\"op\":\"replace\",\"path\":\"/s\",\"value\":\"写 _.set('a', 5); 即可\"}]"],
        ),
    ];
    for (text, wanted) in cases {
        assert_eq!(read(text), *wanted, "{text}");
    }
}

#[test]
fn a_span_covers_the_call_and_its_semicolon() {
    let text = "金 @.SET(\"a\", 1) ; x";
    let parsed = parse(text, &ParseSettings::default());
    assert_eq!(&text[parsed.calls[0].span.clone()], "@.SET(\"a\", 1) ;");
}

#[test]
fn a_call_of_half_a_megabyte_is_dropped_and_the_next_is_read() {
    let text = format!("@.SET(\"a\", \"{}\");@.SET(\"b\", 1);", "x".repeat(500_000));
    assert_eq!(read(&text), ["SET[\"b\",1]", "E-CALL-LONG"]);
}

#[test]
fn hostile_text_is_bounded() {
    let texts = [
        "@.A(".repeat(50_000),
        "@.A([".repeat(50_000),
        "@.A(\"".repeat(50_000),
        "@.A(1)".repeat(50_000),
        format!("@.A(a{})", "[0]b".repeat(50_000)),
        format!("@.A({})", "[".repeat(50_000)),
        format!("@.A({}1{})", "[".repeat(150), "]".repeat(150)),
        "<JSONPatch>".repeat(50_000),
        "<JSONPatch></JSONPatch>".repeat(50_000),
        format!("<JSONPatch>[{}]</JSONPatch>", ["{}"; 50_000].join(",")),
        format!("<JSONPatch>[{}]</JSONPatch>", [r#"{"op":"remove","path":"/a"}"#; 5_000].join(",")).repeat(2),
        format!("@.A(`{}` {})", "x".repeat(100_000), "x，".repeat(30_000)),
        format!("@.A(a,{}{})", " ".repeat(100_000), "x，".repeat(30_000)),
        format!("<JSONPatch>{}", "[{".repeat(50_000)),
        "/*".repeat(50_000),
        "<think>".repeat(50_000),
    ];
    for text in texts {
        let parsed = parse(&text, &ParseSettings::default());
        assert!(parsed.calls.len() <= crate::MAX_CALLS);
        assert!(parsed.diagnostics.len() <= super::MAX_BROKEN + 1);
    }
}

#[test]
fn ops_beyond_the_limit_are_reported() {
    let ops = vec![r#"{"op":"remove","path":"/a"}"#; crate::MAX_CALLS + 5].join(",");
    let parsed = parse(&format!("<JSONPatch>[{ops}]</JSONPatch> @.SET(\"a\", 1)"), &ParseSettings::default());
    assert_eq!(parsed.calls.len(), crate::MAX_CALLS);
    assert_eq!(parsed.diagnostics.iter().map(|d| d.code.as_str()).collect::<Vec<_>>(), ["E-CALL-MANY"]);
}
