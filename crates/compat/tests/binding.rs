//! `corpus/binding`: rules that the extension has too, in TypeScript; both read the same cases.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "other tests read more of the corpus")]
mod corpus;

use storeyline_compat::{HostMessage, Identity, bind};
use storeyline_history::{PageKey, Role, Turn, TurnPage, digest};
use storeyline_state::{ChatId, Value, ValueHash, json, text};

/// Checks the cases of a file as JSON text, and reports all that differ.
fn check(file: &str, found: impl Fn(&Value) -> (String, String)) {
    let cases = json::read(&corpus::read(&format!("binding/{file}"))).unwrap();
    let cases = cases.as_list().unwrap();
    assert!(cases.len() > 5, "only {} cases were found", cases.len());
    let differing = cases.iter().filter_map(|case| {
        let (found, wanted) = found(case);
        (found != wanted).then(|| format!("{}\n  found  {found}\n  wanted {wanted}", json::write(case)))
    });
    let differing: Vec<String> = differing.collect();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

fn field<'a>(case: &'a Value, key: &str) -> &'a Value {
    case.get(key).unwrap()
}

fn quoted(words: &str) -> String {
    json::write(&Value::text(words))
}

fn or_null(id: Option<impl std::fmt::Display>) -> String {
    id.map_or_else(|| "null".to_owned(), |id| format!("\"{id}\""))
}

#[test]
fn texts_are_canonical_and_hashed() {
    check("texts.json", |case| {
        let raw = field(case, "text").as_text().unwrap();
        let canonical = text::canonical(raw);
        let found = format!("{} \"{}\"", quoted(&canonical), text::hash(&canonical));
        (found, format!("{} {}", json::write(field(case, "canonical")), json::write(field(case, "h"))))
    });
}

#[test]
fn messages_give_rows() {
    check("messages.json", |case| {
        let message = HostMessage::read(field(case, "message")).unwrap();
        let HostMessage { role, name, hidden, active, pages, .. } = message;
        let page = |text: &str, id| format!("[{},{}]", quoted(text), or_null(id));
        let pages: Vec<String> = pages.iter().map(|own| page(&own.text, own.bound.map(|(id, _)| id))).collect();
        let found = format!(
            r#"{{"role":"{}","name":{},"hidden":{hidden},"active":{active},"pages":[{}]}}"#,
            role.as_str(),
            quoted(&name),
            pages.join(",")
        );
        (found, json::write(field(case, "row")))
    });
}

#[test]
fn inherited_ids_stay_with_one_page() {
    check("chats.json", |case| {
        let chat = field(case, "chat").as_list().unwrap();
        let messages: Vec<HostMessage> = chat.iter().map(|message| HostMessage::read(message).unwrap()).collect();
        let rows = bind(ChatId::from_random([9; 16]), &messages);
        let floors = rows.iter().zip(&messages).map(|(row, message)| {
            let pages = row.pages.iter().zip(&message.pages);
            let kept = pages.map(|((id, _), page)| or_null(page.bound.map(|(own, _)| own).filter(|own| own == id)));
            format!("[{}]", kept.collect::<Vec<_>>().join(","))
        });
        (format!("[{}]", floors.collect::<Vec<_>>().join(",")), json::write(field(case, "kept")))
    });
}

fn turn(case: &Value) -> Turn {
    let word = |key: &str| field(case, key).as_text().unwrap().to_owned();
    let page = |pair: &Value| {
        let pair = pair.as_list().unwrap();
        let part = |index: usize| pair[index].as_text().unwrap();
        let [page, text] = [part(0), part(1)];
        TurnPage {
            page: page.parse().unwrap(),
            text: text.parse().unwrap(),
            body: ValueHash::from_bytes([0; 32]),
            at: PageKey(0),
        }
    };
    Turn {
        role: Role::from_word(&word("role")).unwrap(),
        name: word("name"),
        hidden: field(case, "hidden").as_bool().unwrap(),
        active: field(case, "active").as_number().unwrap().as_index().unwrap(),
        pages: field(case, "pages").as_list().unwrap().iter().map(page).collect(),
        host: None,
    }
}

#[test]
fn rows_are_chained_by_digests() {
    let before = std::cell::Cell::new(None);
    check("rows.json", |case| {
        let row = turn(case).row();
        let digest = digest::extend(before.get(), &row);
        before.set(digest);
        let found = format!("{} {}", quoted(&row), or_null(digest));
        (found, format!("{} {}", json::write(field(case, "text")), json::write(field(case, "digest"))))
    });
}

#[test]
fn files_say_which_chat_they_are() {
    check("identities.json", |case| {
        let found = Identity::read(field(case, "metadata"), "first words");
        let wanted = [field(case, "chat"), field(case, "parent")].map(json::write);
        (format!("\"{}\" {}", found.chat, or_null(found.parent)), wanted.join(" "))
    });
}
