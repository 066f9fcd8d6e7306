"""middle.py FOLDER KILLS SEED: asks the helper for an event in the middle of a room that is not mirrored, and then for all that is missing
around it, until the archive has the whole room in the order of the server. Then the same in a large room, from whose middle it goes on
forwards: only what is read is fetched."""

import json
import sys
import time

from kedge import Kedge, gaps, lacks
from relay import Helper
from seed import Seed
from server import Homeserver

folder, _, _ = sys.argv[1:]
EVENTS, MANY = 4_000, 100_000
# The segment with which the newest island of a room begins.
FIRST = "messages-500000000000000000.jsonl"


def main():
    kedge = Kedge(folder + "/kedge")
    server = Homeserver(folder + "/server")
    with server:
        ana, ben = server.register("ana"), server.register("ben")
        room, large = ben.make_room("Log"), ben.make_room("Large")
        for each in (room, large):
            ana.join(each)
    seed = Seed(server)
    seed.fill(room, EVENTS, [ana.user, ben.user])
    seed.fill(large, MANY, [ana.user, ben.user])
    seed.end()
    with server:
        kedge.login(ana, server.address)
        kedge.matrix("sync", "--once", "--quiet")
        conversation = kedge.folder_of(room)
        helper = Helper(kedge)
        events = server.events(room, ["m.room.message"])
        times = [find(helper, kedge, room, events[len(events) * part // 8]) for part in (4, 2, 6, 3)]
        pages = 0
        while found := gaps(conversation):
            # Gaps are closed from any side, and from both at once.
            asked = helper.begin_fills(conversation.name, (found[0], found[-1]))
            helper.done(asked)
            pages += len(asked)
        fetched = go_on(helper, kedge, server, large)
        helper.stop()
        complaints = lacks(conversation, server, room)
    assert not complaints, "\n".join(complaints)
    kedge.check_index()
    print(
        f"4 events in the middle of {EVENTS:,}, the first after {times[0] * 1000:.0f} ms, the last after {times[-1] * 1000:.0f} ms; "
        f"{pages} pages close the gaps; the order is the server's; 500 messages on from the middle of {MANY:,} fetch {fetched}")


def go_on(helper, kedge, server, room):
    """Reads on from the middle of a room, ten pages of 50.
    Returns how many events are fetched in all."""
    conversation, events = kedge.folder_of(room), server.events(room)
    before = len(kedge.ids(room))
    find(helper, kedge, room, events[len(events) // 2])
    for _ in range(10):
        island = max(path.name for path in conversation.glob("messages-*.jsonl") if path.name < FIRST)
        helper.done([helper.begin_fill(conversation.name, island, "after")])
    ids = kedge.ids(room)
    fetched = len(ids) - before
    start = events.index(ids[0])
    assert ids[:fetched] == events[start:start + fetched], "the messages after the middle are not those of the server"
    assert 500 <= start + fetched - len(events) // 2 and fetched <= 600, f"{fetched} events were fetched from {start} on"
    return fetched


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


main()
