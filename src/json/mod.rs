//! JSON, read in place.
//!
//! Two ways in, over one [`Reader`]: [`from_str`] fills the serde model of a document, in which
//! whatever holds provider data is left as [`Raw`] text; [`Raw::value`] builds the [`Value`] of
//! such a text on request. Nothing is skipped unchecked: the grammar of every value is
//! verified, also of those that are never used. Measured against other readers in `benches/README.md`.
//!
//! Documents are read as Go's decoder reads them, because the tools' own renderer does: `null` for
//! a member is the same as its absence, the last of several equal keys wins, lone surrogates become
//! U+FFFD.

mod count;
mod de;
mod error;
mod fields;
mod members;
mod parse;
mod path;
mod prefetch;
mod reader;
mod scan;
mod serialize;
mod skip;
mod token;
mod tree;
mod value;

pub use count::count_values;
pub use de::from_str;
pub use error::{Error, ErrorKind};
pub use fields::{Pairs, Raw, Str};
pub use members::Members;
pub use parse::{Construct, Parsed, parse, parse_as, parse_prefix};
pub use path::locate;
pub use prefetch::{LargeMember, Unchecked, from_large_str};
pub use reader::Reader;
pub use serialize::serialize_number;
pub use tree::{Content, Entry, Tree};
pub use value::{Object, Value, Walk};

/// How deep values may be nested. Real documents stay below 100; the bound keeps recursion over
/// values within a stack.
pub const MAX_DEPTH: usize = 1_000;

/// A stack, in bytes, for recursion over values of any depth that is read. Only what is used of it is ever
/// taken.
pub const STACK: usize = 256 << 20;
