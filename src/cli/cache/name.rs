//! The names of cache files. The address of a provider is untrusted, so none of its characters may have a
//! special meaning to a file system.

use std::fmt::Write as _;

const END: &str = ".schema";

/// The file name for a provider: lower-case letters, digits, `-`, `_` and inner dots are kept, `/` becomes
/// `+`, and everything else becomes `%` and its hexadecimal code. Capitals are encoded because some file
/// systems are case-insensitive.
pub(super) fn file(provider: &str) -> String {
    let mut name = String::with_capacity(provider.len() + END.len());
    for (at, byte) in provider.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' => name.push(char::from(byte)),
            b'.' if at > 0 => name.push('.'),
            b'/' => name.push('+'),
            other => {
                // Writing to a `String` cannot fail.
                let _ = write!(name, "%{other:02x}");
            }
        }
    }
    name + END
}

/// The provider for a file name; `None` for other files.
pub(super) fn provider(name: &str) -> Option<String> {
    let name = name.strip_suffix(END)?;
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b'/',
            b'%' => {
                let digit =
                    |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                digit(rest.next()?)? * 16 + digit(rest.next()?)?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_harmless_and_can_be_read_back() {
        for (name, expected) in [
            ("registry.terraform.io/hashicorp/aws", "registry.terraform.io+hashicorp+aws.schema"),
            ("../../etc/passwd", "%2e.+..+etc+passwd.schema"),
            ("A\\b\0:é", "%41%5cb%00%3a%c3%a9.schema"),
            ("", ".schema"),
        ] {
            assert_eq!(file(name), expected);
            assert_eq!(provider(expected).as_deref(), Some(name));
        }
        assert_eq!(provider("x.json"), None);
        assert_eq!(provider("%zz.schema"), None);
    }
}
