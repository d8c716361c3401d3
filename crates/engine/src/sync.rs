//! Sync: a host declares what it shows; what it changed goes into the branch, what Storeyline
//! changed goes back. The contract is in `docs/api.md`.

use storeyline_compat::Row;
use storeyline_history::merge::{Merged, merge};
use storeyline_history::node::ancestor;
use storeyline_history::path_states::{StateTable, fill_states};
use storeyline_history::steps::{HostStep, steps};
use storeyline_history::{NodeTable, Turn};
use storeyline_state::{
    Change, ChatId, Diagnostic, NodeId, Op, PageId, RefId, StateHash, Step, StoryId, TextHash, Value, Words, diff,
};
use storeyline_store::{OperationKind, Owner, Ref, Story, Tx};

use crate::branch::{find_story, move_head, plain, put_list, put_turns, save, turns_to};
use crate::chance::{now, random};
use crate::declared::{Declared, Messages, read_rows};
use crate::engine::Engine;
use crate::error::EngineError;
use crate::export::host_messages;
use crate::view::trace_of;

/// The first floors, which did not change since the base.
#[derive(Debug, Clone, Default)]
pub struct Keep {
    /// How many.
    pub len: usize,
    /// Their chain digest, as text.
    pub digest: String,
}

/// What `{{user}}` and `{{char}}` mean for new pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// The player.
    pub user: String,
    /// The character.
    pub character: String,
}

/// What a host shows.
#[derive(Debug, Clone)]
pub struct SyncRequest {
    /// The chat.
    pub chat: ChatId,
    /// Which page load or program speaks.
    pub client: String,
    /// Rises with each request of this client.
    pub seq: i64,
    /// The node that this client last acknowledged.
    pub base: Option<NodeId>,
    /// The first floors.
    pub keep: Keep,
    /// The floors after them.
    pub tail: Vec<Row>,
    /// Host messages that may not be known yet.
    pub messages: Vec<Value>,
    /// The state that the client has.
    pub have: Option<StateHash>,
    /// Names for new pages.
    pub names: Names,
}

/// A state for a client that may have another one.
#[derive(Debug, Clone, PartialEq)]
pub struct StateAnswer {
    /// Its hash.
    pub hash: StateHash,
    /// The state, or how to reach it; neither if the client has it.
    pub content: Option<StateContent>,
}

/// A whole state, or the way from the one the client has.
#[derive(Debug, Clone, PartialEq)]
pub enum StateContent {
    /// All of it.
    Whole(Value),
    /// Ops to apply to the state that the client has.
    Ops(Vec<Op>),
}

/// Something for the host to carry out.
#[derive(Debug, Clone, PartialEq)]
pub enum HostChange {
    /// The read page of a floor has another text.
    Edit {
        /// Where.
        floor: usize,
        /// Which page.
        page: PageId,
        /// Its text.
        text: String,
    },
    /// Another page of a floor is read.
    Select {
        /// Where.
        floor: usize,
        /// Which page.
        page: PageId,
        /// Its place.
        index: usize,
    },
    /// From a floor on the chat is this.
    Replace {
        /// From where.
        floor: usize,
        /// The messages.
        messages: Vec<Value>,
    },
}

/// A remark about a page that was evaluated now.
#[derive(Debug, Clone, PartialEq)]
pub struct PageDiagnostic {
    /// Where.
    pub floor: usize,
    /// Which page.
    pub page: PageId,
    /// What.
    pub diagnostic: Diagnostic,
    /// The text it is about.
    pub source: String,
}

/// Something the user should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Stable.
    pub code: &'static str,
    /// In both languages.
    pub message: Words,
}

/// The answer to a sync.
#[derive(Debug, Clone)]
pub struct SyncAnswer {
    /// The story.
    pub story: StoryId,
    /// The branch of the chat.
    pub branch: RefId,
    /// The declared path; the next base.
    pub node: Option<NodeId>,
    /// Messages that are missing; if there are any, nothing was written.
    pub need: Vec<TextHash>,
    /// Pages that had lost their id.
    pub adopt: Vec<(usize, PageId)>,
    /// What the host has to do.
    pub apply: Vec<HostChange>,
    /// The state at the last floor.
    pub state: Option<StateAnswer>,
    /// The state before the last floor.
    pub parent: Option<StateAnswer>,
    /// Remarks on pages that were evaluated now.
    pub diagnostics: Vec<PageDiagnostic>,
    /// For the user.
    pub notices: Vec<Notice>,
    /// How many pages were evaluated.
    pub evaluated: usize,
}

