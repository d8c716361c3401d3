//! What the binary carries: path in its folder → bytes. Made by `build.rs`.

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Returns a file of the web UI.
pub(crate) fn web(path: &str) -> Option<&'static [u8]> {
    WEB.iter().find(|(name, _)| *name == path).map(|(_, bytes)| *bytes)
}
