//! Input for the benchmarks: plans shaped like real ones, values that are hard to compare, and the messages
//! of a run. The same seed produces the same bytes.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

const PROVIDER: &str = "registry.opentofu.org/acme/cloud";

/// A plan and the schemas of its types.
pub struct Documents {
    pub plan: String,
    pub schemas: String,
}

/// A small pseudo-random number generator (xorshift).
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 16) % limit
    }

    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[usize::try_from(self.below(choices.len() as u64)).unwrap()]
    }
}

/// A resource: its type, and its values before and after the change, as JSON.
struct Resource {
    kind: &'static str,
    before: String,
    after: String,
}

fn tags(draw: &mut Draw, index: usize, team: &str) -> String {
    format!(
        r#"{{"Name":"svc-{index}","Environment":"{}","team":"{team}","cost-center":"{}","kubernetes.io/cluster":"main"}}"#,
        draw.one_of(&["prod", "stage", "dev"]),
        1000 + draw.below(9000)
    )
}

/// Makes a server with tags, documents and blocks.
fn instance(draw: &mut Draw, index: usize) -> Resource {
    let (id, image) = (draw.next(), draw.next());
    let tags = tags(draw, index, "core");
    let packages = (0..8)
        .map(|_| format!(r"install package-{}\n", draw.below(100)))
        .collect::<String>();
    let groups = [draw.next(), draw.next(), draw.next()]
        .map(|id| format!(r#""sg-{:08x}""#, id >> 32))
        .join(",");
    let sizes = (draw.below(500), draw.below(500), draw.below(64));
    let write = |kind: &str, tags: &str, flags: &str, volume: u64| {
        format!(
            r##"{{"id":"i-{id:017x}","ami":"ami-{image:017x}","arn":"arn:cloud:compute:eu-1:123456789012:instance/i-{index}","instance_type":"{kind}","user_data":"#!/bin/sh\nset {flags}\n{packages}","tags":{tags},"tags_all":{tags},"security_groups":[{groups}],"public_ip":"10.0.{}.7","monitoring":true,"cpu_core_count":{},"root_block_device":[{{"volume_size":{volume},"volume_type":"gp3","encrypted":true,"kms_key_id":"arn:cloud:kms:{:08x}"}}],"ebs_block_device":[{{"device_name":"/dev/sdb","volume_size":{}}},{{"device_name":"/dev/sdc","volume_size":{}}}]}}"##,
            index % 256,
            sizes.2,
            id >> 32,
            sizes.0,
            sizes.1
        )
    };
    Resource {
        kind: "cloud_instance",
        before: write("m5.large", &tags, "-eu", 20),
        after: write(
            "m7.large",
            &tags.replace("\"core\"", "\"new-team\""),
            "-eux",
            200,
        ),
    }
}

/// Makes a security group with nested blocks in sets.
fn security_group(draw: &mut Draw, index: usize) -> Resource {
    let tags = tags(draw, index, "data");
    let mut rules: Vec<String> = (0..8)
        .map(|_| {
            format!(
                r#"{{"from_port":{},"to_port":{},"protocol":"tcp","cidr_blocks":["10.{}.0.0/16","10.{}.0.0/16"],"description":"rule {:04x}"}}"#,
                draw.below(65000), draw.below(65000), draw.below(256), draw.below(256), draw.below(65536)
            )
        })
        .collect();
    let write = |rules: &[String], tags: &str| {
        format!(
            r#"{{"id":"sg-{index:017x}","name":"sg-{index}","description":"managed","vpc_id":"vpc-{index:08x}","tags":{tags},"ingress":[{}],"egress":[{}]}}"#,
            rules[..6].join(","),
            rules[6..].join(",")
        )
    };
    let before = write(&rules, &tags);
    rules[0] = rules[0].replace("tcp", "udp");
    Resource {
        kind: "cloud_security_group",
        before,
        after: write(&rules, &tags),
    }
}

/// Makes a policy, whose document is JSON in a string.
fn policy(draw: &mut Draw, index: usize) -> Resource {
    let tags = tags(draw, index, "edge");
    let statements: Vec<String> = (0..5)
        .map(|_| {
            format!(
                r#"{{\"Effect\": \"Allow\", \"Action\": [\"s3:Get*\", \"s3:{}*\"], \"Resource\": [\"arn:cloud:s3:::b-{}/*\"]}}"#,
                draw.one_of(&["Put", "List", "Delete"]),
                draw.below(1000)
            )
        })
        .collect();
    let write = |statements: &str| {
        format!(
            r#"{{"id":"policy-{index}","name":"policy-{index}","policy":"{{\"Version\": \"2012-10-17\", \"Statement\": [{statements}]}}","path":"/","tags":{tags}}}"#
        )
    };
    let before = statements.join(", ");
    Resource {
        kind: "cloud_policy",
        before: write(&before),
        after: write(&before.replacen("s3:Get*", "s3:Abort*", 1)),
    }
}

/// Makes a bucket with a list of blocks.
fn bucket(draw: &mut Draw, index: usize) -> Resource {
    let tags = tags(draw, index, "core");
    let rule = |id: usize, days: u64| {
        format!(r#"{{"id":"r{id}","enabled":true,"expiration_days":{days}}}"#)
    };
    let rules: Vec<String> = (0..3).map(|id| rule(id, draw.below(365))).collect();
    let write = |rules: &str| {
        format!(
            r#"{{"id":"bucket-{index}","bucket":"bucket-{index}","acl":"private","arn":"arn:cloud:s3:::bucket-{index}","tags":{tags},"lifecycle_rules":[{rules}]}}"#
        )
    };
    Resource {
        kind: "cloud_bucket",
        before: write(&rules.join(",")),
        after: write(&format!(
            "{},{},{},{}",
            rules[0],
            rule(9, 7),
            rules[1],
            rules[2]
        )),
    }
}

/// The `expressions` of the configuration for a resource with these values: an expression for each attribute
/// that is not computed, and bodies for blocks.
fn expressions(values: &str) -> Value {
    const COMPUTED: [&str; 4] = ["id", "arn", "public_ip", "tags_all"];
    const BLOCKS: [&str; 4] = ["root_block_device", "ebs_block_device", "ingress", "egress"];
    let constant = |value: &Value| json!({ "constant_value": value });
    let body = |block: &Value| -> Value {
        block
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.clone(), constant(value)))
            .collect()
    };
    let values: Map<String, Value> = serde_json::from_str(values).unwrap();
    let written = values
        .iter()
        .filter(|(name, _)| !COMPUTED.contains(&name.as_str()));
    written
        .map(|(name, value)| {
            let blocks = value.as_array().filter(|_| BLOCKS.contains(&name.as_str()));
            let blocks = blocks.map(|blocks| blocks.iter().map(body).collect());
            (name.clone(), blocks.unwrap_or_else(|| constant(value)))
        })
        .collect()
}

/// A plan with `resources` resources, of which `changed` percent change.
pub fn plan(resources: usize, changed: u64) -> Documents {
    let mut draw = Draw(0x5eed_0001);
    let [mut changes, mut prior, mut planned, mut configuration] = [(); 4].map(|()| String::new());
    for index in 0..resources {
        let make =
            [instance, security_group, policy, bucket][usize::try_from(draw.below(4)).unwrap()];
        let Resource {
            kind,
            before,
            after,
        } = make(&mut draw, index);
        let changes_now = draw.below(100) < changed;
        let (action, after) = if changes_now {
            ("update", after)
        } else {
            ("no-op", before.clone())
        };
        let head = format!(
            r#""address":"{kind}.r{index:06}","mode":"managed","type":"{kind}","name":"r{index:06}","provider_name":"{PROVIDER}""#
        );
        let comma = if index == 0 { "" } else { "," };
        write!(changes, r#"{comma}{{{head},"change":{{"actions":["{action}"],"before":{before},"after":{after},"after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}"#).unwrap();
        write!(
            prior,
            r#"{comma}{{{head},"schema_version":0,"values":{before},"sensitive_values":{{}}}}"#
        )
        .unwrap();
        write!(
            planned,
            r#"{comma}{{{head},"schema_version":0,"values":{after},"sensitive_values":{{}}}}"#
        )
        .unwrap();
        write!(configuration, r#"{comma}{{"address":"{kind}.r{index:06}","mode":"managed","type":"{kind}","name":"r{index:06}","provider_config_key":"cloud","schema_version":0,"expressions":{}}}"#, expressions(&after)).unwrap();
    }
    let plan = format!(
        r#"{{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{{"root_module":{{"resources":[{planned}]}}}},"resource_changes":[{changes}],"prior_state":{{"format_version":"1.0","values":{{"root_module":{{"resources":[{prior}]}}}}}},"configuration":{{"root_module":{{"resources":[{configuration}]}}}},"errored":false}}"#
    );
    Documents {
        plan,
        schemas: schemas(0),
    }
}

/// Kinds of values that are slow to compare.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    List,
    Set,
    Map,
    Heredoc,
    Json,
    Objects,
}

#[allow(
    dead_code,
    reason = "only one of the two benchmarks that include this module uses it"
)]
pub const SHAPES: [Shape; 6] = [
    Shape::List,
    Shape::Set,
    Shape::Map,
    Shape::Heredoc,
    Shape::Json,
    Shape::Objects,
];

