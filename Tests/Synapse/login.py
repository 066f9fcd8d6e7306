"""login.py FOLDER KILLS SEED: logs in by password, by token and by a single sign-on; ends sessions from both sides, and lets one expire.
Nothing is lost, and the message says what to type."""

import re
import sqlite3
import subprocess
import sys
import threading
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from client import Refused
from kedge import Kedge, lacks
from server import Homeserver, free_port

folder, _, _ = sys.argv[1:]


class SignOn(BaseHTTPRequestHandler):
    """A single sign-on (CAS) at which everybody is dora."""

    def do_GET(self):
        place = urllib.parse.urlparse(self.path)
        query = urllib.parse.parse_qs(place.query)
        if place.path == "/login":
            self.send_response(302)
            self.send_header("Location", query["service"][0] + "&ticket=T1")
            return self.end_headers()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(
            b'<cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas"><cas:authenticationSuccess>'
            b"<cas:user>dora</cas:user></cas:authenticationSuccess></cas:serviceResponse>")

    def log_message(self, *_):
        pass


def main():
    port = free_port()
    threading.Thread(target=ThreadingHTTPServer(("127.0.0.1", port), SignOn).serve_forever, daemon=True).start()
    server = Homeserver(
        folder + "/server", cas_config={"enabled": True, "server_url": f"http://127.0.0.1:{port}"},
        sso={"client_whitelist": ["http://127.0.0.1:"]})
    with server:
        wrong_password(server)
        browser(server)
        kedge, ana, room = password(server)
        revoked(kedge, server, ana, room)
        expired(kedge, server, ana, room)
        complaints = lacks(kedge.folder_of(room), server, room)
        assert not complaints, "\n".join(complaints)
        log_out(kedge, server, ana)
    kedge.check_index()
    print("password, token and single sign-on; a revoked and an expired session ask for a login, and nothing is lost; logout")


def wrong_password(server):
    kedge, user = Kedge(folder + "/wrong"), server.register("wanda")
    result = kedge.try_matrix("login", user.user, "--server", server.address, secret="guess")
    assert result.returncode == 4 and "password" in result.stderr.lower(), result
    assert not kedge.matrix("accounts"), "a refused login has left an account"
    result = kedge.try_matrix("login", user.user, "--server", server.address, "--token", secret="guess")
    assert result.returncode == 4, result


def browser(server):
    """The browser follows from page to page until it comes back to Kedge."""
    kedge = Kedge(folder + "/browser")
    process = kedge.start(
        kedge.helper_program, "login", "localhost", "--browser", "--server", server.address, stdout=subprocess.PIPE, text=True)
    while not (line := process.stdout.readline()).startswith("http"):
        assert line, "there is no address for the browser"
    page = urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open(line.strip()).read().decode()
    assert "logged in" in page, page
    said = process.communicate(timeout=60)[0]
    assert process.returncode == 0 and "@dora:localhost" in said, said
    kedge.matrix("sync", "--once", "--quiet")


def password(server):
    kedge = Kedge(folder + "/kedge")
    ana = server.register("ana")
    room = ana.make_room("Berths")
    kedge.login(ana, server.address)
    sync(kedge, ana, room, "by password")
    mode = next((kedge.folder / "state/kedge/matrix").glob("*.json")).stat().st_mode & 0o777
    assert mode == 0o600, f"the token can be read: {mode:o}"
    return kedge, ana, room


def sync(kedge, ana, room, text):
    ana.say(room, text)
    kedge.matrix("sync", "--once", "--history", "--quiet")
    assert kedge.records(room)[-1]["text"] == text, kedge.records(room)[-1]


def must_log_in(kedge, ana):
    """The next sync says what to type."""
    advice = f"kedge-matrix login {re.escape(ana.user)}"
    result = kedge.try_matrix("sync", "--once", ana.user)
    assert result.returncode == 4 and re.search(advice, result.stderr), result
    # This one waits for the login; the Kedges on its socket are told the same.
    helper = kedge.start(kedge.helper_program, "serve", ana.user, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    line = helper.stderr.readline()
    assert re.search(advice, line), line
    helper.terminate()
    assert helper.wait() == 4, helper.returncode


def revoked(kedge, server, ana, room):
    """Another session ends this one, while something is to be sent and while events are missed."""
    devices = ana.call("GET", "devices")["devices"]
    mine = next(device["device_id"] for device in devices if device.get("display_name") == "kedge")
    delete = {"auth": {"type": "m.login.password", "identifier": {"type": "m.id.user", "user": ana.user}, "password": "secret"}}
    try:
        ana.call("DELETE", f"devices/{mine}", delete)
    except Refused as refusal:
        raise AssertionError(refusal) from None
    ana.say(room, "while nobody was logged in")
    must_log_in(kedge, ana)
    # An access token of another client.
    other = ana.login(ana.user)
    kedge.matrix("login", ana.user, "--server", server.address, "--token", secret=other.token)
    sync(kedge, ana, room, "by token")


def expired(kedge, server, ana, room):
    """A session that only needs a new login (soft logout)."""
    kedge.login(ana, server.address)
    sync(kedge, ana, room, "before it expires")
    server.stop()
    with sqlite3.connect(server.folder / "homeserver.db") as database:
        query = """update access_tokens set valid_until_ms = 1 where device_id in
                   (select device_id from devices where display_name = 'kedge')"""
        assert database.execute(query).rowcount > 0
    server.start()
    ana.say(room, "after it has expired")
    must_log_in(kedge, ana)
    kedge.login(ana, server.address)
    sync(kedge, ana, room, "by password again")


def log_out(kedge, server, ana):
    """The server forgets the session, and Kedge the token; the archive stays."""
    before = len(ana.call("GET", "devices")["devices"])
    kedge.matrix("logout")
    assert len(ana.call("GET", "devices")["devices"]) == before - 1, "the server still has the session"
    assert not list((kedge.folder / "state/kedge/matrix").glob("*.json")), "the token is still there"
    assert "by password again" in kedge.kedge("show", "berths", "--last", "5")
    assert kedge.try_matrix("sync", "--once").returncode == 1


main()
