//! Who set a value, and when it changed.

use serde::{Deserialize, Serialize};
use storeyline_engine as engine;
use utoipa::{IntoParams, ToSchema};

use crate::wire::ids::PageId;
use crate::wire::value::Any;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct BlameQuery {
    /// A path such as `角色.金币`.
    pub(crate) path: String,
    /// The last floor considered; absent: the end.
    pub(crate) floor: Option<u32>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct HistoryQuery {
    /// A path such as `角色.金币`.
    pub(crate) path: String,
    /// Only changes after which this holds: `< 0`, `>= 10`, `= "旅馆"`, `!= null`.
    pub(crate) when: Option<String>,
}

/// Which paths; described here, parsed by hand, because `path` occurs several times.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only the description of the API reads it")]
pub(crate) struct CausesQuery {
    /// A path as a JSON list of keys, such as `["角色","金币"]`; at most 200 of them.
    path: Vec<String>,
}

/// Which floor last set each path.
#[derive(Serialize, ToSchema)]
pub(crate) struct Causes {
    /// In the order of the request. A floor that set something above or inside a path set it too; `null`: none
    /// of the floors that were searched.
    pub(crate) floors: Vec<Option<usize>>,
    /// The first floor that was searched. At 0 a path without a floor has its value from the first state;
    /// otherwise ask at the floor before.
    pub(crate) searched_from: usize,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Blame {
    /// Absent: the value is from the initial state.
    pub(crate) change: Option<ValueChange>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ValueHistory {
    /// In floor order.
    pub(crate) changes: Vec<ValueChange>,
}

/// A floor on which a value changed.
#[derive(Serialize, ToSchema)]
pub struct ValueChange {
    floor: usize,
    page: PageId,
    by: Option<Cause>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Any, required = false)]
    before: Option<Any>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Any, required = false)]
    after: Option<Any>,
}

/// The call that changed it.
#[derive(Serialize, ToSchema)]
struct Cause {
    name: String,
    source: String,
    reason: Option<String>,
}

impl From<engine::ValueChange> for ValueChange {
    fn from(engine::ValueChange { floor, page, by, before, after }: engine::ValueChange) -> Self {
        let by = by.map(|engine::Cause { name, source, reason }| Cause { name, source, reason });
        ValueChange { floor, page: page.into(), by, before: before.map(Any), after: after.map(Any) }
    }
}
