//! Reviews one part of a plan: creates the entry of an object, an output or an action, with the findings that its own
//! values prove.
//!
//! Findings and causes that only the whole plan proves come later, in [`build`](super).
//!
//! ```text
//! {"address": "aws_db_instance.main", "change": {"actions": ["delete"], "before": {"engine": "postgres"}, …}}
//!
//! ReviewedPart { list: Resources, entry: Entry { … }, findings: [Finding { kind: DataLoss, … }], … }
//! ```

use std::sync::Arc;

use super::meanings::{self, ObjectMeaning};
use super::new_texts;
use crate::diff::Error;
use crate::diff::edits::{Comparer, PlanPart, Sides, ValueEdits};
use crate::diff::value::MarkedValue;
use crate::direction::{Direction, Meaning};
use crate::json::Raw;
use crate::meaning::Documents;
use crate::model::Action;
use crate::model::plan::{ActionInvocation, ResourceChange};
use crate::report::SectionKind;
use crate::review::credentials::{
    Copies, CredentialTexts, Credentials, Secrets, is_like_a_secret, is_shown_by,
};
use crate::review::entry::{
    Entry, ExactEdits, Finding, FindingKind, Importing, RuleOrigin, Trigger, reason_codes,
};
use crate::review::findings::{
    self, ObjectOutcome, RuleFinder, Subject, direction_of, of_credentials,
};
use crate::review::paths::root_name;
use crate::review::summary::{Elsewhere, summary};
use crate::review::{ChangeKind, access, finding, identifiers};

/// The review of one part: its entry, and the findings and secrets of its values.
pub(super) struct ReviewedPart<'a> {
    /// The list of the review that the entry belongs to.
    pub(super) list: SectionKind,
    /// The change with its edits.
    pub(super) entry: Entry<'a>,
    /// The findings that the values of this part prove by themselves.
    pub(super) findings: Vec<Finding<'a>>,
    /// The credentials in its values, and the texts that are marked sensitive.
    pub(super) secrets: CredentialTexts,
    /// Whether a rule looks at the type of a changed object. Always true for unchanged objects and for parts without a
    /// type.
    pub(super) is_judged: bool,
}

/// The values of one part of a plan, together with the means to read and judge them.
#[derive(Clone, Copy)]
struct PartValues<'o, 'w, 'a> {
    /// The comparer, which reads and compares values, and hides sensitive ones.
    comparer: &'o Comparer<'w, 'a>,
    /// The finder with the rules; `None` if no findings are wanted.
    finder: Option<&'o RuleFinder<'o, 'a>>,
    /// The edits of the part, with both sides as a whole.
    value_edits: ValueEdits<'w, 'a>,
    /// The credentials in its values.
    credentials: &'o Credentials<'w>,
    /// The documents in strings that were decoded before, so that each is decoded once.
    documents: &'o Documents<'w>,
}

/// Reviews a part of a plan. Findings are searched if there is a finder. Unchanged values are kept if `keep_whole` is
/// set.
pub(super) fn review_part<'w, 'a: 'w>(
    part: PlanPart<'_, 'a>,
    value_edits: ValueEdits<'w, 'a>,
    comparer: &Comparer<'w, 'a>,
    finder: Option<&RuleFinder<'_, 'a>>,
    keep_whole: bool,
) -> Result<ReviewedPart<'a>, Error> {
    let redactor = comparer.redactor;
    let documents = &Documents::new(comparer.build);
    let (credentials, secrets) = part_secrets(
        part,
        value_edits.sides,
        comparer,
        documents,
        finder.is_some(),
    );
    let values = PartValues {
        comparer,
        finder,
        value_edits,
        credentials: &credentials,
        documents,
    };
    let change = part.object();
    let mut findings = values.findings_of(part);
    let is_hidden = !redactor.show_sensitive
        && change.is_some_and(|change| {
            change.is_managed() && change.change.hides_what_no_schema_knows()
        });
    if is_hidden && finder.is_some() {
        findings.push(finding::not_judged());
    }
    let meaning = values.meaning(part, &findings);
    let entry = values.entry(part, keep_whole)?;
    let is_new = entry.kind() == ChangeKind::Other
        || matches!(entry.action, Action::Open | Action::Unknown(_));
    let entry = Entry {
        change: if is_new {
            redactor.text(entry.action.words())
        } else {
            entry.kind().word()
        },
        deferred_reason: deferred_reason(part).map(|reason| redactor.text(reason)),
        new_texts: new_texts::find(value_edits.edits, entry.kind(), redactor.arena),
        exact_edits: ExactEdits::new(meaning.edits),
        own_meaning: meaning.own,
        secrets,
        ..entry
    };
    Ok(ReviewedPart {
        list: list_of(part),
        entry,
        findings,
        is_judged: !is_hidden && change.is_none_or(|change| values.is_judged(change)),
        secrets: credentials.texts,
    })
}

