//! Every route that the API description tells of, without naming one: a new route cannot be forgotten.
//!
//! The description is asked from the running server; requests are made from its schemas, answers are
//! checked against them.

mod feed;
mod gates;
mod hostile;
mod logged;
mod owners;
mod schema;
mod seeded;
mod told;
mod walk;
mod wire;
