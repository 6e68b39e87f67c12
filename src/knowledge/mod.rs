//! What the program knows about attributes, objects and actions: rows of data, a file for each provider in `rows/`.
//!
//! A row says what something *is*: a guard, an opening, a number that is served. Both directions of its changes, the words
//! and the level follow. `README.md` beside this file has the grammar, and the build script turns the files into one text
//! with an index, so that only the rows of the types in a plan are read.
//!
//! ```text
//! rows_of("aws_s3_bucket")    the rows of `aws.toml` and `any.toml` whose types have `aws_s3_bucket`, or a glob for it
//! ```

pub(crate) mod condition;
pub(crate) mod fragments;
pub(crate) mod grammar;
pub(crate) mod packed;
pub(crate) mod row;
#[cfg(test)]
mod tests;

pub(crate) use condition::{Condition, List, PolicyLanguage};
pub(crate) use fragments::{fragment_paths, is_for_type};
pub(crate) use row::{Event, Idea, MatchPolicy, Requirement, Row};

/// The rows as text with their index, made by the build script.
mod table {
    include!(concat!(env!("OUT_DIR"), "/rows.rs"));
}

/// The rows of one type: where its name is in [`table::NAMES`], and where their numbers are in [`table::NUMBERS`].
#[derive(Clone, Copy, Debug)]
struct TypeRows {
    /// The offset and the length of the name.
    name: (u32, u16),
    /// The offset of the first number, and how many there are.
    rows: (u32, u16),
}

impl TypeRows {
    /// Returns the name of the type, or the glob.
    fn name(&self) -> &'static str {
        let start = self.name.0 as usize;
        table::NAMES
            .get(start..start + usize::from(self.name.1))
            .unwrap_or_default()
    }

    /// Returns the numbers of the rows.
    fn numbers(&self) -> &'static [u16] {
        let start = self.rows.0 as usize;
        table::NUMBERS
            .get(start..start + usize::from(self.rows.1))
            .unwrap_or_default()
    }
}

/// Returns the built-in rows for a type, in the order of the files.
///
/// A type is looked up in a sorted table; only globs and fragments are tried one by one.
pub(crate) fn rows_of(resource_type: &str) -> Vec<Row<'static>> {
    let numbers = row_numbers(resource_type);
    numbers.into_iter().filter_map(row).collect()
}

/// Returns the numbers of the rows of [`rows_of`], in ascending order. Types with equal numbers have the same rows.
pub(crate) fn row_numbers(resource_type: &str) -> Vec<u16> {
    let exact = table::TYPES
        .binary_search_by(|of| of.name().cmp(resource_type))
        .ok()
        .and_then(|index| table::TYPES.get(index));
    let globs = table::GLOBS
        .iter()
        .filter(|of| is_for_type(List(of.name()), resource_type));
    let all = exact.into_iter().chain(globs);
    let mut numbers: Vec<u16> = all.flat_map(TypeRows::numbers).copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Returns all built-in rows, in the order of the files.
#[cfg(test)]
pub(crate) fn rows() -> impl Iterator<Item = Row<'static>> {
    let count = u16::try_from(table::ROWS.len()).unwrap_or(u16::MAX);
    (0..count).filter_map(row)
}

/// Returns the row with this number.
fn row(number: u16) -> Option<Row<'static>> {
    let number = usize::from(number);
    let start = *table::ROWS.get(number)? as usize;
    let end = table::ROWS.get(number + 1).map(|end| *end as usize);
    Row::read(table::TEXT.get(start..end.unwrap_or(table::TEXT.len()))?)
}
