//! Renders diagnostics: in a box if there are colors, otherwise as plain paragraphs.
//!
//! Invariants: the text in the box is the same as without it, except for the width at which the detail is wrapped. If a
//! style is still active at a line break, the rule on the next line has that style and ends it, as in the tools.

use std::borrow::Cow;
use std::io;

use crate::dialect::Dialect;
use crate::model::diagnostic::{Diagnostic, Range, Severity, Snippet, TestAssertion};
use crate::term::TextPart::{Data, Lit, Styled};
use crate::term::{Out, Role, Untrusted};
use crate::text::{markup, wrap};

/// The rule above the values of expressions.
const VALUES_RULE: &str = "├────────────────";

/// The text that replaces the source code if it is not available.
const NO_SOURCE: &str = "  (source code not available)";

/// The circumstances that determine how a diagnostic is laid out.
#[derive(Clone, Copy, Debug)]
pub struct DiagnosticContext<'a> {
    /// The tool and its release.
    pub dialect: Dialect,
    /// The width in columns.
    pub width: usize,
    /// The number of further, similar diagnostics that this one represents.
    pub similar: usize,
    /// The text of the difference in a failed comparison.
    pub difference: Option<&'a str>,
}

/// Writes a diagnostic as the tools print it.
pub fn diagnostic(
    diagnostic: &Diagnostic<'_>,
    context: &DiagnosticContext<'_>,
    out: &mut Out<'_>,
) -> io::Result<()> {
    let boxed = out.colour();
    let (lead, rule) = match diagnostic.severity() {
        Severity::Error => ((Role::StrongDelete, "Error: "), Some(Role::Delete)),
        Severity::Warning => ((Role::StrongWarning, "Warning: "), Some(Role::Update)),
        Severity::Other => ((Role::Plain, ""), None),
    };
    let rule = rule.filter(|_| boxed);
    match rule {
        None => out.lit("\n")?,
        Some(rule) => out.parts(&[Styled(rule, "╷"), Lit("\n")])?,
    }
    let mut lines = DiagnosticLines {
        out,
        rule,
        is_begun: false,
        open_style: None,
        written: Ok(()),
    };
    lines
        .push(lead.0, lead.1)
        .push(Role::Strong, &diagnostic.summary)
        .end();
    lines.end();
    origin(&mut lines, diagnostic, context);
    let text = with_similar(diagnostic, context.similar);
    if !text.is_empty() {
        let width = context.width.saturating_sub(if boxed { 3 } else { 1 });
        detail(&mut lines, &text, width, context.dialect);
    }
    lines.written?;
    let Some(rule) = rule else { return Ok(()) };
    // If nothing follows the summary, the sequence that ends its style is on a line of its own.
    if text.is_empty() && diagnostic.address.is_empty() && diagnostic.range.is_none() {
        out.parts(&[Styled(rule, "│"), Lit(" \n")])?;
    }
    out.parts(&[Styled(rule, "╵"), Lit("\n")])
}

/// Returns the detail of a diagnostic, with the number of similar ones that are not shown.
fn with_similar<'d>(diagnostic: &'d Diagnostic<'_>, similar: usize) -> Cow<'d, str> {
    let detail = &*diagnostic.detail;
    let noun = match diagnostic.severity() {
        Severity::Warning => "warning",
        Severity::Error | Severity::Other => "error",
    };
    let elsewhere = match similar {
        0 => return Cow::Borrowed(detail),
        1 => format!("(and one more similar {noun} elsewhere)"),
        _ => format!("(and {similar} more similar {noun}s elsewhere)"),
    };
    Cow::Owned(if detail.is_empty() {
        elsewhere
    } else {
        format!("{detail}\n\n{elsewhere}")
    })
}

/// Writes the detail of a diagnostic, wrapped to `width` characters; 0 means not to wrap.
fn detail(lines: &mut DiagnosticLines<'_, '_>, text: &str, width: usize, dialect: Dialect) {
    for line in text.split('\n') {
        // Lines that begin with a space are preformatted.
        if line.starts_with(' ') {
            lines.push(Role::Plain, line).end();
        } else {
            let wrapped = if width == 0 {
                line.to_owned()
            } else {
                wrap(line, width)
            };
            lines.push_marked(&wrapped, dialect).end();
        }
    }
}

