//! Opening a host chat: finds the branch that is bound to it, or creates one, with a new story if
//! needed.

use storeyline_history::{Choices, Rules, compose};
use storeyline_state::{ChatId, NodeId, RefId, StoryId, Value};
use storeyline_store::{Draft, HostBinding, NewStory, OperationKind, Owner, Ref, RefKey, RefKind, Story};

use crate::branch::{Note, record};
use crate::clock_and_random::{now, random_bytes};
use crate::engine::Engine;
use crate::error::{EngineError, Result};
use crate::rules::user_defaults;
use crate::sync::node_name;

/// A host chat to be opened.
#[derive(Debug, Clone)]
pub struct OpenChat {
    pub chat: ChatId,
    /// The chat that it was branched or copied from.
    pub parent: Option<ChatId>,
    /// Its file name.
    pub file: String,
    /// The card or group that the file belongs to.
    pub file_owner: String,
    /// The title of a new story.
    pub title: String,
    /// The first state of a new story; takes precedence over the card.
    pub template: Option<Value>,
    /// The rules of the card, for a new story.
    pub rules: Rules,
    /// The story of the branch; takes precedence over `parent`.
    pub into: Option<StoryId>,
}

/// The branch that belongs to a host chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedChat {
    pub story: StoryId,
    pub branch: RefId,
    pub node: Option<NodeId>,
    /// Whether this request created it.
    pub created: bool,
}

impl Engine {
    /// Finds the branch of a host chat, or creates one: in the story of its parent, else in a new
    /// story.
    pub fn open_chat(&self, owner: &Owner, request: &OpenChat) -> Result<OpenedChat> {
        self.change(owner, |tx| open_chat(tx, request, "host"))
    }
}

pub(crate) fn open_chat(tx: &mut Draft<'_>, request: &OpenChat, client: &str) -> Result<OpenedChat> {
    if let Some(found) = tx.ref_of_chat(request.chat)? {
        let branch = remember_file(tx, found, &binding(request))?;
        let node = node_name(tx, branch.head)?;
        return Ok(OpenedChat { story: branch.story, branch: branch.id, node, created: false });
    }
    let parent = request.parent.map_or(Ok(None), |parent| tx.ref_of_chat(parent))?;
    let story = match (request.into, &parent) {
        (Some(into), _) => tx.story(into)?.ok_or(EngineError::UnknownStory(into))?,
        (None, Some(parent)) => tx.story_by_key(parent.story_key)?.ok_or(EngineError::UnknownStory(parent.story))?,
        (None, None) => {
            let choices = Choices { first_state: request.template.clone(), ..Choices::default() };
            create_story(tx, &request.title, &request.file_owner, &request.rules, &choices)?
        }
    };
    let origin = parent.filter(|parent| parent.story_key == story.key).map(|parent| parent.key);
    let mut branch = new_ref(&story, RefKind::Branch, &request.file, origin);
    branch.host = Some(binding(request));
    record(tx, &mut branch, None, Note::new(OperationKind::CreateBranch, client))?;
    make_current(tx, story, &branch);
    Ok(OpenedChat { story: branch.story, branch: branch.id, node: None, created: true })
}

/// Makes a branch the current one if the story has none.
pub(crate) fn make_current(tx: &mut Draft<'_>, story: Story, branch: &Ref) {
    if story.current.is_none() {
        tx.save_story(&Story { current: Some(branch.key), ..story });
    }
}

/// A ref that is not stored yet.
pub(crate) fn new_ref(story: &Story, kind: RefKind, name: &str, origin: Option<RefKey>) -> Ref {
    Ref {
        key: RefKey::NEW,
        id: RefId::from_random(random_bytes()),
        story: story.id,
        story_key: story.key,
        kind,
        name: name.to_owned(),
        note: String::new(),
        colour: String::new(),
        origin,
        head: None,
        version: 0,
        operation: 0,
        host: None,
        header: None,
        updated: now(),
        trashed: None,
    }
}

fn binding(request: &OpenChat) -> HostBinding {
    HostBinding {
        chat: request.chat,
        file: request.file.clone(),
        file_owner: request.file_owner.clone(),
        reported: None,
    }
}

/// Creates a story under the rules of its card and the choices of the user.
pub(crate) fn create_story(
    tx: &mut Draft<'_>,
    title: &str,
    card: &str,
    card_rules: &Rules,
    choices: &Choices,
) -> Result<Story> {
    let rules = tx.put_rules(&compose(card_rules, choices, &user_defaults(tx, card)?))?;
    let card_rules = tx.put_rules(card_rules)?;
    let choices = match *choices == Choices::default() {
        true => None,
        false => Some(tx.put_value(&choices.to_value())?.0),
    };
    let (id, created) = (StoryId::from_random(random_bytes()), now());
    Ok(tx.create_story(&NewStory { id, title, card, rules, card_rules, choices, created })?)
}

/// Stores the new file name of a chat; a branch that was named after the file is renamed too.
pub(crate) fn remember_file(tx: &mut Draft<'_>, mut branch: Ref, now: &HostBinding) -> Result<Ref> {
    let Some(before) = branch.host.take() else { return Ok(branch) };
    let host = HostBinding { reported: before.reported, ..now.clone() };
    if branch.name == before.file {
        branch.name.clone_from(&host.file);
    }
    let is_same = host == before;
    branch.host = Some(host);
    if !is_same {
        tx.save_ref(&mut branch)?;
    }
    Ok(branch)
}
