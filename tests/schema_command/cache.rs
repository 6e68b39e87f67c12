//! `tfview schema add` caches schemas. Cached schemas are used like given ones, and a damaged cache never
//! fails a run.

use std::fs;
use std::path::{Path, PathBuf};

use super::{schema, schemas, with_cache};
use crate::cli::harness::{Output, tfview};

const PROVIDER: &str = "registry.terraform.io/example/shop";

/// A plan that creates an order. In the schema, `labels` is a map; without it, an object would be inferred.
fn plan(extra: &str) -> String {
    format!(
        r#"{{"format_version":"1.2","terraform_version":"1.15.0","resource_changes":[{{"address":"shop_order.a","mode":"managed","type":"shop_order","name":"a","provider_name":"{PROVIDER}","change":{{"actions":["create"],"before":null,"after":{{"customer":"c","labels":{{"a":"b"}},"line":[{{"sku":"s"}}]{extra}}},"after_unknown":{{"id":true,"line":[{{}}],"history":true}},"before_sensitive":false,"after_sensitive":{{"line":[{{}}]}}}}}}]}}"#
    )
}

/// Replaces the folder of a test.
fn without_folder(text: &str, files: &Path) -> String {
    text.replace(files.to_str().unwrap(), "[folder]")
}

fn folder_with_cache(name: &str) -> PathBuf {
    let files = schemas(name);
    let output = with_cache(schema("add schemas.json"), &files).output();
    assert_eq!(output.code, Some(0), "{output}");
    insta::allow_duplicates! {
        insta::assert_snapshot!(without_folder(&output.stderr, &files), @"added registry.terraform.io/example/shop: 2 resources, 1 data source, 1 function, 1 identity");
    }
    files
}

fn show(files: &Path, args: &str, plan: &str) -> Output {
    with_cache(tfview(&format!("show {args}")), files)
        .stdin(plan)
        .output()
}

