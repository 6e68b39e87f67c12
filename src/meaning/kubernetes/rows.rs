//! Judges an object by the rows of its kind.

use super::fact::Fact;
use super::kinds::{ANNOTATIONS, CONTAINER, CONTAINERS, LABELS, POD, ROWS, WHOLE};
use super::locate::{Kind, Object};
use super::part::Part;
use super::remark::Remark;
use crate::direction::{Direction, Directions};

/// Labels and annotations that people read, and tools that deploy write, by their keys or the last parts of them.
const PROSE: [&str; 16] = [
    "owner",
    "team",
    "contact",
    "description",
    "documentation",
    "cost-center",
    "costcenter",
    "helm.sh/chart",
    "app.kubernetes.io/version",
    "app.kubernetes.io/managed-by",
    "meta.helm.sh/release-name",
    "meta.helm.sh/release-namespace",
    "repository",
    "runbook",
    "slack",
    "link",
];

/// Returns what the rows say of an object.
pub(super) fn judge<'w>(object: &Object<'w>) -> Vec<Remark<'w>> {
    let part = &object.part;
    let is_update = part.before.is_present() && part.after.is_present();
    let mut remarks = Vec::new();
    for row in ROWS.iter().filter(|row| object.kind.is_one_of(row.kinds)) {
        apply(part, row.path, row.fact, is_update, &mut remarks);
    }
    if let Some(pod) = pod(object) {
        judge_pod(&pod, is_update, &mut remarks);
    }
    judge_metadata(object, is_update, &mut remarks);
    remarks
}

/// Returns what an object means that comes or goes as a whole; `None` for a kind that is not known.
pub(super) fn whole(object: &Object<'_>) -> Option<Directions> {
    let (_, comes) = WHOLE
        .iter()
        .find(|(kinds, _)| object.kind.is_one_of(kinds))?;
    let is_new = object.part.after.is_present();
    Some(if is_new { *comes } else { comes.reverse() }.into())
}

impl Kind<'_> {
    /// Whether the kind is in a list with `|` between its elements, each of which may have a group after `@`.
    pub(super) fn is_one_of(&self, kinds: &str) -> bool {
        kinds.split('|').any(|kind| {
            let (name, group) = match kind.split_once('@') {
                Some((name, group)) => (name, Some(group)),
                None => (kind, None),
            };
            (name == "*" || name == self.name) && group.is_none_or(|group| group == self.group)
        })
    }
}

/// Applies a fact to the values at a path. Of an object that comes or goes, only what it opens counts: the rest is what
/// the object is.
fn apply<'w>(
    part: &Part<'w>,
    path: &str,
    fact: Fact,
    is_update: bool,
    remarks: &mut Vec<Remark<'w>>,
) {
    if !is_update && fact.up() != Direction::Wider {
        return;
    }
    for part in resolved(part, path, fact) {
        apply_here(&part, fact, is_update, remarks);
    }
}

/// Returns the parts at a path. Elements that come or go have a row of their own, so in them only what they open counts.
fn resolved<'w>(part: &Part<'w>, path: &str, fact: Fact) -> Vec<Part<'w>> {
    let mut parts = vec![part.clone()];
    let steps: Vec<&str> = steps(path);
    for (index, step) in steps.iter().enumerate() {
        let is_last = index + 1 == steps.len();
        parts = parts
            .iter()
            .flat_map(|part| stepped(part, step, is_last))
            .collect();
        if step.ends_with(']') && fact.up() != Direction::Wider {
            parts.retain(|part| part.before.is_present() == part.after.is_present());
        }
    }
    parts
}

/// Splits a path at the dots outside of brackets.
fn steps(path: &str) -> Vec<&str> {
    let (mut steps, mut start, mut is_inside) = (Vec::new(), 0, false);
    for (offset, character) in path.char_indices() {
        match character {
            '[' => is_inside = true,
            ']' => is_inside = false,
            '.' if !is_inside => {
                steps.extend(path.get(start..offset));
                start = offset + 1;
            }
            _ => {}
        }
    }
    steps.extend(path.get(start..));
    steps
}

