//! The question that `apply` asks, in the tools' words, and the answer.
//!
//! Invariant: only `yes` on a line of its own approves. The end of the input, errors and signals are
//! refusals.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use anyhow::Context;

use crate::cli::Host;
use crate::cli::documents::Files;
use crate::cli::environment::stdout;
use crate::cli::processes::Listening;
use crate::cli::settings::Settings;
use crate::dialect::Dialect;
use crate::stream::{End, Options, Stream};
use crate::term::{Out, Role, Untrusted};

/// The kind of plan, on which the question depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Changes.
    Normal,
    /// `-destroy`.
    Destroy,
    /// `-refresh-only`.
    RefreshOnly,
    /// Terraform's `-invoke`.
    Invoke,
}

/// The question.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'q> {
    /// The kind of plan.
    pub(super) mode: Mode,
    /// The dialect of the question.
    pub(super) dialect: Dialect,
    /// The workspace.
    pub(super) workspace: &'q str,
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// `yes`.
    Yes,
    /// Anything else.
    No,
    /// The input has ended.
    EndOfInput,
    /// A signal came.
    Interrupted,
}

impl Question<'_> {
    /// The question, and what an approval leads to.
    fn words(self) -> (String, String) {
        let product = self.dialect.product();
        let (within, of) = match self.workspace {
            "default" => (String::new(), String::new()),
            name => (format!(" in workspace \"{name}\""), format!(" for \"{name}\"")),
        };
        let (query, will) = match self.mode {
            Mode::Normal => (
                format!("Do you want to perform these actions{within}?"),
                "will perform the actions described above.",
            ),
            Mode::Destroy => (
                format!("Do you really want to destroy all resources{within}?"),
                "will destroy all your managed infrastructure, as shown above.",
            ),
            Mode::RefreshOnly => (
                format!(
                    "Would you like to update the {product} state{of} to reflect these detected changes?"
                ),
                "will write these changes to the state without modifying any real infrastructure.",
            ),
            Mode::Invoke => (
                "Would you like to invoke the specified actions?".to_owned(),
                "will invoke the actions described above, and any changes will be written to the state without \
                 modifying real infrastructure",
            ),
        };
        let warning = match self.mode {
            Mode::Normal => "Only 'yes' will be accepted to approve.",
            Mode::Destroy | Mode::RefreshOnly | Mode::Invoke => {
                "There is no undo. Only 'yes' will be accepted to confirm."
            }
        };
        (query, format!("  {product} {will}\n  {warning}\n"))
    }

    /// The words of the tool after a refusal.
    fn cancelled(self) -> &'static str {
        match self.mode {
            Mode::Destroy => "Destroy cancelled.\n",
            Mode::Normal | Mode::RefreshOnly | Mode::Invoke => "Apply cancelled.\n",
        }
    }
}

/// Asks, and prints the words for an answer other than `yes`. Returns whether the answer is `yes`.
pub(super) fn ask(question: Question<'_>, settings: &Settings, host: &Host) -> anyhow::Result<bool> {
    let mut sink = stdout();
    let listener = Listener::new(host)?;
    let mut out = Out::new(&mut sink, settings.colour);
    out.lit("\n")?;
    let (query, description) = question.words();
    out.role_data(Role::Strong, Untrusted(&query))?;
    out.lit("\n")?;
    out.lit(&description)?;
    out.lit("\n  ")?;
    out.role(Role::Strong, "Enter a value:")?;
    out.lit(" ")?;
    out.flush().context("asking")?;
    let answer = listener.answer()?;
    out.lit("\n")?;
    out.lit(match answer {
        Answer::Yes | Answer::EndOfInput => "",
        Answer::No => question.cancelled(),
        Answer::Interrupted => "\n",
    })?;
    out.flush().context("asking")?;
    match answer {
        Answer::Yes | Answer::No => {}
        Answer::EndOfInput => refuse("EOF", settings, host)?,
        Answer::Interrupted => refuse("interrupted", settings, host)?,
    }
    Ok(answer == Answer::Yes)
}

