//! The modules of the program, which are public for the tests and programs of this repository.
//!
//! They are available only with the feature `internals`, and promise nothing to others: the interface is at the root of
//! the crate.

#![allow(missing_docs, reason = "each module says what it is where it is")]

#[cfg(feature = "browse")]
pub mod browse {
    pub use crate::browse::*;
}
#[cfg(feature = "cli")]
pub mod cli {
    pub use crate::cli::*;
}
#[cfg(feature = "review")]
pub mod compare {
    pub use crate::compare::*;
}
pub mod dialect {
    pub use crate::dialect::*;
}
pub mod diff {
    pub use crate::diff::*;
}
pub mod input {
    pub use crate::input::*;
}
pub mod json {
    pub use crate::json::*;
}
pub mod model {
    pub use crate::model::*;
}
#[cfg(feature = "cli")]
pub mod owners {
    pub use crate::owners::*;
}
pub mod page {
    pub use crate::page::*;
}
pub mod render {
    pub use crate::render::*;
}
#[cfg(feature = "review")]
pub mod report {
    pub use crate::report::*;
}
#[cfg(feature = "review")]
pub mod review {
    pub use crate::review::*;
}
#[cfg(feature = "saved")]
pub mod saved {
    pub use crate::saved::*;
}
pub mod schema {
    pub use crate::schema::*;
}
#[cfg(feature = "cli")]
pub mod schema_view {
    pub use crate::schema_view::*;
}
pub mod show {
    pub use crate::show::*;
}
pub mod stack {
    pub use crate::stack::*;
}
pub mod stream {
    pub use crate::stream::*;
}
pub mod term {
    pub use crate::term::*;
}
pub mod text {
    pub use crate::text::*;
}
#[cfg(feature = "review")]
pub mod with {
    pub use crate::with::*;
}
