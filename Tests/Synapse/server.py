"""Homeservers (Synapse) that listen on this machine only."""

import json
import os
import pathlib
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request

from client import Client

MANY = {"per_second": 100_000, "burst_count": 100_000}


def free_port():
    """A port on which nothing listens; PORT is the first to try."""
    for port in range(free_port.next, 65_536):
        with socket.socket() as attempt:
            attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                attempt.bind(("127.0.0.1", port))
            except OSError:
                continue
        free_port.next = port + 1
        return port
    raise RuntimeError("there is no free port")


free_port.next = int(os.environ.get("PORT", 18_008))


class Homeserver:
    """A server that keeps everything in a folder. Anybody can register, and nothing limits the rate."""

    def __init__(self, folder, **settings):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.process = None
        self.settings = dict(self.defaults(), **settings)
        if not (self.folder / "signing.key").exists():
            program = pathlib.Path(sys.executable).parent / "generate_signing_key"
            subprocess.run([program, "-o", self.folder / "signing.key"], check=True)

    def defaults(self):
        folder = str(self.folder)
        return {
            "server_name": "localhost",
            "public_baseurl": self.address + "/",
            "listeners": [
                {"port": self.port, "bind_addresses": ["127.0.0.1"], "type": "http", "resources": [{"names": ["client"]}]}
            ],
            "database": {"name": "sqlite3", "args": {"database": folder + "/homeserver.db"}},
            "log_config": folder + "/log.yaml",
            "pid_file": folder + "/synapse.pid",
            "media_store_path": folder + "/media",
            "signing_key_path": folder + "/signing.key",
            "macaroon_secret_key": "test",
            "form_secret": "test",
            "registration_shared_secret": "test",
            "enable_registration": True,
            "enable_registration_without_verification": True,
            "report_stats": False,
            "presence": {"enabled": False},
            "trusted_key_servers": [],
            "suppress_key_server_warning": True,
            "federation_domain_whitelist": [],
            "bcrypt_rounds": 4,
            "rc_message": MANY,
            "rc_registration": MANY,
            "rc_login": {"address": MANY, "account": MANY, "failed_attempts": MANY},
            "rc_joins": {"local": MANY, "remote": MANY},
            "rc_joins_per_room": MANY,
            "rc_invites": {"per_room": MANY, "per_user": MANY, "per_issuer": MANY},
            "rc_room_creation": MANY,
        }

    def start(self):
        """Waits until it responds."""
        # JSON is YAML.
        log = {
            "version": 1,
            "handlers": {"file": {"class": "logging.FileHandler", "filename": str(self.folder / "synapse.log")}},
            "root": {"level": "WARNING", "handlers": ["file"]},
            "disable_existing_loggers": False,
        }
        (self.folder / "log.yaml").write_text(json.dumps(log))
        (self.folder / "homeserver.yaml").write_text(json.dumps(self.settings))
        with open(self.folder / "output", "w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "synapse.app.homeserver", "-c", "homeserver.yaml"], cwd=self.folder,
                stdout=output, stderr=output)
        for _ in range(2400):
            try:
                urllib.request.urlopen(self.address + "/_matrix/client/versions").close()
                return self
            except OSError:
                if self.process.poll() is not None:
                    raise RuntimeError((self.folder / "output").read_text()) from None
                time.sleep(0.05)
        raise RuntimeError(f"Synapse does not respond; see {self.folder}/synapse.log")

    def stop(self):
        if self.process:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def register(self, name):
        return Client(self.port).register(name)

    def database(self):
        return sqlite3.connect(f"file:{self.folder}/homeserver.db?mode=ro", uri=True)

    def events(self, room, types=("m.room.message", "m.reaction")):
        """The IDs of the events of a room, in the order in which the server received them."""
        places = ",".join("?" * len(types))
        query = f"""select event_id from events where room_id = ? and type in ({places}) and not outlier
                    order by stream_ordering"""
        with self.database() as database:
            return [event for event, in database.execute(query, (room, *types))]

    def redacted(self):
        """The IDs of the events that were redacted."""
        with self.database() as database:
            return {event for event, in database.execute("select redacts from redactions")}
