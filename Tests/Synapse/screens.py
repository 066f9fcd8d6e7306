"""screens.py FOLDER KILLS SEED: Kedge in a terminal opens a link of matrix.to in the middle of a room that is not mirrored, pages across
gaps, goes on without the server and with it again, and shows what a stranger writes."""

import re
import sys
import time

from client import quoted
from kedge import Kedge
from seed import make_log
from terminal import Terminal

folder, _, _ = sys.argv[1:]
MESSAGES = 2_000


def main():
    kedge = Kedge(folder + "/kedge")
    server, ana, ben, room = make_log(folder + "/server", MESSAGES, is_plain=True)
    with server:
        kedge.login(ana, server.address)
        kedge.matrix("sync", "--once", "--quiet")
        events = server.events(room)
        start = time.monotonic()
        terminal = Terminal(kedge, "open", link(room, events[MESSAGES // 2]), "--archive", kedge.archive)
        terminal.wait_text(f"message {MESSAGES // 2} of")
        opened = time.monotonic() - start
        seen = page(terminal, "PageDown", 12)
        assert max(seen) > MESSAGES // 2 + 150, f"the newest message on the screen is {max(seen)}"
        # The newest messages came with the login.
        fetched = len(kedge.ids(room)) - 50
        assert fetched < 600, f"{fetched} messages were fetched for {max(seen) - MESSAGES // 2} after the middle"
        seen |= page(terminal, "PageUp", 24)
        assert min(seen) < MESSAGES // 2 - 150, f"the oldest message on the screen is {min(seen)}"
        offline(terminal, server)
        heard = online(terminal, server, ben, room)
        terminal.press("q")
    # The helper has written its last.
    kedge.check_index()
    print(
        f"a link into the middle of {MESSAGES:,} shown after {opened:.2f} s; {len(seen)} messages by PgDn and PgUp across gaps; offline and back; "
        f"a stranger's message on the screen after {heard * 1000:.0f} ms")


def link(room, event):
    return f"https://matrix.to/#/{quoted(room)}/{quoted(event)}"


def numbers(lines):
    """The numbers of the messages on the screen, from top to bottom."""
    return [int(match[1]) for line in lines if (match := re.search(r"message (\d+) of the harbour log", line))]


def page(terminal, key, count):
    """Presses a key several times.
    Returns the numbers of the messages that were on the screen; none is skipped, and none stands out of order."""
    seen = set(numbers(terminal.wait_still()))
    for _ in range(count):
        terminal.press(key)
        terminal.wait(lambda lines: set(numbers(lines)) - seen or "beginning" in str(lines), "another page")
        here = numbers(terminal.wait_still())
        assert here == list(range(here[0], here[-1] + 1)), f"messages are missing or out of order: {here}"
        seen.update(here)
    assert seen == set(range(min(seen), max(seen) + 1)), "messages were skipped"
    return seen


def offline(terminal, server):
    """Without the server, what is mirrored is there, and a row says what is not."""
    server.stop()
    terminal.wait_text("offline")
    terminal.press("G")
    terminal.wait_text(f"message {MESSAGES - 1} of")
    while not any("no messages " in line for line in terminal.wait_still()):
        before = numbers(terminal.lines())
        terminal.press("PageUp")
        terminal.wait(lambda lines: numbers(lines) != before, "an older page")


def online(terminal, server, ben, room):
    """With the server again, the gap is filled, and a message comes.
    Returns after how many seconds it is on the screen."""
    server.start()
    # After a long time without a server, Kedge tries once a minute.
    terminal.wait(lambda lines: not any("offline" in line for line in lines), "that it is online", within=150)
    page(terminal, "PageUp", 4)
    terminal.press("G")
    terminal.wait_text(f"message {MESSAGES - 1} of")
    terminal.wait_still()
    ben.say(room, "ahoy from a stranger")
    start = time.monotonic()
    terminal.wait_text("ahoy from a stranger")
    return time.monotonic() - start


main()
