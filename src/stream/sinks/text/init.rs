//! Shows the messages of `init` with the layout and styles of its human-readable text.

use std::io;

use super::{Context, TextSink};
use crate::dialect::{Dialect, Tool};
use crate::stream::output::Output;
use crate::term::Role;
use crate::term::TextPart::{Data, Lit, Styled, StyledData};
use crate::text::stream::{is_init_section, is_init_success, tofu_provider_line};

const LOCK_FILE: &str = ".terraform.lock.hcl";

/// The paragraphs of OpenTofu's `init` with their fixed line breaks, which no wrapping width reproduces.
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

/// The last text shown, on which the empty line after it depends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Gap {
    /// Nothing was shown.
    #[default]
    None,
    /// The heading of the backend (Terraform).
    AfterBackend,
    /// Another heading, and the text after it.
    AfterSection,
    /// A paragraph.
    AfterParagraph,
    /// Diagnostics, which have taken the empty line.
    Taken,
}

impl Dialect {
    /// Whether an empty line follows each diagnostic of `init`.
    pub(super) fn spaces_init_diagnostics(self) -> bool {
        self.tool == Tool::OpenTofu
    }
}

impl TextSink {
    /// Shows messages of Terraform, which have a code for their text.
    pub(super) fn init_output(&mut self, code: &str, context: &mut Context<'_, '_>) -> io::Result<()> {
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
                output.text()?.parts(&[StyledData(Role::Strong, lead), Data(rest), Lit("\n")])
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

    fn init_success(&self, text: &str, output: &mut Output<'_>) -> io::Result<()> {
        // Warnings before it have already written the empty line.
        if self.init_gap != Gap::Taken {
            output.text()?.lit("\n")?;
        }
        output.line(Role::StrongSuccess, text)
    }

    /// Separates diagnostics of `init` from the text above them.
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
        if has_empty_line { output.text()?.lit("\n") } else { Ok(()) }
    }

    /// Shows the heading of a section (OpenTofu).
    fn section(&mut self, text: &str, output: &mut Output<'_>) -> io::Result<()> {
        // Modules are part of the previous section.
        if !text.contains("modules") {
            output.text()?.lit("\n")?;
        }
        self.init_gap = Gap::AfterSection;
        output.line(Role::Strong, text)
    }

    /// Shows a paragraph, with the name of the lock file in bold.
    fn paragraph(&mut self, text: &str, output: &mut Output<'_>) -> io::Result<()> {
        self.init_gap = Gap::AfterParagraph;
        let out = output.text()?;
        match text.split_once(LOCK_FILE) {
            Some((before, after)) => {
                out.parts(&[Lit("\n"), Data(before), Styled(Role::Strong, LOCK_FILE), Data(after), Lit("\n")])
            }
            None => out.parts(&[Lit("\n"), Data(text), Lit("\n")]),
        }
    }

    /// Shows messages of OpenTofu's `init`, which have no type and contain each paragraph on one line.
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

/// Breaks a paragraph of OpenTofu into lines: as in its human-readable text if the paragraph is known,
/// otherwise by width.
fn broken(text: &str, context: &Context<'_, '_>) -> String {
    let is_same = |known: &&&str| known.split_whitespace().eq(text.split_whitespace());
    match PARAGRAPHS.iter().find(is_same) {
        Some(text) => (*text).to_owned(),
        None => context.wrap(text),
    }
}
