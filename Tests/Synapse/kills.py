"""kills.py FOLDER KILLS SEED: kills `kedge-matrix sync` at random moments while others write, and compares the archive with the server's
database: every event is there once, in the server's order."""

import random
import sys
import threading
import time

from kedge import Kedge, lacks
from server import Homeserver

folder, kills, seed = sys.argv[1:]
kills = int(kills)
chance = random.Random(int(seed))


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
                self.client.redact(room, reaction)
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
        return self.client.send(room, content, kind)


def wait(thread, count):
    """Waits until more is written than one response holds."""
    end = thread.count + count
    while thread.count < end and not thread.failure:
        time.sleep(0.05)


def main():
    kedge = Kedge(folder + "/kedge")
    with Homeserver(folder + "/server") as server:
        writer, reader = server.register("ana"), server.register("ben")
        rooms = [writer.make_room(f"Kill {number}") for number in range(3)]
        for room in rooms:
            reader.join(room)
        kedge.login(reader, server.address)
        thread = Writer(writer, rooms)
        thread.start()
        for _ in range(kills):
            process = kedge.start(kedge.helper_program, "sync", "--history", "--quiet")
            time.sleep(chance.uniform(0.005, 1) ** 2 * 2)
            if process.poll() is not None:
                sys.exit(f"kedge-matrix ended by itself, with status {process.returncode}")
            process.kill()
            process.wait()
            if chance.random() < 0.1:
                wait(thread, 200)
                if kedge.has_conversations:
                    kedge.kedge("index")
        thread.is_over = True
        thread.join()
        if thread.failure:
            sys.exit(f"the writer failed: {thread.failure}")
        kedge.matrix("sync", "--once", "--history", "--quiet")
        found = [complaint for room in rooms for complaint in lacks(kedge.folder_of(room), server, room)]
    if found:
        sys.exit("\n".join(found))
    kedge.check_index()
    print(f"{kills} kills while {thread.count} events were sent: all are there once, in order, and the index is right")


main()
