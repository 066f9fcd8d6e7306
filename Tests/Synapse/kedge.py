"""Kedge, as a user whose files are in a folder of the test has it."""

import json
import os
import pathlib
import subprocess

PROGRAMS = pathlib.Path(os.environ["PROGRAMS"])


class Kedge:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.variables = dict(os.environ, XDG_RUNTIME_DIR=str(self.folder / "runtime"), LC_ALL="C.UTF-8", TZ="UTC")
        for name in ("STATE", "DATA", "CACHE", "CONFIG"):
            self.variables[f"XDG_{name}_HOME"] = str(self.folder / name.lower())
        for name in ("state", "data", "cache", "config", "runtime"):
            (self.folder / name).mkdir(parents=True, exist_ok=True, mode=0o700)
        # Kedge finds the helper beside itself.
        self.program, self.helper_program = PROGRAMS / "kedge", PROGRAMS / "kedge-matrix"

    def start(self, program, *arguments, **options):
        return subprocess.Popen([program, *arguments], env=self.variables, **options)

    def try_matrix(self, *arguments, secret=""):
        """Runs kedge-matrix."""
        return subprocess.run(
            [self.helper_program, *arguments], input=secret, text=True, env=self.variables, capture_output=True)

    def matrix(self, *arguments, secret=""):
        """Runs kedge-matrix, which is to succeed.
        Returns what it prints."""
        result = self.try_matrix(*arguments, secret=secret)
        assert result.returncode == 0, f"kedge-matrix {' '.join(arguments)}: {result.returncode} {result.stderr}"
        return result.stdout

    def kedge(self, *arguments, secret=""):
        """Runs kedge with the archive of the account, which is to succeed.
        Returns what it prints."""
        result = subprocess.run(
            [self.program, *arguments, "--archive", self.archive], input=secret, text=True, env=self.variables,
            capture_output=True)
        assert result.returncode == 0, f"kedge {' '.join(arguments)}: {result.returncode} {result.stderr[:1000]}"
        return result.stdout

    def login(self, user, server, *arguments):
        self.matrix("login", user.user, "--server", server, *arguments, secret="secret")

    def check_index(self):
        """Brings the index up to date and compares it with the files."""
        self.kedge("index")
        self.kedge("index", "--check")

    @property
    def archive(self):
        """The archive of the only account."""
        return next((self.folder / "data/kedge/matrix").iterdir())

    @property
    def has_conversations(self):
        """Is a conversation in the archive of the only account? There is no archive before the first sync that was not killed at once."""
        return any((self.folder / "data/kedge/matrix").glob("*/conversations/*/conversation.json"))

    def conversations(self):
        """The folders of the conversations, by the IDs of their rooms."""
        paths = sorted(self.archive.glob("conversations/*/conversation.json"))
        return {json.loads(path.read_text())["matrix"]["room"]: path.parent for path in paths}

    def folder_of(self, room):
        return self.conversations()[room]

    def records(self, room):
        return records(self.folder_of(room))

    def ids(self, room):
        return [record["id"] for record in self.records(room)]


def records(conversation):
    """The records in the folder of a conversation, in their order."""
    return [
        record for path in sorted(conversation.glob("messages-*.jsonl")) for record in map(json.loads, path.open())
        if record["type"] != "segment"
    ]


def lacks(conversation, server, room):
    """What is wrong with the folder of a conversation, compared with the database of the server: a list of complaints."""
    sent, here = server.events(room), [record["id"] for record in records(conversation)]
    known, wanted = set(here), set(sent)
    complaints = []
    if len(here) != len(known):
        complaints.append(f"{len(here) - len(known)} records are there twice")
    # A reaction that was taken back before it was fetched is no record.
    lost = wanted - known and wanted - known - server.redacted()
    if lost:
        complaints.append(f"{len(lost)} of {len(sent)} events are lost")
    if [event for event in here if event in wanted] != [event for event in sent if event in known]:
        complaints.append("the order is another one")
    left = [path.name for path in conversation.iterdir() if path.name.startswith(".")]
    if left:
        complaints.append(f"files of killed processes are left over: {left}")
    return [f"{conversation.name}: {complaint}" for complaint in complaints]


def gaps(conversation):
    """The gaps: the names of the segments before them, if any, and after them."""
    found, last = [], None
    for path in sorted(conversation.glob("messages-*.jsonl")):
        with path.open() as lines:
            head = json.loads(lines.readline())
        if (last is None or number(last) + 1 != number(path)) and head["before"] == "gap":
            found.append((last and last.name, path.name))
        last = path
    return found


def number(path):
    return int(path.stem.split("-")[1])
