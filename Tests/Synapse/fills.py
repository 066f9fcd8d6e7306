"""fills.py FOLDER KILLS SEED: kills the helper, one time for four KILLS, while it fetches events in the middle of a room and fills the gaps
around them from both ends, and compares the archive with the server's database: every event is there once, in the server's order."""

import random
import sys
import time

from kedge import Kedge, gaps, lacks
from relay import Helper
from seed import Seed
from server import Homeserver

folder, kills, seed = sys.argv[1:]
kills = max(1, int(kills) // 4)
chance = random.Random(int(seed))
# More than is fetched between the kills.
EVENTS = 2_000 + 400 * kills


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
        conversation, events = kedge.folder_of(room), server.events(room, ["m.room.message"])
        for _ in range(kills):
            helper = Helper(kedge)
            if chance.random() < 0.2:
                helper.begin(around={"conversation": conversation.name, "event": chance.choice(events)})
            helper.begin_fills(conversation.name, gaps(conversation))
            time.sleep(chance.uniform(0, 0.5) ** 2)
            helper.kill()
        left = len(gaps(conversation))
        helper = Helper(kedge)
        while found := gaps(conversation):
            helper.done(helper.begin_fills(conversation.name, found))
        helper.stop()
        complaints = lacks(conversation, server, room)
    assert not complaints, "\n".join(complaints)
    kedge.check_index()
    print(
        f"{kills} kills while the gaps of a room of {EVENTS:,} were filled from both ends, {left} gaps were left; then all is there once, "
        "in order, and the index is right")


main()
