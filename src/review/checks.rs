//! The results of checks in a plan.

use serde::Deserialize;

use super::{Problem, one_line};
use crate::json::{self, Raw};

/// The problems in the `checks` of a plan. A check that cannot be read counts as failed.
pub fn read(checks: Raw<'_>) -> Vec<Problem> {
    let read = |(at, check): (usize, &Raw<'_>)| match check.read::<Check>() {
        Ok(check) => problems(&check),
        Err(error) => vec![unreadable(&format!("checks[{at}]"), &error)],
    };
    match checks.read::<Vec<Raw<'_>>>() {
        Ok(checks) => checks.iter().enumerate().flat_map(read).collect(),
        Err(error) => vec![unreadable("checks", &error)],
    }
}

fn unreadable(address: &str, error: &json::Error) -> Problem {
    problem(address, "error", &format!("it cannot be read: {error}"))
}

fn problem(address: &str, status: &str, message: &str) -> Problem {
    let messages = if message.is_empty() { Vec::new() } else { vec![one_line(message)] };
    Problem { address: one_line(address), status: one_line(status), messages }
}

/// The results of one check.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Check {
    address: CheckAddress,
    status: String,
    instances: Vec<Instance>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CheckAddress {
    to_display: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Instance {
    address: CheckAddress,
    status: String,
    problems: Vec<CheckProblem>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CheckProblem {
    message: String,
}

fn problems(check: &Check) -> Vec<Problem> {
    let mut problems = Vec::new();
    for instance in check.instances.iter().filter(|instance| instance.status != "pass") {
        let address = &instance.address.to_display;
        if instance.problems.is_empty() {
            problems.push(problem(address, &instance.status, ""));
        }
        let messages = instance.problems.iter().map(|problem| &problem.message);
        problems.extend(messages.map(|message| problem(address, &instance.status, message)));
    }
    // The instances may be missing, or not show why the check as a whole failed.
    let is_explained = match check.status.as_str() {
        "pass" => true,
        "unknown" => !problems.is_empty(),
        _ => problems.iter().any(Problem::is_failure),
    };
    if !is_explained {
        problems.push(problem(&check.address.to_display, &check.status, ""));
    }
    problems
}