/// Returns the kind of the list that a part belongs to.
fn list_of(part: PlanPart<'_, '_>) -> SectionKind {
    match part {
        PlanPart::Planned(_) => SectionKind::Resources,
        PlanPart::Drift(_) => SectionKind::Drift,
        PlanPart::Deferred(_) => SectionKind::Deferred,
        PlanPart::Output(..) => SectionKind::Outputs,
        PlanPart::Invocation(_) => SectionKind::Invocations,
        PlanPart::DeferredInvocation(_) => SectionKind::DeferredInvocations,
    }
}

/// Returns the plan's word for why a part is deferred; `None` for other parts.
fn deferred_reason<'p>(part: PlanPart<'p, '_>) -> Option<&'p str> {
    match part {
        PlanPart::Deferred(deferred) => Some(&deferred.reason),
        PlanPart::DeferredInvocation(deferred) => Some(&deferred.reason),
        PlanPart::Planned(_)
        | PlanPart::Drift(_)
        | PlanPart::Output(..)
        | PlanPart::Invocation(_) => None,
    }
}

/// Finds the credentials in the values of a part, if `are_searched` is set. The second value is what texts must not
/// show of the part, if there is anything.
fn part_secrets<'w, 'a: 'w>(
    part: PlanPart<'_, 'a>,
    sides: Sides<'w>,
    comparer: &Comparer<'w, 'a>,
    documents: &Documents<'w>,
    are_searched: bool,
) -> (Credentials<'w>, Option<Box<Secrets>>) {
    let Sides { before, after, .. } = sides;
    let show_sensitive = comparer.redactor.show_sensitive;
    let address = part.object().map_or("", |change| &*change.address);
    let copies_of = |is_copied: &dyn Fn(&str) -> bool| {
        let copies = Copies::of(&[before, after], documents, &|text| {
            is_copied(text) && !is_shown_by(address, text)
        });
        copies
            .filter(|_| part.object().is_some() && !show_sensitive)
            .map(Arc::new)
    };
    let copies = copies_of(&|_| true);
    let mut credentials = Credentials::default();
    if are_searched {
        let name = match part {
            PlanPart::Output(name, _) => Some(&*comparer.build.arena().alloc_str(name)),
            PlanPart::Planned(_)
            | PlanPart::Drift(_)
            | PlanPart::Deferred(_)
            | PlanPart::Invocation(_)
            | PlanPart::DeferredInvocation(_) => None,
        };
        // What one side hides is hidden on the other side too, with its keys, which are in the paths of findings.
        let shown_sides = [
            comparer.build.redact_like(before, after),
            comparer.build.redact_like(after, before),
        ];
        credentials = Credentials::find(name, shown_sides, documents, copies.as_deref());
    }
    if show_sensitive {
        credentials.texts = CredentialTexts::default();
    }
    if credentials.texts.is_empty() {
        return (credentials, None);
    }
    // What is a credential by its name may be a copy, too.
    let may_be_copies = credentials.texts.has_copies || !credentials.texts.secrets.is_empty();
    let copies = copies.filter(|_| may_be_copies);
    let secrets = Secrets {
        named: credentials.texts.named.clone(),
        likely_copies: copies.as_ref().and_then(|_| copies_of(&is_like_a_secret)),
        copies,
        configured: None,
    };
    (credentials, Some(Box::new(secrets)))
}

