//! Filters, formats and gates work alone and combined; gates ignore filters.

use tfview::internals::review::Options;
use tfview::internals::review::gate::Gate;

use super::{golden, options, terminal, terminal_of, with_review};
use crate::cli::harness::tfview;

#[test]
fn gates_consider_filtered_changes() {
    let text = golden("force-new-values-terraform");
    let mut options = options();
    options.filter.exclude = vec!["*".to_owned()];
    with_review(&text, &options, |review| {
        insta::assert_snapshot!(terminal_of(review, &options).0, @r"
        WARNING  2 to replace, 1 to change. Terraform 1.17.0-dev, planned at 2026-11-21T02:36:59Z.
        (3 entries hidden: leave out --exclude to see all)
        ");
        let mut messages = String::new();
        for (word, violated) in [
            ("destroy", true),
            ("replace", true),
            ("delete", false),
            ("update", true),
            ("drift", false),
        ] {
            let gate = Gate::from_word(word).unwrap();
            let hits = gate.hits(review);
            assert_eq!(!hits.is_empty(), violated, "{word}");
            if violated {
                messages += &format!("{}\n", gate.message(word, &hits));
            }
        }
        insta::assert_snapshot!(messages, @r"
        destroy: 2 objects are destroyed, replacements included: shapes_fn.f, shapes_fn.g
        replace: 2 to replace: shapes_fn.f, shapes_fn.g
        update: 1 to change: shapes_src.s
        ");
    });
}

#[test]
fn options_combine() {
    let text = golden("complex-resource-terraform");
    let mut shown = String::new();
    for (name, list, tree, depth, ignored) in [
        ("plain", false, false, None, None),
        ("list", true, false, None, None),
        ("tree and depth", false, true, Some(2), None),
        ("ignored", false, false, None, Some("list*")),
    ] {
        let mut options = Options {
            list,
            tree,
            depth,
            ..options()
        };
        options.filter.ignored = ignored.into_iter().map(str::to_owned).collect();
        shown.push_str(&format!("== {name}\n{}", terminal(&text, &options)));
    }
    insta::assert_snapshot!(shown);
}

/// Filters × formats × gates over several plans: files, and one plan on each line.
#[test]
fn options_combine_on_the_command_line() {
    let root = env!("CARGO_MANIFEST_DIR");
    let line = |case: &str| {
        let plan: serde_json::Value = serde_json::from_str(&golden(case)).unwrap();
        plan.to_string()
    };
    let lines = [
        line("force-new-values-terraform"),
        line("moved-plain-terraform"),
        line("drift-update-terraform"),
    ];
    let lines = lines.join("\n");
    let files =
        "fixtures/review/for-each-48/plan.json fixtures/goldens/deferred-terraform/plan.json";
    let mut shown = String::new();
    for args in [
        "review --only destroy,replace --list --fail-on destroy",
        "review --only move --format markdown --fail-on replace,drift",
        "review --exclude *replace* --tree --depth 1 --fail-on delete",
        "review --type tfcoremock_* --ignore-attr * --list",
        "review --only update --format json --fail-on any",
        "review --format gitlab-report --only create --detailed-exitcode",
        "review --format markdown --max-bytes 2048 --context 0",
        "review --include *[\"api\"] --context all FILES",
        "review --list --fail-on deferred --include *ledger* FILES",
        "review --format markdown --list --tree --max-bytes bitbucket --exclude *[\"*\"] FILES",
        "review --format gitlab-report --fail-on update,create FILES",
        "review 'fixtures/review/*-*/plan.json' --list --exclude *log_group* --fail-on update",
    ] {
        let typed = args.replace("FILES", files).replace('\'', "");
        let output = tfview(&typed)
            .folder(std::path::Path::new(root))
            .stdin(lines.clone())
            .output();
        shown.push_str(&format!("\n$ tfview {args}\n{output}\n"));
    }
    // The snapshot must not depend on the version.
    let version = concat!("\"tfview_version\":\"", env!("CARGO_PKG_VERSION"), "\"");
    let shown = shown.replace(version, "\"tfview_version\":\"[version]\"");
    let shown = crate::cli::harness::without_identity(&shown);
    insta::assert_snapshot!(shown);
}
