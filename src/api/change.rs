//! The changes in a review of a plan, with their edits and findings.
//!
//! All types own their texts, so that they outlive the document that they were read from.

use super::Value;
use crate::diff::edits;
use crate::review::ChangeKind;
use crate::review::entry::{self, Entry, FindingKind, Level};
use crate::review::paths::path_names;
use crate::review::plan::PlanReview;

/// The change of a resource instance object or an output, or the invocation of an action.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Change {
    /// The address of the object or action, or the name of the output.
    pub address: String,
    /// The address before a move.
    pub previous_address: Option<String>,
    /// The address of the module; `None` for the root module.
    pub module: Option<String>,
    /// `managed`, `data`, `ephemeral`, or another mode; empty for outputs and actions.
    pub mode: String,
    /// The resource type, or the type of an action; empty for outputs.
    pub resource_type: String,
    /// The name of the resource; empty for outputs and actions.
    pub name: String,
    /// The source address of the provider; empty for outputs and actions.
    pub provider: String,
    /// The key of a deposed object; `None` for the current object.
    pub deposed: Option<String>,
    /// The action.
    pub kind: ChangeKind,
    /// The action in the words of the plan, such as `delete` and `create`.
    pub actions: Vec<String>,
    /// The reasons for the change, as far as the plan contains them.
    pub reasons: Vec<Reason>,
    /// The reason why a deferred change is deferred, in the word of the plan.
    pub deferred_reason: Option<String>,
    /// The edits of the object, one for each changed place.
    pub edits: Vec<Edit>,
    /// The findings about the object, the most severe first.
    pub findings: Vec<Finding>,
}

/// The reason for a change.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reason {
    /// The plan's `action_reason`, or a word of tfview.
    pub code: String,
    /// The reason in words.
    pub text: String,
}

/// A change of one place in a value.
///
/// Unless sensitive values are shown, values are the same as in the text of a review: credentials in them are masked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Edit {
    /// The path of the place in words, such as `ingress[0].cidr_blocks`; empty for the whole value.
    pub path: String,
    /// The steps of the path.
    pub steps: Vec<PathStep>,
    /// The value before; `None` if there is none.
    pub before: Option<Value>,
    /// The value after; `None` if there is none.
    pub after: Option<Value>,
    /// Whether the plan says that the change of this place forces the replacement of the object.
    pub forces_replacement: bool,
    /// The proven facts about the edit, as in the JSON of a review: `moved`, `whitespace`, `order`, …
    pub labels: Vec<&'static str>,
    /// The format, if both values are documents in strings: `json`, `yaml`, `base64`, `gzip` or `lines`.
    pub format: Option<&'static str>,
    /// The edits of the documents, if both values are documents in strings.
    pub inside: Vec<Self>,
    /// Remarks about limits of the comparison, as sentences.
    pub notes: Vec<&'static str>,
}

/// A step from a value to one of its parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PathStep {
    /// A member of an object, map or block.
    Name(String),
    /// An element of a list or set.
    Element {
        /// The index before; `None` if the element is added.
        before: Option<u32>,
        /// The index after; `None` if the element is removed.
        after: Option<u32>,
        /// Whether a schema proves that this is a set, in which indices are insignificant.
        is_set: bool,
    },
    /// The document in a string, by its format.
    Document(&'static str),
}

/// A fact about a plan that an approver should check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// The kind of the finding.
    pub kind: FindingKind,
    /// The severity.
    pub level: Level,
    /// The name of the rule.
    pub rule: String,
    /// The path of the value; empty for the whole object.
    pub path: String,
    /// The finding in words. It may contain text from the document, so print it as untrusted data.
    pub text: String,
    /// The addresses of the objects that the finding is about.
    pub addresses: Vec<String>,
    /// Whether the plan undoes the drift, for a finding about drift.
    pub is_undone: bool,
    /// Whether the finding is about the known statements of a policy that is known only after apply.
    pub is_expected: bool,
}

/// Returns a text of the document; `None` if it is empty, as it may be in an old plan.
fn given(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

impl Change {
    /// Copies an entry of a review, with the findings about it.
    pub(super) fn new(entry: &Entry<'_>, review: &PlanReview<'_>) -> Self {
        let findings = entry
            .findings
            .iter()
            .filter_map(|index| review.findings.get(*index));
        let actions = entry.action.words().split(',');
        Self {
            address: entry.address.to_owned(),
            previous_address: given(entry.previous_address),
            module: given(entry.module_address),
            mode: entry.mode.to_owned(),
            resource_type: entry.resource_type.to_owned(),
            name: entry.name.to_owned(),
            provider: entry.provider_name.to_owned(),
            deposed: given(entry.deposed),
            kind: entry.kind(),
            actions: actions
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect(),
            reasons: entry.reasons.iter().map(Reason::new).collect(),
            deferred_reason: entry.deferred_reason.map(str::to_owned),
            edits: entry.shown_edits.list().iter().map(Edit::new).collect(),
            findings: findings.map(Finding::new).collect(),
        }
    }
}

impl Reason {
    fn new(reason: &entry::Reason) -> Self {
        Self {
            code: reason.code.clone(),
            text: reason.text.clone(),
        }
    }
}

impl Edit {
    pub(super) fn new(edit: &edits::Edit<'_>) -> Self {
        let inside = edit.inside.map(|inside| inside.edits).unwrap_or_default();
        Self {
            path: path_names(edit.path),
            steps: edit.path.steps().into_iter().map(PathStep::new).collect(),
            before: edit.before.map(Value::from),
            after: edit.after.map(Value::from),
            forces_replacement: edit.replaces,
            labels: edit.labels.iter().map(edits::Label::name).collect(),
            format: edit.inside.map(|inside| inside.format.name()),
            inside: inside.iter().map(Self::new).collect(),
            notes: edit.notes.iter().map(|note| note.text()).collect(),
        }
    }
}

impl PathStep {
    fn new(step: edits::Step<'_>) -> Self {
        match step {
            edits::Step::Name(name) => Self::Name(name.to_owned()),
            edits::Step::Element(element) => Self::Element {
                before: element.before,
                after: element.after,
                is_set: element.is_set,
            },
            edits::Step::Document(format) => Self::Document(format.name()),
        }
    }
}

impl Finding {
    /// Copies a finding, with its path in words.
    pub(super) fn new(listed: &entry::PlanFinding<'_>) -> Self {
        let finding = &listed.finding;
        Self {
            kind: finding.kind,
            level: finding.level,
            rule: finding.rule.to_string(),
            path: path_names(finding.path),
            text: finding.text.clone(),
            addresses: listed
                .addresses
                .iter()
                .map(|address| (*address).to_owned())
                .collect(),
            is_undone: finding.is_undone,
            is_expected: finding.is_expected,
        }
    }
}
