//! Writes the text of the messages of `init`, `test`, `query` and policies, and of the document of `validate`.
//!
//! Invariant: line breaks, empty lines and styles are those of the tools' human-readable text.

use std::collections::HashMap;
use std::io;

use bumpalo::Bump;

use super::{Context, TextSink};
use crate::json::{Raw, Value};
use crate::model::diagnostic::{Diagnostic, Range, Severity, Snippet, Validation};
use crate::model::message::{PolicyInfo, PolicyMetadata, PolicyQuerySummary};
use crate::stream::diagnostics::interruption;
use crate::stream::documents::{DocumentError, chain};
use crate::stream::event::{PolicyEvent, QueryEvent, TestEvent};
use crate::stream::options::Options;
use crate::stream::output::Output;
use crate::term::TextPart::{Data, Lit, Spaces, Styled, StyledData};
use crate::term::{Role, Untrusted};
use crate::text::stream::{is_init_section, is_init_success, tofu_provider_line};
use crate::text::{quote, wrap};

/// The name of the dependency lock file, which `init` writes in bold.
const LOCK_FILE: &str = ".terraform.lock.hcl";

/// The paragraphs of OpenTofu's `init` with the line breaks of its human-readable text, which wrapping cannot reproduce
/// at any width.
const PARAGRAPHS: [&str; 4] = [
    "OpenTofu has created a lock file .terraform.lock.hcl to record the provider
selections it made above. Include this file in your version control repository
so that OpenTofu can guarantee to make the same selections by default when
you run \"tofu init\" in the future.",
    "OpenTofu has made some changes to the provider dependency selections recorded
in the .terraform.lock.hcl file. Review those changes and commit them to your
version control system if they represent changes you intended to make.",
    "You may now begin working with OpenTofu. Try running \"tofu plan\" to see
any changes that are required for your infrastructure. All OpenTofu commands
should now work.

If you ever set or change modules or backend configuration for OpenTofu,
rerun this command to reinitialize your working directory. If you forget, other
commands will detect it and remind you to do so if necessary.",
    "OpenTofu encountered problems during initialization, including problems
with the configuration, described below.

The OpenTofu configuration must be valid before initialization so that
OpenTofu can determine which modules and providers need to be installed.",
];

/// The kind of the last text of `init`. It decides whether an empty line comes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Gap {
    #[default]
    None,
    AfterBackend,
    AfterSection,
    AfterParagraph,
    /// Diagnostics, which have already written the empty line.
    Taken,
}

impl TextSink {
    /// Writes a message of Terraform's `init`. Such messages have a code for their text.
    pub(super) fn init_output(
        &mut self,
        code: &str,
        context: &mut Context<'_, '_>,
    ) -> io::Result<()> {
        let Context { event, output, .. } = context;
        let text = &*event.text();
        match code {
            "initializing_backend_message"
            | "initializing_terraform_cloud_message"
            | "initializing_state_store_message" => {
                self.init_gap = Gap::AfterBackend;
                output.line(Role::Strong, text)
            }
            "initializing_modules_message"
            | "upgrading_modules_message"
            | "initializing_provider_plugin_message" => {
                self.init_gap = Gap::AfterSection;
                output.text()?.lit("\n")?;
                output.line(Role::Strong, text)
            }
            "copying_configuration_message" => {
                let (lead, rest) = text.split_at(text.find(" from ").unwrap_or(text.len()));
                output
                    .text()?
                    .parts(&[StyledData(Role::Strong, lead), Data(rest), Lit("\n")])
            }
            "output_init_success_message" | "output_init_success_cloud_message" => {
                self.init_success(text, output)
            }
            "output_init_success_cli_message" | "output_init_success_cli_cloud_message" => {
                output.text()?.lit("\n")?;
                output.line(Role::Create, text)
            }
            _ => self.paragraph(text, output),
        }
    }

    /// Writes that `init` succeeded, after an empty line.
    fn init_success(&self, text: &str, output: &mut Output<'_>) -> io::Result<()> {
        // Warnings before it have already written the empty line.
        if self.init_gap != Gap::Taken {
            output.text()?.lit("\n")?;
        }
        output.line(Role::StrongSuccess, text)
    }

