//! Measures nanoseconds per byte for parsing texts of 1 KB, 100 KB and 10 MB: prose, calls, and the
//! fragments that are worst for a scanner.
//!
//! Time is linear if the figures of a row do not grow; a row that grows is named at the end, and
//! the bench fails.
//!
//! `cargo bench -p storeyline-calls --bench linear [-- PART OF A NAME]`

#![expect(clippy::print_stdout, reason = "it prints its table")]

use std::hint::black_box;
use std::time::Instant;

use storeyline_calls::{ParseSettings, loose, parse};

const SIZES: [usize; 3] = [1_000, 100_000, 10_000_000];

/// Allowed growth of the cost per byte. From 100 KB to 10 MB quadratic work would grow by 100;
/// cache misses alone cost less than this.
const MOST_GROWTH: f64 = 5.0;

/// A fragment that is repeated until the text is long enough, with a prefix and a suffix.
struct Shape {
    name: &'static str,
    before: &'static str,
    again: &'static str,
    after: &'static str,
}

const fn only(again: &'static str) -> Shape {
    Shape { name: again, before: "", again, after: "" }
}

const fn within(name: &'static str, before: &'static str, again: &'static str, after: &'static str) -> Shape {
    Shape { name, before, again, after }
}

const PROSE: &str =
    "她把灯芯挑亮，雨声忽然远了。“你真的要走？”他问。The door was open; it was 3:06, and nobody spoke.\n\n";

