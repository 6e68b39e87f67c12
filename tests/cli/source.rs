//! `--source` adds the file and line of each resource, links them only on request, and reads nothing outside
//! of the folder.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::harness::{Output, folder, tfview, without_identity};
use crate::plan::{Change, PlanBuilder};

fn plan() -> String {
    let [before, after] = [1, 2].map(|n| json!({ "n": n }));
    let update = |address: &str| Change::updated(address, &before, &after);
    let replace = |address: &str| Change::replaced(address, &before, &after);
    PlanBuilder::of([
        update("aws_vpc.main"),
        Change::new("data.aws_ami.it", &["read"], &before, &after),
        update("aws_vpc.gone"),
        replace("module.net[0].aws_subnet.a"),
        update("module.net[0].module.deep.aws_eip.e"),
        replace("module.far.aws_s3_bucket.b"),
        replace("module.absent.aws_sqs_queue.q"),
        update("module.out.aws_sns_topic.t"),
    ])
    .json()
}

/// A repository with a root module in `infra/live 1`, a name that must be encoded in links.
fn repository(name: &str) -> PathBuf {
    let main = "# main\nresource \"aws_vpc\" \"main\" {\n}\ndata \"aws_ami\" \"it\" {}\n\nmodule \"net\" {\n  count = 1\n  source = \"./net\"\n}\n\
                module \"far\" {\n  source = \"x/far/aws\"\n}\nmodule \"absent\" {\n  source = \"git::https://example.com/x\"\n}\nmodule \"out\" {\n  source = \"../outside\"\n}\n";
    let root = folder(name, &[("plan.json", plan().as_bytes())]);
    // Remove the files of an earlier run.
    let _: std::io::Result<()> = fs::remove_dir_all(root.join("infra"));
    let write = |file: &str, text: &str| {
        let path = root.join("infra/live 1").join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("main.tf", main);
    write("override.tf", "resource \"aws_vpc\" \"main\" {}");
    write(
        "net/a.tofu",
        "resource \"aws_subnet\" \"a\" {}\nmodule \"deep\" {\n  source = \"../net/deep\"\n}\n",
    );
    write("net/a.tf", "\n\n\nresource \"aws_subnet\" \"a\" {}");
    write("net/deep/b.tf", "\nresource \"aws_eip\" \"e\" {}");
    write("../outside/c.tf", "resource \"aws_sns_topic\" \"t\" {}");
    write(
        ".terraform/modules/far/d.tf",
        "\n\nresource \"aws_s3_bucket\" \"b\" {}",
    );
    write(
        ".terraform/modules/modules.json",
        r#"{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"far","Source":"x/far/aws","Dir":".terraform/modules/far"},{"Key":"absent","Source":"","Dir":"../outside"}]}"#,
    );
    root
}

fn review(root: &Path, args: &str) -> Output {
    tfview(&format!("review plan.json {args} --source"))
        .argument("infra/live 1")
        .folder(root)
        .output()
}

#[test]
fn each_resource_has_its_file_and_line() {
    let root = repository("source-lines");
    let output = review(&root, "--format json");
    crate::json_schema::validate("review", &output.stdout, "a review with places");
    let json: Value = serde_json::from_str(&output.stdout).unwrap();
    let entries = json["plans"][0]["resources"].as_array().unwrap();
    let source_of = |entry: &Value| {
        let source = &entry["source"];
        let [file, block] = ["file", "block"].map(|name| source[name].as_str().unwrap_or("none"));
        format!("{file}:{} {block}", source["line"])
    };
    assert_eq!(
        entries.iter().map(source_of).collect::<Vec<_>>(),
        [
            "infra/live 1/main.tf:2 resource",
            "infra/live 1/main.tf:4 resource",
            "none:null none",
            "infra/live 1/net/a.tofu:1 resource",
            "infra/live 1/net/deep/b.tf:2 resource",
            "infra/live 1/.terraform/modules/far/d.tf:3 resource",
            "infra/live 1/main.tf:13 module",
            "infra/live 1/main.tf:16 module",
        ]
    );
}

#[test]
fn locations_are_linked_only_with_a_url() {
    let root = repository("source-texts");
    let text = review(&root, "--color always");
    insta::assert_snapshot!(text.stdout);
    assert!(!text.stdout.contains("\u{1b}]8"), "{text}");
    let list = review(&root, "--list");
    insta::assert_snapshot!(list.stdout);
    let markdown = review(
        &root,
        "--format markdown --source-url https://example.com/blob/main/",
    );
    insta::assert_snapshot!(without_identity(&markdown.stdout));
    let markdown = review(&root, "--format markdown");
    insta::assert_snapshot!(without_identity(&markdown.stdout));
    let page = review(
        &root,
        "--format html --source-url https://example.com/blob/main/",
    );
    let places = |page: &Output| -> String {
        let lines = page.stdout.lines();
        let lines = lines.filter(|line| line.contains(".tf:") || line.contains(".tofu:"));
        lines.map(|line| format!("{line}\n")).collect()
    };
    insta::assert_snapshot!(places(&page), @r#"
    <li><a href="https://example.com/blob/main/infra/live%201/.terraform/modules/far/d.tf#L3"><code>infra/live 1/.terraform/modules/far/d.tf:3</code></a></li></ul>
    <li><a href="https://example.com/blob/main/infra/live%201/main.tf#L13"><code>infra/live 1/main.tf:13</code></a></li></ul>
    <li><a href="https://example.com/blob/main/infra/live%201/net/a.tofu#L1"><code>infra/live 1/net/a.tofu:1</code></a></li></ul>
    <li><a href="https://example.com/blob/main/infra/live%201/main.tf#L2"><code>infra/live 1/main.tf:2</code></a></li></ul>
    <li><a href="https://example.com/blob/main/infra/live%201/main.tf#L2"><code>infra/live 1/main.tf:2</code></a></li></ul>
    <li><a href="https://example.com/blob/main/infra/live%201/main.tf#L4"><code>infra/live 1/main.tf:4</code></a></li></ul>
    <li><a href="https://example.com/blob/main/infra/live%201/net/deep/b.tf#L2"><code>infra/live 1/net/deep/b.tf:2</code></a></li></ul>
    <li><a href="https://example.com/blob/main/infra/live%201/main.tf#L16"><code>infra/live 1/main.tf:16</code></a></li></ul>
    "#);
    let page = review(&root, "--format html");
    insta::assert_snapshot!(places(&page), @r"
    <li><code>infra/live 1/.terraform/modules/far/d.tf:3</code></li></ul>
    <li><code>infra/live 1/main.tf:13</code></li></ul>
    <li><code>infra/live 1/net/a.tofu:1</code></li></ul>
    <li><code>infra/live 1/main.tf:2</code></li></ul>
    <li><code>infra/live 1/main.tf:2</code></li></ul>
    <li><code>infra/live 1/main.tf:4</code></li></ul>
    <li><code>infra/live 1/net/deep/b.tf:2</code></li></ul>
    <li><code>infra/live 1/main.tf:16</code></li></ul>
    ");
    for url in ["javascript:alert(1)", "https://x/) [a](b", "x"] {
        let output = tfview("review --source . --source-url")
            .argument(url)
            .folder(&root)
            .output();
        assert_eq!(output.code, Some(1), "{output}");
    }
}

#[test]
fn ci_systems_get_annotations_on_lines_of_the_project() {
    let root = repository("source-ci");
    let output = review(&root, "--ci github");
    let notes: Vec<&str> = output
        .stderr
        .lines()
        .filter(|line| line.starts_with("::warning"))
        .collect();
    // The bucket is in a downloaded module, so its annotation is on the call of the module.
    insta::assert_snapshot!(notes.join("\n"), @"
    ::warning file=infra/live 1/main.tf,line=10,col=1,title=module.far.aws_s3_bucket.b is replaced::critical data-loss: bucket replaced: the old one is destroyed%0Athe plan does not say why
    ::warning file=infra/live 1/main.tf,line=13,col=1,title=module.absent.aws_sqs_queue.q is replaced::warning data-loss: queue replaced: the old one is destroyed%0Athe plan does not say why
    ::warning file=infra/live 1/net/a.tofu,line=1,col=1,title=module.net[0].aws_subnet.a is replaced::the plan does not say why
    ");
}

#[cfg(unix)]
#[test]
fn symbolic_links_out_of_the_folder_are_not_followed() {
    let root = repository("source-symlinks");
    let live = root.join("infra/live 1");
    fs::remove_file(live.join("main.tf")).unwrap();
    fs::write(root.join("secret.tf"), "resource \"aws_vpc\" \"main\" {}").unwrap();
    std::os::unix::fs::symlink(root.join("secret.tf"), live.join("main.tf")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", live.join("zero.tf")).unwrap();
    let output = review(&root, "--format json");
    assert!(
        output.code == Some(0) && !output.stdout.contains("\"source\""),
        "{output}"
    );
}

#[test]
fn hostile_file_names_are_escaped_and_a_missing_folder_is_an_error() {
    let root = repository("source-hostile");
    let live = root.join("infra/live 1");
    fs::remove_file(live.join("main.tf")).unwrap();
    if cfg!(unix) {
        fs::write(
            live.join("a\u{1b}]8;;x\u{7}\n::error::x.tf"),
            "resource \"aws_vpc\" \"main\" {}",
        )
        .unwrap();
    }
    for args in [
        "--ci github",
        "--format markdown --source-url https://x.example",
        "--format html --source-url https://x.example",
        "--format json",
        "--color always --ci none",
    ] {
        let output = review(&root, args);
        let shown = format!("{output}");
        assert!(
            !shown.contains("\u{1b}]") && !shown.contains('\u{7}'),
            "{output}"
        );
        assert!(
            shown.lines().all(|line| !line.starts_with("::error::x")),
            "{output}"
        );
    }
    let output = tfview("review plan.json --source nowhere")
        .folder(&root)
        .output();
    assert_eq!(output.code, Some(1), "{output}");
    insta::assert_snapshot!(output.stderr, @"error: cannot read the configuration in nowhere: No such file or directory");
}

#[cfg(unix)]
#[test]
fn a_terminal_gets_links_to_the_files() {
    let root = repository("source-links");
    let arguments = [
        "review",
        "plan.json",
        "--pager",
        "never",
        "--source",
        "infra/live 1",
    ];
    let mut terminal = crate::pty::OnTerminal::start(&arguments, &root, &[]);
    terminal.wait_for("\u{1b}]8;;file:///");
    terminal.wait_for("/source-links/infra/live%201/");
    terminal.wait_for("\u{1b}]8;;\u{1b}\\");
}