impl Shape {
    fn attribute(self) -> &'static str {
        match self {
            Self::List => "items",
            Self::Set => "members",
            Self::Map => "labels",
            Self::Heredoc => "script",
            Self::Json => "document",
            Self::Objects => "objects",
        }
    }

    fn element(self, index: usize, edited: bool) -> String {
        let mark = if edited { "-changed" } else { "" };
        match self {
            Self::List | Self::Set => format!(r#""item-{index:07}{mark}""#),
            Self::Map => format!(r#""key-{index:07}":"value{mark}""#),
            Self::Heredoc => format!(r"echo step {}{mark}\n", index / 2 * (index % 2)),
            Self::Json => format!(r#"\"item-{index:07}{mark}\""#),
            Self::Objects => format!(r#"{{"name":"o{index}{mark}","port":{index}}}"#),
        }
    }

    fn value(self, elements: &[String]) -> String {
        match self {
            Self::List | Self::Set | Self::Objects => format!("[{}]", elements.join(",")),
            Self::Map => format!("{{{}}}", elements.join(",")),
            Self::Heredoc => format!(r#""{}""#, elements.concat()),
            Self::Json => format!(r#""[{}]""#, elements.join(",")),
        }
    }
}

/// A plan of one resource with one value of this shape and `elements` elements. If `many`, every other
/// element changes, otherwise four do. One element is inserted, so that elements cannot be paired by index.
pub fn shape(shape: Shape, elements: usize, many: bool) -> Documents {
    let every = if many { 2 } else { elements.div_ceil(4).max(1) };
    let before: Vec<String> = (0..elements)
        .map(|index| shape.element(index, false))
        .collect();
    let mut after: Vec<String> = (0..elements)
        .map(|index| shape.element(index, index % every == every / 2))
        .collect();
    after.insert(elements / 3, shape.element(elements + 1, false));
    one(
        shape.attribute(),
        &shape.value(&before),
        &shape.value(&after),
    )
}

/// A plan of one resource with a JSON document nested `depth` levels deep.
pub fn deep(depth: usize) -> Documents {
    let nested = |leaf: &str| {
        format!(
            "\"{}{leaf}{}\"",
            r#"{\"a\":["#.repeat(depth / 2),
            "]}".repeat(depth / 2)
        )
    };
    one("document", &nested("1"), &nested("2"))
}

/// A plan of one resource with one string of `bytes` bytes.
pub fn large(bytes: usize) -> Documents {
    let text = |mark: &str| format!("\"{}{mark}\"", "x".repeat(bytes / 2 - 1));
    one("script", &text("a"), &text("b"))
}

fn one(attribute: &str, before: &str, after: &str) -> Documents {
    let plan = format!(
        r#"{{"format_version":"1.2","terraform_version":"1.12.6","resource_changes":[{{"address":"cloud_big.big","mode":"managed","type":"cloud_big","name":"big","provider_name":"{PROVIDER}","change":{{"actions":["update"],"before":{{"id":"big","{attribute}":{before}}},"after":{{"id":"big","{attribute}":{after}}},"after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}]}}"#
    );
    Documents {
        plan,
        schemas: schemas(0),
    }
}

/// Schemas of the types above and of `others` additional types.
pub fn schemas(others: usize) -> String {
    let attribute =
        |name: &str, kind: &str| format!(r#""{name}":{{"type":{kind},"optional":true}}"#);
    let block = |attributes: &[(&str, &str)], blocks: &str| {
        let attributes: Vec<String> = attributes
            .iter()
            .map(|(name, kind)| attribute(name, kind))
            .collect();
        format!(
            r#"{{"attributes":{{{}}},"block_types":{{{blocks}}}}}"#,
            attributes.join(",")
        )
    };
    let (text, number, flag) = (r#""string""#, r#""number""#, r#""bool""#);
    let (labels, list, set) = (
        r#"["map","string"]"#,
        r#"["list","string"]"#,
        r#"["set","string"]"#,
    );
    let nested = |name: &str, mode: &str, attributes: &[(&str, &str)]| {
        format!(
            r#""{name}":{{"nesting_mode":"{mode}","block":{}}}"#,
            block(attributes, "")
        )
    };
    let volume = [
        ("volume_size", number),
        ("volume_type", text),
        ("encrypted", flag),
        ("kms_key_id", text),
    ];
    let rule = [
        ("from_port", number),
        ("to_port", number),
        ("protocol", text),
        ("cidr_blocks", list),
        ("description", text),
    ];
    let objects = r#"["list",["object",{"name":"string","port":"number"}]]"#;
    let rules = r#""lifecycle_rules":{"nested_type":{"nesting_mode":"list","attributes":{"id":{"type":"string","optional":true},"enabled":{"type":"bool","optional":true},"expiration_days":{"type":"number","optional":true}}},"optional":true}"#;
    let instance = block(
        &[
            ("id", text),
            ("ami", text),
            ("arn", text),
            ("instance_type", text),
            ("user_data", text),
            ("tags", labels),
            ("tags_all", labels),
            ("security_groups", set),
            ("public_ip", text),
            ("monitoring", flag),
            ("cpu_core_count", number),
        ],
        &[
            nested("root_block_device", "list", &volume),
            nested(
                "ebs_block_device",
                "set",
                &[("device_name", text), ("volume_size", number)],
            ),
        ]
        .join(","),
    );
    let group = block(
        &[
            ("id", text),
            ("name", text),
            ("description", text),
            ("vpc_id", text),
            ("tags", labels),
        ],
        &[
            nested("ingress", "set", &rule),
            nested("egress", "set", &rule),
        ]
        .join(","),
    );
    let policy = block(
        &[
            ("id", text),
            ("name", text),
            ("policy", text),
            ("path", text),
            ("tags", labels),
        ],
        "",
    );
    let bucket = block(
        &[
            ("id", text),
            ("bucket", text),
            ("acl", text),
            ("arn", text),
            ("tags", labels),
        ],
        "",
    )
    .replacen(
        r#"{"attributes":{"#,
        &format!(r#"{{"attributes":{{{rules},"#),
        1,
    );
    let big = block(
        &[
            ("id", text),
            ("items", list),
            ("members", set),
            ("labels", labels),
            ("script", text),
            ("document", text),
            ("objects", objects),
        ],
        "",
    );
    let mut types: Vec<String> = (0..others)
        .map(|index| format!(r#""cloud_other_{index}":{{"block":{instance}}}"#))
        .collect();
    let used = [instance, group, policy, bucket, big];
    let names = [
        "cloud_instance",
        "cloud_security_group",
        "cloud_policy",
        "cloud_bucket",
        "cloud_big",
    ];
    types.extend(
        names
            .iter()
            .zip(used)
            .map(|(name, block)| format!(r#""{name}":{{"block":{block}}}"#)),
    );
    format!(
        r#"{{"format_version":"1.0","provider_schemas":{{"{PROVIDER}":{{"resource_schemas":{{{}}}}}}}}}"#,
        types.join(",")
    )
}

/// The messages of an apply: each resource starts and completes.
pub fn messages(count: usize) -> String {
    let mut text = String::from(
        "{\"@level\":\"info\",\"@message\":\"OpenTofu 1.12.6\",\"@module\":\"tofu.ui\",\"@timestamp\":\"2026-01-01T00:00:00.000000Z\",\"tofu\":\"1.12.6\",\"type\":\"version\",\"ui\":\"1.2\"}\n",
    );
    for index in 0..count {
        let (number, second) = (index / 2, index / 2000);
        let (kind, hook) = if index % 2 == 0 {
            ("apply_start", "")
        } else {
            (
                "apply_complete",
                r#","id_key":"id","id_value":"i-1","elapsed_seconds":1"#,
            )
        };
        writeln!(
            text,
            r#"{{"@level":"info","@message":"cloud_instance.r{number}: {kind}","@module":"tofu.ui","@timestamp":"2026-01-01T00:{:02}:{:02}.000000Z","hook":{{"resource":{{"addr":"cloud_instance.r{number}","module":"","resource":"cloud_instance.r{number}","implied_provider":"cloud","resource_type":"cloud_instance","resource_name":"r{number}","resource_key":null}},"action":"create"{hook}}},"type":"{kind}"}}"#,
            second / 60 % 60, second % 60
        )
        .unwrap();
    }
    text
}
