//! Word wrapping as the tools do it.

/// Wraps each line of `text` at spaces to at most `width` characters. Lines that begin with a space and
/// words longer than `width` are not broken. Spaces at a break are dropped. Like upstream, this counts
/// characters, not columns, and does not break at a no-break space.
pub fn wrap(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 32);
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
        }
        if line.starts_with(' ') {
            out.push_str(line);
        } else {
            wrap_line(&mut out, line, width);
        }
    }
    out
}

fn wrap_line(out: &mut String, line: &str, width: usize) {
    let mut used = 0; // characters in the line so far
    let mut gap = ""; // the spaces before the current word
    let mut rest = line;
    while !rest.is_empty() {
        let spaces = rest.len() - rest.trim_start_matches(' ').len();
        if spaces > 0 {
            (gap, rest) = rest.split_at(spaces);
            continue;
        }
        let (word, later) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
        let length = word.chars().count();
        if used > 0 && used + gap.len() + length > width {
            out.push('\n');
            used = 0;
        } else {
            out.push_str(gap);
            used += gap.len();
        }
        out.push_str(word);
        used += length;
        gap = "";
        rest = later;
    }
    out.push_str(gap);
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn breaks_at_spaces_only() {
        assert_eq!(
            wrap("aa bb cc\n  keep this long line\nlonglonglong x", 5),
            "aa bb\ncc\n  keep this long line\nlonglonglong\nx"
        );
    }
}
