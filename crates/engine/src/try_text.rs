//! Evaluating one text on one state, without any story: to try a card, a prompt or a reply.

use storeyline_functions::Profile;
use storeyline_history::{Body, Evaluation, Role, Rules, evaluate};
use storeyline_state::{Value, ValueHash, text};

/// Returns what a reply with this text makes of a state; nothing if there is no such profile.
pub fn try_text(state: &Value, message: &str, profile: &str) -> Option<Evaluation> {
    let rules = Rules { profile: Profile::from_word(profile)?, ..Rules::default() };
    let body = Body {
        role: Role::Assistant,
        speaker: String::new(),
        user: String::new(),
        character: String::new(),
        text: text::hash(message),
        rules: ValueHash::from_bytes([0; 32]),
        time: None,
        seed: 0,
    };
    Some(evaluate(state, &body, &text::canonical(message), &rules))
}
