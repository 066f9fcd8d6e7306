"""Writes rooms and events straight into the database of a server that does not run: thousands a second, where the server itself takes
less than a hundred."""

import json
import sqlite3

from synapse.api.room_versions import KNOWN_ROOM_VERSIONS
from synapse.events import make_event_from_dict

from server import Homeserver

# Tables whose rows a copy of a room has too, and what is done to their columns.
TABLES = (
    "events", "event_json", "state_events", "current_state_events", "room_memberships", "rooms", "room_depth", "event_to_state_groups",
    "event_auth", "event_edges", "event_forward_extremities", "local_current_membership", "sliding_sync_joined_rooms",
    "sliding_sync_membership_snapshots", "state_groups", "state_groups_state", "state_group_edges", "event_auth_chains", "event_search",
)
EVENT_COLUMNS = {"event_id", "prev_event_id", "auth_id", "membership_event_id"}
STREAM_COLUMNS = {"stream_ordering", "event_stream_ordering", "bump_stamp"}
GROUP_COLUMNS = {"state_group", "prev_state_group"}


def make_log(folder, count, is_plain=False):
    """A server with a room that has many messages of two people.
    Returns the server, which does not run, the people, and the room."""
    server = Homeserver(folder)
    with server:
        ana, ben = server.register("ana"), server.register("ben")
        room = ben.make_room("Log")
        ana.join(room)
    seed = Seed(server)
    seed.fill(room, count, [ana.user, ben.user], is_plain)
    seed.end()
    return server, ana, ben, room


