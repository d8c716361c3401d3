//! Who set a value, and when it changed.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::ids::PageId;
use crate::value::Json;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BlameQuery {
    /// A path such as `角色.金币`.
    pub path: String,
    /// The last floor considered; absent: the end.
    pub floor: Option<u32>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct HistoryQuery {
    /// A path such as `角色.金币`.
    pub path: String,
    /// Only changes after which this holds: `< 0`, `>= 10`, `= "旅馆"`, `!= null`.
    pub when: Option<String>,
}

/// Which paths; described here, parsed by hand, because `path` occurs several times.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CausesQuery {
    /// A path as a JSON list of keys, such as `["角色","金币"]`; at most 200 of them.
    pub path: Vec<String>,
}

/// Which floor last set each path.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Causes {
    /// In the order of the request. A floor that set something above or inside a path set it too; `null`: none
    /// of the floors that were searched.
    pub floors: Vec<Option<usize>>,
    /// The first floor that was searched. At 0 a path without a floor has its value from the first state;
    /// otherwise ask at the floor before.
    pub searched_from: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Blame {
    /// Absent: the value is from the initial state.
    pub change: Option<ValueChange>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ValueHistory {
    /// In floor order.
    pub changes: Vec<ValueChange>,
}

/// A floor on which a value changed.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ValueChange {
    pub floor: usize,
    pub page: PageId,
    pub by: Option<Cause>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json, required = false)]
    pub before: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Json, required = false)]
    pub after: Option<Json>,
}

/// The call that changed it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Cause {
    pub name: String,
    pub source: String,
    pub reason: Option<String>,
}
