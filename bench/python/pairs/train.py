"""Trains the classifier of pairs on top of the first two layers of the built-in encoder.

    pip install jax optax numpy
    python3 bench/python/pairs/train.py ENCODER.bin TRAINED.bin
    cargo run --release -p elfmem-encoder --example lay_out_pairs -- TRAINED.bin

ENCODER.bin is the trained file of the encoder (MODEL_CARD.md). The pairs are bench/data/families and a part of
bench/data/pairs.jsonl; those of the other authors are only scored. Takes about twenty minutes on two cores.
"""

import json
import pathlib
import random
import struct
import sys

import jax
import jax.numpy as jnp
import numpy as np
import optax

from encoder import WordPieces, layer, load, norm

ROOT = pathlib.Path(__file__).resolve().parents[3]
FIRST_LAYERS, MAX_PIECES, HIDDEN = 2, 38, 256
LABELS = {"related": 0, "unrelated": 0, "update": 1, "contradiction": 2, "paraphrase": 3, "duplicate": 3}
KEYS = {"u": "update", "c": "contradiction", "p": "paraphrase", "d": "duplicate", "r": "related"}
LENGTH = MAX_PIECES + 2


def family_pairs(families, chance):
    """Returns (older, newer, label, weight). Paraphrases of the older text stand in its place too, with a smaller weight."""
    rows = []
    for family in families:
        older = family["a"]
        new = {label: family.get(key) or [] for key, label in KEYS.items()}
        rows += [(older, text, label, 1.0) for label, texts in new.items() for text in texts]
        for same in new["paraphrase"] + new["duplicate"]:
            for label in ("update", "contradiction", "related", "paraphrase"):
                rows += [(same, text, label, 0.6) for text in new[label] if text != same and chance.random() < 0.4]
        other = chance.choice(families)
        if other is not family:
            rows.append((older, chance.choice([other["a"]] + (other.get("r") or [])), "unrelated", 0.5))
    return rows


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def swapped(rows):
    """What contradicts or says the same does so in both orders."""
    return [(newer, older, label, weight) for older, newer, label, weight in rows
            if weight == 1 and label in ("contradiction", "paraphrase")]


class Trainer:
    def __init__(self, encoder):
        self.weights, self.start, self.end = load(encoder)
        self.pieces = WordPieces(ROOT / "crates/models/model/vocab.txt")
        first = self.weights["layers"][:FIRST_LAYERS]
        table, positions = jnp.array(self.weights["table"]), self.weights["positions"]

        @jax.jit
        def states(ids, mask):
            x = norm(table[ids] + positions[: ids.shape[1]], *self.weights["norm"])
            for weights in first:
                x = layer(x, mask, weights)
            return x

        self.states = states

    def padded(self, texts):
        """Returns the pieces of texts between the two marks, and which are there."""
        ids, mask = np.zeros((len(texts), LENGTH), np.int32), np.zeros((len(texts), LENGTH), np.float32)
        for number, text in enumerate(texts):
            pieces = [self.start] + self.pieces.pieces(text)[:MAX_PIECES] + [self.end]
            ids[number, : len(pieces)], mask[number, : len(pieces)] = pieces, 1
        return ids, mask

    def encode(self, rows):
        """Returns the states after the first layers of both texts, their masks, labels and weights."""
        sides = []
        for side in (0, 1):
            ids, mask = self.padded([row[side] for row in rows])
            parts = [np.array(self.states(ids[at : at + 256], mask[at : at + 256]), np.float16)
                     for at in range(0, len(rows), 256)]
            sides.append((np.concatenate(parts), mask))
        (a, mask_a), (b, mask_b) = sides
        labels = np.array([LABELS[row[2]] for row in rows], np.int32)
        return [a, b, mask_a, mask_b, labels, np.array([row[3] for row in rows], np.float32)]

    def new(self, key):
        width, keys = self.weights["table"].shape[1], jax.random.split(key, 3)
        normal = lambda key, *shape: 0.02 * jax.random.normal(key, shape)
        return {
            "layers": jax.tree.map(jnp.array, self.weights["layers"][FIRST_LAYERS:]),
            "segments": normal(keys[0], 2, width),
            "hidden": normal(keys[1], HIDDEN, 4 * width), "hidden_bias": jnp.zeros(HIDDEN),
            "output": normal(keys[2], 4, HIDDEN), "output_bias": jnp.zeros(4),
        }


