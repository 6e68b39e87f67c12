//! Hostile saved plans: values in MessagePack, messages of protocol buffers, configurations and archives that are small
//! and hold much.

use super::archive::{field, plan_of, zip};
use super::measure::{Input, Shape, check};

/// What a saved plan may unpack to beyond 100 times its size (SECURITY.md).
const UNPACKED: usize = 2 << 20;

/// The bound of what a saved plan unpacks to counts as read, also if more is in it and it is an error.
fn input(archive: Vec<u8>) -> Input {
    Input {
        unpacked: UNPACKED + 100 * archive.len(),
        document: archive,
        schema: None,
        approved: None,
        results: None,
    }
}

fn list(count: usize) -> Vec<u8> {
    let count = u32::try_from(count).unwrap();
    [&[0xdd][..], &count.to_be_bytes()].concat()
}

fn string(text: &str) -> Vec<u8> {
    let length = u16::try_from(text.len()).unwrap();
    [&[0xda][..], &length.to_be_bytes(), text.as_bytes()].concat()
}

/// An object with one attribute.
fn attribute(value: &[u8]) -> Vec<u8> {
    [&[0x81], &*string("a"), value].concat()
}

/// A plan that creates `count` objects, each with this value.
fn objects(count: usize, value: &[u8]) -> Vec<u8> {
    let change = [vec![0x08, 1], field(2, &field(1, value))].concat();
    let mut message = vec![0x08, 3];
    for index in 0..count {
        let resource = [
            field(8, b"provider[\"registry.terraform.io/acme/acme\"]"),
            field(9, &change),
            field(13, format!("acme_thing.a[{index}]").as_bytes()),
        ];
        message.extend(field(3, &resource.concat()));
    }
    message
}

