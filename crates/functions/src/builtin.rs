//! A built-in function. Everything said about one to people comes from here.

use storeyline_calls::{Arg, Call, Dialect, Forced};

use crate::draft::{Draft, Refusal};
use crate::profile::{Profile, SamVersion};
use crate::{mvu, native, sam, varsystem};

/// One built-in function.
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// How it is called.
    pub syntax: &'static str,
    /// What it does, in Chinese.
    pub zh: &'static str,
    /// What it does, in English.
    pub en: &'static str,
    /// An example.
    pub example: &'static str,
    /// Carries it out.
    pub apply: fn(&mut Draft<'_>, &[Arg]) -> Result<(), Refusal>,
}

impl Builtin {
    /// Returns all its names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// Returns whether somebody switched it off. Any of its names does that, and a name of ours stands for all
    /// names which that function has, so that no dialect has a way round.
    pub fn is_off(&self, off: &[String]) -> bool {
        off.iter().any(|off| {
            let ours = native::BUILTINS.iter().find(|ours| ours.is_called(off));
            self.is_called(off) || ours.is_some_and(|ours| ours.names().any(|name| self.is_called(name)))
        })
    }

    /// Returns whether this is one of its names; upper and lower case are the same.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name) || self.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
    }
}

/// Returns the functions that a dialect has under a profile, in the order of the reference page.
pub fn builtins(profile: Profile, dialect: Dialect) -> &'static [&'static Builtin] {
    match (profile, dialect) {
        (Profile::Mvu, Dialect::Underscore) => mvu::BUILTINS,
        // MVU's calls elsewhere: a missing path is created, as lodash does.
        (_, Dialect::Underscore) => mvu::CREATING,
        (Profile::VarSystem, Dialect::Hash) => varsystem::BUILTINS,
        (Profile::Sam(version), Dialect::At) => sam::builtins(version),
        (Profile::Sam(_), Dialect::Patch) => sam::PATCH,
        _ => native::BUILTINS,
    }
}

/// Returns the function that a call means.
pub(crate) fn meant(profile: Profile, call: &Call) -> Option<&'static Builtin> {
    let profile = match call.forced {
        Some(Forced::Native) => Profile::Native,
        Some(Forced::Sam) => Profile::Sam(SamVersion::V4_2),
        None => profile,
    };
    find(profile, call.dialect, &call.name)
}

/// Returns the function that a call names; upper and lower case are the same.
pub fn find(profile: Profile, dialect: Dialect, name: &str) -> Option<&'static Builtin> {
    let listed = |list: &'static [&'static Builtin]| list.iter().copied().find(|builtin| builtin.is_called(name));
    match (profile, dialect) {
        // A card may be older or newer than its profile: every command of every SAM is read, then ours.
        (Profile::Sam(_), Dialect::At) => listed(sam::COMMANDS).or_else(|| listed(native::BUILTINS)),
        (_, Dialect::At) => listed(builtins(profile, dialect)).or_else(|| listed(&[&sam::DB])),
        _ => listed(builtins(profile, dialect)),
    }
}
