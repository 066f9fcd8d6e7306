"""middle.py FOLDER KILLS SEED: asks the helper for an event in the middle of a room that is not mirrored, and then for all that is missing
around it, until the archive has the whole room in the order of the server."""

import json
import sys
import time

from kedge import Kedge, lacks
from relay import Helper
from seed import Seed
from server import Homeserver

folder, _, _ = sys.argv[1:]
EVENTS = 4_000


def main():
    kedge = Kedge(folder + "/kedge")
    server = Homeserver(folder + "/server")
    with server:
        ana, ben = server.register("ana"), server.register("ben")
        room = ben.make_room("Log")
        ana.join(room)
    seed = Seed(server)
    seed.fill(room, EVENTS, [ana.user, ben.user])
    seed.end()
    with server:
        kedge.login(ana, server.address)
        kedge.matrix("sync", "--once", "--quiet")
        conversation = kedge.folder_of(room)
        helper = Helper(kedge)
        events = server.events(room, ["m.room.message"])
        times = [find(helper, kedge, room, events[len(events) * part // 8]) for part in (4, 2, 6, 3)]
        pages = 0
        while edges := gaps(conversation):
            # Gaps are closed from any side.
            for edge in (edges[0], edges[-1]):
                response = helper.ask(fill={"conversation": conversation.name, "segment": edge, "limit": 100})
                assert "ok" in response, response
                pages += 1
        helper.stop()
        complaints = lacks(conversation, server, room)
    assert not complaints, "\n".join(complaints)
    kedge.check_index()
    print(
        f"4 events in the middle of {EVENTS:,}, the first after {times[0] * 1000:.0f} ms, the last after {times[-1] * 1000:.0f} ms; "
        f"{pages} pages close the gaps; the order is the server's")


def find(helper, kedge, room, event):
    """Fetches an event with those around it.
    Returns how many seconds that takes."""
    conversation = kedge.folder_of(room)
    assert event not in kedge.ids(room), "the event is there already"
    start = time.monotonic()
    response = helper.ask(around={"conversation": conversation.name, "event": event})
    seconds = time.monotonic() - start
    assert "ok" in response, response
    segment = conversation / response["ok"]["segment"]
    assert any(json.loads(line).get("id") == event for line in segment.open()), "the event is not in its segment"
    again = helper.ask(around={"conversation": conversation.name, "event": event})
    assert again["ok"] == response["ok"], "the event is fetched twice"
    return seconds


def gaps(conversation):
    """The names of the segments before which events are missing."""
    edges, last = [], None
    for path in sorted(conversation.glob("messages-*.jsonl")):
        number = int(path.stem.split("-")[1])
        with path.open() as lines:
            head = json.loads(lines.readline())
        if last != number - 1 and head["type"] == "segment" and head["before"] == "gap":
            edges.append(path.name)
        last = number
    return edges


main()
