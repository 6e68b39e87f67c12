//! Writes `docs/findings.md` from the table of rules, so that the page and the table cannot differ.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::examples::all;
use crate::review::entry::{FindingKind, Level};
use crate::review::findings::rule::{Rule, Trigger, Values};
use crate::review::names::TYPES_MADE_TO_BE_REPLACED;

/// Providers with a section of their own, by the prefix of their types.
const PROVIDERS: [(&str, &str); 10] = [
    ("*", "All providers"),
    ("aws", "AWS"),
    ("google", "Google Cloud"),
    ("azurerm", "Azure"),
    ("azuread", "Entra ID"),
    ("kubernetes", "Kubernetes and Helm"),
    ("cloudflare", "Cloudflare"),
    ("github", "GitHub"),
    ("datadog", "Datadog"),
    ("vault", "Vault"),
];

/// What a kind holds when, in words for users.
fn meaning(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::DataLoss => {
            "What holds data is destroyed, replaced or forgotten, or its data may go. What is only forgotten is at \
             most a warning, because it stays. Under a type, the attributes whose change lets data go."
        }
        FindingKind::Exposure => {
            "More people or machines may reach or do something than before. Firewall rules are graded by what \
             answers at their ports (a database for the world is critical, a web port is a notice), policies by what \
             they grant. A role counts where somebody gets it who did not have it."
        }
        FindingKind::Protection => {
            "Something that guards, records, alarms or backs up is lowered, muted or emptied, or destroyed while what \
             it guards stays. `(destroyed)` stands for the second."
        }
        FindingKind::Downtime => {
            "What serves requests is destroyed, or destroyed before its replacement exists, or its capacity may go to \
             zero."
        }
        FindingKind::Unknown => {
            "Something that decides access or loss had a value and is known only after apply; documents of policies and \
             sources of firewall rules count for what is created, too. All of these are warnings."
        }
        FindingKind::Secret => {
            "A value in plain text looks like a credential of a known form (a private key, an access key, a token), \
             and nothing marks it as sensitive. Texts show its kind instead of the value, unless `--show-sensitive` \
             is given; JSON has all values. Critical; a notice where the resource is meant to hold it."
        }
    }
}

/// The types of each provider, with the attributes that rules test.
type Families = BTreeMap<&'static str, BTreeMap<String, BTreeSet<String>>>;

fn page() -> String {
    let all = all();
    let mut page = String::from(
        "# Findings\n\n<!-- Made from the rules in src/review/findings: TFVIEW_BLESS=1 cargo test --lib published -->\n\n\
         A finding is something that a plan proves and that an approver must weigh. Each has a kind and a level:\n\n\
         - **critical**: data that cannot be made again goes; the world gets administration, a shell, a database or a \
         data store, or somebody full administration; the last protection of data goes; a service goes to zero; a \
         credential in plain text.\n\
         - **warning**: other exposures (a privileged role short of full administration for somebody who is named \
         among them), lowered protections, interruptions, and what is unknown.\n\
         - **notice**: to know, but not to weigh.\n\n\
         The lists below name resource types without the prefix of their provider, `*` for any characters. After a \
         type, in parentheses, stand the attributes whose change is a finding; of several levels for single values, \
         that of the rule. [The configuration file](config.md) adds rules of a project.\n",
    );
    for kind in FindingKind::ALL {
        write!(page, "\n## {}\n\n{}\n", kind.name(), meaning(kind)).unwrap();
        let mut levels: BTreeMap<Level, Families> = BTreeMap::new();
        for rule in all.iter().filter(|rule| rule.kind == kind) {
            add(levels.entry(rule.level).or_default(), rule);
        }
        for (prefix, name) in PROVIDERS.iter().chain([&("", "Others")]) {
            let found: Vec<_> = levels
                .iter()
                .rev()
                .filter_map(|(level, families)| Some((*level, families.get(prefix)?)))
                .collect();
            if !found.is_empty() {
                write!(page, "\n### {name}\n\n").unwrap();
            }
            for (level, types) in found {
                let types: Vec<String> = types
                    .iter()
                    .map(|(name, paths)| of_type(name, paths))
                    .collect();
                writeln!(page, "- {}: {}", level.name(), types.join(", ")).unwrap();
            }
        }
    }
    let replaceable: Vec<String> = TYPES_MADE_TO_BE_REPLACED
        .iter()
        .map(|name| format!("`{name}`"))
        .collect();
    write!(
        page,
        "\n## What is made to be replaced\n\nAn object that is destroyed, replaced or forgotten without a finding makes \
         a plan a warning, except for objects of these types: {}.\n",
        replaceable.join(", ")
    )
    .unwrap();
    page
}

fn of_type(name: &str, paths: &BTreeSet<String>) -> String {
    let paths: Vec<String> = paths
        .iter()
        .filter(|path| !path.is_empty())
        .cloned()
        .collect();
    match paths.as_slice() {
        [] => format!("`{name}`"),
        _ => format!("`{name}` ({})", paths.join(", ")),
    }
}

/// Adds the types and the path of a rule, or that it is about a guard.
fn add(families: &mut Families, rule: &Rule<'_>) {
    let path = match &rule.trigger {
        Trigger::Unguarded(_) => "destroyed".to_owned(),
        Trigger::Lost { .. } | Trigger::Interrupted { .. } => String::new(),
        Trigger::Invoked { what } => format!("the action {what}"),
        Trigger::Values(Values { path, .. }) => {
            let path = path
                .replace("[*]", "")
                .replace("@pod.", "")
                .replace("@manifest.", "")
                .replace("@chart.", "")
                .replace("**.", "");
            // A pipe would end a cell, a backtick the code.
            format!(
                "`{}`",
                path.rsplit_once("['")
                    .map_or(path.as_str(), |(_, last)| last
                        .trim_end_matches("']")
                        .trim_start_matches('='))
            )
        }
    };
    for name in rule.types.split('|') {
        let (prefix, rest) = match name.split_once('_') {
            _ if name == "*" => ("*", "any type"),
            _ if name == "@pod" => ("kubernetes", "pods"),
            _ if name == "@manifest" => ("kubernetes", "manifests"),
            _ if name == "@chart" => ("kubernetes", "charts"),
            Some((prefix, rest)) => (prefix, rest),
            None => ("", name),
        };
        let prefix = if prefix == "helm" {
            "kubernetes"
        } else {
            prefix
        };
        let known = PROVIDERS
            .iter()
            .find(|(known, _)| *known == prefix)
            .map(|(known, _)| *known);
        let shown = if known.is_some() && !name.starts_with("helm") {
            rest
        } else {
            name
        };
        families
            .entry(known.unwrap_or(""))
            .or_default()
            .entry(shown.to_owned())
            .or_default()
            .insert(path.clone());
    }
}

#[test]
#[allow(
    clippy::disallowed_methods,
    reason = "this is a test, which writes the file on request"
)]
fn the_published_list_of_findings_is_that_of_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/findings.md");
    let page = page();
    if std::env::var_os("TFVIEW_BLESS").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    let published = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        published == page,
        "docs/findings.md is stale: TFVIEW_BLESS=1 cargo test --lib published"
    );
}
