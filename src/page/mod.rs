//! Pages: self-contained HTML documents that are safe to open.
//!
//! Invariants: everything is readable without script and style; nothing is loaded; a content security policy allows
//! only the script and the style of this directory, by their hashes; the same content gives the same bytes.

mod html;

use std::io::{self, Write};

pub use html::{Attribute, Fragment, Html, Id, Length, RunPart, WebAddress, class};

use crate::term::Untrusted;

/// The script, which is written into each page. The page can be read without it.
const SCRIPT: &str = include_str!("script.js");
/// The style, which is written into each page.
const STYLE: &str = include_str!("style.css");
/// The hash of the script, for the content security policy. A test checks it and prints the correct one.
const SCRIPT_HASH: &str = "sha256-WMDfF7O0mTBLUVrmadtsTze7jzYAVCLsC2fBf0NTYus=";
/// The hash of the style, for the content security policy. A test checks it and prints the correct one.
const STYLE_HASH: &str = "sha256-88FIWduPgPAvxPHUE7/r5CU+reGsbCgz9DHLqIotpgk=";

/// The frame of a page around its content.
#[derive(Clone, Copy, Debug)]
pub struct Page<'p> {
    /// The title of the window.
    pub title: &'p str,
    /// The text of the link that skips to the content.
    pub skip: &'static str,
    /// Whether sensitive values are on the page, which then has a warning.
    pub shows_sensitive: bool,
}

/// Writes a page to `sink`: the beginning, a header with the title, which `header` continues, the content, a footer,
/// and the end.
///
/// `content` may write parts of the page to the sink itself, so that a large page is not held in memory.
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
    let skip = [Attribute::Class("skip"), Attribute::Link(Id::Content)];
    html.element("a", &skip, |html| html.text(page.skip));
    html.element("header", &[], |html| {
        html.element("h1", &[], |html| html.data(Untrusted(page.title)));
        if page.shows_sensitive {
            sensitive_banner(html);
        }
        header(html);
    });
    html.element("main", &[Attribute::Id(Id::Content)], |html| {
        content(html, sink)
    })?;
    footer(&mut html);
    for part in ["\n<script>", SCRIPT, "</script>\n</body>\n</html>\n"] {
        html.bytes.extend_from_slice(part.as_bytes());
    }
    html.write_out(sink)
}

/// Writes the warning that the page shows sensitive values.
fn sensitive_banner(html: &mut Html) {
    html.element("p", &[Attribute::Class("banner")], |html| {
        html.element("strong", &[], |html| {
            html.text("This page shows sensitive values.");
        });
        html.text(" It was made with --show-sensitive: keep it as safe as the values.");
    });
}

#[cfg(test)]
mod tests;
