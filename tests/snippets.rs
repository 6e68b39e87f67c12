//! The commands in the blocks of code of README.md and docs/ work, run by a shell against fixtures.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

const PLAN: &str = r#"{"format_version":"1.2","terraform_version":"1.15.0","planned_values":{},"resource_changes":[RESOURCES]}"#;
const RESOURCE: &str = r#"{"address":"ADDRESS","module_address":"MODULE","mode":"managed","type":"TYPE","name":"NAME","provider_name":"registry.terraform.io/hashicorp/aws","change":{"actions":["update"],"before":{"id":"a","name":"old"},"after":{"id":"a","name":"new"},"after_unknown":{},"before_sensitive":{},"after_sensitive":{}}}"#;
const OBJECT: &str = r#"{"address":"ADDRESS","mode":"managed","type":"TYPE","name":"NAME","provider_name":"registry.terraform.io/hashicorp/aws","schema_version":0,"values":{"id":"a","name":"new"},"sensitive_values":{}}"#;
const STATE: &str = r#"{"format_version":"1.0","terraform_version":"1.15.0","values":{"root_module":{"resources":[RESOURCES]}}}"#;
const MESSAGE: &str = r#"{"@level":"info","@message":"ADDRESS: done","@module":"terraform.ui","@timestamp":"2026-01-01T00:00:00Z","type":"apply_complete","hook":{"resource":{"addr":"ADDRESS","module":"MODULE","resource":"ADDRESS","resource_type":"TYPE","resource_name":"NAME","resource_key":null},"action":"update","id_key":"id","id_value":"a","elapsed_seconds":1}}"#;
const SUMMARY: &str = r#"{"@level":"info","@message":"Apply complete!","@module":"terraform.ui","@timestamp":"2026-01-01T00:00:01Z","changes":{"add":0,"change":3,"remove":0,"import":0,"operation":"apply"},"type":"change_summary"}"#;
const STATE_FILE: &str = r#"{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"x","outputs":{},"resources":[]}"#;
const SCHEMAS: &str = r#"{"format_version":"1.0","provider_schemas":{"registry.terraform.io/hashicorp/aws":{
    "resource_schemas":{"aws_instance":{"version":1,"block":{"attributes":{"ami":{"type":"string","optional":true,"description":"The KMS key policy_arn."}},
        "block_types":{"root_block_device":{"nesting_mode":"list","block":{"attributes":{"size":{"type":"number","optional":true}}}}}}}},
    "data_source_schemas":{"aws_ami":{"version":0,"block":{"attributes":{"id":{"type":"string","computed":true}}}}},
    "functions":{"arn_parse":{"return_type":"string","parameters":[{"name":"arn","type":"string"}]}}}}}"#;
const SPECIFICATION: &str = r#"{"version":"0.1","provider":{"name":"shop"},"resources":[]}"#;

/// The stand-in for the tools, by what they write as JSON.
const TOOL: &str = r#"#!/bin/sh
case "$*" in
    *providers*) cat "$FILES/schemas.json" ;;
    *version*) echo '{"provider_selections":{}}' ;;
    *show*tfplan*) cat "$FILES/plan.json" ;;
    *show*) cat "$FILES/state.json" ;;
    *plan*-out=*) for word; do case "$word" in -out=*) echo x > "${word#-out=}" ;; esac; done
        echo '{"@level":"info","@message":"Terraform 1.15.0","type":"version","terraform":"1.15.0","ui":"1.2"}'
        echo '{"@level":"info","@message":"Plan: 0 to add, 3 to change, 0 to destroy.","type":"change_summary","changes":{"add":0,"change":3,"remove":0,"operation":"plan"}}' ;;
    *) cat "$FILES/apply.jsonl" ;;
esac"#;

/// The resources of the plan, of its messages and of its state.
const RESOURCES: [(&str, &str); 3] = [
    ("aws_db_instance.main", ""),
    ("module.net.aws_vpc.main", "module.net"),
    ("aws_s3_bucket.logs[\"eu\"]", ""),
];

/// A template for each resource.
fn resources(template: &str, separator: &str) -> String {
    let resource = |(address, module): (&str, &str)| {
        let kind = address
            .split('.')
            .find(|part| part.starts_with("aws_"))
            .unwrap();
        let name = if address.contains("logs") {
            "logs"
        } else {
            "main"
        };
        let address = address.replace('"', "\\\"");
        let text = template
            .replace("ADDRESS", &address)
            .replace("MODULE", module);
        text.replace("TYPE", kind).replace("NAME", name)
    };
    RESOURCES.map(resource).join(separator)
}

