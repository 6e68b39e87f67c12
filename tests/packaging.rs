//! The scripts of `packaging/`, run with stand-ins for other programs: only an archive with the right
//! checksum is installed, archives are reproducible, and all external web addresses are listed.

#![cfg(unix)]

mod comment;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::cli::harness::without_identity;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("packaging")
        .join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

fn script(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Runs a script with the stand-ins in `bin` first on the PATH.
#[expect(
    clippy::disallowed_methods,
    reason = "the scripts need the tools on the PATH"
)]
fn run(bin: &Path, script: &str, arguments: &[&str], environment: &[(&str, &Path)]) -> Output {
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("bash");
    command
        .arg(root().join(script))
        .args(arguments)
        .env("PATH", path);
    command.envs(environment.iter().copied());
    command.output().unwrap()
}

/// Adds a stand-in for `curl` that serves an archive with a `tfview`, which prints its version. Returns the
/// checksum of the archive.
fn release(dir: &Path) -> String {
    let target = format!(
        "{}-{}",
        std::env::consts::ARCH,
        if cfg!(target_os = "macos") {
            "apple-darwin"
        } else {
            "unknown-linux-musl"
        }
    );
    let name = format!("tfview-9.9.9-{target}");
    fs::create_dir_all(dir.join(&name)).unwrap();
    script(&dir.join(&name).join("tfview"), "echo tfview 9.9.9");
    let archive = dir.join("archive.tar.gz");
    let tar = Command::new("tar")
        .arg("-czf")
        .arg(&archive)
        .arg("-C")
        .arg(dir)
        .arg(&name)
        .status()
        .unwrap();
    assert!(tar.success());
    // curl … --output FILE URL
    script(
        &dir.join("curl"),
        &format!(
            "while [ $# -gt 1 ]; do [ \"$1\" = --output ] && out=$2; shift; done\n\
             case $1 in https://*/v9.9.9/{name}.tar.gz) cp {} \"$out\" ;; *) echo \"404: $1\" >&2; exit 22 ;; esac",
            archive.display()
        ),
    );
    let sum = Command::new("sh")
        .arg("-c")
        .arg("sha256sum \"$0\" 2>/dev/null || shasum -a 256 \"$0\"")
        .arg(&archive)
        .output()
        .unwrap();
    String::from_utf8(sum.stdout)
        .unwrap()
        .split_whitespace()
        .next()
        .unwrap()
        .to_owned()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn release_is_installed_if_its_checksum_matches() {
    let dir = scratch("install");
    let sum = release(&dir);
    let target = dir.join("installed");
    let output = run(
        &dir,
        "packaging/install.sh",
        &["9.9.9", &sum, target.to_str().unwrap()],
        &[],
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "tfview 9.9.9\n");
    assert!(target.join("tfview").exists());
}

#[test]
fn an_archive_with_another_checksum_is_not_installed() {
    let dir = scratch("checksum");
    release(&dir);
    let target = dir.join("installed");
    let mut errors = String::new();
    for sum in ["0".repeat(64), "12".to_owned(), "$(id)".to_owned()] {
        let output = run(
            &dir,
            "packaging/install.sh",
            &["9.9.9", &sum, target.to_str().unwrap()],
            &[],
        );
        assert_eq!(output.status.code(), Some(1));
        // The archive is that of this machine, and its digits differ in each run.
        let stderr = text(&output.stderr);
        let words = stderr.split(' ').map(|word| match word {
            _ if word.starts_with("https://") => "[archive]",
            _ if word.len() == 65 && word.ends_with(',') => "[digits],",
            _ => word,
        });
        errors += &format!("{sum}:\n{}", words.collect::<Vec<_>>().join(" "));
        assert!(!target.exists());
    }
    insta::assert_snapshot!(errors, @r"
    0000000000000000000000000000000000000000000000000000000000000000:
    error: the checksum of [archive] is [digits], expected 0000000000000000000000000000000000000000000000000000000000000000; nothing was installed
    12:
    error: '12' is not a SHA-256 checksum: expected 64 digits
    $(id):
    error: '$(id)' is not a SHA-256 checksum
    ");
    let output = run(
        &dir,
        "packaging/install.sh",
        &["0.0.0", &"0".repeat(64), target.to_str().unwrap()],
        &[],
    );
    assert!(
        !output.status.success() && !target.exists(),
        "a release that does not exist"
    );
}

#[test]
fn the_action_puts_the_release_on_the_path() {
    let dir = scratch("action-install");
    let sum = release(&dir);
    let paths = dir.join("paths");
    let output = run(
        &dir,
        "packaging/action/install.sh",
        &[],
        &[
            ("INPUT_VERSION", Path::new("9.9.9")),
            ("INPUT_CHECKSUM", Path::new(&sum)),
            ("RUNNER_TEMP", &dir),
            ("GITHUB_PATH", &paths),
            ("GITHUB_ACTION_PATH", root()),
        ],
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let added = fs::read_to_string(&paths).unwrap();
    assert!(Path::new(added.trim()).join("tfview").exists());
}

/// The result of the second step of the action, run with the program under test and these inputs.
struct Reviewed {
    output: Output,
    dir: PathBuf,
}

impl Reviewed {
    fn new(name: &str, plan: &str, inputs: &[(&str, &str)]) -> Self {
        let dir = scratch(name);
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_tfview"), dir.join("tfview")).unwrap();
        Self::again(dir, plan, inputs)
    }

    /// Uses the action in a job, whose temporary directory may have the files of an earlier use.
    fn again(dir: PathBuf, plan: &str, inputs: &[(&str, &str)]) -> Self {
        let plan = root().join(plan);
        let (output, summary) = (dir.join("output"), dir.join("summary"));
        let mut environment = vec![
            ("INPUT_PLAN", plan.as_path()),
            ("RUNNER_TEMP", &dir),
            ("GITHUB_OUTPUT", &output),
            ("GITHUB_STEP_SUMMARY", &summary),
            ("HOME", &dir),
        ];
        environment.extend(
            inputs
                .iter()
                .map(|(name, value)| (*name, Path::new(*value))),
        );
        let output = run(&dir, "packaging/action/review.sh", &[], &environment);
        Self { output, dir }
    }

    fn file(&self, name: &str) -> String {
        fs::read_to_string(self.dir.join(name)).unwrap_or_default()
    }
}

const SHOP_OUTPUTS: [&str; 4] = [
    "verdict=1 to destroy, 1 to replace, 9 to change.",
    "level=critical",
    "counts={\"create\":1,\"update\":9,\"delete\":2}",
    "fingerprint=tfview-3-",
];

#[test]
fn the_action_reviews_a_plan_and_sets_its_outputs() {
    let dir = scratch("action-files");
    let (html, comment) = (dir.join("plan.html"), dir.join("comment.md"));
    let inputs = [
        ("INPUT_HTML", html.to_str().unwrap()),
        ("INPUT_COMMENT_FILE", comment.to_str().unwrap()),
    ];
    let reviewed = Reviewed::new("action-review", "fixtures/review/shop/plan.json", &inputs);
    assert_eq!(
        reviewed.output.status.code(),
        Some(0),
        "{}",
        text(&reviewed.output.stderr)
    );
    let output = reviewed.file("output");
    for (line, start) in output.lines().zip(SHOP_OUTPUTS) {
        assert!(line.starts_with(start), "{output}");
    }
    assert_eq!(output.lines().count(), SHOP_OUTPUTS.len(), "{output}");
    let summary = without_identity(&reviewed.file("summary"));
    let (_, summary) = summary.split_once("-->\n").unwrap();
    insta::assert_snapshot!(summary);
    assert!(text(&reviewed.output.stdout).contains("aws_db_instance.orders"));
    assert!(
        fs::read_to_string(html)
            .unwrap()
            .starts_with("<!DOCTYPE html>")
    );
    // The body of the comment is the summary of the job.
    assert_eq!(
        fs::read_to_string(comment).unwrap(),
        reviewed.file("summary")
    );
}

#[test]
fn action_fails_with_its_gate_and_sets_its_outputs() {
    let inputs = [("INPUT_FAIL_ON", "destroy")];
    let reviewed = Reviewed::new("action-gate", "fixtures/review/shop/plan.json", &inputs);
    assert_eq!(
        reviewed.output.status.code(),
        Some(3),
        "{}",
        text(&reviewed.output.stderr)
    );
    assert_eq!(reviewed.file("output").lines().count(), SHOP_OUTPUTS.len());
    assert!(reviewed.file("summary").starts_with("<!-- tfview:review "));
    insta::assert_snapshot!(text(&reviewed.output.stderr));
}

#[test]
fn the_action_sets_no_outputs_without_a_plan() {
    let reviewed = Reviewed::new("action-no-plan", "README.md", &[]);
    assert_eq!(reviewed.output.status.code(), Some(1));
    assert_eq!(reviewed.file("output"), "");
}

#[test]
fn a_use_of_the_action_that_fails_leaves_no_result_of_an_earlier_use() {
    let files = scratch("action-twice-files");
    let (html, comment) = (files.join("plan.html"), files.join("comment.md"));
    let inputs = [
        ("INPUT_HTML", html.to_str().unwrap()),
        ("INPUT_COMMENT_FILE", comment.to_str().unwrap()),
    ];
    let first = Reviewed::new("action-twice", "fixtures/review/shop/plan.json", &inputs);
    assert!(html.exists() && comment.exists());
    fs::remove_file(first.dir.join("output")).unwrap();
    let second = Reviewed::again(first.dir, "README.md", &inputs);
    assert_eq!(second.output.status.code(), Some(1));
    assert_eq!(second.file("output"), "");
    assert!(!html.exists() && !comment.exists());
}

#[test]
fn the_action_does_not_remove_a_plan_that_is_named_as_its_output() {
    let files = scratch("action-own-plan");
    let plan = files.join("plan.json");
    fs::copy(root().join("fixtures/review/shop/plan.json"), &plan).unwrap();
    let inputs = [("INPUT_HTML", plan.to_str().unwrap())];
    let reviewed = Reviewed::new("action-own", plan.to_str().unwrap(), &inputs);
    assert_eq!(reviewed.output.status.code(), Some(1));
    assert!(plan.exists());
}

#[test]
fn each_name_of_the_action_has_a_comment_of_its_own() {
    let marker = |name: &str| {
        let files = scratch(&format!("action-name-{name}"));
        let comment = files.join("comment.md");
        let inputs = [
            ("INPUT_NAME", name),
            ("INPUT_COMMENT_FILE", comment.to_str().unwrap()),
        ];
        let plan = "fixtures/review/shop/plan.json";
        Reviewed::new(&format!("action-named-{name}"), plan, &inputs);
        let text = fs::read_to_string(comment).unwrap();
        let head: Vec<&str> = text.lines().skip(1).take(3).collect();
        insta::allow_duplicates! {
            insta::assert_snapshot!(head.join("\n").replace(name, "[name]"), @r"

            <b><code>[name]</code></b>
            ");
        }
        text.lines().next().unwrap().to_owned()
    };
    assert!(marker("dev").starts_with("<!-- tfview:"));
    assert_eq!(marker("dev"), marker("dev"));
    assert_ne!(marker("dev"), marker("prod"));
}

/// The members of a mapping in `action.yml`, recognized by their indentation of two columns.
fn members(action: &str, of: &str) -> Vec<String> {
    let lines = action
        .lines()
        .skip_while(|line| *line != format!("{of}:"))
        .skip(1);
    let lines = lines.take_while(|line| line.starts_with(' '));
    lines
        .filter(|line| !line.starts_with("   "))
        .map(|line| line.trim().trim_end_matches(':').to_owned())
        .collect()
}

#[test]
fn inputs_and_outputs_of_the_action_are_used_and_documented() {
    let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let (action, document) = (read("action.yml"), read("docs/ci.md"));
    let scripts = read("packaging/action/install.sh") + &read("packaging/action/review.sh");
    let (inputs, outputs) = (members(&action, "inputs"), members(&action, "outputs"));
    assert_eq!(
        (inputs.len(), outputs.len()),
        (10, 4),
        "{inputs:?} {outputs:?}"
    );
    for input in inputs {
        assert!(
            document.contains(&format!("`{input}`")),
            "docs/ci.md does not name {input}"
        );
        let variable = format!("INPUT_{}", input.to_uppercase().replace('-', "_"));
        assert!(
            scripts.contains(&variable) && action.contains(&variable),
            "{variable}"
        );
    }
    for output in outputs {
        assert!(
            document.contains(&format!("`{output}`")),
            "docs/ci.md does not name {output}"
        );
        assert!(scripts.contains(&format!("echo \"{output}=")), "{output}");
    }
}

/// The text files of the repository, without fixtures.
fn documents() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = [
        "README.md",
        "Cargo.toml",
        "action.yml",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "CHANGELOG.md",
    ]
    .iter()
    .map(|name| root().join(name))
    .collect();
    for folder in [
        "packaging",
        "packaging/action",
        "docs",
        ".github/workflows",
        ".github/ISSUE_TEMPLATE",
    ] {
        let entries = fs::read_dir(root().join(folder))
            .unwrap()
            .map(|entry| entry.unwrap().path());
        paths.extend(entries.filter(|path| path.is_file()));
    }
    paths
}

/// The script needs GNU tar, so it is tested on Linux only.
#[cfg(target_os = "linux")]
#[test]
fn archives_are_reproducible() {
    let dir = scratch("archive");
    script(&dir.join("rustup"), "true");
    script(&dir.join("git"), "echo 0123456789");
    // A stand-in for the build: `cargo build --release --locked --target TARGET`.
    script(
        &dir.join("cargo"),
        "echo \"$CARGO_ENCODED_RUSTFLAGS\" >\"$0.flags\"\n\
         mkdir -p \"$CARGO_TARGET_DIR/$5/release\" && echo program >\"$CARGO_TARGET_DIR/$5/release/tfview\"",
    );
    let made = |name: &str, mask: &str| {
        let (out, built) = (dir.join(name), dir.join(format!("{name}-built")));
        let wrapper = dir.join(format!("{name}.sh"));
        script(
            &wrapper,
            &format!(
                "umask {mask}; exec bash {} x86_64-unknown-linux-musl \"$1\"",
                root().join("packaging/archive.sh").display()
            ),
        );
        let output = run(
            &dir,
            wrapper.to_str().unwrap(),
            &[out.to_str().unwrap()],
            &[
                ("CARGO_TARGET_DIR", built.as_path()),
                ("SOURCE_DATE_EPOCH", Path::new("1700000000")),
                ("TFVIEW_HOST", Path::new(env!("CARGO_BIN_EXE_tfview"))),
            ],
        );
        assert!(output.status.success(), "{}", text(&output.stderr));
        fs::read(fs::read_dir(out).unwrap().next().unwrap().unwrap().path()).unwrap()
    };
    let first = made("first", "022");
    // Times in an archive have a resolution of one second.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    assert!(first == made("second", "077"), "the archives differ");
    assert!(first.len() > 10_000, "{} bytes", first.len());
    let flags = fs::read_to_string(dir.join("cargo.flags")).unwrap();
    assert!(
        flags.contains(&format!(
            "--remap-path-prefix={}=/tfview\u{1f}",
            root().display()
        )),
        "{flags}"
    );
}

/// The web addresses in a text, without those with a variable or a pattern.
fn web_addresses(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("https://")
        .chain(text.match_indices("http://"))
        .filter_map(|(offset, _)| {
            let address = &text[offset..];
            let end = address.find(|c: char| c.is_whitespace() || "[]\"'`()<>|{}\\".contains(c));
            let address =
                address[..end.unwrap_or(address.len())].trim_end_matches(['.', ',', ':', ';', '#']);
            let is_written_out = !address.contains(['$', '*', '…']) && !address.ends_with("://");
            is_written_out.then_some(address)
        })
}

/// Whether an address is a placeholder: a name reserved for examples, or a repository of the user.
fn is_placeholder(address: &str) -> bool {
    let (_, address) = address.split_once("://").unwrap();
    let host = address.split(['/', ':']).next().unwrap();
    ["example", "test", "invalid", "localhost"].contains(&host.rsplit('.').next().unwrap())
        || ["example.com", "example.org", "127.0.0.1"]
            .iter()
            .any(|name| host.ends_with(name))
        || ["github.com/OWNER/REPOSITORY/", "github.com/me/"]
            .iter()
            .any(|start| address.starts_with(start))
        || address == "github.com/"
}

#[test]
fn every_web_address_is_in_the_repository_or_listed() {
    let read = |name: &str| fs::read_to_string(root().join(name)).unwrap();
    let (repository, listed) = (read("packaging/repository"), read("packaging/addresses"));
    let repository = repository.trim();
    assert!(repository.starts_with("https://github.com/") && repository.ends_with("/tfview"));
    let tag = format!("v{}", env!("CARGO_PKG_VERSION"));
    let (mut own, mut others) = (0, BTreeSet::new());
    let manual = root().join("src/cli/help.rs");
    // In SVG and JSON Schema, an address is an identifier and not a link.
    let is_for_people = |path: &PathBuf| {
        !path
            .extension()
            .is_some_and(|end| ["svg", "json", "sarif"].iter().any(|name| end == *name))
    };
    for path in documents()
        .into_iter()
        .filter(is_for_people)
        .chain([manual])
    {
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        for address in web_addresses(&text).filter(|address| !is_placeholder(address)) {
            let context = format!("{}: {address}", path.display());
            if let Some(inside) = address.strip_prefix(repository) {
                own += 1;
                match inside
                    .trim_start_matches('/')
                    .splitn(3, '/')
                    .collect::<Vec<_>>()[..]
                {
                    [""] | ["releases" | "issues"] => {}
                    ["raw" | "blob", version, file] => {
                        assert_eq!(version, tag, "{context}");
                        assert!(root().join(file).exists(), "{context}");
                    }
                    ["releases", "download", _] => assert!(inside.contains(&tag), "{context}"),
                    _ => panic!("{context}: not an address of the repository that is known"),
                }
            } else if address != "https://docs.rs/tfview" {
                assert!(
                    listed.lines().any(|line| line == address),
                    "{context} is not in packaging/addresses"
                );
                others.insert(address.to_owned());
            }
        }
    }
    assert!(own >= 4, "{own}");
    assert_eq!(
        listed.lines().collect::<Vec<_>>(),
        Vec::from_iter(&others),
        "packaging/addresses"
    );
    let text = "see https://a.io/b#c, <http://d.io>, https://$x and https://example.com.";
    let addresses: Vec<_> = web_addresses(text)
        .filter(|address| !is_placeholder(address))
        .collect();
    assert_eq!(addresses, ["https://a.io/b#c", "http://d.io"]);
}

#[test]
fn every_script_is_valid_shell() {
    let mut checked = 0;
    for path in documents().into_iter().chain([root().join(".ci/run")]) {
        if path.extension().is_some_and(|end| end == "sh") || path.ends_with(".ci/run") {
            let output = Command::new("bash").arg("-n").arg(&path).output().unwrap();
            assert!(
                output.status.success(),
                "{}: {}",
                path.display(),
                text(&output.stderr)
            );
            assert_ne!(
                fs::metadata(&path).unwrap().permissions().mode() & 0o111,
                0,
                "{} cannot be executed",
                path.display()
            );
            checked += 1;
        }
    }
    assert!(checked >= 7, "{checked}");
}
