//! The OpenAPI description, generated from the handlers. What is common to all routes is added
//! here: authentication, headers, error responses.

use std::sync::LazyLock;

use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{InfoBuilder, OpenApi, OpenApiBuilder, Ref, RefOr, Required, ResponseBuilder, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::error::Error;
use crate::{access, routes};

/// Name of the security scheme.
const TOKEN: &str = "token";

static DESCRIPTION: LazyLock<String> = LazyLock::new(|| {
    let mut text = routes::description().to_pretty_json().expect("the description is JSON");
    text.push('\n');
    text
});

/// Returns the description as JSON text.
pub fn openapi_json() -> &'static str {
    &DESCRIPTION
}

pub(crate) fn head() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Storeyline")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some("The state of role-play stories, exact at every page."));
    OpenApiBuilder::new().info(info).build()
}

/// Adds what is common to all routes.
pub(crate) fn finish(mut description: OpenApi) -> OpenApi {
    let components = description.components.get_or_insert_default();
    let mut schemas = vec![(Error::name().into_owned(), Error::schema())];
    Error::schemas(&mut schemas);
    components.schemas.extend(schemas);
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
    components.security_schemes.insert(TOKEN.to_owned(), RefOr::T(SecurityScheme::Http(bearer)));
    for (path, item) in &mut description.paths.paths {
        let operations =
            [("get", &mut item.get), ("post", &mut item.post), ("put", &mut item.put), ("delete", &mut item.delete)];
        for (method, operation) in operations {
            let Some(operation) = operation else { continue };
            name(operation, method, path);
            if method != "get" {
                let one = ObjectBuilder::new().enum_values(Some(["1"]));
                let ours = header("X-Storeyline", Required::True, "Always `1`.", one);
                operation.parameters.get_or_insert_default().push(ours);
            }
            if !is_open(method, path) {
                guarded(operation);
            }
            refusable(operation);
        }
    }
    description
}

/// Sets a unique operation id. The names of handlers are unique only within their files.
fn name(operation: &mut Operation, method: &str, path: &str) {
    let words = path.trim_start_matches("/api/v1").split(['/', '.', '-']).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.map(|word| word.trim_matches(['{', '}'])).collect();
    operation.operation_id = Some(format!("{method}_{}", words.join("_")));
    for response in operation.responses.responses.values_mut() {
        if let RefOr::T(response) = response
            && response.description.is_empty()
        {
            response.description = "The answer.".to_owned();
        }
    }
}

/// Tells whether an operation needs no token.
fn is_open(method: &str, path: &str) -> bool {
    matches!((method, path), ("get", "/healthz") | ("post", access::TOKENS))
}

fn guarded(operation: &mut Operation) {
    let owner = "The account whose stories are meant; counts with the token only. Nothing: `local`.";
    let account = ObjectBuilder::new().pattern(Some("^[A-Za-z0-9._@-]{1,64}$"));
    let owner = header("X-Storeyline-Owner", Required::False, owner, account);
    operation.parameters.get_or_insert_default().push(owner);
    operation.security = Some(vec![SecurityRequirement::new(TOKEN, Vec::<String>::new())]);
}

fn refusable(operation: &mut Operation) {
    let error = ContentBuilder::new().schema(Some(Ref::from_schema_name("Error"))).build();
    let refused = ResponseBuilder::new().description("A refusal or a failure.").content("application/json", error);
    operation.responses.responses.insert("default".to_owned(), RefOr::T(refused.build()));
}

fn header(name: &str, required: Required, words: &str, schema: ObjectBuilder) -> RefOr<Parameter> {
    let parameter = ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Header)
        .required(required)
        .description(Some(words))
        .schema(Some(Schema::Object(schema.schema_type(Type::String).build())));
    RefOr::T(parameter.build())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_is_the_one_that_was_agreed_on() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
        let agreed = std::fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
        assert!(
            agreed == openapi_json(),
            "the API changed; if that is wanted: cargo run -p storeyline -- openapi > docs/openapi.json"
        );
    }

    #[test]
    fn every_operation_says_what_it_is_and_what_a_refusal_looks_like() {
        let description: serde_json::Value = serde_json::from_str(openapi_json()).unwrap();
        for (path, item) in description["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                assert!(operation["summary"].as_str().is_some_and(|words| !words.is_empty()), "{method} {path}");
                assert!(operation["tags"][0].is_string(), "{method} {path}");
                assert!(operation["responses"]["default"].is_object(), "{method} {path}");
            }
        }
    }
}
