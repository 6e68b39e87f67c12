//! Thirty plans of `fixtures/approvals/plans/`, as an approver meets them, each with what must be told and what must not
//! (`expected.toml`). The text of each review is a snapshot. (The fourteen others, `n…`, and what each head must say are
//! checked by `tests/tools/approver.py` on `expect.json`.) A name begins with the number of its plan.
//!
//! | what an approver once missed, or was told wrongly | protected by |
//! |---|---|
//! | a password in a connection string, no finding and printed | `p18_azure_app` |
//! | authentication removed from a route | `p06_apigw_openapi` |
//! | a rate limit raised, an allow rule put first; a rule that moves and opens a database | `p16_waf_reorder`, `p17_azure_aks_nsg` |
//! | switches inside of documents, `set` blocks and annotations | `p11_eks_addons`, `p23_helm_bumps`, `p21_k8s_apps` |
//! | settings in lines of keys and values | `p08_opensearch_msk` |
//! | an output that stops being sensitive, a private key in a plain parameter | `p34_secrets_rotate` |
//! | backtrack to 0, a class that changes now, three nodes to one | `p10_aurora_redis` |
//! | a stranger in a role, a binding that drops whoever is not listed | `p19_gcp_iam` |
//! | types without rules, switches that no rule covers | `p26_data_platform`, `p15_alerting` |
//! | a database port that is open to a public network | `p18_azure_app`, `p01_vpc_peering` |
//! | a deny compared with another statement | `p13_iam_boundary_scp` |
//! | a deny that is switched on, told as removed | `p24_cloudflare`, `p24_cloudflare_with_its_sides_exchanged` |
//! | backups and addresses that go as downtime; counts of what moves | `p23_helm_bumps`, `p27_module_upgrade` |
//! | one cause three times, and a value that has another source | `p35_replace_chain` |
//! | an alias that follows its target, a named action, and destroyed objects of a stack, all too grave | `p35_replace_chain`, `p05_lambda_sfn`, `p33_destroy_stack` |
//! | colours and remarks at the wrong line | `p35_replace_chain`, `p04_kms_s3`, `p21_k8s_apps` |
//! | the gravest edit last | `p07_dynamodb_gsi`, `p19_gcp_iam`, `p06_apigw_openapi`, `p04_kms_s3`, `p10_aurora_redis`, `p18_azure_app` |
//! | a finding told several times, one place under two names | all (`said_twice`); `p04_kms_s3`, `p23_helm_bumps`, `p16_waf_reorder` |
//! | equal entries apart because an old computed value differs | `p05_lambda_sfn` |
//! | equal objects apart, and the outlier among them | `apart` of `p01_vpc_peering`, `p05_lambda_sfn`, `p14_sso_permsets`; `p19_gcp_iam`, `p30_import_50`, `p33_destroy_stack`, `p36_count_to_foreach` |
//! | one document twice, moves line by line | `p22_kubectl_crds`, `p27_module_upgrade`, `p36_count_to_foreach` |
//! | lines that only say "known after apply", empty members, new numbers | all (`only_computed`); `p35_replace_chain`, `p30_import_50`, `p11_eks_addons`, `p15_alerting`, `p16_waf_reorder`, `p07_dynamodb_gsi` |
//! | lines that do not fit | all (`too_wide`) |
//! | summaries of what does not matter, numbers instead of names | the snapshots of `p01_vpc_peering`, `p14_sso_permsets`, `p33_destroy_stack`, `p26_data_platform`, `p18_azure_app` |
//! | a comment that lists attributes by their alphabet | `comments_name_what_matters_first` |
//! | a remark about the layout below each review, variables in the head | the snapshots; `p01_vpc_peering` |

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::cli::harness::{folder, tfview, without_identity};

const WIDTH: usize = 100;
/// Two days after the plans were made.
const NOW: &str = "1795694400";

