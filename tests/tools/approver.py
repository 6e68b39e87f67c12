#!/usr/bin/env python3
"""Read reviews as an approver would: is what must be told told, at its level, first, once, within the width, in words, and in as few lines as it takes? Is what is harmless proved?

usage: approver.py [--bin PATH] [--expect FILE] [--only NAME,...] [--list] [--texts DIR]

FILE (default fixtures/approvals/expect.json) has, per plan: level [lowest, highest]; told: findings that must be told as [kinds, part of an address, part of text, path or rule, or null]; should: the same, desirable;
never: [kind, part of an address] that must not occur; first: addresses of which one is the first entry of the text; apart: addresses that must not be buried among entries that look alike (an entry of its own, or
the first row of a group, and no unmarked group of the same block before it); text_not: strings that no text may contain; perfect_lines: the lines of a review written by hand. And, all optional (regexes, whatever the case):
  told, 4th member        what the text must show of this finding, in the entry of the object: the value that decides
  head_must               lists of alternatives; the head (the text up to the first blank line) and the heading of the comment match one of each
  head_not                neither the head, nor the heading of the comment, nor title and verdict of the page, nor the summary match it; at the top of FILE: of any plan
  shows                   [part of an address, regex]: the entry of this object (from its title to the next; its group or table) shows it at 100 columns
  cap                     [part of an address, level]: no finding of it is above this level
  harmless                what verdict.harmless of the JSON must be
  allow                   [directions, exit code]: what `review --allow DIRECTION,…` must exit with; `*` stands for all of them, `-stops` takes one away again
  directions              [part of an address, regex of the path or null for the object, directions]: the gravest of the outermost edits that match must be one of these (`newer:minor`: with this step)
A path is written `rule["sql"].limit`, `ingress[0]`, and behind a space what is inside of a document: `policy Statement[0].Action`.
Measured on the text at 100 columns: lines, lines wider than 100, lines that say a second time what a finding says, lines that only say that a value is known after apply.
A plan is whole if all holds but should, first, apart, harmless, allow and directions, which are counted apart. `--list` says everything that is missing, for each plan. `--texts` reads NAME.txt of DIR instead of
what the program writes, and passes over plans that have none there: are the expectations fair to reviews written by hand? Exits with 1 if a plan is not whole, with 2 if FILE has a key that nobody reads."""
import argparse, html, json, os, re, subprocess, sys, tempfile
HERE = os.path.dirname(os.path.abspath(__file__))
ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("--bin", default="target/release/tfview"); ap.add_argument("--expect", default=HERE + "/../../fixtures/approvals/expect.json"); ap.add_argument("--only"); ap.add_argument("--list", action="store_true"); ap.add_argument("--texts")
a = ap.parse_args(); expect = json.load(open(a.expect)); base = os.path.dirname(os.path.abspath(a.expect)); LEVELS = ["none", "notice", "warning", "critical"]
KEYS = {"file", "verdict", "level", "told", "should", "never", "first", "apart", "text_not", "perfect_lines", "head_must", "head_not", "shows", "cap", "harmless", "allow", "directions"}
GRAVER = ["loses", "stops", "wider", "weaker", "less", "older", "unjudged", "unknown", "another", "gone", "new", "newer", "narrower", "stronger", "more", "keeps", "starts", "moved", "words", "same"]  # none: graver than all
for name, e in expect["plans"].items():
    if set(e) - KEYS: sys.exit((print(f"{name}: nobody reads {', '.join(sorted(set(e) - KEYS))}", file=sys.stderr), 2)[1])
TITLE = re.compile(r"^\s*(?:!!|!|·)?\s*(?:-/\+|\+/-|<=|[~+\-.>&…]|!)\s+(?:\d+ × )?((?:module|data|action|output)?[a-z_.][\w.\-]*(?:\[.*)?)")
ADDRESS = re.compile(r"(?:module\.[\w-]+(?:\[[^\]]*\])?\.)*(?:(?:data|action|output)\.)?[a-z][\w-]*\.[\w-]+(?:\[[^\]]*\])?")
FORMATS = ("json", "markdown", "html", "text-summary")
def run(*args): return subprocess.run([a.bin, "review", "--no-config", "--ci", "none", "--color", "never", *args], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, env={**os.environ, "HOME": "/nonexistent"})
def read(path):
    "the text at 100 columns, and the other formats of the same run"
    with tempfile.TemporaryDirectory() as d:
        r = run("--width", "100", *[x for f in FORMATS for x in ("--out", f"{f}={d}/{f}")], path)
        return r.stdout, *[open(f"{d}/{f}").read() if os.path.exists(f"{d}/{f}") else "" for f in FORMATS], r.stderr
