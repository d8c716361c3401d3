//! A story as a tree of pages, and the state at each page: pure.
//!
//! In: lists of turns and edits of them. Out: nodes that never change, the states along a path, the
//! merge of two sides of a branch. Storage is behind [`node::NodeTable`] and
//! [`path_states::StateTable`]; time, randomness and new ids are inputs.

pub mod body;
pub mod choices;
pub mod keys;
pub mod overrides;
pub mod rules;
pub mod turn;

pub mod digest;
pub mod edit;
pub mod event;
pub mod node;

pub mod evaluate;
pub mod name_macros;
pub mod path_states;
pub mod trace;

pub mod merge;
pub mod steps;

pub use body::{Body, Role};
pub use choices::{Choices, Origin, RulesChange, Setting, UserDefaults, compose};
pub use edit::{Edit, EditError};
pub use evaluate::{Evaluation, Page, PagePosition, evaluate};
pub use event::Event;
pub use keys::{NodeKey, PageKey, StateKey, TurnKey, ValueKey};
pub use name_macros::NameMacros;
pub use node::{NewNode, Node, NodeTable, NodeWriter, put_path};
pub use overrides::Override;
pub use rules::{Enabled, Rules};
pub use storeyline_functions::{Incomplete, Scripts};
pub use trace::{CallTrace, Trace, Verdict};
pub use turn::{HostFields, Listed, Turn, TurnPage};

#[cfg(test)]
mod model_tests;
