//! A host chat says who it is, before anything else.

use storeyline_history::Rules;
use storeyline_state::{ChatId, NodeId, RefId, StoryId, Value};
use storeyline_store::{HostBinding, NewStory, OperationKind, Owner, Ref, RefKind, Story, Tx};

use crate::branch::{Note, record, save};
use crate::chance::{now, random};
use crate::engine::Engine;
use crate::error::EngineError;
use crate::keeps;
use crate::sync::node_name;

/// Who a host chat is.
#[derive(Debug, Clone)]
pub struct OpenChat {
    /// The chat.
    pub chat: ChatId,
    /// The chat that it was branched or copied from.
    pub parent: Option<ChatId>,
    /// Its file name.
    pub file: String,
    /// Its card or group.
    pub file_owner: String,
    /// The title of a new story.
    pub title: String,
    /// The initial state of a new story.
    pub template: Option<Value>,
    /// The rules of a new story.
    pub rules: Rules,
    /// The story it belongs to, whatever the chat says.
    pub into: Option<StoryId>,
}

/// The branch that belongs to a host chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedChat {
    /// Its story.
    pub story: StoryId,
    /// The branch.
    pub branch: RefId,
    /// Where it stands.
    pub node: Option<NodeId>,
    /// Whether it was made now.
    pub created: bool,
}

impl Engine {
    /// Finds the branch of a host chat, or makes one: in the story of its parent, else in a new
    /// story whose initial state is the template.
    pub fn open_chat(&self, owner: &Owner, request: &OpenChat) -> Result<OpenedChat, EngineError> {
        self.transaction(owner, |tx| open_chat(tx, request, "host"))
    }
}

pub(crate) fn open_chat(tx: &mut Tx<'_>, request: &OpenChat, client: &str) -> Result<OpenedChat, EngineError> {
    if let Some(found) = tx.ref_of_chat(request.chat)? {
        let branch = remember_file(tx, found, request)?;
        let node = node_name(tx, branch.head)?;
        return Ok(OpenedChat { story: branch.story, branch: branch.id, node, created: false });
    }
    let parent = request.parent.map(|parent| tx.ref_of_chat(parent)).transpose()?.flatten();
    let story = match (request.into, &parent) {
        (Some(into), _) => tx.story(into)?.ok_or(EngineError::UnknownStory(into))?,
        (None, Some(parent)) => tx.story_by_key(parent.story_key)?.ok_or(EngineError::UnknownStory(parent.story))?,
        (None, None) => begin_story(tx, request)?,
    };
    let origin = parent.filter(|parent| parent.story_key == story.key).map(|parent| parent.key);
    let mut branch = new_ref(&story, RefKind::Branch, &request.file, origin);
    branch.host = Some(binding(request));
    record(tx, &mut branch, None, Note::new(OperationKind::CreateBranch, client))?;
    make_current(tx, story, &branch)?;
    Ok(OpenedChat { story: branch.story, branch: branch.id, node: None, created: true })
}

/// A story begins with what its card says, else with the template that the user keeps for the card;
/// the functions that the user keeps for all cards and for this one join those that it brings.
pub(crate) fn begin_story(tx: &mut Tx<'_>, request: &OpenChat) -> Result<Story, EngineError> {
    let card = request.file_owner.as_str();
    let kept = match &request.template {
        Some(_) => None,
        None => keeps::template(tx, card)?,
    };
    let mut rules = request.rules.clone();
    keeps::add_libraries(tx, card, &mut rules)?;
    let initial = request.template.as_ref().or(kept.as_ref());
    create_story(tx, &NewStoryRequest { title: &request.title, card, initial, rules: &rules })
}

/// The first branch of a story is the one that is read.
pub(crate) fn make_current(tx: &mut Tx<'_>, story: Story, branch: &Ref) -> Result<(), EngineError> {
    if story.current.is_none() {
        tx.save_story(&Story { current: Some(branch.key), ..story })?;
    }
    Ok(())
}

/// A ref that is not stored yet.
pub(crate) fn new_ref(story: &Story, kind: RefKind, name: &str, origin: Option<i64>) -> Ref {
    Ref {
        key: 0,
        id: RefId::from_random(random()),
        story: story.id,
        story_key: story.key,
        kind,
        name: name.to_owned(),
        note: String::new(),
        colour: String::new(),
        origin,
        head: None,
        version: 0,
        operation: None,
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

/// What a new story begins with.
pub(crate) struct NewStoryRequest<'a> {
    pub(crate) title: &'a str,
    pub(crate) card: &'a str,
    pub(crate) initial: Option<&'a Value>,
    pub(crate) rules: &'a Rules,
}

pub(crate) fn create_story(tx: &mut Tx<'_>, request: &NewStoryRequest<'_>) -> Result<Story, EngineError> {
    let rules = tx.put_rules(request.rules)?;
    let nothing = Value::empty_object();
    Ok(tx.create_story(&NewStory {
        id: StoryId::from_random(random()),
        title: request.title,
        card: request.card,
        initial: request.initial.unwrap_or(&nothing),
        rules,
        created: now(),
    })?)
}

/// A renamed chat keeps its branch; the branch takes the new name if it had the old one.
fn remember_file(tx: &mut Tx<'_>, mut branch: Ref, request: &OpenChat) -> Result<Ref, EngineError> {
    let Some(host) = &mut branch.host else {
        return Ok(branch);
    };
    if host.file == request.file && host.file_owner == request.file_owner {
        return Ok(branch);
    }
    if branch.name == host.file {
        branch.name.clone_from(&request.file);
    }
    host.file.clone_from(&request.file);
    host.file_owner.clone_from(&request.file_owner);
    save(tx, &mut branch)?;
    Ok(branch)
}
