//! Paths of files that tools name in different ways: from another directory, or with `\` between names.

/// A path in reverse order, with `/` between its names, so that an end of the path is a beginning of the text.
pub(super) struct FilePath(pub(super) String);

impl FilePath {
    pub(super) fn new(path: &str) -> Self {
        /// The maximum number of names of a path that are compared.
        const MAX_NAMES: usize = 50;
        let names = path.split(['/', '\\']);
        let names = names.filter(|name| !name.is_empty() && *name != ".");
        let names: Vec<&str> = names.rev().take(MAX_NAMES).collect();
        Self(names.join("/"))
    }

    /// Returns the ends of the path, including all of it.
    pub(super) fn ends(&self) -> impl Iterator<Item = &str> {
        let slashes = self.0.match_indices('/').map(|(index, _)| index);
        let lengths = slashes.chain([self.0.len()]);
        lengths
            .filter_map(|length| self.0.get(..length))
            .filter(|end| !end.is_empty())
    }
}

/// Whether the names of one path end with those of the other one.
pub fn is_same_file(one: &str, other: &str) -> bool {
    let (one, other) = (FilePath::new(one).0, FilePath::new(other).0);
    let is_end = |long: &str, short: &str| {
        long.strip_prefix(short)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    !one.is_empty() && !other.is_empty() && (is_end(&one, &other) || is_end(&other, &one))
}
