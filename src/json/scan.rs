//! Runs of bytes, many at a time: what a string holds, white space, digits.
//!
//! A block of 16 bytes is compared at once, in a form that compilers turn into vector instructions
//! (the intrinsics themselves cannot be called in safe code).

/// Where the plain part of a string ends that `from` lies in: at a quote, a backslash, a control
/// character or the end of `bytes`.
#[inline]
pub(super) fn plain_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let special = block::special(block);
        if special != 0 {
            return at + block::first(special);
        }
        at += block::SIZE;
    }
    at + bytes.get(at..).unwrap_or_default().iter().take_while(|byte| !is_special(**byte)).count()
}

fn is_special(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

/// Where the white space ends that may begin at `from`.
#[inline]
pub(super) fn past_space(bytes: &[u8], from: usize) -> usize {
    match bytes.get(from) {
        Some(byte) if *byte <= b' ' => past_some_space(bytes, from),
        _ => from,
    }
}

#[inline(never)]
fn past_some_space(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let other = block::not_space(block);
        if other != 0 {
            return at + block::first(other);
        }
        at += block::SIZE;
    }
    at + bytes.get(at..).unwrap_or_default().iter().take_while(|byte| is_space(**byte)).count()
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
}

/// Where the digits end that may begin at `from`.
#[inline]
pub(super) fn past_digits(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    at
}

mod block {
    pub(super) const SIZE: usize = 16;

    /// A byte of ones for each byte of a block that `is` holds for. Compilers make one comparison
    /// of 16 bytes of it.
    #[inline(always)]
    fn mask(block: &[u8; SIZE], is: impl Fn(u8) -> bool) -> u128 {
        u128::from_le_bytes(block.map(|byte| if is(byte) { 0xff } else { 0 }))
    }

    /// Which bytes end the plain part of a string.
    #[inline(always)]
    pub(super) fn special(block: &[u8; SIZE]) -> u128 {
        mask(block, |byte| (byte < b' ') | (byte == b'"') | (byte == b'\\'))
    }

    /// Which bytes are not white space.
    #[inline(always)]
    pub(super) fn not_space(block: &[u8; SIZE]) -> u128 {
        mask(block, |byte| (byte != b' ') & (byte != b'\n') & (byte != b'\t') & (byte != b'\r'))
    }

    /// The first of these bytes.
    #[inline(always)]
    pub(super) fn first(mask: u128) -> usize {
        mask.trailing_zeros() as usize / 8
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn blocks_agree_with_bytes(bytes in prop::collection::vec(
            prop_oneof![8 => 0x20u8..=255, 1 => 0u8..=0x20, 1 => Just(b'"'), 1 => Just(b'\\')], 0..80), from in 0usize..80)
        {
            let from = from.min(bytes.len());
            let plain = bytes[from..].iter().take_while(|byte| !is_special(**byte)).count();
            prop_assert_eq!(plain_end(&bytes, from), from + plain);
        }

        #[test]
        fn space_ends_where_it_ends(text in "[ \n\t\r]{0,70}[a\u{b}\u{a0}]?[ \n]{0,20}") {
            let bytes = text.as_bytes();
            let space = bytes.iter().take_while(|byte| is_space(**byte)).count();
            prop_assert_eq!(past_space(bytes, 0), space);
        }
    }
}
