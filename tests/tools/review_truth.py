#!/usr/bin/env python3
"""Check the three laws of docs/review-json.md on plans.

usage: review_truth.py [--bin PATH] [--list] [--text] [--jobs N] PLAN_OR_ROOT...
       review_truth.py --self-test PLAN_OR_ROOT...      review_naive.py passes, and each of its faults is caught

For each plan (a file, or every plan.json / *.json plan below a folder) runs `review --format json --show-sensitive` and checks: every change of the plan has
one entry; each edit says what stands in the plan at its path (true); before + edits = after (complete); no edit says the same twice (minimal).
With --text also: each attribute that an edit begins with is named in the terminal text, or the text says what it left out.
A schema.json beside a plan is given along. Numbers are compared as written; marks of the plan are part of every law (a schema may add some).
"""
import argparse, collections, concurrent.futures as cf, copy, json, os, re, subprocess, sys

ABSENT, UNKNOWN = "\0absent", "\0unknown"
class Num(str): pass
load = lambda s: json.loads(s, parse_int=Num, parse_float=Num)


def overlay(v, u):
    """after with UNKNOWN where after_unknown says so"""
    if u is True: return UNKNOWN
    if isinstance(u, dict) and any_true(u):
        v = dict(v) if isinstance(v, dict) else {}
        for k, x in u.items():
            if any_true(x): v[k] = overlay(v.get(k), x)
    elif isinstance(u, list) and any_true(u):
        v = list(v) if isinstance(v, list) else []
        for i, x in enumerate(u):
            if any_true(x):
                while len(v) <= i: v.append(None)
                v[i] = overlay(v[i], x)
    return v


class Marked:
    def __init__(self, v): self.v = v
    def __repr__(self): return f"(sensitive) {self.v!r}"


def marks(v, m):
    """v with Marked where the plan marks it as sensitive"""
    if v in (ABSENT, None): return v
    if m is True: return Marked(v)
    if isinstance(v, dict) and isinstance(m, dict): return {k: marks(x, m.get(k)) for k, x in v.items()}
    if isinstance(v, list) and isinstance(m, list): return [marks(x, m[i] if i < len(m) else None) for i, x in enumerate(v)]
    return v


def trim(v, plan):
    """v without marks that the plan does not have (a schema may add some)"""
    if isinstance(v, Marked): return Marked(trim(v.v, plan.v)) if isinstance(plan, Marked) else trim(v.v, plan)
    if isinstance(v, dict): return {k: trim(x, plan.get(k) if isinstance(plan, dict) else None) for k, x in v.items()}
    if isinstance(v, list): return [trim(x, plan[i] if isinstance(plan, list) and i < len(plan) else None) for i, x in enumerate(v)]
    return v


def any_true(u):
    return u is True or isinstance(u, dict) and any(map(any_true, u.values())) or isinstance(u, list) and any(map(any_true, u))


def slot(s):
    if s.get("absent"): return ABSENT
    v = copy.deepcopy(s["value"])
    box = [v]
    for paths, put in ((s.get("unknown", []), lambda x: UNKNOWN), (s.get("sensitive", []), lambda x: x if x is None else Marked(x))):
        for p in paths:
            at, last = box, 0
            for k in p: at, last = at[last], int(k) if isinstance(at[last], list) else k
            at[last] = put(at[last])
    return box[0]


def same(a, b):
    if isinstance(a, Marked) or isinstance(b, Marked): return isinstance(a, Marked) and isinstance(b, Marked) and same(a.v, b.v)
    if a in (ABSENT, None) and b in (ABSENT, None): return True
    if isinstance(a, dict) and isinstance(b, dict): return all(same(a.get(k), b.get(k)) for k in {*a, *b})
    if isinstance(a, list) and isinstance(b, list): return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def same_set(a, b):
    if same(a, b): return True
    if not (isinstance(a, list) and isinstance(b, list) and len(a) == len(b)): return False
    rest = list(b)
    for x in a:
        i = next((i for i, y in enumerate(rest) if same(x, y)), None)
        if i is None: return False
        rest.pop(i)
    return True


