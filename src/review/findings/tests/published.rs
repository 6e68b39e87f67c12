//! Writes `docs/findings.md` from the table of rules, so that the page and the table cannot differ.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::examples::all;
use crate::knowledge::List;
use crate::review::entry::{FindingKind, Level};
use crate::review::findings::listing::RuleText;
use crate::review::names::TYPES_MADE_TO_BE_REPLACED;

/// The names of providers, by the prefix of their types. Other providers are named by their prefix.
const PROVIDERS: [(&str, &str); 27] = [
    ("auth0", "Auth0"),
    ("aws", "AWS"),
    ("azuread", "Entra ID"),
    ("azurerm", "Azure"),
    ("cloudflare", "Cloudflare"),
    ("databricks", "Databricks"),
    ("datadog", "Datadog"),
    ("digitalocean", "DigitalOcean"),
    ("github", "GitHub"),
    ("gitlab", "GitLab"),
    ("google", "Google Cloud"),
    ("grafana", "Grafana"),
    ("hcloud", "Hetzner Cloud"),
    ("ibm", "IBM Cloud"),
    ("kubernetes", "Kubernetes and Helm"),
    ("linode", "Linode"),
    ("mongodbatlas", "MongoDB Atlas"),
    ("oci", "Oracle Cloud"),
    ("okta", "Okta"),
    ("openstack", "OpenStack"),
    ("pagerduty", "PagerDuty"),
    ("postgresql", "PostgreSQL"),
    ("scaleway", "Scaleway"),
    ("snowflake", "Snowflake"),
    ("tfe", "HCP Terraform and Terraform Enterprise"),
    ("vault", "Vault"),
    ("yandex", "Yandex Cloud"),
];

/// The section of rules for any type.
const ALL: &str = "All providers";

/// Returns the description of a kind for users: when there are such findings.
fn meaning(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::DataLoss => {
            "What holds data is destroyed or replaced, or its data may go. An object that is only forgotten keeps its \
             data; the level of the plan is then at least a warning."
        }
        FindingKind::Exposure => {
            "More people or machines may reach or do something than before. Firewall rules are graded by what \
             answers at their ports (a database for the world is critical, a web port is a notice), policies by what \
             they grant. A role counts where somebody gets it who did not have it. Another account is one of which no \
             object of the plan or its state is."
        }
        FindingKind::Protection => {
            "Something that guards, records, alarms or backs up is lowered, muted or emptied, or destroyed while what \
             it guards stays."
        }
        FindingKind::Downtime => {
            "What serves requests is destroyed, or destroyed before its replacement exists, or its capacity may go to \
             zero; somebody loses a role, or a policy locks out who administers its object."
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

/// A row in the table of a provider. Rows are sorted by these values in their order.
type Row = (String, Reverse<Level>, RuleText);

fn page() -> String {
    let all = all();
    let mut page = String::from(
        "# Findings\n\n<!-- Made from the rows in src/knowledge: TFVIEW_BLESS=1 cargo test --lib published -->\n\n\
         `tfview findings TYPE` prints what a review finds in objects of a resource type:\n\n    \
         $ tfview findings aws_kms_key\n\n\
         A finding is something that a plan proves and that an approver must know. Each has a kind and a level:\n\n\
         - **critical**: data that cannot be made again goes; the world gets administration, a shell, a database or a \
         data store, or somebody full administration; the last protection of data goes; a service goes to zero; a \
         credential in plain text.\n\
         - **warning**: other exposures (a privileged role short of full administration for somebody who is named \
         among them), lowered protections, interruptions, and what is unknown.\n\
         - **notice**: to know, and no reason to stop.\n\n\
         [The configuration file](config.md) adds rules of a project.\n\n## Kinds\n\n",
    );
    for kind in FindingKind::ALL {
        writeln!(page, "- **{}**: {}", kind.name(), meaning(kind)).unwrap();
    }
    let mut sections: BTreeMap<String, BTreeSet<Row>> = BTreeMap::new();
    for rule in all.iter().filter(|rule| rule.level != Level::None) {
        let text = RuleText::from_rule(rule);
        for (section, types) in by_provider(rule.types) {
            let row = (types.join(", "), Reverse(text.level), text.clone());
            sections.entry(section).or_default().insert(row);
        }
    }
    let general = sections.remove(ALL);
    let general = general.map(|rows| (ALL.to_owned(), rows));
    for (name, rows) in general.into_iter().chain(sections) {
        write!(
            page,
            "\n## {name}\n\n| type | attribute | level | kind | when it |\n|---|---|---|---|---|\n"
        )
        .unwrap();
        for (types, Reverse(level), text) in rows {
            let attribute = match text.attribute.as_str() {
                "" => String::new(),
                path => format!("`{path}`"),
            };
            // Values that are URLs would become links.
            let when = text.when.replace("https://", "").replace("http://", "");
            let cells = [&types, &attribute, level.name(), text.kind.name(), &when];
            let cells = cells.map(|cell: &str| cell.replace('|', "\\|"));
            writeln!(page, "| {} |", cells.join(" | ")).unwrap();
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

/// Returns the types of a rule, by the section of their provider.
fn by_provider(types: List<'_>) -> BTreeMap<String, Vec<String>> {
    let mut sections: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in types.iter() {
        let (prefix, shown) = match name {
            "*" => ("*", "any type".to_owned()),
            "@pod" => ("kubernetes", "pods".to_owned()),
            "@manifest" => ("kubernetes", "manifests".to_owned()),
            "@chart" => ("kubernetes", "charts".to_owned()),
            _ => {
                let prefix = name.split('_').next().unwrap_or_default();
                (prefix, format!("`{name}`"))
            }
        };
        let prefix = if prefix == "helm" {
            "kubernetes"
        } else {
            prefix
        };
        let section = match PROVIDERS.iter().find(|(known, _)| *known == prefix) {
            Some((_, section)) => *section,
            None if prefix.contains('*') => ALL,
            None => prefix,
        };
        sections.entry(section.to_owned()).or_default().push(shown);
    }
    sections
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
