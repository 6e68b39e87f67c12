//! `tfview schema` shows, searches, checks, compares and caches schemas.

mod cache;
mod check;
mod diff;
mod views;

use std::path::{Path, PathBuf};

use crate::cli::harness::{Run, folder, tfview};

/// Schemas with members of every kind and with every flag.
pub(crate) const SCHEMAS: &str = r#"{"format_version":"1.0","provider_schemas":{"registry.terraform.io/example/shop":{
"provider":{"version":0,"block":{"attributes":{"token":{"type":"string","required":true,"sensitive":true,"description":"The token."}}}},
"resource_schemas":{
 "shop_order":{"version":2,"block":{"description":"An order. It has lines.","deprecated":true,"deprecation_message":"Use shop_cart.",
  "attributes":{
   "id":{"type":"string","computed":true},
   "customer":{"type":"string","required":true,"description":"Who ordered.\nNever empty."},
   "labels":{"type":["map","string"],"optional":true,"computed":true},
   "secret_code":{"type":"string","optional":true,"sensitive":true,"write_only":true},
   "old":{"type":"bool","optional":true,"deprecated":true},
   "history":{"type":["list",["object",{"at":"string","by":"number"},["by"]]],"computed":true},
   "address":{"nested_type":{"nesting_mode":"single","attributes":{"street":{"type":"string","required":true},"zip":{"type":"string","optional":true}}},"optional":true}},
  "block_types":{"line":{"nesting_mode":"list","min_items":1,"max_items":3,"block":{"attributes":{"sku":{"type":"string","required":true}}}}}}},
 "shop_cart":{"version":0,"block":{"attributes":{"id":{"type":"string","computed":true}}}}},
"data_source_schemas":{"shop_order":{"version":0,"block":{"attributes":{"id":{"type":"string","required":true}}}}},
"resource_identity_schemas":{"shop_order":{"version":0,"attributes":{"number":{"type":"string","required_for_import":true}}}},
"functions":{"total":{"summary":"Sums prices.","return_type":"number","parameters":[{"name":"prices","type":["list","number"]}],"variadic_parameter":{"name":"more","type":"number","description":"More prices."}}}
}}}"#;

/// A run of `tfview schema` without cached schemas.
pub(crate) fn schema(args: &str) -> Run {
    tfview(&format!("schema {args}"))
}

/// Creates a folder with the schemas in `schemas.json`.
pub(crate) fn schemas(name: &str) -> PathBuf {
    folder(name, &[("schemas.json", SCHEMAS.as_bytes())])
}

/// A run in a folder, with the cache of schemas below it.
pub(crate) fn with_cache(run: Run, folder: &Path) -> Run {
    run.folder(folder)
        .variable("XDG_DATA_HOME", folder.join("data"))
}
