"""split.py FOLDER KILLS SEED: two servers that federate. While they cannot reach each other, people write on both; after that the events of
one come late to the other, in the midst of what is known there. Kedge was away meanwhile, and closes the gap of its limited sync
by the tokens of the server: nothing is lost, doubled or sorted anew."""

import datetime
import json
import socket
import sys
import threading
import time

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from client import quoted
from kedge import Kedge
from relay import Helper
from server import Homeserver, free_port

folder, _, _ = sys.argv[1:]


class Strait:
    """Carries what others send to a port of a server, unless it is closed."""

    def __init__(self, target):
        self.target, self.is_open, self.pairs = target, True, []
        self.listener = socket.create_server(("127.0.0.1", free_port()))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            here, _ = self.listener.accept()
            if not self.is_open:
                here.close()
                continue
            there = socket.create_connection(("127.0.0.1", self.target))
            self.pairs += [here, there]
            for pair in ((here, there), (there, here)):
                threading.Thread(target=self.carry, args=pair, daemon=True).start()

    @staticmethod
    def carry(source, sink):
        try:
            while data := source.recv(65_536):
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self.is_open = False
        for end in self.pairs:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.pairs = []


class Federated(Homeserver):
    """A server that others on this machine reach through a strait, with a certificate that nobody has signed."""

    def __init__(self, folder):
        super().__init__(folder)
        port = free_port()
        self.strait = Strait(port)
        self.name = f"localhost:{self.strait.port}"
        certify(self.folder / "tls.pem", self.folder / "tls.key")
        del self.settings["federation_domain_whitelist"]
        self.settings["listeners"].append({
            "port": port, "bind_addresses": ["127.0.0.1"], "type": "http", "tls": True,
            "resources": [{"names": ["federation"]}],
        })
        self.settings |= {
            "server_name": self.name,
            "tls_certificate_path": str(self.folder / "tls.pem"),
            "tls_private_key_path": str(self.folder / "tls.key"),
            "federation_verify_certificates": False,
            "ip_range_blacklist": [],
            "federation": {
                "destination_min_retry_interval": "1s", "destination_max_retry_interval": "2s", "destination_retry_multiplier": 1
            },
        }


def certify(certificate_path, key_path):
    """Writes a certificate of this machine, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.timezone.utc)
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(now - datetime.timedelta(1)).not_valid_after(now + datetime.timedelta(30))
        .sign(key, hashes.SHA256()))
    certificate_path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    key_path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))


def main():
    kedge = Kedge(folder + "/kedge")
    with Federated(folder + "/one") as one, Federated(folder + "/two") as two:
        ana, ben, cleo = one.register("ana"), one.register("ben"), two.register("cleo")
        room = ben.make_room("Two shores")
        ana.join(room)
        cleo.join(room, server_name=one.name)
        ben.say(room, "before the split")
        until(lambda: set(one.events(room)) == set(two.events(room)), "the room on the other server")
        kedge.login(ana, one.address)
        kedge.matrix("sync", "--once", "--history", "--quiet")
        # Kedge is away. More is written on both sides than a response holds.
        one.strait.close()
        two.strait.close()
        # Of a long absence a server fetches the newest events only.
        late = [cleo.say(room, f"from the other shore {number}") for number in range(8)]
        for number in range(55):
            ben.say(room, f"from this shore {number}")
        # It follows for a while, and is away again.
        helper = Helper(kedge)
        ben.say(room, "seen during the split")
        until(lambda: any(record.get("text") == "seen during the split" for record in kedge.records(room)), "live message")
        helper.stop()
        before = kedge.ids(room)
        for number in range(20):
            ben.say(room, f"later from this shore {number}")
        one.strait.is_open = two.strait.is_open = True
        late.append(cleo.say(room, "after the split"))
        until(lambda: set(late) <= set(one.events(room)), "the events of the other server")
        for number in range(55):
            ben.say(room, f"after the late ones {number}")
        helper = Helper(kedge)
        until(lambda: set(one.events(room)) <= set(kedge.ids(room)), "all events")
        helper.stop()
        ids, events = kedge.ids(room), one.events(room)
        count, late = len(events), late_events(one, room)
        check_order(kedge, one, room)
        forwards = fetch_forwards(kedge, ana, room)
    assert len(ids) == len(set(ids)), "events are there twice"
    assert set(events) <= set(ids), f"{len(set(events) - set(ids))} events are lost"
    assert [id for id in ids if id in before] == before, "what was there before stands in another order"
    assert late >= 8, f"only {late} events came late: this test tests nothing"
    kedge.check_index()
    print(f"{count} messages, {late} of them late after a split of two servers: 0 lost, none twice, in the order of the server; "
        f"the {forwards} of the gap are there forwards, too")


def check_order(kedge, server, room):
    """Each segment has the order of the response that it came with: that in which the server received the events (/sync), or that of
    the room's graph (/messages)."""
    with server.database() as database:
        query = "select event_id, stream_ordering, topological_ordering from events where room_id = ?"
        places = {event: (stream, depth) for event, stream, depth in database.execute(query, (room,))}
    for path in sorted(kedge.folder_of(room).glob("messages-*.jsonl")):
        segment = [places[id] for id in (json.loads(line).get("id") for line in path.open()) if id in places]
        by_graph = sorted(segment, key=lambda place: (place[1], place[0]))
        assert segment in (sorted(segment), by_graph), f"{path.name} has an order of its own: {segment}"


def fetch_forwards(kedge, client, room):
    """Fetches what was missed in the other direction, by the same tokens, in small pages. Each event that the fill has brought is there:
    those that came late, too.
    Returns how many these are."""
    for path in sorted(kedge.folder_of(room).glob("messages-*.jsonl")):
        with path.open() as lines:
            first = json.loads(lines.readline())
        if first.get("from") and first.get("to"):
            island, head = path, first
    filled = {line["id"] for line in pages_before(kedge, room, island) if "id" in line}
    token, found = head["to"], set()
    while token:
        page = client.call(
            "GET", f"rooms/{quoted(room)}/messages", dir="f", **{"from": token}, to=head["from"], limit=7)
        found |= {event["event_id"] for event in page["chunk"]}
        token = page.get("end")
    assert filled, "nothing was filled: this test tests nothing"
    assert filled <= found, f"{len(filled - found)} of {len(filled)} events are lost forwards"
    return len(filled)


def pages_before(kedge, room, island):
    """The lines of the segments that a fill has put before an island."""
    number = int(island.stem.split("-")[1])
    for path in kedge.folder_of(room).glob("messages-*.jsonl"):
        if number - 1_000 < int(path.stem.split("-")[1]) < number:
            yield from map(json.loads, path.open())


def late_events(server, room):
    """How many messages the server received after others that are newer than they are."""
    query = """select count(*) from events a where room_id = ? and type = 'm.room.message' and exists (
               select 1 from events b where b.room_id = a.room_id and b.type = a.type and b.stream_ordering < a.stream_ordering
               and b.origin_server_ts > a.origin_server_ts)"""
    with server.database() as database:
        return database.execute(query, (room,)).fetchone()[0]


def until(is_true, what):
    end = time.monotonic() + 60
    while not is_true():
        assert time.monotonic() < end, f"{what}: not there within a minute"
        time.sleep(0.1)


main()
