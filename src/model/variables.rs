//! The input variables of a plan.
//!
//! Source: the JSON output format. `variables` contains values without marks; only the declarations in
//! `configuration` tell whether a variable is sensitive, and its default. Invariant: a variable without a
//! declaration counts as sensitive.

use foldhash::HashMap;
use serde::Deserialize;

use super::plan::Plan;
use crate::json::{Error, Pairs, Raw, Str};

/// The value of an input variable of the root module.
#[derive(Clone, Debug)]
pub struct Variable<'a> {
    /// The name.
    pub name: Str<'a>,
    /// The value; `None` if it is null.
    pub value: Option<Raw<'a>>,
    /// The declaration, if there is one.
    pub declaration: Option<Declaration<'a>>,
}

impl Variable<'_> {
    /// Whether it is declared sensitive or ephemeral, or not declared.
    pub fn is_sensitive(&self) -> bool {
        self.declaration.is_none_or(|declaration| declaration.sensitive || declaration.ephemeral)
    }
}

/// The declaration of a variable.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Declaration<'a> {
    /// Whether the value is sensitive.
    pub sensitive: bool,
    /// Whether the value is ephemeral, and must not be stored anywhere.
    pub ephemeral: bool,
    /// The default; `None` if it is null or absent.
    #[serde(borrow)]
    pub default: Option<Raw<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Given<'a> {
    #[serde(borrow)]
    value: Option<Raw<'a>>,
}

/// The parts of the configuration that are read. It may be large, and is read for every plan with variables.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Declarations<'a> {
    #[serde(borrow)]
    root_module: RootModule<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RootModule<'a> {
    #[serde(borrow)]
    variables: Pairs<'a, Declaration<'a>>,
}

impl<'a> Plan<'a> {
    /// The input variables, sorted by name.
    ///
    /// # Errors
    /// If they do not conform to the format.
    pub fn input_variables(&self) -> Result<Vec<Variable<'a>>, Error> {
        let Some(variables) = self.variables else { return Ok(Vec::new()) };
        let given: Pairs<'a, Given<'a>> = variables.read()?;
        if given.is_empty() {
            return Ok(Vec::new());
        }
        // A malformed configuration declares nothing, so all values are hidden.
        let declared: Declarations<'a> =
            self.configuration.and_then(|raw| raw.read().ok()).unwrap_or_default();
        let declared: HashMap<Str<'a>, Declaration<'a>> =
            declared.root_module.variables.into_pairs().into_iter().collect();
        let given = given.into_pairs().into_iter();
        let mut variables: Vec<Variable<'a>> = given
            .map(|(name, given)| {
                let declaration = declared.get(&name).copied();
                Variable { name, value: given.value, declaration }
            })
            .collect();
        crate::sort::by(&mut variables, |one, other| one.name.cmp(&other.name));
        Ok(variables)
    }
}
