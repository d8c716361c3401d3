//! How often each function ran on the newest floors of a branch.

use std::collections::HashMap;

use storeyline_functions::Verdict;
use storeyline_history::NodeTable;
use storeyline_state::{RefId, StoryId};
use storeyline_store::Owner;
use storeyline_wire::library::{FunctionUse, FunctionUses};

use crate::branch::{find_any_ref, length, node_at};
use crate::engine::ReadEngine;
use crate::error::Result;
use crate::view::trace_of;

/// Maximum number of floors that are examined, so that the cost does not grow with the story.
const MAX_FLOORS: usize = 1_000;

/// Maximum number of names in the answer: calls that failed may have any name.
const MAX_NAMES: usize = 2_000;

impl ReadEngine {
    pub fn function_uses(&self, owner: &Owner, story: StoryId, branch: RefId) -> Result<FunctionUses> {
        self.read(owner, |tx| {
            let branch = find_any_ref(tx, story, branch)?;
            let mut uses: HashMap<String, FunctionUse> = HashMap::new();
            let Some(last) = length(tx, branch.head)?.checked_sub(1) else {
                return Ok(FunctionUses { uses: Vec::new(), floors: 0 });
            };
            let mut node = node_at(tx, &branch, last)?;
            let mut floors = 0;
            while node.depth > 0 && floors < MAX_FLOORS {
                let floor = last - floors;
                for call in trace_of(tx, &node)?.calls {
                    let name = plain_name(&call.name);
                    if uses.len() >= MAX_NAMES && !uses.contains_key(name) {
                        continue;
                    }
                    let entry = uses.entry(name.to_owned()).or_insert_with(|| FunctionUse {
                        name: name.to_owned(),
                        used: 0,
                        failed: 0,
                        last: floor,
                        last_failed: None,
                    });
                    if call.verdict == Verdict::Failed {
                        entry.failed += 1;
                        entry.last_failed.get_or_insert(floor);
                    } else {
                        entry.used += 1;
                    }
                }
                floors += 1;
                node = tx.node(node.parent)?;
            }
            let mut uses: Vec<FunctionUse> = uses.into_values().collect();
            uses.sort_by(|one, other| one.name.cmp(&other.name));
            Ok(FunctionUses { uses, floors })
        })
    }
}

/// Returns the name of a call without the mark of its dialect: `@.ADD`, `@.sam.ADD`, `_.add`, `#ADD`.
fn plain_name(name: &str) -> &str {
    let Some(rest) = name.strip_prefix("@.").or_else(|| name.strip_prefix("_.")).or_else(|| name.strip_prefix('#'))
    else {
        return name;
    };
    rest.strip_prefix("var.").or_else(|| rest.strip_prefix("sam.")).unwrap_or(rest)
}
