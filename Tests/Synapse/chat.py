"""chat.py FOLDER KILLS SEED: chats with matrix-nio, a client that nobody here wrote: 500 messages each way at the same time, and then
replies, edits, reactions, redactions, a thread and typing, which each of the two is to understand."""

import asyncio
import json
import os
import sys
import time

from nio import AsyncClient, RoomMessagesResponse, SyncResponse

from kedge import Kedge
from relay import Helper
from server import Homeserver

folder, _, _ = sys.argv[1:]
COUNT = int(os.environ.get("MESSAGES", 500))
# How many posts Kedge has on their way at a time.
WINDOW = 5


class Friend:
    """A user of matrix-nio, and the events that it has received, in their order."""

    def __init__(self, server, user, room):
        self.client = AsyncClient(server.address, user)
        self.room, self.events, self.typing = room, [], set()
        self.client.add_response_callback(self.take, SyncResponse)

    def take(self, response):
        for room in [response.rooms.join.get(self.room)] if self.room in response.rooms.join else []:
            assert not room.timeline.limited, "matrix-nio has missed events"
            self.events += [event.source for event in room.timeline.events]
            for event in room.ephemeral:
                self.typing.update(event.users)

    async def begin(self):
        await self.client.login("secret")
        await self.client.sync(full_state=True)
        # Each response costs the server as much as a message: with a pause, one brings several.
        filter = {"room": {"timeline": {"limit": 500}}}
        self.following = asyncio.create_task(
            self.client.sync_forever(timeout=10_000, sync_filter=filter, loop_sleep_time=500))

    async def end(self):
        self.following.cancel()
        await self.client.close()

    async def send(self, content, kind="m.room.message"):
        response = await self.client.room_send(self.room, kind, content)
        return response.event_id

    async def say(self, text, **relation):
        content = {"msgtype": "m.text", "body": text}
        return await self.send(dict(content, **{"m.relates_to": relation}) if relation else content)

    async def wait(self, is_wanted, what):
        """Waits for an event.
        Returns it."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            for event in self.events:
                if is_wanted(event):
                    return event
            await asyncio.sleep(0.02)
        raise AssertionError(f"matrix-nio has not received {what}")

    def bodies(self):
        return [event["content"].get("body") for event in self.events]


def main():
    kedge = Kedge(folder + "/kedge")
    with Homeserver(folder + "/server") as server:
        ana, ben = server.register("ana"), server.register("ben")
        room = ben.make_room("Harbour")
        ana.join(room)
        kedge.login(ana, server.address)
        kedge.matrix("sync", "--once", "--quiet")
        helper = Helper(kedge)
        asyncio.run(chat(kedge, helper, server, Friend(server, ben.user, room)))
        helper.stop()
        kedge.check_index()


async def chat(kedge, helper, server, friend):
    await friend.begin()
    conversation = kedge.conversations()[friend.room].name
    start = time.monotonic()
    await asyncio.gather(
        asyncio.to_thread(send, helper, conversation, COUNT), *[receive(friend, COUNT)])
    seconds = time.monotonic() - start
    await friend.wait(lambda event: event["content"].get("body") == f"from Kedge {COUNT - 1}", "the last message")
    compare(kedge, server, friend)
    await understand_friend(kedge, helper, conversation, friend)
    await understand_kedge(kedge, helper, conversation, friend)
    await friend.end()
    print(f"{COUNT} messages each way in {seconds:.0f} s: all once, in order on both sides; relations and typing understood")


def send(helper, conversation, count):
    """Sends messages of Kedge."""
    open = []
    for number in range(count):
        post = {"type": "message", "id": f"01CHAT{number:06}", "text": f"from Kedge {number}"}
        open.append(helper.begin_post(conversation, post))
        while len(open) >= WINDOW or number == count - 1 and open:
            response = helper.response(open.pop(0))
            assert "ok" in response, response


async def receive(friend, count):
    """Sends messages of matrix-nio."""
    for number in range(count):
        await friend.say(f"from nio {number}")


def compare(kedge, server, friend):
    """Both have all messages once, in the order of the server."""
    wanted = server.events(friend.room)
    assert len(wanted) == 2 * COUNT, f"the server has {len(wanted)} messages"
    until(lambda: len(messages(kedge, friend.room)) >= len(wanted))
    here = messages(kedge, friend.room)
    assert [record["id"] for record in here] == wanted, "the archive has other messages, or another order"
    there = [event["event_id"] for event in friend.events if event["type"] == "m.room.message"]
    assert there == wanted, "matrix-nio has other messages, or another order"
    for name in ("Kedge", "nio"):
        texts = [record["text"] for record in here if record["text"].startswith(f"from {name} ")]
        assert texts == [f"from {name} {number}" for number in range(COUNT)], f"the order of {name}'s messages changed"


def messages(kedge, room):
    return [record for record in kedge.records(room) if record["type"] == "message" and record.get("kind") != "system"]


def text_of(kedge, room, id):
    """The text of a record in the archive."""
    return next(record["text"] for record in kedge.records(room) if record["id"] == id)


def formatted(content):
    """The HTML of a message; None without it."""
    return content["formatted_body"] if content.get("format") == "org.matrix.custom.html" else None


def until(is_true):
    end = time.monotonic() + 60
    while not is_true():
        assert time.monotonic() < end, "it does not become true within a minute"
        time.sleep(0.05)


async def understand_friend(kedge, helper, conversation, friend):
    """matrix-nio sends one of each, and Kedge shows them."""
    first = await friend.say("a question")
    reply = await friend.say("> <@ana:localhost> a question\n\nan answer", **{"m.in_reply_to": {"event_id": first}})
    new = {"msgtype": "m.text", "body": "a better question"}
    edit = {"m.new_content": new, "m.relates_to": {"rel_type": "m.replace", "event_id": first}}
    await friend.send({"msgtype": "m.text", "body": "* a better question", **edit})
    relation = {"rel_type": "m.annotation", "event_id": first, "key": "👍"}
    await friend.send({"m.relates_to": relation}, "m.reaction")
    gone = await friend.say("a slip")
    await friend.client.room_redact(friend.room, gone)
    taken = await friend.send({"m.relates_to": dict(relation, key="👎")}, "m.reaction")
    await friend.client.room_redact(friend.room, taken)
    threaded = await friend.say(
        "in a thread", rel_type="m.thread", event_id=first, is_falling_back=True, **{"m.in_reply_to": {"event_id": first}})
    await friend.client.room_typing(friend.room, True, 30_000)
    await asyncio.to_thread(helper.wait, lambda news: friend.client.user_id in news.get("typing", {}).get("people", []))
    await friend.client.room_typing(friend.room, False)
    until(lambda: threaded in kedge.ids(friend.room))
    shown = {
        message["id"]: message for id in (first, reply, gone, threaded)
        for message in json.loads(kedge.kedge("show", f"{conversation}/{id}", "--context", "0", "--json"))
    }
    assert shown[first]["text"] == "a better question" and shown[first]["edited"], shown[first]
    assert [(one["emoji"], one["count"]) for one in shown[first]["reactions"]] == [("👍", 1)], shown[first]
    assert shown[reply]["text"] == "an answer" and shown[reply]["replyTo"] == first, shown[reply]
    assert shown[gone]["deleted"] and not shown[gone]["text"], shown[gone]
    assert shown[threaded]["thread"] == first and not shown[threaded].get("replyTo"), shown[threaded]


async def understand_kedge(kedge, helper, conversation, friend):
    """Kedge sends one of each, and matrix-nio receives what the specification says."""

    async def post(id, **content):
        await asyncio.to_thread(lambda: helper.post(conversation, id=f"01RELATION{id}", **content))
        return await friend.wait(
            lambda event: event["unsigned"].get("transaction_id") == f"01RELATION{id}" or event["event_id"] not in seen
            and event["sender"] == "@ana:localhost", f"the {content['type']} {id}")

    seen = set()

    async def next(id, **content):
        seen.update(event["event_id"] for event in friend.events)
        return await post(id, **content)

    typed = "hello **Ben**, see `dock` & _pier_ \\*\n> @ben:localhost"
    first = await next("A", type="message", text=typed)
    target = first["event_id"]
    person = '<a href="https://matrix.to/#/@ben:localhost">@ben:localhost</a>'
    html = f"hello <strong>Ben</strong>, see <code>dock</code> &amp; <em>pier</em> \\*<blockquote>{person}</blockquote>"
    assert first["content"]["body"] == typed and formatted(first["content"]) == html, first
    assert first["content"]["m.mentions"] == {"user_ids": ["@ben:localhost"]}, first
    until(lambda: target in kedge.ids(friend.room))
    assert text_of(kedge, friend.room, target) == typed, "the text is not as it was typed"
    reply = await next("B", type="message", text="a reply", replyTo=target)
    assert reply["content"]["m.relates_to"]["m.in_reply_to"]["event_id"] == target, reply
    assert "format" not in reply["content"] and "formatted_body" not in reply["content"], reply
    edit = await next("C", type="edit", target="01RELATIONA", text="hello, _Ben_")
    new = edit["content"]["m.new_content"]
    assert new["body"] == "hello, _Ben_" and formatted(new) == "hello, <em>Ben</em>", edit
    assert formatted(edit["content"]) == "* hello, <em>Ben</em>", edit
    until(lambda: edit["event_id"] in kedge.ids(friend.room))
    assert text_of(kedge, friend.room, edit["event_id"]) == "hello, _Ben_", "the text is not as it was typed"
    assert edit["content"]["m.relates_to"] == {"rel_type": "m.replace", "event_id": target}, edit
    reaction = await next("D", type="reaction", target=target, emoji="🎉")
    assert reaction["content"]["m.relates_to"] == {"rel_type": "m.annotation", "event_id": target, "key": "🎉"}
    until(lambda: reaction["event_id"] in kedge.ids(friend.room))
    removal = await next("E", type="reaction", target=target, emoji="🎉", removed=True)
    assert removal["type"] == "m.room.redaction" and reaction["event_id"] in str(removal), removal
    thread = await next("F", type="message", text="in my thread", thread=target)
    relation = thread["content"]["m.relates_to"]
    assert relation["rel_type"] == "m.thread" and relation["event_id"] == target and relation["is_falling_back"], relation
    action = await next("G", type="message", text="waves", kind="action")
    assert action["content"]["msgtype"] == "m.emote" and action["content"]["body"] == "waves", action
    deletion = await next("H", type="delete", target=reply["event_id"])
    assert deletion["type"] == "m.room.redaction" and reply["event_id"] in str(deletion), deletion
    link = kedge.kedge("send", conversation, "from the command line")
    sent = await friend.wait(lambda event: event["content"].get("body") == "from the command line", "kedge send")
    assert sent["sender"] == "@ana:localhost" and link.strip(), link
    await asyncio.to_thread(lambda: helper.ask(typing={"conversation": conversation, "on": True}))
    await asyncio.to_thread(until, lambda: "@ana:localhost" in friend.typing)
    page = await friend.client.room_messages(friend.room, "", limit=5)
    assert isinstance(page, RoomMessagesResponse), page


main()
