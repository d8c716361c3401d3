//! Assigns ids to the pages of a host chat: the rule of the extension, for whole files.
//!
//! An id that occurs twice was inherited: the page whose hash matches its text keeps it, else the
//! first. A page without id gets one that is computed from the chat and the text, so that importing
//! the same file again gives the same ids.

use std::collections::HashMap;

use storeyline_history::Role;
use storeyline_state::{ChatId, PageId, TextHash};

use crate::host_message::HostMessage;

/// The declaration of one floor: see `docs/api.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub role: Role,
    /// Name of the speaker.
    pub name: String,
    /// Hidden from the prompt.
    pub hidden: bool,
    /// Index of the active page.
    pub active: usize,
    /// Id and text hash of each page.
    pub pages: Vec<(PageId, TextHash)>,
}

/// Returns the rows of a chat, each page with its id.
pub fn bind(chat: ChatId, messages: &[HostMessage]) -> Vec<Row> {
    let mut slots: Vec<(usize, usize)> = Vec::new();
    for (floor, message) in messages.iter().enumerate() {
        slots.extend((0..message.pages.len()).map(|page| (floor, page)));
    }
    let mut owner: HashMap<PageId, (usize, usize)> = HashMap::new();
    for &slot in &slots {
        let page = &messages[slot.0].pages[slot.1];
        let Some((id, hash)) = page.bound else {
            continue;
        };
        let fits = |(floor, page): (usize, usize)| {
            let page = &messages[floor].pages[page];
            page.bound.is_some_and(|(_, hash)| hash == Some(page.hash))
        };
        let earlier = *owner.entry(id).or_insert(slot);
        if earlier != slot && !fits(earlier) && hash == Some(page.hash) {
            owner.insert(id, slot);
        }
    }
    let mut seen: HashMap<TextHash, usize> = HashMap::new();
    let mut rows: Vec<Row> = messages.iter().map(empty_row).collect();
    for slot in slots {
        let page = &messages[slot.0].pages[slot.1];
        let count = seen.entry(page.hash).or_default();
        *count += 1;
        let kept = page.bound.map(|(id, _)| id).filter(|id| owner.get(id) == Some(&slot));
        let id = kept.unwrap_or_else(|| PageId::from_name(chat.uuid(), format!("{} {count}", page.hash).as_bytes()));
        rows[slot.0].pages.push((id, page.hash));
    }
    rows
}

fn empty_row(message: &HostMessage) -> Row {
    let HostMessage { role, hidden, active, .. } = *message;
    Row { role, name: message.name.clone(), hidden, active, pages: Vec::with_capacity(message.pages.len()) }
}

#[cfg(test)]
mod tests {
    use storeyline_state::{json, text};

    use super::*;

    fn message(pages: &[(&str, Option<u8>, &str)]) -> HostMessage {
        let infos: Vec<String> = pages
            .iter()
            .map(|(_, id, hashed)| match id {
                Some(id) => format!(
                    r#"{{"extra":{{"storeyline":{{"id":"{}","h":"{}"}}}}}}"#,
                    PageId::from_random([*id; 16]),
                    text::hash(hashed)
                ),
                None => "{}".into(),
            })
            .collect();
        let swipes: Vec<String> = pages.iter().map(|(text, ..)| format!("\"{text}\"")).collect();
        let json = format!(
            r#"{{"mes":"{}","swipe_id":0,"swipes":[{}],"swipe_info":[{}]}}"#,
            pages[0].0,
            swipes.join(","),
            infos.join(",")
        );
        HostMessage::read(&json::read(&json).unwrap()).unwrap()
    }

    fn ids(messages: &[HostMessage]) -> Vec<Vec<PageId>> {
        let chat = ChatId::from_random([9; 16]);
        bind(chat, messages).into_iter().map(|row| row.pages.into_iter().map(|(id, _)| id).collect()).collect()
    }

    #[test]
    fn an_inherited_id_stays_with_the_page_whose_text_it_knows() {
        let one = PageId::from_random([1; 16]);
        let found = ids(&[message(&[("a", Some(1), "a"), ("b", Some(1), "a")])]);
        assert_eq!(found[0][0], one);
        assert_ne!(found[0][1], one);
        let found = ids(&[message(&[("new", Some(1), "b"), ("b", Some(1), "b")])]);
        assert_eq!(found[0][1], one, "the later one fits");
        let found = ids(&[message(&[("x", Some(1), "a")]), message(&[("y", Some(1), "a")])]);
        assert_eq!(found[0][0], one, "none fits: the first");
        assert_ne!(found[1][0], one);
    }

    #[test]
    fn an_edited_page_keeps_its_id() {
        assert_eq!(ids(&[message(&[("edited", Some(1), "before")])])[0][0], PageId::from_random([1; 16]));
    }

    #[test]
    fn minted_ids_are_the_same_each_time_and_never_equal() {
        let chat = [message(&[("a", None, ""), ("a", None, "")]), message(&[("a", None, "")])];
        let first = ids(&chat);
        assert_eq!(first, ids(&chat));
        let flat: std::collections::HashSet<_> = first.iter().flatten().collect();
        assert_eq!(flat.len(), 3);
    }
}
