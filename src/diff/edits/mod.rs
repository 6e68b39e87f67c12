//! Edits: the changes of values, one for each changed place, for a review and for the comparison of plans.
//!
//! The tree (`tree`) has all parts of both values, paired as upstream pairs them, because `show` must print
//! the tools' text. Edits have the changed parts only, with elements paired by identity
//! ([`pairing`](super::pairing)) and the documents in strings compared too ([`embedded`](super::embedded)),
//! because a reviewer must see what really changes.
//!
//! Three laws hold for the edits of every change (`docs/review.md`). They are *true*: an edit has the values
//! that the plan has at its path. They are *complete*: applying all edits to `before` gives `after`. They are
//! *minimal*: an edit has equal sides only if an element moved, and no edit could be replaced by edits deeper
//! inside. Nothing is compared below a value that is sensitive as a whole, and sensitive values are kept only
//! if the user asks for them.

mod comparer;
mod edit;
mod elements;
mod inside;
mod labels;
mod place;
mod plan;
mod positions;
mod rule;
mod sides;
mod visible;
mod walk;

pub(crate) use comparer::{Comparer, Settings};
pub(crate) use edit::edits_with_texts;
pub use edit::{Edit, Element, ElementKey, Format, Inside, Label, Labels, Note, Path, Step};
pub(crate) use place::Place;
pub(crate) use plan::{PlanPart, ValueEdits, parts, plan};
pub(crate) use positions::Positions;
pub(crate) use sides::Sides;
pub(crate) use visible::visible_paths;
