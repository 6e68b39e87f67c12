//! Gives the edits and entries of a review their meanings.
//!
//! [`of_object`] judges one object by its own values. [`complete`] adds what only the plan as a whole proves: what
//! nobody configured and the provider fills in, and what follows the change of another object.
//!
//! ```text
//! aws_ecs_service.api   task_definition: "…:41" -> (known after apply)    the direction of aws_ecs_task_definition.api
//! aws_lambda_function.a last_modified: "2026-…" -> (known after apply)    same: the provider fills it in
//! ```

use std::collections::{HashMap, HashSet};

use bumpalo::Bump;

use crate::diff::edits::{Edit, Inside};
use crate::diff::value::{Content, MarkedValue};
use crate::direction::{Direction, Directions, Meaning};
use crate::meaning::access;
use crate::meaning::judge::{self, Judgements};
use crate::meaning::{self, Judgement, ObjectChange, names};
use crate::model::Action;
use crate::report::SectionKind;
use crate::review::changes::Changes;
use crate::review::entry::{Entry, ExactEdits, Finding, FindingKind};
use crate::review::findings::{self, ObjectOutcome, RuleFinder, Subject};
use crate::review::paths::root_name;

/// How often references between changed objects are followed: chains in plans are short, and what is not reached stays
/// unknown.
const MAX_ROUNDS: usize = 8;

/// The meanings of an object and of its edits.
pub(super) struct ObjectMeaning<'a> {
    /// The edits, each with its meaning.
    pub(super) edits: &'a [Edit<'a>],
    /// What happens to the object besides its edits.
    pub(super) own: Meaning,
}

/// Judges the change of an object by its own values. `subject` has the object as rules see it.
pub(super) fn of_object<'w, 'a: 'w>(
    subject: &Subject<'_, 'w>,
    action: &Action,
    edits: &[Edit<'a>],
    findings: &[Finding<'a>],
    finder: &RuleFinder<'_, 'a>,
    arena: &'a Bump,
) -> ObjectMeaning<'a> {
    let rules = finder.rules.of(subject.resource_type);
    let change = ObjectChange {
        resource_type: subject.resource_type,
        before: subject.before,
        after: subject.after,
        documents: subject.documents,
    };
    let models = meaning::judge_access(&change);
    let mut attributes: HashSet<&str> = edits.iter().map(root_name).collect();
    // Rules look for the manifest of a Kubernetes object, also where only the object that was made of it is known.
    if attributes.contains("object") {
        attributes.insert("manifest");
    }
    let rows = findings::of_values(subject, rules, &attributes);
    let is_created = subject.before.is_null();
    let is_destroyed = subject.after.is_null();
    let mut whole = Directions::default();
    if is_created || is_destroyed {
        let mut of_destroyed = findings::of_whole(subject, rules);
        let of_models = judge::all(&models);
        let is_judged = models.iter().any(|judgement| judgement.place.is_empty());
        if of_destroyed.is_empty() && !is_judged {
            // What a grant lets in is for models to say; without them, its type says that it is one.
            let of_grant = match of_models {
                Some(_) => None,
                None => findings::of_grant(rules),
            };
            of_destroyed = of_grant
                .or_else(|| names::of_destroyed(subject.resource_type))
                .unwrap_or_default();
        }
        whole = match is_created {
            true => of_destroyed.reverse(),
            false => of_destroyed,
        };
        whole = whole.union(of_models.unwrap_or_default());
        let holds_credential = findings
            .iter()
            .any(|finding| finding.kind == FindingKind::Secret);
        if is_created && holds_credential {
            whole.insert(Direction::Wider);
        }
        if whole.is_empty() {
            whole.insert(match is_created {
                true => Direction::New,
                false => Direction::Gone,
            });
        }
    }
    let credentials: Vec<Vec<&str>> = findings
        .iter()
        .filter(|finding| finding.kind == FindingKind::Secret && !finding.path.is_empty())
        .map(|finding| judge::names_of(finding.path))
        .collect();
    let judgements = Judgements {
        resource_type: subject.resource_type,
        models: &models,
        rows: &rows,
        credentials: &credentials,
        whole: whole.into(),
    };
    ObjectMeaning {
        edits: judgements.judged(edits, arena),
        own: own(subject, action, whole, finder),
    }
}

