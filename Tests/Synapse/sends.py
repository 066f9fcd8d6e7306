"""sends.py PROGRAM SERVER-FOLDER PORT FOLDER KILLS SEED: kills `kedge-matrix serve` at random moments while it sends, and looks into the
server's database and into the archive: every post is there once, in its order."""

import collections
import json
import pathlib
import random
import socket
import sqlite3
import subprocess
import sys
import threading
import time

from client import Client, environment

program, server, port, folder, kills, seed = sys.argv[1:]
port, kills = int(port), int(kills)
chance = random.Random(int(seed))
print(f"seed {seed}")


class Kedge(threading.Thread):
    """Sends posts, each again until there is a response to it, and begins the helper anew when it is gone."""

    def __init__(self, variables, archive):
        super().__init__()
        self.variables, self.archive = variables, archive
        self.conversations = sorted(path.name for path in pathlib.Path(archive, "conversations").iterdir())
        self.posts, self.open, self.failure = [], collections.OrderedDict(), None
        self.process, self.is_over = None, False

    def run(self):
        try:
            while not self.is_over or self.open:
                self.serve()
        except Exception as failure:
            self.failure = failure

    def serve(self):
        self.process = subprocess.Popen(
            [program, "serve", "--archive", self.archive], env=self.variables, stdout=subprocess.PIPE, text=True)
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


def faults(kedge, rooms):
    """Compares the posts with the server's database and with the archive."""
    database = sqlite3.connect(f"file:{server}/homeserver.db?mode=ro", uri=True)
    query = """select json_extract(json, '$.content.body') from event_json join events using (event_id)
               where events.room_id = ? and type = 'm.room.message' order by stream_ordering"""
    for conversation in kedge.conversations:
        folder = pathlib.Path(kedge.archive, "conversations", conversation)
        room = json.loads((folder / "conversation.json").read_text())["matrix"]["room"]
        wanted = [f"post {number}" for number, name in enumerate(kedge.posts, 1) if name == conversation]
        if [row[0] for row in database.execute(query, (room,))] != wanted:
            yield f"{conversation}: the server has other posts than were sent"
        records = [json.loads(line) for path in sorted(folder.glob("messages-*.jsonl")) for line in path.open()]
        posts = [record for record in records if record.get("text", "").startswith("post ")]
        if [record["text"] for record in posts] != wanted:
            yield f"{conversation}: the archive has other posts than were sent"
        if any(record.get("transaction") != f"01TEST{int(record['text'][5:]):08}" for record in posts):
            yield f"{conversation}: a record does not name its transaction"
    left = list(pathlib.Path(kedge.archive, "matrix/outbox").glob("[!.]*"))
    if left:
        yield f"{len(left)} posts are left in the journal"


def main():
    variables = environment(folder)
    user = Client(port).register("cleo" + str(int(time.time() * 1000)))
    rooms = [user.make_room(f"Send {number}") for number in range(2)]
    address = f"http://127.0.0.1:{port}"
    for arguments in (["login", user.user, "--server", address], ["sync", user.user, "--once", "--quiet"]):
        subprocess.run(
            [program, *arguments], input="secret", text=True, env=variables, check=True, stdout=subprocess.DEVNULL)
    archive = str(next(path for path in pathlib.Path(folder, "data/kedge/matrix").iterdir() if "cleo" in path.name))
    kedge = Kedge(variables, archive)
    kedge.start()
    for _ in range(kills):
        time.sleep(0.05 + chance.uniform(0, 1) ** 2)
        if kedge.failure:
            break
        if kedge.process:
            kedge.process.kill()
    kedge.is_over = True
    kedge.join()
    if kedge.failure:
        sys.exit(f"the sender failed: {kedge.failure}")
    subprocess.run([program, "sync", user.user, "--once", "--history", "--quiet"], env=variables, check=True)
    print(f"{kills} kills while {len(kedge.posts)} posts were sent")
    sys.exit("\n".join(faults(kedge, rooms)) or 0)


main()
