//! Answers every question to which the tools and their releases have different answers, and finds out which tool wrote
//! a document.
//!
//! Invariant: renderers and the differ never compare tools or versions. They call a method of [`Dialect`] that is named
//! after the behaviour that differs, so that adding a release changes only this module. `plan` has the words and the
//! layout of plans and diagnostics, `runs` those of runs, and this file has everything else.

mod plan;
mod runs;

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use crate::json::{Members, Pairs, Raw, Str};
use crate::model::plan::{Plan, PriorState};
use crate::model::state::{State, StateDocument};

pub use plan::{KeptLegend, LEFT_OVER, Symbol};
pub use runs::ElapsedForm;

/// The tool that wrote a document or a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, EnumString, IntoStaticStr, Serialize)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Tool {
    /// HashiCorp Terraform.
    #[default]
    Terraform,
    /// OpenTofu.
    OpenTofu,
}

impl Tool {
    /// Returns the host of the tool's public registry, which addresses of providers begin with.
    pub(crate) fn registry(self) -> &'static str {
        match self {
            Self::Terraform => "registry.terraform.io",
            Self::OpenTofu => "registry.opentofu.org",
        }
    }

    /// Returns the tool whose registry is the host of a provider's source address.
    fn from_provider(provider_name: &str) -> Option<Self> {
        match provider_name.split('/').next() {
            Some("registry.opentofu.org") => Some(Self::OpenTofu),
            Some("registry.terraform.io") => Some(Self::Terraform),
            _ => None,
        }
    }

    /// Returns the name in options and in JSON: `terraform` or `opentofu`.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the tool with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        name.parse().ok()
    }

    /// Returns the name of the program.
    pub fn command(self) -> &'static str {
        match self {
            Self::Terraform => "terraform",
            Self::OpenTofu => "tofu",
        }
    }

    /// Returns the name in sentences.
    pub fn product(self) -> &'static str {
        match self {
            Self::Terraform => "Terraform",
            Self::OpenTofu => "OpenTofu",
        }
    }

    /// Returns the name in sentences of the tool that wrote a document; of both if the document does not tell, because it
    /// has built-in providers alone.
    pub(crate) fn product_of(tool: Option<Self>) -> &'static str {
        tool.map_or("Terraform or OpenTofu", Self::product)
    }

    /// Returns the tool of the first provider that is from the registry of either tool.
    pub(crate) fn from_providers<'p>(mut providers: impl Iterator<Item = &'p str>) -> Option<Self> {
        providers.find_map(Self::from_provider)
    }
}

/// A tool in one of its releases. It answers questions about what that release prints; nothing else compares tools or
/// versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The tool.
    pub tool: Tool,
    /// The release of the tool.
    pub release: Release,
}

impl Default for Dialect {
    fn default() -> Self {
        Self::TERRAFORM
    }
}

impl Dialect {
    /// The newest known release of Terraform.
    pub const TERRAFORM: Self = Self {
        tool: Tool::Terraform,
        release: Release::NEWEST,
    };
    /// The newest known release of OpenTofu.
    pub const OPENTOFU: Self = Self {
        tool: Tool::OpenTofu,
        release: Release::NEWEST,
    };

    /// Returns the newest release of the same tool.
    pub fn newest(self) -> Self {
        Self {
            release: Release::NEWEST,
            ..self
        }
    }

