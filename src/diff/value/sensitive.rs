//! Sensitive parts of a value according to its schema, in addition to the marks of the plan.

use super::Content;
use crate::schema::Position;

/// The sensitive parts of a value according to its schema.
pub trait SensitiveShape: Copy {
    /// The shape of a member.
    fn member(self, name: &str) -> Self;
    /// The shape of an element.
    fn element(self, index: usize) -> Self;
    /// Whether the whole value is sensitive: because the schema declares it so, or because it declares parts
    /// sensitive that cannot be found, as the value does not match its schema.
    fn hides(self, content: Content<'_>) -> bool;
}

impl SensitiveShape for Position<'_> {
    fn member(self, name: &str) -> Self {
        self.member(name)
    }
    fn element(self, index: usize) -> Self {
        self.element(index)
    }
    fn hides(self, content: Content<'_>) -> bool {
        if self.is_sensitive() {
            return true;
        }
        let is_misfit = match content {
            Content::Null | Content::Unknown | Content::Redacted | Content::Array(_) => false,
            Content::Bool(_) | Content::Number(_) | Content::String(_) => true,
            Content::Object(members) => {
                !members.is_empty() && members.iter().all(|(name, _)| self.member(name).is_missing())
            }
        };
        is_misfit && self.holds_secrets()
    }
}