def one_line(s): return re.sub(r"\s+", " ", s).strip()
def bare(address): return re.sub(r"\[[^\]]*\]", "", address)
def keys(address): return re.findall(r'\["?([^"\]]+)"?\]', address)
def word(key, line): return re.search(r"(?<![\w-])" + re.escape(key) + r"(?![\w-])", line)
def entries(lines, known):
    "[line of the title, addresses in the title, lines] of each entry: to the next title, a blank line, or a note at the margin"
    out, new = [], False
    for i, l in enumerate(lines):
        m = TITLE.match(l); first = re.split(r"[\s,]", bare(m.group(1)))[0] if m else ""
        if m and (first in known or first == "output" or first.startswith("module.")): out.append([i, m.start(1), [l]]); new = True
        elif not l.strip() or re.match(r"[^\s!~+\-.>&…·<]", l): new = False
        elif new: out[-1][2].append(l)
    for e in out:
        title, rest = e[2][0][e[1]:].rstrip(), iter(e[2][1:])
        while title.endswith((",", "->")) and "  " not in title and (l := next(rest, None)): title += " " + l.strip()
        e[1] = ADDRESS.findall(re.sub(r"\boutput ", "output.", re.split(r"  | \(", title)[0]))
    return out
def steps(path):
    "a path as it is written"
    out = ""
    for s in path:
        if "name" in s: out += ("." if out else "") + s["name"]
        elif "before" in s or "after" in s: out += "[" + (json.dumps(",".join(map(str, s["key"].values()))) if s.get("key") else str(s["before"] if s.get("after") is None else s["after"])) + "]"
    return out
def outermost(edits, regex, before=""):
    for e in edits:
        path = before + steps(e["path"])
        if re.search(regex, path, re.I): yield e
        else: yield from outermost((e.get("inside") or {}).get("edits", []), regex, path + " ")
def whole(r):
    "the direction of an object: its own, or that of its only edit"
    return r if r.get("direction") or [x["path"] for x in r.get("edits", [])] != [[]] else r["edits"][0]
COUNTS = ("plans", "whole", "before", "level", "told", "told_of", "should", "should_of", "false", "first", "first_of", "apart", "apart_of", "hidden", "hidden_of", "lines", "perfect", "wide", "twice", "computed",
          "head", "head_of", "misled", "shown", "shown_of", "capped", "capped_of", "proved", "proved_of", "directions", "directions_of")
