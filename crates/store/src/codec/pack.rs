//! Texts and JSON as they lie on disk: compressed where that makes them smaller.

use std::cell::RefCell;
use std::sync::Arc;

use crate::error::StoreError;

/// Quick to write, quick to read; more takes longer and saves little.
const LEVEL: i32 = 1;

/// States of more than a few kilobytes gain by more work.
const STATE_LEVEL: i32 = 3;

/// Leaves bytes that are found nowhere else as they are, which is quicker to read by far.
const FAST: i32 = -1;

/// Whole states up to this length are packed so. A code for their single bytes would save a third, but its
/// tables take as long to read as a few thousand bytes, and undoing it nearly as long as making the values.
const SHORT: usize = 1 << 14;

/// For states longer than this a small table is too small.
const LONG: usize = 1 << 18;

fn state_level(length: usize) -> i32 {
    if length <= SHORT { FAST } else { STATE_LEVEL }
}

/// Against another state nearly all is found at once, unless both are long.
fn leaning_level(length: usize) -> i32 {
    if length > SHORT && length <= LONG { 1 } else { state_level(length) }
}

/// No stored text is longer than this.
const LONGEST: usize = 1 << 30;

const PLAIN: u8 = 0;
const ZSTD: u8 = 1;

thread_local! {
    /// Making one of these costs more than packing a page.
    static PACKER: RefCell<Option<zstd::bulk::Compressor<'static>>> = RefCell::new(zstd::bulk::Compressor::new(LEVEL).ok());
    static LEANING_PACKER: RefCell<Option<LeaningPacker>> = const { RefCell::new(None) };
    /// With room for what it unpacks: large pieces of memory are dear.
    static LEANING: RefCell<Option<(zstd::bulk::Decompressor<'static>, Vec<u8>)>> =
        RefCell::new(zstd::bulk::Decompressor::new().ok().map(|unpacker| (unpacker, Vec::new())));
    static UNPACKER: RefCell<Option<zstd::bulk::Decompressor<'static>>> = RefCell::new(zstd::bulk::Decompressor::new().ok());
}

fn compress(bytes: &[u8], level: i32) -> Option<Vec<u8>> {
    PACKER.with_borrow_mut(|packer| {
        let packer = packer.as_mut()?;
        packer.set_parameter(zstd::zstd_safe::CParameter::CompressionLevel(level)).ok()?;
        packer.compress(bytes).ok()
    })
}

fn decompress(bytes: &[u8], length: usize) -> Option<Vec<u8>> {
    UNPACKER.with_borrow_mut(|unpacker| unpacker.as_mut()?.decompress(bytes, length).ok())
}

/// Packs bytes; the first byte says how.
pub(crate) fn pack(bytes: &[u8]) -> Vec<u8> {
    pack_at(LEVEL, bytes)
}

/// Packs a whole state by itself.
pub(crate) fn pack_state(bytes: &[u8]) -> Vec<u8> {
    pack_at(state_level(bytes.len()), bytes)
}

fn pack_at(level: i32, bytes: &[u8]) -> Vec<u8> {
    // Below this nothing is ever gained.
    if bytes.len() >= 64
        && let Some(smaller) = compress(bytes, level)
        && smaller.len() < bytes.len()
    {
        return [&[ZSTD][..], &smaller].concat();
    }
    [&[PLAIN][..], bytes].concat()
}

/// Unpacks what [`pack`] or [`pack_state`] packed; nothing if it is not that.
pub(crate) fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    match packed.split_first()? {
        (&PLAIN, bytes) => Some(bytes.to_vec()),
        (&ZSTD, bytes) => {
            let length = zstd::zstd_safe::get_frame_content_size(bytes).ok()??;
            let length = usize::try_from(length).ok().filter(|length| *length <= LONGEST)?;
            decompress(bytes, length).filter(|bytes| bytes.len() == length)
        }
        _ => None,
    }
}

/// Unpacks a text. Looking at many bytes side by side and copying them is quicker than looking at each.
pub(crate) fn unpack_text(packed: &[u8]) -> Option<String> {
    simdutf8::basic::from_utf8(&unpack(packed)?).ok().map(str::to_owned)
}

