"""full.py FOLDER KILLS SEED: the disk is full while kedge-matrix mirrors and while Kedge sends; then there is room again. Needs the right to
mount a file system of its own (as root, or by a user namespace)."""

import os
import pathlib
import subprocess
import sys
import time

from kedge import Kedge, lacks
from relay import Helper
from seed import make_log

folder, _, _ = sys.argv[1:]
EVENTS = 20_000
SKIPPED = 75


def mount(path, options):
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", path], check=True)


def main():
    kedge = Kedge(folder + "/kedge")
    data = kedge.variables["XDG_DATA_HOME"]
    mount(data, "size=64m")
    server, ana, ben, room = make_log(folder + "/server", EVENTS)
    with server:
        kedge.login(ana, server.address)
        kedge.matrix("sync", "--once", "--quiet")
        kept = len(kedge.ids(room))
        told = mirror_full(kedge, data)
        assert len(kedge.ids(room)) > kept, "nothing was mirrored before the disk was full"
        refused = send_full(kedge, server, ben, room, data)
        mount(data, "remount,size=64m")
        kedge.matrix("sync", "--once", "--history", "--quiet")
        complaints = lacks(kedge.folder_of(room), server, room)
        texts = [record.get("text") for record in kedge.records(room)]
    assert not complaints, "\n".join(complaints)
    assert texts.count("after it") == 1, "the message that was sent after it is not there once"
    assert texts.count("while it is full") == 1, "the stranger's message is not there once"
    kedge.check_index()
    print(f"full while {EVENTS:,} events are mirrored: {told}; sending: {refused}; then all is there once, in order")


def mirror_full(kedge, data):
    """Mirrors until the disk is full.
    Returns what the helper tells."""
    pathlib.Path(data, "filler").write_bytes(bytes(200_000))
    used = int(subprocess.run(["du", "-sk", data], capture_output=True, text=True, check=True).stdout.split()[0])
    mount(data, f"remount,size={used + 1_500}k")
    result = kedge.try_matrix("sync", "--once", "--history", "--quiet")
    assert result.returncode != 0, "the helper does not notice that the disk is full"
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and "no disk space" in lines[0], result.stderr
    return lines[0].split("@ana:localhost/")[-1]


def send_full(kedge, server, ben, room, data):
    """Sends while the disk is full, and again after there is some room.
    Returns why the first message is refused."""
    helper = Helper(kedge)
    with open(data + "/filler", "ab", buffering=0) as filler:
        try:
            while True:
                filler.write(bytes(512))
        except OSError:
            # Not a byte is left.
            pass
    helper.wait(lambda news: news.get("state") == "online")
    name = kedge.folder_of(room).name
    post = {"type": "message", "id": "01K00000000000000000000001", "text": "on a full disk"}
    response = helper.response(helper.begin_post(name, post))
    assert "ok" not in response, f"a message is accepted that cannot be kept: {response}"
    ben.say(room, "while it is full")
    time.sleep(1)
    assert helper.process.poll() is None, f"the helper has ended with status {helper.process.returncode}"
    os.unlink(data + "/filler")
    # The helper looks again after a while, and says so.
    again = dict(post, id="01K00000000000000000000002", text="after it")
    while "retry" in (later := helper.response(helper.begin_post(name, again))):
        time.sleep(1)
    assert "ok" in later, f"there is room, and a message is refused: {later}"
    helper.stop()
    return response["error"].split("@ana:localhost/")[-1]


if __name__ == "__main__":
    if os.environ.get("KEDGE_MOUNTS") != "own":
        can = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "true"], capture_output=True, text=True)
        if can.returncode != 0:
            print(f"a file system of its own cannot be mounted here: {can.stderr.strip()}")
            sys.exit(SKIPPED)
        os.environ["KEDGE_MOUNTS"] = "own"
        os.execvp("unshare", ["unshare", "--user", "--map-root-user", "--mount", sys.executable, *sys.argv])
    main()