def rebuild(node, edits, depth=0):
    whole = [e for e in edits if len(e["path"]) == depth]
    if whole:
        if len(edits) > 1: raise ValueError(f"several edits at or below {edits[0]['path'][:depth]}")
        return slot(whole[0]["after"])
    groups = collections.OrderedDict()
    for e in edits:
        s = e["path"][depth]
        groups.setdefault(("n", s["name"]) if "name" in s else ("e", s["before"], s["after"]), []).append(e)
    kinds = {k[0] for k in groups}
    if kinds == {"n"}:
        out = dict(node) if isinstance(node, dict) else {}
        for (_, name), es in groups.items():
            new = rebuild(out.get(name, ABSENT), es, depth + 1)
            if new is ABSENT: out.pop(name, None)
            else: out[name] = new
        return out
    if kinds != {"e"}: raise ValueError(f"names and places mixed at {edits[0]['path'][:depth]}")
    old = node if isinstance(node, list) else []
    gone, placed = set(), {}
    for (_, i, j), es in groups.items():
        i, j = (None if x is None else int(x) for x in (i, j))
        if i is not None:
            if i in gone: raise ValueError(f"place {i} mentioned twice")
            gone.add(i)
        new = rebuild(old[i] if i is not None else ABSENT, es, depth + 1)
        if j is not None: placed[j] = new
        elif new is not ABSENT: raise ValueError("an element without a place after that is not absent")
    rest = [x for i, x in enumerate(old) if i not in gone]
    out = []
    for j in range(len(rest) + len(placed)):
        if j in placed: out.append(placed[j])
        elif rest: out.append(rest.pop(0))
        else: raise ValueError("places after that leave holes")
    return out


def equal(rebuilt, after, edits, depth=0):
    """same, but lists that an edit calls a set may differ in order"""
    sets = [tuple(s.get("name") for s in e["path"][:i]) for e in edits for i, s in enumerate(e["path"]) if s.get("set")]
    if not sets: return same(rebuilt, after)
    def go(a, b, path):
        if isinstance(a, dict) and isinstance(b, dict): return all(go(a.get(k), b.get(k), path + (k,)) for k in {*a, *b})
        if isinstance(a, list) and isinstance(b, list): return path in sets and same_set(a, b) or len(a) == len(b) and all(go(x, y, path + (None,)) for x, y in zip(a, b))
        return same(a, b)
    return go(rebuilt, after, ())


def at(v, path, side):
    for s in path:
        if isinstance(v, Marked): return v
        if v in (ABSENT, None, UNKNOWN): return v if v == UNKNOWN else ABSENT
        if "name" in s: v = v.get(s["name"], ABSENT) if isinstance(v, dict) else ABSENT
        elif s[side] is None: return ABSENT
        else: v = v[int(s[side])] if isinstance(v, list) and int(s[side]) < len(v) else ABSENT
    return v


def address(r):
    if r.get("address"): return r["address"]
    i = r.get("index"); i = "" if i is None else f"[{i}]" if isinstance(i, Num) else f"[{json.dumps(i, ensure_ascii=False)}]"
    return (r["module_address"] + "." if r.get("module_address") else "") + ("data." if r.get("mode") == "data" else "") + f"{r.get('type')}.{r.get('name')}{i}"


def parts(v): return 1 + sum(map(parts, v.values() if isinstance(v, dict) else v)) if isinstance(v, (dict, list)) else 1


def findings(doc, bad):
    """format 3.0: what entries refer to is there and about them; counts are counts; levels agree; nothing undone violates a gate"""
    listed, levels = doc["findings"], ["none", "notice", "warning", "critical"]  # numbers are read as texts, so counts and indices are made numbers here
    for f in listed:
        if f["kind"] not in ("data-loss", "exposure", "protection", "downtime", "unknown", "secret"): bad.append(f"finding of an unknown kind: {f['kind']}")
        if int(f["count"]) != len(f["addresses"]) or f["address"] not in (None, f["addresses"][0] if f["addresses"] else None): bad.append(f"finding counts {f['count']} of {len(f['addresses'])}: {f['address']}")
    ranks = [-levels.index(f["level"]) for f in listed]
    if ranks != sorted(ranks): bad.append("findings are not in the order of their levels")
    if listed and levels.index(doc["level"]) < max(levels.index(f["level"]) for f in listed): bad.append(f"level {doc['level']} is below a finding's")
    told = set()
    for part in ("resources", "drift", "deferred"):
        for e in doc.get(part) or []:
            for i in map(int, e["findings"]):
                told.add((i, part)); f = listed[i] if 0 <= i < len(listed) else None
                if not f or f["in"] != part or e["address"] not in f["addresses"]: bad.append(f"{e['address']} refers to a finding that is not about it")
    for i, f in enumerate(listed):
        if f["in"] in ("resources", "drift", "deferred") and (i, f["in"]) not in told: bad.append(f"no entry carries the finding {f['kind']} {f['address']}")


