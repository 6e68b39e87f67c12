//! Shows the messages of `init` with the layout and styles of its human-readable text.

use std::io;

use crate::dialect::{Dialect, Tool};
use crate::model::message::Message;
use crate::term::{Role, Untrusted};
use crate::text::stream::{provider_line, tofu_provider_line};
use crate::text::wrap;

use super::Stream;

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
        match self.tool {
            Tool::OpenTofu => true,
            Tool::Terraform => false,
        }
    }
}

impl Stream<'_> {
    /// Handles `init_output` messages (Terraform), which have a code for their text.
    pub(super) fn init_output(&mut self, message: &Message<'_>) -> io::Result<()> {
        self.is_init = true;
        let text = &*message.text();
        self.init_goes_on(text);
        match &*message.message_code {
            "initializing_backend_message"
            | "initializing_terraform_cloud_message"
            | "initializing_state_store_message" => {
                self.say(Role::Strong, text)?;
                self.init_gap = Gap::AfterBackend;
                Ok(())
            }
            "initializing_modules_message"
            | "upgrading_modules_message"
            | "initializing_provider_plugin_message" => {
                self.out()?.lit("\n")?;
                self.init_gap = Gap::AfterSection;
                self.say(Role::Strong, text)
            }
            "copying_configuration_message" => {
                let (lead, rest) = text.split_at(text.find(" from ").unwrap_or(text.len()));
                let out = self.out()?;
                out.role_data(Role::Strong, Untrusted(lead))?;
                out.data(Untrusted(rest))?;
                out.lit("\n")
            }
            "output_init_success_message" | "output_init_success_cloud_message" => {
                // The warnings before it have already written the empty line.
                if self.init_gap != Gap::Taken {
                    self.out()?.lit("\n")?;
                }
                self.say(Role::StrongSuccess, text)
            }
            "output_init_success_cli_message" | "output_init_success_cli_cloud_message" => {
                self.out()?.lit("\n")?;
                self.say(Role::Create, text)
            }
            _ => self.paragraph(text),
        }
    }

    /// Separates diagnostics of `init` from the text above them.
    pub(super) fn init_gap(&mut self, has_errors: bool) -> io::Result<()> {
        let stands_apart = match self.init_gap {
            Gap::AfterBackend => true,
            Gap::AfterSection | Gap::AfterParagraph => !has_errors,
            Gap::None | Gap::Taken => false,
        };
        self.init_gap = Gap::Taken;
        if stands_apart { self.out()?.lit("\n") } else { Ok(()) }
    }

    /// Records that `init` has begun, and that it has ended if `text` is one of its final messages.
    fn init_goes_on(&mut self, text: &str) {
        self.record.course.init_began();
        if text.ends_with("has been successfully initialized!")
            || text.contains("initialized in an empty directory")
        {
            self.record.course.init_ended();
        }
    }

    /// Shows the heading of a section (OpenTofu).
    fn section(&mut self, text: &str) -> io::Result<()> {
        self.is_init = true;
        // Modules are part of the previous section.
        if !text.contains("modules") {
            self.out()?.lit("\n")?;
        }
        self.init_gap = Gap::AfterSection;
        self.say(Role::Strong, text)
    }

    /// Shows a paragraph, with the name of the lock file in bold.
    fn paragraph(&mut self, text: &str) -> io::Result<()> {
        self.init_gap = Gap::AfterParagraph;
        let out = self.out()?;
        out.lit("\n")?;
        match text.find(LOCK_FILE) {
            Some(at) => {
                out.data(Untrusted(&text[..at]))?;
                out.role(Role::Strong, LOCK_FILE)?;
                out.data(Untrusted(&text[at + LOCK_FILE.len()..]))?;
            }
            None => out.data(Untrusted(text))?,
        }
        out.lit("\n")
    }

    /// Shows a log line of `init`, usually about a provider.
    pub(super) fn provider_log(&mut self, message: &Message<'_>) -> io::Result<()> {
        match provider_line(&message.text()) {
            Some(line) => self.say(Role::Plain, &line),
            None if &*message.level == "error" => self.unknown(message),
            None => self.say(Role::Plain, message.text().trim_end()),
        }
    }

    /// Handles messages of OpenTofu's `init`, which have no type and contain each paragraph on one line.
    pub(super) fn untyped(&mut self, message: &Message<'_>) -> io::Result<()> {
        let text = &*message.text();
        if text.starts_with("Initializing ") || text.starts_with("Upgrading modules") {
            self.init_goes_on(text);
            return self.section(text);
        }
        if !self.is_init {
            if text.contains("initialized in an empty directory") {
                self.init_goes_on(text);
            }
            if &*message.level == "error" {
                self.fail()?;
                return self.paragraph(&self.laid_out(text));
            }
            return self.unknown(message);
        }
        self.init_goes_on(text);
        if text.ends_with("has been successfully initialized!") {
            if self.init_gap != Gap::Taken {
                self.out()?.lit("\n")?;
            }
            return self.say(Role::StrongSuccess, text);
        }
        match tofu_provider_line(text) {
            Some(line) => self.say(Role::Plain, &line),
            None => {
                if &*message.level == "error" {
                    self.fail()?;
                }
                self.paragraph(&self.laid_out(text))
            }
        }
    }

    /// Breaks a paragraph of OpenTofu into lines: as in its human-readable text if the paragraph is known,
    /// otherwise by width.
    fn laid_out(&self, text: &str) -> String {
        let is_same = |known: &&&str| known.split_whitespace().eq(text.split_whitespace());
        match PARAGRAPHS.iter().find(is_same) {
            Some(text) => (*text).to_owned(),
            None => wrap(text, self.options.width.saturating_sub(1)),
        }
    }
}
