"""large.py FOLDER KILLS SEED: an account of 1,000 rooms, one of them with many events: when the first rooms are there, how fast the rest
comes, whether all of it comes, how much memory that takes, and that nothing wakes the helper after it."""

import os
import re
import subprocess
import sys
import time

from kedge import Kedge, lacks
from relay import Helper, most_memory
from seed import Seed
from server import Homeserver

folder, _, _ = sys.argv[1:]
ROOMS, EVENTS = 1_000, int(os.environ.get("EVENTS", 30_000))
# In MB.
MOST_MEMORY = 60


def main():
    kedge = Kedge(folder + "/kedge")
    server = Homeserver(folder + "/server", default_room_version="11")
    with server:
        ana, ben = server.register("ana"), server.register("ben")
        large = ben.make_room("Large")
        small = ben.make_room("Berth 0")
        for room in (large, small):
            ana.join(room)
        ben.say(small, "hello")
    seed = Seed(server)
    seed.copy(small, ROOMS - 2)
    seed.fill(large, EVENTS, [ana.user, ben.user])
    seed.end()
    with server:
        kedge.login(ana, server.address)
        first, all = first_rooms(kedge)
        rate, memory = mirror(kedge)
        complaints = compare(kedge, server)
        assert not complaints, "\n".join(complaints)
        wakeups, served = rest(kedge)
    assert max(memory, served) <= MOST_MEMORY, f"kedge-matrix has taken {memory:.0f} MB, and serving {served:.0f} MB"
    kedge.check_index()
    print(
        f"first 20 of {ROOMS} rooms in {first:.2f} s, all in {all:.1f} s; {rate:,.0f} of {EVENTS:,} events a second; "
        f"{memory:.0f} MB, serving {served:.0f} MB; {wakeups} wake-ups in 5 s")


def first_rooms(kedge):
    """After how many seconds the first 20 rooms are there, and all."""
    start = time.monotonic()
    process = kedge.start(kedge.helper_program, "sync", "--once", "--quiet")
    first = None
    while process.poll() is None:
        if first is None and count_rooms(kedge) >= 20:
            first = time.monotonic() - start
        time.sleep(0.005)
    assert process.returncode == 0, f"kedge-matrix ended with status {process.returncode}"
    assert count_rooms(kedge) == ROOMS, f"{count_rooms(kedge)} rooms are there"
    return first, time.monotonic() - start


def count_rooms(kedge):
    try:
        return len(list((kedge.archive / "conversations").glob("*/conversation.json")))
    except (FileNotFoundError, StopIteration):
        return 0


def mirror(kedge):
    """Mirrors all rooms from their beginnings.
    Returns how many events of the large room came in a second, and the memory of the process in MB."""
    process = kedge.start(kedge.helper_program, "sync", "--once", "--history", stdout=subprocess.PIPE, text=True)
    pages, memory = [], 0
    for line in process.stdout:
        memory = max(memory, most_memory(process) or 0)
        if match := re.match(r"large: (\d+) older events", line):
            pages.append((time.monotonic(), int(match[1])))
    assert process.wait() == 0, f"kedge-matrix ended with status {process.returncode}"
    seconds = pages[-1][0] - pages[0][0]
    return sum(count for _, count in pages[1:]) / seconds, memory


def compare(kedge, server):
    conversations = kedge.conversations()
    complaints = []
    for room, path in conversations.items():
        complaints += lacks(path, server, room)
    return complaints


def rest(kedge):
    """How often the helper wakes in 5 s in which nothing happens, and its memory in MB."""
    helper = Helper(kedge)
    helper.wait(lambda news: news.get("state") == "online")
    before = None
    # The first long poll begins a moment after that.
    while before != (before := helper.wakeups()):
        time.sleep(1)
    time.sleep(5)
    wakeups, memory = helper.wakeups() - before, most_memory(helper.process)
    helper.stop()
    assert wakeups == 0, f"the helper wakes {wakeups} times in 5 s"
    return wakeups, memory


main()
