//! Generates calls of every dialect: most are sensible, all are possible.

use crate::random::Random;

const AT_NAMES: [&str; 38] = [
    "SET",
    "ADD",
    "SUB",
    "APPEND",
    "REMOVE",
    "ASSIGN",
    "UNSET",
    "TIME",
    "TIME_ADD",
    "INSERT",
    "MOVE",
    "PUSH_UNIQUE",
    "PULL",
    "SELECT_SET",
    "SELECT_ADD",
    "SELECT_UPDATE",
    "SELECT_DEL",
    "DEL",
    "UPDATE",
    "DELETE",
    "INCSET",
    "INCADD",
    "REBASE",
    "SWAP",
    "TIMED_SET",
    "CANCEL_SET",
    "EVAL",
    "SUMMARY",
    "RESPONSE_SUMMARY",
    "EVENT_BEGIN",
    "EVENT_END",
    "EVENT_ADD_PROC",
    "EVENT_ADD_DEFN",
    "EVENT_ADD_MEMBER",
    "EVENT_SUMMARY",
    "DICT_DEL",
    "治疗",
    "FLY",
];

const HASH_NAMES: [&str; 9] =
    ["set", "SET", "add", "ADD", "push_unique", "select_set", "select_add", "delete", "increment"];

const UNDERSCORE_NAMES: [&str; 7] = ["set", "insert", "assign", "remove", "unset", "delete", "add"];

const UPDATES: [&str; 13] =
    ["set", "unset", "inc", "mul", "min", "max", "push", "addToSet", "pop", "pull", "rename", "move", "nothing"];

const PATCH_OPS: [&str; 20] = [
    "replace",
    "add",
    "remove",
    "move",
    "copy",
    "copy",
    "test",
    "delta",
    "inc",
    "mul",
    "min",
    "max",
    "push",
    "addToSet",
    "pull",
    "pop",
    "insert",
    "forced_set",
    "time",
    "fly",
];

const PATHS: [&str; 40] = [
    "a",
    "l",
    "l[0]",
    "l[1]",
    "l[4]",
    "l[999]",
    "l[1].id",
    "l[-1]",
    "l.name",
    "o",
    "o.x",
    "o._r",
    "o.m.l",
    "o.0",
    "n[1][1]",
    "hp",
    "new",
    "new.deep[0].er",
    "static.a",
    "static",
    "stat_data.a",
    "",
    "__proto__.x",
    "constructor.prototype",
    "time",
    "a.b",
    "a[\"b.c\"]['d']",
    "[0]",
    "k7",
    "o.k79",
    "10",
    "4294967295",
    "主角.金币",
    "主角.背包",
    "同伴[0].好感",
    "hero.hp",
    "foes[0].loot",
    "世界.时间",
    "a..b.",
    "volatile",
];

const POINTERS: [&str; 18] = [
    "/a",
    "/l",
    "/l/0",
    "/l/-",
    "/l/2",
    "/l/-1",
    "/o/_r",
    "/o",
    "/n/1/1",
    "/new/x/-",
    "a",
    "",
    "/",
    "/static/a",
    "/主角/金币",
    "/a~1b~0c",
    "/__proto__/x",
    "/new",
];

const VALUES: [&str; 48] = [
    "0",
    "1",
    "-1",
    "2.5",
    "1e300",
    "-1e-300",
    "1E+5",
    "99999999999999999999999999999999",
    "0.1",
    "007",
    "+5",
    "0xFF",
    "1,500",
    "1/0",
    "9^9^9",
    "Math.max(1, 2)",
    "3 > 2 ? 1 : 0",
    "NaN",
    "Infinity",
    "\"x\"",
    "'x'",
    "`x\ny`",
    "“x”",
    "‘x’",
    "\"1\"",
    "\"\"",
    "\"a\\\"b\\\\\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud83d\"",
    "\"\\u12\"",
    "null",
    "true",
    "undefined",
    "[1,2]",
    "[]",
    "{}",
    "{\"id\":1}",
    "{\"_r\":9,\"x\":1}",
    "{\"$each\":[1,2]}",
    "{a: [1, {b: '金'}], // c\n d: null,}",
    "[1,2;3,4]",
    "bare word",
    "it's",
    "{{user}}",
    "\"{{char}}\"",
    "\"2030-01-02\"",
    "\"2024年10月26日 20:00\"",
    "",
];

const PROSE: [&str; 14] = [
    "\n",
    " ",
    "她笑了。",
    "The door opens, and it's late.\n",
    "<think>",
    "</think>",
    "<!-- ",
    " -->",
    "/* ",
    " */",
    "```json\n",
    "\n```\n",
    "$$$$$$data_block$$$$$$",
    "1 < 2 @ # _ .",
];

/// Generates a message of a few calls with prose between them.
pub(crate) fn message(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..1 + random.below(6) {
        if random.once_in(3) {
            let prose = *random.pick(&PROSE);
            text.push_str(prose);
        }
        text.push_str(&call(random));
        text.push_str(if random.once_in(2) { "\n" } else { " " });
    }
    text
}

