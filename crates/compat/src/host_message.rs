//! One message of a host chat: parsed, and written again.
//!
//! `fields` contains everything of the message except its texts and our ids, so that data of the
//! host or of another extension survives. If the host's own text differs from the canonical one
//! (line ends; a greeting whose macros were resolved), it is stored beside it.

use storeyline_history::Role;
use storeyline_state::value::edit;
use storeyline_state::{Number, Object, PageId, TextHash, Value, text};

use crate::{KEY, own_id, send_date};

/// A parsed host message.
#[derive(Debug, Clone, PartialEq)]
pub struct HostMessage {
    pub role: Role,
    /// Name of the speaker.
    pub name: String,
    /// Hidden from the prompt.
    pub hidden: bool,
    /// Index of the active page.
    pub active: usize,
    /// Never empty.
    pub pages: Vec<HostPage>,
    /// Everything else: `{message, raw}`, see [`write()`].
    pub fields: Value,
}

/// One page (swipe) of a host message.
#[derive(Debug, Clone, PartialEq)]
pub struct HostPage {
    /// Canonical text.
    pub text: String,
    pub hash: TextHash,
    /// The id and the hash that the file carries for it.
    pub bound: Option<(PageId, Option<TextHash>)>,
    /// When it was sent, in milliseconds since 1970.
    pub time: Option<i64>,
    /// False: nothing of it is executed, whoever speaks.
    pub valid: bool,
}

/// A page that is to be written into a message.
#[derive(Debug, Clone, Copy)]
pub struct PageToWrite<'a> {
    pub id: PageId,
    pub text: &'a str,
    /// When it was sent, in milliseconds since 1970.
    pub time: Option<i64>,
    /// False: nothing of it is executed, whoever speaks.
    pub valid: bool,
}

impl HostPage {
    /// Tells whether the page is valid under an id: an `invalid` mark inherited with an id is
    /// ignored.
    pub fn counts_as(&self, id: PageId) -> bool {
        self.valid || self.bound.is_none_or(|(bound, _)| bound != id)
    }
}

impl HostMessage {
    /// Parses a message; `None` if it is not an object.
    pub fn read(message: &Value) -> Option<HostMessage> {
        let object = message.as_object()?;
        let swipes = object.get("swipes").and_then(Value::as_list).filter(|swipes| !swipes.is_empty());
        let shown = object.get("mes").and_then(Value::as_text).unwrap_or("");
        let wanted = object.get("swipe_id").and_then(Value::as_number).and_then(|id| id.as_index()).unwrap_or(0);
        let count = swipes.map_or(1, <[Value]>::len);
        let pending = wanted >= count;
        let active = wanted.min(count - 1);
        let raw = |index: usize| match swipes {
            Some(swipes) if index != active || pending => swipes[index].as_text().unwrap_or(""),
            _ => shown,
        };
        let pages = (0..count).map(|index| read_page(object, raw(index), index, index == active && !pending)).collect();
        Some(HostMessage {
            role: role(object),
            name: object.get("name").and_then(Value::as_text).unwrap_or("").to_owned(),
            hidden: object.get("is_system").is_some_and(is_truthy),
            active,
            pages,
            fields: fields(object, active, raw),
        })
    }
}

/// Returns the role of a message; see `docs/api.md`.
fn role(message: &Object) -> Role {
    if message.get("is_user").is_some_and(is_truthy) {
        return Role::User;
    }
    let extra = message.get("extra");
    match extra.and_then(|extra| extra.get("type")).and_then(Value::as_text) {
        Some("narrator") => Role::Narrator,
        Some("summary") => Role::Summary,
        Some(other) if !other.is_empty() => Role::Other,
        _ => match extra.and_then(|extra| extra.get("tool_invocations")) {
            None | Some(Value::Null) => Role::Assistant,
            Some(_) => Role::Other,
        },
    }
}

/// Tells whether JavaScript treats a value as true, as the host does.
fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => *number != Number::ZERO,
        Value::Text(text) => !text.is_empty(),
        Value::List(_) | Value::Object(_) => true,
    }
}

