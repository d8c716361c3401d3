//! Stories.

use storeyline_history::{NodeKey, ValueKey, node};
use storeyline_state::StoryId;

use crate::draft::{Check, Draft};
use crate::error::StoreError;
use crate::ids::IdKind;
use crate::keys::{OwnerKey, RefKey, StoryKey};
use crate::sql::{Param, Row, Sql, params};
use crate::tables::table::Table;
use crate::view::View;

pub(crate) static TABLE: Table = Table::new(
    "story",
    &[
        "owner",
        "id",
        "story",
        "version",
        "title",
        "card",
        "root",
        "rules",
        "card_rules",
        "choices",
        "settings",
        "current",
        "created",
        "trashed",
    ],
    &["owner", "id"],
)
.with_fixed(&["story"]);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Story {
    pub key: StoryKey,
    pub id: StoryId,
    /// How often it was saved.
    pub version: i64,
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
    /// The branch that is read.
    pub current: Option<RefKey>,
    /// In milliseconds since 1970.
    pub created: i64,
    /// When it was thrown away; whatever is done to it later brings it back.
    pub trashed: Option<i64>,
}

/// What a story begins with.
#[derive(Debug, Clone)]
pub struct NewStory<'a> {
    pub id: StoryId,
    pub title: &'a str,
    pub card: &'a str,
    pub rules: ValueKey,
    pub card_rules: ValueKey,
    pub choices: Option<ValueKey>,
    pub created: i64,
}

pub(crate) fn read(row: &dyn Row) -> Result<Story, StoreError> {
    let id = row.int(1)?;
    Ok(Story {
        key: StoryKey(id),
        id: StoryId::from_slice(row.bytes(2)?).map_err(|_| StoreError::damaged("story", id))?,
        version: row.int(3)?,
        title: row.text(4)?,
        card: row.text(5)?,
        root: NodeKey(row.int(6)?),
        rules: ValueKey(row.int(7)?),
        card_rules: ValueKey(row.int(8)?),
        choices: row.maybe_int(9)?.map(ValueKey),
        settings: row.maybe_int(10)?.map(ValueKey),
        current: row.maybe_int(11)?.map(RefKey),
        created: row.int(12)?,
        trashed: row.maybe_int(13)?,
    })
}

/// Writes a story whose keys were resolved already.
pub(crate) fn put(sql: &dyn Sql, owner: OwnerKey, story: &Story) -> Result<(), StoreError> {
    let columns: &[Param<'_>] = params![
        owner,
        story.key,
        story.id.as_bytes(),
        story.version,
        &story.title,
        &story.card,
        story.root,
        story.rules,
        story.card_rules,
        story.choices,
        story.settings,
        story.current,
        story.created,
        story.trashed,
    ];
    TABLE.put(sql, columns)
}

/// Raises the versions of all stories, so that a change which is under way is tried again.
pub(crate) fn touch(sql: &dyn Sql, owner: OwnerKey) -> Result<(), StoreError> {
    let all = TABLE.many(sql, "owner = $1", params![owner], read)?;
    all.into_iter().try_for_each(|story| put(sql, owner, &Story { version: story.version + 1, ..story }))
}

/// Returns the version of a stored story.
pub(crate) fn version(sql: &dyn Sql, owner: OwnerKey, key: StoryKey) -> Result<Option<i64>, StoreError> {
    sql.one("SELECT version FROM story WHERE owner = $1 AND id = $2", params![owner, key], |row| row.int(0))
}

impl View<'_> {
    pub fn story(&self, id: StoryId) -> Result<Option<Story>, StoreError> {
        self.one_story(|own| own.id == id, "story = $2", Param::Bytes(id.as_bytes()))
    }

    pub fn story_by_key(&self, key: StoryKey) -> Result<Option<Story>, StoreError> {
        self.one_story(|own| own.key == key, "id = $2", Param::Int(key.0))
    }

    fn one_story(&self, is: impl Fn(&Story) -> bool, rest: &str, key: Param<'_>) -> Result<Option<Story>, StoreError> {
        if let Some(own) = self.rows.stories.values().find(|own| is(own)) {
            return Ok(Some(own.clone()));
        }
        if let Some(seen) = self.seen.stories.borrow().iter().find(|seen| is(seen)) {
            return Ok(Some(seen.clone()));
        }
        let Some(owner) = self.known_owner()? else { return Ok(None) };
        let found = TABLE.one(self.sql()?, &format!("owner = $1 AND {rest}"), &[owner.into(), key], read)?;
        if let Some(found) = &found {
            self.check(Check::Story(found.key, found.version));
            self.seen.stories.borrow_mut().push(found.clone());
        }
        Ok(found)
    }

    /// Returns all stories, the newest first.
    pub fn stories(&self) -> Result<Vec<Story>, StoreError> {
        let mut found: Vec<Story> = self.rows.stories.values().cloned().collect();
        if let Some(owner) = self.known_owner()? {
            for story in TABLE.many(self.sql()?, "owner = $1", params![owner], read)? {
                if !self.rows.stories.contains_key(&story.key) {
                    self.check(Check::Story(story.key, story.version));
                    found.push(story);
                }
            }
        }
        found.sort_by_key(|story| std::cmp::Reverse((story.created, story.key)));
        Ok(found)
    }
}

impl Draft<'_> {
    pub fn create_story(&mut self, new: &NewStory<'_>) -> Result<Story, StoreError> {
        let key = StoryKey(self.new_id(IdKind::Other)?);
        self.view.rows.new_stories.push(key);
        let story = Story {
            key,
            id: new.id,
            version: 1,
            title: new.title.to_owned(),
            card: new.card.to_owned(),
            root: self.add_root(key, node::root_id(new.id))?,
            rules: new.rules,
            card_rules: new.card_rules,
            choices: new.choices,
            settings: None,
            current: None,
            created: new.created,
            trashed: None,
        };
        self.view.rows.stories.insert(key, story.clone());
        Ok(story)
    }

    /// Saves a story; whether another writer was faster shows at the commit.
    pub fn save_story(&mut self, story: &Story) {
        // One commit raises the version once, however often the story is saved in it.
        let version = self.rows.stories.get(&story.key).map_or(story.version + 1, |own| own.version);
        self.view.rows.stories.insert(story.key, Story { version, ..story.clone() });
    }
}
