//! How things lie in the columns of a row.
//!
//! Records are written with `postcard`; whole states have a codec of their own (`value.rs`), because
//! they are large and read often.

mod bytes;

pub(crate) mod filter;
pub(crate) mod pack;
pub(crate) mod records;
pub(crate) mod trace;
pub(crate) mod value;