/// Generates one call.
pub(crate) fn call(random: &mut Random) -> String {
    match random.below(16) {
        0..=5 => {
            let prefix = *random.pick(&["@.", "@.", "@.", "@.", "@.var.", "@.sam.", "\n@."]);
            let name = *random.pick(&AT_NAMES);
            marked(random, prefix, name)
        }
        6..=8 => {
            let name = *random.pick(&UNDERSCORE_NAMES);
            let call = marked(random, "_.", name);
            if random.once_in(3) { format!("{call}//because, 因为") } else { call }
        }
        9 => {
            let name = *random.pick(&HASH_NAMES);
            marked(random, "#", name)
        }
        10 => update(random),
        11 => object_call(random),
        12 => format!("<set path=\"{}\">{}</set>", random.pick(&PATHS), random.pick(&VALUES)),
        _ => patch(random),
    }
}

fn marked(random: &mut Random, mark: &str, name: &str) -> String {
    let mut args = vec![quoted(random)];
    let more = *random.pick(&[1, 1, 1, 1, 1, 0, 2, 3, 4, 4]);
    for _ in 0..more {
        args.push(if random.once_in(4) { quoted(random) } else { value(random) });
    }
    let comma = *random.pick(&[", ", ",", ", ", "，", " ,\n"]);
    let (open, close) = *random.pick(&[("(", ");"), ("(", ")"), ("(", ");"), ("（", "）；"), (" (", ")")]);
    format!("{mark}{name}{open}{}{close}", args.join(comma))
}

fn quoted(random: &mut Random) -> String {
    let path = *random.pick(&PATHS);
    let (open, close) = *random.pick(&[("\"", "\""), ("'", "'"), ("\"", "\""), ("`", "`"), ("“", "”"), ("", "")]);
    format!("{open}{path}{close}")
}

fn value(random: &mut Random) -> String {
    match random.below(40) {
        0 => "9".repeat(1 + random.below(600)),
        1 => {
            let depth = 1 + random.below(130);
            format!("{}1{}", "[".repeat(depth), "]".repeat(depth))
        }
        2 => {
            let depth = 1 + random.below(60);
            format!("{}1{}", "{\"k\":".repeat(depth), "}".repeat(depth))
        }
        3 => format!("\"{}\"", "长k".repeat(random.below(300))),
        _ => (*random.pick(&VALUES)).to_owned(),
    }
}

fn update(random: &mut Random) -> String {
    let fields: Vec<String> =
        (0..1 + random.below(3)).map(|_| format!("\"{}\": {}", random.pick(&PATHS), random.pick(&VALUES))).collect();
    format!("@.DB({{\"${}\": {{{}}}}});", random.pick(&UPDATES), fields.join(", "))
}

fn object_call(random: &mut Random) -> String {
    let name = random.pick(&AT_NAMES);
    let (path, value) = (random.pick(&PATHS), random.pick(&VALUES));
    format!("{{\"function\": \"{name}\", \"args\": [\"{}\", {value}]}}", path.replace('"', "\\\""))
}

fn patch(random: &mut Random) -> String {
    let (open, close) =
        *random.pick(&[("<JSONPatch>", "</JSONPatch>"), ("<json_patch>", "</json_patch>"), ("<JSONPatch>", "")]);
    if random.once_in(5) {
        return format!("{open}\n{}{close}", yaml_ops(random));
    }
    let ops: Vec<String> = (0..1 + random.below(6)).map(|_| patch_op(random)).collect();
    let ops = ops.join(*random.pick(&[",", ",\n", "，"]));
    let body = match random.below(7) {
        0 => ops,
        1 => format!("{{\"operations\":[{ops}]}}"),
        2 => format!("```json\n[{ops}]\n```"),
        3 => format!("[{ops},]"),
        4 => format!("[{ops}, {{\"op\":\"rep"),
        _ => format!("[{ops}]"),
    };
    format!("{open}{body}{close}")
}

fn patch_op(random: &mut Random) -> String {
    let (op, path, from) = (random.pick(&PATCH_OPS), random.pick(&POINTERS), *random.pick(&POINTERS));
    if random.once_in(8) {
        // A list that is copied into itself repeatedly.
        let again = format!("{{\"op\":\"copy\",\"from\":\"{from}\",\"path\":\"{from}/-\"}}");
        return vec![again; 1 + random.below(40)].join(",");
    }
    let value = value(random);
    match random.below(4) {
        0 => format!("{{\"op\":\"{op}\",\"path\":\"{path}\"}}"),
        1 => format!("{{\"op\":\"{op}\",\"from\":\"{from}\",\"path\":\"{path}\"}}"),
        _ => format!("{{\"op\":\"{op}\",\"path\":\"{path}\",\"value\":{value}}}"),
    }
}

fn yaml_ops(random: &mut Random) -> String {
    let op = |random: &mut Random| {
        let (op, path) = (random.pick(&PATCH_OPS), random.pick(&POINTERS));
        format!("- op: {op}\n  path: {path}\n  value: {}\n", random.pick(&VALUES))
    };
    (0..1 + random.below(3)).map(|_| op(random)).collect()
}
