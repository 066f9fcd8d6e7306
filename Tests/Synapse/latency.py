"""latency.py FOLDER KILLS SEED: after how long an event is on the screen: one that is mirrored, one that is not, and one that a stranger sends."""

import random
import statistics
import sys
import threading
import time

from client import quoted
from kedge import Kedge
from screen import Screen
from seed import make_log

folder, _, seed = sys.argv[1:]
EVENTS, OPENED, ARRIVALS = 10_000, 15, 30
random = random.Random(int(seed))


def main():
    server, ana, ben, room = make_log(folder + "/server", EVENTS, is_plain=True)
    with server:
        partial, whole = Kedge(folder + "/partial"), Kedge(folder + "/whole")
        for kedge in (partial, whole):
            kedge.login(ana, server.address)
            kedge.matrix("sync", "--once", "--quiet")
        whole.matrix("sync", "--once", "--history", "--quiet")
        whole.kedge("index")
        events = server.events(room)
        mirrored = [open_at(whole, room, events, EVENTS * (3 + part) // (OPENED + 6)) for part in range(OPENED)]
        # Far enough from each other that none is fetched with another.
        fetched, answered = [], []
        for part in range(OPENED):
            number = EVENTS * (1 + part) // (OPENED + 3)
            fetched.append(open_at(partial, room, events, number))
            answered.append(context(ana.login(ana.user), room, events[number]))
        heard, shown = arrivals(whole, ana.login(ana.user), ben, room)
    for kedge in (partial, whole):
        kedge.check_index()
    print(
        f"an event that is mirrored {median(mirrored)} ms, one that is not {median(fetched)} ms (the server's /context alone "
        f"{median(answered)} ms); a stranger's message {median(shown)} ms after its sender knows, another client's /sync {median(heard)} ms; "
        f"medians of {OPENED} and {ARRIVALS}; {EVENTS:,} events")


def median(seconds):
    return f"{statistics.median(seconds) * 1000:.0f}"


def open_at(kedge, room, events, number):
    """Opens a link to an event.
    Returns after how many seconds from the start of the program the event is on the screen."""
    link = f"https://matrix.to/#/{quoted(room)}/{quoted(events[number])}"
    screen = Screen(kedge, "open", link, "--archive", kedge.archive)
    seconds = screen.wait(f"message {number} of the harbour log") - screen.start
    screen.end()
    return seconds


def context(client, room, event):
    """How many seconds the server takes for an event and those around it."""
    start = time.monotonic()
    client.call("GET", f"rooms/{quoted(room)}/context/{quoted(event)}", limit=50)
    return time.monotonic() - start


def arrivals(kedge, other, ben, room):
    """How many seconds after the server has told the sender of a message's ID another client and the screen have the message."""
    token = other.call("GET", "sync", timeout=0)["next_batch"]
    texts = ["".join(random.sample("abcdefghijklmnopqrstuvwxyz", 16)) for _ in range(ARRIVALS)]
    received = {}

    def poll(token):
        while not set(texts) <= set(received):
            response = other.call("GET", "sync", timeout=30_000, since=token)
            token = response["next_batch"]
            for event in response.get("rooms", {}).get("join", {}).get(room, {}).get("timeline", {}).get("events", []):
                received.setdefault(event["content"].get("body"), time.monotonic())

    poller = threading.Thread(target=poll, args=(token,), daemon=True)
    poller.start()
    screen = Screen(kedge, "open", kedge.folder_of(room).name, "--archive", kedge.archive)
    screen.wait(f"message {EVENTS - 1} of")
    # The first message may come before the helper is online.
    ben.say(room, "zyxwvutsrqponmlkjihgfedcba")
    screen.wait("zyxwvutsrqponmlkjihgfedcba")
    shown, sent = {}, {}
    for text in texts:
        # No rhythm that a poll could have as well.
        time.sleep(random.uniform(0.2, 0.5))
        ben.say(room, text)
        sent[text] = time.monotonic()
        shown[text] = screen.wait(text)
    poller.join(30)
    screen.end()
    assert set(texts) <= set(received), "another client has not received all"
    return [received[text] - sent[text] for text in texts], [shown[text] - sent[text] for text in texts]


main()
