//! All integration tests, in one binary.

mod layering;
mod schema;