fn read_page(message: &Object, raw: &str, index: usize, active: bool) -> HostPage {
    let info = message.get("swipe_info").and_then(Value::as_list).and_then(|infos| infos.get(index));
    let in_info = info.and_then(|info| info.get("extra")).and_then(|extra| extra.get(KEY));
    let in_message = message.get("extra").and_then(|extra| extra.get(KEY));
    let in_message = in_message.filter(|_| active);
    let bound = in_message.and_then(read_bound).or(in_info.and_then(read_bound));
    let is_invalid = |own: Option<&Value>| own.and_then(|own| own.get("valid")).and_then(Value::as_bool) == Some(false);
    let date = info.and_then(|info| info.get("send_date")).or(message.get("send_date"));
    let text = text::canonical(raw).into_owned();
    let hash = text::hash(&text);
    let valid = !is_invalid(in_message) && !is_invalid(in_info);
    HostPage { text, hash, bound, time: date.and_then(send_date::read), valid }
}

fn read_bound(value: &Value) -> Option<(PageId, Option<TextHash>)> {
    let id = own_id(value.get("id")?.as_text()?)?;
    Some((id, value.get("h").and_then(Value::as_text).and_then(|hash| hash.parse().ok())))
}

/// Returns everything except texts and ids: `{message, raw}`.
fn fields<'a>(message: &Object, active: usize, raw: impl Fn(usize) -> &'a str) -> Value {
    let mut kept = message.clone();
    if kept.get("mes").is_some() {
        kept.insert("mes".into(), Value::Null);
    }
    let mut raw_texts = Object::default();
    if let Some(Value::List(swipes)) = message.get("swipes") {
        kept.insert("swipes".into(), Value::Null);
        for (index, swipe) in swipes.iter().enumerate() {
            let own = swipe.as_text().unwrap_or("");
            let ours = text::canonical(raw(index));
            if own != ours {
                raw_texts.insert(index.to_string().into(), kept_text(own, &ours));
            }
        }
    }
    let shown = raw(active);
    if text::canonical(shown) != shown {
        raw_texts.insert("mes".into(), kept_text(shown, &text::canonical(shown)));
    }
    for holder in ["extra", "swipe_info"] {
        if let Some(value) = kept.get_mut(holder) {
            forget_ids(value);
        }
    }
    Value::entries([("message", Value::object(kept)), ("raw", Value::object(raw_texts))])
}

/// Stores the host's own text with the hash of the canonical one.
fn kept_text(own: &str, canonical: &str) -> Value {
    Value::entries([("h", Value::text(text::hash(canonical).to_string())), ("text", Value::text(own))])
}

/// Removes our ids from an `extra`, or from each `swipe_info[].extra`.
fn forget_ids(holder: &mut Value) {
    match holder {
        Value::Object(extra) if extra.get(KEY).is_some() => {
            edit(extra).remove(KEY);
        }
        Value::List(infos) => {
            for info in edit(infos).iter_mut() {
                let Value::Object(info) = info else { continue };
                if let Some(extra) = edit(info).get_mut("extra") {
                    forget_ids(extra);
                }
            }
        }
        _ => {}
    }
}

/// Returns the fields of a message that was not written by a host.
pub fn plain_fields(role: Role, name: &str) -> Value {
    let kind = match role {
        Role::Narrator => Some("narrator"),
        Role::Summary => Some("summary"),
        Role::Other => Some("comment"),
        Role::Assistant | Role::User => None,
    };
    let extra = kind.map_or_else(Value::empty_object, |kind| Value::entries([("type", kind.into())]));
    let message = Value::entries([
        ("name", Value::text(name)),
        ("is_user", (role == Role::User).into()),
        ("is_system", false.into()),
        ("mes", Value::Null),
        ("extra", extra),
    ]);
    Value::entries([("message", message), ("raw", Value::empty_object())])
}