def scores(model, a, b, mask_a, mask_b, key=None):
    mask = jnp.concatenate([mask_a, mask_b], 1)
    x = jnp.concatenate([a + model["segments"][0], b + model["segments"][1]], 1).astype(jnp.float32)
    for number, weights in enumerate(model["layers"]):
        x = layer(x, mask, weights, None if key is None else jax.random.fold_in(key, 10 + number))
    length = a.shape[1]
    mean = lambda x, mask: (x * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    one, other = mean(x[:, :length], mask_a), mean(x[:, length:], mask_b)
    features = jnp.concatenate([x[:, 0], x[:, length], one - other, one * other], -1)
    hidden = jax.nn.gelu(features @ model["hidden"].T + model["hidden_bias"], approximate=False)
    if key is not None:
        hidden = hidden * jax.random.bernoulli(jax.random.fold_in(key, 99), 0.9, hidden.shape) / 0.9
    return hidden @ model["output"].T + model["output_bias"]


def train(model, data, epochs, rate, seed, batch=64):
    a, b, mask_a, mask_b, labels, weights = data
    steps = epochs * (len(labels) // batch)
    schedule = optax.warmup_cosine_decay_schedule(0, rate, int(0.08 * steps), steps, 0.02 * rate)
    matrices = jax.tree.map(lambda x: x.ndim > 1, model)
    optimiser = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule, weight_decay=0.02, mask=matrices))
    state = optimiser.init(model)

    def loss(model, part, key):
        wanted = 0.95 * jax.nn.one_hot(part[4], 4) + 0.05 / 4
        found = -(wanted * jax.nn.log_softmax(scores(model, *part[:4], key))).sum(-1)
        return (found * part[5]).sum() / part[5].sum()

    @jax.jit
    def step(model, state, part, key):
        value, slope = jax.value_and_grad(loss)(model, part, key)
        change, state = optimiser.update(slope, state, model)
        return optax.apply_updates(model, change), state, value

    chance, lengths = np.random.default_rng(seed), np.maximum(mask_a.sum(1), mask_b.sum(1)).astype(int)
    done = 0
    for epoch in range(epochs):
        order = chance.permutation(len(labels))
        # Texts of about one length go together, so that little is padding.
        order = order[np.argsort(lengths[order] // 8 + 0.99 * chance.random(len(order)), kind="stable")]
        batches = [order[at : at + batch] for at in range(0, len(order) - batch + 1, batch)]
        chance.shuffle(batches)
        total = 0.0
        for rows in batches:
            cut = min(LENGTH, -(-lengths[rows].max() // 8) * 8)
            part = [a[rows][:, :cut].astype(np.float32), b[rows][:, :cut].astype(np.float32),
                    mask_a[rows][:, :cut], mask_b[rows][:, :cut], labels[rows], weights[rows]]
            model, state, value = step(model, state, part, jax.random.PRNGKey(seed * 100_000 + done))
            total, done = total + float(value), done + 1
        print(f"epoch {epoch}: loss {total / len(batches):.3f}", flush=True)
    return model


def report(name, model, data):
    a, b, mask_a, mask_b, labels, _ = data
    probabilities = jax.jit(lambda *part: jax.nn.softmax(scores(model, *part), -1))
    found = np.concatenate([
        np.array(probabilities(a[at : at + 128].astype(np.float32), b[at : at + 128].astype(np.float32),
                               mask_a[at : at + 128], mask_b[at : at + 128]))
        for at in range(0, len(labels), 128)])
    print(f"{name}: {(found.argmax(1) == labels).mean():.3f} right")
    for number, label in enumerate(("both true", "update", "contradiction", "the same")):
        print(f"  {label:14}", [int(((labels == number) & (found.argmax(1) == other)).sum()) for other in range(4)])


def write(model, path):
    """Writes the trained format that `lay_out_pairs` reads: matrices as bytes with a scale for each row."""
    out = bytearray(b"ELFC")
    width, inner = model["segments"].shape[1], model["layers"][0]["inner"].shape[0]
    out += struct.pack("<9I", 1, FIRST_LAYERS, width, len(model["layers"]), 12, inner, HIDDEN, 4, MAX_PIECES)

    def vector(values):
        out.extend(np.asarray(values, "<f4").tobytes())

    def linear(matrix, bias):
        matrix = np.asarray(matrix, np.float32)
        scales = np.maximum(np.abs(matrix).max(1) / 127, 1e-8)
        vector(scales)
        out.extend(np.clip(np.round(matrix / scales[:, None]), -127, 127).astype(np.int8).tobytes())
        vector(bias)

    vector(model["segments"][0])
    vector(model["segments"][1])
    for w in model["layers"]:
        linear(w["qkv"], w["qkv_bias"])
        linear(w["out"], w["out_bias"])
        vector(w["norm1"]), vector(w["shift1"])
        linear(w["inner"], w["inner_bias"])
        linear(w["outer"], w["outer_bias"])
        vector(w["norm2"]), vector(w["shift2"])
    linear(model["hidden"], model["hidden_bias"])
    linear(model["output"], model["output_bias"])
    pathlib.Path(path).write_bytes(out)


def main():
    encoder, target = sys.argv[1:3]
    chance, data = random.Random(1), ROOT / "bench/data"
    families = [lines(path) for path in sorted((data / "families").glob("*.jsonl"))]
    rows = [row for part in families for row in family_pairs(part, chance)]
    rows += swapped(rows)
    own = lines(data / "pairs.jsonl")
    rows += [(pair["a"], pair["b"], pair["label"], 0.5) for pair in own if chance.random() < 0.5]
    trainer = Trainer(encoder)
    model = train(trainer.new(jax.random.PRNGKey(0)), trainer.encode(rows), epochs=3, rate=3e-4, seed=0)
    for name in ("pairs-dev-2", "pairs-fresh", "pairs-third", "pairs-fourth"):
        pairs = [(pair["a"], pair["b"], pair["label"], 1.0) for pair in lines(data / f"{name}.jsonl")]
        report(name, model, trainer.encode(pairs))
    write(model, target)


if __name__ == "__main__":
    main()
