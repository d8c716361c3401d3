//! The text of the example story, read from the files beside this one: `zh.md` and `en.md` hold the turns, `zh.json`
//! and `en.json` the rest.
//!
//! In the Markdown files `#` begins a branch, `##` a turn under the name of its speaker, `###` another page of it.

use storeyline_functions::Library;
use storeyline_functions::library::exchange;
use storeyline_functions::library::function::Scope;
use storeyline_state::{Value, json};
use storeyline_wire::Language;

/// Why reading a file of ours does not fail.
const VALID: &str = "the tests read the example story in every language";

/// An example story, and what a player did to it.
pub(super) struct Tale {
    pub(super) card: String,
    pub(super) title: String,
    /// Names of the speakers; anybody else is a narrator.
    pub(super) user: String,
    pub(super) character: String,
    pub(super) template: Value,
    pub(super) library: Library,
    pub(super) main: Strand,
    pub(super) other: Strand,
    /// The floor of the main branch after which the other branch begins.
    pub(super) fork: usize,
    /// A floor on which the player went back to an earlier page, and the index of that page.
    pub(super) chosen: (usize, usize),
    pub(super) tag: Tag,
    pub(super) snapshot: Kept,
    pub(super) hidden: usize,
    pub(super) mended: Mended,
}

pub(super) struct Strand {
    pub(super) name: String,
    pub(super) turns: Vec<Told>,
}

/// A turn; of several pages the last one is active.
pub(super) struct Told {
    pub(super) name: String,
    pub(super) pages: Vec<String>,
}

pub(super) struct Tag {
    pub(super) floor: usize,
    pub(super) name: String,
    pub(super) note: String,
}

/// A state that the player saved as a global snapshot.
pub(super) struct Kept {
    pub(super) id: String,
    pub(super) floor: usize,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) tags: Vec<String>,
}

/// A value that the player corrected by hand.
pub(super) struct Mended {
    pub(super) floor: usize,
    pub(super) path: String,
    pub(super) value: Value,
}

impl Tale {
    pub(super) fn bundled(language: Language) -> Tale {
        let (turns, rest) = match language {
            Language::Chinese => (include_str!("zh.md"), include_str!("zh.json")),
            Language::English => (include_str!("en.md"), include_str!("en.json")),
        };
        let rest = json::read(rest).expect(VALID);
        let [main, other] = <[Strand; 2]>::try_from(strands(turns)).ok().expect(VALID);
        let (chosen, tag, mended) = (of(&rest, "chosen"), of(&rest, "tag"), of(&rest, "mended"));
        Tale {
            card: text(&rest, "card"),
            title: text(&rest, "title"),
            user: text(&rest, "user"),
            character: text(&rest, "character"),
            template: of(&rest, "template").clone(),
            library: exchange::read(&rest, Scope::Global).library,
            main,
            other,
            fork: index(&rest, "fork"),
            chosen: (index(chosen, "floor"), index(chosen, "page")),
            tag: Tag { floor: index(tag, "floor"), name: text(tag, "name"), note: text(tag, "note") },
            snapshot: kept(of(&rest, "snapshot")),
            hidden: index(&rest, "hidden"),
            mended: Mended {
                floor: index(mended, "floor"),
                path: text(mended, "path"),
                value: of(mended, "value").clone(),
            },
        }
    }
}

fn kept(value: &Value) -> Kept {
    let tags = of(value, "tags").as_list().expect(VALID).iter().filter_map(Value::as_text);
    Kept {
        id: text(value, "id"),
        floor: index(value, "floor"),
        name: text(value, "name"),
        description: text(value, "description"),
        tags: tags.map(str::to_owned).collect(),
    }
}

fn strands(text: &str) -> Vec<Strand> {
    sections(text, "# ").map(|(name, rest)| Strand { name, turns: sections(rest, "## ").map(told).collect() }).collect()
}

fn told((name, rest): (String, &str)) -> Told {
    let (first, others) = rest.split_once("\n### ").map_or((rest, None), |(first, others)| (first, Some(others)));
    let others = others.into_iter().flat_map(|others| others.split("\n### ")).map(|page| page.split_once('\n'));
    let pages = [Some(("", first))].into_iter().chain(others).flatten();
    Told { name, pages: pages.map(|(_, page)| page.trim().to_owned()).collect() }
}

/// Splits a text at its headings; returns each with what stands below it.
fn sections<'a>(text: &'a str, mark: &str) -> impl Iterator<Item = (String, &'a str)> {
    let begins = format!("\n{mark}");
    let found: Vec<&str> = text.strip_prefix(mark).unwrap_or(text).split(begins.as_str()).collect();
    let all = found.into_iter().filter_map(|section| section.split_once('\n'));
    all.filter(|(heading, _)| !heading.is_empty()).map(|(heading, below)| (heading.to_owned(), below))
}

fn of<'a>(value: &'a Value, key: &str) -> &'a Value {
    value.get(key).expect(VALID)
}

fn text(value: &Value, key: &str) -> String {
    of(value, key).as_text().expect(VALID).to_owned()
}

fn index(value: &Value, key: &str) -> usize {
    of(value, key).as_number().and_then(|number| number.as_index()).expect(VALID)
}
