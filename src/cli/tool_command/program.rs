//! Which word of a command is the tool.
//!
//! Invariant: `-json` is added to nothing but a tool that is known. A word that only looks like the name of
//! one, such as a directory in `make -C terraform plan`, is not the tool.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The tool within the words of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Program {
    /// The place of its word.
    pub(super) index: usize,
    pub(super) is_terragrunt: bool,
    /// It runs on this file system, so that a plan can be saved for it.
    pub(super) is_local: bool,
}

/// The names of the tools, which may be followed by a version or a platform.
const TOOLS: [&str; 4] = ["opentofu", "terraform", "terragrunt", "tofu"];

/// Programs that run the command in their arguments.
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

/// Wrappers that run the command on another file system.
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

/// Words of the names of releases and images, such as `terragrunt_linux_amd64` and `opentofu:latest`.
const PLATFORMS: [&str; 17] = [
    "386", "aarch64", "alpha", "amd64", "arm", "arm64", "beta", "darwin", "dev", "freebsd", "full",
    "latest", "light", "linux", "macos", "rc", "windows",
];

/// The tool of a command: its first word, the first one after a known wrapper, or the one after `--`.
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

/// The tool that a word names, such as `tofu` of `/opt/tofu-1.12.6.exe`, but not of `tofu-docs`.
fn name(word: &OsStr) -> Option<&'static str> {
    // Of an image, without its digest.
    let word = stem(word)?.split('@').next()?;
    TOOLS.into_iter().find(|tool| {
        word.strip_prefix(tool)
            .is_some_and(|suffix| suffix.split(['-', '_', '.', ':', '+']).all(is_of_release))
    })
}

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

/// The name of a program, without its directory and `.exe`.
pub(super) fn stem(word: &OsStr) -> Option<&str> {
    let name = Path::new(word).file_name()?.to_str()?;
    Some(name.strip_suffix(".exe").unwrap_or(name))
}

#[cfg(test)]
mod tests;
