"""A model server for both programs on a loopback port, in the protocol of OpenAI. The same text gets the same answer.

It notes which pairs our program had compared."""

import base64
import json
import re
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import models

NOTE = re.compile(r"note \d+ [a-z0-9 ]+\.")
# How the instructions of our program begin when it asks for a comparison.
COMPARISON = "You compare two memories"


def embeddings(request):
    texts = request["input"] if isinstance(request["input"], list) else [request["input"]]
    data = []
    for at, text in enumerate(texts):
        vector = models.vector(text)
        if request.get("encoding_format") == "base64":
            vector = base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
        data.append({"object": "embedding", "index": at, "embedding": vector})
    return {"object": "list", "model": request["model"], "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def completion(request, compared):
    """One object that answers an analysis and a comparison, whichever was asked for."""
    text = " ".join(str(message["content"]) for message in request["messages"])
    notes = NOTE.findall(text)
    last = notes[-1] if notes else ""
    if COMPARISON in text and len(notes) > 1:
        compared.add(tuple(sorted(notes[-2:])))
    score = models.contradiction(notes[-2], last) if len(notes) > 1 else 0.0
    aligned = models.alignment(last)
    answer = {"alignment": aligned, "alignment_score": aligned, "tags": [], "summary": last or "nothing",
              "score": score, "reason": "always and never", "text": ""}
    message = {"role": "assistant", "content": json.dumps(answer)}
    return {"id": "1", "object": "chat.completion", "created": 0, "model": request["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = embeddings(request) if self.path.endswith("/embeddings") else completion(request, self.server.compared)
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def start():
    """Serves in the background; the address, and the set of pairs of texts that our program had compared so far."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.compared = set()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/v1", server.compared
