"""The built-in encoder in JAX: its word pieces, its weights and its layers."""

import struct
import unicodedata

import jax
import jax.numpy as jnp
import numpy as np

HEADS = 12


class WordPieces:
    """Splits a text as uncased BERT does; pieces that stand for no text are left out."""

    def __init__(self, vocabulary):
        with open(vocabulary, encoding="utf8") as lines:
            self.ids = {line.rstrip("\n"): number for number, line in enumerate(lines)}

    def words(self, text):
        word = ""
        for char in unicodedata.normalize("NFD", text.lower()):
            kind = unicodedata.category(char)
            if kind == "Mn" or (kind.startswith("C") and not char.isspace()):
                continue
            sign = kind.startswith("P") or (ord(char) < 128 and not char.isalnum())
            if char.isspace() or sign:
                if word:
                    yield word
                word = ""
                if sign and not char.isspace():
                    yield char
            else:
                word += char
        if word:
            yield word

    def pieces(self, text):
        found = []
        for word in self.words(text):
            start, pieces = 0, []
            while start < len(word) <= 100:
                ends = range(len(word), start, -1)
                keys = (("##" if start else "") + word[start:end] for end in ends)
                end, piece = next(((e, self.ids[k]) for e, k in zip(ends, keys) if k in self.ids), (None, None))
                if piece is None:
                    pieces = []
                    break
                pieces.append(piece)
                start = end
            found += pieces
        return [piece for piece in found if piece >= 999]


def load(path):
    """Reads a trained file. Returns the weights and the two marks."""
    data = open(path, "rb").read()
    assert data[:4] == b"ELFB", path
    sizes = struct.unpack("<12I", data[4:52])
    _, rows, table_width, width, layers, _, inner, outputs, positions, _, start, end = sizes
    assert table_width == width
    at = 52

    def vector(length):
        nonlocal at
        found = np.frombuffer(data, "<f4", length, at)
        at += 4 * length
        return found.copy()

    def matrix(rows, columns):
        nonlocal at
        scales = vector(rows)
        found = np.frombuffer(data, "i1", rows * columns, at).reshape(rows, columns)
        at += rows * columns
        return scales[:, None] * found.astype(np.float32)

    weights = {"table": matrix(rows, width), "positions": matrix(positions, width), "norm": [vector(width), vector(width)]}
    weights["layers"] = [
        {
            "qkv": matrix(3 * width, width), "qkv_bias": vector(3 * width),
            "out": matrix(width, width), "out_bias": vector(width), "norm1": vector(width), "shift1": vector(width),
            "inner": matrix(inner, width), "inner_bias": vector(inner),
            "outer": matrix(width, inner), "outer_bias": vector(width), "norm2": vector(width), "shift2": vector(width),
        }
        for _ in range(layers)
    ]
    matrix(outputs, width), vector(outputs)
    assert at == len(data)
    return weights, start, end


def norm(x, gain, shift):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(variance + 1e-12) * gain + shift


def layer(x, mask, w, key=None):
    """One layer over a batch; with a key, a tenth of what it adds is dropped."""

    def drop(x, number):
        if key is None:
            return x
        return x * jax.random.bernoulli(jax.random.fold_in(key, number), 0.9, x.shape) / 0.9

    batch, length, width = x.shape
    split = lambda z: z.reshape(batch, length, HEADS, width // HEADS).transpose(0, 2, 1, 3)
    q, k, v = map(split, jnp.split(x @ w["qkv"].T + w["qkv_bias"], 3, -1))
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(width / HEADS) - 1e9 * (1 - mask)[:, None, None, :]
    attended = (jax.nn.softmax(scores, -1) @ v).transpose(0, 2, 1, 3).reshape(batch, length, width)
    x = norm(x + drop(attended @ w["out"].T + w["out_bias"], 0), w["norm1"], w["shift1"])
    inner = jax.nn.gelu(x @ w["inner"].T + w["inner_bias"], approximate=False)
    return norm(x + drop(inner @ w["outer"].T + w["outer_bias"], 1), w["norm2"], w["shift2"])
