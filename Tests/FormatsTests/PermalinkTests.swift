import TestSupport
import Testing

@testable import Formats

struct PermalinkTests {
    private func link(_ text: String) -> Permalink? {
        guard case .link(let link) = Permalink.parse(text) else { return nil }
        return link
    }

    @Test(arguments: [
        ("https://acme.slack.com/archives/C024BE91L/p1520000000000100", "1520000000.000100", nil),
        ("  <https://ACME.slack.com/archives/C024BE91L/p1520000000000100> ", "1520000000.000100", nil),
        (
            "https://acme.slack.com/archives/C024BE91L/p1520000005000200?thread_ts=1520000000.000100&cid=C024BE91L",
            "1520000005.000200", "1520000000.000100"
        ),
        (
            "https://acme.slack.com/archives/C024BE91L/p1520000000000100?thread_ts=1520000000.000100",
            "1520000000.000100", nil
        ),
        ("https://acme.enterprise.slack.com/archives/C024BE91L", nil, nil),
        ("https://app.slack.com/client/T1/C024BE91L", nil, nil),
        ("https://app.slack.com/client/T1/C024BE91L/p1520000000000100", "1520000000.000100", nil),
        ("https://app.slack.com/client/T1/C024BE91L/thread/C024BE91L-1520000000.000100", "1520000000.000100", nil),
        ("slack://channel?team=T1&id=C024BE91L&message=1520000000.000100", "1520000000.000100", nil),
    ])
    func `links of Slack name a channel, a message and a thread`(text: String, message: String?, thread: String?) {
        #expect(link(text) == Permalink(conversations: ["C024BE91L"], message: message, thread: thread))
    }

    @Test(arguments: [
        ("https://discord.com/channels/1/2/3", ["2"], "3", nil),
        ("https://discord.com/channels/@me/2/3", ["2"], "3", nil),
        ("https://ptb.discord.com/channels/1/2", ["2"], nil, nil),
        ("https://canary.discordapp.com/channels/1/2/3", ["2"], "3", nil),
        ("https://discord.com/channels/1/2/threads/4/5", ["4", "2"], "5", "4"),
        ("discord://-/channels/1/2/3", ["2"], "3", nil),
    ])
    func `links of Discord name a channel and a message`(
        text: String, conversations: [String], message: String?, thread: String?
    ) {
        #expect(link(text) == Permalink(conversations: conversations, message: message, thread: thread))
    }

    @Test(arguments: [
        ("https://t.me/c/1234/56", "56", nil), ("t.me/c/1234/56?single", "56", nil),
        ("https://t.me/c/1234/7/56", "56", "7"),
        ("https://t.me/c/1234/56?thread=7", "56", "7"), ("tg://privatepost?channel=1234&post=56", "56", nil),
        ("https://telegram.me/c/1234", nil, nil),
    ])
    func `links of Telegram name a chat by its number`(text: String, message: String?, thread: String?) {
        #expect(link(text)?.conversations.first == "1234")
        #expect(link(text)?.message == message)
        #expect(link(text)?.thread == thread)
    }

    @Test(arguments: [
        ("https://x.zulipchat.com/#narrow/stream/12-general/topic/hello/near/105", "stream-12", "105"),
        ("https://chat.example.org:8443/#narrow/channel/12-general/topic/near/near/105", "stream-12", "105"),
        ("https://x.zulipchat.com/#narrow/channel/12-general/topic/hello/with/105", "stream-12", "105"),
        ("https://x.zulipchat.com/#narrow/stream/12-general/topic/hello", "stream-12", nil),
        ("https://x.zulipchat.com/#narrow/stream/12", "stream-12", nil),
        ("https://x.zulipchat.com/#narrow/stream/Caf.C3.A9.20.26.20bar/topic/a/near/50", "Café & bar", "50"),
    ])
    func `links of Zulip name a channel by its number or name, on any host`(
        text: String, conversation: String, message: String?
    ) {
        #expect(link(text)?.conversations.first == conversation)
        #expect(link(text)?.message == message)
    }

    @Test(arguments: ["https://x.org/#narrow/near/105", "https://x.org/#narrow/is/starred", "https://x.org/#narrow"])
    func `other addresses of Zulip are no links to messages`(text: String) {
        #expect(Permalink.parse(text) == nil)
    }

    @Test(arguments: ["dm/8-ana", "pm-with/8-ana"])
    func `a link to a direct message of Zulip says why it cannot be resolved`(place: String) {
        guard case .unresolvable(let reason) = Permalink.parse("https://x.org/#narrow/\(place)/near/105") else {
            Issue.record("resolved")
            return
        }
        #expect(reason.contains("a direct message"))
    }

    @Test func `a link with a public name of Telegram says why it cannot be resolved`() {
        guard case .unresolvable(let reason) = Permalink.parse("https://t.me/durov/123") else {
            Issue.record("it was taken for something else")
            return
        }
        #expect(reason.contains("durov"))
    }

    @Test(arguments: [
        ("https://matrix.to/#/!abc:example.org/$ev-1_x?via=example.org&via=b.org", "!abc:example.org", "$ev-1_x"),
        ("https://matrix.to/#/%23room%3Aexample.org/%24ev", "#room:example.org", "$ev"),
        ("https://matrix.to/#/#room:example.org", "#room:example.org", nil),
        ("https://app.element.io/#/room/!abc:example.org/$ev", "!abc:example.org", "$ev"),
        ("matrix:roomid/abc:example.org/e/ev?via=example.org", "!abc:example.org", "$ev"),
        ("matrix:r/room:example.org/event/ev", "#room:example.org", "$ev"),
        ("matrix:r/room:example.org", "#room:example.org", nil),
    ])
    func `links of Matrix name a room and an event`(text: String, room: String, event: String?) {
        #expect(link(text) == Permalink(conversations: [room], message: event, thread: nil))
    }

    @Test(arguments: [
        "", "general/m-000123", "general", "https://example.org/archives/C1/p1520000000000100", "https://slack.com",
        "see https://t.me/c/1/2",
        "https://acme.slack.com/archives/C1/pabc", "https://acme.slack.com/archives",
        "https://discord.com/channels/1/x/3",
        "https://discord.com/invite/abc", "https://t.me/durov", "https://t.me/c/x/1",
        "https://matrix.to/#/@ana:example.org",
        "matrix:u/ana:example.org", "mailto:a@b.c", "%", "https://matrix.to/#/%", ":", "//", "https://t.me/+abc/1",
    ])
    func `any other text is no link to a message`(text: String) {
        #expect(Permalink.parse(text) == nil)
    }

    @Test func `any text is read without a crash`() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "https://", "t.me/", "c/", "#", "/", "%", "%2", "?", "=", "&", ":", "12", "p1", "matrix:", "r/", "é", "$",
            "slack.com", "archives/",
        ]
        for _ in 0..<2_000 {
            let text = (0..<8).compactMap { _ in pieces.randomElement(using: &random) }.joined()
            if case .link(let link) = Permalink.parse(text) { #expect(!link.conversations.isEmpty, "seed \(seed)") }
        }
    }
}