/// Removes findings about access to an updated or replaced firewall that the comparison of all of its rules refutes:
/// the value is new, but its traffic passed before.
pub(super) fn remove_refuted(findings: &mut Vec<Finding<'_>>, subject: &Subject<'_, '_>) {
    let is_exposure = |finding: &Finding<'_>| finding.kind == FindingKind::Exposure;
    if subject.before.is_null() || subject.after.is_null() || !findings.iter().any(is_exposure) {
        return;
    }
    let change = ObjectChange {
        resource_type: subject.resource_type,
        before: subject.before,
        after: subject.after,
        documents: subject.documents,
    };
    let judgements = access::judge_firewall(&change);
    if judgements.is_empty() {
        return;
    }
    findings.retain(|finding| {
        let path = judge::names_of(finding.path);
        let refutes = |judgement: &Judgement<'_>| {
            path.starts_with(&judgement.place)
                && judgement.directions.iter().all(Direction::is_harmless)
        };
        !is_exposure(finding) || !judgements.iter().any(refutes)
    });
}

/// Returns what happens to an object besides its edits.
fn own(
    subject: &Subject<'_, '_>,
    action: &Action,
    whole: Directions,
    finder: &RuleFinder<'_, '_>,
) -> Meaning {
    let rules = finder.rules.of(subject.resource_type);
    let mut directions = whole;
    match subject.outcome {
        ObjectOutcome::Created | ObjectOutcome::Updated | ObjectOutcome::Destroyed => {}
        ObjectOutcome::DestroyedThenCreated | ObjectOutcome::CreatedThenDestroyed => {
            // The data of the old object goes, whatever the new one is like.
            let change = ObjectChange {
                resource_type: subject.resource_type,
                before: subject.before,
                after: subject.documents.build.null(),
                documents: subject.documents,
            };
            let of_models = judge::all(&meaning::judge_access(&change)).unwrap_or_default();
            let destroyed = findings::of_whole(subject, rules).union(of_models);
            if destroyed.contains(Direction::Loses) {
                directions.insert(Direction::Loses);
            }
            let is_down = subject.outcome == ObjectOutcome::DestroyedThenCreated;
            if destroyed.contains(Direction::Stops) && is_down {
                directions.insert(Direction::Stops);
            }
        }
        ObjectOutcome::Forgotten => directions.insert(Direction::Gone),
        ObjectOutcome::Unknown => directions.insert(Direction::Unjudged),
    }
    if matches!(action, Action::Unknown(_)) {
        directions.insert(Direction::Unjudged);
    }
    directions.into()
}

/// Returns what the change of an output means: others read it.
pub(super) fn of_output<'a>(
    edits: &[Edit<'a>],
    action: &Action,
    arena: &'a Bump,
) -> ObjectMeaning<'a> {
    let whole: Meaning = match action {
        Action::Create => Direction::New.into(),
        Action::Delete => Direction::Gone.into(),
        Action::NoOp
        | Action::Read
        | Action::Update
        | Action::DeleteThenCreate
        | Action::CreateThenDelete
        | Action::Forget
        | Action::ForgetThenCreate
        | Action::CreateThenForget
        | Action::Open
        | Action::Unknown(_) => Direction::Another.into(),
    };
    let judgements = Judgements {
        resource_type: "",
        models: &[],
        rows: &[],
        credentials: &[],
        whole,
    };
    let edits = judgements.judged(edits, arena).iter().map(|edit| Edit {
        // Whoever reads the output gets another value: nobody here knows what they do with it.
        meaning: if edit.meaning.direction() == Direction::Unjudged {
            Direction::Another.into()
        } else {
            edit.meaning
        },
        ..*edit
    });
    let edits: Vec<Edit<'a>> = edits.collect();
    ObjectMeaning {
        edits: arena.alloc_slice_copy(&edits),
        own: Meaning::default(),
    }
}

/// Returns the edits of an action's configuration, each with the meaning of the invocation.
pub(super) fn of_invocation<'a>(
    edits: &[Edit<'a>],
    invocation: Meaning,
    arena: &'a Bump,
) -> ObjectMeaning<'a> {
    let judgements = Judgements {
        resource_type: "",
        models: &[],
        rows: &[],
        credentials: &[],
        whole: invocation,
    };
    ObjectMeaning {
        edits: judgements.judged(edits, arena),
        own: invocation,
    }
}