impl Engine {
    /// Takes in what a host shows.
    pub fn sync(&self, owner: &Owner, request: &SyncRequest) -> Result<SyncAnswer, EngineError> {
        let messages = Messages::new(&request.messages);
        self.transaction(owner, |tx| sync(tx, request, &messages, OperationKind::Sync))
    }
}

pub(crate) fn sync(
    tx: &mut Tx<'_>,
    request: &SyncRequest,
    messages: &Messages,
    kind: OperationKind,
) -> Result<SyncAnswer, EngineError> {
    let branch = tx.ref_of_chat(request.chat)?.ok_or(EngineError::UnknownChat(request.chat))?;
    let story = find_story(tx, branch.story)?;
    let first = check_seq(tx, request)?;
    if request.keep.len + request.tail.len() == 0 {
        return Err(EngineError::EmptyPath);
    }
    let start = kept_node(tx, &story, request)?;
    let (rows, adopt) =
        if first { adopt_lost_ids(tx, &story, &branch, request)? } else { (request.tail.clone(), Vec::new()) };
    let turns = match read_rows(tx, &story, &rows, messages, &request.names, request.keep.len)? {
        Declared::Turns(turns) => turns,
        Declared::Need(need) => return Ok(SyncAnswer::needing(&branch, need)),
    };
    let shown = put_turns(tx, start, &turns)?;
    let walked = fill_states(tx, shown)?;
    tx.put_seq(request.chat, &request.client, request.seq, now())?;
    let base = base_of(tx, &story, &branch, request, first)?;
    let target = reconcile(tx, &story, &branch, base, shown)?;
    let (branch, notices) = move_branch(tx, branch, target, shown, kind, &request.client)?;
    let (state, parent) = states_at(tx, shown, request.have)?;
    Ok(SyncAnswer {
        story: story.id,
        branch: branch.id,
        node: Some(shown),
        need: Vec::new(),
        adopt,
        apply: host_changes(tx, shown, branch.head.unwrap_or(shown))?,
        state: Some(state),
        parent: Some(parent),
        diagnostics: page_diagnostics(tx, &walked.evaluated)?,
        notices,
        evaluated: walked.evaluated.len(),
    })
}

/// Returns whether this is the client's first request in this chat.
fn check_seq(tx: &Tx<'_>, request: &SyncRequest) -> Result<bool, EngineError> {
    match tx.last_seq(request.chat, &request.client)? {
        Some(last) if request.seq < last => Err(EngineError::OldSeq { seq: request.seq, last }),
        last => Ok(last.is_none()),
    }
}

/// The node after the kept floors; the digest proves that both sides mean the same.
fn kept_node(tx: &Tx<'_>, story: &Story, request: &SyncRequest) -> Result<NodeId, EngineError> {
    if request.keep.len == 0 {
        return Ok(story.root);
    }
    let base = known_base(tx, story, request.base)?.ok_or(EngineError::KeepMismatch)?;
    let node = ancestor(tx, base, request.keep.len)?.ok_or(EngineError::KeepMismatch)?;
    let digest = node.digest.map(|digest| digest.to_string()).unwrap_or_default();
    if digest == request.keep.digest { Ok(node.id) } else { Err(EngineError::KeepMismatch) }
}

/// The client's base, if it is a node of this story.
fn known_base(tx: &Tx<'_>, story: &Story, base: Option<NodeId>) -> Result<Option<NodeId>, EngineError> {
    let Some(base) = base else { return Ok(None) };
    if !tx.has_node(base)? {
        return Ok(None);
    }
    let root = ancestor(tx, base, 0)?.map(|node| node.id);
    Ok((root == Some(story.root)).then_some(base))
}

/// A client that has just read the file speaks for the file: where nothing was changed on our
/// side since the host last reported, the file is simply right, even if it lost something.
fn base_of(
    tx: &Tx<'_>,
    story: &Story,
    branch: &Ref,
    request: &SyncRequest,
    first: bool,
) -> Result<Option<NodeId>, EngineError> {
    let reported = branch.host.as_ref().and_then(|host| host.reported);
    if first && branch.head == reported {
        return Ok(branch.head);
    }
    Ok(known_base(tx, story, request.base)?.or(reported))
}

/// What becomes of the branch.
enum Target {
    /// It stands here now.
    Node(NodeId),
    /// Both sides changed the same page: the host's path becomes a branch of its own.
    Fork,
}

