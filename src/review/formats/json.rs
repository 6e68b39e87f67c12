//! JSON, described by `docs/review.schema.json`.
//!
//! `format_version` is 2.0: minor versions may add members, and only major versions remove or redefine any.
//! All changes of the plan are included, even those that other formats group, shorten or omit. Numbers are
//! written as in the plan. Control characters, invisible characters and commands to CI systems are escaped.

mod edit;

use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::ser::{CompactFormatter, Formatter};
use serde_json::value::RawValue;

use crate::dialect::Tool;
use crate::review::entry::{Entry, Invocation, Output, PlanReview, RuleOrigin, SourcePlace};
use crate::review::{ChangeKind, InputVariable, Problem, Verdict};
use crate::term;
use crate::term::ci::command_ends;

pub(crate) use edit::{JsonEdit, JsonSlot, Marks};
use edit::{JsonMarked, JsonPath};

/// The version of the format.
pub const FORMAT_VERSION: &str = "2.0";

/// The result of a `--fail-on` condition.
#[derive(Clone, Debug)]
pub struct GateResult {
    /// The condition.
    pub name: String,
    /// Whether the condition is met.
    pub violated: bool,
    /// The matching addresses.
    pub by: Vec<String>,
}

/// Writes reviews as one document.
///
/// # Errors
/// If writing to `out` fails.
pub fn json(reviews: &[PlanReview<'_>], gates: &[GateResult], out: &mut dyn Write) -> io::Result<()> {
    json_since(reviews, gates, None, out)
}

/// Like [`json`], with the document of a comparison with the approved plan.
///
/// # Errors
/// If writing to `out` fails, or `since` is not JSON.
pub fn json_since(
    reviews: &[PlanReview<'_>],
    gates: &[GateResult],
    since: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let since = since.map(serde_json::from_str::<&RawValue>).transpose()?;
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, Escaping);
    Document { reviews, gates, since }.serialize(&mut serializer)?;
    out.write_all(b"\n")
}

/// Writes control characters, invisible characters and commands to CI systems as escapes, because the JSON may be
/// printed in a terminal or a log.
pub(crate) struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let command_ends = command_ends(fragment);
        if !term::is_suspect(fragment) && command_ends.is_empty() {
            return CompactFormatter.write_string_fragment(writer, fragment);
        }
        let mut written = 0;
        let is_escaped =
            |at: usize, c: char| term::is_dangerous(c) || command_ends.binary_search(&at).is_ok();
        for (at, c) in fragment.char_indices().filter(|(at, c)| is_escaped(*at, *c)) {
            writer.write_all(fragment.get(written..at).unwrap_or_default().as_bytes())?;
            written = at + c.len_utf8();
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
        }
        writer.write_all(fragment.get(written..).unwrap_or_default().as_bytes())
    }
}

/// Implements `Serialize` for a type as an object with these members.
macro_rules! object {
    ($type:ty, |$this:ident, $map:ident| $members:block) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $this = self;
                let mut $map = serializer.serialize_map(None)?;
                $members
                $map.end()
            }
        }
    };
}
use object;

struct Document<'r, 'a> {
    reviews: &'r [PlanReview<'a>],
    gates: &'r [GateResult],
    since: Option<&'r RawValue>,
}

object!(Document<'_, '_>, |document, map| {
    let verdicts: Vec<Verdict> = document.reviews.iter().map(Verdict::new).collect();
    map.serialize_entry("format_version", FORMAT_VERSION)?;
    map.serialize_entry("tfview_version", env!("CARGO_PKG_VERSION"))?;
    map.serialize_entry("verdict", &JsonVerdict(&Verdict::total(verdicts.iter())))?;
    map.serialize_entry("gates", &Each(document.gates, JsonGate))?;
    map.serialize_entry("plans", &Each(document.reviews, JsonPlan))?;
    if let Some(since) = document.since {
        map.serialize_entry("since", since)?;
    }
});

/// A list whose items are wrapped for serialization.
struct Each<'r, T, F>(&'r [T], F);

impl<'r, T, W: Serialize, F: Fn(&'r T) -> W> Serialize for Each<'r, T, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for item in self.0 {
            list.serialize_element(&(self.1)(item))?;
        }
        list.end()
    }
}

struct JsonVerdict<'r>(&'r Verdict);

