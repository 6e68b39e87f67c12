//! Finds texts that are written as hexadecimal digits.
//!
//! ```text
//! key=50776444746f6b656e    the digits of `Pwd…token`
//! ```

use std::ops::Range;

/// The minimum number of digits that are decoded: those of the shortest copy that is found within other texts.
const SHORTEST: usize = 12;

/// Returns the runs of hexadecimal digits that may encode a text. A run with an odd number of digits has one of another
/// text at its beginning or its end, so it is returned twice.
pub(super) fn runs(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let (mut runs, mut offset) = (Vec::new(), 0);
    while let Some(window) = bytes.get(offset..offset + SHORTEST) {
        if let Some(other) = window.iter().rposition(|byte| !byte.is_ascii_hexdigit()) {
            offset += other + 1;
            continue;
        }
        let length = bytes[offset..]
            .iter()
            .take_while(|byte| byte.is_ascii_hexdigit())
            .count();
        let end = offset + length;
        let even = [offset..end - length % 2, offset + length % 2..end];
        let [first, second] = even;
        let is_odd = first != second;
        for run in [Some(first), is_odd.then_some(second)]
            .into_iter()
            .flatten()
        {
            // Most runs are hashes and identifiers, of which hardly any begins with the bytes of a text.
            let may_be_text = bytes[run.clone()].chunks_exact(2).take(4).all(|pair| {
                matches!(pair[0], b'2'..=b'7')
                    || matches!(pair, b"0a" | b"0A" | b"0d" | b"0D" | b"09")
            });
            if may_be_text {
                runs.push(run);
            }
        }
        offset = end;
    }
    runs
}
