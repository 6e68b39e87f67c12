//! `init`: what it says in its messages, in the layout and with the styles of its text.

use std::io;

use crate::model::message::Message;
use crate::term::{Role, Untrusted};
use crate::text::stream::{provider_line, tofu_provider_line};
use crate::text::wrap;

use super::Stream;

const LOCK_FILE: &str = ".terraform.lock.hcl";

impl Stream<'_> {
    /// Terraform's messages name the text that they hold.
    pub(super) fn init_output(&mut self, message: &Message<'_>) -> io::Result<()> {
        let said = &*message.said();
        self.init_goes_on(said);
        match &*message.message_code {
            "initializing_backend_message"
            | "initializing_terraform_cloud_message"
            | "initializing_state_store_message"
            | "initializing_modules_message"
            | "upgrading_modules_message"
            | "initializing_provider_plugin_message" => self.section(said),
            "copying_configuration_message" => {
                let (lead, rest) = said.split_at(said.find(" from ").unwrap_or(said.len()));
                let out = self.out()?;
                out.role_data(Role::Strong, Untrusted(lead))?;
                out.data(Untrusted(rest))?;
                out.lit("\n")
            }
            "output_init_success_message" | "output_init_success_cloud_message" => {
                self.say(Role::StrongSuccess, said)
            }
            "output_init_success_cli_message" | "output_init_success_cli_cloud_message" => {
                self.out()?.lit("\n")?;
                self.say(Role::Create, said)
            }
            _ => self.paragraph(said),
        }
    }

    /// `init` has begun, and ended if this is what it says then.
    fn init_goes_on(&mut self, said: &str) {
        self.record.course.init_began();
        if said.ends_with("has been successfully initialized!")
            || said.contains("initialized in an empty directory")
        {
            self.record.course.init_ended();
        }
    }

    /// The heading of a section.
    fn section(&mut self, said: &str) -> io::Result<()> {
        let first = !std::mem::replace(&mut self.is_init, true);
        let out = self.out()?;
        if !first {
            out.lit("\n")?;
        }
        self.say(Role::Strong, said)
    }

    /// A text; the name of the lock file in it is bold.
    fn paragraph(&mut self, said: &str) -> io::Result<()> {
        let out = self.out()?;
        out.lit("\n")?;
        match said.find(LOCK_FILE) {
            Some(at) => {
                out.data(Untrusted(&said[..at]))?;
                out.role(Role::Strong, LOCK_FILE)?;
                out.data(Untrusted(&said[at + LOCK_FILE.len()..]))?;
            }
            None => out.data(Untrusted(said))?,
        }
        out.lit("\n")
    }

    /// A log line of `init`: mostly on a provider.
    pub(super) fn provider_log(&mut self, message: &Message<'_>) -> io::Result<()> {
        match provider_line(&message.said()) {
            Some(line) => self.say(Role::Plain, &line),
            None => self.unknown(message),
        }
    }

    /// OpenTofu's messages of `init` have no type. Their paragraphs come on one line each.
    pub(super) fn untyped(&mut self, message: &Message<'_>) -> io::Result<()> {
        let said = &*message.said();
        if said.starts_with("Initializing ") || said.starts_with("Upgrading modules") {
            self.init_goes_on(said);
            return self.section(said);
        }
        if !self.is_init {
            if said.contains("initialized in an empty directory") {
                self.init_goes_on(said);
            }
            return self.unknown(message);
        }
        self.init_goes_on(said);
        if said.ends_with("has been successfully initialized!") {
            self.out()?.lit("\n")?;
            return self.say(Role::StrongSuccess, said);
        }
        match tofu_provider_line(said) {
            Some(line) => self.say(Role::Plain, &line),
            None => {
                if &*message.level == "error" {
                    self.fail()?;
                }
                let width = self.options.width.saturating_sub(1);
                self.paragraph(&wrap(said, width))
            }
        }
    }
}
