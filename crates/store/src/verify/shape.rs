//! What columns hold: numbers, bytes of a fixed length, words, records. A column that holds something else was not
//! written here; the row is read with a blank in its place, so that the other columns can be checked and the blank one
//! computed.

use crate::sql::Row as _;
use crate::tables::table::{Raw, RawRow, Table};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Number,
    /// A number that is not negative.
    Count,
    /// Bytes of this length that can be computed or done without.
    Hash(usize),
    /// Words of users, in UTF-8.
    Words,
    /// Words by which something is known to users; without them it is called `?`.
    Name,
    /// Bytes that nothing can stand for: ids and records.
    Bytes,
}

/// The columns that are no plain numbers.
#[rustfmt::skip]
const SHAPES: &[(&str, &[(&str, Shape)])] = &[
    ("owner", &[("name", Shape::Bytes)]),
    ("value", &[("hash", Shape::Hash(32)), ("bytes", Shape::Bytes)]),
    ("text", &[("bytes", Shape::Bytes)]),
    ("page", &[("page", Shape::Bytes), ("body", Shape::Hash(32)), ("text_hash", Shape::Hash(16)), ("inputs", Shape::Bytes)]),
    ("turn", &[("bytes", Shape::Bytes)]),
    ("node", &[("hash", Shape::Hash(32)), ("depth", Shape::Count), ("digest", Shape::Hash(16)), ("reading", Shape::Hash(16))]),
    ("state", &[("memo", Shape::Hash(16)), ("hash", Shape::Hash(32)), ("trace", Shape::Bytes), ("paths", Shape::Hash(16))]),
    ("keyframe", &[("bytes", Shape::Bytes)]),
    ("story", &[("story", Shape::Bytes), ("title", Shape::Name), ("card", Shape::Words)]),
    ("ref", &[("ref", Shape::Bytes), ("name", Shape::Name), ("note", Shape::Words), ("colour", Shape::Words)]),
    ("ref", &[("chat", Shape::Hash(16)), ("file", Shape::Words), ("file_owner", Shape::Words)]),
    ("operation", &[("detail", Shape::Bytes)]),
    ("cursor", &[("page", Shape::Bytes)]),
    ("client", &[("name", Shape::Name)]),
    ("request_seq", &[("chat", Shape::Bytes), ("client", Shape::Words)]),
    ("given_up", &[("page", Shape::Bytes), ("function", Shape::Words)]),
    ("asset", &[("name", Shape::Name)]),
    ("foreign_snapshot", &[("name", Shape::Name), ("chat", Shape::Words), ("message", Shape::Words)]),
];

/// The columns that may be empty.
const NULLABLE: &[(&str, &[&str])] = &[
    ("page", &["kept", "turn"]),
    ("turn", &["host"]),
    ("node", &["turn", "digest", "state"]),
    ("state", &["memo", "base", "paths"]),
    ("keyframe", &["against"]),
    ("story", &["choices", "settings", "current", "trashed"]),
    ("ref", &["origin", "head", "chat", "file", "file_owner", "host_node", "header", "trashed"]),
    ("operation", &["before", "after", "undoes", "client"]),
    ("asset", &["value"]),
    ("foreign_snapshot", &["message", "trashed"]),
];

/// A row with blanks in the columns that hold something of another type.
pub(super) struct Blanked {
    pub(super) row: RawRow,
    /// What is wrong with which columns, in words.
    pub(super) odd: Vec<String>,
}

impl Blanked {
    pub(super) fn of(table: &Table, row: &RawRow) -> Blanked {
        let (mut values, mut odd) = (row.values.clone(), Vec::new());
        for (value, column) in values.iter_mut().zip(table.columns()) {
            let (shape, is_nullable) = (shape(table.name(), column), is_nullable(table.name(), column));
            if !fits(shape, is_nullable, value) {
                odd.push(format!("`{column}` is of another type: {}", words(value)));
                *value = blank(shape, is_nullable, value);
            }
        }
        Blanked { row: RawRow::new(values), odd }
    }
}

