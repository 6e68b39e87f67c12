//! The input variables that a plan was made with.
//!
//! Source: the JSON output format. `variables` holds the values and no marks: only the declaration in `configuration`
//! says that a variable is sensitive, and what its default is. Invariant: a value is kept only if the user asks for
//! it, and that of a sensitive variable, or of one without a declaration, only if they ask for sensitive values too.

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
    /// Its name.
    pub name: &'a str,
    /// Its declaration says that it is sensitive, or there is none.
    pub is_sensitive: bool,
    /// Its value is the default of its declaration.
    pub is_default: bool,
    /// Its value, if it is kept.
    pub value: Option<MarkedValue<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Given<'a> {
    #[serde(borrow)]
    value: Option<Raw<'a>>,
}

/// What is read of the configuration: a plan's may be large, and this is read of every plan that has variables.
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
    /// None if it is null, or if there is none.
    #[serde(borrow)]
    default: Option<Raw<'a>>,
}

/// The variables of a plan, sorted by name.
///
/// # Errors
/// They are not of the format's shape.
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
    // A configuration that cannot be read declares nothing, so that all values are hidden.
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
