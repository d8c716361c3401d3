//! Byte search through long prose.

/// Block size in bytes; the compiler compares the bytes of a block with SIMD.
const BLOCK: usize = 32;

/// Returns the offset of the first byte that matches.
pub(crate) fn byte(bytes: &[u8], fits: impl Fn(u8) -> bool) -> Option<usize> {
    let prose = bytes.chunks_exact(BLOCK).take_while(|block| !block.iter().fold(false, |any, byte| any | fits(*byte)));
    let passed = prose.count() * BLOCK;
    bytes[passed..].iter().position(|byte| fits(*byte)).map(|found| passed + found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_found_wherever_it_stands() {
        for place in 0..100 {
            let mut bytes = [b'.'; 100];
            bytes[place..].fill(b'@');
            assert_eq!(byte(&bytes, |byte| byte == b'@'), Some(place));
        }
        assert_eq!(byte(&[b'.'; 90], |byte| byte == b'@'), None);
    }
}
