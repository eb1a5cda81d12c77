"""The program that the scripts of the red team attack."""

import json
import subprocess


class Memory:
    """A memory behind `elfmem serve`, spoken to over standard streams as the owner's agent."""

    def __init__(self, client, program, path, *scope, tools="all"):
        self.program, self.path, self.number = program, path, 0
        command = [program, "--db", path, *scope, "serve", "--tools", tools]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": client, "version": "1"}}
        self.request("initialize", hello)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method, params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.number:
                return answer

    def call(self, verb, **arguments):
        """The answer of a verb; a refusal is an answer too."""
        answer = self.request("tools/call", {"name": "elfmem_" + verb, "arguments": arguments})
        result = answer.get("result", {})
        return result.get("structuredContent") or {"refused": str(answer)[:300]}

    def text(self, verb, **arguments):
        """What a model reads."""
        answer = self.request("tools/call", {"name": "elfmem_" + verb, "arguments": arguments})
        return "\n".join(one.get("text", "") for one in answer.get("result", {}).get("content", []))

    def run(self, *words, given=""):
        """What the command line prints."""
        command = [self.program, "--db", self.path, *words]
        return subprocess.run(command, input=given.encode(), stdout=subprocess.PIPE, check=True).stdout.decode()

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=30)
