//! What the configuration says of one object, for rules about attributes that nobody configured.
//!
//! Invariant: only the block of the object itself is asked, in its own module. What other objects have in their
//! configuration decides nothing here. What cannot be found there is not configured, so that a gate stays closed.
//!
//! ```text
//! aws_eks_cluster.a     vpc_config { subnet_ids = […] }                          public_access_cidrs is not configured
//! aws_eks_cluster.b     vpc_config { public_access_cidrs = var.office, … }       it is, of this one alone
//! ```

use std::sync::OnceLock;

use bumpalo::Bump;

use crate::json::{Raw, Value};
use crate::model::configuration::Configuration;
use crate::model::plan::ResourceChange;

/// The configuration of a plan, which is read when it is asked for the first time.
pub(super) struct PlanConfiguration<'a> {
    /// The text; `None` for a plan without a configuration.
    raw: Option<Raw<'a>>,
    /// What was read of it.
    read: OnceLock<Configuration<'a>>,
}

impl<'a> PlanConfiguration<'a> {
    pub(super) fn new(raw: Option<Raw<'a>>) -> Self {
        Self {
            raw,
            read: OnceLock::new(),
        }
    }

    /// Returns the arguments of the block of an object, read into an arena; `None` if the configuration does not have it.
    pub(super) fn arguments(
        &self,
        change: &ResourceChange<'_>,
        arena: &'a Bump,
    ) -> Option<Value<'a>> {
        let raw = self.raw?;
        let configuration = self.read.get_or_init(|| raw.read().unwrap_or_default());
        let module = configuration.module(&change.module_address)?;
        let mode = match &*change.mode {
            "" => "managed",
            mode => mode,
        };
        let arguments =
            configuration.resource(module, mode, &change.resource_type, &change.name)?;
        arguments.value(arena).ok()
    }
}

/// Whether the arguments of a block have a value at a path of names. An expression on the way that refers to other
/// objects may have it, and counts.
pub(super) fn has(arguments: Value<'_>, path: &[&str]) -> bool {
    let Some((name, rest)) = path.split_first() else {
        return true;
    };
    match arguments {
        Value::Array(blocks) => blocks.iter().any(|block| has(*block, path)),
        Value::Object(_) => match arguments.get(name) {
            Some(member) => has(member, rest),
            None => arguments.get("references").is_some(),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::has;
    use crate::json;

    #[test]
    fn only_what_the_block_has_at_the_path_is_configured() {
        let arena = Bump::new();
        let block = r#"{"name": {"constant_value": "a"}, "b": [{"c": {"references": ["var.c"]}}], "d": {"references": ["local.d"]}}"#;
        let block = json::parse(block, &arena).unwrap();
        for (path, expected) in [
            (&["name"][..], true),
            (&["b", "c"], true),
            (&["c"], false),
            (&["b", "name"], false),
            (&["d", "e"], true),
            (&["name", "e"], false),
        ] {
            assert_eq!(has(block, path), expected, "{path:?}");
        }
    }
}
