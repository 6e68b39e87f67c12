//! The attributes that providers compute anew because something else changes, summed up for all entries.
//!
//! ```text
//! aws_lambda_function.a    ~ version, qualified_arn     (known after apply, nobody configured them)
//! aws_lambda_function.b    ~ version                    (the same)
//!
//! (also known after apply: version, qualified_arn)      one line below all entries, the most frequent first
//! ```

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::review::entry::Entry;
use crate::review::text::few_of;
use crate::review::{Options, count, one_line};

/// The attributes that providers compute because something else changes, of all entries together.
#[derive(Default)]
pub(super) struct Computed {
    /// The attributes of objects that are changed in place, with the numbers of objects.
    names: Vec<(String, usize)>,
    /// The index of each attribute in `names`.
    positions: HashMap<String, usize>,
    /// The number of values of replaced objects.
    replaced: usize,
}

impl Computed {
    /// Adds the attributes `names` of an entry about a number of objects.
    pub(super) fn add(&mut self, entry: &Entry<'_>, names: &[String], objects: usize) {
        if entry.kind().is_replacement() {
            self.replaced += names.len() * objects;
            return;
        }
        for name in names {
            let next = self.names.len();
            let position = *self.positions.entry(name.clone()).or_insert(next);
            if position == next {
                self.names.push((name.clone(), 0));
            }
            self.names[position].1 += objects;
        }
    }

    /// Returns the note: `also known after apply: version, arn, +2; 115 values of replaced objects`. `None` if there is
    /// nothing to say.
    pub(super) fn note(mut self, options: &Options) -> Option<String> {
        self.names.sort_by_key(|(_, objects)| Reverse(*objects));
        let names: Vec<String> = self.names.into_iter().map(|(name, _)| name).collect();
        let mut words = Vec::new();
        if !names.is_empty() {
            words.push(format!(
                "also known after apply: {}",
                few_of(&names, options)
            ));
        }
        if self.replaced > 0 {
            let values = count(self.replaced, "value");
            let known = if names.is_empty() {
                " known after apply"
            } else {
                ""
            };
            words.push(format!("{values} of replaced objects{known}"));
        }
        (!words.is_empty()).then(|| one_line(&words.join("; ")))
    }
}