def check(edits, before, after, bad):
    for e in edits:
        for side, doc in (("before", before), ("after", after)):
            want = at(doc, e["path"], side); have = trim(slot(e[side]), want)
            if not same(have, want) and not (have == ABSENT and want is None): bad.append(f"not true: {side} of {brief(e['path'])}: says {str(have)[:60]}, plan has {str(want)[:60]}")
        b, a = slot(e["before"]), slot(e["after"])
        capped = any("too large" in str(x) for x in e.get("notes", [])) and max(parts(b), parts(a)) > 2_000_000  # what DESIGN allows to be compared as a whole
        if not capped and type(b) is type(a) and isinstance(b, (dict, list)) and not same(b, a) and not ("order" in e.get("labels", []) and same_set(b, a)): bad.append(f"not minimal: {brief(e['path'])} holds what changed inside it")
        moved = any(s.get("before") != s.get("after") for s in e["path"] if "name" not in s)
        if same(slot(e["before"]), slot(e["after"])) and not moved: bad.append(f"not minimal: {brief(e['path'])}")
    for e in edits:
        if same(slot(e["before"]), slot(e["after"])):
            rest = [x for x in edits if x is not e]
            try: ok = equal(trim(rebuild(before, rest) if rest else before, after), after, edits)
            except ValueError: ok = False
            if ok: bad.append(f"not minimal: {brief(e['path'])} did not move")
    inside(edits, bad)
    if edits or not same(before, after):
        got = rebuild(before, edits) if edits else before
        if not equal(trim(got, after), after, edits): bad.append("not complete: " + where(got, after))


def inside(edits, bad):
    for e in edits:
        i = e.get("inside") or {}
        if i.get("format") != "json": continue
        try: check(i["edits"], load(e["before"]["value"]), load(e["after"]["value"]), bad)
        except (ValueError, KeyError, IndexError, TypeError) as x: bad.append(f"inside {brief(e['path'])}: {type(x).__name__}: {x}")


def where(a, b, path=""):
    if isinstance(a, dict) and isinstance(b, dict):
        for k in sorted({*a, *b}):
            if not same(a.get(k), b.get(k)): return where(a.get(k), b.get(k), f"{path}.{k}")
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b)):
            if not same(x, y): return where(x, y, f"{path}[{i}]")
    return f"{path or '.'}: rebuilt {str(a)[:70]!r}, plan has {str(b)[:70]!r}"


brief = lambda p: ".".join(s["name"] if "name" in s else f"[{s['before']}->{s['after']}]" for s in p) or "the whole"


