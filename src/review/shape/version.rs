//! Compares versions in attributes, if they consist of numbers.

/// The numbers of a version such as `v1.16.3`; a suffix such as `-eks.2` is not compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version {
    numbers: Vec<u64>,
}

impl Version {
    /// Reads a version; `None` if a part before the suffix is not a number.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let end = text.find(['-', '+']).unwrap_or(text.len());
        let numbers: Result<Vec<u64>, _> = text.get(..end)?.split('.').map(str::parse).collect();
        Some(Self {
            numbers: numbers.ok()?,
        })
    }

    /// Returns the first number.
    pub(super) fn major(&self) -> Option<u64> {
        self.numbers.first().copied()
    }
}