/// Writes the origin of a diagnostic: the address, the policy, and the lines of the configuration.
fn origin(
    lines: &mut DiagnosticLines<'_, '_>,
    diagnostic: &Diagnostic<'_>,
    context: &DiagnosticContext<'_>,
) {
    if !diagnostic.address.is_empty() {
        lines
            .push(Role::Plain, &format!("  with {},", diagnostic.address))
            .end();
    }
    let mut lead = "  on ";
    if let Some(range) = &diagnostic.policy_range {
        source(
            lines,
            lead,
            range,
            diagnostic.policy_snippet.as_ref(),
            None,
            context,
        );
        lines.end();
        lead = "  while evaluating policy for ";
    }
    if let Some(range) = &diagnostic.range {
        source(
            lines,
            lead,
            range,
            diagnostic.snippet.as_ref(),
            context.difference,
            context,
        );
        if !diagnostic.deprecation_origin_description.is_empty() {
            lines.end();
            let origin = &diagnostic.deprecation_origin_description;
            lines
                .push(
                    Role::Plain,
                    &format!("  The deprecation originates from {origin}"),
                )
                .end();
        }
        lines.end();
    }
}

/// Writes a position in a file with its source, the values of the expressions in it, and the difference in a failed
/// comparison.
fn source(
    lines: &mut DiagnosticLines<'_, '_>,
    lead: &str,
    range: &Range<'_>,
    snippet: Option<&Snippet<'_>>,
    difference: Option<&str>,
    context: &DiagnosticContext<'_>,
) {
    lines.push(
        Role::Plain,
        &format!("{lead}{} line {}", range.filename, range.start.line),
    );
    let Some(snippet) = snippet else {
        lines.push(Role::Plain, ":").end();
        lines.push(Role::Plain, NO_SOURCE).end();
        return;
    };
    if let Some(block) = &snippet.context {
        lines.push(Role::Plain, &format!(", in {block}"));
    }
    lines.push(Role::Plain, ":").end();
    code(lines, snippet);
    values(lines, snippet, context.dialect);
    if let Some(difference) = difference {
        write_difference(lines, difference);
    }
}

/// Writes the source code with line numbers. The faulty part is underlined, but only on its first line: in the tools'
/// text, the rule on the next line ends the style.
fn code(lines: &mut DiagnosticLines<'_, '_>, snippet: &Snippet<'_>) {
    let code = &*snippet.code;
    let clamp = |offset: i64| {
        let offset = usize::try_from(offset).unwrap_or(0).min(code.len());
        (0..=offset)
            .rev()
            .find(|offset| code.is_char_boundary(*offset))
            .unwrap_or(0)
    };
    let start = clamp(snippet.highlight_start_offset);
    let mut end = clamp(snippet.highlight_end_offset);
    if end < start {
        end = clamp(snippet.highlight_start_offset.saturating_add(1));
    }
    let mut line_start = 0;
    for (line, after) in code.split('\n').zip(0u64..) {
        let number = snippet.start_line.saturating_add(after);
        let cut = |offset: usize| offset.clamp(line_start, line_start + line.len()) - line_start;
        let (from, to) = if (line_start..=line_start + line.len()).contains(&start) {
            (cut(start), cut(end))
        } else {
            (0, 0)
        };
        lines
            .push(Role::Plain, &format!("{number:4}: "))
            .push(Role::Plain, &line[..from])
            .push(Role::Underlined, &line[from..to])
            .push(Role::Plain, &line[to..])
            .end();
        if (line_start..=line_start + line.len()).contains(&start) && end > line_start + line.len()
        {
            lines.open_style = Some(OpenStyle::Underlined);
        }
        line_start += line.len() + 1;
    }
}