/// What the review of a plan must say.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    /// What an approver who reads the whole plan decides, and why.
    #[serde(rename = "verdict")]
    _verdict: String,
    /// The lowest and the highest level that the plan may have.
    level: (Level, Level),
    /// The review was never longer than this, and need not become so.
    most_lines: usize,
    /// The first entry of the text is about one of these.
    #[serde(default)]
    first: Vec<String>,
    /// Objects that are not hidden among others that look alike.
    #[serde(default)]
    apart: Vec<String>,
    /// What no text may show.
    #[serde(default)]
    text_not: Vec<String>,
    /// What the author configures, and nobody knows before the apply.
    #[serde(default)]
    computed: Vec<String>,
    /// Findings that must be there.
    #[serde(default)]
    told: Vec<Told>,
    /// Findings that would be good to have.
    #[serde(default)]
    should: Vec<Told>,
    /// Findings that would be false.
    #[serde(default)]
    never: Vec<Told>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
enum Level {
    None,
    Notice,
    Warning,
    Critical,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    /// One of these.
    kinds: Vec<String>,
    /// A part of its address.
    #[serde(default)]
    address: String,
    /// A part of its text, path or rule, in any case.
    #[serde(default)]
    part: String,
    /// Whether it is known not to be there. (Only in `should`.)
    #[serde(default)]
    is_missing: bool,
}

/// A finding in the JSON of a review.
#[derive(Debug, Deserialize)]
struct Finding {
    kind: String,
    address: Option<String>,
    #[serde(default)]
    addresses: Vec<String>,
    text: String,
    path: Value,
    rule: Value,
}

#[derive(Debug, Deserialize)]
struct Resource {
    address: String,
}

#[derive(Debug, Deserialize)]
struct Plan {
    level: Level,
    findings: Vec<Finding>,
    resources: Vec<Resource>,
}

#[derive(Debug, Deserialize)]
struct Document {
    plans: Vec<Plan>,
}

/// A plan in all formats that an approver reads.
struct Reviewed {
    plan: Plan,
    text: String,
    comment: String,
    page: String,
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/approvals")
}

fn expectations() -> BTreeMap<String, Expected> {
    let text = fs::read_to_string(fixtures().join("expected.toml")).unwrap();
    toml::from_str(&text).unwrap()
}

fn review(name: &str, plan: &str) -> Reviewed {
    let folder = folder(
        &format!("approvals-{name}"),
        &[("plan.json", plan.as_bytes())],
    );
    let output = tfview("review --no-config --ci none --width 100 --out json=review.json --out markdown=review.md --out html=review.html plan.json")
        .folder(&folder)
        .variable("SOURCE_DATE_EPOCH", NOW)
        .output();
    assert_eq!(output.code, Some(0), "{output}");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let mut document: Document = serde_json::from_str(&read("review.json")).unwrap();
    Reviewed {
        plan: document.plans.remove(0),
        text: output.stdout,
        comment: read("review.md"),
        page: read("review.html"),
    }
}

impl Told {
    fn is(&self, finding: &Finding) -> bool {
        let mut addresses = finding.address.iter().chain(&finding.addresses);
        let said = format!("{} {} {}", finding.text, finding.path, finding.rule);
        self.kinds.contains(&finding.kind)
            && addresses.any(|address| address.contains(&self.address))
            && said.to_lowercase().contains(&self.part.to_lowercase())
    }

    fn is_among(&self, findings: &[Finding]) -> bool {
        findings.iter().any(|finding| self.is(finding))
    }
}

/// What a line has behind the level and the sign of an entry: its address and the rest.
fn title(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    if let Some((mark, after)) = rest.split_once(' ')
        && ["!!", "!", "·"].contains(&mark)
        && starts_with_sign(after.trim_start())
    {
        rest = after.trim_start();
    }
    if !starts_with_sign(rest) {
        return None;
    }
    let (_, rest) = rest.split_once(' ')?;
    let rest = rest.trim_start();
    let rest = match rest.split_once(" × ") {
        Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        Some(_) | None => rest,
    };
    rest.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        .then_some(rest)
}

fn starts_with_sign(text: &str) -> bool {
    const SIGNS: [&str; 10] = ["-/+", "+/-", "<=", "~", "+", "-", ".", ">", "…", "!"];
    let sign = text.split(' ').next().unwrap_or_default();
    SIGNS.contains(&sign)
}

