//! Finds the word of a command that is the tool.
//!
//! Invariant: `-json` is only added to the command of a known tool. A word that only looks like the name of one, such
//! as a directory in `make -C terraform plan`, is not the tool.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The tool of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Program {
    /// The index of its word in the command.
    pub(super) index: usize,
    /// Whether it is Terragrunt.
    pub(super) is_terragrunt: bool,
    /// Whether it runs on this file system, so that a plan can be saved for it.
    pub(super) is_local: bool,
}

/// The names of the tools. A version or a platform may follow them.
const TOOLS: [&str; 4] = ["opentofu", "terraform", "terragrunt", "tofu"];

/// The names of programs that run the command in their arguments.
const WRAPPERS: [&str; 55] = [
    "asdf",
    "assume",
    "aws-okta",
    "aws-sso",
    "aws-vault",
    "bundle",
    "bwrap",
    "chamber",
    "chronic",
    "chroot",
    "devbox",
    "direnv",
    "doas",
    "doppler",
    "dotenv",
    "dumb-init",
    "env",
    "envchain",
    "exec",
    "firejail",
    "flatpak",
    "gosu",
    "granted",
    "infisical",
    "ionice",
    "mise",
    "nice",
    "nix",
    "nix-shell",
    "nohup",
    "npx",
    "op",
    "pipenv",
    "poetry",
    "proot",
    "rtx",
    "runuser",
    "saml2aws",
    "setsid",
    "sops",
    "stdbuf",
    "strace",
    "su-exec",
    "sudo",
    "summon",
    "systemd-run",
    "teller",
    "time",
    "timeout",
    "tini",
    "unbuffer",
    "uv",
    "uvx",
    "vault",
    "xvfb-run",
];

/// The names of wrappers that run the command on another file system.
const ELSEWHERE: [&str; 12] = [
    "colima",
    "docker",
    "docker-compose",
    "kubectl",
    "lima",
    "limactl",
    "nerdctl",
    "oc",
    "podman",
    "podman-compose",
    "ssh",
    "vagrant",
];

/// The words that occur in the names of releases and images, such as `terragrunt_linux_amd64` and `opentofu:latest`.
const PLATFORMS: [&str; 17] = [
    "386", "aarch64", "alpha", "amd64", "arm", "arm64", "beta", "darwin", "dev", "freebsd", "full",
    "latest", "light", "linux", "macos", "rc", "windows",
];

/// Finds the tool of a command: its first word, the target of that word if it is a symbolic link, the word after `--`,
/// or the first name of a tool after a known wrapper. Returns `None` if the tool is not certain.
pub(super) fn find(
    words: &[OsString],
    link: impl Fn(&OsStr) -> Option<OsString>,
) -> Option<Program> {
    let first = words.first()?;
    let program = |index: usize, name: &str| {
        let before = words.get(..index).unwrap_or_default();
        Program {
            index,
            is_terragrunt: name == "terragrunt",
            is_local: !before.iter().any(|word| is_one_of(word, &ELSEWHERE)),
        }
    };
    if let Some(name) = name(first) {
        return Some(program(0, name));
    }
    let target = link(first);
    if let Some(name) = target.as_deref().and_then(name) {
        return Some(program(0, name));
    }
    let after_dashes = words
        .iter()
        .position(|word| word == "--")
        .map(|index| index + 1);
    if let Some(index) = after_dashes
        && let Some(name) = words.get(index).and_then(|word| name(word))
    {
        return Some(program(index, name));
    }
    if !is_one_of(first, &WRAPPERS) && !is_one_of(first, &ELSEWHERE) {
        return None;
    }
    let mut others = words.iter().enumerate().skip(1);
    others.find_map(|(index, word)| Some(program(index, name(word)?)))
}

fn is_one_of(word: &OsStr, names: &[&str]) -> bool {
    stem(word).is_some_and(|stem| names.contains(&stem))
}

/// Returns the tool that a word names: `tofu` for `/opt/tofu-1.12.6.exe`, but `None` for `tofu-docs`.
fn name(word: &OsStr) -> Option<&'static str> {
    // The digest of an image is left out.
    let word = stem(word)?.split('@').next()?;
    TOOLS.into_iter().find(|tool| {
        word.strip_prefix(tool)
            .is_some_and(|suffix| suffix.split(['-', '_', '.', ':', '+']).all(is_of_release))
    })
}

/// Whether a part of a name is a version, a stage or a platform.
fn is_of_release(part: &str) -> bool {
    let version = part.strip_prefix('v').unwrap_or(part);
    part.is_empty()
        || version.starts_with(|first: char| first.is_ascii_digit())
        || PLATFORMS.contains(&part)
        || ["alpha", "beta", "rc"]
            .iter()
            .any(|stage| part.strip_prefix(stage).is_some_and(is_number))
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the name of a program, without its directory and `.exe`.
pub(super) fn stem(word: &OsStr) -> Option<&str> {
    let name = Path::new(word).file_name()?.to_str()?;
    Some(name.strip_suffix(".exe").unwrap_or(name))
}

#[cfg(test)]
mod tests;
