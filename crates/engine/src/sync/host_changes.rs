//! The part of a sync answer that the host acts on: the changes that make it show the branch, and the
//! diagnostics of evaluated pages.

use storeyline_history::path_states::StateTable;
use storeyline_history::steps::{HostStep, steps};
use storeyline_history::{NodeKey, NodeTable};
use storeyline_state::Diagnostic;
use storeyline_state::text::excerpt;
use storeyline_store::{StoreError, View};
use storeyline_wire::sync::{HostChange, PageDiagnostic};

use crate::branch::turns_to;
use crate::error::Result;
use crate::export::host_messages;
use crate::view::trace_of;

/// Returns what the host must do to show the target.
pub(super) fn host_changes(tx: &View<'_>, shown: NodeKey, target: NodeKey) -> Result<Vec<HostChange>> {
    if shown == target || tx.node(shown)?.digest == tx.node(target)?.digest {
        return Ok(Vec::new());
    }
    let wanted = turns_to(tx, Some(target))?;
    let steps = steps(&turns_to(tx, Some(shown))?, &wanted);
    let changes = steps.into_iter().map(|step| {
        Ok(match step {
            HostStep::Edit { floor, page } => HostChange::Edit { floor, page: page.page, text: tx.page_text(page.at)? },
            HostStep::Select { floor, page, index } => HostChange::Select { floor, page, index },
            HostStep::Replace { floor } => {
                let messages = host_messages(tx, &wanted[floor..])?.into_iter().map(Into::into).collect();
                HostChange::Replace { floor, messages }
            }
        })
    });
    changes.collect()
}

/// The diagnostics of pages that were evaluated.
pub(crate) fn page_diagnostics(tx: &View<'_>, nodes: &[NodeKey]) -> Result<Vec<PageDiagnostic>> {
    let mut found = Vec::new();
    for node in nodes {
        let node = tx.node(*node)?;
        let turn = tx.turn(node.turn.ok_or_else(|| StoreError::missing("turn of node", node.key.0))?)?;
        let page = turn.active_page();
        let trace = trace_of(tx, &node)?;
        if trace.all_diagnostics().next().is_none() {
            continue;
        }
        let text = tx.page_text(page.at)?;
        // A function that ran by itself is not in the text; then its name is the source.
        let source = |diagnostic: &Diagnostic, name: &str| match excerpt(&text, diagnostic.span.clone()) {
            empty if empty.is_empty() => name.to_owned(),
            part => part,
        };
        let of_calls = trace.calls.iter().flat_map(|call| call.diagnostics.iter().map(|found| (found, &*call.name)));
        let all = of_calls.chain(trace.diagnostics.iter().map(|found| (found, "")));
        found.extend(all.map(|(diagnostic, name)| PageDiagnostic {
            floor: node.depth - 1,
            page: page.page,
            code: diagnostic.code.clone(),
            severity: diagnostic.severity.into(),
            message: diagnostic.message.clone(),
            source: source(diagnostic, name),
        }));
    }
    Ok(found)
}
