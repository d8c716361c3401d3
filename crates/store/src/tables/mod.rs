//! The tables, each in a file: how a row is written and read.
//!
//! Reading is a method of [`View`](crate::View), so that rows of a draft are found first.

pub(crate) mod table;

pub(crate) mod owners;

pub(crate) mod texts;
pub(crate) mod values;

pub(crate) mod nodes;
pub(crate) mod pages;
pub(crate) mod states;
pub(crate) mod turns;

pub(crate) mod operations;
pub(crate) mod refs;
pub(crate) mod stories;

pub(crate) mod assets;
pub(crate) mod clients;
pub(crate) mod cursors;
pub(crate) mod foreign_snapshots;