const SHAPES: &[Shape] = &[
    within("prose", "", PROSE, ""),
    within(
        "calls",
        "",
        "她笑了。@.ADD(\"角色.金币\", 5); _.set('a.b', 1, 2);//因为\n@.SET(\"背包[0]\", {\"名\": \"刀\", \"n\": [1, 2]});\n",
        "",
    ),
    within(
        "a patch",
        "<JSONPatch>[",
        "{\"op\":\"replace\",\"path\":\"/a/b\",\"value\":{\"x\":[1,\"y\"]}},",
        "{\"op\":\"remove\",\"path\":\"/z\"}]</JSONPatch>",
    ),
    within(
        "a patch with loose values",
        "<JSONPatch>[",
        "{op:'replace',path:'/a/b',value:{x:[1,'y']}},",
        "]</JSONPatch>",
    ),
    within("a patch that is cut off", "<JSONPatch>[", "{op:'replace',path:'/a/b',value:{x:[1,'y']}},", "{"),
    within("a patch in YAML", "<JSONPatch>\n", "- op: replace\n  path: /a\n  value: 甲\n", "</JSONPatch>"),
    within("one op in YAML with many keys", "<JSONPatch>\n- op: a\n", "  k: v\n", "</JSONPatch>"),
    within("patch, full-width commas", "<JSONPatch>[", "x，", "]</JSONPatch>"),
    within("patch, blanks, then full-width commas", "<JSONPatch>[", "          ，", "]</JSONPatch>"),
    within("patch, [", "<JSONPatch>", "[", ""),
    within("patch, {", "<JSONPatch>", "{", ""),
    within("patch, {a:", "<JSONPatch>[", "{a:", "]</JSONPatch>"),
    within(
        "patch, [] again",
        "<JSONPatch>[",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]],",
        "]</JSONPatch>",
    ),
    within("patch, comments", "<JSONPatch>[", "/* */", "{\"op\":\"remove\",\"path\":\"/z\"}]</JSONPatch>"),
    within("patch, open comments", "<JSONPatch>[", "{/* ", "]</JSONPatch>"),
    within("patch, // ", "<JSONPatch>[", "//\n", "]</JSONPatch>"),
    within("patch, quotes", "<JSONPatch>[", "'", "]</JSONPatch>"),
    within("patch, dashes", "<JSONPatch>[", "- ", "]</JSONPatch>"),
    within("patch, powers", "<JSONPatch>[{a:[", "1^999,", "]}]</JSONPatch>"),
    within("patch, matrix", "<JSONPatch>[{a:[", "1;", "]}]</JSONPatch>"),
    within("patch, number", "<JSONPatch>[{a:", "9", "}]</JSONPatch>"),
    within("patch, backslashes", "<JSONPatch>[{a:'", "\\", "'}]</JSONPatch>"),
    within(
        "damage: no commas between ops",
        "<JSONPatch>[",
        "{\"op\":\"replace\",\"path\":\"/a/b\",\"value\":{\"x\":[1,\"y\"]}}\n",
        "]</JSONPatch>",
    ),
    within(
        "damage: no commas at all",
        "<JSONPatch>[",
        "{\"op\":\"replace\" \"path\":\"/a/b\" \"value\":{\"x\":[1 \"y\"]}}\n",
        "]</JSONPatch>",
    ),
    within(
        "damage: no closing brackets",
        "<JSONPatch>[",
        "{\"op\":\"replace\",\"path\":\"/a/b\",\"value\":{\"x\":[1,\"y\",\n",
        "]</JSONPatch>",
    ),
    within(
        "damage: no opening brackets",
        "<JSONPatch>[",
        "\"op\":\"replace\",\"path\":\"/a/b\",\"value\":1},\n",
        "]</JSONPatch>",
    ),
    within(
        "damage: no closing quotes",
        "<JSONPatch>[",
        "{\"op\":\"replace\",\"path\":\"/a/b\",\"value\":\"x},\n",
        "]</JSONPatch>",
    ),
    within(
        "damage: no opening quotes",
        "<JSONPatch>[",
        "{\"op\":\"replace\",\"path\":\"/a/b\",\"value\":x\"},\n",
        "]</JSONPatch>",
    ),
    within(
        "damage: inner quotes",
        "<JSONPatch>[",
        "{\"op\":\"replace\",\"path\":\"/a/b\",\"value\":\"他说\"好\"了\"},\n",
        "]</JSONPatch>",
    ),
    within(
        "damage: one text of inner quotes",
        "<JSONPatch>[{\"op\":\"replace\",\"path\":\"/a/b\",\"value\":\"",
        "他\"说",
        "\"}]</JSONPatch>",
    ),
    within(
        "damage: one list of open texts",
        "<JSONPatch>[{\"op\":\"replace\",\"path\":\"/a/b\",\"value\":[",
        "\"a, ",
        "]}]</JSONPatch>",
    ),
    within(
        "damage: one list without commas",
        "<JSONPatch>[{\"op\":\"replace\",\"path\":\"/a/b\",\"value\":[",
        "\"a\" 1 null ",
        "]}]</JSONPatch>",
    ),
    within(
        "damage: other quotes",
        "<JSONPatch>[",
        "{'op\":'replace\",'path\":'/a/b\",'value\":'x\"},\n",
        "]</JSONPatch>",
    ),
    within(
        "damage: open quotes of one kind",
        "<JSONPatch>[",
        "{\"op\":\"replace\",\"path\":\"/a\",\"value\":'x},\n",
        "'}]</JSONPatch>",
    ),
    within("damage: keys without objects", "<JSONPatch>[", "\"op\": ", "]</JSONPatch>"),
    within("damage: keys and open texts", "<JSONPatch>[", "\"op\": \"x [ ", "]</JSONPatch>"),
    within(
        "damage: escaped",
        "<JSONPatch>[",
        "{\\\"op\\\":\\\"replace\\\",\\\"path\\\":\\\"/a\\\",\\\"value\\\":1},",
        "]</JSONPatch>",
    ),
    within(
        "damage: entities",
        "<JSONPatch>[",
        "{&quot;op&quot;:&quot;remove&quot;,&quot;path&quot;:&quot;/a&quot;},",
        "]</JSONPatch>",
    ),
    within("damage: open comments", "<JSONPatch>[", "{\"op\":\"x\"/*\"", "]</JSONPatch>"),
    within("damage: bare list", "<UpdateVariable>[", "{op:remove,path:/a},", "]</UpdateVariable>"),
    only("<UpdateVariable>"),
    only("<UpdateVariable>{\"op\""),
    only("_.set('a', 'x\n"),
    only("_.set('a', 'x);\n"),
    only("_.set('a, 1);\n"),
    only("_.set('a' 1;\n"),
    only("_.set('a', {\"x\": [1, \"y\"\n"),
    only("_.Set(&#39;a&#39;, &quot;b&quot;);\n"),
    only("lodash.set(\\'a\\', 1 -> 2\n"),
    only("set('a', "),
    only("add("),
    only("_.push('a', 1)"),
    within("a damaged call, many arguments", "_.set(", "'a' ", "\n"),
    within("a damaged call, doubled quotes", "_.set('a', '", "a''b", "\n"),
    within("a damaged call, semicolons", "_.set('a'", "; 1", ")\n"),
    within("a damaged call, marks", "_.set('a'", "}", ")\n"),
    within("a damaged call, quotes", "_.set('a', \"", "他\"说", ");"),
    within("a damaged call, open texts", "_.set('a', [", "'a, ", ");"),
    within("a damaged call, slashes", "_.set('a', '", "//", ");"),
    within("a call, full-width commas", "@.SET('a', ", "x，", ")"),
    within("a call, blanks and commas", "@.SET('a',                                        ", "  ，", ")"),
    within("a call, dashes", "@.SET('a', ", "- ", ")"),
    within("a call, [", "@.SET('a', ", "[", ")"),
    within("a call, lines", "@.SET('a', \n", "\n  @.a", ")"),
    within(
        "calls with 250 KB, never closed",
        "",
        "@.SET('a', xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
        "",
    ),
    only("/* "),
    only("*/ /* "),
    only("<think>"),
    only("</think>"),
    only("<think></thinking>"),
    only("@.SET("),
    only("@.SET('a', "),
    only("@.SET('a', '"),
    only("@.SET(\"a\", [1, 2);"),
    only("@.SET()"),
    only("@.x "),
    only("@."),
    only("@.a_"),
    only("#a("),
    only("#a()"),
    only("#a "),
    only("_.set("),
    only("_.set('a', 1);"),
    only("<JSONPatch>"),
    only("<JSONPatch></JSONPatch>"),
    only("<JSONPatch>[]</JSONPatch>"),
    only("<JSONPatch>[{}]</JSONPatch>"),
    only("<JSONPatch>[1]</json_patch>"),
    only("[[[["),
    only("\\"),
    only("'"),
    only("“"),
    only("$$$$$$data_block$$$$$$"),
    only("$$$$$$data_block$$$$$$ $$$$$$data_block_end$$$$$$"),
    only("$"),
    only("<!--"),
    only("<!-- -->"),
    only("<!--<|state|>"),
    only("<SAMCheckpoint>"),
    only("```"),
    only("<"),
    only("/"),
    only(" "),
    only("\n"),
    only("金"),
    only("{\"function\": \"SET\", \"args\": [\"a\", 1]}"),
    only("{\"function\": "),
    within("{\"function\": …}", "", "{\"function\": {", "}"),
    within("objects in objects", "{\"function\": [", "{\"function\": 1},", "]}"),
    only("{"),
    only("<set path=\"a\">1</set>"),
    only("<set path=\"a\">"),
    within("a tag around many", "<set path=\"a\">", "<b>", "</set>"),
    only("<set path=\""),
    only("<set "),
];

