"""A small Matrix client for tests, of Python's standard library alone."""

import http.client
import json
import urllib.parse


class Refused(Exception):
    """A response with another status than 200."""

    def __init__(self, request, status, body):
        super().__init__(f"{request}: {status} {body[:300]}")
        self.status = status


class Client:
    def __init__(self, port, token=None, user=None):
        self.port, self.token, self.user = port, token, user
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.count = 0

    def call(self, method, path, body=None, **query):
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        text = None if body is None else json.dumps(body)
        path += "?" + urllib.parse.urlencode(query) if query else ""
        # The server may have closed the connection meanwhile. Who sends twice uses the same transaction.
        try:
            response = self.response(method, path, text, headers)
        except (http.client.HTTPException, OSError):
            self.connection.close()
            response = self.response(method, path, text, headers)
        data = response.read()
        if response.status != 200:
            raise Refused(f"{method} {path}", response.status, data)
        return json.loads(data)

    def response(self, method, path, text, headers):
        self.connection.request(method, "/_matrix/client/v3/" + path, text, headers)
        return self.connection.getresponse()

    def register(self, name):
        body = {"username": name, "password": "secret", "auth": {"type": "m.login.dummy"}}
        response = self.call("POST", "register", body)
        return Client(self.port, response["access_token"], response["user_id"])

    def login(self, user):
        """Another session of a user."""
        body = {
            "type": "m.login.password", "identifier": {"type": "m.id.user", "user": user}, "password": "secret"
        }
        response = self.call("POST", "login", body)
        return Client(self.port, response["access_token"], response["user_id"])

    def make_room(self, name, **more):
        return self.call("POST", "createRoom", {"name": name, "preset": "public_chat", **more})["room_id"]

    def join(self, room, **query):
        self.call("POST", "join/" + quoted(room), {}, **query)

    def send(self, room, content, kind="m.room.message", number=None):
        """Sends an event. A number that was used before is the same transaction.
        Returns its ID."""
        self.count += 1
        path = f"rooms/{quoted(room)}/send/{kind}/{number or f'c{self.count}'}"
        return self.call("PUT", path, content)["event_id"]

    def say(self, room, text):
        return self.send(room, {"msgtype": "m.text", "body": text})

    def redact(self, room, event):
        self.count += 1
        return self.call("PUT", f"rooms/{quoted(room)}/redact/{quoted(event)}/r{self.count}", {})["event_id"]


def quoted(text):
    return urllib.parse.quote(text, safe="")