/// Writes a message from its stored fields, its pages and the index of the active one.
pub fn write(fields: &Value, pages: &[PageToWrite<'_>], active: usize, hidden: bool) -> Value {
    let mut message = fields.get("message").and_then(Value::as_object).cloned().unwrap_or_default();
    let raw = |key: &str, page: &PageToWrite<'_>| -> Value {
        let kept = fields.get("raw").and_then(|raw| raw.get(key));
        let fits = kept.and_then(|kept| kept.get("h")).and_then(Value::as_text)
            == Some(text::hash(page.text).to_string().as_str());
        let own = kept.and_then(|kept| kept.get("text")).filter(|_| fits);
        own.cloned().unwrap_or_else(|| Value::text(page.text))
    };
    let before = message.get("swipe_id").and_then(Value::as_number).and_then(|id| id.as_index()).unwrap_or(0);
    if before != active {
        swap_active(&mut message, before, active);
    }
    message.insert("mes".into(), raw("mes", &pages[active]));
    if message.get("swipes").is_some() || pages.len() > 1 {
        let swipes = pages.iter().enumerate().map(|(index, page)| raw(&index.to_string(), page));
        message.insert("swipes".into(), Value::list(swipes.collect()));
        message.insert("swipe_id".into(), Value::from(active as i64));
    }
    if message.get("is_system").and_then(Value::as_bool).unwrap_or(false) != hidden {
        message.insert("is_system".into(), hidden.into());
    }
    write_id(message_extra(&mut message), &pages[active]);
    write_date(&mut message, pages[active].time, None);
    if pages.len() > 1 {
        fill_infos(&mut message, pages);
    }
    let shown = message.get("send_date").and_then(send_date::read);
    if let Some(Value::List(infos)) = message.get_mut("swipe_info") {
        for (info, page) in edit(infos).iter_mut().zip(pages) {
            if let Value::Object(info) = info {
                write_id(message_extra(edit(info)), page);
                write_date(edit(info), page.time, shown);
            }
        }
    }
    Value::object(message)
}

/// Writes the date of a page, unless the host would read the same. `otherwise` is what the host
/// reads if nothing is written.
fn write_date(holder: &mut Object, time: Option<i64>, otherwise: Option<i64>) {
    let own = holder.get("send_date");
    match time {
        Some(time) if own.map_or(otherwise, send_date::read) != Some(time) => {
            holder.insert("send_date".into(), send_date::write(time));
        }
        None if own.is_none() && otherwise.is_some() => {
            holder.insert("send_date".into(), Value::Null);
        }
        _ => {}
    }
}

