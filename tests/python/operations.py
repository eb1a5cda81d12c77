"""Random operations, by the ids of the Python memory and by those of ours."""


def next_operation(draw, texts, now):
    """A random operation that makes sense in a state."""
    active = [block for block in now.blocks.values() if block["status"] == "active"]
    inbox = sum(block["status"] == "inbox" for block in now.blocks.values())
    if inbox >= 5:
        return {"operation": "dream", "arguments": {}}
    kinds = ["learn"] * 8
    if inbox:
        kinds += ["dream"]
    if len(active) > 2:
        kinds += ["outcome"] * 4 + ["connect"] * 5 + ["disconnect"] + ["recall"] + ["curate"] + ["age"] + ["session"]
    kind = draw.choice(kinds)
    ids = [block["id"] for block in active]
    if kind == "learn":
        text, tags, category = texts.draw(draw, [block["content"] for block in now.blocks.values()])
        return {"operation": kind, "arguments": {"content": text, "tags": tags, "category": category}}
    if kind == "outcome":
        chosen = draw.sample(ids, min(len(ids), draw.choice([1, 2, 2, 3])))
        signal, weight = draw.choice([0.0, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1.0]), draw.choice([1.0, 1.0, 2.5])
        return {"operation": kind, "arguments": {"block_ids": chosen, "signal": signal, "weight": weight}}
    if kind == "connect":
        source, target = draw.choice(ids), draw.choice(ids)
        relation = draw.choice([None, "similar", "supports", "elaborates", "co_occurs", "contradicts", "my_own"])
        weight, if_exists = draw.choice([None, None, 0.3, 0.95]), draw.choice(["reinforce", "update", "skip", "error"])
        given = {"source": source, "target": target, "relation": relation, "weight": weight, "if_exists": if_exists}
        return {"operation": kind, "arguments": given}
    if kind == "disconnect":
        edges = list(now.edges.values())
        pair = draw.choice(edges)["ends"] if edges and draw.random() < 0.8 else draw.sample(ids, 2)
        return {"operation": kind, "arguments": {"source": pair[0], "target": pair[1]}}
    if kind == "recall":
        return {"operation": kind, "arguments": {"query": draw.choice(active)["content"][:40], "top_k": 3}}
    if kind == "age":
        return {"operation": kind, "arguments": {"hours": draw.choice([0.5, 5.0, 40.0, 75.0, 320.0])}}
    return {"operation": kind, "arguments": {}}


def with_our_ids(operation, theirs, ours):
    """The operation by the ids of our blocks: a text that stood there archived and live has changed ids with its copy."""
    texts = {block["id"]: text for text, block in theirs.blocks.items()}

    def own(value):
        if isinstance(value, list):
            return [own(part) for part in value]
        return ours.blocks[texts[value]]["id"] if value in texts else value

    named = ("block_ids", "source", "target")
    given = {key: own(value) if key in named else value for key, value in operation["arguments"].items()}
    return {**operation, "arguments": given}
