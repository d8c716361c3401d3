//! Enumerations whose values are words.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

// `tt`, because a literal would arrive in a group that the schema does not look into.
macro_rules! words {
    ($($(#[$about:meta])* $enum:ident { $($(#[$what:meta])* $variant:ident = $word:tt,)+ })+) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
        pub enum $enum {
            $($(#[$what])* #[serde(rename = $word)] $variant,)+
        }

        impl $enum {
            /// In the order of declaration.
            pub const ALL: [$enum; [$($word),+].len()] = [$($enum::$variant),+];

            pub const fn as_str(self) -> &'static str {
                match self {
                    $($enum::$variant => $word,)+
                }
            }
        }
    )+};
}

words! {
    /// Who speaks.
    Role {
        Assistant = "assistant",
        Narrator = "narrator",
        User = "user",
        Summary = "summary",
        Other = "other",
    }
    /// A language of the interface.
    Language {
        Chinese = "zh",
        English = "en",
    }
    RefKind {
        /// Moves as the story continues.
        Branch = "branch",
        /// Never moves.
        Tag = "tag",
    }
    /// How a call ended.
    Verdict {
        Done = "done",
        /// Done differently than written.
        Repaired = "repaired",
        Failed = "failed",
    }
    Severity {
        /// Something was not done.
        Error = "error",
        /// Something was done differently than written.
        Warning = "warning",
        Info = "info",
    }
    /// What happened to a path of a state.
    ChangeKind {
        Changed = "changed",
        Added = "added",
        Removed = "removed",
    }
    /// How a change of an early floor affects the later ones.
    EditPolicy {
        /// They are recomputed at once.
        Auto = "auto",
        /// They keep their states, marked stale, until they are re-processed.
        Manual = "manual",
    }
    /// What happens to the old text.
    KeepText {
        /// The page gets the new text.
        InPlace = "in_place",
        /// The new text becomes another page of the floor, which becomes active.
        AsAlternative = "as_alternative",
        /// The page gets the new text on every branch.
        OnAllBranches = "on_all_branches",
    }
    /// Which side has priority in a conflict.
    Prefer {
        /// The branch that is merged into.
        Ours = "ours",
        /// The other branch.
        Theirs = "theirs",
    }
    /// What was done to a story or a branch.
    OperationKind {
        /// A host showed its chat.
        Sync = "sync",
        /// A chat file was read.
        Import = "import",
        /// Another page is read.
        Select = "select",
        /// A page has another text.
        Edit = "edit",
        /// A turn was added at the end.
        Append = "append",
        /// An alternative was added.
        AddPage = "add_page",
        /// Turns were taken away.
        Delete = "delete",
        /// An alternative was taken away.
        DeletePage = "delete_page",
        /// All alternatives but one were taken away.
        KeepOnly = "keep_only",
        /// A turn went to another floor.
        Move = "move",
        /// A turn was hidden from the prompt, or shown again.
        Hide = "hide",
        /// Turns were put in.
        Insert = "insert",
        /// Turns of another branch were put in.
        Graft = "graft",
        /// A state was corrected by hand.
        Override = "override",
        /// States were computed again under other rules.
        Reprocess = "reprocess",
        /// The state of another branch was merged in.
        Merge = "merge",
        /// Another page is read, with what followed it.
        Swipe = "swipe",
        /// A branch was made.
        CreateBranch = "create_branch",
        /// A ref has another name, note or colour.
        Change = "change",
        /// A ref was thrown away.
        Trash = "trash",
        /// A ref came back from the trash.
        Restore = "restore",
        /// A tag was made.
        CreateTag = "create_tag",
        /// The rules for new pages changed.
        Rules = "rules",
        /// Another branch is read.
        Switch = "switch",
        /// An operation was taken back.
        Undo = "undo",
        /// An operation that had been taken back was done again.
        Redo = "redo",
        /// A branch was set to another place.
        Reset = "reset",
        /// Settings of the story changed.
        Settings = "settings",
        /// The story has another title.
        Rename = "rename",
        /// The story was thrown away.
        TrashStory = "trash_story",
        /// The story came back from the trash.
        RestoreStory = "restore_story",
        /// A page was marked as not valid, or as valid again.
        Validity = "validity",
    }
}

#[cfg(test)]
mod tests {
    use utoipa::PartialSchema;

    use super::*;

    /// What serde writes, what it reads, and what the schema says.
    macro_rules! check {
        ($($enum:ident)+) => {$(
            let words = $enum::ALL.map($enum::as_str);
            for (one, word) in $enum::ALL.into_iter().zip(words) {
                assert_eq!(serde_json::to_value(one).unwrap(), word);
                assert_eq!(serde_json::from_value::<$enum>(word.into()).unwrap(), one);
            }
            let schema = serde_json::to_value($enum::schema()).unwrap();
            assert_eq!(schema["enum"], serde_json::json!(words), stringify!($enum));
        )+};
    }

    #[test]
    fn the_schema_has_the_words_that_are_sent() {
        check!(Role RefKind Verdict Severity ChangeKind EditPolicy KeepText Prefer OperationKind);
    }
}
