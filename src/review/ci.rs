//! What CI systems read in a log: folds and annotations. And what they must not read: commands
//! that values of a plan forge.
//!
//! GitHub takes a line that begins with `::` for a command, and `##[` anywhere; Azure Pipelines
//! takes `##vso[` and `##[` anywhere; GitLab's sections need an escape byte, which no value can emit.

use crate::term::{CiSystem, push_visible};

/// Annotations that GitHub keeps of one step, of each kind.
const MOST: usize = 9;

/// A line that no CI system takes for a command.
pub fn harmless(line: &str) -> String {
    let line = line.replace("##vso[", "# #vso[").replace("##[", "# #[");
    let body = line.trim_start();
    let indent = &line[..line.len() - body.len()];
    match body.strip_prefix("::") {
        Some(command) => format!("{indent}: :{command}"),
        None => line,
    }
}

/// A text of which no line is taken for a command.
pub fn harmless_text(text: &str) -> String {
    text.split('\n').map(harmless).collect::<Vec<_>>().join("\n")
}

/// The line that begins a fold; `number` tells folds apart. Empty where the system has none.
pub fn fold(ci: CiSystem, number: usize, title: &str) -> String {
    let title = harmless(&visible(title));
    match ci {
        CiSystem::GitHub => format!("::group::{}\n", escaped(&title)),
        CiSystem::GitLab => {
            format!("\x1b[0Ksection_start:0:tfview_{number}[collapsed=true]\r\x1b[0K{title}\n")
        }
        CiSystem::Azure => format!("##[group]{title}\n"),
        CiSystem::Colourful | CiSystem::Other => format!("{title}\n"),
    }
}

/// The line that ends a fold.
pub fn unfold(ci: CiSystem, number: usize) -> String {
    match ci {
        CiSystem::GitHub => "::endgroup::\n".to_owned(),
        CiSystem::GitLab => format!("\x1b[0Ksection_end:0:tfview_{number}\r\x1b[0K"),
        CiSystem::Azure => "##[endgroup]\n".to_owned(),
        CiSystem::Colourful | CiSystem::Other => String::new(),
    }
}

/// Whether the system's log folds.
pub fn folds(ci: CiSystem) -> bool {
    match ci {
        CiSystem::GitHub | CiSystem::GitLab | CiSystem::Azure => true,
        CiSystem::Colourful | CiSystem::Other => false,
    }
}

/// How grave an annotation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The run or a gate fails.
    Error,
    /// Somebody should look.
    Warning,
}

/// The lines that annotate a run, within the system's limit. Empty where it has no annotations.
pub fn annotations(ci: CiSystem, all: &[(Level, String, String)]) -> String {
    let mut text = String::new();
    for level in [Level::Error, Level::Warning] {
        let these: Vec<_> = all.iter().filter(|(is, ..)| *is == level).collect();
        for (_, title, message) in these.iter().take(MOST) {
            text.push_str(&annotation(ci, level, title, message));
        }
        if these.len() > MOST {
            let rest = format!("and {} more", these.len() - MOST);
            text.push_str(&annotation(ci, level, "tfview", &rest));
        }
    }
    text
}

fn annotation(ci: CiSystem, level: Level, title: &str, message: &str) -> String {
    let word = match level {
        Level::Error => "error",
        Level::Warning => "warning",
    };
    let (title, message) = (harmless(&visible(title)), harmless(&visible(message)));
    match ci {
        CiSystem::GitHub => {
            format!("::{word} title={}::{}\n", escaped_property(&title), escaped(&message))
        }
        CiSystem::Azure => {
            let text = format!("{title}: {message}")
                .replace('%', "%AZP25")
                .replace('\r', "%0D")
                .replace('\n', "%0A");
            format!("##vso[task.logissue type={word}]{text}\n")
        }
        CiSystem::GitLab | CiSystem::Colourful | CiSystem::Other => String::new(),
    }
}

fn visible(text: &str) -> String {
    let mut bytes = Vec::new();
    push_visible(&mut bytes, &super::one_line(text));
    String::from_utf8_lossy(&bytes).into_owned()
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escaped_property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_a_command() {
        for (line, expected) in [
            ("  ::error::x", "  : :error::x"),
            ("+ ::error::x", "+ ::error::x"),
            ("a ##vso[task.setvariable]b", "a # #vso[task.setvariable]b"),
            ("##[group]x", "# #[group]x"),
        ] {
            assert_eq!(harmless(line), expected);
        }
    }

    #[test]
    fn annotations_are_escaped_and_bounded() {
        let one = (Level::Warning, "a:b,c".to_owned(), "50%\n::error::x".to_owned());
        let text = annotations(CiSystem::GitHub, &vec![one; 12]);
        assert_eq!(text.lines().next(), Some("::warning title=a%3Ab%2Cc::50%25␊::error::x"));
        assert_eq!(text.lines().count(), 10);
        assert_eq!(text.lines().last(), Some("::warning title=tfview::and 3 more"));
    }
}