/// Initial variables of a card, parsed on their own.
const DOCUMENTS: &[Shape] = &[
    within("variables, exact", "{", "\"k\": \"v\", \"n\": [1, 2],", "\"z\": 1}"),
    within("variables, no commas", "{", "\"k\": 1 \"l\": \"v\" ", "}"),
    within("variables, no quotes", "{", "k: v\n", "}"),
    within("variables, no closing quotes", "{", "\"k\": \"v, ", "}"),
    within("variables, inner quotes", "{", "\"k\": \"v\"1\"x\", ", "}"),
    within("variables, numbers without commas", "{\"k\": [", "1 ", "]}"),
    within("variables, long numbers without commas", "{", "\"k\": 0.00000000000000000000000000000000000000001 ", "}"),
    within("variables, sums without commas", "{", "\"k\": (1+2) ", "}"),
    within("variables, negative numbers without commas", "{\"k\": [", "-1 ", "]}"),
    within("variables, words without commas", "{", "\"k\": v ", "}"),
    within("variables, objects without commas", "[", "{a: 1} ", "]"),
    within("variables, texts without commas", "[", "'a' ", "]"),
    within("variables, open texts before blanks", "{", "\"k\": \"v\n", "                                "),
    within("variables, macros", "{", "k: {{user}} ", "}"),
    within("variables, open macros", "{k: ", "{{user ", "}"),
    within("variables, equals signs", "{", "k = \"v\"\n", "}"),
    within("variables, open functions", "{", "k: x => \"v\n", "}"),
    within("variables, functions", "{", "k: (a, b) => { return 'v'; },\n", "}"),
    within("variables, open brackets", "", "{\"k\": [", ""),
];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let is_wanted = |shape: &Shape| wanted.is_empty() || wanted.iter().any(|word| shape.name.contains(word));
    let mut growing = Vec::new();
    println!("| text | 1 KB | 100 KB | 10 MB | calls in 10 MB |\n|---|---|---|---|---|");
    let messages = SHAPES.iter().map(|shape| (shape, message as Read));
    let documents = DOCUMENTS.iter().map(|shape| (shape, document as Read));
    for (shape, read) in messages.chain(documents).filter(|(shape, _)| is_wanted(shape)) {
        let [(small, _), (middle, _), (large, calls)] = SIZES.map(|size| time(shape, read, size));
        let name = shape.name.replace('\n', "\\n").replace('|', "\\|");
        println!("| `` {name} `` | {small:.1} | {middle:.1} | {large:.1} | {calls} |");
        if large > MOST_GROWTH * middle {
            growing.push(name);
        }
    }
    assert!(growing.is_empty(), "not linear: {growing:?}");
}

/// Parses a text and returns the number of calls.
type Read = fn(&str) -> usize;

fn message(text: &str) -> usize {
    let settings =
        ParseSettings { skip_html_comments: true, json_calls: true, tag_calls: true, ..ParseSettings::default() };
    parse(text, &settings).calls.len()
}

fn document(text: &str) -> usize {
    usize::from(black_box(loose::read(text, 100)).is_ok())
}

/// Returns nanoseconds per byte, the best of several runs, and the number of calls.
fn time(shape: &Shape, read: Read, size: usize) -> (f64, usize) {
    let text = format!("{}{}{}", shape.before, shape.again.repeat(size / shape.again.len()), shape.after);
    let mut best = f64::INFINITY;
    let mut calls = 0;
    let rounds = (2_000_000 / size).clamp(1, 200);
    for _ in 0..rounds {
        let start = Instant::now();
        calls = black_box(read(black_box(&text)));
        best = best.min(start.elapsed().as_nanos() as f64);
    }
    (best / text.len() as f64, calls)
}
