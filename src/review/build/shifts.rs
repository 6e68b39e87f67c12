//! Finds shifts of `count`: instances that get the values of their neighbors, because one was removed or inserted
//! before them.
//!
//! Invariants: at least two instances get what the next one (or the previous one) had, in all attributes that change
//! and are known; and the last one is destroyed (or created). A shift proves nothing about intent, so it changes no
//! count and no finding.
//!
//! ```text
//! aws_route53_zone.z[1]   name: bar -> carol
//! aws_route53_zone.z[2]   name: carol -> dave
//! aws_route53_zone.z[3]   is destroyed, name was dave
//!
//! Reason { code: "shifted", text: "gets what aws_route53_zone.z[2] has: looks like a shift of `count`" }
//! ```

use std::collections::HashMap;

use crate::diff::edits::{Edit, Path, Step};
use crate::diff::value::MarkedValue;
use crate::json::Value;
use crate::model::Action;
use crate::review::entry::{Entry, Reason, reason_codes};

/// The minimum number of instances that must get the values of their neighbors.
const MIN_SHIFTED: usize = 2;

/// The indices of the entries of a resource with `count`, by the number of the instance.
type Instances = HashMap<i64, usize>;

/// Finds shifts among the instances of each resource with `count`, in both directions, and adds a reason to each
/// shifted entry.
pub(super) fn add(resources: &mut [Entry<'_>]) {
    let mut counted: HashMap<[&str; 3], Instances> = HashMap::new();
    for (index, entry) in resources.iter().enumerate() {
        if let (Value::Number(number), "") = (entry.index, entry.deposed)
            && let Ok(number) = number.parse()
        {
            let resource = [entry.module_address, entry.resource_type, entry.name];
            counted.entry(resource).or_default().insert(number, index);
        }
    }
    let mut shifted: Vec<(usize, usize)> = Vec::new();
    for instances in counted.values() {
        for step in [1, -1] {
            shifted.extend(shift(resources, instances, step));
        }
    }
    for (index, neighbour) in shifted {
        let neighbour = resources[neighbour].address;
        resources[index].reasons.push(Reason {
            code: reason_codes::SHIFTED.to_owned(),
            text: format!("gets what {neighbour} has: looks like a shift of `count`"),
        });
    }
}

/// Returns the entries that get the values of the instance whose number is `step` higher, each with the entry of that
/// instance. Empty if this is no shift.
fn shift(entries: &[Entry<'_>], instances: &Instances, step: i64) -> Vec<(usize, usize)> {
    let (Some(first), Some(last)) = (instances.keys().min(), instances.keys().max()) else {
        return Vec::new();
    };
    // The instance that is left over is destroyed at the end, or one is created there for values that move up.
    let is_end = |entry: &Entry<'_>| match step {
        1 => entry.action == Action::Delete,
        _ => entry.action == Action::Create,
    };
    if !instances
        .get(last)
        .is_some_and(|index| is_end(&entries[*index]))
    {
        return Vec::new();
    }
    let mut shifted = Vec::new();
    for number in *first..=*last {
        let pair = instances.get(&number).zip(instances.get(&(number + step)));
        let Some((index, neighbour)) = pair else {
            continue;
        };
        match gets_values(&entries[*index], &entries[*neighbour]) {
            Some(true) => shifted.push((*index, *neighbour)),
            Some(false) => return Vec::new(),
            None => {}
        }
    }
    if shifted.len() < MIN_SHIFTED {
        shifted.clear();
    }
    shifted
}

/// Whether everything that changes in an entry and is known is what its neighbor had; `None` if nothing says so.
fn gets_values(entry: &Entry<'_>, neighbour: &Entry<'_>) -> Option<bool> {
    if entry.action != Action::Update && !entry.action.is_replace() {
        return None;
    }
    let mut is_equal = None;
    for edit in entry.exact_edits.exact() {
        let (Some(after), Some(names)) = (edit.after, names(edit.path)) else {
            continue;
        };
        if after.is_hidden || after.has_unknown() || after.is_null() {
            continue;
        }
        let had = value_before(neighbour.exact_edits.exact(), &names)?;
        if had.hash_value() != after.hash_value() {
            return Some(false);
        }
        is_equal = Some(true);
    }
    is_equal
}

/// Returns the names of a path; `None` if it leads into a list or a document.
fn names<'a>(path: Path<'a>) -> Option<Vec<&'a str>> {
    let mut names = Vec::new();
    let mut rest = path;
    while let Some(step) = rest.last() {
        let Step::Name(name) = step else { return None };
        names.push(name);
        rest = rest.parent()?;
    }
    names.reverse();
    (!names.is_empty()).then_some(names)
}

/// Returns the value that an attribute had. A destroyed object has all its values in one edit.
fn value_before<'a>(edits: &[Edit<'a>], wanted: &[&str]) -> Option<MarkedValue<'a>> {
    for edit in edits {
        let Some(before) = edit.before else { continue };
        if edit.path.is_empty() {
            return wanted
                .iter()
                .try_fold(before, |value, name| value.get(name));
        }
        if names(edit.path).as_deref() == Some(wanted) {
            return Some(before);
        }
    }
    None
}
