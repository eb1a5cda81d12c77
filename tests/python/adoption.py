"""Takes over and imports memories that the Python elfmem made, and compares them row by row.

Arguments: the binary `elfmem`, the interpreter with the Python elfmem, a folder that `make.py` filled with it.
What differs and is not in the lists below is a failure.
"""

import json
import math
import pathlib
import shutil
import sqlite3
import subprocess
import sys

PROGRAM, PYTHON, MADE = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
WORK = MADE / "work"
HERE = pathlib.Path(__file__).parent

# Columns of the Python elfmem that ours hold in another form, with the check that takes their place.
CONVERTED = {
    ("blocks", "decay_lambda"): "the rate of the tags, where it was a placeholder (seed 002)",
    ("blocks", "last_reinforced_at"): "the present hour, for inbox blocks whose stamp was a placeholder (seed 002)",
    ("block_outcomes", "id"): "the outcome's name and the block's",
}
# Columns that only later versions have and that ours hold elsewhere: belief, the direction of edges, kinds of pairs.
ELSEWHERE = {
    ("blocks", "success_count"), ("blocks", "failure_count"), ("blocks", "volatility_class"),
    ("edges", "declared_by"), ("contradictions", "kind"), ("contradictions", "cue_similarity"),
}
TIERS = [("self/constitutional", 0.00001), ("self/value", 0.001), ("self/constraint", 0.001), ("self/goal", 0.001)]
failures = []


def check(holds, *what):
    if not holds:
        failures.append(" ".join(str(part) for part in what))


def elfmem(memory, *arguments, fails=False):
    home = WORK / "home"
    home.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [PROGRAM, "--db", str(memory), "--embedder", "static", "--json", *map(str, arguments)],
        capture_output=True, text=True, env={"HOME": str(home), "PATH": "/usr/bin:/bin"},
    )
    check((done.returncode != 0) == fails, arguments, "ended with", done.returncode, done.stdout[-500:], done.stderr[-500:])
    try:
        return json.loads(done.stdout or done.stderr or "{}")
    except json.JSONDecodeError:
        return {"text": done.stdout + done.stderr}


def rows(path, table, columns=None, where="1"):
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    found = [dict(row) for row in connection.execute(f"SELECT * FROM {table} WHERE {where}")]
    connection.close()
    return [{key: row[key] for key in columns} for row in found] if columns else found