object!(JsonVerdict<'_>, |verdict, map| {
    let verdict = verdict.0;
    map.serialize_entry("sentence", &verdict.sentence())?;
    map.serialize_entry("errored", &verdict.errored)?;
    for kind in ChangeKind::ALL {
        map.serialize_entry(kind.word(), &verdict.count(kind))?;
    }
    map.serialize_entry("drift", &verdict.drift)?;
    map.serialize_entry("outputs", &verdict.outputs)?;
    map.serialize_entry("deferred", &verdict.deferred)?;
    map.serialize_entry("action_invocations", &verdict.invocations)?;
    map.serialize_entry("deferred_action_invocations", &verdict.deferred_invocations)?;
    map.serialize_entry("failed_checks", &verdict.failed_checks)?;
});

struct JsonGate<'r>(&'r GateResult);

object!(JsonGate<'_>, |gate, map| {
    map.serialize_entry("name", &gate.0.name)?;
    map.serialize_entry("violated", &gate.0.violated)?;
    map.serialize_entry("by", &gate.0.by)?;
});

struct JsonPlan<'r, 'a>(&'r PlanReview<'a>);

object!(JsonPlan<'_, '_>, |plan, map| {
    let plan = plan.0;
    map.serialize_entry("name", &plan.name)?;
    map.serialize_entry("tool", &plan.tool.map(tool))?;
    map.serialize_entry("tool_version", &some(plan.tool_version))?;
    map.serialize_entry("format_version", &some(plan.format_version))?;
    map.serialize_entry("timestamp", &some(plan.timestamp))?;
    map.serialize_entry("variables", &Each(&plan.variables, JsonVariable))?;
    map.serialize_entry("errored", &plan.errored)?;
    map.serialize_entry("complete", &plan.complete)?;
    map.serialize_entry("applyable", &plan.applyable)?;
    map.serialize_entry("verdict", &JsonVerdict(&Verdict::new(plan)))?;
    map.serialize_entry("resources", &Each(&plan.resources, JsonEntry))?;
    map.serialize_entry("drift", &Each(&plan.drift, JsonEntry))?;
    map.serialize_entry("deferred", &Each(&plan.deferred, JsonEntry))?;
    map.serialize_entry("action_invocations", &Each(&plan.invocations, JsonInvocation))?;
    map.serialize_entry("deferred_action_invocations", &Each(&plan.deferred_invocations, JsonInvocation))?;
    map.serialize_entry("outputs", &Each(&plan.outputs, JsonOutput))?;
    map.serialize_entry("checks", &Each(&plan.checks, JsonCheck))?;
    let groups: Vec<JsonGroup<'_, '_>> = (0..plan.groups.len()).map(|id| JsonGroup(plan, id)).collect();
    map.serialize_entry("groups", &groups)?;
    map.serialize_entry("notes", &plan.notes)?;
    map.serialize_entry("fingerprint", &some(&plan.fingerprint))?;
});

struct JsonVariable<'r, 'a>(&'r InputVariable<'a>);

object!(JsonVariable<'_, '_>, |variable, map| {
    map.serialize_entry("name", variable.0.name)?;
    map.serialize_entry("sensitive", &variable.0.is_sensitive)?;
    map.serialize_entry("default", &variable.0.is_default)?;
    if let Some(value) = variable.0.value {
        map.serialize_entry("value", &JsonMarked(value))?;
    }
});

fn tool(tool: Tool) -> &'static str {
    match tool {
        Tool::Terraform => "terraform",
        Tool::OpenTofu => "opentofu",
    }
}

/// A text, unless it is empty because an old plan does not have it.
fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

struct JsonGroup<'r, 'a>(&'r PlanReview<'a>, usize);

object!(JsonGroup<'_, '_>, |group, map| {
    if let Some(found) = group.0.groups.get(group.1) {
        map.serialize_entry("id", &group.1)?;
        map.serialize_entry("members", &found.members)?;
        map.serialize_entry("same", found.same.name())?;
    }
});

struct JsonEntry<'r, 'a>(&'r Entry<'a>);

