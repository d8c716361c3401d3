//! Stories and refs are read by nearly every transaction and written by few, so what was read of them
//! is remembered until anybody writes one. `generation.named` counts those writes; where a ref stands is
//! no such write, because that lies in `fresh`.

use std::sync::Arc;

use crate::error::StoreError;
use crate::recent::Kept;
use crate::refs::Ref;
use crate::sql::params;
use crate::stories::Story;
use crate::tx::Tx;

/// So many of each are remembered.
pub(crate) const MOST: usize = 128;

/// A row as it lay in its table, and when that was.
#[derive(Clone)]
pub(crate) struct Named<T> {
    row: Arc<T>,
    /// How many writes of stories and refs there had been.
    writes: i64,
    /// The last transaction whose rows were in their tables.
    spread: i64,
}

impl Tx<'_> {
    /// Rows of stories or refs are about to be written: what anybody remembers of them is void.
    pub(crate) fn write_named(&self) -> Result<(), StoreError> {
        self.trust_no_named();
        if self.has_written_named.replace(true) {
            return Ok(());
        }
        self.run("UPDATE generation SET named = named + 1", params![])?;
        Ok(())
    }

    /// What is remembered does not fit what this transaction sees any more, nor the other way round.
    pub(crate) fn trust_no_named(&self) {
        self.named.set(None);
    }

    pub(crate) fn known_story(&self, is: impl Fn(&Story) -> bool) -> Option<Story> {
        self.known_row(&self.recent.stories, |named| is(&named.row))
    }

    pub(crate) fn remember_story(&self, story: &Story) {
        self.remember_row(&self.recent.stories, story.key, story);
    }

    /// Returns a ref as it lies in its table; its moves since then are in `fresh`.
    pub(crate) fn known_ref_row(&self, is: impl Fn(&Ref) -> bool) -> Option<Ref> {
        self.known_row(&self.recent.refs, |named| named.spread == self.spread && is(&named.row))
    }

    pub(crate) fn remember_ref_row(&self, found: &Ref) {
        self.remember_row(&self.recent.refs, found.key, found);
    }

    fn known_row<T: Clone>(&self, kept: &Kept<Named<T>>, is: impl Fn(&Named<T>) -> bool) -> Option<T> {
        let writes = self.named.get()?;
        kept.find(self.owner, |named| named.writes == writes && is(named)).map(|(_, named)| T::clone(&named.row))
    }

    fn remember_row<T: Clone>(&self, kept: &Kept<Named<T>>, key: i64, row: &T) {
        if let Some(writes) = self.named.get() {
            kept.put(self.owner, key, Named { row: Arc::new(row.clone()), writes, spread: self.spread });
        }
    }
}
