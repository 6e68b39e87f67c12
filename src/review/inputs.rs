//! Reads the results of checks and the input variables of a plan.
//!
//! Invariant: values of variables are kept only if the user requests them, and values of sensitive or undeclared
//! variables only if sensitive values are requested too.
//!
//! ```text
//! {"address": {"to_display": "check.health"}, "status": "fail", "instances": [{"problems": [{"message": "no answer"}]}]}
//!
//! Problem { address: "check.health", status: "fail", messages: ["no answer"] }
//! ```

use foldhash::fast::RandomState;
use serde::{Deserialize, Serialize};

use super::credentials::Known;
use super::masks::Masks;
use super::one_line;
use crate::diff::value::{Builder, MarkedValue, Redactor};
use crate::json::{self, Raw};
use crate::model::plan::Plan;

/// A problem that a check reports.
#[derive(Clone, Debug, Serialize)]
pub struct Problem {
    /// The address of the checked object.
    pub address: String,
    /// `fail`, `error` or `unknown`.
    pub status: String,
    /// The message, if there is one. It may have several lines.
    pub messages: Vec<String>,
}

impl Problem {
    /// Whether it is known that the check does not pass.
    pub fn is_failure(&self) -> bool {
        self.status != "unknown"
    }
}

/// Returns the checks of a plan that did not pass. A check that cannot be read counts as failed. Credentials in
/// messages are hidden unless `show_sensitive` is set.
pub fn checks(checks: Raw<'_>, show_sensitive: bool) -> Vec<Problem> {
    let read = |(index, check): (usize, &Raw<'_>)| match check.read::<Check>() {
        Ok(check) => problems(&check, show_sensitive),
        Err(error) => vec![unreadable(
            &format!("checks[{index}]"),
            "its result",
            &error,
        )],
    };
    match checks.read::<Vec<Raw<'_>>>() {
        Ok(checks) => checks.iter().enumerate().flat_map(read).collect(),
        Err(error) => vec![unreadable("checks", "their results", &error)],
    }
}

/// Returns the problem for a result that cannot be read.
fn unreadable(address: &str, results: &str, error: &json::Error) -> Problem {
    let message = format!("{results} in the plan cannot be read: {error}");
    problem(address, "error", &message)
}

/// Creates a problem with at most one message. All texts are on one line, because they are data of the plan.
fn problem(address: &str, status: &str, message: &str) -> Problem {
    let messages = if message.is_empty() {
        Vec::new()
    } else {
        vec![message.to_owned()]
    };
    Problem {
        address: one_line(address),
        status: one_line(status),
        messages,
    }
}

/// A check of the plan, as its JSON has it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Check {
    address: CheckAddress,
    status: String,
    instances: Vec<Instance>,
}

/// The address of the object with the check.
#[derive(Default, Deserialize)]
#[serde(default)]
struct CheckAddress {
    to_display: String,
}

/// The result of a check for one instance.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Instance {
    address: CheckAddress,
    status: String,
    problems: Vec<CheckProblem>,
}

/// The message about why a check did not pass.
#[derive(Default, Deserialize)]
#[serde(default)]
struct CheckProblem {
    message: String,
}

/// Returns the instances of a check that did not pass. If they do not explain its status, the check itself is a problem
/// too.
fn problems(check: &Check, show_sensitive: bool) -> Vec<Problem> {
    let shown = |message: &str| {
        let masked = Masks::default().text(message, None, Known::default());
        masked.filter(|_| !show_sensitive)
    };
    let mut problems = Vec::new();
    for instance in check
        .instances
        .iter()
        .filter(|instance| instance.status != "pass")
    {
        let address = &instance.address.to_display;
        if instance.problems.is_empty() {
            problems.push(problem(address, &instance.status, ""));
        }
        let messages = instance.problems.iter().map(|problem| &problem.message);
        problems.extend(messages.map(|message| {
            let shown = shown(message);
            problem(address, &instance.status, shown.as_ref().unwrap_or(message))
        }));
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

/// An input variable of the root module.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct InputVariable<'a> {
    /// The name.
    pub name: &'a str,
    /// Whether it is declared sensitive, or not declared.
    #[serde(rename = "sensitive")]
    pub is_sensitive: bool,
    /// Whether its value is the declared default.
    #[serde(rename = "default")]
    pub is_default: bool,
    /// The value: with --variables, and for a sensitive one also --show-sensitive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<MarkedValue<'a>>,
}

/// Returns the input variables of a plan, with values only where they may be shown.
pub(super) fn variables<'a>(
    plan: &Plan<'a>,
    redactor: Redactor<'a>,
    with_values: bool,
) -> Result<Vec<InputVariable<'a>>, json::Error> {
    let build = Builder::new(redactor.arena, redactor.arena.alloc(RandomState::default()));
    let value = |raw: Option<Raw<'a>>| build.parse(raw.map(Raw::text));
    let variables = plan.input_variables()?.into_iter().map(|variable| {
        let given = value(variable.value)?;
        let default = variable
            .declaration
            .map(|declaration| value(declaration.default))
            .transpose()?;
        let is_sensitive = variable.is_sensitive();
        let is_shown = with_values && (redactor.show_sensitive || !is_sensitive);
        Ok(InputVariable {
            name: redactor.text(&variable.name),
            is_sensitive,
            is_default: default == Some(given),
            value: is_shown.then_some(given),
        })
    });
    variables.collect()
}
