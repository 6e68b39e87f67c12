//! Commands in the logs of CI systems: writes folds and annotations, and prevents values, names and messages
//! from forging commands.
//!
//! GitHub interprets lines that begin with `::`, and `##[` anywhere; Azure Pipelines interprets `##vso[` and
//! `##[` anywhere; GitLab's sections need a carriage return and an escape byte, which values cannot emit.
//! Invariants: a command is a single line, whatever texts it contains; everything else goes through
//! `CiEscaper`, whose output contains no command for any system.

mod annotation;
mod escaper;
mod system;

use std::hash::{DefaultHasher, Hash, Hasher};

pub use annotation::{Annotation, Annotations, Level, Place};
pub(super) use escaper::{COMMAND, COMMAND_END, CiEscaper, PREFIXED, UNPREFIXED};
pub use system::CiSystem;

use super::visible::visible;

/// The log of a CI system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CiLog {
    /// The system.
    pub system: CiSystem,
    /// The current time for the start and end of folds, in seconds since the Unix epoch.
    pub time: u64,
}

/// An open fold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    name: String,
}

impl CiLog {
    /// The line that begins a fold, if the system has folds. Title, number and time make its name unique in
    /// the log.
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

    /// The line that ends a fold.
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

/// Escapes all commands of any CI system in a text.
pub fn harmless(text: &str) -> String {
    if !may_have_commands(text) {
        return text.to_owned();
    }
    let mut done = Vec::with_capacity(text.len() + 8);
    CiEscaper::new(true).run(text.as_bytes(), &mut done);
    String::from_utf8_lossy(&done).into_owned()
}

/// The positions of the characters that complete a command of a CI system within a line.
pub fn command_ends(text: &str) -> Vec<usize> {
    if may_have_commands(text) { escaper::command_ends(text.as_bytes()) } else { Vec::new() }
}

/// A quick check. Characters that are not ASCII may be ignored within a command.
fn may_have_commands(text: &str) -> bool {
    let bytes = text.as_bytes();
    !text.is_ascii() || memchr::memchr2_iter(b'#', b':', bytes).any(|at| bytes.get(at + 1) == bytes.get(at))
}

/// A text on one line, with all control and hidden characters made visible, and commands escaped.
pub fn on_one_line(text: &str) -> String {
    log_safe(&text.replace(['\n', '\r'], "␊"))
}

/// A text with all control and hidden characters made visible and all commands escaped. Line breaks stay.
pub fn log_safe(text: &str) -> String {
    harmless(&visible(text))
}

/// Escapes the text of a GitHub command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fold_is_one_line_whatever_its_title() {
        for system in [CiSystem::GitHub, CiSystem::GitLab, CiSystem::Azure] {
            let log = CiLog { system, time: 7 };
            let (fold, line) = log.fold("a\n::error::x ##vso[y] 5%\r\x1b[0K", 0).unwrap();
            assert_eq!(line.matches('\n').count(), 1, "{line:?}");
            assert!(!line.contains("##vso[") && line.matches("\x1b").count() != 1, "{line:?}");
            assert_eq!(log.fold("a\n::error::x ##vso[y] 5%\r\x1b[0K", 0).unwrap().0, fold);
            let ends = log.unfold(&fold);
            assert_eq!(ends.contains(&fold.name), system == CiSystem::GitLab, "{ends:?}");
        }
        assert_eq!(CiLog { system: CiSystem::Other, time: 7 }.fold("a", 0), None);
    }
}
