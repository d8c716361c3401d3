//! Stories.

use storeyline_history::{NodeKey, ValueKey, node};
use storeyline_state::StoryId;

use crate::error::StoreError;
use crate::sql::{Row, params};
use crate::tx::Tx;

/// A story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Story {
    /// Its number in the store.
    pub key: i64,
    /// Its id.
    pub id: StoryId,
    /// Its title.
    pub title: String,
    /// The card or group that it is played with.
    pub card: String,
    /// The root of its tree.
    pub root: NodeKey,
    /// The rules that new pages take, composed from the two parts below and the libraries.
    pub rules: ValueKey,
    /// What the card says.
    pub card_rules: ValueKey,
    /// What the user chose of the rules; nothing: all as the card says.
    pub choices: Option<ValueKey>,
    /// What the user chose for this story beside rules.
    pub settings: Option<ValueKey>,
    /// The number of the branch that is read.
    pub current: Option<i64>,
    /// When it was made, in milliseconds since 1970.
    pub created: i64,
    /// When it was thrown away; whatever is done to it later brings it back.
    pub trashed: Option<i64>,
}

/// What a story begins with.
#[derive(Debug, Clone)]
pub struct NewStory<'a> {
    /// Its id.
    pub id: StoryId,
    /// Its title.
    pub title: &'a str,
    /// The card or group that it is played with.
    pub card: &'a str,
    /// The rules that new pages take.
    pub rules: ValueKey,
    /// What the card says.
    pub card_rules: ValueKey,
    /// What the user chose of the rules.
    pub choices: Option<ValueKey>,
    /// When it was made.
    pub created: i64,
}

macro_rules! select_story {
    ($rest:literal) => {
        concat!(
            "SELECT id, story, title, card, root, rules, card_rules, choices, settings, current, created, trashed
             FROM story WHERE ",
            $rest
        )
    };
}

fn read(row: &dyn Row) -> Result<Story, StoreError> {
    let key = row.int(0)?;
    Ok(Story {
        key,
        id: StoryId::from_slice(row.bytes(1)?).map_err(|_| StoreError::damaged("story", key))?,
        title: row.text(2)?,
        card: row.text(3)?,
        root: NodeKey(row.int(4)?),
        rules: ValueKey(row.int(5)?),
        card_rules: ValueKey(row.int(6)?),
        choices: row.maybe_int(7)?.map(ValueKey),
        settings: row.maybe_int(8)?.map(ValueKey),
        current: row.maybe_int(9)?,
        created: row.int(10)?,
        trashed: row.maybe_int(11)?,
    })
}

impl Tx<'_> {
    /// Makes a story.
    pub fn create_story(&mut self, new: &NewStory<'_>) -> Result<Story, StoreError> {
        self.write_named()?;
        let sql = "INSERT INTO story (owner, story, title, card, root, rules, card_rules, created)
                   VALUES ($1, $2, $3, $4, 0, $5, $6, $7)";
        let (rules, card_rules) = (new.rules.0, new.card_rules.0);
        let keys = params![self.owner, new.id.as_bytes(), new.title, new.card, rules, card_rules, new.created];
        let key = self.insert(sql, keys)?;
        let root = self.put_root(key, node::root_id(new.id))?;
        let story = Story {
            key,
            id: new.id,
            title: new.title.to_owned(),
            card: new.card.to_owned(),
            root,
            rules: new.rules,
            card_rules: new.card_rules,
            choices: new.choices,
            settings: None,
            current: None,
            created: new.created,
            trashed: None,
        };
        self.save_story(&story)?;
        Ok(story)
    }

    /// Saves what may change of a story.
    pub fn save_story(&mut self, story: &Story) -> Result<(), StoreError> {
        self.write_named()?;
        let sql = "UPDATE story SET title = $1, root = $2, rules = $3, card_rules = $4, choices = $5, settings = $6,
                   current = $7, trashed = $8 WHERE id = $9 AND owner = $10";
        let (settings, choices) = (story.settings.map(|settings| settings.0), story.choices.map(|choices| choices.0));
        let (title, root, rules, card_rules) = (&story.title, story.root.0, story.rules.0, story.card_rules.0);
        let (current, trashed) = (story.current, story.trashed);
        let keys = params![title, root, rules, card_rules, choices, settings, current, trashed, story.key, self.owner];
        self.run(sql, keys)?;
        Ok(())
    }

    /// Returns a story.
    pub fn story(&self, id: StoryId) -> Result<Option<Story>, StoreError> {
        if let Some(known) = self.known_story(|known| known.id == id) {
            return Ok(Some(known));
        }
        self.one(select_story!("owner = $1 AND story = $2"), params![self.owner, id.as_bytes()], |row| {
            self.see_story(row)
        })
    }

    /// Returns a story by its number.
    pub fn story_by_key(&self, key: i64) -> Result<Option<Story>, StoreError> {
        if let Some(known) = self.known_story(|known| known.key == key) {
            return Ok(Some(known));
        }
        self.one(select_story!("owner = $1 AND id = $2"), params![self.owner, key], |row| self.see_story(row))
    }

    fn see_story(&self, row: &dyn Row) -> Result<Story, StoreError> {
        let found = read(row)?;
        self.remember_story(&found);
        Ok(found)
    }

    /// Returns all stories, the newest first.
    pub fn stories(&self) -> Result<Vec<Story>, StoreError> {
        self.many(select_story!("owner = $1 ORDER BY created DESC, id DESC"), params![self.owner], read)
    }
}
