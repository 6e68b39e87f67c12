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
mod located;
mod reader;
mod scan;
mod value;

pub use de::{Pairs, Raw, Str, from_str, read_into};
pub use located::{Content, Entry, Error, ErrorKind, Tree, locate};
pub use reader::{Members, Reader};
pub use value::{Construct, Object, Parsed, Value, Walk, parse, parse_as, parse_prefix, sample};

/// The maximum nesting depth of values. Real documents stay below 100; the limit keeps recursion over
/// values within [`STACK`].
pub const MAX_DEPTH: usize = 1_000;

/// The stack size, in bytes, of threads that recurse over values up to [`MAX_DEPTH`]. The operating
/// system commits only the pages that are used.
pub const STACK: usize = 256 << 20;
