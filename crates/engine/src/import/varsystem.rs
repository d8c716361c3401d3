//! Reads the states from the database of ST-VarSystem's plugin, by the identifiers that messages
//! contain.

use std::collections::HashMap;
use std::path::Path;

use storeyline_compat::varsystem_store::Structure;
use storeyline_state::Value;
use storeyline_store::foreign::VarSystemFile;

use crate::error::Result;

/// An open database of the plugin.
pub struct VarSystemStates {
    file: VarSystemFile,
    /// Identifier of a snapshot → its structure.
    structures: HashMap<Vec<u8>, i64>,
}

impl VarSystemStates {
    /// Opens a database; it is only read.
    pub fn open(path: &Path) -> Result<VarSystemStates> {
        let file = VarSystemFile::open(path)?;
        // A snapshot that was saved repeatedly has several rows; the last one is used.
        let structures = file.snapshots()?.into_iter().map(|row| (row.identifier, row.structure)).collect();
        Ok(VarSystemStates { file, structures })
    }

    /// Returns the state of a snapshot; `None` if it is missing or damaged.
    pub(super) fn state(&self, identifier: &str) -> Result<Option<Value>> {
        let Some(structure) = self.structures.get(identifier.as_bytes()) else { return Ok(None) };
        let Some(bytes) = self.file.structure(*structure)? else { return Ok(None) };
        let Ok(structure) = Structure::read(&bytes) else { return Ok(None) };
        let mut pool = HashMap::new();
        for row in structure.wanted() {
            if let Some(text) = self.file.value(row)? {
                pool.insert(row, text);
            }
        }
        Ok(Some(structure.fill(&pool)))
    }
}