impl<'w, 'a: 'w> PartValues<'_, 'w, 'a> {
    /// Returns the entry of a part, without its edits.
    fn entry(self, part: PlanPart<'_, 'a>, keep_whole: bool) -> Result<Entry<'a>, Error> {
        match part {
            PlanPart::Planned(change) | PlanPart::Drift(change) => self.object(change, keep_whole),
            PlanPart::Deferred(deferred) => self.object(&deferred.resource_change, keep_whole),
            PlanPart::Output(name, change) => Ok(Entry {
                address: self.comparer.redactor.text(name),
                action: change.actions.clone(),
                ..Entry::default()
            }),
            PlanPart::Invocation(action) => Ok(self.action(action)),
            PlanPart::DeferredInvocation(deferred) => Ok(self.action(&deferred.action_invocation)),
        }
    }

    /// Returns the findings that the values of a part prove.
    fn findings_of(self, part: PlanPart<'_, 'a>) -> Vec<Finding<'a>> {
        let Sides { before, after, .. } = self.value_edits.sides;
        match part {
            PlanPart::Planned(change) | PlanPart::Drift(change) => {
                self.findings_of_object(list_of(part), change)
            }
            PlanPart::Deferred(deferred) => {
                self.findings_of_object(list_of(part), &deferred.resource_change)
            }
            PlanPart::Output(..) => {
                let redactor = self.comparer.redactor;
                let mut findings = of_credentials(self.credentials, "", after, redactor);
                findings.extend(findings::uncovered(before, after));
                findings
            }
            PlanPart::Invocation(action) => self.findings_of_action(action),
            PlanPart::DeferredInvocation(deferred) => {
                self.findings_of_action(&deferred.action_invocation)
            }
        }
    }

    /// Returns the entry of an action's invocation, with what triggers it.
    fn action(self, action: &ActionInvocation<'a>) -> Entry<'a> {
        let redactor = self.comparer.redactor;
        let trigger = match (
            &action.lifecycle_action_trigger,
            &action.invoke_action_trigger,
        ) {
            (Some(trigger), _) => Trigger {
                event: redactor.text(&trigger.action_trigger_event),
                address: redactor.text(&trigger.triggering_resource_address),
            },
            (None, Some(caller)) => Trigger {
                event: reason_codes::INVOKED,
                address: redactor.text(&caller.calling_resource_address),
            },
            (None, None) => Trigger {
                event: reason_codes::INVOKED,
                address: "",
            },
        };
        Entry {
            address: redactor.text(&action.address),
            resource_type: redactor.text(&action.action_type),
            trigger,
            ..Entry::default()
        }
    }

    /// Returns the findings that the configuration of an action proves.
    fn findings_of_action(self, action: &ActionInvocation<'a>) -> Vec<Finding<'a>> {
        let (after, redactor) = (self.value_edits.sides.after, self.comparer.redactor);
        let mut findings = of_credentials(self.credentials, &action.action_type, after, redactor);
        if let Some(finder) = self.finder {
            let rules = finder.rules.of(&action.action_type);
            findings.extend(findings::of_action(after, rules));
        }
        findings
    }

    /// Returns the object of a change as rules and models see it. Data sources and unchanged objects are not judged.
    fn subject<'s>(
        &'s self,
        finder: &'s RuleFinder<'_, 'a>,
        list: SectionKind,
        change: &'s ResourceChange<'a>,
    ) -> Option<Subject<'s, 'w>> {
        let outcome = ObjectOutcome::from_action(&change.change.actions)?;
        if &*change.mode == "data" {
            return None;
        }
        let PartValues {
            comparer,
            value_edits,
            credentials,
            documents,
            ..
        } = *self;
        let after = value_edits.sides.after;
        // A finding may show a value before that the change hides because its counterpart is sensitive.
        let before = comparer.build.redact_like(value_edits.sides.before, after);
        let resource_type = &*change.resource_type;
        Some(Subject {
            outcome,
            resource_type,
            before: findings::described(resource_type, before, comparer.build),
            after: findings::described(resource_type, after, comparer.build),
            excused: finder.excused(list, change),
            documents,
            credentials,
            left: self.left(finder, list, change),
            configuration: finder.arguments(change, comparer.redactor.arena),
        })
    }

    /// Applies the rules for the type of an object to both sides of its change.
    fn findings_of_object(
        self,
        list: SectionKind,
        change: &ResourceChange<'a>,
    ) -> Vec<Finding<'a>> {
        let Some(finder) = self.finder else {
            return Vec::new();
        };
        let Some(subject) = self.subject(finder, list, change) else {
            return Vec::new();
        };
        let rules = finder.rules.of(subject.resource_type);
        let mut findings = findings::find(&subject, rules, self.comparer.redactor);
        meanings::remove_refuted(&mut findings, &subject);
        let edits = self.value_edits.edits;
        findings::add_of_models(&subject, edits, &mut findings, self.comparer.redactor);
        // A deposed object neither serves nor protects anything.
        let is_past = |finding: &Finding<'_>| {
            matches!(
                finding.kind,
                FindingKind::Downtime | FindingKind::Protection
            )
        };
        findings.retain(|finding| change.deposed.is_empty() || !is_past(finding));
        findings
    }

    /// Returns the edits of a part with their meanings. Without a finder, nothing is judged.
    fn meaning(&self, part: PlanPart<'_, 'a>, findings: &[Finding<'a>]) -> ObjectMeaning<'a> {
        let (edits, arena) = (self.value_edits.edits, self.comparer.redactor.arena);
        let Some(finder) = self.finder else {
            return ObjectMeaning {
                edits,
                own: Meaning::default(),
            };
        };
        let invocation = |action: &ActionInvocation<'a>| {
            let rules = finder.rules.of(&action.action_type);
            let findings = findings::of_action(self.value_edits.sides.after, rules);
            let directions = findings
                .iter()
                .filter(|finding| finding.origin != RuleOrigin::Found)
                .map(|finding| direction_of(finding.kind));
            let meaning = directions.map(Meaning::from).reduce(Meaning::with);
            meanings::of_invocation(
                edits,
                meaning.unwrap_or_else(|| Direction::Unjudged.into()),
                arena,
            )
        };
        let change = match part {
            PlanPart::Planned(change) | PlanPart::Drift(change) => change,
            PlanPart::Deferred(deferred) => &deferred.resource_change,
            PlanPart::Output(_, change) => {
                return meanings::of_output(edits, &change.actions, arena);
            }
            PlanPart::Invocation(action) => return invocation(action),
            PlanPart::DeferredInvocation(deferred) => {
                return invocation(&deferred.action_invocation);
            }
        };
        match self.subject(finder, list_of(part), change) {
            Some(subject) => {
                let actions = &change.change.actions;
                meanings::of_object(&subject, actions, edits, findings, finder, arena)
            }
            // Reading a data source changes nothing.
            None => meanings::of_invocation(edits, Direction::Same.into(), arena),
        }
    }

    /// Whether a rule looks at the type of a changed object, or at one of its attributes. True for objects that need no
    /// judgment.
    fn is_judged(self, change: &ResourceChange<'a>) -> bool {
        let is_changed = ObjectOutcome::from_action(&change.change.actions).is_some();
        let (Some(finder), true) = (self.finder, is_changed && &*change.mode != "data") else {
            return true;
        };
        let sides = [self.value_edits.sides.before, self.value_edits.sides.after];
        let rules = finder.rules.of(&change.resource_type);
        rules.iter().any(|rule| rule.judges(sides))
    }

    /// Returns the object as the last apply left it, if it changed outside of the tool since then and the plan changes
    /// it.
    fn left(
        self,
        finder: &RuleFinder<'_, 'a>,
        list: SectionKind,
        change: &ResourceChange<'a>,
    ) -> Option<MarkedValue<'w>> {
        let left = match list {
            SectionKind::Resources | SectionKind::Deferred => finder.left(change)?,
            SectionKind::Drift
            | SectionKind::Invocations
            | SectionKind::DeferredInvocations
            | SectionKind::Outputs => return None,
        };
        let value = self.comparer.build.parse(left.text()).ok()?;
        // What is sensitive now was sensitive then.
        Some(
            self.comparer
                .build
                .redact_like(value, self.value_edits.sides.before),
        )
    }

    /// Returns the entry of a resource instance object, without its edits and findings.
    fn object(self, change: &ResourceChange<'a>, keep_whole: bool) -> Result<Entry<'a>, Error> {
        let PartValues {
            comparer,
            value_edits,
            documents,
            ..
        } = self;
        let redactor = comparer.redactor;
        let value = |raw| Raw::value_or_null(raw, redactor.arena);
        let (before, after) = (value_edits.sides.before, value_edits.sides.after);
        let importing = change.change.importing.as_ref().map(|importing| {
            Ok::<_, Error>(Importing {
                id: Some(redactor.text(&importing.id)).filter(|id| !id.is_empty()),
                unknown: importing.unknown,
                identity: value(importing.identity)?,
            })
        });
        let mut entry = Entry {
            address: redactor.text(&change.address),
            previous_address: redactor.text(&change.previous_address),
            module_address: redactor.text(&change.module_address),
            mode: redactor.text(&change.mode),
            resource_type: redactor.text(&change.resource_type),
            name: redactor.text(&change.name),
            called: redactor.text(own_name(before, after)),
            index: value(change.index)?,
            deposed: redactor.text(&change.deposed),
            provider_name: redactor.text(&change.provider_name),
            identifiers: if change.is_managed() {
                let identifiers = identifiers::of_object(&change.resource_type, before).into_iter();
                identifiers.map(|text| redactor.text(text)).collect()
            } else {
                Vec::new()
            },
            action: change.change.actions.clone(),
            action_reason: redactor.text(&change.action_reason),
            importing: importing.transpose()?,
            is_generated: !change.change.generated_config.is_empty(),
            replace_paths: value_edits.replace_paths,
            unchanged: value_edits.unchanged,
            schema: value_edits.schema,
            access: access::find(
                &change.resource_type,
                value_edits.edits,
                (before, after),
                documents,
                redactor,
            ),
            whole: keep_whole.then(|| {
                // An equal element may be at another place before, and hidden there.
                let after = comparer.build.redact_like(after, before);
                (
                    comparer.copy_redacted_like(before, after),
                    comparer.copy_redacted_like(after, before),
                )
            }),
            ..Entry::default()
        };
        if change.change.actions.is_replace() {
            let is_changed =
                |name: &str| value_edits.edits.iter().any(|edit| root_name(edit) == name);
            // Firewall rules are shown as lines: their members do not say what the object is.
            let is_shown =
                |name: &str| is_changed(name) || access::is_rule(&change.resource_type, name);
            let elsewhere = Elsewhere {
                shows: &is_shown,
                says: &|_| false,
            };
            entry.replaced_with = summary(after, &entry, true, &elsewhere).items;
        }
        Ok(entry)
    }
}

