//! Shows the results of policies (Terraform).

use std::io;

use serde::Deserialize;

use bumpalo::Bump;

use crate::json::{Raw, Str};
use crate::model::diagnostic::{Range, Snippet};
use crate::model::message::Message;
use crate::term::{Role, Untrusted};

use super::Stream;

/// The payload of `policy_info`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Info<'a> {
    #[serde(borrow)]
    message: Str<'a>,
    #[serde(borrow)]
    policy_range: Option<Range<'a>>,
    #[serde(borrow)]
    policy_snippet: Option<Snippet<'a>>,
    #[serde(borrow)]
    range: Option<Range<'a>>,
    #[serde(borrow)]
    snippet: Option<Snippet<'a>>,
}

/// The payload of `policy_result`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Outcome<'a> {
    #[serde(borrow)]
    result: Str<'a>,
    #[serde(borrow)]
    target_address: Str<'a>,
    #[serde(borrow)]
    policy_address: Str<'a>,
}

/// The payload of `policy_query_summary`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Summary<'a> {
    #[serde(borrow)]
    list_block_address: Str<'a>,
    #[serde(borrow)]
    overall_result: Str<'a>,
    #[serde(borrow)]
    results: Vec<Evaluated<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Evaluated<'a> {
    #[serde(borrow)]
    identity: Option<Raw<'a>>,
    #[serde(borrow)]
    result: Str<'a>,
    #[serde(borrow)]
    policies: Vec<Policy<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Policy<'a> {
    #[serde(borrow)]
    policy_metadata: Metadata<'a>,
    #[serde(borrow)]
    diagnostics: Vec<Problem<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Metadata<'a> {
    #[serde(borrow)]
    policy_name: Str<'a>,
    #[serde(borrow)]
    enforcement_level: Str<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Problem<'a> {
    #[serde(borrow)]
    summary: Str<'a>,
}

fn place(range: &Range<'_>, snippet: Option<&Snippet<'_>>) -> String {
    let code = snippet.map(|snippet| format!(", in {}", snippet.code)).unwrap_or_default();
    format!("on {} line {}{code}", range.filename, range.start.line)
}

impl Stream<'_> {
    pub(super) fn policy_info(&mut self, message: &Message<'_>) -> io::Result<()> {
        let Some(info) = message.policy_info.and_then(|raw| raw.read::<Info<'_>>().ok()) else {
            return self.plain(message);
        };
        let mut lines = vec!["Policy Info:".to_owned()];
        lines.extend(info.policy_range.as_ref().map(|range| place(range, info.policy_snippet.as_ref())));
        lines.push(crate::text::quote(&info.message));
        if let Some(range) = &info.range {
            lines.push(String::new());
            lines.push(place(range, info.snippet.as_ref()));
        }
        self.out()?.lit("\n")?;
        self.say(Role::Plain, &lines.join("\n"))
    }

    pub(super) fn policy_result(&mut self, message: &Message<'_>) -> io::Result<()> {
        let Some(outcome) = message.policy_result.and_then(|raw| raw.read::<Outcome<'_>>().ok()) else {
            return self.plain(message);
        };
        match &*outcome.result {
            "AllowResult" => Ok(()),
            // Diagnostics have the details, but only this message names the policy.
            result => {
                let text = format!(
                    "{}: {} for {}: {result}",
                    message.text(),
                    outcome.policy_address,
                    outcome.target_address
                );
                self.say(Role::Plain, &text)
            }
        }
    }

    pub(super) fn policy_query_summary(&mut self, message: &Message<'_>) -> io::Result<()> {
        let Some(summary) = message.policy_query_summary.and_then(|raw| raw.read::<Summary<'_>>().ok())
        else {
            return self.plain(message);
        };
        let arena = Bump::new();
        let out = self.out()?;
        let heading = format!(
            "\nPolicy results for {} ({})\n",
            summary.list_block_address,
            summary.overall_result.to_uppercase()
        );
        out.data(Untrusted(&heading))?;
        for result in &summary.results {
            let identity = result.identity.and_then(|raw| raw.value(&arena).ok()).unwrap_or_default();
            let identity = super::query::identity_text(identity).replace(',', ", ");
            out.data(Untrusted(&format!("  {identity}: {}\n", result.result.to_uppercase())))?;
            for policy in &result.policies {
                let Metadata { policy_name, enforcement_level } = &policy.policy_metadata;
                for problem in &policy.diagnostics {
                    let text = format!("    - {policy_name}: {} ({enforcement_level})\n", problem.summary);
                    out.data(Untrusted(&text))?;
                }
            }
        }
        Ok(())
    }
}
