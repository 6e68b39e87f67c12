//! Pages: self-contained HTML documents that are safe to open.
//!
//! Invariants: everything is readable without script and style; nothing is loaded; a content security policy
//! allows only the script and the style of this directory, by their hashes; the same content gives the same
//! bytes.

mod escape;
mod html;
mod parts;
mod styled;

use std::io::{self, Write};

pub use html::{Fragment, Html};
pub use parts::{Attribute, Class, Data, Element, Id, Length, RunPart, WebAddress};

use crate::term::Untrusted;

/// The script.
const SCRIPT: &str = include_str!("script.js");
/// The style.
const STYLE: &str = include_str!("style.css");
/// The hash of the script. A test checks it and prints the correct one.
const SCRIPT_HASH: &str = "sha256-9BE7XQFAQOBeuJDdxV7PA6OYL5LhGpSYZv+IYlTB4U8=";
/// The hash of the style. A test checks it and prints the correct one.
const STYLE_HASH: &str = "sha256-tBKiFGsxA7jhDJOxsDOaMrZDRdzZv98KWAZFUcJH8UE=";

/// A page: what is not its content.
#[derive(Clone, Copy, Debug)]
pub struct Page<'p> {
    /// Its title.
    pub title: &'p str,
    /// The text of the link that skips the header.
    pub skip: &'static str,
    /// Whether it shows sensitive values, which it then states.
    pub shows_sensitive: bool,
}

/// Writes a page to `sink`: the beginning, a header with the title, which `header` continues, the content, and the end.
///
/// # Errors
/// If writing to `sink` fails.
pub fn write(
    page: Page<'_>,
    sink: &mut dyn Write,
    header: impl FnOnce(&mut Html),
    content: impl FnOnce(&mut Html, &mut dyn Write) -> io::Result<()>,
    footer: impl FnOnce(&mut Html),
) -> io::Result<()> {
    let mut html = Html::default();
    let policy = format!(
        "default-src 'none'; script-src '{SCRIPT_HASH}'; style-src '{STYLE_HASH}'; base-uri 'none'; form-action 'none'"
    );
    for part in [
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n",
        "<meta http-equiv=\"Content-Security-Policy\" content=\"",
        &policy,
        "\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n",
        "<meta name=\"referrer\" content=\"no-referrer\"/>\n",
        "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>",
    ] {
        html.bytes.extend_from_slice(part.as_bytes());
    }
    html.data(Untrusted(page.title));
    for part in ["</title>\n<style>", STYLE, "</style>\n</head>\n<body>\n"] {
        html.bytes.extend_from_slice(part.as_bytes());
    }
    let skip = [Attribute::Class(Class::SKIP), Attribute::Link(Id::Content)];
    html.element(Element::A, &skip, |html| html.text(page.skip));
    html.element(Element::HEADER, &[], |html| {
        html.element(Element::H1, &[], |html| html.data(Untrusted(page.title)));
        if page.shows_sensitive {
            sensitive_banner(html);
        }
        header(html);
    });
    html.element(Element::MAIN, &[Attribute::Id(Id::Content)], |html| content(html, sink))?;
    footer(&mut html);
    for part in ["\n<script>", SCRIPT, "</script>\n</body>\n</html>\n"] {
        html.bytes.extend_from_slice(part.as_bytes());
    }
    html.write_out(sink)
}

/// Writes the warning that a page shows sensitive values.
fn sensitive_banner(html: &mut Html) {
    html.element(Element::P, &[Attribute::Class(Class::BANNER)], |html| {
        html.element(Element::STRONG, &[], |html| html.text("This page shows sensitive values."));
        html.text(" It was made with --show-sensitive: keep it as safe as the values.");
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    fn base64(bytes: &[u8]) -> String {
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::new();
        for three in bytes.chunks(3) {
            let bits =
                three.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
            for at in 0..4 {
                let digit = DIGITS[(bits >> (18 - 6 * at)) as usize & 63];
                text.push(if at > three.len() { '=' } else { char::from(digit) });
            }
        }
        text
    }

    #[test]
    fn the_hashes_are_those_of_script_and_style() {
        for (name, text, hash) in [("SCRIPT_HASH", SCRIPT, SCRIPT_HASH), ("STYLE_HASH", STYLE, STYLE_HASH)] {
            let digest = base64(&Sha256::digest(text)[..]);
            assert_eq!(hash, format!("sha256-{digest}"), "{name} in src/page/mod.rs");
        }
    }

    #[test]
    fn nothing_in_script_or_style_ends_it_or_loads_anything() {
        for text in [SCRIPT, STYLE] {
            for word in
                ["</", "<!--", "http:", "https:", "url(", "@import", "innerHTML", "eval(", "document.write"]
            {
                assert!(!text.contains(word), "{word}");
            }
        }
    }
}
