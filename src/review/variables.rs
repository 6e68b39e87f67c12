//! The input variables of a plan, as a review keeps them. Invariant: values are kept only
//! if the user requests them; those of sensitive or undeclared variables only if sensitive values are
//! requested as well.

use foldhash::fast::RandomState;
use serde::Serialize;

use crate::diff::value::{Builder, MarkedValue, Redactor};
use crate::json::{Error, Raw};
use crate::model::plan::Plan;

/// An input variable of the root module.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InputVariable<'a> {
    /// The name.
    pub name: &'a str,
    /// Whether it is declared sensitive, or not declared.
    #[serde(rename = "sensitive")]
    pub is_sensitive: bool,
    /// Whether its value is the declared default.
    #[serde(rename = "default")]
    pub is_default: bool,
    /// The value: with --variables, and for a sensitive one also --show-sensitive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<MarkedValue<'a>>,
}

/// The variables of a plan, sorted by name.
///
/// # Errors
/// If they do not conform to the format.
pub(super) fn read<'a>(
    plan: &Plan<'a>,
    redactor: Redactor<'a>,
    with_values: bool,
) -> Result<Vec<InputVariable<'a>>, Error> {
    let build = Builder::new(redactor.arena, redactor.arena.alloc(RandomState::default()));
    let value = |raw: Option<Raw<'a>>| build.parse(raw.map(Raw::text));
    let variables = plan.input_variables()?.into_iter().map(|variable| {
        let given = value(variable.value)?;
        let default = variable.declaration.map(|declaration| value(declaration.default)).transpose()?;
        let is_sensitive = variable.is_sensitive();
        let is_shown = with_values && (redactor.show_sensitive || !is_sensitive);
        Ok(InputVariable {
            name: redactor.text(&variable.name),
            is_sensitive,
            is_default: default == Some(given),
            value: is_shown.then_some(given),
        })
    });
    variables.collect()
}
