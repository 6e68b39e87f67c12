//! The release of a tool: the part of its version that affects its output.

/// A release of Terraform or OpenTofu: its major and minor version. Patch releases print the same text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release {
    major: u16,
    minor: u16,
}

impl Release {
    /// Later than every existing release.
    pub const NEWEST: Self = Self { major: u16::MAX, minor: u16::MAX };

    /// The release with these numbers.
    pub const fn new(major: u16, minor: u16) -> Self {
        Self { major, minor }
    }

    /// Parses a version such as `1.9.2`, `v1.9` or `1.17.0-dev`. Anything else counts as the newest
    /// release.
    pub fn parse(version: &str) -> Self {
        Self::numbers(version).unwrap_or(Self::NEWEST)
    }

    fn numbers(version: &str) -> Option<Self> {
        let version = version.trim();
        let version = version.strip_prefix('v').unwrap_or(version);
        let numbers = version.split(['-', '+']).next()?;
        let mut parts = numbers.split('.').map(|part| {
            let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| part.parse::<u16>().ok()).flatten()
        });
        let (major, minor) = (parts.next()??, parts.next()??);
        let is_version = parts.by_ref().take(1).all(|patch| patch.is_some()) && parts.next().is_none();
        is_version.then_some(Self { major, minor })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_by_their_numbers() {
        for version in ["1.17.0-dev", "1.17", "v1.17.3", "1.17.0+build.5", " 1.17.2 "] {
            assert_eq!(Release::parse(version), Release::new(1, 17), "{version}");
        }
        assert!(Release::parse("1.9.8") < Release::parse("1.10.0"));
        assert!(Release::parse("0.15.5") < Release::parse("1.0.0"));
    }

    #[test]
    fn what_is_no_version_means_the_newest() {
        for version in ["", "latest", "1", "1.x", "1.", "1.2.3.4", "1.2.x", "-1.2", "99999.1", "+1.2"] {
            assert_eq!(Release::parse(version), Release::NEWEST, "{version}");
        }
        assert!(Release::parse("99.0.0") < Release::NEWEST);
    }
}
