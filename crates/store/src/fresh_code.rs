//! The rows of one transaction as they lie together in one row of `fresh`.
//!
//! Length, sum, the rows, zeros: with them it is as long as a page of the file has room for, or a multiple of
//! that, so that the next one can be written over it.

use std::sync::Arc;

use storeyline_history::node::Node;
use storeyline_history::{NodeKey, PageKey, StateKey, TurnKey, TurnPage};
use storeyline_state::{NodeId, PageId, StateHash, TextHash, Value, ValueHash, json};

use crate::code::{Reader, Writer};
use crate::fresh::{Batch, FreshOperation, FreshPage, FreshState, FreshText, FreshTurn, RefMove};
use crate::operations::{Operation, OperationKind};
use crate::pack::{pack, unpack_text};
use crate::pages::{PageRow, read_inputs, unzigzag, zigzag};
use crate::states::Distance;
use crate::turns::StoredNode;

/// What one page of the file has room for.
const ROOM: usize = 4_000;

/// A longer transaction is not small.
const MOST: usize = 4 * ROOM;

/// The length.
const LENGTH: usize = 4;

/// The beginning of a hash of the rows: a disk that changed one of them must not have its way.
const SUM: usize = 8;

const HEAD: usize = LENGTH + SUM;

/// Returns the bytes of a row; nothing if the transaction is not small.
pub(crate) fn write(batch: &Batch) -> Option<Vec<u8>> {
    let length: usize = batch.texts.iter().map(|text| text.text.len()).sum();
    if length > 2 * MOST || batch.nodes.len() > MOST / 64 {
        return None;
    }
    let mut bytes = write_batch(batch, false);
    // To pack a text takes longer than all the rest, and it will be packed when it is spread.
    if bytes.len() > ROOM - HEAD {
        bytes = write_batch(batch, true);
    }
    if bytes.len() > MOST - HEAD {
        return None;
    }
    let room = (HEAD + bytes.len()).div_ceil(ROOM) * ROOM;
    let mut row = Vec::with_capacity(room);
    row.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    row.extend_from_slice(&sum(&bytes));
    row.extend_from_slice(&bytes);
    row.resize(room, 0);
    Some(row)
}

/// Reads what was written; nothing if it is not that.
pub(crate) fn read(row: &[u8]) -> Option<Batch> {
    let (length, rest) = row.split_first_chunk::<LENGTH>()?;
    let (own_sum, rest) = rest.split_first_chunk::<SUM>()?;
    let bytes = rest.get(..u32::from_le_bytes(*length) as usize)?;
    (sum(bytes) == *own_sum).then_some(())?;
    let mut reader = Reader::new(bytes);
    let batch = read_batch(&mut reader)?;
    reader.is_empty().then_some(batch)
}

fn sum(bytes: &[u8]) -> [u8; SUM] {
    let hash = blake3::hash(bytes);
    *hash.as_bytes().first_chunk().expect("a hash is longer")
}

/// A row that holds nothing.
pub(crate) fn empty() -> Vec<u8> {
    vec![0; ROOM]
}

fn write_batch(batch: &Batch, packed: bool) -> Vec<u8> {
    let mut writer = Writer { bytes: Vec::with_capacity(ROOM) };
    id(&mut writer, batch.owner);
    writer.byte(u8::from(packed));
    writer.count(batch.texts.len());
    for text in &batch.texts {
        id(&mut writer, text.id);
        match packed {
            true => bytes(&mut writer, &pack(text.text.as_bytes())),
            false => writer.text(&text.text),
        }
    }
    writer.count(batch.pages.len());
    batch.pages.iter().for_each(|page| write_page(&mut writer, page));
    writer.count(batch.read_in.len());
    for (page, turn) in &batch.read_in {
        id(&mut writer, *page);
        id(&mut writer, *turn);
    }
    writer.count(batch.turns.len());
    for turn in &batch.turns {
        id(&mut writer, turn.id);
        maybe(&mut writer, turn.host);
        bytes(&mut writer, &turn.bytes);
    }
    writer.count(batch.nodes.len());
    batch.nodes.iter().for_each(|node| write_node(&mut writer, node));
    writer.count(batch.states.len());
    batch.states.iter().for_each(|state| write_state(&mut writer, state));
    writer.count(batch.operations.len());
    batch.operations.iter().for_each(|operation| write_operation(&mut writer, operation));
    writer.count(batch.moves.len());
    batch.moves.iter().for_each(|moved| write_move(&mut writer, moved));
    writer.bytes
}

