"""encrypted.py FOLDER KILLS SEED: an encrypted room. Without pantalaimon nothing is ever sent to it in clear; behind it, messages go both
ways, and the other side is matrix-nio, which encrypts by itself."""

import asyncio
import os
import pathlib
import subprocess
import sys
import time
import urllib.request

from kedge import Kedge
from relay import Helper
from server import Homeserver, free_port

SKIPPED = 75
folder, _, _ = sys.argv[1:]
COUNT = 20


def main():
    reason = pathlib.Path(sys.prefix, "without-pantalaimon")
    if reason.exists():
        print("pantalaimon cannot be installed:", " ".join(reason.read_text().split())[:300])
        sys.exit(SKIPPED)
    with Homeserver(folder + "/server") as server:
        ana, ben = server.register("ana"), server.register("ben")
        encryption = {"type": "m.room.encryption", "content": {"algorithm": "m.megolm.v1.aes-sha2"}}
        room = ben.make_room("Vault", initial_state=[encryption], invite=[ana.user])
        ana.join(room)
        in_clear(server, ana, room)
        asyncio.run(through_pantalaimon(server, ana, ben, room))
        # One message was sent in clear on purpose, by another client.
        clear = server.events(room, ["m.room.message", "m.reaction"])
        assert len(clear) == 1, f"{len(clear)} events stand in clear on the server"
    print(f"nothing in clear; behind pantalaimon {COUNT} messages each way, encrypted on the server and read on both sides")


def in_clear(server, ana, room):
    """Kedge without pantalaimon reads nothing and sends nothing."""
    kedge = Kedge(folder + "/clear")
    ana.say(room, "in clear by a careless client")
    kedge.login(ana, server.address)
    kedge.matrix("sync", "--once", "--quiet")
    helper = Helper(kedge)
    helper.wait(lambda news: news.get("state") == "online")
    before = server.events(room, ["m.room.message", "m.room.encrypted", "m.reaction"])
    for post in (
        {"type": "message", "text": "secret"}, {"type": "edit", "target": before[0], "text": "secret"},
        {"type": "reaction", "target": before[0], "emoji": "🔒"},
    ):
        post["id"] = f"01CLEAR{post['type'].upper()}"
        response = helper.response(helper.begin_post(kedge.folder_of(room).name, post))
        assert "pantalaimon" in response.get("error", ""), response
    helper.stop()
    assert before == server.events(room, ["m.room.message", "m.room.encrypted", "m.reaction"]), "something was sent"


def pantalaimon(server):
    """Starts it.
    Returns its address."""
    port = free_port()
    place = pathlib.Path(folder, "pantalaimon")
    place.mkdir()
    (place / "pantalaimon.conf").write_text(f"""[Default]
LogLevel = Debug

[local]
Homeserver = {server.address}
ListenAddress = 127.0.0.1
ListenPort = {port}
SSL = False
UseKeyring = no
IgnoreVerification = True
""")
    program = pathlib.Path(sys.executable).parent / "pantalaimon"
    with open(place / "log", "w") as log:
        subprocess.Popen(
            [program, "-c", place / "pantalaimon.conf", "--data-path", place], stdout=log, stderr=log,
            env=dict(os.environ, HOME=str(place), XDG_DATA_HOME=str(place), XDG_CONFIG_HOME=str(place)))
    address = f"http://127.0.0.1:{port}"
    until(lambda: responds(address), "pantalaimon")
    return address


def responds(address):
    try:
        urllib.request.urlopen(address + "/_matrix/client/versions").close()
    except OSError:
        return False
    return True


async def through_pantalaimon(server, ana, ben, room):
    from nio import AsyncClient, AsyncClientConfig, MegolmEvent, RoomMessageText

    store = pathlib.Path(folder, "nio")
    store.mkdir()
    friend = AsyncClient(server.address, ben.user, store_path=str(store), config=AsyncClientConfig(store_sync_tokens=True))
    read, unread = [], []
    friend.add_event_callback(lambda _, event: read.append((event.sender, event.body)), RoomMessageText)
    friend.add_event_callback(lambda _, event: unread.append(event.event_id), MegolmEvent)
    await friend.login("secret")
    await friend.sync(full_state=True)
    # Who has no keys yet when somebody writes cannot read it, by the rules of encryption.
    await friend.keys_upload()
    kedge = Kedge(folder + "/kedge")
    address = await asyncio.to_thread(pantalaimon, server)
    await asyncio.to_thread(kedge.login, ana, address, "--pantalaimon")
    await asyncio.to_thread(kedge.matrix, "sync", "--once", "--quiet")
    following = asyncio.create_task(friend.sync_forever(timeout=5_000))
    helper = await asyncio.to_thread(Helper, kedge)
    conversation = kedge.folder_of(room).name
    for number in range(COUNT):
        await asyncio.to_thread(lambda: helper.post(conversation, type="message", id=f"01VAULT{number}", text=f"from Kedge {number}"))
        await friend.room_send(
            room, "m.room.message", {"msgtype": "m.text", "body": f"from nio {number}"}, ignore_unverified_devices=True)
    wanted = {name: [f"from {name} {number}" for number in range(COUNT)] for name in ("Kedge", "nio")}

    def texts():
        return [record.get("text", "") for record in kedge.records(room)]

    # And the message in clear.
    await asyncio.to_thread(until, lambda: len(read) + len(unread) > 2 * COUNT, "to nio")
    assert not unread, f"matrix-nio cannot read {len(unread)} messages"
    assert [body for sender, body in read if sender == ana.user][1:] == wanted["Kedge"], read
    await asyncio.to_thread(
        until, lambda: all([text for text in texts() if text in wanted[name]] == wanted[name] for name in wanted), "to Kedge")
    helper.stop()
    following.cancel()
    await friend.close()


def until(is_true, what):
    end = time.monotonic() + 60
    while not is_true():
        assert time.monotonic() < end, f"{what}: not within a minute"
        time.sleep(0.1)


main()
