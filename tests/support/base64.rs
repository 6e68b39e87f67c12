//! Base64, in which providers store user data.

/// The base64 of these bytes.
pub(crate) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = (0..3).fold(0u32, |bits, index| {
            bits << 8 | u32::from(chunk.get(index).copied().unwrap_or(0))
        });
        for index in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * index)) as usize & 63];
            text.push(if index > chunk.len() {
                '='
            } else {
                char::from(letter)
            });
        }
    }
    text
}