object!(JsonEntry<'_, '_>, |entry, map| {
    let entry = entry.0;
    map.serialize_entry("address", entry.address)?;
    map.serialize_entry("previous_address", &some(entry.previous_address))?;
    map.serialize_entry("module_address", &some(entry.module_address))?;
    map.serialize_entry("mode", &some(entry.mode))?;
    map.serialize_entry("type", &some(entry.resource_type))?;
    map.serialize_entry("name", &some(entry.name))?;
    map.serialize_entry("index", &entry.index)?;
    map.serialize_entry("deposed", &some(entry.deposed))?;
    map.serialize_entry("provider_name", &some(entry.provider_name))?;
    map.serialize_entry("actions", &entry.actions().collect::<Vec<_>>())?;
    map.serialize_entry("action_reason", &some(entry.action_reason))?;
    map.serialize_entry("change", entry.change())?;
    map.serialize_entry("importing", &entry.importing.map(JsonImporting))?;
    map.serialize_entry("replace_paths", &entry.replace_paths)?;
    if let Some(source) = &entry.source {
        map.serialize_entry("source", &JsonSource(source))?;
    }
    if let Some(relevant) = entry.relevant {
        map.serialize_entry("relevant", &relevant)?;
    }
    if let Some(reason) = entry.deferred_reason {
        map.serialize_entry("deferred_reason", reason)?;
    }
    map.serialize_entry("reasons", &Each(&entry.reasons, JsonReason))?;
    let facts = entry.facts.iter().filter(|fact| fact.origin != RuleOrigin::Found);
    map.serialize_entry("facts", &facts.map(JsonFact).collect::<Vec<_>>())?;
    map.serialize_entry("causes", &Each(&entry.causes, JsonCause))?;
    map.serialize_entry("group", &entry.group)?;
    if entry.hidden {
        map.serialize_entry("hidden", &true)?;
    }
    map.serialize_entry("edits", &Each(entry.edits, JsonEdit))?;
});

struct JsonSource<'r>(&'r SourcePlace);

object!(JsonSource<'_>, |source, map| {
    map.serialize_entry("file", &*source.0.file)?;
    map.serialize_entry("line", &source.0.line)?;
    map.serialize_entry("block", source.0.block.name())?;
});

struct JsonImporting<'a>(crate::review::entry::Importing<'a>);

object!(JsonImporting<'_>, |importing, map| {
    map.serialize_entry("id", &some(importing.0.id))?;
    map.serialize_entry("identity", &importing.0.identity)?;
    map.serialize_entry("unknown", &importing.0.unknown)?;
});

struct JsonReason<'r>(&'r crate::review::entry::Reason);

object!(JsonReason<'_>, |reason, map| {
    map.serialize_entry("code", &reason.0.code)?;
    map.serialize_entry("text", &reason.0.text)?;
});

struct JsonFact<'r, 'a>(&'r crate::review::entry::Fact<'a>);

object!(JsonFact<'_, '_>, |fact, map| {
    map.serialize_entry("kind", fact.0.kind.name())?;
    map.serialize_entry("path", &JsonPath(fact.0.path))?;
    map.serialize_entry("text", &fact.0.text)?;
});

struct JsonCause<'r, 'a>(&'r crate::review::entry::Cause<'a>);

object!(JsonCause<'_, '_>, |cause, map| {
    map.serialize_entry("attribute", cause.0.attribute)?;
    map.serialize_entry("address", cause.0.address)?;
    map.serialize_entry("source", &some(cause.0.source))?;
});

struct JsonInvocation<'r, 'a>(&'r Invocation<'a>);

object!(JsonInvocation<'_, '_>, |invocation, map| {
    let invocation = invocation.0;
    map.serialize_entry("address", invocation.address)?;
    map.serialize_entry("type", invocation.action_type)?;
    map.serialize_entry("trigger", &JsonTrigger(invocation))?;
    if let Some(reason) = invocation.deferred_reason {
        map.serialize_entry("deferred_reason", reason)?;
    }
    map.serialize_entry("edits", &Each(invocation.edits, JsonEdit))?;
});

struct JsonTrigger<'r, 'a>(&'r Invocation<'a>);

object!(JsonTrigger<'_, '_>, |trigger, map| {
    match trigger.0.trigger {
        Some(trigger) => {
            map.serialize_entry("event", trigger.event)?;
            map.serialize_entry("address", trigger.address)?;
        }
        None => {
            map.serialize_entry("event", "invoke")?;
            map.serialize_entry("address", &some(trigger.0.caller))?;
        }
    }
});

struct JsonOutput<'r, 'a>(&'r Output<'a>);

object!(JsonOutput<'_, '_>, |output, map| {
    let output = output.0;
    map.serialize_entry("name", output.name)?;
    map.serialize_entry("actions", &output.action.words().split(',').collect::<Vec<_>>())?;
    map.serialize_entry("change", output.change())?;
    map.serialize_entry("edits", &Each(output.edits, JsonEdit))?;
});

struct JsonCheck<'r>(&'r Problem);

object!(JsonCheck<'_>, |check, map| {
    map.serialize_entry("address", &check.0.address)?;
    map.serialize_entry("status", &check.0.status)?;
    let message = Some(&check.0.message).filter(|message| !message.is_empty());
    map.serialize_entry("messages", &message.into_iter().collect::<Vec<_>>())?;
});
