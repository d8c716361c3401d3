//! A turn: one floor with all its pages. A branch is a list of turns, as a host chat is.

use storeyline_state::{Object, PageId, TextHash, Value, ValueHash, json};

use crate::body::Role;

/// One floor with its alternatives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Who speaks.
    pub role: Role,
    /// The speaker's name.
    pub name: String,
    /// Hidden from the prompt; never changes the state.
    pub hidden: bool,
    /// Which page is read.
    pub active: usize,
    /// All pages, in order; never empty.
    pub pages: Vec<TurnPage>,
    /// What else the host keeps on this message, by hash.
    pub host: ValueHash,
}

/// One page of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnPage {
    /// Its id, the same through edits, copies and branches.
    pub page: PageId,
    /// The hash of its text.
    pub text: TextHash,
    /// Its inputs of evaluation, by hash.
    pub body: ValueHash,
}

impl Turn {
    /// Returns the page that is read.
    pub fn active_page(&self) -> &TurnPage {
        &self.pages[self.active]
    }

    /// Returns the place of a page in this turn.
    pub fn position(&self, page: PageId) -> Option<usize> {
        self.pages.iter().position(|own| own.page == page)
    }

    /// Returns what client and engine compare of a turn, as one line of text.
    pub fn row(&self) -> String {
        let active = self.active_page();
        let pages = self.pages.iter().map(|page| Value::list(vec![id(page.page), hash(page.text)])).collect();
        json::write(&Value::list(vec![
            id(active.page),
            hash(active.text),
            self.role.as_str().into(),
            Value::text(&self.name),
            self.hidden.into(),
            Value::from(self.active as i64),
            Value::list(pages),
        ]))
    }

    /// Returns whether a host would show both in the same way.
    pub fn same_row(&self, other: &Turn) -> bool {
        let shown = |turn: &Turn| turn.pages.iter().map(|page| (page.page, page.text)).collect::<Vec<_>>();
        (self.role, &self.name, self.hidden, self.active) == (other.role, &other.name, other.hidden, other.active)
            && shown(self) == shown(other)
    }

    /// Returns the turn as JSON, for storing.
    pub fn to_value(&self) -> Value {
        let pages = self
            .pages
            .iter()
            .map(|page| Value::list(vec![id(page.page), hash(page.text), Value::text(page.body.to_string())]));
        let entries: [(&str, Value); 6] = [
            ("role", self.role.as_str().into()),
            ("name", Value::text(&self.name)),
            ("hidden", self.hidden.into()),
            ("active", Value::from(self.active as i64)),
            ("pages", Value::list(pages.collect())),
            ("host", Value::text(self.host.to_string())),
        ];
        Value::object(entries.into_iter().map(|(key, value)| (key.into(), value)).collect::<Object>())
    }

    /// Reads what [`Turn::to_value`] wrote.
    pub fn from_value(value: &Value) -> Option<Turn> {
        let pages = value.get("pages")?.as_list()?.iter().map(read_page).collect::<Option<Vec<_>>>()?;
        let active = value.get("active")?.as_number()?.as_index()?;
        (active < pages.len()).then_some(())?;
        Some(Turn {
            role: Role::from_word(value.get("role")?.as_text()?)?,
            name: value.get("name")?.as_text()?.to_owned(),
            hidden: value.get("hidden")?.as_bool()?,
            active,
            pages,
            host: value.get("host")?.as_text()?.parse().ok()?,
        })
    }
}

fn id(page: PageId) -> Value {
    Value::text(page.to_string())
}

fn hash(text: TextHash) -> Value {
    Value::text(text.to_string())
}

fn read_page(value: &Value) -> Option<TurnPage> {
    let [page, text, body] = value.as_list()? else {
        return None;
    };
    Some(TurnPage {
        page: page.as_text()?.parse().ok()?,
        text: text.as_text()?.parse().ok()?,
        body: body.as_text()?.parse().ok()?,
    })
}
