//! Shows the messages of `test`, `query` and policies, and the result of `validate`.

use std::collections::HashMap;
use std::io;

use bumpalo::Bump;

use super::{Context, TextSink};
use crate::dialect::{Dialect, Tool};
use crate::json::{Raw, Value};
use crate::model::diagnostic::{Diagnostic, Range, Severity, Snippet, Validation};
use crate::model::message::{PolicyInfo, PolicyMetadata, PolicyQuerySummary};
use crate::stream::Options;
use crate::stream::diagnostics::interruption;
use crate::stream::event::{PolicyEvent, QueryEvent, TestEvent};
use crate::stream::output::Output;
use crate::term::TextPart::{Data, Lit, Spaces, Styled, StyledData};
use crate::term::{Role, Untrusted};
use crate::text::{quote, wrap};

/// Shows a message of `test`.
pub(super) fn test(test: &TestEvent<'_>, context: &mut Context<'_, '_>) -> io::Result<()> {
    let (event, dialect) = (context.event, context.state.dialect);
    match test {
        TestEvent::File(file) => {
            let (role, word) = match &*file.progress {
                "starting" => (Role::Pending, "in progress"),
                "teardown" => (Role::Pending, "tearing down"),
                _ => status(&file.status),
            };
            status_line(&format!("{}... ", file.path), role, word, context.output)
        }
        // OpenTofu reports a run only at its end, Terraform also its progress.
        TestEvent::Run(run) if !run.is_end() => Ok(()),
        TestEvent::Run(run) => {
            let (role, word) = status(&run.status);
            status_line(&format!("  run {}... ", quote(&run.run)), role, word, context.output)
        }
        TestEvent::Plan(plan) => {
            let written = context.output.document(|documents, out| documents.plan(*plan, dialect, out))?;
            after_document("plan", written, context)
        }
        TestEvent::State(state) => {
            if dialect.spaces_verbose_tests() {
                context.output.text()?.lit("\n")?;
            }
            let written = context.output.document(|documents, out| documents.state(*state, dialect, out))?;
            after_document("state", written, context)
        }
        TestEvent::Interrupt(interrupt) => {
            interruption(interrupt, event.test(), dialect).iter().try_for_each(|paragraph| {
                let text = format!("\n{}", context.wrap(paragraph));
                context.output.line(Role::Plain, &text)
            })
        }
        TestEvent::Summary { .. } => test_summary(&event.text(), context.output),
        TestEvent::Retry => context.message(Role::Update),
        // Objects left behind are shown after the diagnostics that follow.
        TestEvent::Abstract(_) | TestEvent::Cleanup(_) => Ok(()),
    }
}

/// The word and role of a status.
fn status(word: &str) -> (Role, &str) {
    match word {
        "error" | "fail" => (Role::Delete, "fail"),
        "pass" => (Role::Create, "pass"),
        other => (Role::Pending, other),
    }
}

fn status_line(lead: &str, role: Role, word: &str, output: &mut Output<'_>) -> io::Result<()> {
    output.text()?.parts(&[Data(lead), StyledData(role, word), Lit("\n")])
}

/// Ends the output of `-verbose`. A document that cannot be shown is replaced by the `@message`.
fn after_document(noun: &str, written: anyhow::Result<()>, context: &mut Context<'_, '_>) -> io::Result<()> {
    if let Err(error) = written {
        context.message(Role::Plain)?;
        return context.output.note(&format!("the {noun} of a test cannot be shown: {error:#}"));
    }
    if context.state.dialect.spaces_verbose_tests() { context.output.text()?.lit("\n") } else { Ok(()) }
}

fn test_summary(text: &str, output: &mut Output<'_>) -> io::Result<()> {
    let (role, word) = match text.find('!') {
        Some(at) if text.starts_with("Success!") => (Role::Create, &text[..=at]),
        Some(at) if text.starts_with("Failure!") => (Role::Delete, &text[..=at]),
        _ => (Role::Plain, ""),
    };
    let rest = &text[word.len()..];
    output.text()?.parts(&[Lit("\n"), StyledData(role, word), Data(rest), Lit("\n")])
}

impl Dialect {
    /// Whether there are empty lines around the output of `test -verbose`.
    fn spaces_verbose_tests(self) -> bool {
        self.tool == Tool::Terraform
    }
}

/// The results of `query`. Those of each list block are shown in columns, once it is complete.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// The results of incomplete list blocks: for each, the identity and the display name.
    results: HashMap<String, Vec<(String, String)>>,
    /// The list blocks without results.
    empty: Vec<String>,
}

impl TextSink {
    pub(super) fn query(&mut self, query: &QueryEvent<'_>, output: &mut Output<'_>) -> io::Result<()> {
        match query {
            QueryEvent::Started(_) => {}
            QueryEvent::Result(result) => {
                let row = (identity_text(result.identity), result.display_name.to_string());
                self.lists.results.entry(result.address.to_string()).or_default().push(row);
            }
            QueryEvent::Complete(list) => match self.lists.results.remove(&*list.address) {
                Some(rows) => return write_list(&list.address, &rows, output),
                None => self.lists.empty.push(list.address.to_string()),
            },
        }
        Ok(())
    }