/// The attributes by which objects are called, the most telling first.
const OWN_NAMES: [&str; 21] = [
    "bucket",
    "cluster_identifier",
    "replication_group_id",
    "identifier",
    "function_name",
    "role_name",
    "topic_name",
    "queue_name",
    "table_name",
    "domain_name",
    "alarm_name",
    "db_name",
    "family",
    "full_name",
    "name",
    "fqdn",
    "dataset_id",
    "instance_id",
    "repository",
    "domain",
    "title",
];

/// The longest text that serves as a name, in bytes.
const MAX_OWN_NAME: usize = 64;

/// Returns what an object itself is called; empty if it has no name that is known and not hidden.
fn own_name<'w>(before: MarkedValue<'w>, after: MarkedValue<'w>) -> &'w str {
    let name_in = |object: MarkedValue<'w>| {
        let metadata = object
            .get("metadata")
            .and_then(|metadata| metadata.as_array()?.first().copied());
        let inner = metadata.or_else(|| object.get("manifest")?.get("metadata"));
        let of_kubernetes = inner.and_then(|metadata| metadata.get("name"));
        of_kubernetes
            .into_iter()
            .chain(OWN_NAMES.iter().filter_map(|name| object.get(name)))
            .filter(|value| !value.is_hidden)
            .find_map(|value| {
                let text = value.as_str()?;
                let is_name = !text.is_empty()
                    && text.len() <= MAX_OWN_NAME
                    && !text.contains("://")
                    && !text.starts_with("arn:")
                    && !text.contains(char::is_control);
                is_name.then_some(text)
            })
    };
    name_in(before)
        .or_else(|| name_in(after))
        .unwrap_or_default()
}
