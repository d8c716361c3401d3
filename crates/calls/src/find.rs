//! Byte searches: through long prose, and for the end of a quoted text, which is usually near.

use memchr::memchr2;

/// Block size in bytes; the bytes of a block are compared with SIMD by the compiler.
const BLOCK: usize = 32;

/// Number of 8-byte words that [`near`] covers.
const NEAR: usize = 8;

/// Returns the offset of the first byte that matches.
#[inline]
pub(crate) fn byte(bytes: &[u8], fits: impl Fn(u8) -> bool) -> Option<usize> {
    // Consecutive calls are often separated by one line end.
    match bytes {
        [first, ..] if fits(*first) => Some(0),
        [_, second, ..] if fits(*second) => Some(1),
        _ => far(bytes, fits),
    }
}

#[inline(never)]
fn far(bytes: &[u8], fits: impl Fn(u8) -> bool) -> Option<usize> {
    let prose = bytes.chunks_exact(BLOCK).take_while(|block| !block.iter().fold(false, |any, byte| any | fits(*byte)));
    let passed = prose.count() * BLOCK;
    bytes[passed..].iter().position(|byte| fits(*byte)).map(|found| passed + found)
}

/// Returns the offset of the first byte that equals one of two.
pub(crate) fn either(bytes: &[u8], one: u8, other: u8) -> Option<usize> {
    near(bytes, one, other).or_else(|| memchr2(one, other, bytes))
}

/// Same, among the first 64 bytes only. Quoted texts are mostly short, and for those this is faster
/// than `memchr2`.
#[inline]
pub(crate) fn near(bytes: &[u8], one: u8, other: u8) -> Option<usize> {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGHS: u64 = ONES << 7;
    // Sets the high bit of the first byte that is zero, of no earlier byte, and perhaps of later
    // ones.
    let zero = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    let (words, _) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().take(NEAR).enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = zero(word ^ (ONES * u64::from(one))) | zero(word ^ (ONES * u64::from(other)));
        if found != 0 {
            return Some(index * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text of `.` with two marks.
    fn marked(length: usize, one: usize, other: usize) -> Vec<u8> {
        let mut bytes = vec![b'.'; length];
        bytes[one] = b'"';
        bytes[other] = b'\\';
        bytes
    }

    #[test]
    fn the_first_of_two_is_found_wherever_it_stands() {
        for (one, other) in (0..100).flat_map(|one| (0..100).map(move |other| (one, other))) {
            let bytes = marked(100, one, other);
            let wanted = bytes.iter().position(|byte| *byte != b'.');
            assert_eq!(either(&bytes, b'"', b'\\'), wanted, "{one} {other}");
            assert_eq!(byte(&bytes, |byte| byte != b'.'), wanted, "{one} {other}");
        }
        assert_eq!((either(b"", b'"', b'\\'), either(&[b'.'; 90], b'"', b'\\')), (None, None));
    }

    #[test]
    fn bytes_that_differ_by_little_are_not_taken_for_each_other() {
        for wanted in 0..=255 {
            let others: Vec<u8> = (0..=255).filter(|byte| *byte != wanted).collect();
            assert_eq!(either(&others, wanted, wanted), None);
            for start in 0..others.len() {
                let mut bytes = others[start..].to_vec();
                bytes.push(wanted);
                assert_eq!(either(&bytes, wanted, wanted), Some(bytes.len() - 1));
            }
        }
    }
}
