//! A built-in function. Prompt manual, reference page and completion are generated from these.

use storeyline_calls::{Arg, Call, Dialect, Forced};

use crate::draft::{Draft, Refusal};
use crate::profile::{Profile, SamVersion};
use crate::{mvu, native, sam, varsystem};

pub struct Builtin {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub syntax: &'static str,
    /// Description in Chinese.
    pub zh: &'static str,
    /// Description in English.
    pub en: &'static str,
    pub example: &'static str,
    pub apply: fn(&mut Draft<'_>, &[Arg]) -> Result<(), Refusal>,
}

impl Builtin {
    /// Returns the name and all aliases.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// Tells whether the function is switched off. Any of its names switches it off, and a native
    /// name also switches off all other names of that function, so that no dialect can circumvent
    /// it.
    pub fn is_off(&self, off: &[String]) -> bool {
        off.iter().any(|off| {
            let ours = native::BUILTINS.iter().find(|ours| ours.is_called(off));
            self.is_called(off) || ours.is_some_and(|ours| ours.names().any(|name| self.is_called(name)))
        })
    }

    /// Compares with all its names, ignoring case.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name) || self.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
    }
}

/// Returns the functions that a dialect has under a profile, in the order of the reference page.
pub fn builtins(profile: Profile, dialect: Dialect) -> &'static [&'static Builtin] {
    match (profile, dialect) {
        (Profile::Mvu, Dialect::Underscore) => mvu::BUILTINS,
        // MVU's calls under other profiles: a missing path is created, as lodash does.
        (_, Dialect::Underscore) => mvu::CREATING,
        (Profile::VarSystem, Dialect::Hash) => varsystem::BUILTINS,
        (Profile::Sam(version), Dialect::At) => sam::builtins(version),
        (Profile::Sam(_), Dialect::Patch) => sam::PATCH,
        _ => native::BUILTINS,
    }
}

/// Returns the function that a call names, considering the rule set it selects.
pub(crate) fn builtin_of(profile: Profile, call: &Call) -> Option<&'static Builtin> {
    let profile = match call.forced {
        Some(Forced::Native) => Profile::Native,
        Some(Forced::Sam) => Profile::Sam(SamVersion::V4_2),
        None => profile,
    };
    find(profile, call.dialect, &call.name)
}

/// Returns the function of a name, ignoring case.
pub fn find(profile: Profile, dialect: Dialect, name: &str) -> Option<&'static Builtin> {
    let listed = |list: &'static [&'static Builtin]| list.iter().copied().find(|builtin| builtin.is_called(name));
    match (profile, dialect) {
        // A card may be older or newer than its profile, so the commands of every SAM version are
        // accepted, then the native ones.
        (Profile::Sam(_), Dialect::At) => listed(sam::COMMANDS).or_else(|| listed(native::BUILTINS)),
        (_, Dialect::At) => listed(builtins(profile, dialect)).or_else(|| listed(&[&sam::DB])),
        _ => listed(builtins(profile, dialect)),
    }
}