/// Packs a whole state, against another one that it resembles.
pub(crate) fn pack_against(bytes: &[u8], like: &Arc<[u8]>) -> Result<Vec<u8>, StoreError> {
    let level = leaning_level(bytes.len());
    let packed = LEANING_PACKER.with_borrow_mut(|ready| {
        let mut own = match ready.take() {
            Some(known) if known.level == level && Arc::ptr_eq(&known.like, like) => known,
            Some(LeaningPacker { mut packer, .. }) => {
                packer.set_dictionary(level, like)?;
                LeaningPacker { packer, level, like: like.clone() }
            }
            None => {
                let packer = zstd::bulk::Compressor::with_dictionary(level, like)?;
                LeaningPacker { packer, level, like: like.clone() }
            }
        };
        // The window reaches over both, so that every byte of the other one can be pointed at.
        let window = (bytes.len() + like.len()).next_power_of_two().ilog2().clamp(17, 27);
        own.packer.set_parameter(zstd::zstd_safe::CParameter::WindowLog(window))?;
        let packed = own.packer.compress(bytes);
        *ready = Some(own).filter(|own| own.like.len() <= MOST_READY);
        packed
    });
    packed.map_err(|error| StoreError::damaged("keyframe", error))
}

/// Packs states against one other; to make it ready takes longer than to use it.
struct LeaningPacker {
    packer: zstd::bulk::Compressor<'static>,
    level: i32,
    like: Arc<[u8]>,
}

/// No packer is kept ready for a longer state: those are written seldom, and each thread would hold one.
const MOST_READY: usize = 1 << 17;

/// Unpacks what [`pack_against`] packed and hands it on.
pub(crate) fn unpack_against<T>(
    packed: &[u8],
    like: &[u8],
    length: usize,
    read: impl FnOnce(&[u8]) -> Option<T>,
) -> Option<T> {
    (length <= LONGEST).then_some(())?;
    LEANING.with_borrow_mut(|reader| {
        let (reader, bytes) = reader.as_mut()?;
        reader.set_dictionary(like).ok()?;
        reader.set_parameter(zstd::zstd_safe::DParameter::WindowLogMax(27)).ok()?;
        bytes.clear();
        bytes.reserve(length);
        let written = reader.decompress_to_buffer(packed, bytes).ok()?;
        let found = if written == length { read(&bytes[..length]) } else { None };
        bytes.shrink_to(MOST_READY);
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive() {
        let long = "雨夜酒馆。".repeat(SHORT).into_bytes();
        for bytes in [&b""[..], b"short", &long[..1_500], &long] {
            for packed in [pack(bytes), pack_state(bytes)] {
                assert!(packed.len() <= bytes.len() + 1);
                assert_eq!(unpack(&packed).as_deref(), Some(bytes));
            }
        }
        assert_eq!(unpack(&[]), None);
        assert_eq!(unpack(&[ZSTD, 1, 2, 3]), None);
        assert_eq!(unpack(&[9]), None);
    }

    #[test]
    fn a_state_against_another_one_is_as_small_as_the_difference() {
        let words: Vec<String> =
            (0..20_000u64).map(|n| format!("{:x}", n.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
        let first: Arc<[u8]> = words.join(",").into_bytes().into();
        let second = words.join(",").replace("9e3779b97f4a7c15", "changed").into_bytes();
        let packed = pack_against(&second, &first).unwrap();
        assert!(packed.len() < 300, "{} bytes", packed.len());
        let whole = |bytes: &[u8]| Some(bytes.to_vec());
        assert_eq!(unpack_against(&packed, &first, second.len(), whole), Some(second.clone()));
        assert_eq!(unpack_against(&packed, &first, second.len() + 1, whole), None);
        assert_eq!(unpack_against(&packed, &first, second.len() - 1, whole), None);
        let small: Arc<[u8]> = first[..10_000].into();
        for _ in 0..2 {
            let packed = pack_against(&second[..9_000], &small).unwrap();
            assert!(packed.len() < 100, "{} bytes", packed.len());
            assert_eq!(unpack_against(&packed, &small, 9_000, whole).as_deref(), Some(&second[..9_000]));
        }
    }
}