    /// Returns the name of the tool in sentences.
    pub fn product(self) -> &'static str {
        self.tool.product()
    }

    /// Returns the name of the tool's program.
    pub fn command(self) -> &'static str {
        self.tool.command()
    }

    /// Whether the release is this one or a later one. A document without a version counts as being of the newest
    /// release.
    pub(crate) fn is_since(self, major: u16, minor: u16) -> bool {
        self.release >= Release::new(major, minor)
    }

    /// Returns how elements of lists are paired, before and after the change.
    pub fn list_pairing(self) -> ListPairing {
        match self.tool {
            Tool::Terraform if self.is_since(1, 8) => ListPairing::ByIndexFirst,
            Tool::OpenTofu if self.is_since(1, 11) => ListPairing::ByCommonSubsequenceAndLine,
            Tool::Terraform | Tool::OpenTofu => ListPairing::ByCommonSubsequence,
        }
    }

    /// Whether empty strings count as null in all attributes of type string, unless the schema uses a feature that the
    /// legacy SDK does not have. Otherwise, they only do so in attributes directly in a block.
    pub fn nulls_empty_strings_by_schema(self) -> bool {
        self.tool == Tool::Terraform && self.is_since(1, 8)
    }

    /// Whether numbers are read as binary fractions, in the document and in JSON strings, so that digits may be lost.
    pub fn reads_numbers_as_floats(self) -> bool {
        !self.is_since(1, 7)
    }

    /// Whether a string counts as JSON even if more text follows its first JSON value.
    pub fn json_may_have_trailing_text(self) -> bool {
        match self.tool {
            Tool::Terraform => self.is_since(1, 7) && !self.is_since(1, 8),
            Tool::OpenTofu => self.is_since(1, 7),
        }
    }

    /// Returns how nested blocks that are known only after apply are shown.
    pub fn unknown_blocks(self) -> UnknownBlocks {
        match self.tool {
            Tool::Terraform if self.is_since(1, 9) => UnknownBlocks::WithDeleted,
            Tool::OpenTofu if self.is_since(1, 13) => UnknownBlocks::AsOwnAttributes,
            Tool::OpenTofu if self.is_since(1, 9) => UnknownBlocks::AsParentAttributes,
            Tool::Terraform | Tool::OpenTofu => UnknownBlocks::NotShown,
        }
    }

    /// Whether `# forces replacement` also follows the old value of an attribute that is known after apply.
    pub fn repeats_replacement_of_unknown(self) -> bool {
        self.tool == Tool::OpenTofu || !self.is_since(1, 9)
    }

    /// Whether the tool knows write-only attributes. Earlier releases treat them as attributes that are always null.
    pub fn knows_write_only(self) -> bool {
        self.is_since(1, 11)
    }

    /// Whether only the first of several deprecation warnings with the same cause is shown. OpenTofu 1.13, which is in
    /// development, shows all of them. A document that names no release, such as that of `validate -json`, counts as
    /// one of a released version.
    pub fn drops_repeated_deprecations(self) -> bool {
        let is_released = self.release == Release::NEWEST || !self.is_since(1, 13);
        self.tool == Tool::OpenTofu && is_released
    }

    /// Whether the text of a plan without changes says what that means.
    pub fn explains_no_changes(self) -> bool {
        self.tool == Tool::Terraform || !self.is_since(1, 13)
    }

    /// Whether the write-only attributes of an updated block are shown with the action of its other attributes, instead
    /// of as unchanged.
    pub fn write_only_like_siblings(self) -> bool {
        self.tool == Tool::OpenTofu
    }
}

/// The way in which the elements of two lists are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(
    clippy::enum_variant_names,
    reason = "each says by what elements are paired"
)]
pub enum ListPairing {
    /// By longest common subsequence. Objects are paired where elements are removed.
    ByCommonSubsequence,
    /// By longest common subsequence. Objects, and strings that share a line, are paired wherever both
    /// sides have unmatched elements.
    ByCommonSubsequenceAndLine,
    /// By index if both sides have the same length and are not merely reordered; otherwise as
    /// [`ListPairing::ByCommonSubsequence`].
    ByIndexFirst,
}

/// The way in which existing nested blocks are shown if they are known after apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownBlocks {
    /// As `b (known after apply)` with the symbol of the enclosing block, followed by each existing block
    /// as deleted.
    WithDeleted,
    /// Not at all.
    NotShown,
    /// As one block with every attribute of the *parent* unknown (an upstream bug, reproduced).
    AsParentAttributes,
    /// As one block with every attribute of its own unknown.
    AsOwnAttributes,
}

/// The major and minor version of a tool. Patch releases of one version print the same text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release {
    major: u16,
    minor: u16,
}

impl Release {
    /// A release that is later than every existing one.
    pub const NEWEST: Self = Self {
        major: u16::MAX,
        minor: u16::MAX,
    };

    /// Returns the release with these numbers.
    pub const fn new(major: u16, minor: u16) -> Self {
        Self { major, minor }
    }

    /// Parses a version, such as `1.9.2`, `v1.9` or `1.17.0-dev`. Any other text counts as the newest release.
    pub fn parse(version: &str) -> Self {
        Self::numbers(version).unwrap_or(Self::NEWEST)
    }

    /// Parses the major and minor number of a version; `None` if it has another form.
    fn numbers(version: &str) -> Option<Self> {
        let version = version.trim();
        let version = version.strip_prefix('v').unwrap_or(version);
        let numbers = version.split(['-', '+']).next()?;
        let mut parts = numbers.split('.').map(|part| {
            let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| part.parse::<u16>().ok()).flatten()
        });
        let (major, minor) = (parts.next()??, parts.next()??);
        let is_version =
            parts.by_ref().take(1).all(|patch| patch.is_some()) && parts.next().is_none();
        is_version.then_some(Self { major, minor })
    }
}

/// The value of the option `--dialect`. What it leaves open is taken from the document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DialectChoice {
    /// The tool, if it was chosen.
    pub tool: Option<Tool>,
    /// The release, if it was chosen.
    pub release: Option<Release>,
}

impl DialectChoice {
    /// Returns the dialect for a document. `tool` is the tool that wrote it, if it is known, and `version` its release,
    /// which may be empty.
    pub fn for_document(self, tool: Option<Tool>, version: &str) -> Dialect {
        Dialect {
            tool: self.tool.or(tool).unwrap_or_default(),
            release: self.release.unwrap_or_else(|| Release::parse(version)),
        }
    }
}

impl From<Dialect> for DialectChoice {
    fn from(dialect: Dialect) -> Self {
        Self {
            tool: Some(dialect.tool),
            release: Some(dialect.release),
        }
    }
}

/// Parses `auto`, `TOOL` or `TOOL@VERSION`.
///
/// The error is a sentence fragment that lists what is possible.
impl FromStr for DialectChoice {
    type Err = String;

