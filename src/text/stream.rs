//! The words and sentences of the tools about a run.
//!
//! ```text
//! aws_vpc.main: Creating...
//! aws_vpc.main: Still creating... [10s elapsed]
//! aws_vpc.main: Creation complete after 12s
//! ```

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::dialect::{Dialect, ElapsedForm};

/// An operation on an object, data source or ephemeral resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// An object is created.
    Create,
    /// An object is changed in place.
    Update,
    /// An object is destroyed.
    Delete,
    /// A data source is read.
    Read,
    /// An object is replaced. This occurs only in plans, because a run deletes and creates in separate operations.
    Replace,
    /// An object is removed from state and not destroyed. The word of the messages is `remove`.
    Forget,
    /// An ephemeral resource is opened.
    Open,
    /// An ephemeral resource is renewed.
    Renew,
    /// An ephemeral resource is closed.
    Close,
    /// The state of an object is refreshed. Messages about this have their own types instead of a word.
    Refresh,
}

/// The words for an operation, as the tools write them.
struct Words {
    /// The sentence at the start: `Creating...`.
    starting: &'static str,
    /// The participle in `Still creating... [10s elapsed]`.
    continuing: &'static str,
    /// The noun in `Creation complete after 1s`.
    noun: &'static str,
    /// The past participle, as in `created` in a recap.
    participle: &'static str,
}

impl Operation {
    /// The operations that change something.
    pub const CHANGES: [Self; 5] = [
        Self::Create,
        Self::Update,
        Self::Delete,
        Self::Replace,
        Self::Forget,
    ];
    /// The number of operations, for arrays that are indexed by them.
    pub const COUNT: usize = 10;

    /// Whether the operation changes something.
    pub fn is_change(self) -> bool {
        Self::CHANGES.contains(&self)
    }

    /// Returns the operation that a word of a message means.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "create" => Self::Create,
            "update" => Self::Update,
            "delete" => Self::Delete,
            "read" => Self::Read,
            "replace" => Self::Replace,
            "remove" | "forget" => Self::Forget,
            "open" => Self::Open,
            "renew" => Self::Renew,
            "close" => Self::Close,
            _ => return None,
        })
    }

    /// Returns the word of the messages for the operation.
    pub fn word(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Read => "read",
            Self::Replace => "replace",
            Self::Forget => "remove",
            Self::Open => "open",
            Self::Renew => "renew",
            Self::Close => "close",
            Self::Refresh => "refresh",
        }
    }

    /// Returns the words for the operation.
    fn words(self) -> Words {
        match self {
            Self::Create => Words {
                starting: "Creating...",
                continuing: "creating",
                noun: "Creation",
                participle: "created",
            },
            Self::Update => Words {
                starting: "Modifying...",
                continuing: "modifying",
                noun: "Modifications",
                participle: "changed",
            },
            Self::Delete => Words {
                starting: "Destroying...",
                continuing: "destroying",
                noun: "Destruction",
                participle: "destroyed",
            },
            Self::Read => Words {
                starting: "Reading...",
                continuing: "reading",
                noun: "Read",
                participle: "read",
            },
            Self::Replace => Words {
                starting: "Replacing...",
                continuing: "replacing",
                noun: "Replacement",
                participle: "replaced",
            },
            Self::Forget => Words {
                starting: "Removing...",
                continuing: "removing",
                noun: "Removal",
                participle: "forgotten",
            },
            Self::Open => Words {
                starting: "Opening...",
                continuing: "opening",
                noun: "Opening",
                participle: "opened",
            },
            Self::Renew => Words {
                starting: "Renewing...",
                continuing: "renewing",
                noun: "Renewal",
                participle: "renewed",
            },
            Self::Close => Words {
                starting: "Closing...",
                continuing: "closing",
                noun: "Closing",
                participle: "closed",
            },
            Self::Refresh => Words {
                starting: "Refreshing state...",
                continuing: "refreshing",
                noun: "Refresh",
                participle: "refreshed",
            },
        }
    }

    /// Returns the sentence at the start, such as `Creating...`.
    pub fn starting(self) -> &'static str {
        self.words().starting
    }

    /// Returns the participle for an operation that is still running, such as `creating`.
    pub fn continuing(self, dialect: Dialect) -> &'static str {
        if self == Self::Forget && dialect.continues_forget_as_apply() {
            "applying"
        } else {
            self.words().continuing
        }
    }

    /// Returns the noun, such as `Creation`.
    pub fn noun(self) -> &'static str {
        self.words().noun
    }

    /// Returns the past participle, such as `created`.
    pub fn participle(self) -> &'static str {
        self.words().participle
    }
}

/// Appends a duration in the format of Go: `5s`, `1m10s`, `1h0m5s`.
pub fn push_duration(text: &mut String, seconds: u64) {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    // Writing to a `String` cannot fail.
    let _ = match (hours, minutes) {
        (0, 0) => write!(text, "{rest}s"),
        (0, _) => write!(text, "{minutes}m{rest}s"),
        _ => write!(text, "{hours}h{minutes}m{rest}s"),
    };
}

/// Returns a duration in the format of Go, as the tools print it.
pub fn duration(seconds: u64) -> String {
    let mut text = String::new();
    push_duration(&mut text, seconds);
    text
}

/// Appends the elapsed time as the tool prints it: `10s elapsed` or `00m10s elapsed`.
pub fn push_elapsed(text: &mut String, seconds: u64, dialect: Dialect) {
    match dialect.elapsed_form() {
        ElapsedForm::Padded => {
            let _ = write!(text, "{:02}m{:02}s elapsed", seconds / 60, seconds % 60);
        }
        ElapsedForm::AsInGo => {
            push_duration(text, seconds);
            text.push_str(" elapsed");
        }
    }
}

