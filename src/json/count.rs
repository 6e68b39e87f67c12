//! How many values a text holds, before any is built.

/// About how many values a JSON text is made of.
pub fn count_values(text: &str) -> usize {
    let mut rest = text.as_bytes();
    let mut count = 1;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match first {
            b',' | b'[' | b'{' => count += 1,
            b'"' => {
                while let Some(at) = memchr::memchr2(b'"', b'\\', rest) {
                    let is_escape = rest.get(at) == Some(&b'\\');
                    rest = rest.get(at + 1 + usize::from(is_escape)..).unwrap_or_default();
                    if !is_escape {
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_outside_of_strings() {
        assert_eq!(count_values(r#"{"a,[{\"":[1,2,3],"b":"x,y"}"#), 6);
    }
}
