//! The input variables of a plan: what they were given, and how the configuration declares them.
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
    /// The value that the plan was made with.
    pub value: Option<Raw<'a>>,
    /// How the configuration declares it; `None` if the declaration is not available.
    pub declaration: Option<Declaration<'a>>,
}

impl Variable<'_> {
    /// Returns whether the value must be hidden, which is also the case if the declaration is not available.
    pub fn is_sensitive(&self) -> bool {
        self.declaration
            .is_none_or(|declaration| declaration.sensitive || declaration.ephemeral)
    }
}

impl<'a> Plan<'a> {
    /// Returns the input variables of the root module. Fails if they are malformed.
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
            // A malformed configuration declares nothing, so all values are hidden.
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
