//! The commands in the logs of CI systems: writes folds and annotations, and prevents other text from forging commands.
//!
//! GitHub interprets lines that begin with `::`, and `##[` anywhere. Azure Pipelines interprets `##vso[` and `##[`
//! anywhere. The sections of GitLab need a carriage return and an escape byte, which values cannot emit.
//!
//! Invariants: a command is a single line, whatever texts it contains. Everything else goes through `CiEscaper`, whose
//! output contains no command for any system. No more annotations are written than the systems accept.

#[cfg(test)]
mod tests;

use std::hash::{DefaultHasher, Hash, Hasher};

use super::visible::visible;

/// The maximum number of annotations of each level. GitHub keeps that many for a step, and other systems at least as
/// many.
const MAX_COUNT: usize = 10;

/// The maximum length of the message of an annotation, in bytes.
const MAX_LEN: usize = 4096;

/// A CI system, or a group of them, by the way in which its log treats text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CiSystem {
    /// GitHub Actions, and the compatible Gitea and Forgejo Actions.
    GitHub,
    /// GitLab CI.
    GitLab,
    /// Azure Pipelines.
    Azure,
    /// Another system, whose log shows colors.
    Colourful,
    /// An unknown system, for which only `CI` is set. Its log may show escape sequences literally.
    Other,
}

impl CiSystem {
    /// Whether the log shows escape sequences as colors.
    pub fn shows_ansi(self) -> bool {
        self != Self::Other
    }

    /// Whether the log has sections that can be folded.
    pub fn folds(self) -> bool {
        matches!(self, Self::GitHub | Self::GitLab | Self::Azure)
    }
}

/// The log of a run on a CI system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CiLog {
    /// The system that shows the log.
    pub system: CiSystem,
    /// The time in seconds since 1970, for commands that need one.
    pub time: u64,
}

/// A section of a log that is folded, and must be ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The name of the section, which only GitLab's commands contain.
    name: String,
}

impl CiLog {
    /// Returns a fold and the command that begins it; `None` if the log has no folds. The title, the number and the
    /// time make its name unique in the log.
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

    /// Returns the command that ends a fold.
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

/// Escapes the commands of all CI systems in a text.
pub fn harmless(text: &str) -> String {
    escaped(text).unwrap_or_else(|| text.to_owned())
}

/// Escapes the commands in a text; `None` if it contains none.
fn escaped(text: &str) -> Option<String> {
    if !may_have_commands(text) {
        return None;
    }
    let mut done = Vec::with_capacity(text.len() + 8);
    CiEscaper::new(true).run(text.as_bytes(), &mut done);
    Some(String::from_utf8_lossy(&done).into_owned())
}

/// Returns the positions of the characters that complete a command, in bytes.
pub fn command_ends(text: &str) -> Vec<usize> {
    if may_have_commands(text) {
        ends_of_commands(text.as_bytes())
    } else {
        Vec::new()
    }
}

/// Whether a text may contain commands. Characters that are not ASCII are suspicious, because some systems ignore them
/// within a command.
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

/// Makes control and hidden characters visible, and escapes commands. Line breaks are kept, unlike by `on_one_line`.
pub fn log_safe(text: &str) -> String {
    let visible = visible(text);
    escaped(&visible).unwrap_or(visible)
}

/// Escapes the message of a GitHub command.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The level at which a CI system shows an annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// An error, such as a violated gate.
    Error,
    /// A warning.
    Warning,
}

/// A position in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The path of the file, as the tool or the command line names it.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1.
    pub column: u64,
}

/// A remark that a CI system shows next to a line or above the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// Whether the remark is shown as an error or as a warning.
    pub level: Level,
    /// The title, which is written on one line.
    pub title: String,
    /// The text, which may have several lines.
    pub message: String,
    /// The position in the configuration that the remark is shown at.
    pub place: Option<Place>,
}

/// The annotations of a run. All are kept; as many are written as the system accepts.
#[derive(Clone, Debug)]
pub struct Annotations {
    system: CiSystem,
    all: Vec<Annotation>,
}

impl Annotations {
    /// Creates an empty list for a CI system.
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

