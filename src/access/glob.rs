//! Patterns with `*` and `?`, as in IAM.

/// The work that is left for one comparison of patterns.
#[derive(Debug)]
pub(crate) struct Work(usize);

/// The work is used up: what was to be compared is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMuch;

impl Work {
    /// Enough for about a million comparisons of short names.
    pub(crate) fn new() -> Self {
        Self(1_000_000)
    }

    /// Takes some of the work.
    pub(super) fn spend(&mut self, work: usize) -> Result<(), TooMuch> {
        self.0 = self.0.checked_sub(work).ok_or(TooMuch)?;
        Ok(())
    }

    /// Whether `text` matches `glob`, if there is enough work left.
    pub(super) fn matches(&mut self, glob: &str, text: &str) -> Result<bool, TooMuch> {
        // A `?` may require a comparison at each position.
        let windows = if glob.contains('?') { glob.len().saturating_mul(text.len()) } else { 0 };
        self.spend(1 + (glob.len() + text.len() + windows) / 64)?;
        Ok(glob_matches(glob, text))
    }
}

/// Whether `text` matches `glob`: `*` matches any characters, `?` a single one, and all others themselves
/// (including brackets, which occur in addresses).
pub fn glob_matches(glob: &str, text: &str) -> bool {
    let Some((first, rest)) = glob.split_once('*') else {
        return prefix(glob, text) == Some(text.len());
    };
    let Some(mut at) = prefix(first, text) else { return false };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    // The parts between two `*` are taken where they occur first, which leaves most of the text to the others.
    for part in middle.split('*').filter(|part| !part.is_empty()) {
        match find(part, &text[at..]) {
            Some(end) => at += end,
            None => return false,
        }
    }
    ends_with(last, &text[at..])
}

/// The length of the start of `text` that matches `part`, in which `?` matches any character.
fn prefix(part: &str, text: &str) -> Option<usize> {
    let mut rest = text.chars();
    part.chars()
        .all(|c| rest.next().is_some_and(|other| c == '?' || c == other))
        .then(|| text.len() - rest.as_str().len())
}

/// The end of the first match of `part` in `text`.
fn find(part: &str, text: &str) -> Option<usize> {
    if !part.contains('?') {
        return text.find(part).map(|start| start + part.len());
    }
    text.char_indices().find_map(|(start, _)| prefix(part, &text[start..]).map(|length| start + length))
}

fn ends_with(part: &str, text: &str) -> bool {
    let mut rest = text.chars().rev();
    part.chars().rev().all(|c| rest.next().is_some_and(|other| c == '?' || c == other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_match_addresses() {
        for (glob, text, expected) in [
            ("aws_*.web", "aws_instance.web", true),
            ("aws_*.web", "aws_instance.webs", false),
            ("*[\"a\"]", "x.y[\"a\"]", true),
            ("x.y[?]", "x.y[1]", true),
            ("", "", true),
            ("", "a", false),
            ("**", "abc", true),
            ("*", "", true),
            ("a*b*c", "aXbXbc", true),
            ("a*b*c", "aXcXb", false),
            ("a*a", "a", false),
            ("a*?b", "ab", false),
            ("*é?", "xéöéü", true),
            ("*?é?*", "éxé", false),
            ("?*", "", false),
            ("a", "b", false),
        ] {
            assert_eq!(glob_matches(glob, text), expected, "{glob} {text}");
        }
    }
}
