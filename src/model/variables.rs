//! The input variables of a plan, with their values and their declarations.
//!
//! Invariant: a variable whose declaration is not available counts as sensitive.

use serde::Deserialize;

use super::configuration::Declaration;
use super::plan::Plan;
use crate::json::{Error, Pairs, Raw, Str};

/// An input variable of the root module.
#[derive(Clone, Debug)]
pub struct Variable<'a> {
    /// The name.
    pub name: Str<'a>,
    /// The value with which the plan was made.
    pub value: Option<Raw<'a>>,
    /// The declaration in the configuration; `None` if it is not available.
    pub declaration: Option<Declaration<'a>>,
}

impl Variable<'_> {
    /// Whether the value must be hidden, which is also so if the declaration is not available.
    pub fn is_sensitive(&self) -> bool {
        self.declaration
            .is_none_or(|declaration| declaration.sensitive || declaration.ephemeral)
    }
}

impl<'a> Plan<'a> {
    /// Returns the input variables of the root module.
    ///
    /// # Errors
    /// Returns an error if they are malformed.
    pub fn input_variables(&self) -> Result<Vec<Variable<'a>>, Error> {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Given<'a> {
            #[serde(borrow)]
            value: Option<Raw<'a>>,
        }
        let Some(variables) = self.variables else {
            return Ok(Vec::new());
        };
        let configuration = self.configuration();
        let given: Pairs<'a, Given<'a>> = variables.read()?;
        let variable = |(name, Given { value }): (Str<'a>, _)| {
            // A malformed configuration contains no declarations, so all values are hidden.
            let declaration = configuration.variables.get(&*name).copied();
            Variable {
                name,
                value,
                declaration,
            }
        };
        Ok(given.0.into_iter().map(variable).collect())
    }
}