def judge(a, path):
    raw = open(path, "rb").read(); bad = []
    for bom, enc in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig")):
        if raw.startswith(bom): raw = raw.decode(enc).encode(); break
    try: plan = load(raw.decode("utf-8"))
    except ValueError: return path, None, 0
    if not (isinstance(plan, dict) and "resource_changes" in plan and "format_version" in plan): return path, None, 0
    schema = os.path.join(os.path.dirname(path), "schema.json")
    cmd = [a.bin, "review", "--show-sensitive", "--color", "never", path] + (["--schemas", schema] if os.path.exists(schema) and os.path.basename(path) == "plan.json" else [])
    p = subprocess.run([*cmd, "--format", "json"], capture_output=True, timeout=300, stdin=subprocess.DEVNULL, env={**os.environ, "HOME": "/nonexistent"})
    if p.returncode: return path, [f"exit {p.returncode}: {p.stderr.decode(errors='replace')[-200:]}"], 0
    n = 0
    try:
        doc = load(p.stdout.decode())["plans"][0]
        for part, changes in (("resources", plan.get("resource_changes")), ("drift", plan.get("resource_drift")), ("deferred", [d.get("resource_change") or {} for d in plan.get("deferred_changes") or []])):
            entries = collections.defaultdict(list)
            for e in doc.get(part, []) if part == "deferred" and not changes else doc[part]: entries[(e["address"], e.get("deposed"))].append(e)
            for r in changes or []:
                c = r.get("change") or {}
                if part == "resources" and c.get("actions") == ["no-op"] and c.get("importing") in (None, False) and (r.get("previous_address") or r.get("address")) == r.get("address"): continue
                found = entries.get((address(r), r.get("deposed"))) or []
                if not found: bad.append(f"no entry in {part}: {address(r)}"); continue
                e = found.pop(0); mine = []; n += 1
                if e["actions"] != (c.get("actions") or []): mine.append(f"actions {e['actions']}")
                try: check(e["edits"], marks(c.get("before"), c.get("before_sensitive")), marks(overlay(c.get("after"), c.get("after_unknown")), c.get("after_sensitive")), mine)
                except (ValueError, KeyError, IndexError, TypeError) as x: mine.append(f"{type(x).__name__}: {x}")
                bad += [f"{address(r)}: {m}" for m in mine]
            bad += [f"an entry in {part} that no change stands for: {k[0]}" for k, v in entries.items() for _ in v]
        if "findings" in doc: findings(doc, bad)
        for o in doc["outputs"]:
            c = (plan.get("output_changes") or {}).get(o["name"]) or {}; mine = []; n += 1
            try: check(o["edits"], marks(c.get("before"), c.get("before_sensitive")), marks(overlay(c.get("after"), c.get("after_unknown")), c.get("after_sensitive")), mine)
            except (ValueError, KeyError, IndexError, TypeError) as x: mine.append(f"{type(x).__name__}: {x}")
            bad += [f"output {o['name']}: {m}" for m in mine]
        listed = {o["name"] for o in doc["outputs"]}
        bad += [f"no entry for output {k}" for k, c in (plan.get("output_changes") or {}).items() if c.get("actions") != ["no-op"] and k not in listed]
        if a.text:
            text = subprocess.run([*cmd, "--context", "all"], capture_output=True, timeout=300, stdin=subprocess.DEVNULL).stdout.decode(errors="replace")
            for e in doc["resources"]:
                if e["change"] == "forget": continue
                for x in e["edits"]:
                    name = x["path"][0]["name"] if x["path"] and "name" in x["path"][0] else None
                    if name and not re.search(r"(?<![\w-])" + re.escape(name) + r"(?![\w-])", text): bad.append(f"{e['address']}: {name} is nowhere in the text")
    except (KeyError, ValueError, TypeError) as x: bad.append(f"not the documented form: {type(x).__name__}: {x}")
    return path, bad, n


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("roots", nargs="+"); ap.add_argument("--bin", default="target/release/tfview"); ap.add_argument("--list", action="store_true"); ap.add_argument("--text", action="store_true")
    ap.add_argument("--jobs", type=int, default=os.cpu_count()); ap.add_argument("--self-test", action="store_true"); a = ap.parse_args()
    if a.self_test:
        naive = os.path.join(os.path.dirname(os.path.abspath(__file__)), "review_naive.py"); wrong = False
        for fault in ("", "drop", "whole", "moved", "marks", "numbers", "inside"):
            r = subprocess.run([sys.executable, __file__, "--bin", naive, *a.roots], capture_output=True, text=True, env={**os.environ, "FAULT": fault})
            ok = (r.returncode == 0) == (fault == ""); wrong |= not ok
            print(f"{fault or 'no fault':9} {'as it should be' if ok else 'WRONG'}: {r.stdout.strip()[-140:]}")
        return wrong
    files = []
    for r in a.roots:
        if os.path.isfile(r): files.append(r); continue
        for d, _, fs in sorted(os.walk(r)):
            files += [os.path.join(d, f) for f in sorted(fs) if f.endswith(".json") and f not in ("schema.json", "meta.json", "state.json")]
    good = wrong = changes = 0; causes = collections.Counter()
    with cf.ThreadPoolExecutor(a.jobs) as ex:
        for path, bad, n in ex.map(lambda f: judge(a, f), files):
            if bad is None: continue
            changes += n
            if not bad: good += 1; continue
            wrong += 1
            for b in bad: causes[next((w for w in ("not true", "not minimal", "not complete", "no entry", "not the documented form", "nowhere in the text", "exit") if w in b), "other")] += 1
            if a.list:
                print(f"--- {path}")
                for b in bad[:8]: print("   ", b[:240])
                if len(bad) > 8: print(f"    and {len(bad) - 8} more")
    print(f"{good} plans hold, {wrong} do not; {changes} changes; " + ", ".join(f"{k}: {v}" for k, v in causes.most_common()))
    return bool(wrong)


if __name__ == "__main__": sys.exit(main())
