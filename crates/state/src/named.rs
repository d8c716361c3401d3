//! Enums whose variants have names in JSON: one table gives both directions.

/// Declares an enum and the name of each variant, and parses these names.
#[macro_export]
macro_rules! named {
    ($(#[$attribute:meta])* $visible:vis enum $enum:ident { $($variants:tt)+ }) => {
        $crate::written! { $(#[$attribute])* $visible enum $enum { $($variants)+ } }

        impl $enum {
            /// Parses the name used in JSON.
            $visible fn from_word(word: &str) -> Option<$enum> {
                $enum::ALL.into_iter().find(|one| one.as_str() == word)
            }
        }
    };
}

/// Declares an enum and the name of each variant, which is only written or parsed in a way of its
/// own.
#[macro_export]
macro_rules! written {
    ($(#[$attribute:meta])* $visible:vis enum $enum:ident {
        $($(#[$about:meta])* $variant:ident = $name:literal,)+
    }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visible enum $enum {
            $($(#[$about])* $variant,)+
        }

        impl $enum {
            /// In the order of declaration.
            $visible const ALL: [$enum; [$($name),+].len()] = [$($enum::$variant),+];

            /// Returns the name used in JSON.
            $visible const fn as_str(self) -> &'static str {
                match self {
                    $($enum::$variant => $name,)+
                }
            }
        }
    };
}