t = dict.fromkeys(COUNTS, 0)
def check(key, good): t[key + "_of"] += 1; t[key] += bool(good); return bool(good)
for name, e in expect["plans"].items():
    if a.only and name not in a.only.split(",") or a.texts and not os.path.exists(f"{a.texts}/{name}.txt"): continue
    path = os.path.join(base, e["file"]); wrong, unproved, ok = [], [], True; t["plans"] += 1; text, doc, comment, page, summary, error = read(path)
    if not doc: print(f"{name:24} not   fails: {one_line(error)[:120]}"); continue
    doc = json.loads(doc); plan = doc["plans"][0]; found = plan["findings"]; heading = next((l for l in comment.splitlines() if l.startswith("#")), "")
    if a.texts: text = comment = open(f"{a.texts}/{name}.txt").read(); heading = page = summary = ""
    lines = text.splitlines(); objects = [r for k in ("resources", "deferred", "action_invocations", "outputs", "drift") for r in plan.get(k) or []]
    for r in objects: r["at"] = r.get("address") or "output." + r["name"]
    addresses = [r["address"] for r in plan["resources"]]; known = {b for r in objects for x in (r["at"], r.get("previous_address")) if x for b in (bare(x), ".".join(bare(x).split(".")[-2:]), r.get("type"))}
    shown = entries(lines, known)
    def named(address, e):
        "3: the title has the address; 2: a group that has its keys; 1: a group of its block, or its module"
        names = [n for n in e[1] if bare(n) == bare(address) or bare(address).endswith("." + bare(n))]
        return 3 if address in names else max([2 if all(word(k, "\n".join(e[2])) for k in keys(address)) else 1 for n in names] + [1 for n in e[1] if address.startswith(n + ".")], default=0)
    def entry(part):
        "what the text shows of the objects that have this in their address"
        out, starts = [], {s[0] for s in shown}
        for x in {r["at"] for r in objects if part in r["at"]}:
            marks = [max(named(y, s) for y in (x, *[r["previous_address"] for r in objects if r["at"] == x and r.get("previous_address")])) for s in shown]; top = max(marks, default=0)
            if top: out += [s[2] for s, m in zip(shown, marks) if m == top]; continue
            for name in (x, bare(x), bare(x).split(".")[-1]):  # not in a title: the lines that name it, to the end of their entry
                at = [i for i, l in enumerate(lines) if word(name, l)]
                if at: out += [lines[i:next((j for j in range(i + 1, len(lines)) if not lines[j].strip() or j in starts), None)] for i in at]; break
        return one_line(" ".join(l for b in out for l in b))
    def has(kinds, address, part):
        for f in found:
            hay = (f["text"] + " " + json.dumps(f.get("path")) + " " + str(f.get("rule"))).lower()
            if f["kind"] in kinds and any(address in x for x in [f["address"] or "", *(f.get("addresses") or [])]) and (not part or part.lower() in hay): return f
    if LEVELS.index(e["level"][0]) <= LEVELS.index(plan["level"]) <= LEVELS.index(e["level"][1]): t["level"] += 1
    else: ok = False; wrong.append(f"level {plan['level']}, not {' to '.join(e['level'])}")
    for key in ("told", "should"):
        for kinds, address, part, *_ in e[key]:
            if not check(key, has(kinds, address, part)): ok = ok and key == "should"; wrong.append(("not told: " if key == "told" else "(desirable) not told: ") + f"{'/'.join(kinds)} {address} {part or ''}")
    for kind, address in e["never"]:
        f = has([kind], address, None)
        if f: t["false"] += 1; ok = False; wrong.append(f"false: {kind} {f['address']}: {f['text'][:70]}")
    titles = [(i, m.group(1)) for i, l in enumerate(lines) if (m := TITLE.match(l))]
    if e.get("first"):
        top = titles[0][1] if titles else ""
        if not check("first", any(x in top or x.split("[")[0] == top.split("[")[0].split(" ")[0].rstrip(",") for x in e["first"])): wrong.append(f"first is {top[:60]}")
    for x in e.get("apart", []):
        marks = [named(x, s) for s in shown]; top = max(marks, default=0); own = next((s for s, m in zip(shown, marks) if m == top and top), None); good = False
        if own and re.search(r"\d+ × ", own[2][0]):  # a group: no more than one row of others before its own
            others = {keys(y)[-1] for y in addresses if y != x and keys(y) and bare(y) == bare(x)}; key = (keys(x) or [x])[-1]
            only = set(re.findall(r"[\w.-]+", key)) - {w for o in others for w in re.findall(r"[\w.-]+", o)}  # words of the key that no other has
            mine = [i for i, l in enumerate(own[2]) if (key in l or any(word(w, l) for w in only)) and not any(word(o, l) for o in others)]
            good = mine and sum(i < mine[0] and any(word(o, l) for o in others) for i, l in enumerate(own[2])) <= 1
        elif own: good = not any(s[0] < own[0] and any(bare(n) == bare(x) for n in s[1]) and re.search(r"\d+ × ", s[2][0]) and not any(re.match(r"!!| !| ·", l) for l in s[2]) for s in shown)
        if not check("apart", good): wrong.append(f"not told apart: {x}")
    for x in e.get("text_not", []):
        if not check("hidden", x not in text and x not in comment): ok = False; wrong.append(f"a text shows: {x[:60]}")
    old = ok; head = one_line(" ".join(lines[:next((i for i, l in enumerate(lines) if not l.strip()), None)])); heading = one_line(html.unescape(re.sub(r"[#`*\\]", "", heading)))
    page = one_line(html.unescape(re.sub(r"<[^>]*>", "", " ".join(re.findall(r'<title>.*?</title>|<h1.*?</h1>|<h2 class="verdict".*?</h2>', page, re.S)))).replace(path, ""))
    for x in e.get("head_must", []):
        misses = [n for n, s in (("text", head), ("comment", heading)) if (s or not a.texts) and not any(re.search(y, s, re.I) for y in x)]
        if not check("head", not misses): ok = False; wrong.append(f"the head does not say ({', '.join(misses)}): {' | '.join(x)}")
    for x in [*expect.get("head_not", []), *e.get("head_not", [])]:
        m = next((m for s in (head, heading, page, summary) if (m := re.search(x, s, re.I))), None)
        if m: t["misled"] += 1; ok = False; wrong.append(f"a head says: {m.group(0)[:80]}")
    for address, *_, regex in [*e.get("shows", []), *[x[1:] for x in e["told"] if len(x) > 3]]:
        if not check("shown", re.search(regex, entry(address), re.I)): ok = False; wrong.append(f"the entry of {address} does not show: {regex}")
    for address, level in e.get("cap", []):
        f = next((f for f in found if LEVELS.index(f["level"]) > LEVELS.index(level) and any(address in x for x in [f["address"] or "", *(f.get("addresses") or [])])), None)
        if not check("capped", not f): ok = False; wrong.append(f"above {level}: {f['level']} {f['kind']} {f['address']}: {f['text'][:60]}")
    if not a.texts:
        if "harmless" in e and not check("proved", doc["verdict"].get("harmless") is e["harmless"]): unproved.append(f"harmless is {doc['verdict'].get('harmless')}, not {e['harmless']}")
        for words, code in e.get("allow", []):
            given = [w for w in (GRAVER if "*" in words else []) + words if w != "*" and w[0] != "-" and "-" + w not in words]
            if not check("proved", (r := run("--format", "text-summary", "--allow", ",".join(given), path)).returncode == code): unproved.append(f"--allow {' '.join(words)} exits with {r.returncode}, not {code}")
        for address, regex, allowed in e.get("directions", []):
            at = [r for r in objects if address in r["at"] and r not in plan["drift"]] or [r for r in objects if address in r["at"]]
            got = [(x.get("direction") or "none", x.get("step")) for r in at for x in ([whole(r)] if regex is None else outermost(r.get("edits", []), regex))]
            d, step = min(got, key=lambda x: GRAVER.index(x[0]) if x[0] in GRAVER else -1, default=("no such edit", None))
            if not check("directions", d in allowed or f"{d}:{step}" in allowed): unproved.append(f"direction of {address} {regex or '(object)'}: {d}{':' + step if step else ''}, not {' or '.join(allowed)}")
    flat = re.sub(r"\s+", " ", text); twice = sum(max(0, flat.count(f["text"]) - 1) for f in found if len(f["text"]) > 12)
    computed = sum(bool(re.match(r"^\s*[~+]\s+\S+: (\S.* -> )?\(known after apply\)$|^\s*[~+] [\w.\[\]\", ]+: (new )?\(?known after apply\)?$", l)) for l in lines)
    wide = sum(len(l) > 100 for l in lines)
    for k, v in (("lines", len(lines)), ("perfect", e["perfect_lines"]), ("wide", wide), ("twice", twice), ("computed", computed), ("whole", ok), ("before", old)): t[k] += v
    if a.list or not ok: print(f"{name:24} {'whole' if ok else 'not  '} {plan['level']:9} {len(lines):4} lines (by hand {e['perfect_lines']}), {wide} wide, {twice} twice, {computed} computed")
    for w in [*wrong, *unproved] if a.list else wrong if not ok else []: print("      " + w)
print(f"{t['whole']} of {t['plans']} plans whole; levels {t['level']}; told {t['told']} of {t['told_of']}, desirable {t['should']} of {t['should_of']}, false {t['false']}; first {t['first']} of {t['first_of']}; apart {t['apart']} of {t['apart_of']}; "
      f"hidden {t['hidden']} of {t['hidden_of']}; {t['lines']} lines (by hand {t['perfect']}), {t['wide']} wide, {t['twice']} said twice, {t['computed']} only computed; "
      f"heads {t['head']} of {t['head_of']}, misleading {t['misled']}; shows {t['shown']} of {t['shown_of']}; caps {t['capped']} of {t['capped_of']}; proved {t['proved']} of {t['proved_of']}; directions {t['directions']} of {t['directions_of']}; "
      f"{t['before']} whole but for heads, shows and caps")
sys.exit(t["whole"] < t["plans"])
