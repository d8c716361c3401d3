//! A host chat says who it is, before anything else.

use storeyline_history::Rules;
use storeyline_state::{ChatId, NodeId, RefId, StoryId, Value};
use storeyline_store::{HostBinding, Owner, Ref, RefKind, Tx};

use crate::chance::{now, random};
use crate::engine::Engine;
use crate::error::EngineError;

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
        self.transaction(owner, |tx| {
            if let Some(found) = tx.ref_of_chat(request.chat)? {
                let branch = remember_file(tx, found, request)?;
                return Ok(OpenedChat { story: branch.story, branch: branch.id, node: branch.head, created: false });
            }
            let parent = request.parent.map(|parent| tx.ref_of_chat(parent)).transpose()?.flatten();
            let story = match parent {
                Some(parent) => parent.story,
                None => create_story(tx, request)?,
            };
            let branch = Ref {
                id: RefId::from_random(random()),
                story,
                kind: RefKind::Branch,
                name: request.file.clone(),
                head: None,
                version: 0,
                host: Some(binding(request)),
                header: None,
                updated: now(),
            };
            if !tx.put_ref(&branch)? {
                return Err(EngineError::RefMoved);
            }
            Ok(OpenedChat { story, branch: branch.id, node: None, created: true })
        })
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

fn create_story(tx: &mut Tx<'_>, request: &OpenChat) -> Result<StoryId, EngineError> {
    let rules = tx.put_rules(&request.rules)?;
    let initial = request.template.clone().unwrap_or_else(Value::empty_object);
    let story = tx.create_story(StoryId::from_random(random()), &request.title, &initial, rules, now())?;
    Ok(story.id)
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
    if !tx.put_ref(&branch)? {
        return Err(EngineError::RefMoved);
    }
    Ok(branch)
}
