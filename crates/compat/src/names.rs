//! Finds the replacements of `{{user}}` and `{{char}}` in a chat file.
//!
//! For the user: our record in the header, else the first message of the user that has a name, else
//! the header's `user_name`, which newer hosts fill with the word `unused`. An unknown name leaves
//! the macro as it is.

use storeyline_history::Role;
use storeyline_state::Value;

use crate::KEY;
use crate::host_message::HostMessage;
use crate::initvar::Names;

/// What newer hosts write instead of a name.
const UNUSED: &str = "unused";

pub fn names_in(header: &Value, messages: &[HostMessage]) -> Names {
    let record = header.get("chat_metadata").and_then(|metadata| metadata.get(KEY));
    let recorded = |key: &str| name(record?.get(key)?.as_text()?);
    let speaker = |user: bool| {
        let spoken = messages.iter().filter(|message| (message.role == Role::User) == user);
        spoken.filter_map(|message| name(&message.name)).next()
    };
    let of_header = || name(header.get("user_name")?.as_text()?).filter(|name| name != UNUSED);
    Names {
        user: recorded("user").or_else(|| speaker(true)).or_else(of_header),
        character: recorded("char").or_else(|| speaker(false)),
    }
}

fn name(word: &str) -> Option<String> {
    (!word.trim().is_empty()).then(|| word.to_owned())
}
