//! The tool that wrote a document, from everything in it that only one tool writes.
//!
//! Registries say most: each tool writes its own into the source address of a provider. Evidence is
//! consulted in order of cost, the next only where the ones before it say nothing.

use serde::Deserialize;

use super::{Release, Tool};
use crate::json::{Members, Pairs, Raw, Str};
use crate::model::plan::{Plan, PriorState};
use crate::model::state::{State, StateDocument};

/// The first release of Terraform that writes `applyable` and `complete` into every plan. OpenTofu writes
/// neither.
const WRITES_COMPLETE: Release = Release::new(1, 8);

impl Tool {
    /// The tool that wrote a plan, if the plan says.
    pub fn from_plan(plan: &Plan<'_>) -> Option<Self> {
        let says_complete = plan.applyable.is_some() || plan.complete.is_some();
        // Both tools write the time of planning since 1.5. Documents reduced by scripts may lack anything.
        let lacks_complete = !says_complete
            && !plan.timestamp.is_empty()
            && Release::parse(&plan.terraform_version) >= WRITES_COMPLETE;
        let saved = plan.saved_plan.as_ref().and_then(|saved| Self::from_name(&saved.tool));
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

    /// The tool that wrote a state, if the state says.
    pub fn from_state(state: &StateDocument<'_>) -> Option<Self> {
        only(state.providers())
            .or_else(|| keys(state.provider_schemas?))
            .or_else(|| Self::from_providers(state.providers()))
    }

    /// The tool that wrote a document of provider schemas (`providers schema -json`), if it says.
    pub fn from_schemas(text: &str) -> Option<Self> {
        keys(member(text, "provider_schemas")?)
    }

    /// The tool that a program is, by its name.
    pub fn from_program(name: &str) -> Option<Self> {
        if name.starts_with("tofu") || name.starts_with("opentofu") {
            Some(Self::OpenTofu)
        } else {
            name.starts_with("terraform").then_some(Self::Terraform)
        }
    }
}

/// The tool whose registry occurs in these source addresses, unless those of both do.
fn only<'p>(providers: impl Iterator<Item = &'p str>) -> Option<Tool> {
    let mut found = None;
    for tool in providers.filter_map(Tool::from_provider) {
        if found.is_some_and(|found| found != tool) {
            return None;
        }
        found = Some(tool);
    }
    found
}

/// The tool whose providers the configuration requires. Only the list of providers is read of it.
fn configured(configuration: Raw<'_>) -> Option<Tool> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Provider<'a> {
        #[serde(borrow)]
        full_name: Str<'a>,
    }
    let providers: Pairs<'_, Provider<'_>> = member(configuration.text(), "provider_config")?.read().ok()?;
    only(providers.iter().map(|(_, provider)| &*provider.full_name))
}

fn values(state: &State<'_>) -> Option<Tool> {
    only(state.root_module.providers())
}

/// The tool whose registry is in the names of schemas.
fn keys(schemas: Raw<'_>) -> Option<Tool> {
    let mut members = Members::new(schemas.text());
    let mut found = None;
    // Schemas are large, so the first provider of a registry decides.
    while let (None, Ok(Some(name))) = (found, members.next_key()) {
        found = Tool::from_provider(&name);
    }
    found
}

/// A member of an object.
fn member<'a>(object: &'a str, name: &str) -> Option<Raw<'a>> {
    let mut members = Members::new(object);
    while let Ok(Some(found)) = members.next_key() {
        if *found == *name {
            return members.raw().ok();
        }
    }
    None
}

#[cfg(test)]
mod tests;