/// Writes the values of the expressions in a snippet, each with its reference, and the call of a function or the failed
/// assertion.
fn values(lines: &mut DiagnosticLines<'_, '_>, snippet: &Snippet<'_>, dialect: Dialect) {
    let call = snippet
        .function_call
        .as_ref()
        .and_then(|call| Some((call, call.signature.as_ref()?)));
    let assertion = snippet.test_assertion_expr.as_ref();
    if snippet.values.is_empty() && call.is_none() && assertion.is_none() {
        return;
    }
    lines.rule();
    if let Some((call, signature)) = call {
        let mut names: Vec<String> = signature
            .params
            .iter()
            .map(|param| param.name.to_string())
            .collect();
        names.extend(
            signature
                .variadic_param
                .iter()
                .map(|param| format!("{}...", param.name)),
        );
        lines
            .ruled()
            .push(Role::Plain, "while calling ")
            .push(Role::Strong, &call.called_as);
        lines
            .push(Role::Plain, &format!("({})", names.join(", ")))
            .end();
    }
    if let Some(assertion) = assertion {
        compared(lines, assertion);
        if !assertion.show_verbose {
            return;
        }
    }
    for value in &snippet.values {
        lines
            .ruled()
            .push(Role::Strong, &value.traversal)
            .push(Role::Plain, " ");
        for (index, line) in value.statement.split('\n').enumerate() {
            if index > 0 {
                lines.end();
                if dialect.rules_every_line_of_a_value() {
                    lines.ruled().push(Role::Plain, "  ");
                }
            }
            lines.push(Role::Plain, line);
        }
        lines.end();
    }
}

/// Writes both sides of a comparison in a test, and their difference. Only Terraform prints these.
fn compared(lines: &mut DiagnosticLines<'_, '_>, assertion: &TestAssertion<'_>) {
    if assertion.show_verbose {
        for (name, side) in [("LHS", &assertion.lhs), ("RHS", &assertion.rhs)] {
            lines
                .ruled()
                .push(Role::Strong, name)
                .push(Role::Plain, ":")
                .end();
            for line in side.split('\n') {
                lines
                    .ruled()
                    .push(Role::Plain, "  ")
                    .push(Role::Plain, line)
                    .end();
            }
        }
    }
    if !assertion.warning.is_empty() {
        let warning = format!(": {}", assertion.warning);
        lines
            .ruled()
            .push(Role::Strong, "Warning")
            .push(Role::Plain, &warning)
            .end();
    }
    if assertion.lhs != assertion.rhs {
        lines
            .ruled()
            .push(Role::Strong, "Diff")
            .push(Role::Plain, ":")
            .end();
        lines.ruled().push(Role::StrongDelete, "--- actual").end();
        lines
            .ruled()
            .push(Role::StrongSuccess, "+++ expected")
            .end();
        lockstep(lines, &assertion.lhs, &assertion.rhs);
    }
    lines.end();
}

/// Writes the difference of two texts line by line, without alignment, as Terraform does. Consecutive lines that differ
/// are listed together, the actual ones first.
fn lockstep(lines: &mut DiagnosticLines<'_, '_>, actual: &str, expected: &str) {
    let (mut actual, mut expected) = (actual.split('\n'), expected.split('\n'));
    let (mut gone, mut come): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    loop {
        let pair = (actual.next(), expected.next());
        if pair.0 != pair.1 {
            gone.extend(pair.0);
            come.extend(pair.1);
            continue;
        }
        for (role, sign, unequal) in [
            (Role::Delete, "-", &mut gone),
            (Role::Create, "+", &mut come),
        ] {
            for line in unequal.drain(..) {
                lines.ruled().push(role, sign).push(Role::Plain, " ");
                lines.push_marked(line, Dialect::TERRAFORM).end();
            }
        }
        let Some(line) = pair.0 else { return };
        lines
            .ruled()
            .push(Role::Plain, "  ")
            .push_marked(line, Dialect::TERRAFORM)
            .end();
    }
}

/// Writes the difference in a failed comparison, which was rendered before.
fn write_difference(lines: &mut DiagnosticLines<'_, '_>, difference: &str) {
    lines.rule();
    lines.ruled().push(Role::Strong, "Diff: ").end();
    for (index, line) in difference.lines().enumerate() {
        lines
            .ruled()
            .push(Role::Plain, if index == 0 { "    " } else { "" })
            .push_rendered(line)
            .end();
    }
}