/// Adds missing `swipe_info` entries as the host does: pages other than the active one carry their
/// ids there.
fn fill_infos(message: &mut Object, pages: &[PageToWrite<'_>]) {
    let mut infos = match message.get("swipe_info") {
        None => Vec::new(),
        Some(Value::List(infos)) => infos.to_vec(),
        Some(_) => return,
    };
    let date = message.get("send_date");
    let shown = date.and_then(send_date::read);
    for page in pages.iter().skip(infos.len()) {
        let mut info = Object::default();
        match date {
            Some(date) if page.time == shown => info.insert("send_date".into(), date.clone()),
            _ => write_date(&mut info, page.time, shown),
        }
        info.insert("extra".into(), Value::empty_object());
        infos.push(Value::object(info));
    }
    message.insert("swipe_info".into(), Value::list(infos));
}

/// Returns the fields of a message after pages were removed; the host stores fields by page index.
pub fn with_pages(fields: &Value, kept: &[usize]) -> Value {
    let mut fields = fields.as_object().cloned().unwrap_or_default();
    if let Some(Value::Object(message)) = fields.get_mut("message") {
        let message = edit(message);
        if let Some(infos) = message.get("swipe_info").and_then(Value::as_list) {
            let infos = kept.iter().filter_map(|place| infos.get(*place).cloned()).collect();
            message.insert("swipe_info".into(), Value::list(infos));
        }
        let before = message.get("swipe_id").and_then(Value::as_number).and_then(|id| id.as_index());
        if let Some(place) = before.and_then(|before| kept.iter().position(|kept| *kept == before)) {
            message.insert("swipe_id".into(), Value::from(place as i64));
        }
    }
    if let Some(raw) = fields.get("raw").and_then(Value::as_object).cloned() {
        let mut moved = Object::default();
        for (place, old) in kept.iter().enumerate() {
            if let Some(text) = raw.get(&old.to_string()) {
                moved.insert(place.to_string().into(), text.clone());
            }
        }
        if let Some(text) = raw.get("mes") {
            moved.insert("mes".into(), text.clone());
        }
        fields.insert("raw".into(), Value::object(moved));
    }
    Value::object(fields)
}

fn message_extra(holder: &mut Object) -> &mut Object {
    if holder.get("extra").and_then(Value::as_object).is_none() {
        holder.insert("extra".into(), Value::empty_object());
    }
    match holder.get_mut("extra") {
        Some(Value::Object(extra)) => edit(extra),
        _ => unreachable!("it was just put there"),
    }
}

fn write_id(extra: &mut Object, page: &PageToWrite<'_>) {
    let hash = text::hash(page.text).to_string();
    let mut own = Object::from([("id", Value::text(page.id.to_string())), ("h", Value::text(hash))]);
    if !page.valid {
        own.insert("valid".into(), false.into());
    }
    extra.insert(KEY.into(), Value::object(own));
}

/// Exchanges the fields of the active page: the host stores them on the message.
fn swap_active(message: &mut Object, before: usize, active: usize) {
    let Some(Value::List(infos)) = message.get("swipe_info").cloned() else {
        return;
    };
    let mut infos = infos.to_vec();
    if let Some(Value::Object(info)) = infos.get_mut(before) {
        let extra = message.get("extra").cloned().unwrap_or_else(Value::empty_object);
        edit(info).insert("extra".into(), extra);
    }
    if let Some(Value::Object(info)) = infos.get(active) {
        for key in ["send_date", "gen_started", "gen_finished", "extra"] {
            match info.get(key) {
                Some(value) => {
                    message.insert(key.into(), value.clone());
                }
                None => {
                    message.remove(key);
                }
            }
        }
    }
    message.insert("swipe_info".into(), Value::list(infos));
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    fn to_write(page: &HostPage, id: PageId) -> PageToWrite<'_> {
        PageToWrite { id, text: &page.text, time: page.time, valid: page.valid }
    }

    fn read(text: &str) -> HostMessage {
        HostMessage::read(&json::read(text).unwrap()).unwrap()
    }

    fn write_back(message: &HostMessage) -> Value {
        let pages: Vec<_> = message.pages.iter().map(|page| to_write(page, page.bound.unwrap().0)).collect();
        write(&message.fields, &pages, message.active, message.hidden)
    }

    #[test]
    fn unknown_fields_and_raw_texts_survive() {
        let id = |n: u8| PageId::from_random([n; 16]);
        let bound = |n: u8, text: &str| format!(r#"{{"id":"{}","h":"{}"}}"#, id(n), text::hash(text));
        let text = format!(
            r#"{{"name":"A","is_user":false,"x":{{"2":1,"1":2}},"mes":"hi Tom\r\nyou","extra":{{"api":"y","storeyline":{}}},"swipe_id":1,"swipes":["old","hi {{{{user}}}}\r\nyou"],"swipe_info":[{{"extra":{{"k":1,"storeyline":{}}}}},{{"extra":{{"storeyline":{}}}}}]}}"#,
            bound(1, "hi Tom\nyou"),
            bound(2, "old"),
            bound(1, "hi Tom\nyou"),
        );
        let message = read(&text);
        assert_eq!(message.pages[1].text, "hi Tom\nyou");
        assert_eq!(message.pages[0].bound, Some((id(2), Some(text::hash("old")))));
        assert!(!json::write(&message.fields).contains("storeyline"));
        assert_eq!(json::write(&write_back(&message)), json::write(&json::read(&text).unwrap()));
    }

    #[test]
    fn reading_another_page_brings_its_own_extra() {
        let message = read(
            r#"{"mes":"b","extra":{"of":"b"},"swipe_id":1,"swipes":["a","b"],"swipe_info":[{"send_date":1,"extra":{"of":"a"}},{"extra":{}}]}"#,
        );
        let pages: Vec<_> = message.pages.iter().map(|page| to_write(page, PageId::from_random([1; 16]))).collect();
        let written = write(&message.fields, &pages, 0, false);
        assert_eq!(written.get("mes").unwrap().as_text(), Some("a"));
        assert_eq!(written.get("extra").unwrap().get("of").unwrap().as_text(), Some("a"));
        let old = &written.get("swipe_info").unwrap().as_list().unwrap()[1];
        assert_eq!(old.get("extra").unwrap().get("of").unwrap().as_text(), Some("b"));
    }

    #[test]
    fn every_page_carries_its_id_also_where_the_host_kept_nothing_beside() {
        for infos in ["", r#","swipe_info":[]"#, r#","swipe_info":[{"extra":{"k":1}}]"#] {
            let message = read(&format!(r#"{{"mes":"b","send_date":5,"swipe_id":1,"swipes":["a","b","c"]{infos}}}"#));
            let ids = [1, 2, 3].map(|n| PageId::from_random([n; 16]));
            let pages: Vec<_> = message.pages.iter().zip(ids).map(|(page, id)| to_write(page, id)).collect();
            let written = HostMessage::read(&write(&message.fields, &pages, 1, false)).unwrap();
            assert_eq!(written.pages.iter().map(|page| page.bound.unwrap().0).collect::<Vec<_>>(), ids);
            assert_eq!(written.pages[2].time, Some(5));
        }
    }

    #[test]
    fn roles_follow_the_host() {
        let role = |text| read(text).role;
        assert_eq!(role(r#"{"is_user":true}"#), Role::User);
        assert_eq!(role(r#"{"is_system":true}"#), Role::Assistant);
        assert_eq!(role(r#"{"extra":{"type":"narrator"}}"#), Role::Narrator);
        assert_eq!(role(r#"{"extra":{"type":"summary"}}"#), Role::Summary);
        assert_eq!(role(r#"{"extra":{"type":"comment"}}"#), Role::Other);
        assert_eq!(role(r#"{"extra":{"tool_invocations":[]}}"#), Role::Other);
    }

    #[test]
    fn roles_times_and_validity_are_read_as_they_were_written() {
        let ids = [1, 2, 3].map(|n| PageId::from_random([n; 16]));
        let times = [Some(5), None, Some(1_794_882_942_007)];
        for role in [Role::Assistant, Role::Narrator, Role::User, Role::Summary, Role::Other] {
            for (count, active) in [(1, 0), (2, 0), (2, 1), (3, 1), (3, 2)] {
                let page = |index| PageToWrite {
                    id: ids[index],
                    text: "x",
                    time: times[(index + count) % 3],
                    valid: index % 2 == 1,
                };
                let pages: Vec<_> = (0..count).map(page).collect();
                let read = HostMessage::read(&write(&plain_fields(role, "A"), &pages, active, false)).unwrap();
                assert_eq!((read.role, read.active), (role, active));
                let seen = read.pages.iter().map(|page| (page.bound.unwrap().0, page.time, page.valid));
                assert!(
                    seen.eq(pages.iter().map(|page| (page.id, page.time, page.valid))),
                    "{:?} {pages:?}",
                    read.pages
                );
            }
        }
    }

    #[test]
    fn odd_messages_are_read_without_panic() {
        for text in [
            r#"{"swipes":[],"swipe_id":7}"#,
            r#"{"swipes":[1,null],"swipe_id":"x"}"#,
            r#"{"mes":5,"extra":[],"swipe_info":{}}"#,
        ] {
            let message = read(text);
            assert!(message.active < message.pages.len());
        }
        assert_eq!(HostMessage::read(&json::read("[]").unwrap()), None);
    }
}
