//! JSON, read in place.
//!
//! [`from_str`] deserializes a document into a serde model with provider data as [`Raw`] text, which [`Raw::value`]
//! parses when it is needed. The grammar of every value is checked, including the values that are never used.
//!
//! Documents are read as Go's `encoding/json` reads them, because upstream's renderer does. Lone surrogates become
//! U+FFFD.

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

/// Real documents stay below 100; the limit keeps recursion over values within [`STACK`].
pub const MAX_DEPTH: usize = 1_000;

/// In bytes, of threads that recurse over values. The operating system commits only the pages that are used.
pub const STACK: usize = 256 << 20;
