//! What models say of a place, with what a text about it needs.

use crate::diff::value::MarkedValue;
use crate::direction::Directions;
use crate::meaning::Judgement;

/// How grave a change is among those of its direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gravity {
    /// It has a direction, and is nothing to weigh: another remark says it, or nobody from outside comes nearer.
    Untold,
    /// One step of a scale.
    Small,
    #[default]
    Usual,
    /// Everybody, everything, all at once.
    Total,
}

/// What a model says of a place of an object.
#[derive(Clone, Debug)]
pub(crate) struct Remark<'w> {
    /// The place, and what its change is.
    pub(crate) judgement: Judgement<'w>,
    /// The value before; `None` if there is none.
    pub(crate) before: Option<MarkedValue<'w>>,
    /// The value after; `None` if there is none.
    pub(crate) after: Option<MarkedValue<'w>>,
    /// What changes in words, where the two values do not say it: `+ secrets: get list`.
    pub(crate) words: Option<String>,
    /// How grave it is among others of its direction.
    pub(crate) gravity: Gravity,
}

impl Remark<'_> {
    /// Returns everything that the change of the place is at once.
    pub(crate) fn directions(&self) -> Directions {
        self.judgement.directions
    }
}
