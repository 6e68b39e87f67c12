#!/usr/bin/env python3
"""Writes the SBOM of a release: cargo metadata --locked --format-version 1 | packaging/sbom.py

CycloneDX 1.5. It lists the packages that a binary for any system may contain: the dependencies of tfview with
default features, without dev and build dependencies. The same lock file gives the same bytes.
"""
import json
import pathlib
import re
import sys

metadata = json.load(sys.stdin)
packages = {package["id"]: package for package in metadata["packages"]}
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
root = metadata["resolve"]["root"]
lock = (pathlib.Path(metadata["workspace_root"]) / "Cargo.lock").read_text()
checksums = {
    (name, version): checksum
    for name, version, checksum in re.findall(
        r'name = "([^"]+)"\nversion = "([^"]+)"\nsource = "[^"]+"\nchecksum = "([0-9a-f]{64})"', lock
    )
}


def linked(id):
    """The packages that are linked into `id`: its dependencies, without dev and build dependencies."""
    for dependency in nodes[id]["deps"]:
        if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
            yield dependency["pkg"]


def purl(id):
    return f"pkg:cargo/{packages[id]['name']}@{packages[id]['version']}"


def component(id):
    package = packages[id]
    entry = {
        "type": "application" if id == root else "library",
        "bom-ref": purl(id),
        "name": package["name"],
        "version": package["version"],
        "purl": purl(id),
    }
    if package.get("license"):
        entry["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    checksum = checksums.get((package["name"], package["version"]))
    if checksum:
        entry["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    elif id != root:
        sys.exit(f"error: Cargo.lock has no checksum of {package['name']} {package['version']}")
    return entry


found, waiting = set(), [root]
while waiting:
    id = waiting.pop()
    if id not in found:
        found.add(id)
        waiting.extend(linked(id))

ordered = sorted(found, key=purl)
document = {
    "bomFormat": "CycloneDX",
    "specVersion": "1.5",
    "version": 1,
    "metadata": {"component": component(root)},
    "components": [component(id) for id in ordered if id != root],
    "dependencies": [{"ref": purl(id), "dependsOn": sorted(purl(other) for other in set(linked(id)))} for id in ordered],
}
json.dump(document, sys.stdout, indent=2)
print()
