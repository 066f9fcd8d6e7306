"""sends.py FOLDER KILLS SEED: kills `kedge-matrix serve` at random moments while it sends, and looks into the server's database and into
the archive: every post is there once, in its order."""

import collections
import json
import random
import socket
import subprocess
import sys
import threading
import time

from kedge import Kedge
from server import Homeserver

folder, kills, seed = sys.argv[1:]
kills = int(kills)
chance = random.Random(int(seed))


class Sender(threading.Thread):
    """Sends posts, each again until there is a response to it, and begins the helper anew when it is gone."""

    def __init__(self, kedge):
        super().__init__()
        self.kedge = kedge
        self.conversations = sorted(path.name for path in kedge.conversations().values())
        self.posts, self.open, self.failure = [], collections.OrderedDict(), None
        self.process, self.is_over = None, False

    def run(self):
        try:
            while not self.is_over or self.open:
                self.serve()
        except Exception as failure:
            self.failure = failure

    def serve(self):
        self.process = self.kedge.start(
            self.kedge.helper_program, "serve", "--archive", self.kedge.archive, stdout=subprocess.PIPE, text=True)
        path = self.process.stdout.readline().strip()
        # Without a path, it was killed before it could listen.
        if path:
            try:
                self.talk(path)
            except (ConnectionError, FileNotFoundError):
                pass  # It was killed.
        self.process.wait()

    def talk(self, path):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(path)
            connection.sendall(b'{"n":0,"hello":1}\n')
            for number in list(self.open):
                self.send(connection, number)
            with connection.makefile() as lines:
                while not self.is_over or self.open:
                    while not self.is_over and len(self.open) < 3:
                        self.send(connection, self.new())
                    line = lines.readline()
                    if not line:
                        return
                    response = json.loads(line)
                    if "error" in response:
                        raise RuntimeError(f"refused: {response}")
                    if "ok" in response:
                        del self.open[response["n"]]
            self.process.terminate()

    def new(self):
        number = len(self.posts) + 1
        self.posts.append(chance.choice(self.conversations))
        self.open[number] = f"01TEST{number:08}"
        return number

    def send(self, connection, number):
        post = {"type": "message", "id": self.open[number], "at": 0, "from": "me", "text": f"post {number}"}
        request = {"n": number, "send": {"conversation": self.posts[number - 1], "post": post}}
        connection.sendall(json.dumps(request).encode() + b"\n")


def faults(sender, server):
    """Compares the posts with the server's database and with the archive."""
    query = """select json_extract(json, '$.content.body') from event_json join events using (event_id)
               where events.room_id = ? and type = 'm.room.message' order by stream_ordering"""
    for room, path in sender.kedge.conversations().items():
        wanted = [f"post {number}" for number, name in enumerate(sender.posts, 1) if name == path.name]
        with server.database() as database:
            if [body for body, in database.execute(query, (room,))] != wanted:
                yield f"{path.name}: the server has other posts than were sent"
        posts = [record for record in sender.kedge.records(room) if record.get("text", "").startswith("post ")]
        if [record["text"] for record in posts] != wanted:
            yield f"{path.name}: the archive has other posts than were sent"
        if any(record.get("transaction") != f"01TEST{int(record['text'][5:]):08}" for record in posts):
            yield f"{path.name}: a record does not name its transaction"
    left = list(sender.kedge.archive.glob("matrix/outbox/[!.]*"))
    if left:
        yield f"{len(left)} posts are left in the journal"


def main():
    kedge = Kedge(folder + "/kedge")
    with Homeserver(folder + "/server") as server:
        user = server.register("cleo")
        for number in range(2):
            user.make_room(f"Send {number}")
        kedge.login(user, server.address)
        kedge.matrix("sync", "--once", "--quiet")
        sender = Sender(kedge)
        sender.start()
        for _ in range(kills):
            time.sleep(0.05 + chance.uniform(0, 1) ** 2)
            if sender.failure:
                break
            if sender.process:
                sender.process.kill()
        sender.is_over = True
        sender.join()
        if sender.failure:
            sys.exit(f"the sender failed: {sender.failure}")
        kedge.matrix("sync", "--once", "--history", "--quiet")
        found = list(faults(sender, server))
    if found:
        sys.exit("\n".join(found))
    kedge.check_index()
    print(f"{kills} kills while {len(sender.posts)} posts were sent: all are there once, in order, and the index is right")


main()