/// Decides what the values of the objects alone do not decide, and sets the meaning of each entry.
///
/// `configured` returns the attributes that the configuration of an entry gives; `None` if its configuration is not in
/// the plan.
pub(super) fn complete<'a>(
    changes: &mut Changes<'a>,
    configured: &dyn Fn(&Entry<'a>) -> Option<HashSet<String>>,
    selected_tags: &SelectedTags,
    arena: &'a Bump,
) {
    for entry in &mut changes.resources {
        let needs_configuration =
            entry.exact_edits.exact().iter().any(|edit| {
                may_be_computed(edit) || may_be_default(edit) || is_created_unknown(edit)
            });
        let configured = needs_configuration.then(|| configured(entry)).flatten();
        let is_tag_read = |path: &[&str]| {
            names::tag_key(entry.resource_type, path).is_some_and(|key| selected_tags.contains(key))
        };
        let unchanged = entry.exact_edits.exact();
        let edits = changed(unchanged, arena, &|edit, path| {
            let is_given = configured
                .as_ref()
                .is_none_or(|names| path.first().is_none_or(|name| names.contains(*name)));
            if (may_be_computed(edit) || may_be_default(edit)) && !is_given {
                return Some(Direction::Same.into());
            }
            if is_created_unknown(edit)
                && let Some(names) = &configured
            {
                return without_computed_policy(edit, names);
            }
            let is_words = edit.meaning.direction() == Direction::Words;
            (is_words && is_tag_read(path)).then(|| Direction::Another.into())
        });
        let is_computed = unchanged.iter().any(|edit| {
            let names = configured.as_ref().filter(|_| is_created_unknown(edit));
            names.is_some_and(|names| without_computed_policy(edit, names).is_some())
        });
        if is_computed {
            entry.own_meaning.directions.remove(Direction::Unknown);
        }
        entry.exact_edits = ExactEdits::new(edits);
    }
    hand_over(&mut changes.resources, arena);
    for kind in [
        SectionKind::Resources,
        SectionKind::Drift,
        SectionKind::Deferred,
        SectionKind::Outputs,
        SectionKind::Invocations,
        SectionKind::DeferredInvocations,
    ] {
        for entry in changes.list_mut(kind) {
            entry.meaning = of_entry(entry);
        }
    }
    follow_references(&mut changes.resources, arena);
}

/// Marks created and destroyed objects as the same whose access another object of the plan gives up or takes over.
fn hand_over<'a>(entries: &mut [Entry<'a>], arena: &'a Bump) {
    let mut places = Vec::new();
    let mut wholes = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let [edit] = entry.exact_edits.exact() else {
            continue;
        };
        let (value, is_created) = match (edit.before, edit.after) {
            (None, Some(after)) if edit.path.is_empty() => (after, true),
            (Some(before), None) if edit.path.is_empty() => (before, false),
            _ => continue,
        };
        places.push(index);
        wholes.push(access::Whole {
            resource_type: entry.resource_type,
            value,
            is_created,
        });
    }
    let handed = access::handed_over(&wholes);
    for (index, _) in places
        .into_iter()
        .zip(handed)
        .filter(|(_, is_handed)| *is_handed)
    {
        if let Some(entry) = entries.get_mut(index) {
            let same: Meaning = Direction::Same.into();
            entry.own_meaning = same;
            let edits = changed(entry.exact_edits.exact(), arena, &|_, _| Some(same));
            entry.exact_edits = ExactEdits::new(edits);
        }
    }
}

/// Whether an edit may show nothing but what the provider fills in: its new value is known only after apply.
fn may_be_computed(edit: &Edit<'_>) -> bool {
    edit.meaning.direction() == Direction::Unknown
        && edit.after.is_some_and(MarkedValue::is_unknown)
}

/// Whether an edit is an object that is created, of which something that decides is known only after apply.
fn is_created_unknown(edit: &Edit<'_>) -> bool {
    edit.path.is_empty()
        && edit.before.is_none()
        && edit.meaning.directions.contains(Direction::Unknown)
}

/// Returns the meaning of an object that is created with a policy that only the provider writes, such as that of a key;
/// `None` if what is not known may be what is configured.
fn without_computed_policy(edit: &Edit<'_>, configured: &HashSet<String>) -> Option<Meaning> {
    let members = edit.after?.as_object()?;
    let is_given = members
        .iter()
        .any(|(name, value)| value.has_unknown() && configured.contains(*name));
    if is_given {
        return None;
    }
    let mut directions = edit.meaning.directions;
    directions.remove(Direction::Unknown);
    if directions.is_empty() {
        directions.insert(Direction::New);
    }
    Some(directions.into())
}

/// Whether an edit may show nothing but a default of the provider: one side has no value, and the other one has a value
/// that providers write for none.
fn may_be_default(edit: &Edit<'_>) -> bool {
    let is_default = |side: Option<MarkedValue<'_>>| {
        side.is_some_and(|value| match value.content {
            Content::Bool(value) => !value,
            Content::Number(text) => text == "0",
            Content::String(text) => DEFAULTS.contains(&text),
            Content::Null
            | Content::Unknown
            | Content::Redacted
            | Content::Array(_)
            | Content::Object(_) => false,
        })
    };
    let is_none = |side: Option<MarkedValue<'_>>| side.is_none_or(MarkedValue::is_empty);
    edit.path.len() == 1
        && (is_none(edit.before) && is_default(edit.after)
            || is_default(edit.before) && is_none(edit.after))
}

/// The texts that providers write where nothing is configured.
const DEFAULTS: [&str; 5] = ["STANDARD", "Standard", "default", "Default", "DEFAULT"];