    /// Writes the empty line that the tools write between the text of `init` and its diagnostics, in some cases.
    pub(super) fn separate_init_diagnostics(
        &mut self,
        has_errors: bool,
        output: &mut Output<'_>,
    ) -> io::Result<()> {
        let has_empty_line = match self.init_gap {
            Gap::AfterBackend => true,
            Gap::AfterSection | Gap::AfterParagraph => !has_errors,
            Gap::None | Gap::Taken => false,
        };
        self.init_gap = Gap::Taken;
        if has_empty_line {
            output.text()?.lit("\n")
        } else {
            Ok(())
        }
    }

    /// Writes the heading of a section of OpenTofu's `init`.
    fn section(&mut self, text: &str, output: &mut Output<'_>) -> io::Result<()> {
        // Modules belong to the previous section.
        if !text.contains("modules") {
            output.text()?.lit("\n")?;
        }
        self.init_gap = Gap::AfterSection;
        output.line(Role::Strong, text)
    }

    /// Writes a paragraph of `init`. The name of the lock file and the success of a backend have styles.
    fn paragraph(&mut self, text: &str, output: &mut Output<'_>) -> io::Result<()> {
        self.init_gap = Gap::AfterParagraph;
        let out = output.text()?;
        match text.split_once(LOCK_FILE) {
            Some((before, after)) => out.parts(&[
                Lit("\n"),
                Data(before),
                Styled(Role::Strong, LOCK_FILE),
                Data(after),
                Lit("\n"),
            ]),
            None if is_backend_success(text) => {
                out.parts(&[Lit("\n"), StyledData(Role::Create, text), Lit("\n")])
            }
            None => out.parts(&[Lit("\n"), Data(text), Lit("\n")]),
        }
    }

    /// Writes a message of OpenTofu's `init`. Such messages have no type and contain each paragraph on one line.
    pub(super) fn untyped(&mut self, context: &mut Context<'_, '_>) -> io::Result<()> {
        let text = &*context.event.text();
        if is_init_section(text) {
            return self.section(text, context.output);
        }
        match (context.state.is_init, tofu_provider_line(text)) {
            (true, _) if is_init_success(text) => self.init_success(text, context.output),
            (true, Some(line)) => context.output.line(Role::Plain, &line),
            (false, _) if !context.event.is_error() => context.output.line(Role::Plain, text),
            (true, None) | (false, _) => {
                let text = broken(text, context);
                self.paragraph(&text, context.output)
            }
        }
    }
}

fn is_backend_success(text: &str) -> bool {
    text.starts_with("Successfully configured the backend ")
        || text.starts_with("Successfully unset the backend ")
}

/// Breaks a paragraph into lines. Known paragraphs get the line breaks of OpenTofu's human-readable text.
fn broken(text: &str, context: &Context<'_, '_>) -> String {
    let is_same = |known: &&&str| known.split_whitespace().eq(text.split_whitespace());
    match PARAGRAPHS.iter().find(is_same) {
        Some(text) => (*text).to_owned(),
        None => context.wrap(text),
    }
}

/// Writes the text of a message of a test.
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
        // OpenTofu reports a run only at its end, Terraform also while it runs.
        TestEvent::Run(run) if !run.is_end() => Ok(()),
        TestEvent::Run(run) => {
            let (role, word) = status(&run.status);
            status_line(
                &format!("  run {}... ", quote(&run.run)),
                role,
                word,
                context.output,
            )
        }
        TestEvent::Plan(plan) => {
            let (documents, out) = context.output.documents()?;
            let written = documents.plan(*plan, dialect, out);
            after_document("plan", written, context)
        }
        TestEvent::State(state) => {
            if dialect.spaces_verbose_tests() {
                context.output.text()?.lit("\n")?;
            }
            let (documents, out) = context.output.documents()?;
            let written = documents.state(*state, dialect, out);
            after_document("state", written, context)
        }
        TestEvent::Interrupt(interrupt) => interruption(interrupt, event.test(), dialect)
            .iter()
            .try_for_each(|paragraph| {
                let text = format!("\n{}", context.wrap(paragraph));
                context.output.line(Role::Plain, &text)
            }),
        TestEvent::Summary { .. } => test_summary(&event.text(), context.output),
        TestEvent::Retry => context.message(Role::Update),
        // Objects that were left behind are shown after the diagnostics that follow.
        TestEvent::Abstract(_) | TestEvent::Cleanup(_) => Ok(()),
    }
}

/// Returns the role and the word for the status of a test.
fn status(word: &str) -> (Role, &str) {
    match word {
        "error" | "fail" => (Role::Delete, "fail"),
        "pass" => (Role::Create, "pass"),
        other => (Role::Pending, other),
    }
}