/// An address without its keys.
fn without_keys(address: &str) -> String {
    let mut parts = address.split('[');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |stem, part| {
        stem + part.split_once(']').map_or("", |(_, rest)| rest)
    })
}

/// The last key of an address.
fn key(address: &str) -> Option<&str> {
    let (_, key) = address.rsplit_once('[')?;
    Some(key.split(']').next()?.trim_matches('"'))
}

/// Whether a line has a text that is not a part of a longer name.
fn has_name(line: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    line.match_indices(name).any(|(start, _)| {
        !line[..start].ends_with(is_part) && !line[start + name.len()..].starts_with(is_part)
    })
}

/// Whether a line is about this object alone, before those that join several objects which differ from it only in their
/// keys.
fn is_apart(address: &str, plan: &Plan, text: &str) -> bool {
    let own_key = key(address).unwrap_or(address);
    let stem = without_keys(address);
    let others: BTreeSet<&str> = plan
        .resources
        .iter()
        .map(|resource| resource.address.as_str())
        .filter(|other| *other != address && without_keys(other) == stem)
        .filter_map(key)
        .collect();
    let number = |line: &str| others.iter().filter(|other| has_name(line, other)).count();
    let index = text
        .lines()
        .position(|line| line.contains(own_key) && number(line) == 0);
    index.is_some_and(|index| text.lines().take(index).all(|line| number(line) <= 1))
}

/// Texts of findings that the review says more than once.
fn said_twice(reviewed: &Reviewed) -> Vec<&str> {
    // The head says the gravest findings in words (docs/meaning.md); below it, each is said once.
    let (_, entries) = reviewed.text.split_once("\n\n").unwrap_or_default();
    let words: Vec<&str> = entries.split_whitespace().collect();
    let text = words.join(" ");
    let texts = reviewed
        .plan
        .findings
        .iter()
        .map(|finding| finding.text.as_str());
    texts
        .filter(|said| said.len() > 12 && text.matches(said).count() > 1)
        .collect()
}

/// Lines that say of one attribute nothing but that its value is known after apply.
fn only_computed(text: &str) -> Vec<&str> {
    let is_computed = |line: &&str| {
        let line = line.trim_start().trim_start_matches(['~', '+', ' ']);
        let Some(edit) = line.strip_suffix("(known after apply)") else {
            return false;
        };
        let words: Vec<&str> = edit.split_whitespace().collect();
        matches!(words[..], [path, "=" | "->"] | [path, _, "->"] if path.starts_with(char::is_alphabetic))
    };
    text.lines().filter(is_computed).collect()
}

fn too_wide(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| line.chars().count() > WIDTH)
        .collect()
}

/// What is wrong with a review.
fn faults(expected: &Expected, reviewed: &Reviewed) -> Vec<String> {
    let Reviewed {
        plan,
        text,
        comment,
        page,
    } = reviewed;
    let mut faults = Vec::new();
    let mut fault = |is_fault: bool, text: String| {
        if is_fault {
            faults.push(text);
        }
    };
    let (lowest, highest) = expected.level;
    let level = plan.level;
    fault(
        level < lowest || highest < level,
        format!("the level is {level:?}"),
    );
    for statement in &expected.told {
        fault(
            !statement.is_among(&plan.findings),
            format!("not told: {statement:?}"),
        );
    }
    for statement in &expected.should {
        let is_missing = !statement.is_among(&plan.findings);
        fault(
            is_missing != statement.is_missing,
            format!("known to be missing, or not told: {statement:?}"),
        );
    }
    for statement in &expected.never {
        fault(
            statement.is_among(&plan.findings),
            format!("false: {statement:?}"),
        );
    }
    let first = text.lines().find_map(title).unwrap_or_default();
    let is_first = |address: &String| {
        first.contains(address.as_str())
            || first.split(['[', ' ', ',']).next() == address.split('[').next()
    };
    fault(
        !expected.first.is_empty() && !expected.first.iter().any(is_first),
        format!("the first entry is {first}"),
    );
    for address in &expected.apart {
        fault(
            !is_apart(address, plan, text),
            format!("not told apart: {address}"),
        );
    }
    for hidden in &expected.text_not {
        for (name, output) in [("text", text), ("comment", comment), ("page", page)] {
            fault(
                output.contains(hidden),
                format!("the {name} shows {hidden}"),
            );
        }
    }
    for line in too_wide(text) {
        fault(true, format!("too wide: {line}"));
    }
    for said in said_twice(reviewed) {
        fault(true, format!("said twice: {said}"));
    }
    for line in only_computed(text) {
        let is_meant = expected.computed.iter().any(|path| line.contains(path));
        fault(!is_meant, format!("only computed: {line}"));
    }
    let lines = text.lines().count();
    fault(
        lines > expected.most_lines,
        format!("{lines} lines, not {}", expected.most_lines),
    );
    faults
}

