//! Paths of states in queries.

use storeyline_state::Step;
use storeyline_wire::Path;

use crate::error::ApiError;

/// Parses a path in a query: a JSON list of keys.
pub(crate) fn state_path(text: &str) -> Result<Vec<Step>, ApiError> {
    let path: Path =
        serde_json::from_str(text).map_err(|_| ApiError::bad_request("a `path` is not a JSON list of keys"))?;
    Ok(path.0)
}
