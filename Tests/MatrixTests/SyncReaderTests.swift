import Formats
import Foundation
import Helper
import JSON
import TestSupport
import Testing

@testable import Matrix

struct SyncReaderTests {
    private let reader = SyncReader(events: MatrixEvents { _, _ in nil })

    private func read(_ body: String, facts: RoomFacts? = nil) -> SyncResponse? {
        body.asBody { reader.read($0) { facts?.room == $0 ? facts : nil } }
    }

    private func texts(_ news: RoomNews?) -> [String] {
        String(decoding: news?.lines ?? [], as: UTF8.self).split(separator: "\n").compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["text"] as? String
        }
    }

    @Test func `a room has its new events in their order, and its tokens`() throws {
        let room = Events.room("!r", [Events.text("1"), Events.text("2"), Events.text("1")], limited: true, from: "t1")
        let response = try #require(read(Events.sync("s2", [room])))
        #expect(response.next == "s2" && response.rooms.map(\.room) == ["!r"])
        #expect(texts(response.rooms.first) == ["1", "2"])
        #expect(response.rooms.first?.isLimited == true && response.rooms.first?.from == "t1")
        #expect(response.rooms.first?.isStart == false)
    }

    @Test func `state before the events is no record, and tells what the room is`() throws {
        let state = [
            Events.state("n", "m.room.name", #""name":"Harbour""#),
            Events.state("t", "m.room.topic", #""topic":"Tides""#),
            Events.member("a", "@ana:e.org", name: "Ana P"), Events.state("e", "m.room.encryption", ""),
        ]
        let response = try #require(read(Events.sync("s", [Events.room("!r", [], state: state)])))
        let news = try #require(response.rooms.first)
        #expect(news.lines.isEmpty)
        #expect(news.facts.name == "Harbour" && news.facts.topic == "Tides" && news.facts.isEncrypted)
        #expect(news.facts.members == ["@ana:e.org"])
        #expect(response.people == [ForeignPerson(id: "@ana:e.org", name: "Ana P")])
    }

    @Test func `state among the events counts as well, and is a line`() throws {
        let event = Events.state("n", "m.room.name", #""name":"Quay""#)
        let news = read(Events.sync("s", [Events.room("!r", [event])]))?.rooms.first
        #expect(news?.facts.name == "Quay")
        #expect(texts(news) == ["ana named the room «Quay»"])
    }

    @Test func `a name holds for the lines after it`() throws {
        let topic = Events.state("t", "m.room.topic", #""topic":"x""#)
        let room = Events.room("!r", [topic], state: [Events.member("m", "@ana:e.org", name: "Ana P")])
        #expect(texts(read(Events.sync("s", [room]))?.rooms.first) == ["Ana P changed the topic to «x»"])
    }

    @Test(arguments: [
        ("m.room.message", #""m.new_content":{"body":"b"},"m.relates_to":{"rel_type":"m.replace","event_id":"$1"}"#),
        ("m.reaction", #""m.relates_to":{"rel_type":"m.annotation","event_id":"$1","key":"x"}"#),
        ("m.room.redaction", #""redacts":"$1""#),
    ])
    func `the echo of what this account has sent names its transaction`(type: String, content: String) {
        let own = Events.event("2", content, type: type, #""unsigned":{"transaction_id":"01A"}"#)
        let other = Events.event("3", content, type: type)
        let room = Events.room("!r", [Events.text("1"), own, other])
        let lines = String(decoding: read(Events.sync("s", [room]))?.rooms.first?.lines ?? [], as: UTF8.self)
        let records = lines.split(separator: "\n").map { $0.contains(#""transaction":"01A""#) }
        #expect(records == [false, true, false])
    }

    @Test func `a room that was left before is passed over, and a known one is left`() throws {
        let room = Events.room("!r", [Events.text("1")])
        #expect(read(Events.sync("s", left: [room]))?.rooms.isEmpty == true)
        let news = read(Events.sync("s", left: [room]), facts: RoomFacts(room: "!r"))?.rooms.first
        #expect(news?.facts.hasLeft == true && texts(news) == ["1"])
    }

    @Test func `a known room whose response changes nothing is no news`() {
        let body = Events.sync("s", [Events.room("!r", [])])
        #expect(read(body, facts: RoomFacts(room: "!r"))?.rooms.isEmpty == true)
        #expect(read(body)?.rooms.map(\.facts) == [RoomFacts(room: "!r")])
    }

    @Test(arguments: [[], ["@ana:e.org", "@ben:e.org"]])
    func `it is told who is typing, which is no news of the room`(people: [String]) {
        let body = Events.sync("s", [Events.room("!r", [], typing: people + ["none"]), Events.room("!q", [])])
        let response = read(body, facts: RoomFacts(room: "!r"))
        #expect(response?.typing == ["!r": people] && response?.rooms.map(\.room) == ["!q"])
    }

    @Test func `the event up to which this account has read is a fact about the room`() throws {
        let room = Events.room("!r", [], fullyRead: "$7")
        let facts = try #require(read(Events.sync("s", [room]))?.rooms.first?.facts)
        #expect(facts.fullyRead == "$7")
        let file = facts.file(conversation: "r") { $0 }.line
        #expect(file.withUnsafeBytes { RoomFacts(file: $0) } == facts)
    }

    @Test(arguments: [
        "", "{}", "[]", "null", #"{"next_batch":7}"#, #"{"next_batch":""}"#, #"{"rooms":{}}"#,
        #"{"next_batch":"s","rooms":"#,
    ])
    func `other bodies are no responses to sync`(body: String) { #expect(read(body) == nil) }

    @Test(arguments: [
        #"{"next_batch":"s","rooms":[]}"#, #"{"next_batch":"s","rooms":{"join":7}}"#,
        #"{"next_batch":"s","rooms":{"join":{"!r":7,"":{}}}}"#,
        #"{"next_batch":"s","rooms":{"join":{"!r":{"timeline":[],"state":{"events":{}},"summary":[]}}}}"#,
        #"{"next_batch":"s","rooms":{"join":{"!r":{"timeline":{"events":[7,null,[],{},{"type":7}],"limited":"x"}}}}}"#,
    ])
    func `parts of another shape hide nothing else`(body: String) { #expect(read(body)?.next == "s") }

    @Test func `an event of any shape is a record or none`() throws {
        let content = [
            #""msgtype":7,"body":[]"#, #""body":{"a":1}"#, #""m.relates_to":7,"body":"a""#,
            #""m.relates_to":{"rel_type":"m.replace","event_id":[]},"body":"b""#,
            #""m.mentions":{"user_ids":7},"body":"c""#,
            #""formatted_body":7,"format":"org.matrix.custom.html","body":"d""#, #""body":"\u0000\u001b[31m\ud800""#,
        ]
        let events = content.enumerated().map { Events.event("\($0)", $1) } + [Events.text("last")]
        let news = read(Events.sync("s", [Events.room("!r", events)]))?.rooms.first
        #expect(texts(news).last == "last")
        for line in String(decoding: news?.lines ?? [], as: UTF8.self).split(separator: "\n") {
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        }
    }

    @Test func `damaged responses are read without a crash`() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let whole = Array(
            Events.sync(
                "s",
                [
                    Events.room(
                        "!r", [Events.text("1"), Events.member("2", "@b:e.org", name: "B")],
                        state: [Events.state("n", "m.room.name", #""name":"x""#)], limited: true, from: "t",
                        summary: #""m.heroes":["@b:e.org"]"#)
                ]
            ).utf8)
        for _ in 0..<2_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                if Bool.random(using: &random) {
                    bytes[place] = UInt8.random(in: 0x20...0x7E, using: &random)
                } else {
                    bytes.remove(at: place)
                }
            }
            _ = bytes.withUnsafeBytes { reader.read($0) { _ in nil } }
        }
        print("seed \(seed)")
    }

    @Test func `a long response comes in parts, and has all its rooms and events`() throws {
        let text = String(repeating: "x", count: 10_000)
        let rooms = (0..<1_000).map { Events.room("!\($0)", [Events.text("\($0)", text)], limited: true, from: "t") }
        let long = Events.room("!long", (0..<1_000).map { Events.text("l\($0)", text) }, limited: true, from: "t1")
        var (parts, passed) = ([SyncResponse](), 0)
        let isRead = Events.sync("s2", rooms + [long]).asBody { body in
            reader.read(body, passed: { passed += $0.count }, facts: { _ in nil }, take: { parts.append($0) })
        }
        #expect(isRead && passed > 10_000_000)
        #expect(parts.map(\.isLast) == Array(repeating: false, count: parts.count - 1) + [true])
        #expect(
            parts.allSatisfy { part in part.next == "s2" && part.rooms.reduce(0) { $0 + $1.lines.count } < 9 << 20 })
        let news = parts.flatMap(\.rooms)
        #expect(news.prefix(1_000).map(\.room) == (0..<1_000).map { "!\($0)" })
        #expect(news.prefix(1_000).allSatisfy { $0.isLimited && $0.from == "t" })
        let pieces = news.dropFirst(1_000)
        #expect(pieces.count > 1 && pieces.allSatisfy { $0.room == "!long" })
        // Only before the first one events are missing.
        #expect(pieces.map(\.isLimited) == [true] + Array(repeating: false, count: pieces.count - 1))
        #expect(pieces.flatMap { texts($0) }.count == 1_000)
        #expect(parts.last?.invitations == [])
    }

    @Test func `a long response that is cut off has no part`() {
        let room = Events.room("!r", (0..<1_000).map { Events.text("\($0)", String(repeating: "x", count: 10_000)) })
        var count = 0
        let isRead = String(Events.sync("s2", [room, Events.room("!q", [])]).dropLast(9)).asBody { body in
            reader.read(body, facts: { _ in nil }, take: { _ in count += 1 })
        }
        #expect(!isRead && count == 0)
    }

    @Test(arguments: ["ana", "Ana P"])
    func `the state before the events names people, also by the part of the ID that they chose`(name: String) {
        let room = Events.room("!r", [], state: [Events.member("m", "@ana:e.org", name: name)])
        #expect(read(Events.sync("s", [room]))?.people == [ForeignPerson(id: "@ana:e.org", name: name)])
        // The second time it is nothing new.
        #expect(read(Events.sync("t", [room]))?.people == [])
    }

    @Test func `a name of which nothing can be seen is none`() {
        let members = [Events.member("m", "@ana:e.org", name: " \\u200b")]
        #expect(read(Events.sync("s", [Events.room("!r", members, state: members)]))?.people == [])
    }
}