/// Returns a row of stories or refs with an id that can be read: one that is lost is replaced by one from its key.
pub(super) fn with_id(table: &Table, row: &RawRow) -> (RawRow, Option<Raw>) {
    let Blanked { mut row, .. } = Blanked::of(table, row);
    if row.bytes(2).is_ok_and(|id| id.len() == 16) {
        return (row, None);
    }
    let id = Raw::Bytes(i128::from(row.int(1).unwrap_or(0)).to_be_bytes().to_vec());
    row.values[2] = id.clone();
    (row, Some(id))
}

fn shape(table: &str, column: &str) -> Shape {
    let columns = SHAPES.iter().filter(|(own, _)| *own == table).flat_map(|(_, columns)| *columns);
    columns.into_iter().find(|(own, _)| *own == column).map_or(Shape::Number, |(_, shape)| *shape)
}

fn is_nullable(table: &str, column: &str) -> bool {
    NULLABLE.iter().any(|(own, columns)| *own == table && columns.contains(&column))
}

fn fits(shape: Shape, is_nullable: bool, value: &Raw) -> bool {
    match (shape, value) {
        (_, Raw::Null) => is_nullable,
        (Shape::Number, Raw::Int(_)) | (Shape::Bytes, Raw::Bytes(_)) => true,
        (Shape::Count, Raw::Int(number)) => *number >= 0,
        (Shape::Hash(length), Raw::Bytes(bytes)) => bytes.len() == length,
        (Shape::Words | Shape::Name, Raw::Bytes(bytes)) => std::str::from_utf8(bytes).is_ok(),
        _ => false,
    }
}

/// Returns what stands for a value of another type. Of words that are damaged, what can be read stays.
fn blank(shape: Shape, is_nullable: bool, value: &Raw) -> Raw {
    match (shape, value) {
        (Shape::Words | Shape::Name, Raw::Bytes(bytes)) => {
            Raw::Bytes(String::from_utf8_lossy(bytes).into_owned().into_bytes())
        }
        _ if is_nullable => Raw::Null,
        (Shape::Number | Shape::Count, _) => Raw::Int(0),
        (Shape::Hash(length), _) => Raw::Bytes(vec![0; length]),
        (Shape::Words, _) => Raw::Bytes(Vec::new()),
        (Shape::Name, _) => Raw::Bytes(b"?".to_vec()),
        (Shape::Bytes, _) => value.clone(),
    }
}

/// Describes a value that is about to be replaced.
fn words(value: &Raw) -> String {
    match value {
        Raw::Null => "nothing".to_owned(),
        Raw::Int(number) => number.to_string(),
        Raw::Bytes(bytes) => bytes.iter().take(64).map(|byte| format!("{byte:02x}")).collect(),
        Raw::Odd => "a fraction".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{clients, nodes};

    #[test]
    fn a_column_of_another_type_is_blank_and_the_others_stay() {
        let client = |name: Raw| RawRow::new(vec![Raw::Int(1), Raw::Int(7), name]);
        for (name, wanted, odd) in [
            (Raw::Bytes("雨".into()), Raw::Bytes("雨".into()), 0),
            (Raw::Int(5), Raw::Bytes("?".into()), 1),
            (Raw::Bytes(vec![b'a', 0xff]), Raw::Bytes("a\u{fffd}".into()), 1),
        ] {
            let blanked = Blanked::of(&clients::CLIENTS, &client(name));
            assert_eq!((&blanked.row.values[2], blanked.odd.len()), (&wanted, odd));
            assert_eq!(blanked.row.values[..2], [Raw::Int(1), Raw::Int(7)]);
        }
    }

    #[test]
    fn what_is_computed_gets_a_blank_of_its_length() {
        let mut values = vec![Raw::Int(1); 12];
        values[3] = Raw::Bytes(vec![7; 35]);
        values[7] = Raw::Int(-1);
        values[9] = Raw::Odd;
        let blanked = Blanked::of(&nodes::TABLE, &RawRow::new(values)).row.values;
        assert_eq!(blanked[3], Raw::Bytes(vec![0; 32]), "a hash");
        assert_eq!(blanked[7], Raw::Int(0), "a depth is not negative");
        assert_eq!(blanked[9], Raw::Null, "a digest may be missing");
    }
}
