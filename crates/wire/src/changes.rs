//! The change feed.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::ids::{Cursor, RefId, StoryId};
use crate::words::OperationKind;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WaitQuery {
    /// The position known to the client, as returned in `last`; absent: none.
    #[serde(default)]
    pub after: Option<Cursor>,
    /// The client: its own operations do not count as made by others.
    #[serde(default)]
    pub client: String,
    /// Maximum seconds to wait for another one; at most 25.
    #[serde(default)]
    pub wait: u64,
}

/// The position of the last operation; opaque.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct LastOperation {
    pub last: Cursor,
    /// Whether another client made one of the operations after that position.
    pub others: bool,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// The position known to the client (the id of an event); absent: from now on. The header `Last-Event-ID`, which browsers send when they reconnect, has priority.
    pub after: Option<Cursor>,
}

/// The data of an event; its id is the position in the feed, which is opaque.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Happened {
    /// The number of the operation on its branch or tag.
    pub operation: i64,
    pub story: StoryId,
    #[serde(rename = "ref")]
    pub branch: RefId,
    pub kind: OperationKind,
    pub client: String,
    /// Milliseconds since 1970.
    pub time: i64,
}
