//! Where a part stands: names, places in lists, identifying keys, and what a string was read as.
//!
//! Invariant: each part has a path of its own, so that long keys around many parts would make a text of any
//! length; the middle of a path that is longer than any real one is left out, and a `…` says so.

use crate::text::key;

/// How long a path may be, in bytes.
const LONGEST: usize = 500;

/// A path in two spellings.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    pub(super) shown: String,
    /// Names only, for globs.
    pub(super) plain: String,
}

impl Path {
    pub(super) fn name(&self, name: &str) -> Self {
        let join = |text: &str, name: &str| match text.is_empty() {
            true => bounded(name.to_owned()),
            false => bounded(format!("{text}.{name}")),
        };
        Self { shown: join(&self.shown, &key(name)), plain: join(&self.plain, name) }
    }

    pub(super) fn place(&self, place: &str) -> Self {
        Self { shown: self.followed_by(&format!("[{place}]")), plain: self.plain.clone() }
    }

    pub(super) fn read_as(&self, what: &str) -> Self {
        Self { shown: self.followed_by(&format!("|{what}")), plain: self.plain.clone() }
    }

    /// How the path of something inside is shown: `rest` has its own dot or bracket.
    pub(super) fn followed_by(&self, rest: &str) -> String {
        bounded(format!("{}{rest}", self.shown))
    }

    /// The same for globs, but seen from here.
    pub(super) fn inside(&self) -> Self {
        Self { shown: String::new(), plain: self.plain.clone() }
    }
}

/// The text, without its middle if it is too long.
fn bounded(text: String) -> String {
    const LEFT_OUT: &str = "…";
    if text.len() <= LONGEST {
        return text;
    }
    let half = LONGEST / 2 - LEFT_OUT.len();
    let head = (0..=half).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    let tail = (text.len() - half..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    format!("{}{LEFT_OUT}{}", &text[..head], &text[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_as_long_as_its_names_and_never_too_long() {
        let path = Path::default().name("a").name("b c").place("0").read_as("json").name("d");
        assert_eq!((&*path.shown, &*path.plain), ("a.\"b c\"[0]|json.d", "a.b c.d"));
        let mut path = Path::default().name("first");
        for _ in 0..10 {
            path = path.name(&"é".repeat(333)).place(&"x".repeat(99));
            assert!(path.shown.len() <= LONGEST && path.plain.len() <= LONGEST);
        }
        let path = path.name("last");
        assert!(path.shown.len() > LONGEST - 10, "{}", path.shown.len());
        for text in [path.shown, path.plain] {
            assert!(text.starts_with("first.") && text.ends_with(".last") && text.matches('…').count() == 1);
        }
    }
}