class Seed:
    def __init__(self, server):
        assert server.process is None, "the server runs"
        self.database = sqlite3.connect(server.folder / "homeserver.db")

    def value(self, query, *arguments):
        return self.database.execute(query, arguments).fetchone()[0]

    def end(self):
        stream = self.value("select max(stream_ordering) from events")
        self.database.execute("update stream_positions set stream_id = ? where stream_name = 'events'", (stream,))
        # Without it, SQLite takes seconds for one event and its neighbours.
        self.database.execute("analyze")
        self.database.commit()
        self.database.close()

    # Messages

    def fill(self, room, count, senders, is_plain=False):
        """Adds messages to a room, the newest last: every 10th is a reply, every 25th a reaction, every 40th an
        edit, unless all are to be plain."""
        version = KNOWN_ROOM_VERSIONS[self.value("select room_version from rooms where room_id = ?", room)]
        last = self.value("select event_id from event_forward_extremities where room_id = ?", room)
        depth = self.value("select max(depth) from events where room_id = ?", room)
        stream = self.value("select max(stream_ordering) from events")
        group = self.value("select state_group from event_to_state_groups where event_id = ?", last)
        time = self.value("select max(origin_server_ts) from events")
        query = "select state_key, event_id from current_state_events where room_id = ? and type = 'm.room.member'"
        members = dict(self.database.execute(query, (room,)))
        rows = {"events": [], "event_json": [], "event_to_state_groups": [], "event_edges": [], "event_relations": []}
        messages = [last]
        for number in range(count):
            depth, stream, time = depth + 1, stream + 1, time + 1
            sender = senders[number % len(senders)]
            kind, content = self.content(number, messages, is_plain)
            body = {
                "type": kind, "room_id": room, "sender": sender, "content": content, "origin_server_ts": time, "depth": depth,
                "prev_events": [last], "auth_events": [members[sender]], "hashes": {}, "signatures": {}, "unsigned": {},
            }
            event = make_event_from_dict(body, version)
            id = event.event_id
            rows["events"].append((stream, depth, id, kind, room, 1, 0, depth, time, time, sender, 0, "master"))
            rows["event_json"].append((id, room, "{}", json.dumps(body), event.format_version))
            rows["event_to_state_groups"].append((id, group))
            rows["event_edges"].append((id, last, 0))
            relation = content.get("m.relates_to", {})
            if "rel_type" in relation:
                rows["event_relations"].append((id, relation["event_id"], relation["rel_type"], relation.get("key")))
            elif kind == "m.room.message":
                messages.append(id)
            last = id
        self.insert(
            "events", rows, "stream_ordering, topological_ordering, event_id, type, room_id, processed, outlier, depth, origin_server_ts, "
            "received_ts, sender, contains_url, instance_name")
        self.insert("event_json", rows, "event_id, room_id, internal_metadata, json, format_version")
        self.insert("event_to_state_groups", rows, "event_id, state_group")
        self.insert("event_edges", rows, "event_id, prev_event_id, is_state")
        self.insert("event_relations", rows, "event_id, relates_to_id, relation_type, aggregation_key")
        self.database.execute("update event_forward_extremities set event_id = ? where room_id = ?", (last, room))
        self.database.execute(
            "update sliding_sync_joined_rooms set event_stream_ordering = ?, bump_stamp = ? where room_id = ?", (stream, stream, room))

    @staticmethod
    def content(number, messages, is_plain):
        text = {"msgtype": "m.text", "body": f"message {number} of the harbour log"}
        if is_plain:
            return "m.room.message", text
        if number % 10 == 3:
            return "m.room.message", dict(text, **{"m.relates_to": {"m.in_reply_to": {"event_id": messages[-1]}}})
        if number % 25 == 4:
            relation = {"rel_type": "m.annotation", "event_id": messages[-1], "key": f"+{number}"}
            return "m.reaction", {"m.relates_to": relation}
        if number % 40 == 5:
            relation = {"rel_type": "m.replace", "event_id": messages[-1]}
            return "m.room.message", dict(text, **{"m.new_content": text, "m.relates_to": relation})
        return "m.room.message", text

    def insert(self, table, rows, columns):
        places = ",".join("?" * len(columns.split(",")))
        self.database.executemany(f"insert into {table} ({columns}) values ({places})", rows[table])

    # Rooms

    def copy(self, room, count):
        """Makes copies of a room, with its members and its events, and with names of their own."""
        version = KNOWN_ROOM_VERSIONS[self.value("select room_version from rooms where room_id = ?", room)]
        tables = {table: self.rows(table, room) for table in TABLES}
        shifts = {
            **dict.fromkeys(STREAM_COLUMNS, self.value("select max(stream_ordering) from events")),
            **dict.fromkeys(GROUP_COLUMNS, self.value("select max(id) from state_groups")),
            "chain_id": self.value("select max(chain_id) from event_auth_chains"),
        }
        bodies = {row["event_id"]: json.loads(row["json"]) for row in tables["event_json"]}
        order = [row["event_id"] for row in sorted(tables["events"], key=lambda row: row["stream_ordering"])]
        for number in range(1, count + 1):
            new, ids, texts = f"!copy{number}:localhost", {}, {}
            for id in order:
                body = dict(bodies[id], room_id=new)
                if body["type"] == "m.room.name":
                    body["content"] = {"name": f"Berth {number}"}
                for key in ("prev_events", "auth_events"):
                    body[key] = [ids[event] for event in body[key]]
                ids[id] = make_event_from_dict(body, version).event_id
                texts[id] = json.dumps(body)
            for table, rows in tables.items():
                self.write(table, [self.copied(table, row, new, number, ids, texts, shifts) for row in rows])

    def rows(self, table, room):
        """The rows of a table that belong to a room."""
        columns = [column[1] for column in self.database.execute(f"pragma table_info({table})")]
        if "room_id" in columns and table != "event_edges":
            place = "room_id = ?"
        elif table == "state_group_edges":
            place = "state_group in (select id from state_groups where room_id = ?)"
        else:
            place = "event_id in (select event_id from events where room_id = ?)"
        return [dict(zip(columns, row)) for row in self.database.execute(f"select * from {table} where {place}", (room,))]

    @staticmethod
    def copied(table, row, room, number, ids, texts, shifts):
        new = dict(row)
        for column, value in row.items():
            if value is None:
                continue
            if column == "room_id":
                new[column] = room
            elif column in EVENT_COLUMNS:
                new[column] = ids[value]
            elif column in shifts:
                new[column] = value + number * shifts[column]
            elif column == "room_name":
                new[column] = f"Berth {number}"
        if table == "state_groups":
            new["id"] += number * shifts["state_group"]
        if table == "event_json":
            new["json"] = texts[row["event_id"]]
        return new

    def write(self, table, rows):
        for row in rows:
            columns = ",".join(row)
            self.database.execute(f"insert into {table} ({columns}) values ({','.join('?' * len(row))})", list(row.values()))