fn status_line(lead: &str, role: Role, word: &str, output: &mut Output<'_>) -> io::Result<()> {
    output
        .text()?
        .parts(&[Data(lead), StyledData(role, word), Lit("\n")])
}

/// Ends the document of a test with an empty line, for tools that write one. A document that cannot be shown is
/// replaced by its `@message`.
fn after_document(
    noun: &str,
    written: Result<(), DocumentError>,
    context: &mut Context<'_, '_>,
) -> io::Result<()> {
    if let Err(error) = written {
        context.message(Role::Plain)?;
        return context.output.note(&format!(
            "the {noun} of a test cannot be shown: {}",
            chain(&error)
        ));
    }
    if context.state.dialect.spaces_verbose_tests() {
        context.output.text()?.lit("\n")
    } else {
        Ok(())
    }
}

/// Writes the summary of the tests. Its first word has a style.
fn test_summary(text: &str, output: &mut Output<'_>) -> io::Result<()> {
    let (role, word) = match text.find('!') {
        Some(offset) if text.starts_with("Success!") => (Role::Create, &text[..=offset]),
        Some(offset) if text.starts_with("Failure!") => (Role::Delete, &text[..=offset]),
        _ => (Role::Plain, ""),
    };
    let rest = &text[word.len()..];
    output
        .text()?
        .parts(&[Lit("\n"), StyledData(role, word), Data(rest), Lit("\n")])
}

/// The results of list blocks that are not complete. They are kept, because their columns depend on all of them.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// The identity and the display name of each result, by the address of the list block.
    results: HashMap<String, Vec<(String, String)>>,
    /// The addresses of complete list blocks without results.
    empty: Vec<String>,
}

impl TextSink {
    /// Handles a message of a query. The results of a list block are written once it is complete.
    pub(super) fn query(
        &mut self,
        query: &QueryEvent<'_>,
        output: &mut Output<'_>,
    ) -> io::Result<()> {
        match query {
            QueryEvent::Started(_) => {}
            QueryEvent::Result(result) => {
                let row = (
                    identity_text(result.identity),
                    result.display_name.to_string(),
                );
                self.lists
                    .results
                    .entry(result.address.to_string())
                    .or_default()
                    .push(row);
            }
            QueryEvent::Complete(list) => match self.lists.results.remove(&*list.address) {
                Some(rows) => return write_list(&list.address, &rows, output),
                None => self.lists.empty.push(list.address.to_string()),
            },
        }
        Ok(())
    }

    /// Writes the results of incomplete list blocks, and a warning about list blocks without results.
    pub(super) fn finish_lists(
        &mut self,
        options: &Options,
        output: &mut Output<'_>,
    ) -> io::Result<()> {
        let Lists { results, empty } = std::mem::take(&mut self.lists);
        let mut results: Vec<_> = results.into_iter().collect();
        results.sort();
        for (address, rows) in results {
            write_list(&address, &rows, output)?;
        }
        if empty.is_empty() {
            return Ok(());
        }
        let text = format!(
            "Warning: list block(s) [{}] returned 0 results.",
            empty.join(", ")
        );
        let text = wrap(&text, options.width.saturating_sub(1));
        let (word, rest) = text.split_at("Warning:".len());
        let (word, rest) = (
            Styled(Role::StrongWarning, word),
            StyledData(Role::Strong, rest),
        );
        output.text()?.parts(&[word, rest, Lit("\n\n")])
    }
}

/// Writes the results of a list block in columns.
fn write_list(address: &str, rows: &[(String, String)], output: &mut Output<'_>) -> io::Result<()> {
    // Like the tools, this takes the length of the longest identity in bytes, and pads to that number of characters.
    let widest = rows
        .iter()
        .map(|(identity, _)| identity.len())
        .max()
        .unwrap_or_default();
    let out = output.text()?;
    for (identity, name) in rows {
        let gap = Spaces(widest.saturating_sub(identity.chars().count()) + 3);
        out.parts(&[
            Data(address),
            Spaces(3),
            Data(identity),
            gap,
            Data(name),
            Lit("\n"),
        ])?;
    }
    out.lit("\n")
}

