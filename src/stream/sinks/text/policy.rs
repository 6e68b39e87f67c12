//! Shows the results of policies (Terraform).

use std::io;

use bumpalo::Bump;

use super::Context;
use super::query::identity_text;
use crate::model::diagnostic::{Range, Snippet};
use crate::model::message::{PolicyInfo, PolicyMetadata, PolicyQuerySummary};
use crate::stream::event::PolicyEvent;
use crate::stream::output::Output;
use crate::term::{Role, Untrusted};
use crate::text::quote;

pub(super) fn policy(policy: &PolicyEvent<'_>, context: &mut Context<'_, '_>) -> io::Result<()> {
    let Context { event, output, .. } = context;
    match policy {
        PolicyEvent::Info(info) => policy_info(info, output),
        PolicyEvent::Result(result) if &*result.result == "AllowResult" => Ok(()),
        // Diagnostics have the details, but only this message names the policy.
        PolicyEvent::Result(result) => {
            let (policy, target) = (&result.policy_address, &result.target_address);
            let text = format!("{}: {policy} for {target}: {}", event.text(), result.result);
            output.line(Role::Plain, &text)
        }
        PolicyEvent::QuerySummary(summary) => query_summary(summary, output),
    }
}

fn place(range: &Range<'_>, snippet: Option<&Snippet<'_>>) -> String {
    let code = snippet.map(|snippet| format!(", in {}", snippet.code)).unwrap_or_default();
    format!("on {} line {}{code}", range.filename, range.start.line)
}

fn policy_info(info: &PolicyInfo<'_>, output: &mut Output<'_>) -> io::Result<()> {
    let mut lines = vec!["Policy Info:".to_owned()];
    lines.extend(info.policy_range.as_ref().map(|range| place(range, info.policy_snippet.as_ref())));
    lines.push(quote(&info.message));
    if let Some(range) = &info.range {
        lines.push(String::new());
        lines.push(place(range, info.snippet.as_ref()));
    }
    output.text()?.lit("\n")?;
    output.line(Role::Plain, &lines.join("\n"))
}

fn query_summary(summary: &PolicyQuerySummary<'_>, output: &mut Output<'_>) -> io::Result<()> {
    let arena = Bump::new();
    let out = output.text()?;
    let overall = summary.overall_result.to_uppercase();
    let heading = format!("\nPolicy results for {} ({overall})\n", summary.list_block_address);
    out.data(Untrusted(&heading))?;
    for result in &summary.results {
        let identity = result.identity.and_then(|raw| raw.value(&arena).ok()).unwrap_or_default();
        let identity = identity_text(identity).replace(',', ", ");
        out.data(Untrusted(&format!("  {identity}: {}\n", result.result.to_uppercase())))?;
        for policy in &result.policies {
            let PolicyMetadata { policy_name, enforcement_level } = &policy.policy_metadata;
            for diagnostic in &policy.diagnostics {
                let text = format!("    - {policy_name}: {} ({enforcement_level})\n", diagnostic.summary);
                out.data(Untrusted(&text))?;
            }
        }
    }
    Ok(())
}
