//! Each format of a text, a review and a comparison.

use tfview::{
    Comparison, ComparisonOptions, Format, Plan, Review, ReviewOptions, Schemas, TextOptions,
};

pub(super) const ALL: [Format; 5] = [
    Format::Text,
    Format::StyledText,
    Format::Markdown,
    Format::Html,
    Format::Json,
];

/// A plan whose names and values try to act.
const HOSTILE: &str = r#"{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{
    "address":"shop_order.a[\"<script>alert(1)</script>\"]","mode":"managed","type":"shop_order","name":"a",
    "provider_name":"example.com/acme/shop","change":{"actions":["update"],
        "before":{"note":"```\n<img src=x onerror=alert(1)>\u001b[31m"},
        "after":{"note":"````\n[x](javascript:alert(1))\u001b]0;x\u0007"}}}]}"#;

fn all(format: Format) -> [String; 3] {
    let plan = Plan::parse(HOSTILE, &Schemas::new()).unwrap();
    let review = Review::new(&plan, ReviewOptions::default()).unwrap();
    let empty = r#"{"format_version":"1.2","resource_changes":[]}"#;
    let approved = Plan::parse(empty, &Schemas::new()).unwrap();
    let comparison = Comparison::new(&approved, &plan, ComparisonOptions::default()).unwrap();
    let mut texts = [Vec::new(), Vec::new(), Vec::new()];
    plan.write_text(format, &TextOptions::default(), &mut texts[0])
        .unwrap();
    review.write(format, &mut texts[1]).unwrap();
    comparison.write(format, &mut texts[2]).unwrap();
    texts.map(|text| String::from_utf8(text).unwrap())
}

#[test]
fn no_format_lets_the_document_act() {
    for format in ALL {
        for text in all(format) {
            assert!(text.contains("shop_order.a"), "{format:?}: {text}");
            assert!(!text.contains("\u{1b}]"), "{format:?}: {text}");
            if format != Format::StyledText {
                assert!(!text.contains('\u{1b}'), "{format:?}: {text}");
            }
            if format == Format::Html {
                assert!(
                    !text.contains("<script>alert") && !text.contains("<img"),
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn markdown_of_the_text_is_one_code_block() {
    let [text, ..] = all(Format::Markdown);
    let fence = text.lines().next().unwrap();
    assert!(fence.len() > 4 && fence.chars().all(|c| c == '`'), "{text}");
    assert_eq!(text.matches(fence).count(), 2, "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn html_of_the_text_is_an_element_with_classes() {
    let [text, ..] = all(Format::Html);
    assert!(
        text.starts_with("<pre>") && text.trim_end().ends_with("</pre>"),
        "{text}"
    );
    insta::assert_snapshot!(text, @r#"
    <pre>
    Terraform used the selected providers to generate the following execution
    plan. Resource actions are indicated with the following symbols:
      <span class="yellow">~</span> update in-place

    Terraform will perform the following actions:

    <b>  # shop_order.a["&lt;script&gt;alert(1)&lt;/script&gt;"]</b> will be updated in-place
      <span class="yellow">~</span> resource "shop_order" "a" {
          <span class="yellow">~</span> note = &lt;&lt;-EOT
              <span class="red">-</span> ```
              <span class="green">+</span> ````
              <span class="red">-</span> &lt;img src=x onerror=alert(1)&gt;␛[31m
              <span class="green">+</span> [x](javascript:alert(1))␛]0;x␇
            EOT
        }

    <b>Plan:</b> 0 to add, 1 to change, 0 to destroy.
    </pre>
    "#);
}

#[test]
fn spans_are_those_of_the_text() {
    let plan = Plan::parse(HOSTILE, &Schemas::new()).unwrap();
    let review = Review::new(&plan, ReviewOptions::default()).unwrap();
    let mut written = Vec::new();
    review.write(Format::Text, &mut written).unwrap();
    let text = review.text().unwrap();
    assert_eq!(text.to_string(), String::from_utf8(written).unwrap());
    assert!(text.lines.iter().flatten().any(|span| span.style.bold));
    let [json, ..] = all(Format::Json);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json["lines"].as_array().unwrap().len() > 5);
}

#[test]
fn markdown_fits_into_the_limit() {
    let plan = Plan::parse(HOSTILE, &Schemas::new()).unwrap();
    let mut options = ReviewOptions::default();
    options.max_bytes = 1_000;
    let review = Review::new(&plan, options).unwrap();
    let mut text = Vec::new();
    review.write(Format::Markdown, &mut text).unwrap();
    assert!(!text.is_empty() && text.len() <= 1_000, "{}", text.len());
}