/// Returns an identity as one line: `k=v,k2=v2`, with lists in brackets.
fn identity_text(identity: Option<Raw<'_>>) -> String {
    /// Returns a value as one line: `name=value` for each member of an object, joined by commas.
    fn text(value: Value<'_>) -> String {
        match value {
            Value::Object(object) => {
                let member = |(name, value): &(&str, Value<'_>)| format!("{name}={}", text(*value));
                object
                    .members()
                    .iter()
                    .map(member)
                    .collect::<Vec<_>>()
                    .join(",")
            }
            Value::Array(items) => {
                format!(
                    "[{}]",
                    items
                        .iter()
                        .map(|item| text(*item))
                        .collect::<Vec<_>>()
                        .join(",")
                )
            }
            Value::Null => "<null>".to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Number(text) | Value::String(text) => text.to_owned(),
        }
    }
    let arena = Bump::new();
    text(
        identity
            .and_then(|raw| raw.value(&arena).ok())
            .unwrap_or_default(),
    )
}

/// Writes the text of a message about a policy.
pub(super) fn policy(policy: &PolicyEvent<'_>, context: &mut Context<'_, '_>) -> io::Result<()> {
    let output = &mut *context.output;
    match policy {
        PolicyEvent::Info(info) => policy_info(info, output),
        // The tools print the diagnostics of a policy, and not its result.
        PolicyEvent::Result => Ok(()),
        PolicyEvent::QuerySummary(summary) => query_summary(summary, output),
    }
}

/// Writes the message of a policy, with the source ranges of the policy and of the resource.
fn policy_info(info: &PolicyInfo<'_>, output: &mut Output<'_>) -> io::Result<()> {
    let place = |range: &Range<'_>, snippet: &Option<Snippet<'_>>| {
        let code = snippet
            .as_ref()
            .map(|snippet| format!(", in {}", snippet.code))
            .unwrap_or_default();
        format!("on {} line {}{code}", range.filename, range.start.line)
    };
    let mut lines = vec!["\nPolicy Info:".to_owned()];
    lines.extend(
        info.policy_range
            .as_ref()
            .map(|range| place(range, &info.policy_snippet)),
    );
    lines.push(quote(&info.message));
    if let Some(range) = &info.range {
        lines.extend([String::new(), place(range, &info.snippet)]);
    }
    output.line(Role::Plain, &lines.join("\n"))
}

/// Writes the results of policies for a list block, each with the diagnostics of its policies.
fn query_summary(summary: &PolicyQuerySummary<'_>, output: &mut Output<'_>) -> io::Result<()> {
    let out = output.text()?;
    let overall = summary.overall_result.to_uppercase();
    let heading = format!(
        "\nPolicy results for {} ({overall})\n",
        summary.list_block_address
    );
    out.data(Untrusted(&heading))?;
    for result in &summary.results {
        let identity = identity_text(result.identity).replace(',', ", ");
        out.data(Untrusted(&format!(
            "  {identity}: {}\n",
            result.result.to_uppercase()
        )))?;
        for policy in &result.policies {
            let PolicyMetadata {
                policy_name,
                enforcement_level,
            } = &policy.policy_metadata;
            for diagnostic in &policy.diagnostics {
                let text = format!(
                    "    - {policy_name}: {} ({enforcement_level})\n",
                    diagnostic.summary
                );
                out.data(Untrusted(&text))?;
            }
        }
    }
    Ok(())
}

/// Writes the result of `validate`, which is a single document instead of messages. Its diagnostics were shown before.
pub(super) fn validation(
    document: &Result<&Validation<'_>, String>,
    context: &mut Context<'_, '_>,
) -> io::Result<()> {
    const SUCCESS: &str = "Success!";
    let document = match document {
        Ok(document) if document.valid => document,
        Ok(_) => return Ok(()),
        Err(error) => {
            return context.output.note(&format!(
                "the document of `validate` cannot be read: {error}"
            ));
        }
    };
    let is_warning = |json: &Raw<'_>| {
        json.read::<Diagnostic<'_>>()
            .is_ok_and(|shown| shown.severity() == Severity::Warning)
    };
    let rest = if document.diagnostics.iter().any(is_warning) {
        " The configuration is valid, but there were some validation warnings as shown above."
    } else {
        " The configuration is valid."
    };
    // When they wrap this line, the tools count the escape sequences before its first space.
    let codes = if context.output.has_colour() {
        "\x1b[32m\x1b[1m\x1b[0m".len()
    } else {
        0
    };
    let wrapped = context.wrap(&format!("{}{SUCCESS}{rest}", "x".repeat(codes)));
    let end = if context.state.dialect.spaces_the_verdict() {
        "\n\n"
    } else {
        "\n"
    };
    let rest = &wrapped[codes + SUCCESS.len()..];
    context
        .output
        .text()?
        .parts(&[Styled(Role::StrongSuccess, SUCCESS), Lit(rest), Lit(end)])
}
