#!/usr/bin/env python3
"""Compare `tfview schema check` with the official JSON Schema on mutated specifications.

For maintainers; needs `pip install jsonschema`, the official schema and an example specification (neither is
part of this repository: see hashicorp/terraform-plugin-codegen-spec, spec/v0.1).

    tests/schema_oracle.py --bin target/quick/tfview --schema schema-0.1.json --example example-0.1.json -n 10000
"""

import argparse
import collections
import copy
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import jsonschema

NAMES = """name schema attributes blocks version provider resources datasources bool dynamic float64 int64 list
list_nested map map_nested number object set set_nested single_nested string computed_optional_required
optional_required sensitive description markdown_description deprecation_message validators plan_modifiers default
custom static imports path alias schema_definition custom_type type value_type associated_external_type import
element_type attribute_types nested_object bogus Name descripton""".split()
VALUES = [None, True, False, 0, 1.5, -3, "", "a", "ab", "abc", "Computed", "computed", "computed_optional", "optional",
          "required", "9lives", "_ok", "with-dash", [], {}, [{}], [None], {"custom": {}}, {"string": {}},
          {"name": "x", "string": {"computed_optional_required": "optional"}},
          {"name": "x", "string": {"optional_required": "optional"}}, [{"name": "x"}],
          {"custom": {"schema_definition": "x"}}, [{"custom": {"schema_definition": "x"}}], {"static": True},
          {"static": 1}, {"static": "x"}, {"custom": {"schema_definition": ""}, "static": "x"},
          {"path": ""}, {"path": "a", "alias": ""}, {"type": "", "value_type": "x"}, {"type": "t", "value_type": "v"},
          {"list": {"element_type": {"string": {}}}}, {"list": {}}, {"dynamic": {}}, {"string": {}, "bool": {}}]


def places(value, found):
    """Every container of a document."""
    if isinstance(value, dict):
        found.append(value)
        for child in value.values():
            places(child, found)
    elif isinstance(value, list):
        found.append(value)
        for child in value:
            places(child, found)
    return found


def fragment(rng, whole):
    """A part of the example, to be put where it does not belong."""
    place = rng.choice(places(whole, []))
    part = rng.choice(list(place.values()) if isinstance(place, dict) else place) if place else {}
    return copy.deepcopy(part) if len(json.dumps(part)) < 4000 else {}


def mutate(rng, spec, whole):
    found = [place for place in places(spec, []) if place]
    if not found:
        return
    place = rng.choice(found)
    value = copy.deepcopy(rng.choice(VALUES)) if rng.random() < 0.7 else fragment(rng, whole)
    if isinstance(place, dict):
        key = rng.choice(list(place))
        action = rng.randrange(5)
        if action == 0:
            del place[key]
        elif action == 1:
            place[rng.choice(NAMES)] = place.pop(key)
        elif action == 2:
            place[key] = value
        elif action == 3:
            place[rng.choice(NAMES)] = value
        else:
            place[key + rng.choice(["s", "_", "x"])] = place[key]
    else:
        at = rng.randrange(len(place))
        action = rng.randrange(4)
        if action == 0:
            del place[at]
        elif action == 1:
            place.append(value)
        elif action == 2:
            place[at] = value
        else:
            place.append(copy.deepcopy(place[at]))


def small(rng, whole):
    """The example with a few of its entries: most mutations of the whole would hit the same parts."""
    spec = copy.deepcopy(whole)
    for part in ("resources", "datasources"):
        for entry in spec[part]:
            for name in ("attributes", "blocks"):
                if name in entry["schema"]:
                    entry["schema"][name] = rng.sample(entry["schema"][name], min(3, len(entry["schema"][name])))
    for name in ("attributes", "blocks"):
        own = spec["provider"]["schema"]
        if name in own:
            own[name] = rng.sample(own[name], min(3, len(own[name])))
    return spec


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--schema", required=True)
    parser.add_argument("--example", required=True)
    parser.add_argument("-n", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    oracle = jsonschema.Draft7Validator(json.loads(pathlib.Path(args.schema).read_text()))
    whole = json.loads(pathlib.Path(args.example).read_text())
    rng = random.Random(args.seed)
    counts = collections.Counter()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for start in range(0, args.n, 250):
            specs = {}
            for number in range(start, min(start + 250, args.n)):
                spec = small(rng, whole)
                for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
                    mutate(rng, spec, whole)
                path = pathlib.Path(folder, f"{number}.json")
                path.write_text(json.dumps(spec, indent=1))
                specs[str(path)] = spec
            run = subprocess.run([args.bin, "schema", "check", "--format", "json", *specs], capture_output=True)
            findings = json.loads(run.stdout)["findings"]
            refused = {f["file"] for f in findings if f["level"] == "error" and f["check"] == "schema"}
            for path, spec in specs.items():
                expected = oracle.is_valid(spec)
                counts["valid" if expected else "invalid"] += 1
                if expected == (path in refused):
                    wrong += 1
                    if wrong <= 5:
                        kept = pathlib.Path(tempfile.gettempdir(), f"schema-oracle-{wrong}.json")
                        kept.write_text(json.dumps(spec, indent=1))
                        errors = [e.message[:200] for e in oracle.iter_errors(spec)][:3]
                        print(f"{kept}: official {'accepts' if expected else 'refuses'}; {errors}")
                        print([f for f in findings if f["file"] == path][:3])
    print(f"{args.n} specifications ({dict(counts)}), {wrong} disagreements")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
