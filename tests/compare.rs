//! Comparing two plans: equal plans are reported as equal, every difference is found and classified, and no
//! sensitive value is shown.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "JSON values without members"
)]

mod attack;
mod cases;
mod command;
mod exclusion;
mod good_applies;
mod hostile;
mod permuted;
mod random_changes;
mod result_secrets;
mod results;
mod running;
mod strictness;
mod unknown;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use bumpalo::Bump;
use serde_json::Value;
use tfview::internals::compare::fingerprint::{Basis, Fingerprint};

use tfview::internals::compare::{
    self, Class, Comparison, Options, Run, RunSide, Side, StateSide, Verdict, compare_run,
    compare_state, formats,
};
use tfview::internals::diff::parallel::Storage;
use tfview::internals::model::plan::Plan;
use tfview::internals::model::state::StateDocument;
use tfview::internals::report::{self, Budget, Layout, PageOptions};
use tfview::internals::schema::Schemas;
use tfview::internals::term::CiSystem;
use tfview::internals::term::ci::CiLog;

/// The result of a comparison in all formats.
#[derive(Debug)]
pub(crate) struct Outcome {
    verdict: Verdict,
    classes: Vec<Class>,
    /// Subject, address and path of each difference.
    places: BTreeSet<String>,
    pub(crate) terminal: String,
    /// The text with colours, with the folds of GitHub Actions.
    in_ci: String,
    pub(crate) markdown: String,
    pub(crate) json: String,
    pub(crate) html: String,
}

impl Outcome {
    fn all(&self) -> [&str; 5] {
        [
            &self.terminal,
            &self.in_ci,
            &self.markdown,
            &self.json,
            &self.html,
        ]
    }
}

pub(crate) fn compare(
    approved: &str,
    now: &str,
    schema: Option<&str>,
    options: &Options,
) -> Outcome {
    with_comparison(approved, now, schema, options, outcome)
}

/// The verdict and the text of a comparison, without the other formats.
fn verdict_of(approved: &str, now: &str, schema: Option<&str>) -> (Verdict, String) {
    with_comparison(approved, now, schema, &Options::default(), |comparison| {
        let text = terminal_of(&formats::report(comparison), None);
        (comparison.verdict(), text)
    })
}

fn with_comparison<R>(
    approved: &str,
    now: &str,
    schema: Option<&str>,
    options: &Options,
    look: impl FnOnce(&Comparison<'_>) -> R,
) -> R {
    let mut schemas = Schemas::new();
    if let Some(schema) = schema {
        schemas.add(schema).unwrap();
    }
    let (arena, mut storage) = (Bump::new(), Storage::default());
    let (old, new): (Plan<'_>, Plan<'_>) = (plan(approved), plan(now));
    let side = |name, text, plan| Side {
        name,
        text,
        plan,
        schemas: &schemas,
    };
    let (old, new) = (
        side("approved.json", approved, &old),
        side("now.json", now, &new),
    );
    let comparison = compare::compare(old, new, options, &arena, &mut storage).unwrap();
    look(&comparison)
}

/// Compares a plan with its result: a state if `result` is one JSON document, otherwise the messages of a
/// run.
pub(crate) fn compare_result(
    planned: &str,
    result: &str,
    schema: Option<&str>,
    options: &Options,
) -> Result<Outcome, String> {
    let mut schemas = Schemas::new();
    if let Some(schema) = schema {
        schemas.add(schema).unwrap();
    }
    let (arena, mut storage) = (Bump::new(), Storage::default());
    let old = plan(planned);
    let side = Side {
        name: "plan.json",
        text: planned,
        plan: &old,
        schemas: &schemas,
    };
    let comparison = if serde_json::from_str::<Value>(result)
        .is_ok_and(|value| value.get("@level").is_none())
    {
        let state: StateDocument<'_> = tfview::internals::json::from_str(result).unwrap();
        let state = StateSide {
            name: "state.json",
            text: result,
            state: &state,
        };
        compare_state(side, state, options, &arena, &mut storage)
            .map_err(|error| error.to_string())?
    } else {
        let run = Run::parse(result).map_err(|error| error.to_string())?;
        let run = RunSide {
            name: "apply.jsonl",
            text: result,
            run: &run,
        };
        compare_run(side, run, options, &arena, &mut storage).map_err(|error| error.to_string())?
    };
    Ok(outcome(&comparison))
}

/// The text of a report, with colours in the log of a CI system.
fn terminal_of(report: &report::Report<'_>, log: Option<CiLog>) -> String {
    let layout = Layout {
        width: 100,
        wraps: false,
        links: false,
        fingerprint: false,
    };
    let mut text = Vec::new();
    report::terminal(report, layout, log.is_some(), log, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn outcome(comparison: &Comparison<'_>) -> Outcome {
    let mut document = formats::report(comparison);
    let terminal = terminal_of(&document, None);
    let log = CiLog {
        system: CiSystem::GitHub,
        time: 0,
    };
    let in_ci = terminal_of(&document, Some(log));
    let (mut json, mut html) = (Vec::new(), Vec::new());
    formats::json(comparison, &[], &mut json).unwrap();
    let page = PageOptions {
        shows_sensitive: comparison.show_sensitive,
        ..PageOptions::default()
    };
    report::page(&document, &page, &mut html).unwrap();
    let markdown = report::markdown(&mut document, Budget::default());
    let json = String::from_utf8(json).unwrap();
    crate::json_schema::validate("diff", &json, "a comparison");
    let document: Value = serde_json::from_str(&json).unwrap();
    let places = document["differences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|difference| {
            let names = difference["edit"]["path"].as_array().into_iter().flatten();
            let names: Vec<&Value> = names.map(|step| &step["name"]).collect();
            format!(
                "{} {} {names:?}",
                difference["subject"], difference["address"]
            )
        });
    Outcome {
        verdict: comparison.verdict(),
        classes: comparison
            .differences
            .iter()
            .map(|difference| difference.class)
            .collect(),
        places: places.collect(),
        terminal,
        in_ci,
        markdown,
        json,
        html: String::from_utf8(html).unwrap(),
    }
}

fn plan(text: &str) -> Plan<'_> {
    tfview::internals::json::from_str(text).unwrap()
}

fn fingerprint(text: &str, schema: Option<&str>, sensitive: bool) -> String {
    let mut schemas = Schemas::new();
    if let Some(schema) = schema {
        schemas.add(schema).unwrap();
    }
    let basis = Basis {
        schemas: schema.is_some(),
        sensitive,
    };
    let arena = Bump::new();
    Fingerprint::new(&plan(text), &schemas, basis, &arena)
        .unwrap()
        .to_string()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// The plans of the fixtures with their schemas, of at most `largest` bytes.
fn plans(largest: usize) -> Vec<(String, Value, Option<String>)> {
    let mut plans = Vec::new();
    for folder in ["goldens", "fuzz", "review"] {
        let cases = fs::read_dir(root().join("fixtures").join(folder)).unwrap();
        let mut cases: Vec<_> = cases.map(|case| case.unwrap().path()).collect();
        cases.sort();
        for case in cases {
            let Ok(text) = fs::read_to_string(case.join("plan.json")) else {
                continue;
            };
            if text.len() <= largest {
                let schema = fs::read_to_string(case.join("schema.json")).ok();
                plans.push((
                    case.display().to_string(),
                    serde_json::from_str(&text).unwrap(),
                    schema,
                ));
            }
        }
    }
    assert!(plans.len() > 100, "fixtures are part of the project");
    plans
}