/// A plan without changes, with one file of configuration.
fn configured(text: &str) -> Input {
    input(zip(&[
        ("tfplan", &[0x08, 3]),
        ("tfconfig/modules.json", br#"[{"Key": "", "Dir": "."}]"#),
        ("tfconfig/m-/main.tf", text.as_bytes()),
    ]))
}

#[test]
fn memory_saved_plan_values() {
    const SHAPES: &[Shape] = &[
        ("a list of nulls", 60_000, |n| {
            input(plan_of(&attribute(&[list(n), vec![0xc0; n]].concat())))
        }),
        ("a list of far too many nulls", 1_000_000, |n| {
            input(plan_of(&attribute(&[list(n), vec![0xc0; n]].concat())))
        }),
        ("a list that lies about its length", 200_000, |n| {
            input(plan_of(&attribute(
                &[list(n * 1_000), vec![0xc0; n]].concat(),
            )))
        }),
        ("lists in each other", 100_000, |n| {
            input(plan_of(&attribute(&vec![0x91; n])))
        }),
        ("members of an object", 20_000, |n| {
            let members: Vec<u8> = (0..n)
                .flat_map(|index| [string(&format!("m{index}")), vec![0xc3]].concat())
                .collect();
            let count = u32::try_from(n).unwrap().to_be_bytes();
            input(plan_of(&[&[0xdf][..], &count, &members].concat()))
        }),
        ("the same member", 20_000, |n| {
            let members = [string("a"), vec![0xc3]].concat().repeat(n);
            let count = u32::try_from(n).unwrap().to_be_bytes();
            input(plan_of(&[&[0xdf][..], &count, &members].concat()))
        }),
        ("texts with escapes", 20, |n| {
            let text = string(&"\u{1}\"".repeat(30_000));
            input(plan_of(&attribute(&[list(n), text.repeat(n)].concat())))
        }),
        ("unknown values with refinements", 30_000, |n| {
            let unknown = [0xc7, 3, 12, 0x81, 1, 0xc2];
            input(plan_of(&attribute(&[list(n), unknown.repeat(n)].concat())))
        }),
        ("large numbers", 200, |n| {
            let number = string(&"9".repeat(10_000));
            input(plan_of(&attribute(&[list(n), number.repeat(n)].concat())))
        }),
    ];
    check("saved-values", "review", SHAPES);
}

#[test]
fn memory_saved_plan_messages() {
    const SHAPES: &[Shape] = &[
        ("objects", 2_000, |n| {
            input(zip(&[("tfplan", &objects(n, &attribute(&[0xc3])))]))
        }),
        ("empty messages", 200_000, |n| {
            let message = [vec![0x08, 3], field(3, b"").repeat(n)].concat();
            input(zip(&[("tfplan", &message)]))
        }),
        ("unknown fields", 200_000, |n| {
            let message = [vec![0x08, 3], field(15, b"x").repeat(n)].concat();
            input(zip(&[("tfplan", &message)]))
        }),
        ("messages in each other", 2_000, |n| {
            let deep = (0..n).fold(Vec::new(), |inner, _| field(3, &inner));
            input(zip(&[("tfplan", &[vec![0x08, 3], deep].concat())]))
        }),
        ("variables", 20_000, |n| {
            let mut message = vec![0x08, 3];
            for index in 0..n {
                let name = field(1, format!("v{index}").as_bytes());
                let value = field(2, &field(1, &string("x")));
                message.extend(field(2, &[name, value].concat()));
            }
            input(zip(&[("tfplan", &message)]))
        }),
        ("entries of the archive", 5_000, |n| {
            let names: Vec<String> = (0..n)
                .map(|index| format!("tfconfig/m-/{index}.tf"))
                .collect();
            let mut entries: Vec<(&str, &[u8])> = vec![("tfplan", &[0x08, 3])];
            entries.extend(names.iter().map(|name| (&**name, &b""[..])));
            input(zip(&entries))
        }),
        ("an archive of zeros", 8 << 20, |n| {
            input(zip(&[("tfplan", &vec![0; n])]))
        }),
        ("a packed plan of one list", 1_500_000, |n| {
            let value = attribute(&[list(n), vec![0xc0; n]].concat());
            input(zip(&[("tfplan", &objects(1, &value))]))
        }),
    ];
    check("saved-messages", "review", SHAPES);
}

#[test]
fn memory_saved_plan_configurations() {
    const SHAPES: &[Shape] = &[
        ("resources", 4_000, |n| {
            let block = |index| format!("resource \"x\" \"r{index}\" {{\n  a = var.v\n}}\n");
            configured(&(0..n).map(block).collect::<String>())
        }),
        ("one name", 20_000, |n| {
            configured(&"output \"o\" { value = 1 }\n".repeat(n))
        }),
        ("a list", 100_000, |n| {
            configured(&format!("locals {{\n  x = [{}]\n}}\n", "1,".repeat(n)))
        }),
        ("an object", 30_000, |n| {
            let members: String = (0..n).map(|index| format!("m{index} = 1\n")).collect();
            configured(&format!("locals {{\n  x = {{\n{members}}}\n}}\n"))
        }),
        ("a template", 20_000, |n| {
            configured(&format!(
                "locals {{\n  x = \"{}\"\n}}\n",
                "${var.a}-".repeat(n)
            ))
        }),
        ("locals that use each other twice", 5_000, |n| {
            let local =
                |index: usize| format!("  l{} = [local.l{index}, local.l{index}]\n", index + 1);
            let locals: String = (0..n).map(local).collect();
            let provider = format!("provider \"x\" {{\n  a = local.l{n}\n}}\n");
            configured(&format!("locals {{\n  l0 = var.v\n{locals}}}\n{provider}"))
        }),
        ("comments", 300_000, |n| configured(&"# x\n".repeat(n))),
        ("brackets", 300_000, |n| {
            configured(&format!("x = {}", "[".repeat(n)))
        }),
        ("templates in each other", 50_000, |n| {
            configured(&format!("x = {}", "\"${".repeat(n)))
        }),
        ("sums", 50_000, |n| {
            configured(&format!("locals {{\n  x = {}1\n}}\n", "1 + ".repeat(n)))
        }),
    ];
    check("saved-configuration", "review", SHAPES);
}