fn assert_approvable(name: &str) {
    let expected = expectations().remove(name).unwrap();
    let reviewed = review(name, &plan(name));
    let faults = faults(&expected, &reviewed);
    assert!(
        faults.is_empty(),
        "{name}:\n{}\n\n{}",
        faults.join("\n"),
        reviewed.text
    );
    insta::assert_snapshot!(name, without_identity(&reviewed.text));
}

fn plan(name: &str) -> String {
    fs::read_to_string(fixtures().join(format!("plans/{name}.json"))).unwrap()
}

/// A test for each plan, and the list of their names.
macro_rules! approvals {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                assert_approvable(stringify!($name));
            }
        )*

        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

approvals! {
    p01_vpc_peering
    p04_kms_s3
    p05_lambda_sfn
    p06_apigw_openapi
    p07_dynamodb_gsi
    p08_opensearch_msk
    p10_aurora_redis
    p11_eks_addons
    p13_iam_boundary_scp
    p14_sso_permsets
    p15_alerting
    p16_waf_reorder
    p17_azure_aks_nsg
    p18_azure_app
    p19_gcp_iam
    p21_k8s_apps
    p22_kubectl_crds
    p23_helm_bumps
    p24_cloudflare
    p26_data_platform
    p27_module_upgrade
    p28_provider_noise
    p29_default_tags_300
    p30_import_50
    p33_destroy_stack
    p34_secrets_rotate
    p35_replace_chain
    p36_count_to_foreach
    p37_foreach_200
    p39_errored_target
}

#[test]
fn each_plan_has_a_test_and_what_is_expected() {
    let tests: BTreeSet<String> = NAMES.iter().map(|name| (*name).to_owned()).collect();
    let files = fs::read_dir(fixtures().join("plans")).unwrap();
    let plans: BTreeSet<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with('p'))
        .filter_map(|name| Some(name.strip_suffix(".json")?.to_owned()))
        .collect();
    assert_eq!(tests, plans);
    assert_eq!(tests, expectations().into_keys().collect());
}

fn swap(change: &mut Value, one: &str, other: &str) {
    let value = change[one].take();
    change[one] = change[other].take();
    change[other] = value;
}

/// The way back: what is enabled is disabled, what is created is destroyed.
fn with_sides_exchanged(plan: &str) -> String {
    let mut plan: Value = serde_json::from_str(plan).unwrap();
    for resource in plan["resource_changes"].as_array_mut().unwrap() {
        let change = &mut resource["change"];
        swap(change, "before", "after");
        swap(change, "before_sensitive", "after_sensitive");
        change["after_unknown"] = json!({});
        for action in change["actions"].as_array_mut().unwrap() {
            match action.as_str() {
                Some("create") => *action = json!("delete"),
                Some("delete") => *action = json!("create"),
                Some(_) | None => {}
            }
        }
    }
    plan.to_string()
}