def tables(path):
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    names = [name for (name,) in connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")]
    connection.close()
    return names


def same(one, other):
    if isinstance(one, float) and isinstance(other, (int, float)):
        return math.isclose(one, other, rel_tol=0, abs_tol=1e-9)
    return one == other


def tier_of(tags, category, stored):
    own = min((rate for tag, rate in TIERS if tag in tags), default={"mind": 0.001, "observation": 0.05}.get(category, 0.01))
    return stored if own > 0.001 and own <= stored <= 0.05 else own


def exchanged(before):
    """Ids of texts that stood both archived and live: the live one gets the id of the text."""
    by_text = {}
    for block in before:
        by_text.setdefault(block["content"].strip().lower(), []).append(block)
    swaps = {}
    for twins in by_text.values():
        archived = [block for block in twins if block["status"] == "archived"]
        live = [block for block in twins if block["status"] != "archived"]
        if archived and live:
            swaps[archived[0]["id"]], swaps[live[0]["id"]] = live[0]["id"], archived[0]["id"]
    return swaps


def compare_blocks(old, new, hours):
    before = rows(old, "blocks")
    swaps = exchanged(before)
    after = {block["id"]: block for block in rows(new, "blocks")}
    tags = {}
    for row in rows(new, "block_tags"):
        tags.setdefault(row["block_id"], []).append(row["tag"])
    check(len(after) == len(before), "blocks", len(before), len(after))
    for block in before:
        kept = after.get(swaps.get(block["id"], block["id"]))
        if kept is None:
            check(False, "block", block["id"], "is gone")
            continue
        for column, value in block.items():
            if column == "id" or ("blocks", column) in ELSEWHERE:
                continue
            expected = value
            if column == "decay_lambda" and block["status"] != "archived":
                expected = tier_of(tags.get(kept["id"], []), block["category"], value)
            if column == "last_reinforced_at" and block["status"] == "inbox":
                expected = hours
            if column == "superseded_by":
                expected = swaps.get(value, value)
            if column in ("share",):
                expected = value or "private"
            check(same(expected, kept[column]), "block", block["id"], column, value, "became", kept[column])
        if "success_count" in block:
            good, bad = block["success_count"], block["failure_count"]
            check(math.isclose(kept["confidence"], good / (good + bad), abs_tol=1e-9), "belief of", block["id"])
    return swaps


def compare_tables(old, new, swaps):
    def swapped(row):
        return {key: swaps.get(value, value) if key.endswith("_id") or key == "declared_by" else value
                for key, value in row.items()}

    def canonical(row, one, other):
        if row[one] > row[other]:
            row[one], row[other] = row[other], row[one]
        return row

    kept = {(row["from_id"], row["to_id"]): row for row in rows(new, "edges")}
    pairs = {}
    for edge in map(swapped, rows(old, "edges")):
        if edge["from_id"] != edge["to_id"]:
            asserted = edge["origin"] in ("agent", "user")
            strength = (asserted, edge["weight"], edge["reinforcement_count"])
            edge["said_by"] = edge.get("declared_by")
            edge = canonical(edge, "from_id", "to_id")
            key = (edge["from_id"], edge["to_id"])
            if key not in pairs or strength > pairs[key][0]:
                pairs[key] = (strength, edge)
    check(set(pairs) == set(kept), "edges", set(pairs) ^ set(kept))
    for key, (_, edge) in pairs.items():
        for column, value in edge.items():
            if column in kept.get(key, {}) and ("edges", column) not in ELSEWHERE:
                check(same(value, kept[key][column]), "edge", key, column, value, "became", kept[key][column])
        if edge["said_by"] and key in kept:
            check(kept[key]["asserted_from"] == edge["said_by"], "direction of", key)

    said = [canonical(row, "block_a_id", "block_b_id") for row in map(swapped, rows(old, "contradictions"))]
    near = [row for row in said if row.get("kind") == "near_duplicate"]
    said = [row for row in said if row.get("kind", "contradiction") != "near_duplicate"]
    columns = ["block_a_id", "block_b_id", "score", "resolved", "created_at"]
    ordered = lambda found: sorted(found, key=lambda row: json.dumps(row, sort_keys=True))  # noqa: E731
    said = [{column: row[column] for column in columns} for row in said]
    check(ordered(said) == ordered(rows(new, "contradictions", columns)), "contradictions")
    proposals = {frozenset((row["block_id"], row["other_id"])): row for row in rows(new, "proposals")}
    for row in near:
        proposal = proposals.get(frozenset((row["block_a_id"], row["block_b_id"])))
        check(proposal and proposal["kind"] == "near_duplicate", "near-duplicate", row, "is no proposal")

    columns = ["block_id", "signal", "weight", "source", "confidence_before", "confidence_after", "created_at"]
    outcomes = [{c: row[c] for c in columns} for row in map(swapped, rows(old, "block_outcomes"))]
    check(outcomes == rows(new, "block_outcomes", columns), "outcomes")
    check([row["id"] for row in rows(old, "block_outcomes")]
          == [row["outcome_id"] for row in rows(new, "block_outcomes")], "names of outcomes")
    check(ordered(map(swapped, rows(old, "block_tags"))) == ordered(rows(new, "block_tags")), "tags")
    columns = ["from_id", "to_id", "count"]
    staged = [canonical(row, "from_id", "to_id") for row in map(swapped, rows(old, "co_retrieval_staging", columns))]
    check(ordered(staged) == ordered(rows(new, "co_retrieval_staging", columns)), "pairs that were seen together")
    columns = ["id", "task_type", "started_at", "start_active_hours"]
    check(ordered(rows(old, "sessions", columns)) == ordered(rows(new, "sessions", columns)), "sessions")
    frames = "source <> 'builtin'"
    check(rows(old, "frames", where=frames) == rows(new, "frames", where=frames), "frames of the user")
    for table in ("peer_roster", "block_amendments"):
        if table in tables(old):
            check(ordered(map(swapped, rows(old, table))) == ordered(rows(new, table)), table)
    settings = {row["key"]: row["value"] for row in rows(new, "system_config")}
    for row in rows(old, "system_config"):
        if row["key"] != "schema_version":
            check(settings.get(row["key"]) == row["value"], "setting", row["key"], row["value"], settings.get(row["key"]))


def sound(memory, *what):
    found = elfmem(memory, "verify")
    check(found.get("sound"), *what, "verify:", json.dumps(found)[:600])
    found = elfmem(memory, "doctor")
    check(found.get("sound"), *what, "doctor:", json.dumps([c for c in found.get("checks", []) if c["verdict"] == "problem"]))


def adopt(name):
    original, memory = MADE / f"{name}.db", WORK / f"{name}.db"
    shutil.copy(original, memory)
    rehearsed = elfmem(memory, "adopt", "--dry-run")
    check(memory.read_bytes() == original.read_bytes(), name, "a dry run changed the file")
    report = elfmem(memory, "adopt")
    counts = report.get("adoption", {}).get("counts", {})
    check(rehearsed.get("adoption", {}).get("counts") == counts, name, "the dry run counted otherwise")
    backup = pathlib.Path(report["adoption"]["backup"])
    check(backup.exists(), name, "no backup")
    before = rows(original, "blocks")
    for status in ("inbox", "active", "archived"):
        check(counts.get(status) == sum(row["status"] == status for row in before), name, status, counts)
    hours = float(next(row["value"] for row in rows(original, "system_config") if row["key"] == "total_active_hours"))
    swaps = compare_blocks(original, memory, hours)
    compare_tables(original, memory, swaps)
    sound(memory, name, "after adoption")
    return memory, swaps


def by_text(path):
    """What a memory holds, by texts instead of ids: live blocks, edges between them, contradictions."""
    blocks = {row["id"]: row for row in rows(path, "blocks")}
    tags = {}
    for row in rows(path, "block_tags"):
        tags.setdefault(row["block_id"], set()).add(row["tag"])
    texts = {name: row["content"].strip().lower() for name, row in blocks.items() if row["status"] != "archived"}
    live = {text: {**blocks[name], "tags": tags.get(name, set())} for name, text in texts.items()}
    edges, said = {}, {}
    for row in rows(path, "edges"):
        if row["from_id"] in texts and row["to_id"] in texts and row["from_id"] != row["to_id"]:
            key = frozenset((texts[row["from_id"]], texts[row["to_id"]]))
            if key not in edges or strength_of(row) > strength_of(edges[key]):
                edges[key] = row
    for row in rows(path, "contradictions"):
        if row.get("kind") != "near_duplicate" and row["block_a_id"] in texts and row["block_b_id"] in texts:
            said[frozenset((texts[row["block_a_id"]], texts[row["block_b_id"]]))] = row["resolved"]
    return live, edges, said


def compare_archive(original, into, name):
    """Archived texts have arrived with their reason and belief, but for those that are live too."""
    live = {row["content"].strip().lower() for row in rows(original, "blocks") if row["status"] != "archived"}
    there = {row["content"].strip().lower(): row for row in rows(into, "blocks") if row["status"] == "archived"}
    for block in rows(original, "blocks", where="status = 'archived'"):
        text = block["content"].strip().lower()
        if text in live:
            continue
        for column in ("archive_reason", "confidence", "reinforcement_count", "created_at", "outcome_evidence"):
            check(same(block[column], there.get(text, {}).get(column)), name, "archived", text, column, block[column], "became",
                  there.get(text, {}).get(column))


def strength_of(edge):
    """What decides which of two edges of a pair stays."""
    return edge["origin"] in ("agent", "user"), edge["weight"], edge["reinforcement_count"]


def compare_import(original, into, name):
    """Every text has arrived, every live one with its labels, belief, use and edges, and what has not is named."""
    arrived = {row["content"].strip().lower() for row in rows(into, "blocks")}
    for block in rows(original, "blocks"):
        check(block["content"].strip().lower() in arrived, name, "lost", block["content"])
    (live, edges, said), (there, joined, heard) = by_text(original), by_text(into)
    check(live.keys() == there.keys(), name, "live texts", live.keys() ^ there.keys())
    for text in live.keys() & there.keys():
        for column in ("status", "category", "source", "created_at", "confidence", "reinforcement_count", "outcome_evidence",
                       "self_alignment", "tags", "pinned", "cue", "last_session_id", "token_count", "summary"):
            if column in live[text]:
                check(same(live[text][column], there[text][column]), name, column, "of", text, live[text][column],
                      "became", there[text][column])
    check(edges.keys() == joined.keys(), name, "edges", [sorted(key) for key in edges.keys() ^ joined.keys()])
    for key in edges.keys() & joined.keys():
        for column in ("weight", "relation_type", "origin", "reinforcement_count", "note"):
            check(same(edges[key][column], joined[key][column]), name, "edge", sorted(key), column, edges[key][column],
                  "became", joined[key][column])
    check(said == heard, name, "contradictions", said, heard)
    compare_archive(original, into, name)
    for table, columns in (("sessions", ["id", "task_type", "started_at"]), ("co_retrieval_staging", ["count"])):
        came = [json.dumps(row, sort_keys=True) for row in rows(into, table, columns)]
        for row in rows(original, table, columns):
            check(json.dumps(row, sort_keys=True) in came, name, "lost of", table, row)
    check(len(rows(into, "block_outcomes")) == len(rows(original, "block_outcomes")), name, "outcomes")
    mine = [row for row in rows(into, "frames") if row["name"] == "mine"]
    check([row["template"] for row in mine] == [row["template"] for row in rows(original, "frames", where="name = 'mine'")],
          name, "the user's frame")


def skipped_of(report):
    return {place for entry in report.get("skipped", []) for place in entry["places"]}


def compare_left_behind(original, report, name):
    """What stays behind is named with its count and why."""
    for table in ("peer_roster", "block_amendments"):
        if table in tables(original):
            told = [entry for entry in report.get("skipped", []) if table in entry["places"]]
            count = sum(entry["places"].count(table) for entry in told)
            check(count == len(rows(original, table)) and all(entry["reason"] for entry in told), name, "names", count, "of",
                  table)
            check(sum(entry["count"] for entry in told) >= count, name, "counts", told)


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir()
    memory, swaps = adopt("full")
    adopt("inbox")
    ids = json.loads((MADE / "ids.json").read_text())
    original = MADE / "full.db"

    blamed = elfmem(memory, "blame", ids["maria"])
    stored = [row for row in rows(original, "block_outcomes") if row["block_id"] == ids["maria"]]
    check(len(blamed.get("outcomes", [])) == len(stored) > 0, "blame counts", blamed.get("outcomes"))
    again = elfmem(memory, "learn", "the staging port is 5433")
    check(again.get("status") == "duplicate_rejected", "learning a twin again:", again)

    imported = WORK / "imported.db"
    report = elfmem(imported, "import", original)
    compare_import(original, imported, "import")
    for needed in ("peer_roster", "setting peer_identity"):
        check(needed in skipped_of(report), "import does not name", needed, report.get("skipped"))
    compare_left_behind(original, report, "import")
    sound(imported, "after import")
    exported = WORK / "export.jsonl"
    shutil.copy(original, WORK / "adopted.db")
    report = elfmem(WORK / "adopted.db", "export", exported)
    check(any("peer_roster" in entry["places"] for entry in report.get("skipped", [])), "export does not name peers", report)
    elfmem(WORK / "moved.db", "import", exported)
    compare_import(original, WORK / "moved.db", "export and import")
    sound(WORK / "moved.db", "after export and import")
    elfmem(WORK / "third.db", "import", "--from", "database", WORK / "adopted.db")
    compare_import(original, WORK / "third.db", "import of the adopted file")

    # Four hundred hours later the constitution is still there.
    with sqlite3.connect(imported) as connection:
        connection.execute("UPDATE system_config SET value = value + 400 WHERE key = 'total_active_hours'")
    connection.close()
    elfmem(imported, "dream")
    with sqlite3.connect(imported) as connection:
        connection.execute("UPDATE system_config SET value = value + 4000 WHERE key = 'total_active_hours'")
    connection.close()
    elfmem(imported, "curate")
    faded = [row["content"] for row in rows(imported, "blocks", where="status = 'archived' AND archive_reason = 'decayed'")]
    check("i never hide a mistake" not in faded and "it rained at the offsite" in faded, "curate archived", faded)

    # The Python elfmem goes on writing to the adopted file.
    subprocess.run([PYTHON, str(HERE / "write.py"), str(WORK / "adopted.db")], check=True)
    sound(WORK / "adopted.db", "after the Python elfmem wrote to it")
    recalled = json.dumps(elfmem(WORK / "adopted.db", "recall", "giraffes outside"))
    check("giraffes were seen outside" in recalled, "what the Python elfmem wrote is not found", recalled[:300])
    log = json.dumps(elfmem(WORK / "adopted.db", "log"))
    check("found_outside" in log, "the journal does not say that it was found outside")

    for statement, table, words in BAD:
        broken = WORK / "broken.db"
        shutil.copy(original, broken)
        with sqlite3.connect(broken) as connection:
            connection.execute("PRAGMA foreign_keys = OFF")
            connection.execute(statement.format(**ids))
        connection.close()
        before = sorted(path.name for path in WORK.iterdir())
        told = json.dumps(elfmem(broken, "status", fails=True))
        check(all(word in told for word in (table, words, "--leave-out")), statement, "is told as", told[:400])
        check(sorted(path.name for path in WORK.iterdir()) == before, statement, "left litter")
        report = elfmem(broken, "adopt", "--leave-out")
        left_out = report.get("adoption", {}).get("left_out", [])
        check(any(row["table"] == table for row in left_out), statement, "left out", left_out)
        sound(broken, "without", table)
        for path in WORK.glob("broken.db*"):
            path.unlink()

    for failure in failures:
        print("FAILED:", failure)
    print(f"{MADE.name}: {len(failures)} failures")
    sys.exit(1 if failures else 0)


BAD = [
    ("UPDATE edges SET from_id = 'ffffffffffffffff', to_id = '0missing' WHERE rowid = 1", "edges", "which is not there"),
    ("UPDATE blocks SET created_at = 'last tuesday' WHERE id = '{maria}'", "blocks", "last tuesday"),
    ("UPDATE blocks SET status = 'asleep' WHERE id = '{maria}'", "blocks", "asleep"),
    ("UPDATE frames SET weights_json = 'much' WHERE name = 'mine'", "frames", "definition"),
]
main()