fn read_batch(reader: &mut Reader<'_>) -> Option<Batch> {
    let owner = read_id(reader)?;
    let packed = reader.byte()? != 0;
    let texts = reader.list(|reader| {
        let id = read_id(reader)?;
        let text = match packed {
            true => unpack_text(read_bytes(reader)?)?.into(),
            false => reader.text()?.into(),
        };
        Some(FreshText { id, text })
    })?;
    Some(Batch {
        owner,
        texts,
        pages: reader.list(read_page)?,
        read_in: reader.list(|reader| Some((read_id(reader)?, read_id(reader)?)))?,
        turns: reader.list(|reader| {
            let (id, host) = (read_id(reader)?, read_maybe(reader)?);
            Some(FreshTurn { id, host, bytes: read_bytes(reader)?.to_vec() })
        })?,
        nodes: reader.list(read_node)?,
        states: reader.list(read_state)?,
        operations: reader.list(read_operation)?,
        moves: reader.list(read_move)?,
    })
}

fn write_page(writer: &mut Writer, page: &FreshPage) {
    let row = &page.row;
    id(writer, row.page.at.0);
    id(writer, page.story);
    writer.raw(row.page.page.as_bytes());
    writer.raw(row.page.body.as_bytes());
    writer.raw(row.page.text.as_bytes());
    id(writer, row.text);
    id(writer, row.names);
    id(writer, row.rules);
    bytes(writer, &page.inputs);
    maybe(writer, row.kept);
    maybe(writer, page.turn);
}

fn read_page(reader: &mut Reader<'_>) -> Option<FreshPage> {
    let at = PageKey(read_id(reader)?);
    let story = read_id(reader)?;
    let page = PageId::from_slice(reader.raw(16)?).ok()?;
    let body = ValueHash::from_slice(reader.raw(32)?).ok()?;
    let text_hash = TextHash::from_bytes(reader.raw(16)?.try_into().ok()?);
    let (text, names, rules) = (read_id(reader)?, read_id(reader)?, read_id(reader)?);
    let inputs = read_bytes(reader)?.to_vec();
    let (kept, turn) = (read_maybe(reader)?, read_maybe(reader)?);
    let stored = TurnPage { page, text: text_hash, body, at };
    let row = PageRow { page: stored, text, names, rules, body: read_inputs(page, &inputs)?, kept };
    Some(FreshPage { row: Arc::new(row), story, inputs, turn })
}

fn write_node(writer: &mut Writer, StoredNode { node, story, run }: &StoredNode) {
    id(writer, node.key.0);
    id(writer, *story);
    id(writer, *run);
    writer.raw(node.id.as_bytes());
    id(writer, node.parent.0);
    id(writer, node.jump.0);
    writer.count(node.depth);
    maybe(writer, node.turn.map(|turn| turn.0));
    maybe_raw(writer, node.digest.as_ref().map(|digest| &digest.as_bytes()[..]));
    maybe(writer, node.state.map(|state| state.0));
}

fn read_node(reader: &mut Reader<'_>) -> Option<StoredNode> {
    let (key, story, run) = (NodeKey(read_id(reader)?), read_id(reader)?, read_id(reader)?);
    let node = Node {
        key,
        id: NodeId::from_bytes(reader.raw(32)?.try_into().ok()?),
        parent: NodeKey(read_id(reader)?),
        jump: NodeKey(read_id(reader)?),
        depth: reader.count()?,
        turn: read_maybe(reader)?.map(TurnKey),
        digest: read_maybe_raw(reader)?.map(TextHash::from_bytes),
        state: read_maybe(reader)?.map(StateKey),
    };
    Some(StoredNode { node, story, run })
}

