//! Pairs removed items with added items: an edited row is one of each.
//!
//! Objects are paired by similarity, in order; other values by index.

use storeyline_state::Value;

/// Maximum size of the table of all pairs; longer ranges are paired by index.
const MAX_TABLE: usize = 4_096;

/// Maximum number of keys that are compared.
const MAX_KEYS: usize = 32;

/// Returns index pairs of items that are versions of each other, in ascending order.
pub(super) fn paired(old: &[Value], new: &[Value]) -> Vec<(usize, usize)> {
    if old.len() == new.len() && old.len() == 1 || old.len().saturating_mul(new.len()) > MAX_TABLE {
        return old
            .iter()
            .zip(new)
            .enumerate()
            .filter(|(_, (a, b))| similarity(a, b) > 0)
            .map(|(at, _)| (at, at))
            .collect();
    }
    let similarity: Vec<Vec<u32>> = old.iter().map(|a| new.iter().map(|b| similarity(a, b)).collect()).collect();
    best_pairs(&similarity, old.len(), new.len())
}

/// Selects the pairs with the greatest total similarity, in order.
fn best_pairs(similarity: &[Vec<u32>], old: usize, new: usize) -> Vec<(usize, usize)> {
    // `best[a][b]` is the greatest sum for the items from `a` and `b` on.
    let mut best = vec![vec![0; new + 1]; old + 1];
    for a in (0..old).rev() {
        for b in (0..new).rev() {
            let with = if similarity[a][b] > 0 { similarity[a][b] + best[a + 1][b + 1] } else { 0 };
            best[a][b] = with.max(best[a + 1][b]).max(best[a][b + 1]);
        }
    }
    let (mut a, mut b, mut pairs) = (0, 0, Vec::new());
    while a < old && b < new {
        if similarity[a][b] > 0 && best[a][b] == similarity[a][b] + best[a + 1][b + 1] {
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

/// Returns 0 for unrelated values. One equal entry counts more than equal keys with other values.
pub(super) fn similarity(old: &Value, new: &Value) -> u32 {
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
