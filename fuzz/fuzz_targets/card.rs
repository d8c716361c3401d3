//! A card (JSON or PNG) or a world book, and how a story would begin with it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use storeyline_compat::initvar::Names;
use storeyline_engine::{Card, Cast, WorldBook};

fuzz_target!(|bytes: &[u8]| {
    let books: Vec<WorldBook> = WorldBook::read(bytes, "book").into_iter().collect();
    let members: Vec<Card> = Card::read(bytes).into_iter().collect();
    let names = Names { user: Some("User".into()), character: Some("Name: [x]".into()) };
    let _ = Cast { members, books, ..Cast::default() }.begin(&names);
});
