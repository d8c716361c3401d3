//! Relations that the files of a folder state: branches and copies.

use std::cmp::Reverse;
use std::collections::HashMap;

use storeyline_state::ChatId;

use super::KnownBy;
use crate::chat_file::ChatFile;
use crate::identity::{Identity, file_stem};

/// Indexed by the position of a file in the input.
pub(super) struct Family {
    pub(super) identities: Vec<Identity>,
    /// All distinct.
    pub(super) chats: Vec<ChatId>,
    /// Files that were named as parents; no file descends from itself.
    pub(super) parents: Vec<Option<(usize, KnownBy)>>,
    /// Every file once, parents before children, else the older first.
    pub(super) order: Vec<usize>,
}

impl Family {
    pub(super) fn of(files: &[(String, ChatFile)]) -> Family {
        let identities: Vec<Identity> = files.iter().map(|(_, file)| Identity::of(file)).collect();
        let by_age = by_age(files, &identities);
        let (chats, originals) = tell_apart(files, &identities, &by_age);
        let parents = named_parents(files, &identities, &chats, &originals, &by_age);
        let order = parents_first(&parents, &by_age);
        Family { identities, chats, parents, order }
    }
}

/// Tells whether a file descends from another, or is it.
pub(super) fn descends(parents: &[Option<(usize, KnownBy)>], file: usize, from: usize) -> bool {
    let up = std::iter::successors(Some(file), |file| parents[*file].map(|(parent, _)| parent));
    up.take(parents.len() + 1).any(|file| file == from)
}

/// Sorts files by age. Files that state they are branches come last. Of two that diverge, the one
/// that continued first is older; of two of which one is a prefix of the other, the longer is
/// older, because checkpoints look like that.
fn by_age(files: &[(String, ChatFile)], identities: &[Identity]) -> Vec<usize> {
    let key = |index: usize| {
        let ((name, file), identity) = (&files[index], &identities[index]);
        let times: Vec<Option<i64>> = file.read.iter().map(|message| message.pages[message.active].time).collect();
        (identity.parent.is_some() || identity.main_chat.is_some(), times, name.len(), name)
    };
    let mut order: Vec<usize> = (0..files.len()).collect();
    let keys: Vec<_> = order.iter().map(|index| key(*index)).collect();
    order.sort_by(|a, b| {
        let ((claims, times, ..), (other_claims, other_times, ..)) = (&keys[*a], &keys[*b]);
        let parted = times.iter().zip(other_times).find(|(own, other)| own != other).map(|(own, other)| own.cmp(other));
        claims
            .cmp(other_claims)
            .then(parted.unwrap_or_else(|| Reverse(times.len()).cmp(&Reverse(other_times.len()))))
            .then_with(|| (keys[*a].2, keys[*a].3).cmp(&(keys[*b].2, keys[*b].3)))
    });
    order
}

/// Gives every file its own uid. Also returns, for each file that carries the uid of another, which
/// one that is.
///
/// The original is the file that our record names, else the oldest. A copy's uid is computed from
/// its name.
fn tell_apart(
    files: &[(String, ChatFile)],
    identities: &[Identity],
    by_age: &[usize],
) -> (Vec<ChatId>, Vec<Option<usize>>) {
    let mut keeper: HashMap<ChatId, usize> = HashMap::new();
    let named = |file: &usize| identities[*file].file.as_deref() == Some(file_stem(&files[*file].0));
    for &file in by_age.iter().filter(|file| named(file)).chain(by_age) {
        keeper.entry(identities[file].chat).or_insert(file);
    }
    let mut chats: Vec<ChatId> = identities.iter().map(|identity| identity.chat).collect();
    let mut originals = vec![None; files.len()];
    for &file in by_age {
        let chat = identities[file].chat;
        let original = keeper[&chat];
        if original == file {
            continue;
        }
        originals[file] = Some(original);
        let mut name = file_stem(&files[file].0).to_owned();
        chats[file] = ChatId::from_name(chat.uuid(), name.as_bytes());
        // Two files with one name cannot be in a folder, but they can be in a list.
        while *keeper.entry(chats[file]).or_insert(file) != file {
            name.push('\n');
            chats[file] = ChatId::from_name(chat.uuid(), name.as_bytes());
        }
    }
    (chats, originals)
}

fn named_parents(
    files: &[(String, ChatFile)],
    identities: &[Identity],
    chats: &[ChatId],
    originals: &[Option<usize>],
    by_age: &[usize],
) -> Vec<Option<(usize, KnownBy)>> {
    let by_chat: HashMap<ChatId, usize> = chats.iter().copied().zip(0..).collect();
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    for &file in by_age {
        by_name.entry(file_stem(&files[file].0)).or_insert(file);
    }
    let named = |file: usize| {
        let identity = &identities[file];
        let by_record = || Some((*by_chat.get(&identity.parent?)?, KnownBy::Record));
        let by_host = || Some((*by_name.get(identity.main_chat.as_deref()?)?, KnownBy::MainChat));
        let not_itself = |(parent, _): &(usize, KnownBy)| *parent != file;
        // A copy of a branch names the parent of the branch; it came from the branch nevertheless.
        let original =
            originals[file].filter(|original| identity.marked && identities[*original].main_chat == identity.main_chat);
        if let Some(original) = original {
            return Some((original, KnownBy::SameMark));
        }
        // If our record is another chat's, the host's statement is more reliable.
        let (first, second) = if identity.inherited { (by_host(), by_record()) } else { (by_record(), by_host()) };
        first.filter(not_itself).or(second.filter(not_itself))
    };
    let mut parents = vec![None; files.len()];
    for &file in by_age {
        parents[file] = named(file).filter(|(parent, _)| !descends(&parents, *parent, file));
    }
    parents
}

/// Traverses down from the files without parent.
fn parents_first(parents: &[Option<(usize, KnownBy)>], by_age: &[usize]) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    let mut waiting: Vec<usize> = Vec::new();
    for &file in by_age.iter().rev() {
        match parents[file] {
            Some((parent, _)) => children[parent].push(file),
            None => waiting.push(file),
        }
    }
    let mut order = Vec::with_capacity(parents.len());
    while let Some(file) = waiting.pop() {
        order.push(file);
        waiting.append(&mut children[file]);
    }
    order
}
