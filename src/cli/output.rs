//! Writes text to standard output, to a pager or to the files of `--out`.
//!
//! Invariant: the outcome of a subcommand is decided before its first byte is written, and a failed write
//! never improves it.

use std::fs::{self, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, bail};

use super::messages::{ErrorWithTip, io_text};
use super::settings::{Pager, stdin_file, stdout};
use super::values::OutFile;
use super::{Host, Outcome};

/// Lets `write` write to standard output or to a pager, and returns its result; `None` if not everything was written.
///
/// A closed pipe or pager is not a failure; other failed writes are added to `failures`.
///
/// # Errors
/// Those of `write` that are not about writing.
pub(super) fn with_output<T>(
    pager: Option<&Pager>,
    host: &Host,
    failures: &mut WriteFailures,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<Option<T>> {
    let error = match send(pager, host, write) {
        Ok(written) => return Ok(Some(written)),
        Err(error) => error,
    };
    let kind = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<io::Error>())
        .map(io::Error::kind);
    match kind {
        None => return Err(error),
        Some(io::ErrorKind::BrokenPipe) => {}
        Some(_) => failures.0.push(error),
    }
    Ok(None)
}

/// Passes standard output or the input of a pager to `write`. If the default pager is missing, standard output is used.
fn send<T>(
    pager: Option<&Pager>,
    host: &Host,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let Some(pager) = pager else {
        return with_stdout(write);
    };
    host.processes.leave_interrupts_to_the_pager();
    let mut child = match spawn(pager) {
        Ok(child) => child,
        Err(error) => {
            // The user did not ask for the default pager, so its absence is not an error.
            if !pager.is_default() || error.kind() != io::ErrorKind::NotFound {
                let reason = io_text(&error);
                host.note(&format!(
                    "running the pager `{}`: {reason}; printing instead",
                    pager.command
                ));
            }
            return with_stdout(write);
        }
    };
    let result = match child.stdin.take() {
        Some(mut stdin) => write(&mut stdin),
        None => with_stdout(write),
    };
    // The input of the pager is closed now, and it ends when the user quits.
    child.wait().context("waiting for the pager")?;
    result
}

/// The failed writes of a subcommand. They turn a success into a failure; every other outcome stays.
#[derive(Debug, Default)]
pub(super) struct WriteFailures(Vec<anyhow::Error>);

impl WriteFailures {
    pub(super) fn keep(&mut self, result: anyhow::Result<()>) {
        self.0.extend(result.err());
    }

    /// Writes the files of `--out`, and keeps the failures.
    pub(super) fn write_files<F: Copy>(
        &mut self,
        files: &[OutFile<F>],
        text: impl Fn(F) -> anyhow::Result<Vec<u8>>,
    ) {
        for OutFile { format, path } in files {
            self.keep(text(*format).and_then(|text| {
                fs::write(path, text).with_context(|| format!("writing {}", path.display()))
            }));
        }
    }

    /// Reports the failures, and returns the outcome of the subcommand.
    pub(super) fn conclude(self, decided: Outcome, host: &Host) -> Outcome {
        for error in &self.0 {
            host.report(error);
        }
        match decided {
            Outcome::Fine if !self.0.is_empty() => Outcome::Failed,
            Outcome::Fine
            | Outcome::Failed
            | Outcome::Changes
            | Outcome::Gate
            | Outcome::Tool(_) => decided,
        }
    }
}

fn with_stdout<T>(write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>) -> anyhow::Result<T> {
    write(&mut stdout())
}

fn spawn(pager: &Pager) -> io::Result<Child> {
    let mut command = command(&pager.command);
    if pager.less_options {
        command.env("LESS", "FRX");
    }
    command.stdin(Stdio::piped()).spawn()
}

/// Makes the command of a pager. A text of plain words is started directly, so that a missing program is noticed; any
/// other one is run by the shell.
fn command(text: &str) -> Command {
    let plain = |c: char| c.is_alphanumeric() || " \t/._-+=:,@%\\".contains(c);
    if text.chars().all(plain) || cfg!(not(unix)) {
        let mut words = text.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        return command;
    }
    let mut command = Command::new("sh");
    command.arg("-c").arg(text);
    command
}

