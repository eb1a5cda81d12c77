"""Puts ids of blocks that exist, and names of frames that exist, where any text fits, so that requests get past the first look.

A text takes the place of a text: what was wrong with a request stays wrong with it.
"""

from __future__ import annotations

import zlib
from typing import Any

import schemathesis

# The ids of the facts that api.py stores: an id is made from the text.
BLOCKS = ("0df8edae6b966de1", "980c1114", "b02d26a0f99d98e7")
FRAMES = ("attention", "self", "search", "task")
KNOWN = dict.fromkeys(("block", "source", "target", "old", "by", "a", "b", "keep"), BLOCKS) | {"name": FRAMES, "frame": FRAMES}


def known(name: str, value: object) -> object:
    """Another value for about two in three texts."""
    if name not in KNOWN or not isinstance(value, str):
        return value
    choice = zlib.crc32(value.encode(errors="replace")) % (len(KNOWN[name]) * 3 // 2)
    return KNOWN[name][choice] if choice < len(KNOWN[name]) else value


def replaced(values: Any) -> Any:
    return {name: known(name, value) for name, value in values.items()} if isinstance(values, dict) else values


@schemathesis.hook
def map_body(context: schemathesis.HookContext, body: Any) -> Any:
    return replaced(body)


@schemathesis.hook
def map_query(context: schemathesis.HookContext, query: Any) -> Any:
    return replaced(query)