fn write_state(writer: &mut Writer, state: &FreshState) {
    id(writer, state.id);
    maybe_raw(writer, state.memo.as_ref().map(|memo| &memo[..]));
    writer.raw(state.hash.as_bytes());
    maybe(writer, state.base);
    bytes(writer, &state.trace);
    maybe_raw(writer, state.paths.as_ref().map(|paths| &paths[..]));
    let Distance { weight, steps, size, frame } = state.distance;
    [weight, steps, size, frame].into_iter().for_each(|number| id(writer, number));
}

fn read_state(reader: &mut Reader<'_>) -> Option<FreshState> {
    Some(FreshState {
        id: read_id(reader)?,
        memo: read_maybe_raw(reader)?,
        hash: StateHash::from_slice(reader.raw(32)?).ok()?,
        base: read_maybe(reader)?,
        trace: read_bytes(reader)?.to_vec(),
        paths: read_maybe_raw(reader)?,
        distance: Distance {
            weight: read_id(reader)?,
            steps: read_id(reader)?,
            size: read_id(reader)?,
            frame: read_id(reader)?,
        },
    })
}

fn write_operation(writer: &mut Writer, FreshOperation { operation, client }: &FreshOperation) {
    id(writer, operation.id);
    id(writer, operation.of);
    maybe(writer, operation.earlier);
    id(writer, operation.kind.number());
    maybe(writer, operation.before.map(|node| node.0));
    maybe(writer, operation.after.map(|node| node.0));
    maybe(writer, operation.undoes);
    maybe(writer, *client);
    writer.text(&operation.client);
    writer.number(zigzag(operation.time));
    match &operation.detail {
        Value::Null => writer.count(0),
        detail => writer.value(detail),
    }
}

fn read_operation(reader: &mut Reader<'_>) -> Option<FreshOperation> {
    let operation = Operation {
        id: read_id(reader)?,
        of: read_id(reader)?,
        earlier: read_maybe(reader)?,
        kind: OperationKind::from_number(read_id(reader)?)?,
        before: read_maybe(reader)?.map(NodeKey),
        after: read_maybe(reader)?.map(NodeKey),
        undoes: read_maybe(reader)?,
        client: String::new(),
        time: 0,
        detail: Value::Null,
    };
    let client = read_maybe(reader)?;
    let name = reader.text()?.to_owned();
    let time = unzigzag(reader.number()?);
    let detail = match reader.text()? {
        "" => Value::Null,
        text => json::read_stored(text).ok()?,
    };
    Some(FreshOperation { operation: Operation { client: name, time, detail, ..operation }, client })
}

fn write_move(writer: &mut Writer, moved: &RefMove) {
    id(writer, moved.of);
    maybe(writer, moved.head.map(|node| node.0));
    id(writer, moved.version);
    maybe(writer, moved.operation);
    maybe(writer, moved.reported.map(|node| node.0));
    writer.number(zigzag(moved.updated));
}

fn read_move(reader: &mut Reader<'_>) -> Option<RefMove> {
    Some(RefMove {
        of: read_id(reader)?,
        head: read_maybe(reader)?.map(NodeKey),
        version: read_id(reader)?,
        operation: read_maybe(reader)?,
        reported: read_maybe(reader)?.map(NodeKey),
        updated: unzigzag(reader.number()?),
    })
}

/// Numbers of rows, and all others here, are never below zero.
fn id(writer: &mut Writer, id: i64) {
    writer.number(id as u64);
}

fn read_id(reader: &mut Reader<'_>) -> Option<i64> {
    i64::try_from(reader.number()?).ok()
}

fn maybe(writer: &mut Writer, id: Option<i64>) {
    writer.number(id.map_or(0, |id| id as u64 + 1));
}

fn read_maybe(reader: &mut Reader<'_>) -> Option<Option<i64>> {
    Some(read_id(reader)?.checked_sub(1).filter(|id| *id >= 0))
}

fn bytes(writer: &mut Writer, bytes: &[u8]) {
    writer.count(bytes.len());
    writer.raw(bytes);
}

fn read_bytes<'a>(reader: &mut Reader<'a>) -> Option<&'a [u8]> {
    let length = reader.count()?;
    reader.raw(length)
}