    /// Returns the commands for the annotations, errors first. If there are more than the system accepts, the last one
    /// counts the others. Empty for systems without annotations.
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
                    place: None,
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
        place,
    } = annotation;
    let word = match level {
        Level::Error => "error",
        Level::Warning => "warning",
    };
    let (title, message) = (on_one_line(title), log_safe(clipped(message)));
    match system {
        CiSystem::GitHub => {
            let place = place
                .as_ref()
                .map_or_else(String::new, |Place { file, line, column }| {
                    format!(
                        "file={},line={line},col={column},",
                        property(&on_one_line(file))
                    )
                });
            format!(
                "::{word} {place}title={}::{}\n",
                property(&title),
                data(&message)
            )
        }
        CiSystem::Azure => {
            let place = place
                .as_ref()
                .map_or_else(String::new, |Place { file, line, column }| {
                    let file = azure(&on_one_line(file))
                        .replace(';', "%3B")
                        .replace(']', "%5D");
                    format!(";sourcepath={file};linenumber={line};columnnumber={column}")
                });
            format!(
                "##vso[task.logissue type={word}{place}]{}\n",
                azure(&format!("{title}: {message}"))
            )
        }
        CiSystem::GitLab | CiSystem::Colourful | CiSystem::Other => String::new(),
    }
}

/// Returns the message, cut to at most `MAX_LEN` bytes at a character boundary.
fn clipped(message: &str) -> &str {
    let end = (0..=MAX_LEN.min(message.len()))
        .rev()
        .find(|offset| message.is_char_boundary(*offset));
    &message[..end.unwrap_or_default()]
}

/// Escapes a property of a GitHub command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Escapes the message of a command for Azure Pipelines.
fn azure(text: &str) -> String {
    text.replace('%', "%AZP25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The byte before a command of tfview itself, which is then written on a line of its own. Like the other markers, it
/// never occurs in UTF-8.
pub(super) const COMMAND: u8 = 0xff;
/// The byte after a command of tfview itself.
pub(super) const COMMAND_END: u8 = 0xfe;
/// The byte before text without line prefixes, which is drawn over existing text.
pub(super) const UNPREFIXED: u8 = 0xfd;
/// The byte after text without line prefixes.
pub(super) const PREFIXED: u8 = 0xfc;

/// The state of `CiEscaper`: how much of the beginning of a command precedes the next byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CommandProgress {
    /// The beginning of a line, with only white space so far.
    Start,
    /// The first colon of `::`.
    Colon,
    /// Text in which no `::` can begin a command.
    Inside,
    /// The first `#` of `##`.
    Hash,
    /// The signs `##`, or `##` and letters.
    Hashes,
}

/// A filter that adds a prefix such as the time to each line, and escapes text that a CI system would interpret as a
/// command.
///
/// A command is broken by a space before the character that completes it. No text is held back, so the result does not
/// depend on how the text is split into writes. Marker bytes delimit tfview's own commands; they never occur in UTF-8,
/// so no input can contain them.
#[derive(Clone, Debug)]
pub(super) struct CiEscaper {
    /// Whether commands in text are escaped. Otherwise only prefixes are added.
    escapes: bool,
    /// The prefix of each line, such as the time; may be empty.
    pub(super) line_prefix: Vec<u8>,
    /// The part of a command that the last bytes contain.
    progress: CommandProgress,
    /// Whether the next byte is the first of a line.
    fresh: bool,
    /// Whether the next bytes are a command of tfview, which is written as it is.
    in_command: bool,
    /// Whether lines get no prefix for now.
    unprefixed: bool,
}

impl CiEscaper {
    /// Creates an escaper. Without `escapes`, it only adds the prefix of lines.
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

    /// Filters the next bytes, and appends the result to `done`.
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

    /// Filters one byte of text.
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
    /// Returns the state after a byte, and whether the byte completes a command. Bytes that are not ASCII change
    /// nothing, because some systems ignore invisible characters.
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

/// Returns the positions of the bytes that complete a command in a text that does not begin a line.
fn ends_of_commands(text: &[u8]) -> Vec<usize> {
    let mut progress = CommandProgress::Inside;
    let ends = text.iter().enumerate().filter(|(_, byte)| {
        let (next, ends) = progress.after(**byte);
        progress = next;
        ends
    });
    ends.map(|(position, _)| position).collect()
}
