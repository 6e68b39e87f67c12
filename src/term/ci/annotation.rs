//! Annotations: errors and warnings that a CI system shows next to the code and on the page of the run.
//!
//! Invariant: no more annotations are kept and written than the systems accept.

use super::super::CiSystem;
use super::{data, log_safe, on_one_line};

/// The number of annotations of each level that GitHub keeps for a step. Other systems keep at least as
/// many.
const MAX_COUNT: usize = 10;

/// The maximum length of a message, in bytes.
const MAX_LEN: usize = 4096;

/// The level of an annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The run or a gate fails.
    Error,
    /// The user should look at it.
    Warning,
}

impl Level {
    const ALL: [Self; 2] = [Self::Error, Self::Warning];

    fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A position in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1.
    pub column: u64,
}

/// An error or a warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The level.
    pub level: Level,
    /// The title, on one line.
    pub title: String,
    /// The message.
    pub message: String,
    /// The position, if there is one.
    pub place: Option<Place>,
}

/// The annotations of a run.
#[derive(Clone, Debug)]
pub struct Annotations {
    system: CiSystem,
    kept: Vec<Annotation>,
    /// The number of annotations of each level that are not kept.
    left_out: [usize; Level::ALL.len()],
}

impl Annotations {
    /// An empty collection.
    pub fn new(system: CiSystem) -> Self {
        Self { system, kept: Vec::new(), left_out: [0; Level::ALL.len()] }
    }

    /// Adds an annotation.
    pub fn add(&mut self, annotation: Annotation) {
        if self.kept(annotation.level).count() < MAX_COUNT {
            self.kept.push(annotation);
        } else {
            self.left_out[annotation.level as usize] += 1;
        }
    }

    fn kept(&self, level: Level) -> impl Iterator<Item = &Annotation> {
        self.kept.iter().filter(move |annotation| annotation.level == level)
    }

    /// Adds the annotations of another collection.
    pub fn extend(&mut self, other: &Self) {
        other.kept.iter().for_each(|annotation| self.add(annotation.clone()));
        for (own, others) in self.left_out.iter_mut().zip(other.left_out) {
            *own += others;
        }
    }

    /// The lines to write to the log, within the limit of the system. Empty if the system has no annotations.
    pub fn lines(&self) -> String {
        let mut text = String::new();
        for level in Level::ALL {
            let all = self.kept(level).count() + self.left_out[level as usize];
            let told = if all > MAX_COUNT { MAX_COUNT - 1 } else { all };
            for annotation in self.kept(level).take(told) {
                text.push_str(&line(self.system, annotation));
            }
            if all > told {
                let message = format!("and {} more", all - told);
                let rest = Annotation { level, title: "tfview".to_owned(), message, place: None };
                text.push_str(&line(self.system, &rest));
            }
        }
        text
    }
}

fn line(system: CiSystem, annotation: &Annotation) -> String {
    let word = annotation.level.word();
    let title = on_one_line(&annotation.title);
    let message = log_safe(clipped(&annotation.message));
    match system {
        CiSystem::GitHub => {
            let place = annotation.place.as_ref().map(|place| {
                format!(
                    "file={},line={},col={},",
                    property(&on_one_line(&place.file)),
                    place.line,
                    place.column
                )
            });
            let place = place.unwrap_or_default();
            format!("::{word} {place}title={}::{}\n", property(&title), data(&message))
        }
        CiSystem::Azure => {
            let place = annotation.place.as_ref().map(|place| {
                format!(
                    ";sourcepath={};linenumber={};columnnumber={}",
                    azure_property(&on_one_line(&place.file)),
                    place.line,
                    place.column
                )
            });
            let place = place.unwrap_or_default();
            format!("##vso[task.logissue type={word}{place}]{}\n", azure(&format!("{title}: {message}")))
        }
        CiSystem::GitLab | CiSystem::Colourful | CiSystem::Other => String::new(),
    }
}

/// The message, truncated to [`MAX_LEN`] bytes.
fn clipped(message: &str) -> &str {
    let end = (0..=MAX_LEN.min(message.len())).rev().find(|at| message.is_char_boundary(*at));
    &message[..end.unwrap_or_default()]
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

fn azure(text: &str) -> String {
    text.replace('%', "%AZP25").replace('\r', "%0D").replace('\n', "%0A")
}

fn azure_property(text: &str) -> String {
    azure(text).replace(';', "%3B").replace(']', "%5D")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn annotation(level: Level) -> Annotation {
        Annotation {
            level,
            title: "a:b,c".to_owned(),
            message: "50%\n::error::x ##vso[y]".to_owned(),
            place: Some(Place { file: "m;x]/a,b.tf\n".to_owned(), line: 3, column: 5 }),
        }
    }

    #[test]
    fn annotations_are_escaped() {
        let text = |system| {
            let mut all = Annotations::new(system);
            all.add(annotation(Level::Warning));
            all.lines()
        };
        assert_eq!(
            text(CiSystem::GitHub),
            "::warning file=m;x]/a%2Cb.tf␊,line=3,col=5,title=a%3Ab%2Cc::50%25%0A: :error::x ##vso [y]\n"
        );
        assert_eq!(
            text(CiSystem::Azure),
            "##vso[task.logissue type=warning;sourcepath=m%3Bx%5D/a,b.tf␊;linenumber=3;columnnumber=5]\
             a:b,c: 50%AZP25%0A: :error::x ##vso [y]\n"
        );
        assert_eq!(text(CiSystem::GitLab), "");
    }

    #[test]
    fn annotations_are_bounded_for_each_level() {
        for (count, lines, last) in [(10, 10, "x ##vso [y]"), (11, 10, "title=tfview::and 2 more")] {
            let mut all = Annotations::new(CiSystem::GitHub);
            (0..count).for_each(|_| all.add(annotation(Level::Error)));
            assert_eq!(all.lines().lines().count(), lines);
            assert!(all.lines().trim_end().ends_with(last), "{count}");
            all.add(annotation(Level::Warning));
            assert_eq!(all.lines().lines().count(), lines + 1);
        }
    }
}