/// Gives edits that refer to other changed objects the direction of that object's change.
fn follow_references<'a>(entries: &mut [Entry<'a>], arena: &'a Bump) {
    let waiting: Vec<usize> = (0..entries.len())
        .filter(|index| {
            let entry = &entries[*index];
            !entry.causes.is_empty() && entry.exact_edits.exact().iter().any(may_be_computed)
        })
        .collect();
    if waiting.is_empty() {
        return;
    }
    for _ in 0..MAX_ROUNDS {
        let by_address: HashMap<&'a str, Meaning> = entries
            .iter()
            .map(|entry| (entry.address, entry.meaning))
            .collect();
        let mut has_changed = false;
        for index in &waiting {
            let entry = &mut entries[*index];
            let causes = std::mem::take(&mut entry.causes);
            let followed = changed(entry.exact_edits.exact(), arena, &|edit, _| {
                if !may_be_computed(edit) {
                    return None;
                }
                let name = root_name(edit);
                causes
                    .iter()
                    .filter(|cause| cause.attribute == name)
                    .filter_map(|cause| by_address.get(cause.address).copied())
                    .reduce(Meaning::with)
            });
            entry.causes = causes;
            let is_same = entry
                .exact_edits
                .exact()
                .iter()
                .zip(followed)
                .all(|(old, new)| old.meaning == new.meaning);
            if !is_same {
                entry.exact_edits = ExactEdits::new(followed);
                entry.meaning = of_entry(entry);
                has_changed = true;
            }
        }
        if !has_changed {
            return;
        }
    }
}

/// Returns the meaning of an entry: of what happens to it as a whole, and of its outermost edits.
fn of_entry(entry: &Entry<'_>) -> Meaning {
    let edits = entry.exact_edits.exact().iter().map(|edit| edit.meaning);
    let mut meaning = edits.fold(entry.own_meaning, Meaning::with);
    if entry.is_moved() {
        meaning.directions.insert(Direction::Moved);
    }
    if meaning.directions.is_empty() {
        let is_known = !matches!(entry.action, Action::Unknown(_));
        meaning = match is_known {
            true => Direction::Same.into(),
            false => Direction::Unjudged.into(),
        };
    }
    meaning
}

/// Returns the edits with other meanings, for those for which `meaning` returns one. It receives an edit and the names
/// that lead to it.
fn changed<'a>(
    edits: &'a [Edit<'a>],
    arena: &'a Bump,
    meaning: &dyn Fn(&Edit<'a>, &[&'a str]) -> Option<Meaning>,
) -> &'a [Edit<'a>] {
    let mut changed: Option<Vec<Edit<'a>>> = None;
    for (index, edit) in edits.iter().enumerate() {
        let path: Vec<&'a str> = judge::names_of(edit.path);
        if let Some(meaning) = meaning(edit, &path) {
            let copy = changed.get_or_insert_with(|| edits.to_vec());
            if let Some(copied) = copy.get_mut(index) {
                copied.meaning = meaning;
                copied.inside = copied.inside.map(|inside| {
                    let inner: Vec<Edit<'a>> = inside
                        .edits
                        .iter()
                        .map(|inner| Edit { meaning, ..*inner })
                        .collect();
                    &*arena.alloc(Inside {
                        format: inside.format,
                        edits: arena.alloc_slice_copy(&inner),
                    })
                });
            }
        }
    }
    changed.map_or(edits, |changed| arena.alloc_slice_copy(&changed))
}

/// The keys of tags that something in the plan selects objects by: such tags are not words for people alone.
#[derive(Debug, Default)]
pub(super) struct SelectedTags {
    keys: HashSet<String>,
}

impl SelectedTags {
    /// Finds the keys in the text of a plan: `aws:ResourceTag/KEY`, `tag:KEY`.
    ///
    /// Where the text only looks like a selector, a tag counts as read, which is the graver answer.
    pub(super) fn of_text(text: &str) -> Self {
        let mut keys = HashSet::new();
        for mark in ["Tag/", "tag:", "matchTag("] {
            for offset in memchr::memmem::find_iter(text.as_bytes(), mark.as_bytes()) {
                let rest = text.get(offset + mark.len()..).unwrap_or_default();
                let key: String = rest
                    .chars()
                    .take_while(|c| {
                        !matches!(c, '"' | '\\' | '\'' | ')' | ',') && !c.is_whitespace()
                    })
                    .take(128)
                    .collect();
                if !key.is_empty() {
                    keys.insert(key);
                }
            }
        }
        Self { keys }
    }

    /// Whether tags with this key are selected; with an empty key, whether any are.
    fn contains(&self, key: &str) -> bool {
        if key.is_empty() {
            !self.keys.is_empty()
        } else {
            self.keys.contains(key)
        }
    }
}