fn reconcile(
    tx: &mut Tx<'_>,
    story: &Story,
    branch: &Ref,
    base: Option<NodeId>,
    shown: NodeId,
) -> Result<Target, EngineError> {
    let Some(head) = branch.head.filter(|head| Some(*head) != base) else {
        return Ok(Target::Node(shown));
    };
    let digest = |node: NodeId| tx.node(node).map(|node| node.digest);
    if digest(head)? == digest(shown)? {
        return Ok(Target::Node(shown));
    }
    let base_digest = base.map(digest).transpose()?.flatten();
    if base_digest == digest(shown)? {
        return Ok(Target::Node(head));
    }
    let [base, host, ours] = [base, Some(shown), Some(head)].map(|node| turns_to(tx, node));
    match merge(&plain(&base?), &plain(&host?), &plain(&ours?)) {
        Merged::Clean(turns) => Ok(Target::Node(put_list(tx, story, &turns)?)),
        Merged::Conflict => Ok(Target::Fork),
    }
}

fn move_branch(
    tx: &mut Tx<'_>,
    mut branch: Ref,
    target: Target,
    shown: NodeId,
    kind: OperationKind,
    client: &str,
) -> Result<(Ref, Vec<Notice>), EngineError> {
    let mut notices = Vec::new();
    let head = match target {
        Target::Node(head) => head,
        Target::Fork => {
            branch = fork(tx, branch)?;
            notices.push(forked(&branch.name));
            shown
        }
    };
    let reported = branch.host.as_ref().and_then(|host| host.reported);
    if let Some(host) = &mut branch.host {
        host.reported = Some(shown);
    }
    fill_states(tx, head)?;
    if branch.head != Some(head) {
        move_head(tx, &mut branch, head, kind, client)?;
    } else if reported != Some(shown) {
        save(tx, &mut branch)?;
    }
    Ok((branch, notices))
}

/// Gives the host chat a branch of its own; the old one stays where it is, without a chat.
fn fork(tx: &mut Tx<'_>, mut old: Ref) -> Result<Ref, EngineError> {
    let host = old.host.take();
    save(tx, &mut old)?;
    let name = format!("{} · {}", old.name, tx.refs(old.story)?.len() + 1);
    Ok(Ref { id: RefId::from_random(random()), name, head: None, version: 0, host, ..old })
}

fn forked(name: &str) -> Notice {
    Notice {
        code: "forked",
        message: Words::new(
            format!("聊天和 Storeyline 同时改了同一处。聊天里的内容现在是新分支“{name}”，原分支没有改动。"),
            format!(
                "The chat and Storeyline changed the same place. What the chat shows is the new branch \"{name}\" now; the other branch is unchanged."
            ),
        ),
    }
}

/// Pages that lost their id in the file (a tab that died before saving) get it back: same floor,
/// same role, same text, and the old id stands nowhere else.
fn adopt_lost_ids(
    tx: &Tx<'_>,
    story: &Story,
    branch: &Ref,
    request: &SyncRequest,
) -> Result<(Vec<Row>, Vec<(usize, PageId)>), EngineError> {
    let mut rows = request.tail.clone();
    let mut adopted = Vec::new();
    let mut known: Option<Vec<Turn>> = None;
    for index in 0..rows.len() {
        let Some((id, hash)) = rows[index].pages.get(rows[index].active).copied() else {
            continue;
        };
        if tx.turn_of_page(story.id, id)?.is_some() {
            continue;
        }
        if known.is_none() {
            known = Some(plain(&turns_to(tx, branch.head)?));
        }
        let floor = request.keep.len + index;
        let Some(turn) = known.as_ref().and_then(|turns| turns.get(floor)) else {
            continue;
        };
        let old = turn.active_page();
        let free = !rows.iter().any(|row| row.pages.iter().any(|(own, _)| *own == old.page));
        if old.text == hash && turn.role == rows[index].role && free {
            let active = rows[index].active;
            rows[index].pages[active].0 = old.page;
            adopted.push((floor, old.page));
        }
    }
    Ok((rows, adopted))
}

