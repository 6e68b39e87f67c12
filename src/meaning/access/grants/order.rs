//! Orders of the words of grants: whether one principal, role, scope or limit covers another.
//!
//! ```text
//! allUsers covers domain:acme.com, which covers user:ana@acme.com
//! roles/owner covers roles/editor; a subscription covers its resource groups
//! ```

use std::net::IpAddr;

use super::answer::Answer;
use super::condition;
use super::principals;
use super::scopes;
use super::table::{Covers, in_table};
use crate::glob;

/// Words from the narrowest to the widest, in lower case; each covers those before it.
pub(super) type Ladder = &'static [&'static str];

/// An order of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// A word covers itself only.
    Exact,
    /// A word covers itself only, in whatever case it is written.
    NoCase,
    /// Steps; words that are no step cover themselves only. Case does not count.
    Steps(Ladder),
    /// Words with those that they cover. Case does not count.
    Table(Covers),
    /// Patterns with `*` and `?`.
    Pattern,
    /// Patterns in which case does not count.
    PatternNoCase,
    /// Blocks of which only the presence counts here: what is inside has parts of its own.
    Presence,
    /// Expressions that are not understood: another one is neither wider nor narrower.
    Text,
    /// Expressions of the Common Expression Language.
    Cel,
    /// Numbers, or durations in one of the usual forms: more covers less.
    AtMost,
    /// Numbers, or durations: less covers more.
    AtLeast,
    /// Addresses and networks.
    Network,
    /// Members of policies of Google.
    GoogleMember,
    /// Roles of Google.
    GoogleRole,
    /// Principals of AWS: everybody, accounts, users and roles, services.
    AwsPrincipal,
    /// Scopes of Azure: identifiers of which each covers those below it.
    AzureScope,
    /// Roles of Azure, by name or identifier, with those that they cover.
    AzureRole,
    /// Rules of Cloudflare Access: `everyone` covers all, a domain its addresses.
    AccessRule,
    /// Paths separated by `/`, each of which covers those below it.
    Path,
}

impl Order {
    /// Whether a word covers another.
    pub(super) fn covers(self, wide: &str, narrow: &str) -> Answer {
        if wide == narrow {
            return Answer::Yes;
        }
        match self {
            Self::Exact => Answer::No,
            Self::NoCase => Answer::of(wide.eq_ignore_ascii_case(narrow)),
            Self::Steps(steps) => {
                let [wide, narrow] = [wide, narrow].map(str::to_ascii_lowercase);
                let step = |word: &str| steps.iter().position(|step| *step == word);
                Answer::of(wide == narrow || step(&narrow).is_some_and(|n| step(&wide) > Some(n)))
            }
            Self::Table(table) => {
                let [wide, narrow] = [wide, narrow].map(str::to_ascii_lowercase);
                Answer::of(wide == narrow || in_table(table, &wide, &narrow))
            }
            Self::Pattern => pattern(wide, narrow),
            Self::PatternNoCase => {
                pattern(&wide.to_ascii_lowercase(), &narrow.to_ascii_lowercase())
            }
            Self::Presence => Answer::Yes,
            Self::Text => Answer::Unclear,
            Self::Cel => condition::implied(wide, narrow),
            Self::AtMost => number(wide)
                .zip(number(narrow))
                .map_or(Answer::Unclear, |(wide, narrow)| Answer::of(wide >= narrow)),
            Self::AtLeast => number(wide)
                .zip(number(narrow))
                .map_or(Answer::Unclear, |(wide, narrow)| Answer::of(wide <= narrow)),
            Self::Network => network(wide, narrow),
            Self::GoogleMember => principals::google(wide, narrow),
            Self::GoogleRole => principals::google_role(wide, narrow),
            Self::AwsPrincipal => principals::aws(wide, narrow),
            Self::AzureScope => scopes::azure(wide, narrow),
            Self::AzureRole => principals::azure_role(wide, narrow),
            Self::AccessRule => principals::cloudflare(wide, narrow),
            Self::Path => {
                let wide = wide.trim_end_matches('/');
                let rest = narrow.strip_prefix(wide);
                Answer::of(rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
            }
        }
    }
}

/// Whether a pattern covers another.
fn pattern(wide: &str, narrow: &str) -> Answer {
    if !glob::matches(wide, narrow) {
        // Two patterns with wildcards may still cover each other in ways that the match of the text does not show.
        return Answer::of(wide == narrow);
    }
    // `?` matches the character `*` of the other pattern, which stands for several.
    if wide.contains('?') && narrow.contains('*') {
        return Answer::Unclear;
    }
    Answer::Yes
}

/// Whether a network covers an address or network. Words such as `*` or `any` cover all.
fn network(wide: &str, narrow: &str) -> Answer {
    if matches!(wide, "*" | "any" | "0.0.0.0") {
        return Answer::Yes;
    }
    let (Some((address, bits)), Some((other, longer))) = (cidr(wide), cidr(narrow)) else {
        // A name, such as a list of addresses.
        return Answer::No;
    };
    let inside = match (address, other) {
        (IpAddr::V4(a), IpAddr::V4(b)) => {
            bits <= longer && (bits == 0 || (a.to_bits() ^ b.to_bits()) >> (32 - bits.min(32)) == 0)
        }
        (IpAddr::V6(a), IpAddr::V6(b)) => {
            bits <= longer
                && (bits == 0 || (a.to_bits() ^ b.to_bits()) >> (128 - bits.min(128)) == 0)
        }
        (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
    };
    Answer::of(inside)
}

/// Reads an address or a network as an address and the length of its prefix.
fn cidr(text: &str) -> Option<(IpAddr, u32)> {
    let (address, bits) = text
        .split_once('/')
        .map_or((text, None), |(address, bits)| (address, Some(bits)));
    let address: IpAddr = address.trim().parse().ok()?;
    let all = if address.is_ipv4() { 32 } else { 128 };
    let bits = bits.map_or(Some(all), |bits| bits.trim().parse().ok())?;
    (bits <= all).then_some((address, bits))
}

/// Reads a number, a duration with a unit (`90m`, `720h`), or one of ISO 8601 (`PT2H`, `P30D`), the latter in seconds.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        return Some(number);
    }
    let (rest, is_iso) = match text.strip_prefix('P') {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let (mut total, mut digits, mut in_time, mut found) = (0.0, String::new(), !is_iso, false);
    for c in rest.chars() {
        if c.is_ascii_digit() || c == '.' {
            digits.push(c);
            continue;
        }
        if c == 'T' && is_iso {
            in_time = true;
            continue;
        }
        let seconds = match (c.to_ascii_lowercase(), in_time) {
            ('s', _) => 1.0,
            ('m', true) => 60.0,
            ('m', false) => 2_592_000.0,
            ('h', _) => 3_600.0,
            ('d', _) => 86_400.0,
            ('w', _) => 604_800.0,
            ('y', _) => 31_536_000.0,
            _ => return None,
        };
        total += std::mem::take(&mut digits).parse::<f64>().ok()? * seconds;
        found = true;
    }
    (found && digits.is_empty()).then_some(total)
}
