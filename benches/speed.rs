//! Benchmarks the time and the allocations of each stage.
//!
//! Each stage is measured separately. Counting allocations has a cost, above all with several threads, so
//! `ratios.rs` measures the table of `benches/README.md` without it.

#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]
#![allow(
    clippy::unwrap_used,
    reason = "a generated document that cannot be shown is a bug"
)]
#![allow(
    missing_docs,
    unreachable_pub,
    reason = "a benchmark has no public API"
)]

mod generate;
mod work;

use bumpalo::Bump;
use divan::Bencher;
use divan::counter::BytesCount;
use tfview::internals::dialect::Dialect;
use tfview::internals::diff::Differ;
use tfview::internals::diff::{Cursor, Paths};
use tfview::internals::json;
use tfview::internals::model::plan::Plan;
use tfview::internals::render::{self, Context};
use tfview::internals::schema::Schemas;
use tfview::internals::term::Out;

use generate::{Documents, Shape};
use work::{show, skip, stream};

#[global_allocator]
static ALLOCATIONS: divan::AllocProfiler = divan::AllocProfiler::system();

/// Plans, as (number of resources, percentage that changes).
const PLANS: [(usize, u64); 6] = [
    (100, 0),
    (100, 20),
    (2_000, 0),
    (2_000, 20),
    (20_000, 0),
    (20_000, 20),
];

const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

fn main() {
    work::with_stack(divan::main);
}

fn bytes(documents: &Documents) -> BytesCount {
    BytesCount::new(documents.plan.len())
}

#[divan::bench(args = PLANS, sample_count = 5)]
fn skip_serde_json(bencher: Bencher<'_, '_>, (resources, changed): (usize, u64)) {
    let documents = generate::plan(resources, changed);
    bencher
        .counter(bytes(&documents))
        .bench(|| skip(&documents.plan));
}

#[divan::bench(args = PLANS, sample_count = 5)]
fn skip_ours(bencher: Bencher<'_, '_>, (resources, changed): (usize, u64)) {
    let documents = generate::plan(resources, changed);
    bencher
        .counter(bytes(&documents))
        .bench(|| json::Reader::new(&documents.plan).skip().unwrap().len());
}

#[divan::bench(args = PLANS, sample_count = 5)]
fn parse(bencher: Bencher<'_, '_>, (resources, changed): (usize, u64)) {
    let documents = generate::plan(resources, changed);
    bencher.counter(bytes(&documents)).bench(|| {
        json::from_str::<Plan<'_>>(&documents.plan)
            .unwrap()
            .resource_changes
            .len()
    });
}

/// Parses and compares the values of all changes on one thread.
#[divan::bench(args = [(100, 20), (2_000, 20), (20_000, 20)], sample_count = 5)]
fn differ(bencher: Bencher<'_, '_>, (resources, changed): (usize, u64)) {
    let documents = generate::plan(resources, changed);
    bencher.bench(|| each_diff(&documents, |_| ()));
}

/// The same, and renders each diff.
#[divan::bench(args = [(100, 20), (2_000, 20), (20_000, 20)], sample_count = 5)]
fn differ_and_render(bencher: Bencher<'_, '_>, (resources, changed): (usize, u64)) {
    let documents = generate::plan(resources, changed);
    let mut sink = std::io::sink();
    bencher.bench_local(|| {
        let mut out = Out::new(&mut sink, false);
        each_diff(&documents, |diff| {
            render::diff(&mut out, diff, Context::resource(Dialect::TERRAFORM, false)).unwrap();
        });
    });
}

/// Passes the diff of each change of a plan to `look`.
fn each_diff(
    documents: &Documents,
    mut look: impl FnMut(&tfview::internals::diff::tree::Diff<'_>),
) {
    let plan = Plan::parse(&documents.plan).unwrap();
    let mut schemas = Schemas::new();
    schemas.add(&documents.schemas).unwrap();
    let shapes = Bump::new();
    let mut arena = Bump::new();
    for change in &plan.resource_changes {
        if change.change.actions == tfview::internals::model::Action::NoOp {
            continue;
        }
        arena.reset();
        let block = schemas
            .resource(
                &change.provider_name,
                "managed",
                &change.resource_type,
                &shapes,
            )
            .unwrap()
            .unwrap();
        let cursor = Cursor::new(&change.change, Paths::Always, &arena).unwrap();
        look(&Differ::new(&arena, Dialect::OPENTOFU).block(cursor, block));
    }
}

#[divan::bench(args = PLANS, sample_count = 5)]
fn whole(bencher: Bencher<'_, '_>, (resources, changed): (usize, u64)) {
    let documents = generate::plan(resources, changed);
    bencher
        .counter(bytes(&documents))
        .bench(|| show(&documents));
}

#[divan::bench_group(sample_count = 3)]
mod shapes {
    use super::*;

    fn measure(bencher: Bencher<'_, '_>, shape: Shape, elements: usize, many: bool) {
        let documents = generate::shape(shape, elements, many);
        bencher
            .counter(bytes(&documents))
            .bench(|| show(&documents));
    }

    macro_rules! shapes {
        ($($few:ident $many:ident $shape:ident;)*) => {$(
            #[divan::bench(args = SIZES)]
            fn $few(bencher: Bencher<'_, '_>, elements: usize) {
                measure(bencher, Shape::$shape, elements, false);
            }

            #[divan::bench(args = SIZES)]
            fn $many(bencher: Bencher<'_, '_>, elements: usize) {
                measure(bencher, Shape::$shape, elements, true);
            }
        )*};
    }

    shapes! {
        list list_many_edits List;
        set set_many_edits Set;
        map map_many_edits Map;
        heredoc heredoc_many_edits Heredoc;
        json json_many_edits Json;
        objects objects_many_edits Objects;
    }

    #[divan::bench]
    fn depth_500(bencher: Bencher<'_, '_>) {
        let documents = generate::deep(500);
        bencher.bench(|| show(&documents));
    }

    #[divan::bench]
    fn string_50_mb(bencher: Bencher<'_, '_>) {
        let documents = generate::large(50_000_000);
        bencher
            .counter(bytes(&documents))
            .bench(|| show(&documents));
    }

    #[divan::bench]
    fn types_20_000(bencher: Bencher<'_, '_>) {
        let documents = Documents {
            schemas: generate::schemas(20_000),
            ..generate::plan(100, 20)
        };
        bencher.bench(|| show(&documents));
    }
}

#[divan::bench(args = [10_000, 1_000_000], sample_count = 3)]
fn messages(bencher: Bencher<'_, '_>, count: usize) {
    let messages = generate::messages(count);
    bencher
        .counter(BytesCount::new(messages.len()))
        .bench(|| stream(&messages));
}
