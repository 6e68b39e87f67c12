//! Tells texts that a machine made at random from texts that somebody wrote: names, words and sentences.
//!
//! ```text
//! DfZLyYzZFYimGmfueiqwhMJztWc9        random: its letters do not follow each other as in words
//! AmazonEC2ContainerRegistryReadOnly  written
//! ```

/// The minimum length of a random part with digits and letters, in bytes.
const SHORTEST: usize = 12;

/// The minimum length of random text that has hardly any digits, in bytes. In shorter texts, letters follow each other as
/// in words by chance.
const SHORTEST_OF_LETTERS: usize = 16;

/// The maximum length of a text that is read, in bytes.
const LONGEST: usize = 4_096;

/// The letters that often follow each letter, from `a` to `z`, in the words of 7,000 names of attributes and values of
/// plans: nine of ten pairs of letters in words are among them, and one of three in random text.
const FOLLOWERS: [&str; 26] = [
    "bcdfgiklmnprstuvy",
    "aeilosu",
    "acdehiklorstu",
    "abcdeiorsu",
    "abcdefglmnprstvwxy",
    "aefilor",
    "aeinoru",
    "aeio",
    "abcdefglmnoprstvz",
    "",
    "eis",
    "adeilostuy",
    "abeimopsu",
    "acdefginostuv",
    "abcdgiklmnoprstuvw",
    "aehiloprstu",
    "u",
    "acdegikmnorstuvy",
    "acehimopstuy",
    "acehilorstuy",
    "abcdeilmnprst",
    "aei",
    "aeio",
    "px",
    "ps",
    "e",
];

/// Whether a text looks random: a part of it is long and has digits and letters, or its characters follow each other as
/// in no word. This is not so for names such as `prod-db-secret-2`, whose words are short.
pub(super) fn is_random(text: &str) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=_-.~!@#%^&*:$?".contains(byte);
    if !(SHORTEST..=LONGEST).contains(&text.len()) || !text.bytes().all(|byte| is_part(&byte)) {
        return false;
    }
    is_mixed(text)
        || text
            .split(['-', '_', '.', '/', ':'])
            .any(|part| has_digits_and_letters(part) || has_no_words(part))
}

/// Whether a text without separators is long, and has at least two digits and two letters.
fn has_digits_and_letters(part: &str) -> bool {
    let count = |of: fn(&u8) -> bool| part.bytes().filter(of).count();
    part.len() >= SHORTEST && count(u8::is_ascii_digit) >= 2 && count(u8::is_ascii_alphabetic) >= 2
}

/// The kinds of characters that random text changes between.
#[derive(PartialEq)]
enum CharacterKind {
    Upper,
    Lower,
    Digit,
    Other,
}

/// Whether a text has capitals, small letters and digits that alternate as they do in base64, also in the alphabet for
/// URLs, whose `-` and `_` would cut the text into short parts.
fn is_mixed(text: &str) -> bool {
    /// The minimum length of such a text, in bytes.
    const SHORTEST_MIXED: usize = 20;
    let kind = |byte: u8| match byte {
        b'A'..=b'Z' => CharacterKind::Upper,
        b'a'..=b'z' => CharacterKind::Lower,
        b'0'..=b'9' => CharacterKind::Digit,
        _ => CharacterKind::Other,
    };
    let bytes = text.as_bytes();
    let has = |wanted: CharacterKind| bytes.iter().any(|byte| kind(*byte) == wanted);
    let changes = bytes
        .windows(2)
        .filter(|pair| {
            let [one, other] = [kind(pair[0]), kind(pair[1])];
            one != other && one != CharacterKind::Other && other != CharacterKind::Other
        })
        .count();
    bytes.len() >= SHORTEST_MIXED
        && has(CharacterKind::Upper)
        && has(CharacterKind::Lower)
        && has(CharacterKind::Digit)
        // Base64 changes its kind at six of ten characters, names in capitals and small letters at three.
        && changes * 20 >= bytes.len() * 9
}

/// Whether a text without separators is made of letters, but not of words: of its pairs of letters, few are those of
/// words.
fn has_no_words(part: &str) -> bool {
    let letters = part.bytes().filter(u8::is_ascii_alphabetic).count();
    if part.len() < SHORTEST_OF_LETTERS || letters * 4 < part.len() * 3 {
        return false;
    }
    let (mut pairs, mut usual, mut rises) = (0_usize, 0_usize, 0_usize);
    for pair in part.as_bytes().windows(2) {
        let [one, other] = [pair[0], pair[1]];
        if !one.is_ascii_alphabetic() || !other.is_ascii_alphabetic() {
            continue;
        }
        pairs += 1;
        rises += usize::from(one.is_ascii_lowercase() && other.is_ascii_uppercase());
        let followers = FOLLOWERS
            .get(usize::from(one.to_ascii_lowercase() - b'a'))
            .map_or(&[][..], |letters| letters.as_bytes());
        usual += usize::from(followers.contains(&other.to_ascii_lowercase()));
    }
    // Of 100 pairs, words have at least 65 of the usual ones; random text has 62 or more once in 100 texts. If many
    // small letters are followed by capitals, these are not the beginnings of words either.
    usual * 100 < pairs * 62 || usual * 100 < pairs * 75 && rises * 5 >= pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_text_is_told_from_names() {
        for text in [
            "aB3dE5fG7haB3dE5fG7h",
            "DfZLyYzZFYimGmfueiqwhMJztWc9",
            "aRseydUiFX4CGMDcAbLdvzCmQZXi",
            "QQRjPcSKWDWnHnbttxzChCCSdf",
            "qxkzvwpmtrlbnhgdqxkzvw",
            "5f4dcc3b5aa765d61d8327de",
            "aB3-xY7_pQ9-rT2_vW4-zK8",
        ] {
            assert!(is_random(text), "{text}");
        }
        for text in [
            "prod-db-secret-2",
            "my-production-database-secret",
            "AmazonEC2ContainerRegistryReadOnly",
            "AWSVPCFlowLogsPushToCloudWatch",
            "destinationInventoryAndAnalyticsPolicy",
            "redshiftdataapiservice",
            "roles/secretmanager.secretAccessor",
            "projects/p/secrets/db/versions/1",
        ] {
            assert!(!is_random(text), "{text}");
        }
    }
}
