//! A review accounts for every change of a plan, shows no sensitive value, and fits the Markdown budget.

mod access;
mod accounting;
mod causes;
mod documents;
mod elements;
mod expectations;
mod findings;
mod generated;
mod grants;
mod groups;
mod identifiers;
mod judged;
mod judgement;
mod laws;
mod levels;
pub(crate) mod markdown;
mod marks;
mod new_texts;
mod options;
mod order;
mod refreshed;
pub(crate) mod secrecy;
mod size;
mod told;
mod updates;
mod words;

use std::fs;
use std::path::Path;

use bumpalo::Bump;
use tfview::internals::diff::parallel::Storage;
use tfview::internals::json;
use tfview::internals::model::plan::Plan;
use tfview::internals::report::Budget;
use tfview::internals::report::Coverage;
use tfview::internals::review::Options;
use tfview::internals::review::build::{ReadOptions, ReviewInputs};
use tfview::internals::review::findings::Rules;
use tfview::internals::review::formats;
use tfview::internals::review::plan::PlanReview;
use tfview::internals::schema::Schemas;

use crate::random::some_fixtures;

fn options() -> Options {
    Options {
        width: 100,
        ..Options::default()
    }
}

/// A schema in which `rules` is a set of objects. All other types are inferred.
const SCHEMA: &str = r#"{"provider_schemas":{"registry.example/x/sets":{"resource_schemas":{"sets_a":{"block":{"attributes":{
    "rules":{"type":["set",["object",{"description":"string","port":"number","cidr":"string","proto":"string"}]]}}}}}}}}"#;

/// Passes the reviews of plans, each with its schema, to `look`.
fn with_reviews<R>(
    plans: &[(&str, &str)],
    options: &Options,
    show_sensitive: bool,
    look: impl FnOnce(&[PlanReview<'_>]) -> R,
) -> R {
    let read = ReadOptions {
        rules: None,
        show_sensitive,
        keep_whole: options.unchanged,
        ..ReadOptions::default()
    };
    with_reviews_read(plans, options, read, look)
}

/// Passes the reviews of plans, with findings and causes, to `look`.
fn with_findings<R>(
    plans: &[&str],
    options: &Options,
    look: impl FnOnce(&[PlanReview<'_>]) -> R,
) -> R {
    let rules = Rules::built_in();
    let read = ReadOptions {
        rules: Some(&rules),
        show_sensitive: false,
        keep_whole: options.unchanged,
        ..ReadOptions::default()
    };
    let plans: Vec<(&str, &str)> = plans.iter().map(|plan| (*plan, SCHEMA)).collect();
    with_reviews_read(&plans, options, read, look)
}

fn with_reviews_read<R>(
    plans: &[(&str, &str)],
    options: &Options,
    read: ReadOptions<'_>,
    look: impl FnOnce(&[PlanReview<'_>]) -> R,
) -> R {
    let arena = Bump::new();
    let mut storages: Vec<Storage> = plans.iter().map(|_| Storage::default()).collect();
    let mut reviews = Vec::new();
    for ((text, schema), storage) in plans.iter().zip(&mut storages) {
        let plan: Plan<'_> = json::from_str(text).unwrap();
        let mut schemas = Schemas::new();
        schemas.add(schema).unwrap();
        let inputs = ReviewInputs {
            options: ReadOptions {
                filter: Some(&options.filter),
                ..read
            },
            ..ReviewInputs::new("plan.json", text, &plan, &schemas)
        };
        reviews.push(PlanReview::new(inputs, &arena, storage).unwrap());
    }
    look(&reviews)
}

/// Passes the review of a plan to `look`.
fn with_review<R>(text: &str, options: &Options, look: impl FnOnce(&PlanReview<'_>) -> R) -> R {
    with_reviews(&[(text, SCHEMA)], options, false, |reviews| {
        look(&reviews[0])
    })
}

fn terminal_of(review: &PlanReview<'_>, options: &Options) -> (String, Coverage) {
    let mut bytes = Vec::new();
    let reviews = std::slice::from_ref(review);
    let mut coverages = formats::terminal(reviews, options, false, None, None, &mut bytes).unwrap();
    (String::from_utf8(bytes).unwrap(), coverages.remove(0))
}

fn markdown_of(review: &PlanReview<'_>, options: &Options, budget: Budget) -> (String, Coverage) {
    let (text, mut coverages) = formats::markdown(std::slice::from_ref(review), options, budget);
    (text, coverages.remove(0))
}

fn json_of(reviews: &[PlanReview<'_>]) -> String {
    let mut bytes = Vec::new();
    formats::json(reviews, &[], &[], None, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn terminal(text: &str, options: &Options) -> String {
    with_review(text, options, |review| terminal_of(review, options).0)
}

/// A plan of the fixtures.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) plan: String,
    pub(crate) schema: String,
}

impl Case {
    fn review<R>(&self, options: &Options, look: impl FnOnce(&PlanReview<'_>) -> R) -> R {
        let plan = [(self.plan.as_str(), self.schema.as_str())];
        with_reviews(&plan, options, false, |reviews| look(&reviews[0]))
    }
}

/// All plans of the fixtures, in the order of their names.
pub(crate) fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut cases = Vec::new();
    for kind in ["goldens", "fuzz", "review"] {
        for entry in fs::read_dir(root.join(kind)).unwrap() {
            let folder = entry.unwrap().path();
            if let Ok(plan) = fs::read_to_string(folder.join("plan.json")) {
                let name = folder.strip_prefix(&root).unwrap().display().to_string();
                let schema = fs::read_to_string(folder.join("schema.json"));
                cases.push(Case {
                    name,
                    plan,
                    schema: schema.unwrap_or_else(|_| SCHEMA.to_owned()),
                });
            }
        }
    }
    assert!(
        cases.len() > 250,
        "fixtures are part of the project: {}",
        cases.len()
    );
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

/// [Some fixtures](some_fixtures): all of them in CI.
pub(crate) fn some_cases(turn: usize) -> Vec<Case> {
    some_fixtures(cases(), turn)
}

fn golden(case: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/goldens")
        .join(case);
    fs::read_to_string(folder.join("plan.json")).unwrap()
}

/// A plan of one update with these sides.
fn update(before: &str, after: &str) -> String {
    format!(
        r#"{{"format_version":"1.2","resource_changes":[{{"address":"a.b","mode":"managed","type":"a","name":"b",
        "provider_name":"x","change":{{"actions":["update"],"before":{before},"after":{after},"after_unknown":{{}},
        "before_sensitive":{{}},"after_sensitive":{{}}}}}}]}}"#
    )
}