fn host_changes(tx: &Tx<'_>, shown: NodeId, target: NodeId) -> Result<Vec<HostChange>, EngineError> {
    if shown == target || tx.node(shown)?.digest == tx.node(target)?.digest {
        return Ok(Vec::new());
    }
    let wanted = turns_to(tx, Some(target))?;
    let steps = steps(&plain(&turns_to(tx, Some(shown))?), &plain(&wanted));
    let changes = steps.into_iter().map(|step| {
        Ok(match step {
            HostStep::Edit { floor, page, text } => {
                HostChange::Edit { floor, page, text: tx.text(text)?.unwrap_or_default() }
            }
            HostStep::Select { floor, page, index } => HostChange::Select { floor, page, index },
            HostStep::Replace { floor } => {
                HostChange::Replace { floor, messages: host_messages(tx, &wanted[floor..])? }
            }
        })
    });
    changes.collect()
}

/// The state at a node and the one before it, for a client that may have one of them.
fn states_at(tx: &Tx<'_>, node: NodeId, have: Option<StateHash>) -> Result<(StateAnswer, StateAnswer), EngineError> {
    let hash = tx.state_of(node)?.expect("it was filled");
    let parent = tx.state_of(tx.node(node)?.parent)?.expect("states are filled from the top");
    let known = Some(parent) == have || parent == hash;
    let content = if known { None } else { Some(StateContent::Whole(tx.state(parent)?)) };
    Ok((state_answer(tx, hash, have)?, StateAnswer { hash: parent, content }))
}

/// The way from the client's state if it is known and short, else the whole.
fn state_answer(tx: &Tx<'_>, hash: StateHash, have: Option<StateHash>) -> Result<StateAnswer, EngineError> {
    if have == Some(hash) {
        return Ok(StateAnswer { hash, content: None });
    }
    let state = tx.state(hash)?;
    if let Some(have) = have.filter(|have| tx.has_state(*have).unwrap_or(false)) {
        let from = tx.state(have)?;
        let ops = diff::diff(&from, &state);
        if ops.len() <= MAX_OPS && by_key(from, &ops).as_ref() == Some(&state) {
            return Ok(StateAnswer { hash, content: Some(StateContent::Ops(ops)) });
        }
    }
    Ok(StateAnswer { hash, content: Some(StateContent::Whole(state)) })
}

/// More ops than these are not worth it.
const MAX_OPS: usize = 64;

/// Applies ops as a client does, who knows keys but not places among siblings: nothing if an op
/// cannot be said that way.
fn by_key(mut state: Value, ops: &[Op]) -> Option<Value> {
    for op in ops {
        let mut op = op.clone();
        if let (Change::Insert { new, at }, Some(Step::Key(key))) = (&mut op.change, op.path.last()) {
            let parent = get(&state, &op.path[..op.path.len() - 1])?.as_object()?;
            *at = parent.clone().insert(key.clone(), new.clone());
        }
        if let (Change::Insert { .. }, Some(Step::Index(index))) = (&op.change, op.path.last()) {
            let parent = get(&state, &op.path[..op.path.len() - 1])?.as_list()?;
            (parent.len() == *index).then_some(())?;
        }
        (!op.path.is_empty()).then_some(())?;
        op.apply(&mut state).ok()?;
    }
    Some(state)
}

fn get<'a>(state: &'a Value, path: &[Step]) -> Option<&'a Value> {
    path.iter().try_fold(state, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.as_list()?.get(*index),
    })
}

/// What there is to say about pages that were evaluated now.
fn page_diagnostics(tx: &Tx<'_>, nodes: &[NodeId]) -> Result<Vec<PageDiagnostic>, EngineError> {
    let mut found = Vec::new();
    for node in nodes {
        let node = tx.node(*node)?;
        let turn = tx.turn(node.turn.expect("only the root has no turn"))?;
        let page = turn.active_page();
        let parent = tx.state_of(node.parent)?.expect("states are filled from the top");
        let trace = trace_of(tx, parent, page.body)?;
        if trace.all_diagnostics().next().is_none() {
            continue;
        }
        let text = tx.text(page.text)?.unwrap_or_default();
        found.extend(trace.all_diagnostics().map(|diagnostic| PageDiagnostic {
            floor: node.depth - 1,
            page: page.page,
            diagnostic: diagnostic.clone(),
            source: text.get(diagnostic.span.clone()).unwrap_or_default().to_owned(),
        }));
    }
    Ok(found)
}

impl SyncAnswer {
    fn needing(branch: &Ref, need: Vec<TextHash>) -> SyncAnswer {
        SyncAnswer {
            story: branch.story,
            branch: branch.id,
            node: None,
            need,
            adopt: Vec::new(),
            apply: Vec::new(),
            state: None,
            parent: None,
            diagnostics: Vec::new(),
            notices: Vec::new(),
            evaluated: 0,
        }
    }
}
