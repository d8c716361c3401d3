//! Checks that `docs/functions.md` matches the list of built-ins.
//!
//! `UPDATE=1 cargo test -p storeyline-functions --test reference` regenerates it.

use std::fmt::Write as _;
use std::fs;

use storeyline_calls::Dialect;
use storeyline_functions::profile::SamVersion;
use storeyline_functions::{Builtin, Profile, builtins};

fn table(page: &mut String, functions: &[&Builtin]) {
    page.push_str("| 函数 · function | 写法 · syntax | 说明 | what it does | 例 · example |\n|---|---|---|---|---|\n");
    for function in functions {
        let aliases: String = function.aliases.iter().map(|alias| format!(", `{alias}`")).collect();
        writeln!(
            page,
            "| `{}`{aliases} | `{}` | {} | {} | `{}` |",
            function.name, function.syntax, function.zh, function.en, function.example
        )
        .expect("a String takes all");
    }
}

#[test]
fn the_reference_page_is_up_to_date() {
    let mut page = "# Functions · 函数\n\nMade from the list in `crates/functions`; change it there.\n\n\
         Each can be switched off (*Functions → Built-in* in the page and the drawer, `functions disable NAME`, or `off` in a \
         library file). Any of its names does that, for all its names and in every dialect; ops of a `<JSONPatch>` block by their own name only.\n\n\
         ## `@.NAME(…)`\n\n"
        .to_owned();
    table(&mut page, builtins(Profile::Native, Dialect::At));
    page.push_str("\n## `_.name(…);//reason` (MVU)\n\n");
    table(&mut page, builtins(Profile::Mvu, Dialect::Underscore));
    page.push_str("\n## `#NAME(…)` (ST-VarSystem)\n\n");
    table(&mut page, builtins(Profile::VarSystem, Dialect::Hash));
    page.push_str(
        "\n## SAM\n\nUnder a `sam` profile the commands of every version are read, then the functions above. \
         A path begins in `static`.\n",
    );
    for (title, version, dialect) in [
        ("3.5 and 4.0", SamVersion::V4_0, Dialect::At),
        ("4.2", SamVersion::V4_2, Dialect::At),
        ("5", SamVersion::V5, Dialect::At),
        ("6: one op of a `<JSONPatch>` block", SamVersion::V6, Dialect::Patch),
    ] {
        page.push_str(&format!("\n### {title}\n\n"));
        table(&mut page, builtins(Profile::Sam(version), dialect));
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/functions.md");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, &page).expect("the docs can be written");
    }
    assert_eq!(fs::read_to_string(path).unwrap_or_default(), page, "run it again with UPDATE=1");
}
