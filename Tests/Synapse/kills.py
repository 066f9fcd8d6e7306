"""kills.py PROGRAM SERVER-FOLDER PORT FOLDER KILLS SEED: kills `kedge-matrix sync` at random moments while others write, and compares
the archive with the server's database: every event is there once, in the server's order."""

import json
import os
import pathlib
import random
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


class Writer(threading.Thread):
    """Writes messages, bursts of them that no response holds, reactions, edits and redactions, until it is told to end."""

    def __init__(self, client, rooms):
        super().__init__()
        self.client, self.rooms = client, rooms
        self.is_over, self.count, self.failure = False, 0, None
        self.last = {}

    def run(self):
        try:
            while not self.is_over:
                self.write(chance.choice(self.rooms))
        except Exception as failure:
            self.failure = failure

    def write(self, room):
        target, draw = self.last.get(room), chance.random()
        if target and draw < 0.1:
            relation = {"rel_type": "m.annotation", "event_id": target, "key": f"+{self.count}"}
            reaction = self.send(room, {"m.relates_to": relation}, "m.reaction")
            if draw < 0.05:
                self.client.redact(room, reaction, f"r{self.count}")
        elif target and draw < 0.2:
            relation = {"rel_type": "m.replace", "event_id": target}
            new = {"msgtype": "m.text", "body": f"edited {self.count}"}
            self.send(room, dict(new, **{"m.new_content": new, "m.relates_to": relation}))
        else:
            for _ in range(70 if draw > 0.95 else 1):
                body = f"message {self.count} " + "x" * chance.choice((1, 10, 3000))
                self.last[room] = self.send(room, {"msgtype": "m.text", "body": body})

    def send(self, room, content, kind="m.room.message"):
        self.count += 1
        return self.client.send(room, f"t{self.count}", content, kind)


def wait(thread, count):
    """Waits until more is written than one response holds."""
    end = thread.count + count
    while thread.count < end and not thread.failure:
        time.sleep(0.05)


def ids(conversation):
    """The IDs of all records of a conversation, in the order of its segments."""
    for segment in sorted(conversation.glob("messages-*.jsonl")):
        for line in segment.open():
            record = json.loads(line)
            if "id" in record:
                yield record["id"]


def faults(archive):
    """Compares each conversation with the database."""
    database = sqlite3.connect(f"file:{server}/homeserver.db?mode=ro", uri=True)
    query = """select event_id from events where room_id = ? and type in ('m.room.message', 'm.reaction')
               and not outlier order by stream_ordering"""
    # A reaction that was taken back before it was fetched is no record.
    gone = {target for target, in database.execute("select redacts from redactions")}
    for path in sorted(archive.glob("conversations/*/conversation.json")):
        room = json.loads(path.read_text())["matrix"]["room"]
        sent = [event for event, in database.execute(query, (room,))]
        here = list(ids(path.parent))
        known = set(here)
        print(f"{path.parent.name}: {len(sent)} events, {len(list(path.parent.glob('messages-*')))} segments")
        if len(here) != len(known):
            yield f"{path.parent.name}: {len(here) - len(known)} records are there twice"
        lost = [event for event in sent if event not in known and event not in gone]
        if lost:
            yield f"{path.parent.name}: {len(lost)} events are lost"
        wanted = set(sent)
        if [event for event in here if event in wanted] != [event for event in sent if event in known]:
            yield f"{path.parent.name}: the order is another one"
        if [name for name in os.listdir(path.parent) if name.startswith(".")]:
            yield f"{path.parent.name}: files of killed processes are left over"


def main():
    variables = environment(folder)
    stamp = str(int(time.time() * 1000))
    client = Client(port)
    writer, reader = client.register("ana" + stamp), client.register("ben" + stamp)
    rooms = [writer.make_room(f"Kill {number}") for number in range(3)]
    for room in rooms:
        reader.join(room)
    address = f"http://127.0.0.1:{port}"
    subprocess.run(
        [program, "login", reader.user, "--server", address], input="secret", text=True, env=variables, check=True,
        stdout=subprocess.DEVNULL)
    thread = Writer(writer, rooms)
    thread.start()
    for _ in range(kills):
        process = subprocess.Popen([program, "sync", "--history", "--quiet"], env=variables)
        time.sleep(chance.uniform(0.005, 1) ** 2 * 2)
        if process.poll() is not None:
            sys.exit(f"kedge-matrix ended by itself, with status {process.returncode}")
        process.kill()
        process.wait()
        if chance.random() < 0.1:
            wait(thread, 200)
    thread.is_over = True
    thread.join()
    if thread.failure:
        sys.exit(f"the writer failed: {thread.failure}")
    subprocess.run([program, "sync", "--once", "--history", "--quiet"], env=variables, check=True)
    archive = next(pathlib.Path(folder, "data/kedge/matrix").iterdir())
    found = list(faults(archive))
    print(f"{kills} kills while {thread.count} events were sent")
    sys.exit("\n".join(found) or 0)


main()
