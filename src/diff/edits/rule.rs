//! Lists in IAM policies, whose order is insignificant.

use crate::diff::value::MarkedValue;

/// The role of a value in a JSON document, which determines whether its order is significant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// Anything else.
    None,
    /// An IAM policy document.
    Policy,
    /// The statements of a policy, or its only one.
    Statements,
    /// A statement.
    Statement,
    /// The principals of a statement, by type.
    Principals,
    /// A list without significant order: actions, resources, principals of one type.
    Unordered,
}

impl Rule {
    /// The role of the root of a document. An object whose statements allow or deny is an IAM policy.
    pub(super) fn from_document(document: MarkedValue<'_>) -> Self {
        let is_statement = |value: &MarkedValue<'_>| {
            let effect = value.get("Effect").and_then(MarkedValue::as_str);
            matches!(effect, Some("Allow" | "Deny"))
        };
        let Some(statements) = document.get("Statement") else { return Self::None };
        let is_policy = match statements.as_array() {
            Some(items) => !items.is_empty() && items.iter().all(is_statement),
            None => is_statement(&statements),
        };
        if is_policy { Self::Policy } else { Self::None }
    }

    /// The role of a member.
    pub(super) fn member(self, name: &str) -> Self {
        match (self, name) {
            (Self::Policy, "Statement") => Self::Statements,
            (Self::Statements | Self::Statement, "Action" | "NotAction" | "Resource" | "NotResource") => {
                Self::Unordered
            }
            (Self::Statements | Self::Statement, "Principal" | "NotPrincipal") => Self::Principals,
            (Self::Principals, _) => Self::Unordered,
            (Self::None | Self::Policy | Self::Statements | Self::Statement | Self::Unordered, _) => {
                Self::None
            }
        }
    }

    /// The role of an element.
    pub(super) fn element(self) -> Self {
        match self {
            Self::Statements => Self::Statement,
            Self::None | Self::Policy | Self::Statement | Self::Principals | Self::Unordered => Self::None,
        }
    }

    /// Whether the order of a list is insignificant.
    pub(super) fn is_unordered(self) -> bool {
        match self {
            Self::Statements | Self::Unordered => true,
            Self::None | Self::Policy | Self::Statement | Self::Principals => false,
        }
    }
}
