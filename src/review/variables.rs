//! The input variables of a plan.
//!
//! Source: the JSON output format. `variables` contains values without marks; the declaration in
//! `configuration` tells whether a variable is sensitive, and its default. Invariant: values are kept only
//! if the user requests them; those of sensitive or undeclared variables only if sensitive values are
//! requested as well.

use foldhash::HashMap;
use foldhash::fast::RandomState;
use serde::Deserialize;

use crate::diff::value::{Builder, Keeper, MarkedValue};
use crate::json::{Error, Pairs, Raw, Str, Value};
use crate::model::plan::Plan;
use crate::schema::Position;

/// An input variable of the root module.
#[derive(Clone, Copy, Debug)]
pub struct InputVariable<'a> {
    /// The name.
    pub name: &'a str,
    /// Whether it is declared sensitive, or not declared.
    pub is_sensitive: bool,
    /// Whether its value is the declared default.
    pub is_default: bool,
    /// The value, if it is kept.
    pub value: Option<MarkedValue<'a>>,
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

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
struct Declaration<'a> {
    sensitive: bool,
    /// `None` if it is null or absent.
    #[serde(borrow)]
    default: Option<Raw<'a>>,
}

/// The variables of a plan, sorted by name.
///
/// # Errors
/// If they do not conform to the format.
pub(super) fn read<'a>(
    plan: &Plan<'a>,
    keep: Keeper<'a>,
    with_values: bool,
) -> Result<Vec<InputVariable<'a>>, Error> {
    let Some(variables) = plan.variables else { return Ok(Vec::new()) };
    let given: Pairs<'a, Given<'a>> = variables.read()?;
    if given.is_empty() {
        return Ok(Vec::new());
    }
    // A malformed configuration declares nothing, so all values are hidden.
    let declared: Declarations<'a> = plan.configuration.and_then(|raw| raw.read().ok()).unwrap_or_default();
    let declared: HashMap<Str<'a>, Declaration<'a>> =
        declared.root_module.variables.into_pairs().into_iter().collect();
    let mut variables = Vec::with_capacity(given.len());
    let build = Builder::new(keep.arena, keep.arena.alloc(RandomState::default()));
    let marked = |value| build.build(value, Value::Null, Value::Null, Position::Unspecified);
    let value = |raw: Option<Raw<'a>>| raw.map_or(Ok(Value::Null), |raw| raw.value(keep.arena));
    for (name, given) in given.into_pairs() {
        let declared = declared.get(&name).copied();
        let is_sensitive = declared.is_none_or(|declared| declared.sensitive);
        let given = value(given.value)?;
        let default = declared.map(|declared| value(declared.default)).transpose()?;
        let is_shown = with_values && (keep.show_sensitive || !is_sensitive);
        variables.push(InputVariable {
            name: keep.text(&name),
            is_sensitive,
            is_default: default == Some(given),
            value: is_shown.then(|| marked(given)),
        });
    }
    variables.sort_by_key(|variable| variable.name);
    Ok(variables)
}
