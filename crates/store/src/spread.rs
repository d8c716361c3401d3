//! Spreading rows that wait into their tables, many at once.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::code::split;
use crate::error::StoreError;
use crate::fresh::{Batch, FreshOperation, FreshPage, FreshState, FreshText, FreshTurn, RefMove};
use crate::pack::pack;
use crate::sql::{Param, params};
use crate::states::Distance;
use crate::texts::{MOST_PIECES, cut};
use crate::turns::StoredNode;
use crate::tx::Tx;

impl Tx<'_> {
    /// Spreads everything that waits. Whoever asks the tables themselves does this first.
    pub(crate) fn settle(&self) -> Result<(), StoreError> {
        self.spread_all_but_nodes()?;
        let nodes = std::mem::take(&mut self.pending.borrow_mut().nodes);
        self.write_nodes(self.owner, &nodes)
    }

    /// Nodes of this transaction wait for their states.
    pub(crate) fn spread_all_but_nodes(&self) -> Result<(), StoreError> {
        if !self.has_fresh() {
            return Ok(());
        }
        self.has_spread.set(true);
        self.trust_no_named();
        // Of the moves of a ref only the last one counts.
        let mut moves = BTreeMap::new();
        let mut see_moves = |batch: &Batch| moves.extend(batch.moves.iter().map(|own| ((batch.owner, own.of), *own)));
        for batch in self.fresh.take() {
            self.write_all_but_nodes(&batch)?;
            self.write_nodes(batch.owner, &batch.nodes)?;
            see_moves(&batch);
        }
        let mut pending = self.pending.take();
        self.pending.borrow_mut().nodes = std::mem::take(&mut pending.nodes);
        self.write_all_but_nodes(&pending)?;
        see_moves(&pending);
        moves.into_iter().try_for_each(|((owner, _), moved)| self.write_move(owner, &moved))
    }

    fn write_move(&self, owner: i64, moved: &RefMove) -> Result<(), StoreError> {
        let sql = "UPDATE ref SET head = $1, version = $2, operation = $3, host_node = $4, updated = $5
                   WHERE id = $6 AND owner = $7";
        let (head, reported) = (moved.head.map(|node| node.0), moved.reported.map(|node| node.0));
        self.run(sql, params![head, moved.version, moved.operation, reported, moved.updated, moved.of, owner])?;
        Ok(())
    }

    fn write_all_but_nodes(&self, batch: &Batch) -> Result<(), StoreError> {
        let owner = batch.owner;
        batch.texts.iter().try_for_each(|text| self.write_text(owner, text))?;
        batch.pages.iter().try_for_each(|page| self.write_page(owner, page))?;
        batch.turns.iter().try_for_each(|turn| self.write_turn(owner, turn))?;
        for (page, turn) in &batch.read_in {
            let sql = "UPDATE page SET turn = $1 WHERE id = $2 AND owner = $3";
            self.run(sql, params![*turn, *page, owner])?;
        }
        batch.states.iter().try_for_each(|state| self.write_state(owner, state))?;
        batch.operations.iter().try_for_each(|operation| self.write_operation(owner, operation))
    }

    fn write_text(&self, owner: i64, text: &FreshText) -> Result<(), StoreError> {
        let packed = pack(text.text.as_bytes());
        let pieces: Vec<&[u8]> = cut(&packed).collect();
        let mut params = vec![text.id.into(), owner.into(), pieces.len().into()];
        params.extend(pieces.iter().map(|piece| Param::Bytes(piece)));
        self.run(insert_pieces(pieces.len()), &params)?;
        Ok(())
    }

    fn write_page(&self, owner: i64, page: &FreshPage) -> Result<(), StoreError> {
        let row = &page.row;
        let (first, rest) = split(row.page.page.as_bytes());
        let sql =
            "INSERT INTO page (id, owner, story, page, rest, body, text_hash, text, names, rules, inputs, kept, turn)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
        let keys = params![
            row.page.at.0,
            owner,
            page.story,
            first,
            rest,
            row.page.body.as_bytes(),
            row.page.text.as_bytes(),
            row.text,
            row.names,
            row.rules,
            &page.inputs,
            row.kept,
            page.turn,
        ];
        self.run(sql, keys)?;
        Ok(())
    }

    fn write_turn(&self, owner: i64, turn: &FreshTurn) -> Result<(), StoreError> {
        let sql = "INSERT INTO turn (id, owner, host, bytes) VALUES ($1, $2, $3, $4)";
        self.run(sql, params![turn.id, owner, turn.host, &turn.bytes])?;
        Ok(())
    }

    fn write_nodes(&self, owner: i64, nodes: &[StoredNode]) -> Result<(), StoreError> {
        let sql = "INSERT INTO node (id, owner, story, hash, rest, parent, jump, run, depth, turn, digest, state)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
        for StoredNode { node, story, run } in nodes {
            let (first, rest) = split(node.id.as_bytes());
            let keys = params![
                node.key.0,
                owner,
                *story,
                first,
                rest,
                node.parent.0,
                node.jump.0,
                *run,
                node.depth,
                node.turn.map(|turn| turn.0),
                node.digest.as_ref().map(|digest| &digest.as_bytes()[..]),
                node.state.map(|state| state.0),
            ];
            self.run(sql, keys)?;
        }
        Ok(())
    }

    fn write_state(&self, owner: i64, state: &FreshState) -> Result<(), StoreError> {
        let (first, rest) = state.memo.as_ref().map(|memo| split(&memo[..])).unzip();
        let sql = "INSERT INTO state (id, owner, memo, rest, hash, base, trace, paths, weight, steps, size, frame)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
        let Distance { weight, steps, size, frame } = state.distance;
        let keys = params![
            state.id,
            owner,
            first,
            rest,
            state.hash.as_bytes(),
            state.base,
            &state.trace,
            state.paths.as_ref().map(|paths| &paths[..]),
            weight,
            steps,
            size,
            frame,
        ];
        self.run(sql, keys)?;
        Ok(())
    }

    fn write_operation(&self, owner: i64, fresh: &FreshOperation) -> Result<(), StoreError> {
        let FreshOperation { operation, client } = fresh;
        let sql = "INSERT INTO operation (id, owner, ref, earlier, kind, before, after, undoes, client, time, detail)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
        let detail = operation.written_detail();
        let keys = params![
            operation.id,
            owner,
            operation.of,
            operation.earlier,
            operation.kind.number(),
            operation.before.map(|node| node.0),
            operation.after.map(|node| node.0),
            operation.undoes,
            *client,
            operation.time,
            detail.as_ref(),
        ];
        self.run(sql, keys)?;
        Ok(())
    }
}

/// One statement for all pieces of a text: `$1` number, `$2` owner, `$3` how many, from `$4` on the pieces.
fn insert_pieces(count: usize) -> &'static str {
    static STATEMENTS: OnceLock<Vec<String>> = OnceLock::new();
    let statements = STATEMENTS.get_or_init(|| {
        let mut sql = "INSERT INTO text (id, owner, pieces, bytes) VALUES ($1, $2, $3, $4)".to_owned();
        let mut all = vec![sql.clone()];
        for piece in 1..MOST_PIECES {
            sql.push_str(&format!(", ($1 + {piece}, $2, NULL, ${})", piece + 4));
            all.push(sql.clone());
        }
        all
    });
    &statements[count - 1]
}
