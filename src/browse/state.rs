//! The document of a state: its modules, with an entry for each object.
//!
//! A state changes nothing, so its entries have neither signs nor edits; opening one shows the tool's text.

use crate::model::address::{block_address, module_of};
use crate::model::state::{Resource, StateDocument};
use crate::report::{
    EntryPlaces, EntrySign, Level, Outputs, Part, Report, ReportEntry, Section, SectionKind, Title,
};
use crate::review::references::References;
use crate::text::{count, one_line};

/// Makes the document of a state. `resources` are its objects in the order of the document; their indices are the
/// numbers of entries.
pub fn state_report<'a>(
    name: &str,
    state: &StateDocument<'a>,
    resources: &[&'a Resource<'_>],
) -> Report<'a> {
    let mut sections: Vec<Section<'a>> = Vec::new();
    let mut types: Vec<&str> = Vec::new();
    for (index, resource) in resources.iter().enumerate() {
        types.push(&resource.resource_type);
        let title = Title::Module(module_of(&resource.address).to_owned());
        if sections.last().is_none_or(|section| section.title != title) {
            sections.push(Section {
                kind: SectionKind::Resources,
                title,
                counts: String::new(),
                entries: Vec::new(),
            });
        }
        if let Some(section) = sections.last_mut() {
            section.entries.push(entry(index, resource));
        }
    }
    types.sort_unstable();
    types.dedup();
    let mut part = Part {
        outputs: outputs(state),
        details: tool(state).into_iter().collect(),
        ..Part::default()
    };
    part.headline.names_level = true;
    part.headline.changes = format!(
        "{} of {} in {}",
        count(resources.len(), "object"),
        count(types.len(), "type"),
        count(sections.len(), "module")
    );
    part.sections = sections;
    Report {
        title: format!("State {}", one_line(name)),
        parts: vec![part],
        worst_first: vec![0],
        ..Report::default()
    }
}

/// Returns the entry of an object, with remarks about it.
fn entry<'a>(index: usize, resource: &'a Resource<'_>) -> ReportEntry<'a> {
    let mut remarks = Vec::new();
    if !resource.deposed_key.is_empty() {
        remarks.push(format!(
            "deposed object {}",
            one_line(&resource.deposed_key)
        ));
    }
    if resource.tainted {
        remarks.push("tainted".to_owned());
    }
    ReportEntry {
        number: index,
        sign: EntrySign::default(),
        address: one_line(&resource.address),
        remark: remarks.join(", "),
        object_type: &resource.resource_type,
        level: Level::None,
        places: EntryPlaces {
            list: SectionKind::Resources,
            indices: vec![index],
        },
        ..ReportEntry::default()
    }
}

/// Returns the outputs of a state, if it has any. Their lines are empty: the tool's text shows them.
fn outputs<'a>(state: &StateDocument<'_>) -> Option<Outputs<'a>> {
    let number = state.all_outputs().len();
    (number > 0).then(|| Outputs {
        number,
        text: None,
        lines: Vec::new(),
    })
}

/// Returns which version wrote the state, in words.
fn tool(state: &StateDocument<'_>) -> Option<String> {
    let version = &*state.terraform_version;
    (!version.is_empty()).then(|| format!("written by version {}", one_line(version)))
}

/// Returns the references between the objects of a state, which are the dependencies that it lists.
pub fn state_references(resources: &[&Resource<'_>]) -> References {
    let edges = resources.iter().flat_map(|resource| {
        let from = block_address(&resource.address);
        resource
            .depends_on
            .iter()
            .map(move |to| (from.clone(), String::new(), to.to_string()))
    });
    References::new(edges)
}
