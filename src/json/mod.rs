//! JSON, read in place.
//!
//! There are two entry points, both built on [`Reader`]. [`from_str`] deserializes a document into a
//! serde model, in which provider data is kept as [`Raw`] text. [`Raw::value`] parses such a text into
//! a [`Value`] when it is needed. The grammar of every value is checked, including the values that are
//! never used. `benches/README.md` compares the speed with other readers.
//!
//! Documents are read as Go's `encoding/json` reads them, because upstream's renderer does: a member
//! that is `null` counts as absent, the last of several equal keys wins, and lone surrogates become
//! U+FFFD.

mod de;
mod error;
mod fields;
mod members;
mod parse;
mod path;
mod reader;
mod scan;
mod skip;
mod token;
mod tree;
mod value;

pub use de::{from_str, read_into};
pub use error::{Error, ErrorKind};
pub use fields::{Pairs, Raw, Str};
pub use members::Members;
pub use parse::{Construct, Parsed, parse, parse_as, parse_prefix, sample};
pub use path::locate;
pub use reader::Reader;
pub use tree::{Content, Entry, Tree};
pub use value::{Object, Value, Walk, serialize_number};

/// The maximum nesting depth of values. Real documents stay below 100; the limit keeps recursion over
/// values within [`STACK`].
pub const MAX_DEPTH: usize = 1_000;

/// The stack size, in bytes, of threads that recurse over values up to [`MAX_DEPTH`]. The operating
/// system commits only the pages that are used.
pub const STACK: usize = 256 << 20;
