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
        let space = bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\t' | b'\r')).count();
        prop_assert_eq!(past_space(bytes, 0), space);
    }
}
