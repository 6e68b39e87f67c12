//! The results of checks in a plan.

use serde::Deserialize;

use super::{Problem, one_line};
use crate::json::{self, Raw, Str};

/// Parses the problems in the `checks` of a plan.
pub fn read(checks: Raw<'_>) -> Result<Vec<Problem>, json::Error> {
    Ok(problems(&checks.read::<Vec<Check<'_>>>()?))
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

fn problems(checks: &[Check<'_>]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut add = |address: &str, status: &str, message: &str| {
        let (address, status) = (one_line(address), one_line(status));
        problems.push(Problem { address, status, message: one_line(message) });
    };
    for check in checks {
        if check.instances.is_empty() && &*check.status != "pass" {
            add(&check.address.to_display, &check.status, "");
        }
        for instance in check.instances.iter().filter(|instance| &*instance.status != "pass") {
            let address = &*instance.address.to_display;
            if instance.problems.is_empty() {
                add(address, &instance.status, "");
            }
            instance.problems.iter().for_each(|problem| add(address, &instance.status, &problem.message));
        }
    }
    problems
}
