//! States that a peer stored with pages.
//!
//! In: a host message. Out: for each of its pages a state, or nothing. It is what the peer
//! computed, right or wrong; whether it is used (where commands were lost, or to check our own
//! result) is decided by the caller. What cannot be read counts as absent.

use storeyline_functions::profile::SamVersion;
use storeyline_state::Value;

use crate::host_message::HostMessage;
use crate::strip_mvu::without_metadata;
use crate::{mvu, sam};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// `variables[page].stat_data`.
    Mvu,
    /// The last state block in the text, and the version that its form shows.
    Sam(SamVersion),
}

#[derive(Debug, Clone, PartialEq)]
pub struct StoredState {
    pub peer: Peer,
    /// The state in the peer's profile: MVU's variables without `$meta`, SAM's whole state.
    pub state: Value,
}

/// Returns what was stored with each page of a message, in order.
pub fn stored_states(message: &HostMessage) -> Vec<Option<StoredState>> {
    let mvu = |page: usize| {
        let state = without_metadata(mvu::stored_at(message, page)?);
        Some(StoredState { peer: Peer::Mvu, state })
    };
    let sam = |text: &str| {
        let (version, state) = sam::stored_in(text)?;
        Some(StoredState { peer: Peer::Sam(version), state })
    };
    message.pages.iter().enumerate().map(|(index, page)| mvu(index).or_else(|| sam(&page.text))).collect()
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    /// Formats peer and variables of each page; SAM's variables are in `static`.
    fn stored(message: &str) -> Vec<String> {
        let message = HostMessage::read(&json::read(message).unwrap()).unwrap();
        let variables = |state: &Value| json::write(state.get("static").unwrap_or(state));
        let show = |state: &StoredState| format!("{:?} {}", state.peer, variables(&state.state));
        stored_states(&message).iter().map(|state| state.as_ref().map(show).unwrap_or_default()).collect()
    }

    /// Makes a message with this text.
    fn text(text: &str) -> String {
        let mut json = String::new();
        json::write_text(&mut json, text);
        format!(r#"{{"mes":{json}}}"#)
    }

    #[test]
    fn mvu_stores_a_record_for_each_page() {
        let record = |gold: i32| {
            format!(
                r#"{{"stat_data":{{"gold":[{gold},"coins"],"$meta":{{"extensible":true}}}},"schema":{{}},"other":1}}"#
            )
        };
        let list = format!(
            r#"{{"mes":"c","swipe_id":2,"swipes":["a","b","c"],"variables":[{},null,{}]}}"#,
            record(1),
            record(3)
        );
        assert_eq!(stored(&list), [r#"Mvu {"gold":[1,"coins"]}"#, "", r#"Mvu {"gold":[3,"coins"]}"#]);
        let numbered = format!(r#"{{"mes":"b","swipe_id":1,"swipes":["a","b"],"variables":{{"1":{}}}}}"#, record(2));
        assert_eq!(stored(&numbered), ["", r#"Mvu {"gold":[2,"coins"]}"#]);
        let one = format!(r#"{{"mes":"b","swipe_id":1,"swipes":["a","b"],"variables":{}}}"#, record(2));
        assert_eq!(stored(&one), ["", r#"Mvu {"gold":[2,"coins"]}"#]);
    }

    #[test]
    fn sam_stores_a_block_in_the_text() {
        for (given, wanted) in [
            (r#"x<!--<|state|>{"static":{"a":1},"time":""}</|state|>-->"#, r#"Sam(V3_5) {"a":1}"#),
            (
                r#"$$$$$$data_block$$$$$$ {"static":{"a":1},"responseSummary":[]} $$$$$$data_block_end$$$$$$"#,
                r#"Sam(V4_0) {"a":1}"#,
            ),
            (
                r#"$$$$$$data_block$$$$$$ {"static":{"a":1,},"responseSummary":{"L1":[]}} $$$$$$data_block_end$$$$$$"#,
                r#"Sam(V4_2) {"a":1}"#,
            ),
            (r#"<SAMCheckpoint>{"static":{"a":1}}</SAMCheckpoint>"#, r#"Sam(V6) {"a":1}"#),
            (r#"<SAMCheckpoint>{"a":1}</SAMCheckpoint>"#, r#"Sam(V6) {"a":1}"#),
            (r#"<SAMCheckpoint>{"a":1}</SAMCheckpoint><SAMCheckpoint>{"a":2}</SAMCheckpoint>"#, r#"Sam(V6) {"a":2}"#),
        ] {
            assert_eq!(stored(&text(given)), [wanted], "{given}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_absent() {
        for odd in [
            r#"{"mes":"x","variables":[{"stat_data":5}]}"#.to_owned(),
            r#"{"mes":"x","variables":"no"}"#.to_owned(),
            text("<SAMCheckpoint>[1]</SAMCheckpoint>"),
            text("<SAMCheckpoint>"),
            text("</SAMCheckpoint><SAMCheckpoint>"),
        ] {
            assert_eq!(stored(&odd), [""], "{odd}");
        }
    }
}
