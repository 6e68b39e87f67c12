//! `tfview completions` and `tfview man`: made from the same types that parse the command line.

use std::io::{self, Write};

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

use super::Outcome;
use super::args::Args;

/// Prints the completions of `shell`.
pub(super) fn completions(shell: Shell) -> anyhow::Result<Outcome> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "tfview", &mut text);
    print(&text).context("writing the completions")
}

/// Prints the manual: the page of the program, and one section for each subcommand.
pub(super) fn man() -> anyhow::Result<Outcome> {
    let mut command = Args::command();
    command.build();
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text).context("making the manual page")?;
    for subcommand in command.get_subcommands() {
        let man = clap_mangen::Man::new(subcommand.clone());
        let mut section = Vec::new();
        man.render_description_section(&mut section)
            .and_then(|()| man.render_options_section(&mut section))
            .context("making the manual page")?;
        text.extend_from_slice(&renamed(&section, subcommand.get_name()));
    }
    print(&text).context("writing the manual page")
}

/// The sections of a subcommand's page, as subsections of ours.
fn renamed(section: &[u8], name: &str) -> Vec<u8> {
    let text = String::from_utf8_lossy(section);
    let heading = format!(".SH \"tfview {name}\"");
    text.replace(".SH DESCRIPTION", &heading).replace(".SH OPTIONS", ".SS Options").into_bytes()
}

fn print(text: &[u8]) -> io::Result<Outcome> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text).and_then(|()| stdout.flush()) {
        // The reader had enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Outcome::Fine),
        Err(error) => Err(error),
        Ok(()) => Ok(Outcome::Fine),
    }
}
