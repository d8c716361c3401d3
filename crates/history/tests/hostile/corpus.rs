//! Starting points from the peers' recorded cases: messages, and templates as states.

use storeyline_state::{Value, json};

/// Texts and states of the corpus, and some states that no card would have.
pub(crate) struct Corpus {
    pub(crate) messages: Vec<String>,
    /// States to evaluate on. Their hashes are cached, as they are in a story.
    pub(crate) states: Vec<Value>,
    /// Templates with MVU's locks.
    pub(crate) locked: Vec<Value>,
}

const FILES: [&str; 3] = ["mvu", "sam", "varsystem"];

const OWN_STATES: [&str; 6] = [
    "{}",
    "null",
    "[1,[2,{\"a\":3}]]",
    r#"{"a":1,"l":[1,{"id":1,"q":2},null,"x",1],"o":{"x":"t","_r":1,"m":{"l":[]}},"n":[[1,2],[3,[4,5]]],"a.b":7,"10":1,"9":2}"#,
    r#"{"static":{"a":1,"l":["x","y"],"o":{"hp":5,"0":"z"}},"uniquely_identified":true,"disable_dtype_mutation":true,
        "time":"2030-01-01T00:00:00Z","volatile":[["a",5,false,1,"r"],["o.hp",0,true,"2030-01-01T00:00:00.000Z","d"],7]}"#,
    r#"{"static":[1],"volatile":{},"events":5,"responseSummary":7,"event_counter":"x","time":3}"#,
];

impl Corpus {
    pub(crate) fn read() -> Corpus {
        let mut corpus = Corpus { messages: Vec::new(), states: Vec::new(), locked: Vec::new() };
        for file in FILES {
            let path = format!("{}/../../corpus/peers/{file}.jsonl", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).unwrap();
            text.lines().for_each(|line| corpus.take(&json::read(line).unwrap()));
        }
        corpus.states.extend(OWN_STATES.map(|state| json::read(state).unwrap()));
        corpus.states.push(wide());
        corpus.states.dedup();
        for state in corpus.states.iter().chain(&corpus.locked) {
            state.hash();
        }
        corpus
    }

    fn take(&mut self, case: &Value) {
        let several = case.get("messages").and_then(Value::as_list).unwrap_or_default();
        let messages = several.iter().chain(case.get("message")).filter_map(Value::as_text);
        self.messages.extend(messages.map(str::to_owned));
        let template = case.get("base_data").or(case.get("template")).unwrap().clone();
        match case.get("mode").and_then(Value::as_text) {
            Some("initvar") => self.locked.push(template),
            _ => self.states.push(template),
        }
    }
}

/// An object and a list that are wide enough for the tree representation.
fn wide() -> Value {
    let keys: Vec<String> = (0..80).map(|n| format!("\"k{n}\":{n}")).collect();
    let items: Vec<String> = (0..60).map(|n| format!("{{\"id\":{n}}}")).collect();
    json::read(&format!("{{\"o\":{{{}}},\"l\":[{}],\"a\":1}}", keys.join(","), items.join(","))).unwrap()
}
