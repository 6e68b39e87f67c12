//! Both sides of a change, with their unknown and sensitive parts.

use crate::diff::Error;
use crate::diff::value::{Builder, MarkedValue};
use crate::json::{Raw, Value};
use crate::model::plan::Change;
use crate::schema::Position;

/// Both sides of a change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sides<'w> {
    pub(crate) before: MarkedValue<'w>,
    pub(crate) after: MarkedValue<'w>,
    /// The schema of both.
    pub(crate) position: Position<'w>,
    /// The marks of both, as in the plan.
    pub(crate) marks: [Value<'w>; 2],
}

impl<'w> Sides<'w> {
    /// Parses both sides.
    ///
    /// # Errors
    /// If a value is malformed.
    pub(crate) fn read(
        change: &Change<'w>,
        position: Position<'w>,
        build: Builder<'_, 'w>,
    ) -> Result<Self, Error> {
        let marks = |raw| Raw::marks_or_null(raw, build.arena());
        let [before, after] = change.values();
        let unknown = marks(change.after_unknown)?;
        let marks = [marks(change.before_sensitive)?, marks(change.after_sensitive)?];
        Ok(Self {
            before: build.build(before, Value::Null, marks[0], position)?,
            after: build.build(after, unknown, marks[1], position)?,
            position,
            marks,
        })
    }

    /// Both sides, each with every part hidden that the other one hides.
    pub(crate) fn hiding_each_other(self, build: Builder<'_, 'w>) -> Self {
        Self {
            before: build.hiding_beside(self.before, self.after),
            after: build.hiding_beside(self.after, self.before),
            ..self
        }
    }
}