fn maybe_raw(writer: &mut Writer, bytes: Option<&[u8]>) {
    writer.byte(u8::from(bytes.is_some()));
    writer.raw(bytes.unwrap_or_default());
}

fn read_maybe_raw(reader: &mut Reader<'_>) -> Option<Option<[u8; 16]>> {
    Some(match reader.byte()? {
        0 => None,
        _ => Some(reader.raw(16)?.try_into().ok()?),
    })
}

#[cfg(test)]
mod tests {
    use storeyline_history::{Body, Role};
    use storeyline_state::text;

    use super::*;

    fn batch(words: &str) -> Batch {
        let page = PageId::from_random([3; 16]);
        let body = Body { role: Role::User, ..Body::lone_reply(text::hash(words)) };
        let inputs = crate::pages::write_inputs(page, &body);
        let stored = TurnPage { page, text: body.text, body: body.hash(), at: PageKey(7) };
        let rest = read_inputs(page, &inputs).unwrap();
        let row = PageRow { page: stored, text: 16, names: 2, rules: 3, body: rest, kept: None };
        let hash = Value::from(5).hash();
        let distance = Distance { weight: 9, steps: 1, size: 300, frame: 4 };
        let node = Node {
            key: NodeKey(5),
            id: NodeId::from_bytes([8; 32]),
            parent: NodeKey(4),
            jump: NodeKey(1),
            depth: 3,
            turn: Some(TurnKey(6)),
            digest: Some(text::hash("x")),
            state: None,
        };
        let operation = Operation {
            id: 11,
            of: 1,
            earlier: None,
            kind: OperationKind::Append,
            before: Some(NodeKey(4)),
            after: Some(NodeKey(5)),
            undoes: None,
            client: "客".into(),
            time: -5,
            detail: Value::text("x"),
        };
        let moved =
            RefMove { of: 1, head: Some(NodeKey(5)), version: 3, operation: Some(11), reported: None, updated: -1 };
        Batch {
            owner: 1,
            texts: vec![FreshText { id: 16, text: words.into() }],
            pages: vec![FreshPage { row: Arc::new(row), story: 1, inputs, turn: Some(6) }],
            read_in: vec![(2, 6)],
            turns: vec![FreshTurn { id: 6, host: Some(0), bytes: vec![1, 2] }],
            nodes: vec![StoredNode { node, story: 1, run: 2 }],
            states: vec![FreshState {
                id: 9,
                memo: Some([4; 16]),
                hash,
                base: Some(8),
                trace: vec![0],
                paths: None,
                distance,
            }],
            operations: vec![FreshOperation { operation, client: Some(2) }],
            moves: vec![moved],
        }
    }

    #[test]
    fn rows_survive_and_fill_their_place() {
        for (words, length) in [("雨夜", ROOM), (&"雨夜酒馆，".repeat(900), ROOM)] {
            let batch = batch(words);
            let row = write(&batch).unwrap();
            assert_eq!(row.len(), length);
            let read = read(&row).unwrap();
            assert_eq!(write(&read).unwrap(), row);
            assert_eq!(read.text(16), Some(words));
            assert_eq!(read.moves, batch.moves);
            assert_eq!(read.nodes[0].node, batch.nodes[0].node);
            assert_eq!(read.operations[0].operation, batch.operations[0].operation);
            assert_eq!(read.page(7).unwrap().row.page, batch.pages[0].row.page);
        }
    }

    #[test]
    fn what_is_not_small_is_refused() {
        let long: String = (0..40_000u32).filter_map(|n| char::from_u32(0x4e00 + n * 7_919 % 20_000)).collect();
        assert!(write(&batch(&long)).is_none());
    }

    #[test]
    fn broken_bytes_are_nothing() {
        let whole = write(&batch("雨夜")).unwrap();
        assert!(read(&empty()).is_none());
        let length = HEAD + u32::from_le_bytes(*whole.first_chunk().unwrap()) as usize;
        assert!(read(&whole[..length]).is_some() && length > 200);
        for end in 0..length {
            assert!(read(&whole[..end]).is_none(), "cut at {end}");
            let mut broken = whole.clone();
            broken[end] ^= 0x55;
            assert!(read(&broken).is_none(), "flipped at {end}");
        }
    }
}
