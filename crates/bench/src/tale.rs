//! A made-up story with real entropy: a state of nested role-play data, and replies that change it.
//! The same seed gives the same story.

use storeyline_state::{Object, Value};

/// Random numbers from a seed.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }

    /// Words nobody can guess: common characters in random order.
    pub(crate) fn words(&mut self, characters: usize) -> String {
        (0..characters).map(|_| char::from_u32(0x4e00 + self.below(2_500) as u32).unwrap_or('一')).collect()
    }
}

/// A state with its leaves.
pub(crate) struct Tale {
    pub(crate) state: Value,
    /// The paths of all leaves.
    pub(crate) leaves: Vec<String>,
}

impl Tale {
    /// Makes a state of about this many bytes.
    pub(crate) fn new(bytes: usize, dice: &mut Dice) -> Tale {
        let mut characters = Object::default();
        let mut leaves = Vec::new();
        let mut size = 0;
        while size < bytes {
            let name = dice.words(3);
            let (character, length) = character(&name, dice, &mut leaves);
            size += length;
            characters.insert(name.as_str().into(), character);
        }
        let state = Value::object([("角色".into(), Value::object(characters))].into_iter().collect());
        Tale { state, leaves }
    }

    /// A reply that changes some leaves.
    pub(crate) fn reply(&self, changes: usize, dice: &mut Dice) -> String {
        let mut text = dice.words(420);
        for _ in 0..changes {
            let leaf = &self.leaves[dice.below(self.leaves.len())];
            let value = match leaf.ends_with("数") {
                true => dice.below(10_000).to_string(),
                false => format!("\"{}\"", dice.words(8)),
            };
            text.push_str(&format!("\n@.SET(\"{leaf}\", {value});"));
            text.push_str(&dice.words(120));
        }
        text
    }
}

fn character(name: &str, dice: &mut Dice, leaves: &mut Vec<String>) -> (Value, usize) {
    let mut length = 40;
    let mut groups = Object::default();
    for (group, entries) in [("属性", 6), ("物品", 5), ("关系", 4)] {
        let mut group_entries = Object::default();
        for _ in 0..entries {
            let numeric = dice.below(3) == 0;
            let key = format!("{}{}", dice.words(2), if numeric { "数" } else { "" });
            let value = match numeric {
                true => Value::from(dice.below(10_000) as i64),
                false => {
                    let characters = 6 + dice.below(10);
                    Value::text(dice.words(characters))
                }
            };
            leaves.push(format!("角色.{name}.{group}.{key}"));
            length += 50;
            group_entries.insert(key.as_str().into(), value);
        }
        groups.insert(group.into(), Value::object(group_entries));
    }
    (Value::object(groups), length)
}
