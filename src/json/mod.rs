//! A JSON parser that reads documents in place, and the values and models that it returns.
//!
//! [`from_str`] deserializes a document into a serde model. The values of providers in it are [`Raw`] texts, which
//! [`Raw::value`] parses when they are needed.
//!
//! Invariants: the grammar of every value is checked, including values that are never used. No input can exhaust the
//! stack: nesting is limited by `MAX_DEPTH`.
//!
//! Documents are read as Go's `encoding/json` reads them, because the tools do so. Unpaired surrogates become U+FFFD.

mod de;
mod depth;
mod error;
mod located;
mod raw;
mod reader;
mod scan;
mod tree;
mod types;
mod value;
mod verbatim;

pub use de::{from_str, read_into};
pub use depth::depth;
pub use error::{Error, ErrorKind};
pub use located::locate;
pub use raw::Raw;
pub use reader::{Members, Reader};
pub use tree::{Content, Entry, Tree};
pub use types::{Pairs, Str};
pub use value::{
    Construct, Object, Parsed, Value, Walk, parse, parse_as, parse_prefix, parse_unique, sample,
};

/// The maximum nesting of arrays and objects. Real documents stay below 100; the limit keeps recursion over values
/// within [`STACK`].
pub const MAX_DEPTH: usize = 1_000;

/// The size of the stack of threads that recurse over values, in bytes. The operating system commits only the pages
/// that are used.
pub const STACK: usize = 256 << 20;
