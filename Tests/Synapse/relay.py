"""The socket of `kedge-matrix serve`, as kedge uses it."""

import json
import os
import pathlib
import socket
import subprocess
import threading
import time


class Helper:
    """A helper that runs until it is stopped, and a connection to it. Responses come in any order, and news between them."""

    def __init__(self, kedge):
        self.process = kedge.start(
            kedge.helper_program, "serve", "--archive", str(kedge.archive), stdout=subprocess.PIPE, text=True)
        path = self.process.stdout.readline().strip()
        if not path:
            raise ConnectionError(f"the helper ended with status {self.process.wait()}")
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.number, self.responses, self.news = 0, {}, []
        self.changed = threading.Condition()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        self.ask(hello=1)

    def read(self):
        with self.socket.makefile() as lines:
            for line in lines:
                with self.changed:
                    value = json.loads(line)
                    if "n" in value:
                        self.responses[value["n"]] = value
                    else:
                        self.news.append(value)
                    self.changed.notify_all()

    def begin(self, **content):
        """Sends a request.
        Returns its number."""
        self.number += 1
        self.socket.sendall(json.dumps({"n": self.number, **content}).encode() + b"\n")
        return self.number

    def response(self, number):
        with self.changed:
            assert self.changed.wait_for(lambda: number in self.responses, 60), f"no response to request {number}"
            return self.responses.pop(number)

    def ask(self, **content):
        return self.response(self.begin(**content))

    def wait(self, is_wanted):
        """Waits for news."""
        with self.changed:
            assert self.changed.wait_for(lambda: any(map(is_wanted, self.news)), 60), f"only these news: {self.news}"

    def begin_post(self, conversation, post):
        post = {"at": int(time.time() * 1000), "from": "me", **post}
        return self.begin(send={"conversation": conversation, "post": post})

    def begin_fill(self, conversation, segment, side):
        """Asks for a page at a side of a segment, where a gap is.
        Returns the number of the request."""
        return self.begin(fill={"conversation": conversation, "segment": segment, "side": side, "limit": 50})

    def begin_fills(self, conversation, gaps):
        """Asks for a page at each end of some gaps.
        Returns the numbers of the requests."""
        asked = []
        for older, edge in gaps:
            asked.append(self.begin_fill(conversation, edge, "before"))
            if older:
                asked.append(self.begin_fill(conversation, older, "after"))
        return asked

    def done(self, numbers):
        """Waits until some requests are done, without a failure."""
        for number in numbers:
            response = self.response(number)
            assert "ok" in response, response

    def post(self, conversation, **post):
        """Sends a post, which is to be accepted."""
        response = self.response(self.begin_post(conversation, post))
        assert "ok" in response, f"{post}: {response}"

    def wakeups(self):
        """How often its threads have been woken."""
        total = 0
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            status = pathlib.Path(f"/proc/{self.process.pid}/task/{task}/status").read_text()
            total += sum(int(line.split()[1]) for line in status.splitlines() if line.startswith("voluntary"))
        return total

    def kill(self):
        self.process.kill()
        self.process.wait(30)
        self.socket.close()

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
        self.socket.close()


def most_memory(process):
    """The most memory that a process has had, in MB; None if it has ended."""
    lines = pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next((int(line.split()[1]) / 1000 for line in lines if line.startswith("VmHWM")), None)
