//! Commands in the logs of CI systems: writes folds and annotations, and prevents other text from forging
//! commands.
//!
//! GitHub interprets lines that begin with `::`, and `##[` anywhere; Azure Pipelines interprets `##vso[` and `##[`
//! anywhere; GitLab's sections need a carriage return and an escape byte, which values cannot emit. Invariants: a command is a single line, no matter which texts it contains; everything else goes through `CiEscaper`, whose output
//! contains no command for any system. No more annotations are kept and written than the systems accept.

#[cfg(test)]
mod tests;

use std::hash::{DefaultHasher, Hash, Hasher};

use super::visible::visible;

/// GitHub keeps so many annotations of each level for a step. Other systems keep at least as many.
const MAX_COUNT: usize = 10;

/// The maximum length of a message, in bytes.
const MAX_LEN: usize = 4096;

/// A CI system, by how its log treats text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CiSystem {
    /// Also the compatible Gitea and Forgejo Actions.
    GitHub,
    /// GitLab CI.
    GitLab,
    /// Azure Pipelines.
    Azure,
    /// Another system whose log shows colours.
    Colourful,
    /// `CI` is set. The log may show escape sequences literally.
    Other,
}

impl CiSystem {
    /// Whether its log shows escape sequences as colours.
    pub fn shows_ansi(self) -> bool {
        self != Self::Other
    }

    /// Whether its log has sections that can be folded.
    pub fn folds(self) -> bool {
        matches!(self, Self::GitHub | Self::GitLab | Self::Azure)
    }
}

/// The log of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CiLog {
    /// The system that shows the log.
    pub system: CiSystem,
    /// Seconds since 1970, for commands that need a time.
    pub time: u64,
}

/// A section of a log that can be folded, and has to be closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    name: String,
}

impl CiLog {
    /// Title, number and time make the name unique in the log.
    pub(super) fn fold(self, title: &str, number: u64) -> Option<(Fold, String)> {
        let mut hasher = DefaultHasher::new();
        (title, number).hash(&mut hasher);
        let time = self.time;
        let name = format!("tfview_{time}_{:016x}", hasher.finish());
        let title = on_one_line(title);
        let line = match self.system {
            CiSystem::GitHub => format!("::group::{}\n", data(&title)),
            CiSystem::GitLab => {
                format!("\x1b[0Ksection_start:{time}:{name}[collapsed=true]\r\x1b[0K{title}\n")
            }
            CiSystem::Azure => format!("##[group]{title}\n"),
            CiSystem::Colourful | CiSystem::Other => return None,
        };
        Some((Fold { name }, line))
    }

    pub(super) fn unfold(self, fold: &Fold) -> String {
        match self.system {
            CiSystem::GitHub => "::endgroup::\n".to_owned(),
            // The text that follows is written on the same line.
            CiSystem::GitLab => format!("\x1b[0Ksection_end:{}:{}\r\x1b[0K", self.time, fold.name),
            CiSystem::Azure => "##[endgroup]\n".to_owned(),
            CiSystem::Colourful | CiSystem::Other => String::new(),
        }
    }
}

/// Escapes the commands of all CI systems.
pub fn harmless(text: &str) -> String {
    escaped(text).unwrap_or_else(|| text.to_owned())
}

/// Escapes the commands in a text; `None` if it has none.
fn escaped(text: &str) -> Option<String> {
    if !may_have_commands(text) {
        return None;
    }
    let mut done = Vec::with_capacity(text.len() + 8);
    CiEscaper::new(true).run(text.as_bytes(), &mut done);
    Some(String::from_utf8_lossy(&done).into_owned())
}

/// Positions of the characters that complete a command.
pub fn command_ends(text: &str) -> Vec<usize> {
    if may_have_commands(text) {
        ends_of_commands(text.as_bytes())
    } else {
        Vec::new()
    }
}

/// Characters that are not ASCII may be ignored within a command.
fn may_have_commands(text: &str) -> bool {
    let bytes = text.as_bytes();
    !text.is_ascii()
        || memchr::memchr2_iter(b'#', b':', bytes)
            .any(|offset| bytes.get(offset + 1) == bytes.get(offset))
}