/// Writes the summaries of warnings, as the tools do with `-compact-warnings`. Each warning has the number of similar
/// ones that are not shown.
pub fn compact<'a>(
    groups: impl Iterator<Item = (&'a Diagnostic<'a>, usize)>,
    dialect: Dialect,
    out: &mut Out<'_>,
) -> io::Result<()> {
    out.parts(&[
        Lit("\n"),
        Styled(Role::StrongWarning, "Warnings:"),
        Lit("\n\n"),
    ])?;
    for (warning, similar) in groups {
        out.parts(&[Lit("- "), Data(&warning.summary), Lit("\n")])?;
        match &warning.range {
            Some(range) => {
                let line = format!(" line {}", range.start.line);
                let more = if similar > 0 {
                    format!(" (and {similar} more)")
                } else {
                    String::new()
                };
                out.parts(&[
                    Lit("  on "),
                    Data(&range.filename),
                    Lit(&line),
                    Lit(&more),
                    Lit("\n"),
                ])?;
            }
            None if similar > 0 => out.lit(&format!("{}\n", dialect.occurrences(similar + 1)))?,
            None => {}
        }
    }
    out.lit(&format!("\n{}\n", dialect.compact_hint()))
}

/// A style that is still active at a line break.
#[derive(Clone, Copy, Debug)]
enum OpenStyle {
    Bold,
    Underlined,
}

/// A writer of the lines of a diagnostic, each after the rule of the box.
struct DiagnosticLines<'o, 't> {
    /// The writer of the text.
    out: &'o mut Out<'t>,
    /// The role of the rule at the beginning of each line; `None` without a box.
    rule: Option<Role>,
    /// Whether the current line has any text, so that the rule was written.
    is_begun: bool,
    /// The style that is active at the end of the last line. The next rule has it.
    open_style: Option<OpenStyle>,
    /// The first error of writing. Nothing is written after it.
    written: io::Result<()>,
}

impl<'o, 't> DiagnosticLines<'o, 't> {
    /// Writes text on the current line, after the rule if it is the first.
    fn write(&mut self, write: impl FnOnce(&mut Out<'t>) -> io::Result<()>) {
        if self.written.is_ok() {
            self.written = self.begin().and_then(|()| write(self.out));
        }
    }

    /// Writes the rule of the box, unless the line is begun or there is no box.
    fn begin(&mut self) -> io::Result<()> {
        let (Some(rule), false) = (self.rule, self.is_begun) else {
            return Ok(());
        };
        self.is_begun = true;
        let look = match self.open_style {
            None => rule.look(),
            Some(OpenStyle::Bold) => rule.look().bold(),
            Some(OpenStyle::Underlined) => rule.look().underlined(),
        };
        self.out.look_data(look, Untrusted("│"))?;
        self.out.lit(" ")
    }

    /// Writes text in the style of a role. The style ends at each line break, because in the tools' box, the rule at
    /// the beginning of a line resets it.
    fn push(&mut self, role: Role, text: &str) -> &mut Self {
        for (index, part) in text.split('\n').enumerate() {
            if index > 0 {
                self.end();
            }
            if index == 1 && role == Role::Strong {
                self.open_style = Some(OpenStyle::Bold);
            }
            if !part.is_empty() {
                let role = if index == 0 { role } else { Role::Plain };
                self.write(|out| out.role_data(role, Untrusted(part)));
            }
        }
        self
    }

    /// Writes text in which markup such as `[bold]` is interpreted, if the dialect does so. Styles end with the text.
    fn push_marked(&mut self, text: &str, dialect: Dialect) -> &mut Self {
        if !dialect.eats_markup_in_details() || !text.contains('[') {
            return self.push(Role::Plain, text);
        }
        let mut codes = markup::Codes::default();
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                self.end();
            }
            for (prefix, look, part) in markup::parts(line, &mut codes) {
                self.write(|out| out.prefixed_data(&prefix, look, Untrusted(part)));
            }
            codes.push(markup::RESET);
        }
        self
    }

    /// Writes text that was rendered before, with its escape sequences.
    fn push_rendered(&mut self, text: &str) -> &mut Self {
        self.write(|out| out.lit(text));
        self
    }

    /// Ends the current line.
    fn end(&mut self) {
        self.write(|out| out.lit("\n"));
        (self.is_begun, self.open_style) = (false, None);
    }

    /// Begins a line below the rule of the values.
    fn ruled(&mut self) -> &mut Self {
        self.push(Role::Plain, "    ")
            .push(Role::Muted, "│")
            .push(Role::Plain, " ")
    }

    /// Writes the rule above the values.
    fn rule(&mut self) {
        self.push(Role::Plain, "    ")
            .push(Role::Muted, VALUES_RULE)
            .end();
    }
}