/// A deny that is switched on was told as removed.
#[test]
fn p24_cloudflare_with_its_sides_exchanged() {
    let reviewed = review(
        "p24-exchanged",
        &with_sides_exchanged(&plan("p24_cloudflare")),
    );
    let enabled = reviewed.plan.findings.iter().find(|finding| {
        let is_ruleset = finding.address.as_deref() == Some("cloudflare_ruleset.waf");
        is_ruleset && finding.kind != "unknown"
    });
    assert!(enabled.is_none(), "{enabled:?}\n{}", reviewed.text);
    insta::assert_snapshot!(reviewed.text);
}

/// The row of a comment listed attributes by their alphabet, computed ones first, and a fold had all that is created.
#[test]
fn comments_name_what_matters_first() {
    for name in ["p05_lambda_sfn", "p35_replace_chain", "p37_foreach_200"] {
        let comment = review(&format!("{name}-comment"), &plan(name)).comment;
        insta::assert_snapshot!(format!("{name}_comment"), without_identity(&comment));
    }
}

/// Each check fails where a review says otherwise.
#[test]
fn a_review_that_says_otherwise_has_faults() {
    let name = "p18_azure_app";
    let expected = || expectations().remove(name).unwrap();
    let reviewed = review("p18-otherwise", &plan(name));
    assert_eq!(faults(&expected(), &reviewed), [""; 0]);
    let statement = |part: &str| Told {
        kinds: vec!["secret".to_owned()],
        address: "azurerm_linux_web_app".to_owned(),
        part: part.to_owned(),
        is_missing: false,
    };
    let lines = reviewed.text.lines().count();
    type Distort = fn(&mut Expected, &dyn Fn(&str) -> Told, usize);
    let distortions: [(&str, Distort); 9] = [
        ("the level is", |expected, _, _| {
            expected.level = (Level::None, Level::Warning);
        }),
        ("not told", |expected, statement, _| {
            expected.told.push(statement("nowhere"));
        }),
        ("known to be missing", |expected, statement, _| {
            expected.should.push(statement("nowhere"));
        }),
        ("known to be missing", |expected, statement, _| {
            expected.should.push(Told {
                is_missing: true,
                ..statement("")
            });
        }),
        ("false", |expected, statement, _| {
            expected.never.push(statement(""));
        }),
        ("the first entry is", |expected, _, _| {
            expected.first = vec!["azurerm_private_endpoint.sql".to_owned()];
        }),
        ("not told apart", |expected, _, _| {
            expected.apart.push("azurerm_nothing.x".to_owned());
        }),
        ("the text shows", |expected, _, _| {
            expected.text_not.push("TLS".to_owned());
            expected.text_not.push("minimum_tls_version".to_owned());
        }),
        ("lines, not", |expected, _, lines| {
            expected.most_lines = lines - 1;
        }),
    ];
    for (fault, distort) in distortions {
        let mut expected = expected();
        distort(&mut expected, &statement, lines);
        let faults_of_review = faults(&expected, &reviewed);
        assert!(
            faults_of_review
                .iter()
                .any(|faults_of_review| faults_of_review.contains(fault)),
            "{fault}: {faults_of_review:?}"
        );
    }
}

#[test]
fn lines_that_an_approver_need_not_read_are_found() {
    for line in [
        "       arn a -> (known after apply)",
        "     ~ id -> (known after apply)",
        "   + arn = (known after apply)",
    ] {
        assert_eq!(only_computed(line), [line]);
    }
    for line in [
        "   ~ a_b.c",
        "     arn a -> (from a_b.d.arn)",
        "   + output id  (known after apply)",
        "     size 1 -> 2, arn a -> (known after apply)",
    ] {
        assert_eq!(only_computed(line), [""; 0]);
    }
    assert_eq!(too_wide(&"é".repeat(WIDTH)), [""; 0]);
    assert_eq!(too_wide(&"é".repeat(WIDTH + 1)).len(), 1);
    assert_eq!(title(" ! -/+ a_b.c[\"k\"]  x"), Some("a_b.c[\"k\"]  x"));
    assert_eq!(title("!! ~ 3 × a_b.c"), Some("a_b.c"));
    assert_eq!(
        title("   ! action.x.y  (is invoked)"),
        Some("action.x.y  (is invoked)")
    );
    assert_eq!(title("CRITICAL  a_b.c may lose data."), None);
}