/// Puts a text on one line, makes control and hidden characters visible, and escapes commands.
pub fn on_one_line(text: &str) -> String {
    // Most texts are one line already.
    if memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none() {
        return log_safe(text);
    }
    log_safe(&text.replace(['\n', '\r'], "␊"))
}

/// Like [`on_one_line`], but line breaks stay.
pub fn log_safe(text: &str) -> String {
    let visible = visible(text);
    escaped(&visible).unwrap_or(visible)
}

fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// How a platform shows an annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// An error, for example that a gate is violated.
    Error,
    /// A warning.
    Warning,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePosition {
    /// The path of the file, as the tool or the command line names it.
    pub file: String,
    /// Counted from 1.
    pub line: u64,
    /// Counted from 1.
    pub column: u64,
}

/// A remark that a platform shows next to a line or above the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// Whether the platform shows it as an error or a warning.
    pub level: Level,
    /// The title must be on one line.
    pub title: String,
    /// The text, which may have several lines.
    pub message: String,
    /// The line of the configuration to which the platform attaches it.
    pub position: Option<FilePosition>,
}

/// The annotations of a run, up to the number that the system accepts.
#[derive(Clone, Debug)]
pub struct Annotations {
    system: CiSystem,
    all: Vec<Annotation>,
}

impl Annotations {
    /// Makes an empty list for a system.
    pub fn new(system: CiSystem) -> Self {
        Self {
            system,
            all: Vec::new(),
        }
    }

    /// Adds an annotation at the end.
    pub fn add(&mut self, annotation: Annotation) {
        self.all.push(annotation);
    }

    /// Adds the annotations of another list at the end.
    pub fn extend(&mut self, other: &Self) {
        self.all.extend_from_slice(&other.all);
    }

    /// Returns the commands for all annotations; empty if the system has no annotations.
    pub fn lines(&self) -> String {
        let mut text = String::new();
        for level in [Level::Error, Level::Warning] {
            let of_level = || {
                self.all
                    .iter()
                    .filter(|annotation| annotation.level == level)
            };
            let all = of_level().count();
            let written = if all > MAX_COUNT { MAX_COUNT - 1 } else { all };
            of_level()
                .take(written)
                .for_each(|annotation| text.push_str(&line(self.system, annotation)));
            if all > written {
                let message = format!("and {} more", all - written);
                let rest = Annotation {
                    level,
                    title: "tfview".to_owned(),
                    message,
                    position: None,
                };
                text.push_str(&line(self.system, &rest));
            }
        }
        text
    }
}

/// Returns the command that creates an annotation; empty for systems without annotations.
fn line(system: CiSystem, annotation: &Annotation) -> String {
    let Annotation {
        level,
        title,
        message,
        position,
    } = annotation;
    let word = match level {
        Level::Error => "error",
        Level::Warning => "warning",
    };
    let (title, message) = (on_one_line(title), log_safe(clipped(message)));
    match system {
        CiSystem::GitHub => {
            let properties = position.as_ref().map_or_else(
                String::new,
                |FilePosition { file, line, column }| {
                    format!(
                        "file={},line={line},col={column},",
                        property(&on_one_line(file))
                    )
                },
            );
            format!(
                "::{word} {properties}title={}::{}\n",
                property(&title),
                data(&message)
            )
        }
        CiSystem::Azure => {
            let properties = position.as_ref().map_or_else(
                String::new,
                |FilePosition { file, line, column }| {
                    let file = azure(&on_one_line(file))
                        .replace(';', "%3B")
                        .replace(']', "%5D");
                    format!(";sourcepath={file};linenumber={line};columnnumber={column}")
                },
            );
            format!(
                "##vso[task.logissue type={word}{properties}]{}\n",
                azure(&format!("{title}: {message}"))
            )
        }
        CiSystem::GitLab | CiSystem::Colourful | CiSystem::Other => String::new(),
    }
}