/// The names of the stored files.
fn names(files: &Path) -> Vec<String> {
    let entries = fs::read_dir(files.join("data/tfview/schemas")).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

/// The only stored file.
fn file(files: &Path) -> PathBuf {
    let names = names(files);
    let name = &names[0];
    assert_eq!(names.len(), 1, "{names:?}");
    assert!(
        name.starts_with("registry.terraform.io-example-shop-") && name.ends_with(".schema"),
        "{name}"
    );
    files.join("data/tfview/schemas").join(name)
}

#[test]
fn cached_schema_has_the_effect_of_the_given_one() {
    let files = folder_with_cache("cache-exact");
    let exact = show(&files, "--schemas schemas.json", &plan(""));
    let cached = show(&files, "", &plan(""));
    assert_eq!(cached.stdout, exact.stdout);
    assert!(exact.stderr.is_empty(), "{exact}");
    insta::assert_snapshot!(cached.stderr, @"note: using the stored schema of registry.terraform.io/example/shop, added just now; --schemas none turns that off");
    for args in ["review", "stream --plan plan.json"] {
        fs::write(files.join("plan.json"), plan("")).unwrap();
        let stdin = if args == "review" {
            plan("")
        } else {
            MESSAGES.to_owned()
        };
        let run = |args: &str| with_cache(tfview(args), &files).stdin(&stdin).output();
        let (exact, cached) = (run(&format!("{args} --schemas schemas.json")), run(args));
        // Given schemas are part of a fingerprint, cached ones are not.
        let text = |stdout: &str| stdout.replace("fingerprint tfview-3p-", "fingerprint tfview-3-");
        assert_eq!(
            text(&cached.stdout),
            text(&exact.stdout),
            "{args}: {}",
            cached.stderr
        );
        assert_eq!(
            cached.stderr.matches("using the stored schema").count(),
            1,
            "{args}: {cached}"
        );
    }
}

/// A run that applies the plan.
const MESSAGES: &str = concat!(
    r#"{"@level":"info","@message":"Terraform 1.15.0","@module":"terraform.ui","@timestamp":"2026-01-01T00:00:00Z","terraform":"1.15.0","type":"version","ui":"1.2"}"#,
    "\n",
    r#"{"@level":"info","@message":"Apply complete","@module":"terraform.ui","@timestamp":"2026-01-01T00:00:00Z","changes":{"add":1,"change":0,"import":0,"remove":0,"operation":"apply"},"type":"change_summary"}"#,
    "\n"
);

#[test]
fn cached_schemas_can_be_turned_off_and_named_ones_are_preferred() {
    let files = folder_with_cache("cache-off");
    let without = show(&schemas("cache-none"), "", &plan(""));
    let off = show(&files, "--schemas none", &plan(""));
    assert_eq!(
        (&off.stdout, &off.stderr),
        (&without.stdout, &without.stderr)
    );
    let named = show(&files, "--schemas schemas.json", &plan(""));
    assert!(!named.stderr.contains("stored"), "{named}");
    let output = with_cache(schema("list --schemas none"), &files).output();
    assert_eq!(output.code, Some(1), "{output}");
}

#[test]
fn attributes_that_the_cached_schema_lacks_are_shown() {
    let files = folder_with_cache("cache-unknown");
    let output = show(
        &files,
        "",
        &plan(r#","new_thing":"here","line_more":[{"x":1}]"#),
    );
    assert_eq!(output.code, Some(0), "{output}");
    insta::assert_snapshot!(output.stdout);
}

#[test]
fn secrets_stay_hidden_with_a_cached_schema() {
    let files = folder_with_cache("cache-secrets");
    // Sensitive by the schema alone, by the marks of the plan alone, and by a name that the schema does not
    // have.
    let marked =
        plan(r#","secret_code":"S3CRET-a","customer":"S3CRET-b","api_password":"S3CRET-c""#)
            .replace(
                r#""after_sensitive":{"#,
                r#""after_sensitive":{"customer":true,"#,
            );
    for args in [
        "show",
        "review",
        "review --format json",
        "review --format markdown",
    ] {
        let output = with_cache(tfview(args), &files).stdin(&marked).output();
        assert_eq!(output.code, Some(0), "{output}");
        assert!(
            !output.stdout.contains("S3CRET") && !output.stderr.contains("S3CRET"),
            "{args}: {output}"
        );
    }
}

#[test]
fn damaged_cache_is_a_warning() {
    let files = folder_with_cache("cache-damaged");
    let stored = file(&files);
    let whole = fs::read(&stored).unwrap();
    let without = show(&files, "--schemas none", &plan("")).stdout;
    let line = whole.iter().position(|byte| *byte == b'\n').unwrap();
    let offset = whole
        .windows(8)
        .position(|part| part == b"customer")
        .unwrap();
    let mut flipped = whole.clone();
    flipped[offset] ^= 1;
    let mut other_version = whole.clone();
    other_version[23] = b'9';
    let mut warned = String::new();
    for (what, bytes) in [
        ("empty", Vec::new()),
        ("cut in the first line", whole[..line / 2].to_vec()),
        ("cut in the schemas", whole[..line + 20].to_vec()),
        ("one bit", flipped),
        ("another version", other_version),
        ("binary", vec![0xff; 100]),
        ("not ours", b"{}\n{}".to_vec()),
    ] {
        fs::write(&stored, &bytes).unwrap();
        let output = show(&files, "", &plan(""));
        assert_eq!(output.code, Some(0), "{what}: {output}");
        assert_eq!(output.stdout, without, "{what}");
        let warning = output.stderr.replace(stored.to_str().unwrap(), "[stored]");
        warned += &format!("{what}: {warning}");
    }
    insta::assert_snapshot!(warned);
    fs::remove_file(&stored).unwrap();
    fs::create_dir(&stored).unwrap();
    let output = show(&files, "", &plan(""));
    assert_eq!((output.code, output.stdout), (Some(0), without));
}

#[test]
fn list_show_and_search_read_the_cache() {
    let files = folder_with_cache("cache-list");
    for args in ["list", "show shop_order", "search order"] {
        let run = |args: &str| with_cache(schema(args), &files).output().stdout;
        assert_eq!(
            run(args),
            run(&format!("{args} --schemas schemas.json")),
            "{args}"
        );
    }
}

#[test]
fn specification_can_be_cached() {
    let spec = r#"{"version":"0.1","provider":{"name":"shop","schema":{"attributes":[{"name":"token","string":{"optional_required":"required"}}]}},"resources":[{"name":"order","schema":{"attributes":[{"name":"labels","map":{"computed_optional_required":"optional","element_type":{"string":{}}}},{"name":"customer","string":{"computed_optional_required":"required"}}],"blocks":[{"name":"line","list_nested":{"nested_object":{"attributes":[{"name":"sku","string":{"computed_optional_required":"required"}}]}}}]}}]}"#;
    let files = schemas("cache-spec");
    fs::write(files.join("spec.json"), spec).unwrap();
    assert_eq!(
        with_cache(schema("add spec.json"), &files).output().code,
        Some(0)
    );
    let run = |args: &str| with_cache(schema(args), &files).output().stdout;
    assert_eq!(
        run("show shop_order provider.shop"),
        run("show shop_order provider.shop --schemas spec.json")
    );
    let shown = show(&files, "", &plan(""));
    insta::assert_snapshot!(shown.stdout);
}

#[test]
fn invalid_file_is_not_cached() {
    let files = schemas("cache-refused");
    let broken = super::SCHEMAS.replace("\"nesting_mode\":\"list\"", "\"nesting_mode\":\"heap\"");
    fs::write(files.join("broken.json"), broken).unwrap();
    let output = with_cache(schema("add schemas.json broken.json"), &files).output();
    // What is sensitive is the union of both files, so that both are read.
    assert_eq!(output.code, Some(1), "{output}");
    insta::assert_snapshot!(output.stderr, @r#"error: cannot read the schemas: registry.terraform.io/example/shop.resource_schemas.shop_order.block.block_types.line.nesting_mode: unknown nesting mode "heap""#);
    assert!(!files.join("data").exists());
    let output = with_cache(schema("add broken.json"), &files).output();
    assert_eq!(output.code, Some(1), "{output}");
    insta::assert_snapshot!(output.stderr, @r#"error: cannot read the schemas: registry.terraform.io/example/shop.resource_schemas.shop_order.block.block_types.line.nesting_mode: unknown nesting mode "heap""#);
    assert!(!files.join("data").exists());
    let output = with_cache(schema("add"), &files).output();
    insta::assert_snapshot!(output.stderr, @r"
    error: there is no configuration in this folder
      tip: name files that `providers schema -json` wrote
    ");
}

#[test]
fn provider_name_cannot_leave_the_cache_folder() {
    let files = schemas("cache-name");
    let evil = super::SCHEMAS.replace(PROVIDER, "../../../evil\\u0000\\\\x");
    fs::write(files.join("evil.json"), evil).unwrap();
    assert_eq!(
        with_cache(schema("add evil.json"), &files).output().code,
        Some(0)
    );
    let [name] = &*names(&files) else {
        panic!("{:?}", names(&files))
    };
    insta::assert_snapshot!(name, @"-..-..-evil--x-8f37fe6aedfa585086827052ddf8eb5e.schema");
    assert_eq!(fs::read_dir(files.join("data/tfview")).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_the_cache() {
    use std::os::unix::fs::PermissionsExt;
    let files = folder_with_cache("cache-mode");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&file(&files)), 0o600);
    assert_eq!(mode(&files.join("data/tfview/schemas")), 0o700);
    assert_eq!(
        fs::read_dir(files.join("data/tfview/schemas"))
            .unwrap()
            .count(),
        1,
        "no temporary file is left"
    );
}

#[cfg(unix)]
#[test]
fn add_asks_the_tool_in_a_folder_with_a_configuration() {
    use std::os::unix::fs::PermissionsExt;
    let files = schemas("cache-tool");
    fs::write(files.join("main.tf"), "").unwrap();
    let tool = files.join("tofu");
    let script = format!(
        "#!/bin/sh\ncase $1 in\nproviders) /bin/cat schemas.json ;;\nversion) echo '{{\"provider_selections\":{{\"{PROVIDER}\":\"3.1.4\"}}}}' ;;\nesac\n"
    );
    fs::write(&tool, script).unwrap();
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    let output = with_cache(schema("add"), &files)
        .variable("TFVIEW_TOOL", &tool)
        .output();
    assert_eq!(output.code, Some(0), "{output}");
    let shown = show(&files, "", &plan(""));
    insta::assert_snapshot!(shown.stderr, @"note: using the stored schema of registry.terraform.io/example/shop 3.1.4, added just now; --schemas none turns that off");
    fs::write(
        &tool,
        "#!/bin/sh\nprintf 'no \\033[2J plugins' >&2; exit 1\n",
    )
    .unwrap();
    let output = with_cache(schema("add"), &files)
        .variable("TFVIEW_TOOL", &tool)
        .output();
    assert_eq!(output.code, Some(1), "{output}");
    insta::assert_snapshot!(without_folder(&output.stderr, &files), @r"
    note: running `[folder]/tofu providers schema -json`
    error: `[folder]/tofu providers schema -json` failed (exit status: 1): no ␛[2J plugins
      tip: `[folder]/tofu init` installs the providers
    ");
}