/// Reports, in the tool's words, why there is no answer.
fn refuse(why: &str, settings: &Settings, host: &Host) -> anyhow::Result<()> {
    let message = serde_json::json!({
        "@level": "error",
        "type": "diagnostic",
        "diagnostic": {
            "severity": "error",
            "summary": format!("error asking for approval: {why}"),
            "detail": "",
        },
    });
    let (mut text, mut notes) = (io::stderr(), io::sink());
    let options = Options { dialect: settings.dialect, width: settings.width, ..Options::default() };
    let mut documents = Files::read(settings, None, host);
    let out = Out::new(&mut text, settings.colour && host.terminal.stderr);
    let notes = Out::new(&mut notes, false);
    let mut stream = Stream::new(options, out, notes, &mut documents);
    stream.push(format!("{message}\n").as_bytes()).context("saying why")?;
    stream.finish(End::Closed).context("saying why")?;
    Ok(())
}

/// Waits for the answer: a line, the end of the input, or a signal.
struct Listener {
    sender: Sender<io::Result<Answer>>,
    receiver: Receiver<io::Result<Answer>>,
    _listening: Listening,
}

impl Listener {
    /// Starts to listen for signals. Must be called before the question is written, so that no interrupt is
    /// lost.
    fn new(host: &Host) -> anyhow::Result<Self> {
        let (sender, receiver) = channel();
        let mut listening = host.processes.listen(false)?;
        if let Some(signals) = listening.take() {
            let sender = Sender::clone(&sender);
            thread::spawn(move || {
                if signals.recv().is_ok() {
                    // There is no receiver if the answer came first.
                    let _ = sender.send(Ok(Answer::Interrupted));
                }
            });
        }
        Ok(Self { sender, receiver, _listening: listening })
    }

    fn answer(self) -> anyhow::Result<Answer> {
        let sender = self.sender;
        thread::spawn(move || sender.send(read_line()));
        self.receiver.recv().context("waiting for the answer")?.context("cannot read the answer")
    }
}

/// Reads exactly one line.
fn read_line() -> io::Result<Answer> {
    let mut line = Vec::new();
    let mut byte = [0];
    let mut stdin = unbuffered_stdin();
    loop {
        match stdin.read(&mut byte) {
            Ok(0) => return Ok(Answer::EndOfInput),
            Ok(_) if byte == *b"\n" => break,
            Ok(_) => line.extend_from_slice(&byte),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    // As in the tools, white space at the end is ignored, but not at the start.
    Ok(if line.trim_ascii_end() == b"yes" { Answer::Yes } else { Answer::No })
}

#[cfg(unix)]
fn unbuffered_stdin() -> Box<dyn Read> {
    use std::os::fd::AsFd;
    match io::stdin().as_fd().try_clone_to_owned() {
        Ok(file) => Box::new(std::fs::File::from(file)),
        Err(_) => Box::new(io::stdin()),
    }
}

#[cfg(not(unix))]
fn unbuffered_stdin() -> Box<dyn Read> {
    Box::new(io::stdin())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_the_tools_own() {
        for (mode, dialect, workspace, query) in [
            (Mode::Normal, Dialect::OPENTOFU, "default", "Do you want to perform these actions?"),
            (
                Mode::Normal,
                Dialect::TERRAFORM,
                "w",
                "Do you want to perform these actions in workspace \"w\"?",
            ),
            (Mode::Destroy, Dialect::OPENTOFU, "default", "Do you really want to destroy all resources?"),
            (
                Mode::Destroy,
                Dialect::OPENTOFU,
                "w",
                "Do you really want to destroy all resources in workspace \"w\"?",
            ),
            (
                Mode::RefreshOnly,
                Dialect::TERRAFORM,
                "default",
                "Would you like to update the Terraform state to reflect these detected changes?",
            ),
            (
                Mode::RefreshOnly,
                Dialect::OPENTOFU,
                "w",
                "Would you like to update the OpenTofu state for \"w\" to reflect these detected changes?",
            ),
        ] {
            assert_eq!(Question { mode, dialect, workspace }.words().0, query);
        }
    }
}
