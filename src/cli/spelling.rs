//! Single-dash spellings of long options: `-no-color` for `--no-color`, as the tools themselves
//! write them.
//!
//! There are no short options but `-h` and `-V`, so that a dash and a word can mean nothing else.
//! What stands after `--` is another program's.

use std::ffi::OsString;

/// The arguments with long options spelled with two dashes.
pub(super) fn with_two_dashes(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut ours = true;
    args.map(|arg| {
        ours &= arg != "--";
        match arg.to_str() {
            Some(text) if ours && is_long(text) => format!("-{text}").into(),
            _ => arg,
        }
    })
    .collect()
}

fn is_long(arg: &str) -> bool {
    let Some(name) = arg.strip_prefix('-') else { return false };
    name.len() > 1 && name.starts_with(|c: char| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dash_and_a_word_are_a_long_option() {
        for (typed, spelled) in [
            ("tfview show -no-color x", "tfview show --no-color x"),
            ("tfview show -color=never -", "tfview show --color=never -"),
            ("tfview show -width 80 -help", "tfview show --width 80 --help"),
            ("tfview show -h -V -1 --width", "tfview show -h -V -1 --width"),
            ("tfview run -concise -- tofu apply -no-color", "tfview run --concise -- tofu apply -no-color"),
            ("tfview -version", "tfview --version"),
        ] {
            let args = with_two_dashes(typed.split(' ').map(OsString::from));
            let args: Vec<_> = args.iter().filter_map(|arg| arg.to_str()).collect();
            assert_eq!(args.join(" "), spelled);
        }
    }
}
