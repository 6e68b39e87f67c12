//! The place of two values in a resource, output or document.

use bumpalo::Bump;

use super::rule::Rule;
use crate::diff::Paths;
use crate::schema::Position;

/// The schema and rules that apply to the place of two values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'w> {
    pub(super) position: Position<'w>,
    pub(super) rule: Rule,
    pub(super) replace: Paths<'w>,
    /// A path that forces replacement ends at a parent.
    pub(super) is_replaced: bool,
    /// The schema belongs to the version of the provider that made the plan, so that an attribute missing in
    /// it is worth a label.
    is_exact: bool,
    /// Whether the place or one of its parents is not in the schema.
    pub(super) is_missing: bool,
}

impl<'w> Place<'w> {
    /// The root of a resource or output.
    pub(crate) fn root(position: Position<'w>, replace: Paths<'w>) -> Self {
        let is_exact = matches!(position, Position::Block(_));
        Self { position, rule: Rule::None, replace, is_replaced: false, is_exact, is_missing: false }
    }

    /// The root of a document in a string.
    pub(super) fn document(rule: Rule) -> Self {
        Self { rule, ..Self::root(Position::Unspecified, Paths::Never) }
    }

    pub(super) fn member(self, name: &str, arena: &'w Bump) -> Self {
        self.child(self.position.member(name), self.rule.member(name), self.replace.key(name, arena))
    }

    pub(super) fn element(self, index: usize, arena: &'w Bump) -> Self {
        self.child(self.position.element(index), self.rule.element(), self.replace.index(index, arena))
    }

    fn child(self, position: Position<'w>, rule: Rule, replace: Paths<'w>) -> Self {
        Self {
            position,
            rule,
            replace,
            is_replaced: self.is_replaced || self.replace.matches(),
            is_exact: self.is_exact,
            is_missing: self.is_missing || (self.is_exact && position.is_missing()),
        }
    }
}
