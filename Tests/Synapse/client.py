"""A small Matrix client for tests, of Python's standard library alone."""

import http.client
import json
import os
import pathlib
import urllib.parse


class Client:
    def __init__(self, port, token=None, user=None):
        self.port, self.token, self.user = port, token, user
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def call(self, method, path, body=None):
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        text = None if body is None else json.dumps(body)
        self.connection.request(method, "/_matrix/client/v3/" + path, text, headers)
        response = self.connection.getresponse()
        data = response.read()
        if response.status != 200:
            raise RuntimeError(f"{method} {path}: {response.status} {data[:300]}")
        return json.loads(data)

    def register(self, name):
        body = {"username": name, "password": "secret", "auth": {"type": "m.login.dummy"}}
        response = self.call("POST", "register", body)
        return Client(self.port, response["access_token"], response["user_id"])

    def make_room(self, name):
        return self.call("POST", "createRoom", {"name": name, "preset": "public_chat"})["room_id"]

    def join(self, room):
        self.call("POST", "join/" + quoted(room), {})

    def send(self, room, number, content, kind="m.room.message"):
        path = f"rooms/{quoted(room)}/send/{kind}/{number}"
        return self.call("PUT", path, content)["event_id"]

    def redact(self, room, event, number):
        return self.call("PUT", f"rooms/{quoted(room)}/redact/{quoted(event)}/{number}", {})["event_id"]


def environment(folder):
    """The variables of a user whose files are in a folder."""
    variables = dict(os.environ)
    for name in ("STATE", "DATA", "CACHE", "CONFIG"):
        path = pathlib.Path(folder, name.lower())
        path.mkdir(parents=True, exist_ok=True)
        variables[f"XDG_{name}_HOME"] = str(path)
    variables["XDG_RUNTIME_DIR"] = str(folder)
    return variables


def quoted(text):
    return urllib.parse.quote(text, safe="")
