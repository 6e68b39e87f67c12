//! The input variables of a plan.
//!
//! Source: the JSON output format. `variables` contains values without marks; only the declaration in
//! `configuration` tells whether a variable is sensitive. Invariant: a variable without a declaration
//! counts as sensitive.

use foldhash::{HashMap, HashMapExt as _};
use serde::Deserialize;

use crate::json::{Error, Pairs, Raw, Str};
use crate::model::plan::Plan;

/// The value of an input variable of the root module.
#[derive(Clone, Debug)]
pub(super) struct Variable<'a> {
    /// The name.
    pub(super) name: Str<'a>,
    /// The value; `None` if it is null.
    pub(super) value: Option<Raw<'a>>,
    /// Whether it is declared sensitive, or not declared.
    pub(super) is_sensitive: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Given<'a> {
    #[serde(borrow)]
    value: Option<Raw<'a>>,
}

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
    variables: Pairs<'a, Declaration>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
struct Declaration {
    sensitive: bool,
}

/// The variables of a plan, sorted by name.
///
/// # Errors
/// If they do not conform to the format.
pub(super) fn read<'a>(plan: &Plan<'a>) -> Result<Vec<Variable<'a>>, Error> {
    let Some(variables) = plan.variables else { return Ok(Vec::new()) };
    let given: Pairs<'a, Given<'a>> = variables.read()?;
    if given.is_empty() {
        return Ok(Vec::new());
    }
    // A malformed configuration declares nothing, so all values are hidden.
    let declared: Declarations<'a> = plan.configuration.and_then(|raw| raw.read().ok()).unwrap_or_default();
    let mut is_sensitive: HashMap<&str, bool> = HashMap::new();
    for (name, declaration) in declared.root_module.variables.iter() {
        is_sensitive.insert(name, declaration.sensitive);
    }
    let given = given.into_pairs().into_iter();
    let mut variables: Vec<Variable<'a>> = given
        .map(|(name, given)| {
            let is_sensitive = is_sensitive.get(&*name).copied().unwrap_or(true);
            Variable { name, value: given.value, is_sensitive }
        })
        .collect();
    variables.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(variables)
}