/// Returns an ID as the tools write it in `Still creating...` lines: if it is longer than 80 characters, without its
/// middle.
pub fn shortened(id: &str) -> Cow<'_, str> {
    /// The maximum length of an ID that is shown whole, in characters.
    const MAX_LENGTH: usize = 80;
    if id.len() <= MAX_LENGTH {
        return Cow::Borrowed(id);
    }
    let count = id.chars().count();
    if count <= MAX_LENGTH {
        return Cow::Borrowed(id);
    }
    let head: String = id.chars().take(39).collect();
    let tail: String = id.chars().skip(count - 38).collect();
    Cow::Owned(format!("{head}...{tail}"))
}

/// Returns the tool's words for a planned action. An unknown action is shown as it is written.
pub fn planned(action: &str) -> Cow<'static, str> {
    Cow::Borrowed(match action {
        "create" => "will be created",
        "update" => "will be updated in-place",
        "replace" => "must be replaced",
        "delete" => "will be destroyed",
        "read" => "will be read during apply",
        "move" => "has moved",
        "import" => "will be imported",
        "remove" => "will be removed from the state, but will not be destroyed",
        "open" => "will be opened",
        "noop" => "will not change",
        other => return Cow::Owned(format!("planned: {other}")),
    })
}

/// Returns the words for an object that changed outside of the tool.
pub fn drifted(action: &str) -> Cow<'static, str> {
    Cow::Borrowed(match action {
        "update" => "has changed",
        "delete" => "has been deleted",
        "move" => "has moved",
        other => return Cow::Owned(format!("drift: {other}")),
    })
}

/// Returns the tool's words for the reason of an action. An unknown reason is shown with spaces instead of underscores.
pub fn reason(word: &str) -> Cow<'_, str> {
    Cow::Borrowed(match word {
        "tainted" => "tainted",
        "requested" => "as requested",
        "replace_triggered_by" => "due to changes in replace_triggered_by",
        "cannot_update" => "cannot be updated in-place",
        "delete_because_no_resource_config" => "not in configuration",
        "delete_because_wrong_repetition" => "the resource's repetition has changed",
        "delete_because_count_index" => "index is out of range for count",
        "delete_because_each_key" => "key is not in for_each map",
        "delete_because_no_module" => "module is not in configuration",
        "delete_because_no_move_target" => "move target is not in configuration",
        "delete_because_enabled_false" => "enabled is false",
        "read_because_config_unknown" => "config refers to values not yet known",
        "read_because_dependency_pending" => {
            "depends on a resource or a module with changes pending"
        }
        "read_because_check_nested" => "config will be reloaded to verify a check block",
        "forgot_because_lifecycle_destroy_in_config" => {
            "lifecycle.destroy = false in the configuration"
        }
        "forgot_because_lifecycle_destroy_in_state" => {
            "lifecycle.destroy = false before it was removed"
        }
        other => return Cow::Owned(other.replace('_', " ")),
    })
}

/// Whether a text of `init` is the heading of a section.
pub fn is_init_section(text: &str) -> bool {
    text.starts_with("Initializing ") || text.starts_with("Upgrading modules")
}

/// Whether a text of `init` says that it succeeded.
pub fn is_init_success(text: &str) -> bool {
    text.ends_with("has been successfully initialized!")
}

/// Returns the line that `terraform init` prints without `-json`, given the text of its message. `None` for texts that
/// are not about a provider.
pub fn provider_line(text: &str) -> Option<String> {
    if let Some(rest) = text.strip_prefix("Finding matching versions for provider: ") {
        let (provider, constraint) = rest.split_once(", version_constraint: ")?;
        return Some(format!(
            "- Finding {provider} versions matching {constraint}..."
        ));
    }
    if let Some(rest) = text.strip_prefix("Installing provider version: ") {
        return Some(format!("- Installing {rest}"));
    }
    if let Some(rest) = text.strip_prefix("Installed provider version: ") {
        return Some(match rest.split_once("key_id: ") {
            Some((before, key)) => {
                let before = before.trim_end_matches([',', ' ']);
                format!("- Installed {before}, key ID {key}")
            }
            None => format!("- Installed {rest}"),
        });
    }
    for (end, before, after) in [
        (
            ": Finding latest version...",
            "Finding latest version of ",
            "...",
        ),
        (
            ": Using previously-installed provider version",
            "Using previously-installed ",
            "",
        ),
        (
            ": Using from the shared cache directory",
            "Using ",
            " from the shared cache directory",
        ),
    ] {
        if let Some(provider) = text.strip_suffix(end) {
            return Some(format!("- {before}{provider}{after}"));
        }
    }
    if let Some(rest) = text.strip_suffix(" from the dependency lock file")
        && let Some((provider, version)) = rest.split_once(": Reusing version ")
    {
        return Some(format!(
            "- Reusing version {version} of {provider} from the dependency lock file"
        ));
    }
    (text.contains(" is built in to ") && !text.starts_with("- ")).then(|| format!("- {text}"))
}

/// Returns the line that `tofu init` prints without `-json`, like [`provider_line`].
pub fn tofu_provider_line(text: &str) -> Option<String> {
    if let Some(module) = text.strip_prefix("installing ") {
        return Some(format!("- {module}"));
    }
    let beginnings = [
        "Finding ",
        "Reusing previous version of ",
        "Using previously-installed ",
        "Installing ",
        "Installed ",
    ];
    let known = beginnings.iter().any(|begin| text.starts_with(begin))
        || (text.starts_with("Using ") && text.ends_with(" from the shared cache directory"))
        || text.contains(" is built in to ");
    known.then(|| format!("- {text}"))
}