fn clipped(message: &str) -> &str {
    let end = (0..=MAX_LEN.min(message.len()))
        .rev()
        .find(|offset| message.is_char_boundary(*offset));
    &message[..end.unwrap_or_default()]
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

fn azure(text: &str) -> String {
    text.replace('%', "%AZP25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// These bytes mark a command of tfview's own, on a line of its own.
pub(super) const COMMAND: u8 = 0xff;
pub(super) const COMMAND_END: u8 = 0xfe;
/// These bytes mark text without line prefixes, because it is drawn over existing text.
pub(super) const UNPREFIXED: u8 = 0xfd;
pub(super) const PREFIXED: u8 = 0xfc;

/// How much of the beginning of a command the last bytes have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CommandProgress {
    /// Only white space so far.
    Start,
    Colon,
    Inside,
    Hash,
    /// After `##`, or `##` and letters.
    Hashes,
}

/// Adds a prefix such as the time to each line, and escapes text that a CI system would interpret as a command.
///
/// A command is broken by a space before the character that completes it. Nothing has to be held back, so the
/// result does not depend on how the text is split into writes. Marker bytes delimit tfview's own commands. They
/// never occur in UTF-8, so no input can contain them.
#[derive(Clone, Debug)]
pub(super) struct CiEscaper {
    /// Whether text is escaped. Without it, only prefixes are added.
    escapes: bool,
    /// What each line begins with, such as the time; may be empty.
    pub(super) line_prefix: Vec<u8>,
    /// How much of a command the last bytes have.
    progress: CommandProgress,
    /// The next byte is the first of a line.
    fresh: bool,
    /// The bytes are those of a command of tfview, which are written as they are.
    in_command: bool,
    /// Lines get no prefix for now.
    unprefixed: bool,
}

impl CiEscaper {
    /// Returns an escaper. Without `escapes`, it only writes the prefix of lines.
    pub(super) fn new(escapes: bool) -> Self {
        Self {
            escapes,
            line_prefix: Vec::new(),
            progress: CommandProgress::Start,
            fresh: true,
            in_command: false,
            unprefixed: false,
        }
    }

    /// Processes the next bytes and appends the result to `done`.
    pub(super) fn run(&mut self, bytes: &[u8], done: &mut Vec<u8>) {
        for byte in bytes {
            match *byte {
                COMMAND => {
                    self.in_command = true;
                    if !self.fresh {
                        done.push(b'\n');
                    }
                }
                COMMAND_END => {
                    self.in_command = false;
                    (self.progress, self.fresh) = (CommandProgress::Start, true);
                }
                UNPREFIXED => self.unprefixed = true,
                PREFIXED => self.unprefixed = false,
                byte if self.in_command => done.push(byte),
                byte => self.text(byte, done),
            }
        }
    }

    fn text(&mut self, byte: u8, done: &mut Vec<u8>) {
        if self.fresh && !self.unprefixed && byte != b'\n' {
            done.extend_from_slice(&self.line_prefix);
        }
        self.fresh = byte == b'\n' || (self.fresh && self.unprefixed);
        if self.escapes {
            let (progress, breaks) = self.progress.after(byte);
            self.progress = progress;
            if breaks {
                done.push(b' ');
            }
        }
        done.push(byte);
    }
}

impl CommandProgress {
    /// The flag says whether `byte` would complete a command. Non-ASCII bytes change nothing, because some systems
    /// ignore invisible characters.
    fn after(self, byte: u8) -> (Self, bool) {
        match (self, byte) {
            (_, b'\n' | b'\r') => (Self::Start, false),
            (progress, 0x80..) | (progress @ Self::Start, b' ' | b'\t') => (progress, false),
            (Self::Start, b':') => (Self::Colon, false),
            (Self::Colon, b':') => (Self::Inside, true),
            (Self::Hash | Self::Hashes, b'#') => (Self::Hashes, false),
            (Self::Start | Self::Colon | Self::Inside, b'#') => (Self::Hash, false),
            (Self::Hashes, b'[') => (Self::Inside, true),
            (Self::Hashes, b'a'..=b'z' | b'A'..=b'Z') => (Self::Hashes, false),
            (Self::Start | Self::Colon | Self::Inside | Self::Hash | Self::Hashes, _) => {
                (Self::Inside, false)
            }
        }
    }
}

/// The text must not begin a line.
fn ends_of_commands(text: &[u8]) -> Vec<usize> {
    let mut progress = CommandProgress::Inside;
    let ends = text.iter().enumerate().filter(|(_, byte)| {
        let (next, ends) = progress.after(**byte);
        progress = next;
        ends
    });
    ends.map(|(position, _)| position).collect()
}
