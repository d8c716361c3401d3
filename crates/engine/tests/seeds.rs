//! The samples of the seed documents (`corpus/seeds/samples.md`) must do what the documents say.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use storeyline_engine::Rules;
use storeyline_engine::authors::{
    Library, Profile, Scope, exchange, prompt_text, read_library_text, taught, try_message,
};
use storeyline_engine::scripts::InProcess;
use storeyline_state::{Value, json};

/// One fence: what stands after the marks, and its lines.
struct Fence<'a> {
    kind: &'a str,
    words: Vec<&'a str>,
    text: String,
}

fn fences(section: &str) -> Vec<Fence<'_>> {
    let mut fences = Vec::new();
    let mut lines = section.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let mut words = info.split_whitespace();
        let kind = words.next().unwrap();
        let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        fences.push(Fence { kind, words: words.collect(), text: text.join("\n") });
    }
    fences
}

/// The library of a section: imported files and single functions, all switched on.
fn library(fences: &[Fence<'_>]) -> Library {
    let mut library = Library::default();
    let mut pattern = None;
    for fence in fences {
        match fence.kind {
            "pattern" => pattern = Some(fence.text.clone()),
            "library" => {
                let imported = exchange::import(&read_library_text(&fence.text).unwrap(), Scope::Global, String::new);
                assert!(imported.problems.is_empty(), "{:?}", imported.problems);
                library.functions.extend(imported.library.functions);
                library.rules.extend(imported.library.rules);
            }
            "executor" => {
                let entries = [
                    ("name", Value::text(fence.words[0])),
                    ("type", Value::text(fence.words[1])),
                    ("pattern", pattern.take().map_or(Value::Null, Value::text)),
                    ("executor", Value::text(&fence.text)),
                ];
                let entry = Value::object(entries.map(|(key, value)| (key.into(), value)).into_iter().collect());
                library.functions.extend(exchange::read(&entry, Scope::Global).library.functions);
            }
            _ => {}
        }
    }
    for (index, function) in library.functions.iter_mut().enumerate() {
        function.enabled = true;
        function.id = index.to_string();
    }
    library.rules.iter_mut().for_each(|rule| rule.enabled = true);
    library
}

#[test]
fn every_sample_does_what_its_document_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/seeds/samples.md");
    let text = std::fs::read_to_string(path).unwrap();
    let mut scripts = InProcess::default();
    let mut count = 0;
    for section in text.split("\n## ").skip(1) {
        let title = section.lines().next().unwrap();
        let fences = fences(section);
        let one = |kind: &str| fences.iter().find(|fence| fence.kind == kind);
        if let Some(prompt) = one("prompt") {
            let others = taught(Profile::Native).iter().map(|builtin| builtin.name.to_owned());
            let off = others.filter(|name| !prompt.words.contains(&name.as_str())).collect();
            let text = prompt_text(Profile::Native, &Library { off, ..Library::default() }, true, None);
            assert_eq!(text.trim_end(), prompt.text, "{title}");
            count += 1;
            continue;
        }
        let state = json::read(&one("state").unwrap().text).unwrap();
        let rules = Rules { library: library(&fences), ..Rules::default() };
        let done = try_message(&state, &one("message").unwrap().text, &rules, &mut scripts).unwrap();
        assert_eq!(json::write(&done.state), one("result").unwrap().text, "{title}: {:?}", done.trace);
        assert_eq!(done.trace.failed(), 0, "{title}: {:?}", done.trace);
        count += 1;
    }
    assert_eq!(count, 17, "no sample was lost");
}

#[test]
fn a_condition_that_asks_for_what_is_not_there_is_told_so() {
    let state = json::read(r#"{"n":0}"#).unwrap();
    let tried = |condition: &str| {
        let rule = [
            ("name", Value::text("规则")),
            ("trigger", "after_parse".into()),
            ("condition", Value::text(condition)),
            ("actions", json::read(r#"[{"function":"ADD","args":["n",1]}]"#).unwrap()),
        ];
        let file = Value::list(vec![Value::object(rule.map(|(key, value)| (key.into(), value)).into_iter().collect())]);
        let rules = Rules { library: exchange::read(&file, Scope::Global).library, ..Rules::default() };
        let done = try_message(&state, "雨", &rules, &mut InProcess::default()).unwrap();
        let told: Vec<String> =
            done.trace.all_diagnostics().map(|found| format!("{} {}", found.code, found.message.en)).collect();
        (json::write(&done.state), told.join("\n"))
    };
    for condition in [
        "(ctx) => ctx.chat.length > 0",
        "ctx => ctx.chat?.length",
        "({ chat, snapshot }) => !chat",
        "function (ctx) { return !ctx['chat']; }",
        "context.chat",
        "!context.characters",
    ] {
        let (state, told) = tried(condition);
        assert_eq!(state, r#"{"n":0}"#, "{condition}");
        assert!(told.starts_with("E-JS-CONTEXT ") && told.contains("speaker, user"), "{condition}: {told}");
    }
    for condition in [
        "(ctx) => ctx.snapshot.n === 0 && ctx.text === '雨' && ctx.role === 'assistant'",
        "({ floor, messageId, calls }) => floor === 0 && messageId === 0 && calls.length === 0",
        "(ctx) => Object.keys(ctx).includes('speaker') && !('chat' in ctx)",
        "snapshot.n === 0 && context.profile === 'native'",
        "JSON.stringify(context).includes('native') && _.get(context, 'role') === 'assistant'",
    ] {
        assert_eq!(tried(condition), (r#"{"n":1}"#.to_owned(), String::new()), "{condition}");
    }
}

#[test]
fn a_library_in_the_notation_of_javascript_may_end_as_a_statement_does() {
    let file = "[\n  // 恢复\n  { name: 'HEAL', executor: (s) => s },\n]";
    let wanted = json::write(&read_library_text(file).unwrap());
    for end in [";", ";\n", " ;\r\n;\n"] {
        assert_eq!(json::write(&read_library_text(&format!("{file}{end}")).unwrap()), wanted, "{end:?}");
    }
    assert!(read_library_text(";").is_err());
}