    /// Parses the value of `--dialect`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (tool, version) = match text.split_once('@') {
            Some((tool, version)) => (tool, Some(version)),
            None => (text, None),
        };
        let release = version.map(Release::parse);
        match tool.to_ascii_lowercase().as_str() {
            "auto" if version.is_none() => Ok(Self::default()),
            "terraform" | "tf" => Ok(Self {
                tool: Some(Tool::Terraform),
                release,
            }),
            "opentofu" | "tofu" => Ok(Self {
                tool: Some(Tool::OpenTofu),
                release,
            }),
            _ => Err(
                "it is auto, terraform or opentofu, or one of these tools with a version: \
                      terraform@1.5, opentofu@1.8.2"
                    .to_owned(),
            ),
        }
    }
}

// The tool that wrote a document is found from anything that only one tool writes, mostly the host of a registry in the
// source address of a provider. What is cheap to read is examined first.

/// The first release of Terraform that writes `applyable` and `complete` into every plan. OpenTofu writes neither.
const WRITES_COMPLETE: Release = Release::new(1, 8);

impl Tool {
    /// Returns the tool that wrote a plan, by the hosts of its providers and other members that only one tool writes.
    pub(crate) fn from_plan(plan: &Plan<'_>) -> Option<Self> {
        let says_complete = plan.applyable.is_some() || plan.complete.is_some();
        // Both tools have written the time of planning since 1.5. A document that a script has reduced may lack
        // anything.
        let lacks_complete = !says_complete
            && !plan.timestamp.is_empty()
            && Release::parse(&plan.terraform_version) >= WRITES_COMPLETE;
        let saved = plan
            .saved_plan
            .as_ref()
            .and_then(|saved| Self::from_name(&saved.tool));
        saved
            .or_else(|| only(plan.providers()))
            .or(says_complete.then_some(Self::Terraform))
            .or_else(|| configured(plan.configuration?))
            .or_else(|| values(&plan.prior_state?.read::<PriorState<'_>>().ok()?.values))
            .or_else(|| values(&plan.planned_values?.read().ok()?))
            .or_else(|| keys(plan.provider_schemas?))
            .or_else(|| lacks_complete.then_some(Self::OpenTofu))
            .or_else(|| Self::from_providers(plan.providers()))
    }

    /// Returns the tool that wrote a state, by the hosts of its providers.
    pub(crate) fn from_state(state: &StateDocument<'_>) -> Option<Self> {
        only(state.providers())
            .or_else(|| keys(state.provider_schemas?))
            .or_else(|| Self::from_providers(state.providers()))
    }

    /// Returns the tool that wrote a document of provider schemas, by the hosts of the providers.
    pub(crate) fn from_schemas(text: &str) -> Option<Self> {
        keys(member(text, "provider_schemas")?)
    }

    /// Returns the tool whose program has a name that begins like this one.
    pub(crate) fn from_program(name: &str) -> Option<Self> {
        if name.starts_with("tofu") || name.starts_with("opentofu") {
            Some(Self::OpenTofu)
        } else {
            name.starts_with("terraform").then_some(Self::Terraform)
        }
    }
}

/// Returns the tool whose registry occurs in these source addresses; `None` if the registries of both do, or none does.
fn only<'p>(providers: impl Iterator<Item = &'p str>) -> Option<Tool> {
    let mut only_tool = None;
    for tool in providers.filter_map(Tool::from_provider) {
        if only_tool.is_some_and(|only_tool| only_tool != tool) {
            return None;
        }
        only_tool = Some(tool);
    }
    only_tool
}

/// Returns the tool whose registry occurs in the provider configurations of a configuration.
fn configured(configuration: Raw<'_>) -> Option<Tool> {
    /// A provider in a configuration.
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Provider<'a> {
        #[serde(borrow)]
        full_name: Str<'a>,
    }
    let providers: Pairs<'_, Provider<'_>> = member(configuration.text(), "provider_config")?
        .read()
        .ok()?;
    only(providers.values().map(|provider| &*provider.full_name))
}

/// Returns the tool whose registry occurs in the providers of a state.
fn values(state: &State<'_>) -> Option<Tool> {
    only(state.root_module.providers())
}

/// Returns the tool whose registry occurs first in the keys of provider schemas.
fn keys(schemas: Raw<'_>) -> Option<Tool> {
    let mut members = Members::new(schemas.text());
    let mut known_tool = None;
    // Schemas are large, so the rest of them is not read after the first known registry.
    while let (None, Ok(Some(name))) = (known_tool, members.next_key()) {
        known_tool = Tool::from_provider(&name);
    }
    known_tool
}

/// Returns a member of a JSON object without parsing the others; `None` if it is missing or the text is malformed.
fn member<'a>(object: &'a str, name: &str) -> Option<Raw<'a>> {
    let mut members = Members::new(object);
    while let Ok(Some(key)) = members.next_key() {
        if *key == *name {
            return members.value().ok().map(Raw::new);
        }
    }
    None
}

#[cfg(test)]
mod tests;
