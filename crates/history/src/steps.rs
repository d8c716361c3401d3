//! Computes the steps by which a host turns its list of messages into another one.

use storeyline_state::PageId;

use crate::turn::{Listed, Turn, TurnPage};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostStep {
    /// The active page has another text.
    Edit {
        floor: usize,
        /// The page with its new text.
        page: TurnPage,
    },
    /// Another page is active.
    Select {
        floor: usize,
        page: PageId,
        /// Index in the turn.
        index: usize,
    },
    /// The list differs from this floor on.
    Replace { floor: usize },
}

/// Returns the steps from one list to the other; none if the host would show both alike.
pub fn steps(host: &[Listed], target: &[Listed]) -> Vec<HostStep> {
    let small = (host.len() == target.len())
        .then(|| {
            host.iter()
                .zip(target)
                .enumerate()
                .map(|(floor, (from, to))| turn_steps(floor, from, to))
                .collect::<Option<Vec<_>>>()
        })
        .flatten();
    if let Some(steps) = small {
        return steps.into_iter().flatten().collect();
    }
    let floor = host.iter().zip(target).take_while(|(from, to)| from.same_row(to)).count();
    vec![HostStep::Replace { floor }]
}

/// Returns the steps within one turn, or `None` if more than the active page changed.
fn turn_steps(floor: usize, from: &Turn, to: &Turn) -> Option<Vec<HostStep>> {
    let ids = |turn: &Turn| turn.pages.iter().map(|page| page.page).collect::<Vec<_>>();
    let same_head = (from.role, &from.name, from.hidden) == (to.role, &to.name, to.hidden);
    if !same_head || ids(from) != ids(to) {
        return None;
    }
    let mut steps = Vec::new();
    if from.active != to.active {
        steps.push(HostStep::Select { floor, page: to.active_page().page, index: to.active });
    }
    for (index, (old, new)) in from.pages.iter().zip(&to.pages).enumerate() {
        if old.text == new.text {
            continue;
        }
        if index != to.active {
            return None;
        }
        steps.push(HostStep::Edit { floor, page: *new });
    }
    Some(steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model_tests::turn;

    fn list(text: &str) -> Vec<Listed> {
        text.split_whitespace().map(|name| turn(name).into()).collect()
    }

    #[test]
    fn small_changes_are_small_steps() {
        let host = list("a b+c d");
        let mut target = host.clone();
        target[0] = turn("a'").into();
        target[1].change().active = 0;
        assert_eq!(
            steps(&host, &target),
            [
                HostStep::Edit { floor: 0, page: target[0].pages[0] },
                HostStep::Select { floor: 1, page: target[1].pages[0].page, index: 0 },
            ]
        );
        assert!(steps(&host, &host).is_empty());
    }

    #[test]
    fn anything_else_replaces_the_rest() {
        let host = list("a b+c d");
        assert_eq!(steps(&host, &host[..2]), [HostStep::Replace { floor: 2 }]);
        assert_eq!(steps(&host, &list("a c+b d")), [HostStep::Replace { floor: 1 }]);
    }
}
