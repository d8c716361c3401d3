//! Tests of every route in the API description, without naming one: a new route cannot be
//! forgotten.
//!
//! The description is read from the running server; requests are generated from its schemas,
//! responses are checked against them.

mod feed;
mod gates;
mod hostile;
mod logged;
mod machine;
mod owners;
mod schema;
mod seeded;
mod story;
mod walk;
mod wire;
