//! The built-in rules: a file for each provider, and three for rules of several providers.
//!
//! If several rules find the same, the first one counts. Therefore, the files of providers come before those of
//! several.

mod alicloud;
mod auth0;
mod aws;
mod azuread;
mod azurerm;
mod charts;
mod cloudflare;
mod confluent;
mod databricks;
mod datadog;
mod digitalocean;
mod github;
mod google;
mod grafana;
mod hcloud;
mod ibm;
mod kubernetes;
mod linode;
mod mongodbatlas;
mod oci;
mod okta;
mod others;
mod pagerduty;
mod scaleway;
mod several;
mod snowflake;
mod tfe;
mod vault;
mod yandex;

use super::definition::{Definition, prelude};

/// A file of rules.
#[derive(Debug)]
pub(super) struct File {
    /// The providers, by the prefixes of their types; empty for any provider.
    pub providers: &'static [&'static str],
    /// The rules, in the order of the file.
    pub rules: &'static [Definition],
}

impl File {
    /// Whether the file may have rules for a provider.
    pub(super) fn may_have(&self, provider: &str) -> bool {
        self.providers.is_empty() || self.providers.contains(&provider)
    }
}

/// All files, in the order in which their rules are applied.
pub(super) static FILES: &[File] = &[
    File {
        providers: &["aws"],
        rules: aws::RULES,
    },
    File {
        providers: &["google"],
        rules: google::RULES,
    },
    File {
        providers: &["azurerm"],
        rules: azurerm::RULES,
    },
    File {
        providers: &["azuread"],
        rules: azuread::RULES,
    },
    File {
        providers: &["kubernetes", "kubectl", "helm"],
        rules: kubernetes::RULES,
    },
    File {
        providers: &["github"],
        rules: github::RULES,
    },
    File {
        providers: &["cloudflare"],
        rules: cloudflare::RULES,
    },
    File {
        providers: &["alicloud"],
        rules: alicloud::RULES,
    },
    File {
        providers: &["auth0"],
        rules: auth0::RULES,
    },
    File {
        providers: &["confluent", "kafka"],
        rules: confluent::RULES,
    },
    File {
        providers: &["databricks"],
        rules: databricks::RULES,
    },
    File {
        providers: &["datadog"],
        rules: datadog::RULES,
    },
    File {
        providers: &["digitalocean"],
        rules: digitalocean::RULES,
    },
    File {
        providers: &["grafana"],
        rules: grafana::RULES,
    },
    File {
        providers: &["hcloud"],
        rules: hcloud::RULES,
    },
    File {
        providers: &["ibm"],
        rules: ibm::RULES,
    },
    File {
        providers: &["linode"],
        rules: linode::RULES,
    },
    File {
        providers: &["mongodbatlas"],
        rules: mongodbatlas::RULES,
    },
    File {
        providers: &["oci"],
        rules: oci::RULES,
    },
    File {
        providers: &["okta"],
        rules: okta::RULES,
    },
    File {
        providers: &["pagerduty"],
        rules: pagerduty::RULES,
    },
    File {
        providers: &["scaleway"],
        rules: scaleway::RULES,
    },
    File {
        providers: &["snowflake"],
        rules: snowflake::RULES,
    },
    File {
        providers: &["tfe"],
        rules: tfe::RULES,
    },
    File {
        providers: &["vault"],
        rules: vault::RULES,
    },
    File {
        providers: &["yandex"],
        rules: yandex::RULES,
    },
    File {
        providers: &[],
        rules: charts::RULES,
    },
    File {
        providers: &[],
        rules: others::RULES,
    },
    File {
        providers: &[],
        rules: several::RULES,
    },
];