/// Returns the parts one step below. The last step takes lists as they are.
fn stepped<'w>(part: &Part<'w>, step: &str, is_last: bool) -> Vec<Part<'w>> {
    if step == "*" {
        return part.entries();
    }
    if let Some((name, identity)) = step.strip_suffix(']').and_then(|step| step.split_once('[')) {
        let identity: Vec<&str> = match identity {
            "" => vec!["name"],
            "*" => Vec::new(),
            names => names.split('|').collect(),
        };
        return part
            .list(name)
            .map(|list| list.elements(&identity))
            .unwrap_or_default();
    }
    let found = if is_last {
        part.list(step).map(|part| part.unblocked())
    } else {
        part.at(step)
    };
    found.into_iter().collect()
}

/// Returns the specification of the pods of an object.
fn pod<'w>(object: &Object<'w>) -> Option<Part<'w>> {
    let path = match &*object.kind.name {
        "pod" => "spec",
        "cronjob" => "spec.jobTemplate.spec.template.spec",
        "deployment"
        | "statefulset"
        | "daemonset"
        | "replicaset"
        | "replicationcontroller"
        | "rollout"
        | "job" => "spec.template.spec",
        _ => return None,
    };
    object.part.at(path)
}

/// Judges the specification of pods.
fn judge_pod<'w>(pod: &Part<'w>, is_update: bool, remarks: &mut Vec<Remark<'w>>) {
    for (path, fact) in POD {
        apply(pod, path, *fact, is_update, remarks);
    }
    for name in CONTAINERS {
        let Some(list) = pod.list(name).filter(|list| !list.is_same()) else {
            continue;
        };
        for container in list.elements(&["name"]) {
            let is_both = container.before.is_present() && container.after.is_present();
            for (path, fact) in CONTAINER {
                // A probe that comes or goes is more than what it consists of.
                if let Some((probe, _)) = path.split_once('.')
                    && probe.ends_with("Probe")
                    && container.before.get(probe).is_present()
                        != container.after.get(probe).is_present()
                {
                    continue;
                }
                apply(&container, path, *fact, is_update && is_both, remarks);
            }
            if is_update && !is_both {
                remarks.push(list.means(Direction::Another));
            }
        }
    }
}

/// Judges the labels and annotations of an object and of its pods.
fn judge_metadata<'w>(object: &Object<'w>, is_update: bool, remarks: &mut Vec<Remark<'w>>) {
    for (path, is_selected) in [
        ("metadata", object.kind.name == "namespace"),
        ("spec.template.metadata", true),
        ("spec.jobTemplate.spec.template.metadata", true),
    ] {
        let Some(metadata) = object.part.at(path) else {
            continue;
        };
        for label in metadata
            .list("labels")
            .map(|labels| labels.entries())
            .unwrap_or_default()
        {
            let key = label.place.last().copied().unwrap_or_default();
            let row = LABELS
                .iter()
                .find(|(kind, own, _)| *own == key && *kind == object.kind.name);
            if let Some((_, _, fact)) = row {
                apply_here(&label, *fact, is_update, remarks);
            } else if is_selected && is_update && !label.is_same() {
                // Selectors of other objects read them.
                remarks.push(label.means(if is_prose(key) {
                    Direction::Words
                } else {
                    Direction::Another
                }));
            }
        }
        let annotations = metadata
            .list("annotations")
            .map(|annotations| annotations.entries());
        for annotation in annotations.unwrap_or_default() {
            let key = annotation.place.last().copied().unwrap_or_default();
            if let Some((_, fact)) = ANNOTATIONS.iter().find(|(own, _)| *own == key) {
                apply_here(&annotation, *fact, is_update, remarks);
            } else if is_update && !annotation.is_same() {
                // A key with a domain is one that a controller may read.
                let is_read = key.contains('/') && !is_prose(key);
                remarks.push(annotation.means(if is_read {
                    Direction::Another
                } else {
                    Direction::Words
                }));
            }
        }
    }
}

/// Applies a fact to a value.
fn apply_here<'w>(part: &Part<'w>, fact: Fact, is_update: bool, remarks: &mut Vec<Remark<'w>>) {
    let Some(remark) = fact.says(part) else {
        return;
    };
    let opened = if part.after.is_present() {
        Direction::Wider
    } else {
        Direction::Narrower
    };
    if is_update || fact.up() == Direction::Wider && remark.directions().contains(opened) {
        remarks.push(remark);
    }
}

/// Whether people read a label or annotation.
fn is_prose(key: &str) -> bool {
    let last = key.rsplit_once('/').map_or(key, |(_, last)| last);
    PROSE.contains(&key) || PROSE.contains(&last)
}
