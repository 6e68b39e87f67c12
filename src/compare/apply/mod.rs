//! Compares what decides an apply besides the changes themselves: the provisioners of the objects that it creates,
//! replaces or destroys, the provider configuration that each object uses, the arguments of these configurations, and
//! the expressions from which values that are known after apply come.
//!
//! ```text
//! effects       aws_instance.web is created
//! parts         provisioners of aws_instance.web      hash of their arguments and of what these refer to
//!               provider of aws_instance.web          aws.east
//!               provider aws.east                     hash of its arguments
//! difference    provisioners of aws_instance.web: not those of the approved plan
//! ```
//!
//! Invariant: the constants in the `configuration` of a plan are never shown, because it has no marks for what is
//! sensitive. In a hash that is shown, constants are left out if the provider's schema calls them sensitive, or if
//! their name suggests that they are.

mod differences;
mod effects;
mod expressions;
mod objects;
mod parts;

use bumpalo::Bump;

use expressions::Hashed;

use crate::diff::Error;
use crate::model::plan::Plan;

pub(super) use differences::differences;
pub(super) use expressions::may_be_secret;
pub(super) use parts::parts;

/// Whether the apply of a plan does nothing that is compared.
///
/// # Errors
/// If the marks of a value are malformed.
pub(super) fn does_nothing(plan: &Plan<'_>) -> Result<bool, Error> {
    let marks = Bump::new();
    Ok(effects::Applied::new(plan, &marks)?.is_nothing())
}

/// The key of something in the configuration that decides what an apply does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    pub(super) kind: PartKind,
    /// The key of the provider configuration, the address of the resource or action without instance keys, or the name
    /// of the output.
    pub(super) address: String,
}

/// The kind of a part that decides an apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PartKind {
    /// The arguments of a provider configuration.
    Provider,
    /// The provider configuration that the objects of a resource use.
    ProviderOfResource,
    /// The provisioners that run for the objects of a resource.
    Provisioners,
    /// The arguments of a resource whose values the plan does not show: those that are known after apply, and write-only
    /// ones.
    UnknownArguments,
    /// The arguments of an action whose values are known after apply.
    UnknownConfiguration,
    /// The arguments of an ephemeral resource, which an apply opens.
    Ephemeral,
    /// The expression of an output whose value is known after apply.
    UnknownOutput,
}

impl PartKind {
    /// Returns the name under which the part is hashed. A change of it changes fingerprints.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Provider => "provider",
            Self::ProviderOfResource => "provider of resource",
            Self::Provisioners => "provisioners",
            Self::UnknownArguments => "unknown arguments",
            Self::UnknownConfiguration => "unknown configuration",
            Self::Ephemeral => "ephemeral",
            Self::UnknownOutput => "unknown output",
        }
    }
}

/// The content of a part, as far as the plan has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) hashed: Hashed,
    /// The keys of the provider configurations, which may be shown; only for [`PartKind::ProviderOfResource`].
    keys: String,
}

impl Content {
    fn new(hashed: Hashed) -> Self {
        Self {
            hashed,
            keys: String::new(),
        }
    }
}
