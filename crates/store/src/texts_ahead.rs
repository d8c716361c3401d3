//! Texts that will be asked for one after another: another thread unpacks them meanwhile.
//!
//! Whoever is first unpacks a text, so nobody waits for a thread that has not come to it, and without a
//! second core nothing is lost.

use std::sync::{Arc, OnceLock};

use crate::pack::unpack_text;

/// Fewer texts are unpacked sooner than a thread is begun.
const WORTH_A_THREAD: usize = 64;

/// Some texts, in the order of their numbers.
#[derive(Default)]
pub(crate) struct TextsAhead(Vec<Ahead>);

struct Ahead {
    key: i64,
    packed: Vec<u8>,
    /// Nothing in it: the text is damaged.
    text: OnceLock<Option<String>>,
}

impl TextsAhead {
    /// Takes packed texts that rise by number and begins to unpack them.
    pub(crate) fn unpacking(packed: Vec<(i64, Vec<u8>)>) -> Arc<TextsAhead> {
        let texts = packed.into_iter().map(|(key, packed)| Ahead { key, packed, text: OnceLock::new() });
        let ahead = Arc::new(TextsAhead(texts.collect()));
        if ahead.0.len() >= WORTH_A_THREAD {
            let others = ahead.clone();
            // The first one is wanted now. A system that has no thread left is no reason to fail.
            let _ = std::thread::Builder::new().name("unpack".into()).spawn(move || {
                for text in others.0.iter().skip(1) {
                    text.read();
                }
            });
        }
        ahead
    }

    pub(crate) fn has(&self, key: i64) -> bool {
        self.place(key).is_some()
    }

    /// Returns a text; nothing if it is damaged or not here.
    pub(crate) fn text(&self, key: i64) -> Option<String> {
        self.0[self.place(key)?].read().clone()
    }

    fn place(&self, key: i64) -> Option<usize> {
        self.0.binary_search_by_key(&key, |text| text.key).ok()
    }
}

impl Ahead {
    fn read(&self) -> &Option<String> {
        self.text.get_or_init(|| unpack_text(&self.packed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::pack;

    #[test]
    fn texts_are_there_whoever_unpacks_them() {
        let words = |key: i64| format!("第{key}夜，").repeat(50);
        let packed = (0..300).map(|key| (key * 16, pack(words(key).as_bytes()))).collect();
        let ahead = TextsAhead::unpacking(packed);
        for key in 0..300 {
            assert_eq!(ahead.text(key * 16), Some(words(key)));
        }
        assert_eq!((ahead.has(8), ahead.text(8)), (false, None));
        let broken = TextsAhead::unpacking(vec![(16, vec![9])]);
        assert_eq!((broken.has(16), broken.text(16)), (true, None));
    }
}
