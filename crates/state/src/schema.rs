//! Schemas of the types that clients see, for the description of the HTTP interface (feature `schema`).

/// A UUID; capitals are accepted.
pub(crate) const UUID: &str = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";
/// 64 hexadecimal digits.
pub(crate) const HEX: &str = "^[0-9a-f]{64}$";

/// Describes a type that is written as a text of a fixed pattern.
macro_rules! text_schema {
    ($name:ident, $pattern:expr, $format:expr, $words:literal) => {
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                use utoipa::openapi::schema::{ObjectBuilder, SchemaFormat, Type};
                let format: Option<&str> = $format;
                let object = ObjectBuilder::new()
                    .schema_type(Type::String)
                    .format(format.map(|format| SchemaFormat::Custom(format.to_owned())))
                    .pattern(Some($pattern))
                    .description(Some($words));
                object.into()
            }
        }

        impl utoipa::ToSchema for $name {
            fn name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
        }
    };
}

pub(crate) use text_schema;
