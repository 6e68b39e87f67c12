//! Defines one of the two plans that are compared.

use super::Origin;
use crate::dialect::Tool;
use crate::model::plan::Plan;
use crate::schema::Schemas;

/// A plan that is compared, with its text and its schemas.
#[derive(Clone, Copy, Debug)]
pub struct Side<'p, 'a> {
    /// The name of the file, for messages.
    pub name: &'p str,
    /// The text that the plan was read from.
    pub text: &'a str,
    /// The plan.
    pub plan: &'p Plan<'a>,
    /// The schemas for its values.
    pub schemas: &'p Schemas<'a>,
}

impl Side<'_, '_> {
    /// Returns the origin of the plan, for texts and documents.
    pub(super) fn origin(&self) -> Origin {
        Origin {
            name: self.name.to_owned(),
            tool: Tool::from_plan(self.plan),
            tool_version: self.plan.terraform_version.to_string(),
            timestamp: self.plan.timestamp.to_string(),
        }
    }
}
