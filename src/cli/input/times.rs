//! Removes the times that CI systems write before each line of a log, so that a document that was printed on several
//! lines can be read.
//!
//! ```text
//! 2026-11-20T09:05:00.1234567Z {                  GitHub Actions, Azure Pipelines
//! 2026-11-20T09:05:00.123456Z 00O   "a": 1        GitLab
//! [2026-11-20T09:05:00.123Z] }                    Jenkins
//! ```

/// Returns the text without the times at the beginning of its lines, and the number of these lines; `None` if no line
/// has one.
///
/// Strings of JSON are not changed, because none spans several lines.
pub(super) fn without_times(text: &str) -> Option<(String, usize)> {
    let mut rest = String::with_capacity(text.len());
    let mut lines = 0;
    for line in text.split_inclusive('\n') {
        let begin = time_length(line.as_bytes());
        lines += usize::from(begin > 0);
        rest.push_str(line.get(begin..).unwrap_or(line));
    }
    (lines > 0).then_some((rest, lines))
}

/// Returns the length of the time at the beginning of a line with the character after it, in bytes; 0 if there is none.
fn time_length(line: &[u8]) -> usize {
    let mut scan = Scan { line, offset: 0 };
    scan.time().map_or(0, |()| scan.offset)
}

/// A line that is read from its beginning, with the offset of what is next.
struct Scan<'l> {
    line: &'l [u8],
    offset: usize,
}

impl Scan<'_> {
    /// Reads a time with date and zone, which may be in brackets. Returns `None` if the line does not have one here.
    fn time(&mut self) -> Option<()> {
        let has_bracket = self.one_of(b"[").is_some();
        self.pattern(b"0000-00-00")?;
        self.one_of(b"T ")?;
        self.pattern(b"00:00:00")?;
        if self.one_of(b".,").is_some() {
            self.digits();
        }
        if self.one_of(b"Z").is_none() && self.one_of(b"+-").is_some() {
            self.pattern(b"00")?;
            self.one_of(b":");
            self.pattern(b"00")?;
        }
        if has_bracket {
            self.one_of(b"]")?;
        }
        if self.is_end() {
            return Some(());
        }
        self.one_of(b" \t")?;
        self.stream_of_gitlab();
        Some(())
    }

    /// Skips the number and the kind of a stream in a log of GitLab, such as `00O ` or, in the continuation of a line,
    /// `00O+`.
    fn stream_of_gitlab(&mut self) {
        let begin = self.offset;
        let is_stream = self.pattern(b"00").is_some() && self.one_of(b"OE").is_some();
        if !is_stream || (self.one_of(b" +").is_none() && !self.is_end()) {
            self.offset = begin;
        }
    }

    fn is_end(&self) -> bool {
        matches!(
            self.line.get(self.offset..),
            None | Some([] | [b'\n' | b'\r', ..])
        )
    }

    /// Reads one of the bytes, if it is next.
    fn one_of(&mut self, bytes: &[u8]) -> Option<()> {
        self.line
            .get(self.offset)
            .filter(|byte| bytes.contains(byte))?;
        self.offset += 1;
        Some(())
    }

    /// Reads what a pattern matches, in which `0` matches any digit.
    fn pattern(&mut self, pattern: &[u8]) -> Option<()> {
        for expected in pattern {
            let byte = self.line.get(self.offset)?;
            let fits = if *expected == b'0' {
                byte.is_ascii_digit()
            } else {
                byte == expected
            };
            if !fits {
                return None;
            }
            self.offset += 1;
        }
        Some(())
    }

    fn digits(&mut self) {
        while self.line.get(self.offset).is_some_and(u8::is_ascii_digit) {
            self.offset += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::without_times;

    #[test]
    fn times_of_ci_systems_are_removed() {
        for (line, expected) in [
            ("2026-11-20T09:05:00.1234567Z   \"a\": 1\n", "  \"a\": 1\n"),
            (
                "2026-11-20T09:05:00.123456Z 00O   \"a\": 1\n",
                "  \"a\": 1\n",
            ),
            ("2026-11-20T09:05:00.123456Z 01E+}\n", "}\n"),
            ("[2026-11-20T09:05:00.123Z] {\n", "{\n"),
            ("2026-11-20 09:05:00,123 +0100 x\n", "+0100 x\n"),
            ("2026-11-20T09:05:00+01:00\t}\n", "}\n"),
            ("2026-11-20T09:05:00Z\n", "\n"),
        ] {
            assert_eq!(
                without_times(line),
                Some((expected.to_owned(), 1)),
                "{line}"
            );
        }
        for line in [
            "{ \"time\": \"2026-11-20T09:05:00Z\" }\n",
            "2026-11-20\n",
            "[2026-11-20T09:05:00Z {\n",
            "2026-11-20T09:05:00Z{\n",
        ] {
            assert_eq!(without_times(line), None, "{line}");
        }
    }
}
