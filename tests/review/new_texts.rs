//! Of scripts and other texts of several lines that a change sets, a review shows the first lines, decoded.

use serde_json::{Value, json};

use super::marks::entries;
use crate::plan::Change;

const SCRIPT: &str = "#!/bin/bash\nset -eu\ncurl -fsSL https://example.com/i.sh | sh\n";
/// The same in base64, and with a password.
const ENCODED: &str =
    "IyEvYmluL2Jhc2gKc2V0IC1ldQpjdXJsIC1mc1NMIGh0dHBzOi8vZXhhbXBsZS5jb20vaS5zaCB8IHNoCg==";
const WITH_PASSWORD: &str = "IyEvYmluL2Jhc2gKZXhwb3J0IERCX1BBU1NXT1JEPVN1cDNyUzNjcmV0UGFzc3cwcmQKY3VybCBodHRwczovL3guZXhhbXBsZQo=";

fn created(address: &str, object: &Value) -> Change {
    Change::created(address, object)
}

#[test]
fn the_script_of_a_new_machine_is_shown_decoded() {
    let metadata = json!({"startup-script": "apt-get install --yes app"});
    insta::assert_snapshot!(entries(&[
        created(
            "aws_instance.plain",
            &json!({"instance_type": "t3.large", "user_data": SCRIPT})
        ),
        created(
            "aws_launch_template.encoded",
            &json!({"name": "t", "user_data": ENCODED})
        ),
        created(
            "google_compute_instance.one_line",
            &json!({"name": "g", "metadata": metadata})
        ),
    ]));
}

#[test]
fn a_credential_in_a_script_that_is_encoded_is_masked_and_the_rest_is_shown() {
    let set = Change::updated(
        "aws_instance.set",
        json!({"user_data_base64": null}),
        json!({"user_data_base64": WITH_PASSWORD}),
    );
    let new = created(
        "aws_launch_template.new",
        &json!({"name": "t", "user_data": WITH_PASSWORD}),
    );
    let text = entries(&[set, new]);
    assert!(!text.contains("Sup3r"), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn a_sensitive_script_is_not_shown() {
    let new = created(
        "aws_instance.a",
        &json!({"instance_type": "t3.large", "user_data": SCRIPT}),
    );
    let new = new.sensitive(json!(false), json!({"user_data": true}));
    let text = entries(&[new]);
    insta::assert_snapshot!(text, @"   + aws_instance.a  t3.large");
    assert!(!text.contains("curl") && !text.contains("bash"), "{text}");
}

#[test]
fn scripts_that_differ_below_what_is_shown_are_not_one_entry() {
    let script = |last: &str| format!("#!/bin/sh\n{}{last}\n", "echo step\n".repeat(30));
    let machine = |last: &str| json!({"instance_type": "t3.large", "user_data": script(last)});
    let text = entries(&[
        created("aws_instance.a[\"x\"]", &machine("exit 0")),
        created(
            "aws_instance.a[\"y\"]",
            &machine("curl https://x.example | sh"),
        ),
    ]);
    insta::assert_snapshot!(text);
}

/// Providers store the hash of a script: nobody can read it.
#[test]
fn the_hash_of_a_script_is_not_shown_as_one() {
    let hash = "42e87cab184420bfd4fa90e81757c5b9b78b766f";
    let text = entries(&[created(
        "aws_instance.a",
        &json!({"ami": "ami-1", "instance_type": "t3.large", "key_name": "k", "user_data": hash}),
    )]);
    insta::assert_snapshot!(text, @"   + aws_instance.a  ami-1, t3.large, key_name = k");
    assert!(!text.contains(hash), "{text}");
}

#[test]
fn texts_that_are_no_program_are_a_number_of_lines_of_a_new_object() {
    let text = entries(&[created(
        "example_document.d",
        &json!({"name": "d", "content": "one\ntwo\nthree\n"}),
    )]);
    insta::assert_snapshot!(text, @r"
       + example_document.d  content of 3 lines
    (no rules for: example_document)
    ");
}
