//! Which of the items that went became which of the items that came.
//!
//! An edited row is a row that went and a row that came. Objects are paired by what they have in
//! common, in order; other values by their place.

use storeyline_state::Value;

/// The table of all pairs is made up to this size; longer stretches are paired by their place.
const MAX_TABLE: usize = 4_096;

/// So many keys of an object are compared.
const MAX_KEYS: usize = 32;

/// Returns indexes of items that are versions of each other; both rise.
pub(super) fn paired(old: &[Value], new: &[Value]) -> Vec<(usize, usize)> {
    if old.len() == new.len() && old.len() == 1 || old.len().saturating_mul(new.len()) > MAX_TABLE {
        return old
            .iter()
            .zip(new)
            .enumerate()
            .filter(|(_, (a, b))| likeness(a, b) > 0)
            .map(|(at, _)| (at, at))
            .collect();
    }
    let likeness: Vec<Vec<u32>> = old.iter().map(|a| new.iter().map(|b| likeness(a, b)).collect()).collect();
    best_pairs(&likeness, old.len(), new.len())
}

/// Chooses the pairs with the greatest sum, in order.
fn best_pairs(likeness: &[Vec<u32>], old: usize, new: usize) -> Vec<(usize, usize)> {
    // `best[a][b]`: the greatest sum for the items from `a` and `b` on.
    let mut best = vec![vec![0; new + 1]; old + 1];
    for a in (0..old).rev() {
        for b in (0..new).rev() {
            let with = if likeness[a][b] > 0 { likeness[a][b] + best[a + 1][b + 1] } else { 0 };
            best[a][b] = with.max(best[a + 1][b]).max(best[a][b + 1]);
        }
    }
    let (mut a, mut b, mut pairs) = (0, 0, Vec::new());
    while a < old && b < new {
        if likeness[a][b] > 0 && best[a][b] == likeness[a][b] + best[a + 1][b + 1] {
            pairs.push((a, b));
            (a, b) = (a + 1, b + 1);
        } else if best[a][b] == best[a + 1][b] {
            a += 1;
        } else {
            b += 1;
        }
    }
    pairs
}

/// 0: another thing. One equal entry weighs more than the same keys with other values.
pub(super) fn likeness(old: &Value, new: &Value) -> u32 {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let both = old.iter().take(MAX_KEYS).filter_map(|(key, value)| Some((value, new.get(key)?)));
            both.map(|(a, b)| if a == b { 2 * MAX_KEYS as u32 } else { 1 }).sum()
        }
        (Value::List(_), Value::List(_)) => 1,
        (Value::List(_) | Value::Object(_), _) | (_, Value::List(_) | Value::Object(_)) => 0,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    #[test]
    fn rows_are_paired_by_what_they_share() {
        let cases = [
            ("[1]", "[2]", vec![(0, 0)]),
            (r#"[{"a":1}]"#, "[2]", vec![]),
            (r#"[{"n":1,"m":1},{"n":2,"m":1}]"#, r#"[{"n":2,"m":5}]"#, vec![(1, 0)]),
            (r#"[{"n":1,"m":1}]"#, r#"[{"n":7,"m":7},{"n":1,"m":5}]"#, vec![(0, 1)]),
            (r#"[{"n":1}]"#, r#"[{"n":2}]"#, vec![(0, 0)]),
            (r#"[{"n":1}]"#, r#"[{"x":1}]"#, vec![]),
        ];
        for (old, new, wanted) in cases {
            let list = |text| json::read(text).unwrap().as_list().unwrap().to_vec();
            assert_eq!(paired(&list(old), &list(new)), wanted, "{old} {new}");
        }
    }
}
