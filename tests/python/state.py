"""What a memory holds, in a form that can be compared: blocks by their text, edges by the texts of their ends."""

import math
import sqlite3
from collections import Counter
from dataclasses import dataclass, field

# Active hours by which the clocks of the programs may differ: they are not read at the same moment, and theirs is stored
# only when a session ends. The sequences let at least half an hour pass.
CLOCK = 0.1
# Fields of blocks and edges with how far they may differ.
BLOCK = {"category": None, "confidence": 1e-6, "outcome_evidence": 1e-6, "reinforcement_count": None,
         "decay_lambda": 1e-9, "last_reinforced_at": CLOCK, "self_alignment": 1e-6, "tags": None, "copies": None}
EDGE = {"weight": 2e-4, "relation_type": None, "origin": None, "reinforcement_count": None}
ORDER = {"active": 0, "inbox": 1, "archived": 2}


@dataclass
class State:
    blocks: dict = field(default_factory=dict)
    edges: dict = field(default_factory=dict)
    contradictions: dict = field(default_factory=dict)
    near_duplicates: set = field(default_factory=set)
    # How many edges a text's blocks have, those to archived blocks included, which theirs counts too.
    degrees: Counter = field(default_factory=Counter)
    # What the edges of a block weigh together, as theirs adds it up: those to archived blocks and contradictions included.
    weights: Counter = field(default_factory=Counter)
    hours: float = 0.0


@dataclass(frozen=True)
class Difference:
    """One field that differs: `block.confidence`, `edge.missing`, …"""

    what: str
    key: object
    theirs: object
    ours: object

    def __str__(self):
        return f"{self.what} of {self.key}: theirs {self.theirs}, ours {self.ours}"


def effective(edge):
    """What an edge weighs, its use included."""
    return edge["weight"] + 0.10 * math.log1p(edge["reinforcement_count"])


def text_of(content):
    return content.strip().lower()


def read(path):
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)
    connection.row_factory = sqlite3.Row
    found = State()
    by_id, status, rows = {}, {}, {}
    tags = {}
    for row in connection.execute("SELECT block_id, tag FROM block_tags"):
        tags.setdefault(row["block_id"], set()).add(row["tag"])
    for row in connection.execute("SELECT * FROM blocks"):
        block = {key: row[key] for key in row.keys() if key != "embedding"}
        block["tags"] = frozenset(tags.get(block["id"], ()))
        by_id[block["id"]], status[block["id"]] = text_of(block["content"]), block["status"]
        rows.setdefault(text_of(block["content"]), []).append(block)
    for text, same in rows.items():
        same.sort(key=lambda block: ORDER[block["status"]])
        found.blocks[text] = {**same[0], "copies": len(same)}
    for row in connection.execute("SELECT * FROM edges"):
        ends = (row["from_id"], row["to_id"])
        key = tuple(sorted(by_id[end] for end in ends))
        found.degrees.update(key)
        for end in ends:
            found.weights[end] += effective(row)
        if "archived" in (status[end] for end in ends):
            continue
        found.edges[key] = {**{name: row[name] for name in row.keys()}, "ends": ends}
    for row in connection.execute("SELECT * FROM contradictions"):
        kind = row["kind"] if "kind" in row.keys() else "contradiction"
        key = tuple(sorted((by_id[row["block_a_id"]], by_id[row["block_b_id"]])))
        if kind == "near_duplicate":
            found.near_duplicates.add(key)
        else:
            found.contradictions[key] = row["resolved"]
    (hours,) = connection.execute("SELECT value FROM system_config WHERE key = 'total_active_hours'").fetchone()
    found.hours = float(hours)
    connection.close()
    return found


def differs(one, other, tolerance):
    if tolerance is None or one is None or other is None:
        return one != other
    return not math.isclose(one, other, rel_tol=0, abs_tol=tolerance)


def compare(theirs, ours):
    found = []
    for kind, fields, left, right in (("block", BLOCK, theirs.blocks, ours.blocks), ("edge", EDGE, theirs.edges, ours.edges)):
        for key in left.keys() | right.keys():
            one, other = left.get(key), right.get(key)
            if one is None or other is None:
                found.append(Difference(f"{kind}.{'missing' if other is None else 'extra'}", key, one, other))
                continue
            if kind == "block" and one["status"] != other["status"]:
                found.append(Difference("block.status", key, one["status"], other["status"]))
                continue
            if kind == "block" and one["status"] == "archived":
                continue
            for name, tolerance in fields.items():
                if differs(one[name], other[name], tolerance):
                    found.append(Difference(f"{kind}.{name}", key, one[name], other[name]))
    for key in theirs.contradictions.keys() ^ ours.contradictions.keys():
        found.append(Difference("contradiction", key, theirs.contradictions.get(key), ours.contradictions.get(key)))
    return sorted(found, key=str)