    /// Shows the remaining results at the end of the run, and the blocks without results.
    pub(super) fn finish_lists(&mut self, options: &Options, output: &mut Output<'_>) -> io::Result<()> {
        let Lists { results, empty } = std::mem::take(&mut self.lists);
        let mut results: Vec<_> = results.into_iter().collect();
        crate::sort::by(&mut results, Ord::cmp);
        for (address, rows) in results {
            write_list(&address, &rows, output)?;
        }
        if empty.is_empty() {
            return Ok(());
        }
        let text = format!("Warning: list block(s) [{}] returned 0 results.", empty.join(", "));
        let text = wrap(&text, options.width.saturating_sub(1));
        let (word, rest) = text.split_at("Warning:".len());
        let (word, rest) = (Styled(Role::StrongWarning, word), StyledData(Role::Strong, rest));
        output.text()?.parts(&[word, rest, Lit("\n\n")])
    }
}

fn write_list(address: &str, rows: &[(String, String)], output: &mut Output<'_>) -> io::Result<()> {
    let widest = rows.iter().map(|(identity, _)| identity.len()).max().unwrap_or_default();
    let out = output.text()?;
    for (identity, name) in rows {
        // Like the tool, this pads by bytes.
        let gap = Spaces(widest - identity.len() + 3);
        out.parts(&[Data(address), Spaces(3), Data(identity), gap, Data(name), Lit("\n")])?;
    }
    out.lit("\n")
}

/// An identity as `k=v,k2=v2`, with lists in brackets.
fn identity_text(identity: Option<Raw<'_>>) -> String {
    fn text(value: Value<'_>) -> String {
        match value {
            Value::Object(object) => {
                let member = |(name, value): &(&str, Value<'_>)| format!("{name}={}", text(*value));
                object.members().iter().map(member).collect::<Vec<_>>().join(",")
            }
            Value::Array(items) => {
                format!("[{}]", items.iter().map(|item| text(*item)).collect::<Vec<_>>().join(","))
            }
            Value::Null => "<null>".to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Number(text) | Value::String(text) => text.to_owned(),
        }
    }
    let arena = Bump::new();
    text(identity.and_then(|raw| raw.value(&arena).ok()).unwrap_or_default())
}

/// Shows a result of policies (Terraform).
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

fn policy_info(info: &PolicyInfo<'_>, output: &mut Output<'_>) -> io::Result<()> {
    let place = |range: &Range<'_>, snippet: &Option<Snippet<'_>>| {
        let code = snippet.as_ref().map(|snippet| format!(", in {}", snippet.code)).unwrap_or_default();
        format!("on {} line {}{code}", range.filename, range.start.line)
    };
    let mut lines = vec!["\nPolicy Info:".to_owned()];
    lines.extend(info.policy_range.as_ref().map(|range| place(range, &info.policy_snippet)));
    lines.push(quote(&info.message));
    if let Some(range) = &info.range {
        lines.extend([String::new(), place(range, &info.snippet)]);
    }
    output.line(Role::Plain, &lines.join("\n"))
}

fn query_summary(summary: &PolicyQuerySummary<'_>, output: &mut Output<'_>) -> io::Result<()> {
    let out = output.text()?;
    let overall = summary.overall_result.to_uppercase();
    let heading = format!("\nPolicy results for {} ({overall})\n", summary.list_block_address);
    out.data(Untrusted(&heading))?;
    for result in &summary.results {
        let identity = identity_text(result.identity).replace(',', ", ");
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

/// Shows the result of `validate -json`: a single document, on one or several lines, instead of messages. Its
/// diagnostics were shown before.
pub(super) fn validation(
    document: &Result<&Validation<'_>, String>,
    context: &mut Context<'_, '_>,
) -> io::Result<()> {
    const SUCCESS: &str = "Success!";
    let document = match document {
        Ok(document) if document.valid => document,
        Ok(_) => return Ok(()),
        Err(error) => {
            return context.output.note(&format!("the document of `validate` cannot be read: {error}"));
        }
    };
    let is_warning = |json: &Raw<'_>| {
        json.read::<Diagnostic<'_>>().is_ok_and(|shown| shown.severity() == Severity::Warning)
    };
    let rest = if document.diagnostics.iter().any(is_warning) {
        " The configuration is valid, but there were some validation warnings as shown above."
    } else {
        " The configuration is valid."
    };
    // The tools count the escape sequences before the first space when wrapping.
    let codes = if context.output.has_colour() { "\x1b[32m\x1b[1m\x1b[0m".len() } else { 0 };
    let wrapped = context.wrap(&format!("{}{SUCCESS}{rest}", "x".repeat(codes)));
    let end = if context.state.dialect.spaces_the_verdict() { "\n\n" } else { "\n" };
    let rest = &wrapped[codes + SUCCESS.len()..];
    context.output.text()?.parts(&[Styled(Role::StrongSuccess, SUCCESS), Lit(rest), Lit(end)])
}
