//! The changes of resources, each with why it happens.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::{Each, EditJson, edit, some};
use crate::diff::edits::Edit;
use crate::json::Value;
use crate::review::entry::{Cause, Entry, Importing, Reason, SourceBlock, SourcePlace};

/// One change of a resource instance object.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct EntryJson<'r> {
    /// The address; built from its parts where an old plan has none.
    address: &'r str,
    /// The address before a move.
    previous_address: Option<&'r str>,
    /// The module's address; null for the root module.
    module_address: Option<&'r str>,
    mode: Option<&'r str>,
    /// The resource type.
    #[serde(rename = "type")]
    resource_type: Option<&'r str>,
    name: Option<&'r str>,
    /// The instance key: a string, a number, or null.
    #[cfg_attr(test, schemars(with = "serde_json::Value"))]
    index: Value<'r>,
    /// The key of a deposed object.
    deposed: Option<&'r str>,
    provider_name: Option<&'r str>,
    /// The plan's words.
    actions: Vec<&'r str>,
    /// The plan's word.
    action_reason: Option<&'r str>,
    /// create, update, replace, replace-forget, destroy, forget or read; import or move where nothing else happens;
    /// the plan's words, joined by commas, where they are new.
    change: &'r str,
    importing: Option<Importing<'r>>,
    /// As in the plan.
    #[cfg_attr(test, schemars(with = "Option<Vec<serde_json::Value>>"))]
    replace_paths: Value<'r>,
    /// With --source: where the resource is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<SourceJson<'r>>,
    /// With --source and a CODEOWNERS file: who owns the file. One of each list has to approve.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[cfg_attr(test, schemars(default))]
    owners: &'r [Vec<String>],
    /// Drift only: whether relevant_attributes names what drifted.
    #[serde(skip_serializing_if = "Option::is_none")]
    relevant: Option<bool>,
    /// Deferred changes only: the plan's word.
    #[serde(skip_serializing_if = "Option::is_none")]
    deferred_reason: Option<&'r str>,
    reasons: &'r [Reason],
    /// Indices in the findings of the plan.
    findings: &'r [usize],
    /// The changes that make this one necessary, as the configuration's references prove it.
    causes: &'r [Cause<'r>],
    /// The id of one of groups.
    group: Option<usize>,
    /// A filter hides the entry in the text formats.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    hidden: bool,
    edits: Each<'r, Edit<'r>, EditJson<'r>>,
}

pub(super) fn entry<'r>(entry: &'r Entry<'_>) -> EntryJson<'r> {
    EntryJson {
        address: entry.address,
        previous_address: some(entry.previous_address),
        module_address: some(entry.module_address),
        mode: some(entry.mode),
        resource_type: some(entry.resource_type),
        name: some(entry.name),
        index: entry.index,
        deposed: some(entry.deposed),
        provider_name: some(entry.provider_name),
        actions: entry.actions().collect(),
        action_reason: some(entry.action_reason),
        change: entry.change(),
        importing: entry.importing,
        replace_paths: entry.replace_paths,
        source: entry.source.as_ref().map(|SourcePlace { file, line, block, .. }| SourceJson {
            file,
            line: *line,
            block: *block,
        }),
        owners: &entry.owners,
        relevant: entry.relevant,
        deferred_reason: entry.deferred_reason,
        reasons: &entry.reasons,
        findings: entry.findings.proven(),
        causes: &entry.causes,
        group: entry.group,
        hidden: entry.hidden,
        edits: Each(entry.exact_edits, edit),
    }
}

/// A place in configuration files.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct SourceJson<'r> {
    /// The file, below the directory of --source as it was given, with / between names.
    file: &'r str,
    /// The line of the block's header, from 1.
    line: u64,
    /// The block of the resource; or the call of the module that it is in, whose files are not at hand.
    block: SourceBlock,
}
