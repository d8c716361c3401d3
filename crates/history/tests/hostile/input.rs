//! One hostile input: a text, a state and rules, all generated from two numbers.

use storeyline_functions::library::exchange;
use storeyline_functions::library::function::Scope;
use storeyline_functions::{Library, Locks, Profile, Schema};
use storeyline_history::{Body, Rules};
use storeyline_state::{Value, json, text};

use crate::corpus::Corpus;
use crate::random::Random;
use crate::{damage, grammar};

const PROFILES: [&str; 8] = ["native", "mvu", "sam-3.5", "sam-4.0", "sam-4.2", "sam-5", "sam-6", "varsystem"];

#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) text: String,
    pub(crate) parent: Value,
    pub(crate) rules: Rules,
    pub(crate) body: Body,
    pub(crate) round: i64,
}

impl Input {
    /// Makes the input of an index; the same on every machine.
    pub(crate) fn make(corpus: &Corpus, seed: u64, index: u64) -> Input {
        let mut random = Random::of_input(seed, index);
        let random = &mut random;
        let text = message(corpus, random);
        let profile = Profile::from_word(PROFILES[index as usize % PROFILES.len()]).unwrap();
        let mut parent = random.pick(&corpus.states).clone();
        let mut rules = Rules { profile, skip_reasoning: !random.once_in(4), ..Rules::default() };
        (rules.json_calls, rules.tag_calls) = (random.once_in(2), random.once_in(2));
        if profile == Profile::Mvu && random.once_in(3) {
            let (locks, state) = Locks::initialise(random.pick(&corpus.locked));
            (rules.locks, parent) = (Some(locks), state);
        } else if random.once_in(10) {
            rules.schema = Some(Schema::infer(&parent));
        }
        if random.once_in(6) {
            rules.library = library();
        }
        let mut body = Body::lone_reply(text::hash(&text));
        (body.user, body.character) = ("旅人".into(), "a.b[0]\"".into());
        body.time = random.once_in(2).then_some(1_700_000_000_000);
        Input { text, parent, rules, body, round: random.below(9) as i64 }
    }
}

/// Functions made of steps, so that the code path with a library is tested.
fn library() -> Library {
    let file = r#"[{"name":"治疗","implementation":{"steps":[{"function":"ADD","args":["hp",1]},{"function":"SET","args":["a","x"]}]}},
        {"name":"FLY","implementation":{"steps":[{"function":"APPEND","args":["l",1]},{"function":"SUB","args":["l",1]}]}},
        {"name":"tick","trigger":"after_parse","actions":[{"function":"ADD","args":["tick",1]}]}]"#;
    let mut library = exchange::read(&json::read(file).unwrap(), Scope::Global).library;
    library.functions.iter_mut().for_each(|function| function.enabled = true);
    library.rules.iter_mut().for_each(|rule| rule.enabled = true);
    library.off.push("UNSET".into());
    library
}

fn message(corpus: &Corpus, random: &mut Random) -> String {
    let mut text = match random.below(5) {
        0 => random.pick(&corpus.messages).clone(),
        1 => format!("{}\n{}", random.pick(&corpus.messages), grammar::message(random)),
        _ => grammar::message(random),
    };
    for _ in 0..*random.pick(&[0, 1, 1, 1, 2, 2, 3, 6]) {
        damage::damage(&mut text, random, &corpus.messages);
    }
    text
}
