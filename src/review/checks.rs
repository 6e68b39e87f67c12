//! The results of checks in a plan.

use serde::Deserialize;

use super::{Problem, one_line};
use crate::json::{self, Raw, Str};

/// The problems in the `checks` of a plan. A check that cannot be read counts as failed.
pub fn read(checks: Raw<'_>) -> Vec<Problem> {
    if let Ok(checks) = checks.read::<Vec<Check<'_>>>() {
        return checks.iter().flat_map(problems).collect();
    }
    let read_each = |checks: Vec<Raw<'_>>| {
        let read = |(at, check): (usize, &Raw<'_>)| match check.read::<Check<'_>>() {
            Ok(check) => problems(&check),
            Err(error) => vec![unreadable(&format!("checks[{at}]"), &error)],
        };
        checks.iter().enumerate().flat_map(read).collect()
    };
    checks.read::<Vec<Raw<'_>>>().map_or_else(|error| vec![unreadable("checks", &error)], read_each)
}

fn unreadable(address: &str, error: &json::Error) -> Problem {
    let message = one_line(&format!("it cannot be read: {error}"));
    Problem { address: address.to_owned(), status: "error".to_owned(), message }
}

/// The results of one check.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Check<'a> {
    #[serde(borrow)]
    address: CheckAddress<'a>,
    #[serde(borrow)]
    status: Str<'a>,
    #[serde(borrow)]
    instances: Vec<Instance<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CheckAddress<'a> {
    #[serde(borrow)]
    to_display: Str<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Instance<'a> {
    #[serde(borrow)]
    address: CheckAddress<'a>,
    #[serde(borrow)]
    status: Str<'a>,
    #[serde(borrow)]
    problems: Vec<CheckProblem<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CheckProblem<'a> {
    #[serde(borrow)]
    message: Str<'a>,
}

fn problems(check: &Check<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut add = |address: &str, status: &str, message: &str| {
        let (address, status) = (one_line(address), one_line(status));
        problems.push(Problem { address, status, message: one_line(message) });
    };
    for instance in check.instances.iter().filter(|instance| &*instance.status != "pass") {
        let address = &*instance.address.to_display;
        if instance.problems.is_empty() {
            add(address, &instance.status, "");
        }
        instance.problems.iter().for_each(|problem| add(address, &instance.status, &problem.message));
    }
    // The instances may be missing, or not show why the check as a whole failed.
    let is_explained = match &*check.status {
        "pass" => true,
        "unknown" => !problems.is_empty(),
        _ => problems.iter().any(Problem::is_failure),
    };
    if !is_explained {
        let (address, status) = (one_line(&check.address.to_display), one_line(&check.status));
        problems.push(Problem { address, status, message: String::new() });
    }
    problems
}
