//! The list of pictures, and what each one shows.

use std::io;
use std::path::Path;
use std::process::Command;

use super::svg;

/// A picture of what a command prints.
pub(crate) struct Picture {
    /// The file, from the root of the repository.
    pub(crate) file: &'static str,
    /// The text alternative of the picture.
    title: &'static str,
    /// The command line that the picture shows.
    typed: &'static str,
    /// The arguments of the command that is run.
    arguments: &'static [&'static str],
    /// The lines to draw: from the first one that contains this text …
    from: &'static str,
    /// … to the last one that contains this one.
    to: &'static str,
    /// Names of the recorded provider, and the names that real projects use instead.
    names: &'static [(&'static str, &'static str)],
    /// Texts of lines that have a number beside them, in order.
    callouts: &'static [&'static str],
    /// Whether lines appear one after the other.
    animated: bool,
    /// The exit code of the command.
    code: i32,
}

pub(crate) const PICTURES: [Picture; 5] = [
    Picture {
        file: "docs/review.svg",
        title: "tfview review: the verdict, what must not be missed, then each change with its reason",
        typed: "tfview review plan.json",
        arguments: &["review", "fixtures/review/shop/plan.json"],
        from: "1 to destroy",
        to: "replicaCount",
        names: &[],
        callouts: &[],
        animated: false,
        code: 0,
    },
    Picture {
        file: "docs/review-annotated.svg",
        title: "tfview review: a review with numbers beside its lines",
        typed: "tfview review plan.json",
        arguments: &[
            "review",
            "--width",
            "100",
            "fixtures/review/annotated/plan.json",
        ],
        from: "CRITICAL",
        to: "also known after apply",
        names: &[],
        callouts: &[
            "CRITICAL",
            "to change",
            "aws_s3_bucket_lifecycle_configuration",
            "noncurrent_days",
            "tags.Owner",
            "aws_subnet.data",
            "and as the 6 below",
            "6 ×",
        ],
        animated: false,
        code: 0,
    },
    Picture {
        file: "docs/show.svg",
        title: "tfview show: a part of the same plan, as Terraform prints it",
        typed: "tfview show plan.json",
        arguments: &["show", "fixtures/review/shop/plan.json"],
        from: "# aws_db_instance.orders",
        to: "# (5 unchanged attributes hidden)",
        names: &[],
        callouts: &[],
        animated: false,
        code: 0,
    },
    Picture {
        file: "docs/stream.svg",
        title: "tfview stream: the messages of an apply as the tool's own lines",
        typed: "tofu apply -json -auto-approve | tfview stream",
        arguments: &[
            "stream",
            "fixtures/goldens/create-web-stack-opentofu/apply.jsonl",
        ],
        from: "Plan: ",
        to: "Apply complete!",
        // The run is real, but its provider is a mock of a cloud.
        names: &[
            ("tfcoremock_bucket", "aws_s3_bucket"),
            ("tfcoremock_", "aws_"),
        ],
        callouts: &[],
        animated: true,
        code: 0,
    },
    Picture {
        file: "docs/units.svg",
        title: "tfview review of a hundred units: which failed, what is grave, then the two that change",
        typed: "tfview review plans --report report.json",
        arguments: &[
            "review",
            "fixtures/units/plans",
            "--report",
            "fixtures/units/report.json",
        ],
        from: "100 units",
        to: "data-loss, downtime",
        names: &[("fixtures/units/plans", "plans")],
        callouts: &[],
        animated: false,
        code: 1,
    },
];

impl Picture {
    /// Runs the program in the root of the repository, and draws what it prints.
    pub(crate) fn draw(&self, tfview: &Path, root: &Path) -> io::Result<String> {
        let mut command = Command::new(tfview);
        // Ignore the settings and the cached schemas of this machine.
        command
            .env_clear()
            .current_dir(root)
            .args(self.arguments)
            .args(["--color", "always"]);
        let output = command.output()?;
        if output.status.code() != Some(self.code) {
            return Err(io::Error::other(
                String::from_utf8_lossy(&output.stderr).into_owned(),
            ));
        }
        let mut text = String::from_utf8(output.stdout).map_err(io::Error::other)?;
        for (recorded, real) in self.names {
            text = text.replace(recorded, real);
        }
        let printed: Vec<&str> = text.lines().collect();
        let plain: Vec<String> = printed.iter().map(|line| svg::plain(line)).collect();
        let first = plain.iter().position(|line| line.contains(self.from));
        let last = plain.iter().rposition(|line| line.contains(self.to));
        let shown = first
            .zip(last)
            .and_then(|(first, last)| printed.get(first..=last));
        let shown =
            shown.ok_or_else(|| io::Error::other(format!("{}: nothing to draw", self.file)))?;
        let plain: Vec<String> = shown.iter().map(|line| svg::plain(line)).collect();
        let mut callouts = Vec::new();
        for text in self.callouts {
            let from = callouts.last().map_or(0, |last| last + 1);
            let line = (from..plain.len()).find(|line| plain[*line].contains(text));
            let missing = || io::Error::other(format!("{}: no line has {text}", self.file));
            callouts.push(line.ok_or_else(missing)?);
        }
        Ok(svg::terminal(
            self.title,
            self.typed,
            shown,
            &callouts,
            self.animated,
        ))
    }
}
