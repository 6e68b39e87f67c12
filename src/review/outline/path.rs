//! Where a part stands: names, places in lists, identifying keys, and what a string was read as.

use crate::text::key;

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
            true => name.to_owned(),
            false => format!("{text}.{name}"),
        };
        Self { shown: join(&self.shown, &key(name)), plain: join(&self.plain, name) }
    }

    pub(super) fn place(&self, place: &str) -> Self {
        Self { shown: format!("{}[{place}]", self.shown), plain: self.plain.clone() }
    }

    pub(super) fn read_as(&self, what: &str) -> Self {
        Self { shown: format!("{}|{what}", self.shown), plain: self.plain.clone() }
    }

    /// The same for globs, but seen from here.
    pub(super) fn inside(&self) -> Self {
        Self { shown: String::new(), plain: self.plain.clone() }
    }
}
