//! Remarks about the comparison of a document, which are collected while its changes are compared in parallel.
//!
//! ```text
//! one thread     aws_instance has `new_option`, which is not in the schema
//! another one    acme_thing has an inferred layout
//!
//! at the end     {"aws_instance.new_option"}, {"acme_thing"}
//! ```

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use bumpalo::Bump;

use super::{Cursor, Mark};
use crate::json::Value;
use crate::schema::{Block, Nesting};

/// The remarks of all threads that compare parts of one document.
#[derive(Debug, Default)]
pub struct Notes {
    /// The attributes that the given schema lacks, as `TYPE.ATTRIBUTE`. The schema is then from another version of the
    /// provider.
    not_in_schema: Mutex<BTreeSet<String>>,
    /// The types whose layout is a guess, so that their text may differ from the tool's.
    inferred: Mutex<BTreeSet<String>>,
    /// Whether an alignment reached its limit of steps.
    is_approximate: AtomicBool,
}

impl Notes {
    /// Records the members of a change for which `block`, a given schema, has no attribute or block. `kind` is the type
    /// that they are named with.
    pub(super) fn search<'a>(
        &self,
        kind: &str,
        cursor: &Cursor<'a>,
        block: Block<'_>,
        arena: &'a Bump,
    ) {
        let mut missing = BTreeSet::new();
        let values = cursor.inferable();
        let is_unmarked = |mark: Value<'_>| is_empty(mark) || mark == Value::Bool(false);
        // A mark on one side hides the value on both sides.
        let marks = [cursor.before.mark, cursor.after.mark];
        let mut search = Search {
            kind,
            is_nothing: &is_empty,
            arena,
            missing: &mut missing,
        };
        search.visit(values.before, marks, block);
        search.visit(values.after, marks, block);
        search.is_nothing = &is_unmarked;
        search.visit(values.unknown, marks, block);
        if !missing.is_empty() {
            self.not_in_schema
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .append(&mut missing);
        }
    }

    /// Returns the attributes that the given schema lacks, as `TYPE.ATTRIBUTE`, sorted.
    pub fn not_in_schema(&self) -> Vec<String> {
        self.not_in_schema
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .cloned()
            .collect()
    }

    /// Records that the layout of a type was inferred, if `is_guess`.
    pub(super) fn add_inferred(&self, kind: &str, is_guess: bool) {
        if !is_guess {
            return;
        }
        let mut inferred = self.inferred.lock().unwrap_or_else(PoisonError::into_inner);
        if !inferred.contains(kind) {
            inferred.insert(kind.to_owned());
        }
    }

    /// Returns the types whose layout is a guess, sorted.
    pub fn inferred(&self) -> Vec<String> {
        let inferred = self.inferred.lock().unwrap_or_else(PoisonError::into_inner);
        inferred.iter().cloned().collect()
    }

    /// Records that a comparison reached its limit of steps, if `is_approximate`.
    pub fn add_approximate(&self, is_approximate: bool) {
        self.is_approximate
            .fetch_or(is_approximate, Ordering::Relaxed);
    }

    /// Whether any comparison reached its limit of steps.
    pub fn are_approximate(&self) -> bool {
        self.is_approximate.load(Ordering::Relaxed)
    }
}

/// A search for members that a schema lacks.
///
/// Empty members are ignored, because nothing is lost without them. Members below a sensitive value are not named,
/// because keys may be sensitive.
struct Search<'f, 'a> {
    /// The type, which is written before the name of a member.
    kind: &'f str,
    /// The arena for marks that are fitted to the values.
    arena: &'a Bump,
    /// Whether a value is empty, so that nothing is lost without it.
    is_nothing: &'f dyn Fn(Value<'_>) -> bool,
    /// The members that the schema lacks, as `TYPE.ATTRIBUTE`.
    missing: &'f mut BTreeSet<String>,
}

impl<'a> Search<'_, 'a> {
    /// Adds the members that `block` lacks, of `value` and of the blocks in it.
    fn visit(&mut self, value: Value<'a>, marks: [Mark<'a>; 2], block: Block<'_>) {
        if marks.iter().any(|mark| mark.covers(value)) {
            return;
        }
        let marks = marks.map(|mark| mark.fitted(value, self.arena));
        for (index, item) in value.as_array().unwrap_or_default().iter().enumerate() {
            self.visit(*item, marks.map(|mark| mark.index(index)), block);
        }
        for (key, member) in value.as_object().unwrap_or_default().members() {
            if block
                .attributes
                .binary_search_by_key(key, |(name, _)| name)
                .is_ok()
            {
                continue;
            }
            match block.blocks.binary_search_by_key(key, |(name, _)| name) {
                // The keys of a map of blocks come from the document, not from the schema.
                Ok(index) if block.blocks[index].1.nesting == Nesting::Map => {}
                Ok(index) => self.visit(
                    *member,
                    marks.map(|mark| mark.key(key)),
                    block.blocks[index].1.block,
                ),
                Err(_) if (self.is_nothing)(*member) => {}
                Err(_) => {
                    self.missing.insert(format!("{}.{key}", self.kind));
                }
            }
        }
    }
}

fn is_empty(value: Value<'_>) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(object) => object.members().is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}