/// A directory with the files that the documents name, for the snippets of one document.
fn files(root: &Path, document: usize) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("snippets")
        .join(document.to_string());
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    let write = |name: &str, text: &[u8]| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let copy = |name: &str, from: &str| write(name, &fs::read(root.join(from)).unwrap());
    let plan = PLAN.replace("RESOURCES", &resources(RESOURCE, ","));
    for name in [
        "plan.json",
        "tfplan.json",
        "approved.json",
        "now.json",
        "plans/a/plan.json",
        "plans/b.json",
        "approved/a/plan.json",
        "live/a/plan.json",
        "showfiles/a/plan.json",
    ] {
        write(name, plan.as_bytes());
    }
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, plan.as_bytes()).unwrap();
    write("plan.json.gz", &packed.finish().unwrap());
    write("terraform.tfstate", STATE_FILE.as_bytes());
    for name in ["schemas.json", "old.json", "new.json"] {
        write(name, SCHEMAS.as_bytes());
    }
    for name in ["provider_code_spec.json", "spec/a.json"] {
        write(name, SPECIFICATION.as_bytes());
    }
    write("report.json", br#"[{"Name":"a","Result":"succeeded"}]"#);
    write("ci/tfview.toml", b"fail-on = [\"destroy\"]\n");
    for name in ["main.tf", "infra/live/main.tf"] {
        write(name, b"resource \"aws_db_instance\" \"main\" {\n}\n");
    }
    copy("tfplan", "fixtures/saved/big-1-opentofu/plan.tfplan");
    write(
        "state.json",
        STATE
            .replace("RESOURCES", &resources(OBJECT, ","))
            .as_bytes(),
    );
    for name in ["apply.jsonl", "logs/a.jsonl"] {
        write(
            name,
            format!("{}\n{SUMMARY}\n", resources(MESSAGE, "\n")).as_bytes(),
        );
    }
    for (name, from) in [
        ("checkov.json", "checkov-plan.json"),
        ("trivy.json", "trivy-plan.json"),
        ("tflint.sarif", "tflint.sarif"),
        ("semgrep.sarif", "semgrep.sarif"),
        ("conftest.json", "conftest.json"),
        ("infracost.json", "infracost.json"),
        ("messages.jsonl", "terraform-policies.jsonl"),
    ] {
        copy(name, &format!("fixtures/with/results/{from}"));
    }
    for tool in ["tofu", "terraform", "terragrunt"] {
        write(&format!("bin/{tool}"), TOOL.as_bytes());
        fs::set_permissions(
            folder.join("bin").join(tool),
            fs::Permissions::from_mode(0o755),
        )
        .unwrap();
    }
    // What the stand-in writes is apart, because a snippet may write a file of the same name meanwhile.
    fs::create_dir_all(folder.join("tool")).unwrap();
    for name in ["schemas.json", "plan.json", "state.json", "apply.jsonl"] {
        fs::copy(folder.join(name), folder.join("tool").join(name)).unwrap();
    }
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_tfview"), folder.join("bin/tfview")).unwrap();
    for directory in [
        "home/.local/share/bash-completion/completions",
        "home/.local/share/man",
    ] {
        fs::create_dir_all(folder.join(directory)).unwrap();
    }
    folder
}

/// The lines in blocks of code that start with tfview, or pipe into it.
fn commands(text: &str) -> Vec<&str> {
    let mut fenced = false;
    let lines = text.lines().filter(|line| {
        fenced ^= line.trim_start().starts_with("```");
        fenced || line.starts_with("    ")
    });
    let lines = lines.map(|line| line.trim().trim_start_matches("- "));
    lines
        .filter(|line| line.starts_with("tfview ") || line.contains("| tfview "))
        .collect()
}

/// Runs the snippets of a document, in a folder with its number. Returns their number, and those that fail.
fn run(root: &Path, index: usize, document: &Path) -> (usize, Vec<String>) {
    let (mut count, mut failed) = (0, Vec::new());
    let text = fs::read_to_string(document).unwrap();
    // Snippets write files, too.
    let folder = files(root, index);
    for line in commands(&text)
        .into_iter()
        .filter(|line| !line.starts_with("tfview = "))
    {
        count += 1;
        // Without an answer, `run` ends with the error of the tool.
        let output = Command::new("/bin/sh")
            .args(["-c", line])
            .current_dir(&folder)
            .env_clear()
            .env(
                "PATH",
                format!("{}:/usr/bin:/bin", folder.join("bin").display()),
            )
            .env("HOME", folder.join("home"))
            .env("FILES", folder.join("tool"))
            .env(
                "TFVIEW_SCHEMAS",
                if line.contains("tfview schema") {
                    "schemas.json"
                } else {
                    ""
                },
            )
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        let is_gate = output.status.code() == Some(3) && !line.contains("|| ");
        let asks = stderr.contains("error asking for approval: EOF");
        if !output.status.success() && !is_gate && !asks {
            let name = document.file_name().unwrap().display();
            failed.push(format!("{name}: {line}\n{stderr}"));
        }
    }
    (count, failed)
}

#[test]
fn every_snippet_of_the_documents_works() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut documents = vec![root.join("README.md")];
    documents.extend(
        fs::read_dir(root.join("docs"))
            .unwrap()
            .map(|entry| entry.unwrap().path()),
    );
    documents.retain(|path| path.extension().is_some_and(|end| end == "md"));
    let (mut count, mut failed) = (0, Vec::new());
    // Some snippets wait, so those of all documents run side by side.
    thread::scope(|scope| {
        let runs: Vec<_> = documents
            .iter()
            .enumerate()
            .map(|(index, document)| scope.spawn(move || run(root, index, document)))
            .collect();
        for run in runs {
            let (number, failures) = run.join().unwrap();
            count += number;
            failed.extend(failures);
        }
    });
    assert!(count > 60, "only {count} snippets were found");
    assert!(
        failed.is_empty(),
        "{} of {count}:\n{}",
        failed.len(),
        failed.join("\n")
    );
}