/// Checks that no output would overwrite a file that is read, or another output. Files are compared, not names, so that
/// links and other spellings are recognized.
///
/// `inputs` are files that were named or found. Takes time linear in the inputs for each output.
///
/// # Errors
/// If an output would overwrite something.
pub(super) fn check_overwrites(
    outputs: &[(&str, &Path)],
    inputs: &[&Path],
    reads_stdin: bool,
) -> anyhow::Result<()> {
    let mut destinations: Vec<Destination> = Vec::with_capacity(outputs.len());
    for (option, output) in outputs {
        let destination = Destination::of(output);
        let what = if destination.is_one_of(inputs) {
            "which is read"
        } else if reads_stdin && is_standard_input(output) {
            "which is standard input"
        } else if destinations
            .iter()
            .any(|other| destination.may_be(other) && !is_device(output))
        {
            "which is written too"
        } else {
            destinations.push(destination);
            continue;
        };
        let text = format!("{option} would write over {}, {what}", output.display());
        bail!(ErrorWithTip::new(text, "name another file"));
    }
    Ok(())
}

/// The destination of an output.
#[derive(Debug)]
struct Destination {
    /// The path with symbolic links followed, as far as they exist.
    path: PathBuf,
    /// The file at this path; `None` if there is none yet.
    existing: Option<FileIdentity>,
}

impl Destination {
    fn of(output: &Path) -> Self {
        Self {
            path: resolved(output),
            existing: FileIdentity::of(output),
        }
    }

    /// Whether the output would overwrite one of the inputs.
    fn is_one_of(&self, inputs: &[&Path]) -> bool {
        let is_same = |existing: &FileIdentity| {
            inputs
                .iter()
                .any(|input| FileIdentity::of(input).as_ref() == Some(existing))
        };
        self.existing.as_ref().is_some_and(is_same)
    }

    /// Whether both outputs may be the same file. Names that differ only in the case of letters are, on some file
    /// systems.
    fn may_be(&self, other: &Self) -> bool {
        let folded = |path: &Path| path.to_string_lossy().to_lowercase();
        let is_same_file = self.existing.is_some() && self.existing == other.existing;
        is_same_file || folded(&self.path) == folded(&other.path)
    }
}

/// Returns the path to which a write goes. Symbolic links are followed, even if their target does not exist yet.
fn resolved(path: &Path) -> PathBuf {
    /// The maximum number of links that are followed. More of them are a loop.
    const MAX_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        if let Ok(existing) = fs::canonicalize(&path) {
            return existing;
        }
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => break,
        }
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        Some(_) | None => Path::new("."),
    };
    match (fs::canonicalize(folder), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        (Ok(_) | Err(_), _) => path,
    }
}

fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

fn is_standard_input(path: &Path) -> bool {
    let stdin = stdin_file().and_then(|stdin| stdin.metadata().ok());
    stdin
        .zip(fs::metadata(path).ok())
        .is_some_and(|(stdin, path)| are_same(&stdin, &path))
}

/// The identity of the regular file at a path. Devices may be read and written at the same time, so they have none.
#[cfg(unix)]
#[derive(Debug, PartialEq, Eq)]
struct FileIdentity {
    device: u64,
    inode: u64,
}

#[cfg(unix)]
impl FileIdentity {
    fn of(path: &Path) -> Option<Self> {
        fs::metadata(path)
            .ok()
            .and_then(|metadata| Self::of_metadata(&metadata))
    }

    fn of_metadata(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        metadata.is_file().then(|| Self {
            device: metadata.dev(),
            inode: metadata.ino(),
        })
    }
}

#[cfg(unix)]
fn are_same(one: &Metadata, other: &Metadata) -> bool {
    let one = FileIdentity::of_metadata(one);
    one.is_some() && one == FileIdentity::of_metadata(other)
}

/// The identity of the regular file at a path: its full path, without symbolic links.
#[cfg(not(unix))]
#[derive(Debug, PartialEq, Eq)]
struct FileIdentity(PathBuf);

#[cfg(not(unix))]
impl FileIdentity {
    fn of(path: &Path) -> Option<Self> {
        fs::canonicalize(path)
            .ok()
            .filter(|path| path.is_file())
            .map(Self)
    }
}

#[cfg(not(unix))]
fn are_same(_: &Metadata, _: &Metadata) -> bool {
    false
}
