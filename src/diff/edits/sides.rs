//! Both sides of a change, with their unknown and sensitive parts.

use crate::diff::Error;
use crate::diff::value::{Builder, MarkedValue};
use crate::json::{Raw, Value};
use crate::model::plan::{ActionInvocation, Change};
use crate::schema::Position;

/// The values and marks of a change, unparsed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Texts<'a> {
    before: Option<Raw<'a>>,
    after: Option<Raw<'a>>,
    unknown: Option<Raw<'a>>,
    before_sensitive: Option<Raw<'a>>,
    after_sensitive: Option<Raw<'a>>,
}

impl<'a> From<&Change<'a>> for Texts<'a> {
    fn from(change: &Change<'a>) -> Self {
        Self {
            before: change.before,
            after: change.after,
            unknown: change.after_unknown,
            before_sensitive: change.before_sensitive,
            after_sensitive: change.after_sensitive,
        }
    }
}

/// The configuration of an action, as if it were added.
impl<'a> From<&ActionInvocation<'a>> for Texts<'a> {
    fn from(action: &ActionInvocation<'a>) -> Self {
        Self {
            after: action.config_values,
            unknown: action.config_unknown,
            after_sensitive: action.config_sensitive,
            ..Self::default()
        }
    }
}

impl<'a> Texts<'a> {
    /// Both values.
    fn values(self) -> [Option<&'a str>; 2] {
        [self.before, self.after].map(|raw| raw.map(Raw::text))
    }

    /// The length of both values in bytes of JSON: a measure of the work to compare them.
    pub(crate) fn size(self) -> usize {
        self.values().iter().flatten().map(|text| text.len()).sum()
    }
}

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
        texts: Texts<'w>,
        position: Position<'w>,
        build: Builder<'_, 'w>,
    ) -> Result<Self, Error> {
        let marks = |raw| Raw::marks_or_null(raw, build.arena());
        let [before, after] = texts.values();
        let unknown = marks(texts.unknown)?;
        let marks = [marks(texts.before_sensitive)?, marks(texts.after_sensitive)?];
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
