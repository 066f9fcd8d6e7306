@testable import Archive
import Foundation
import Messages
import Search
import TestSupport
import Testing

struct SearchTests {
    static let conversations = ["alpha", "beta", "general"]
    private static let vocabulary = ["red", "green", "blue", "Été", "天気", "👍🏽", "https://red.example", "www.b"]
    /// The first seed has repeats in an uncovered part that is too large for pages to search it; the second one a hit that is
    /// a reply before its root, and other replies after that root.
    static let seeds: [UInt64] =
        [9_075_699_380_279_566_040, 5_217_199_826_745_410_893]
        + (2..<12).map { _ in UInt64.random(in: 0...UInt64.max) }

    private static let padding = " " + String(repeating: "x", count: 30_000)

    /// Writes some dozens of records, many of them edits and deletions by authors and others, before and after their
    /// messages. Some texts are long, so that there are several blocks.
    static func write(
        _ archive: TemporaryArchive, _ conversation: String, repeats: Bool = true, _ random: inout SeededGenerator
    ) throws {
        func pick(_ list: [String]) -> String { list[Int.random(in: list.indices, using: &random)] }
        func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }
        var lines: [String] = []
        let count = Int.random(in: 0...80, using: &random)
        for number in 0..<count {
            let id = chance(15) && repeats ? "id-\(Int.random(in: 0...number, using: &random))" : "id-\(number)"
            let target = "id-\(max(0, min(count, number + Int.random(in: -12...3, using: &random))))"
            let text = (0..<3).map { _ in pick(vocabulary) }.joined(separator: pick([" ", "-", "\\n", ", "]))
            let sender = pick(["ana", "ana", "ben", "cy"])
            let at = time(Int.random(in: 0..<30, using: &random))
            var fields = [#""id":"\#(id)""#, #""at":"\#(at)""#]
            if !chance(9) { fields.append(#""from":"\#(sender)""#) }
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2: fields += [#""type":"edit""#, #""target":"\#(target)""#, #""text":"\#(text)""#]
            case 3:
                fields += [#""type":"delete""#, #""target":"\#(target)""#]
                if chance(3) { fields.append(#""by":"\#(pick(["mod", "bot"]))""#) }
            case 4: fields += [#""type":"reaction""#, #""target":"\#(target)""#, #""emoji":"👍""#]
            default:
                let padding = chance(5) ? Self.padding : ""
                fields += [#""type":"message""#, #""text":"\#(text)\#(padding)""#]
                if chance(4) { fields.append(#""thread":"\#(target)""#) }
                if chance(5) { fields += [#""kind":"system""#, #""presence":"\#(pick(["join", "mode", "other"]))""#] }
                if chance(7) { fields.append(#""deleted":\#(!chance(4))"#) }
                if chance(4) { fields.append(#""broadcast":\#(chance(2))"#) }
                if chance(4) { fields.append(#""replyTo":"\#(pick([target, ""]))""#) }
                if chance(4) { fields.append(#""attachments":\#(pick([#"[{"name":"a"}]"#, "[]", "[7]", "null"]))"#) }
            }
            fields.shuffle(using: &random)
            lines.append("{" + fields.joined(separator: ",") + "}\n")
        }
        let cut = Int.random(in: 0...lines.count, using: &random)
        let folder = "conversations/\(conversation)/messages-00000"
        try archive.write(folder + "1.jsonl", lines[..<cut].joined())
        try archive.write(folder + "2.jsonl", lines[cut...].joined())
    }

    /// Removes the padding, which no query contains and which slows the plain reader down.
    private static func short(_ text: String) -> String {
        text.hasSuffix(padding) ? String(text.utf8.dropLast(padding.utf8.count)) ?? text : text
    }

    private static func contains(_ phrases: [[String]], _ text: String) -> Bool {
        let words = PlainSearch.words(short(text))
        return phrases.allSatisfy { phrase in
            words.indices.contains { words[$0...].prefix(phrase.count).elementsEqual(phrase) }
        }
    }

    static let queries: [(String, [[String]])] = [
        ("red", [["red"]]), ("RED blue", [["red"], ["blue"]]), ("\"red blue\"", [["red", "blue"]]),
        ("ete", [["ete"]]), ("天気", [["天", "気"]]), ("👍", [["👍"]]), ("\"green 天\"", [["green", "天"]]),
        ("nothing", [["nothing"]]),
    ]

    @Test(arguments: seeds, RandomArchiveTests.Coverage.allCases)
    func `A search finds the same messages, order and places as a plain reader, however much of the log is indexed`(
        seed: UInt64, coverage: RandomArchiveTests.Coverage
    ) async throws {
        print("seed \(seed), \(coverage) of it in the index")
        var random = SeededGenerator(seed: seed)
        let archive = try TemporaryArchive()
        let names = ["ana": "Ana Ruiz", "ben": "Ben"]
        try archive.write("people.json", #"[{"id":"ana","name":"Ana Ruiz"},{"id":"ben","name":"Ben"},{"id":"cy"}]"#)
        try archive.write(
            "conversations/general/conversation.json", ##"{"id":"general","title":"#The Général  Room"}"##)
        var plain: [(String, NaiveConversation)] = []
        for id in Self.conversations {
            // Repeats are only known with an index.
            try Self.write(archive, id, repeats: coverage != .none, &random)
            plain.append((id, try NaiveConversation(folder: archive.path + "/conversations/" + id, names: names)))
        }
        for id in Self.conversations { try RandomArchiveTests.index(archive, coverage, of: id, &random) }
        let store = try archive.open(index: coverage == .none ? nil : archive.index)
        for (typed, phrases) in Self.queries {
            let query = ResolvedQuery(Query(typed))
            let merged = try await compare(store, query, plain, seed) {
                !$1.isDeleted && $1.presence == nil && Self.contains(phrases, $1.text)
            }
            try await filters(store, typed, merged, seed)
        }
        let world = Self.world
        var known: [String: [MessageID: PlainMessage]] = [:]
        for (id, naive) in plain {
            for message in naive.all { known[id, default: [:]][message.id] = Self.plain(message, in: id) }
        }
        for _ in 0..<15 {
            let wanted = PlainQuery(in: world, &random)
            let query = ResolvedQuery(
                Query(wanted.description), zone: .utc, now: try #require(Timestamp(iso8601: time(1_000))))
            #expect(query.unresolved.isEmpty, "seed \(seed): \(wanted)")
            _ = try await compare(store, query, plain, seed) { id, message in
                !message.isDeleted && known[id]?[message.id].map(wanted.accepts) ?? false
            }
        }
    }

    /// The people and conversations of this test with all their names, and the minutes, for queries with operators.
    static let world = PlainQuery.World(
        words: ["red", "green", "blue", "Été", "天気", "👍🏽", "example"],
        senders: [
            ("ana", ["ana"]), ("RUIZ", ["ana"]), ("\"ana ruiz\"", ["ana"]), ("@ben", ["ben"]), ("be*", ["ben"]),
            ("a*", ["ana"]), ("cy", ["cy"]), ("an", []), ("nobody", []),
        ],
        conversations: [
            ("alpha", ["alpha"]), ("#BETA", ["beta"]), ("\"the général room\"", ["general"]), ("general", ["general"]),
            ("the*", ["general"]), ("gen", []), ("\"#alpha\"", ["alpha"]),
        ],
        minutes: 0..<30
    ) { minute in
        let name = String(time(minute).prefix(16))
        return minute % 2 == 0 ? name + "Z" : "\"\(name.replacing("T", with: " "))\""
    }

    private static func plain(_ message: Message, in conversation: String) -> PlainMessage {
        PlainMessage(
            conversation: conversation, minute: Int((message.at.milliseconds - 1_740_000_000_000) / 60_000),
            sender: message.sender?.id.rawValue, text: short(message.text), isReply: message.quote != nil,
            isThreadReply: message.thread != nil, hasFile: !message.attachments.isEmpty,
            isPresence: message.presence != nil)
    }

    /// Expects the store to find exactly the hits: in each conversation, by their places, and in all conversations.
    /// - Returns: the hits in all conversations.
    private func compare(
        _ store: JSONArchive, _ query: ResolvedQuery, _ plain: [(String, NaiveConversation)], _ seed: UInt64,
        isHit: (String, Message) -> Bool
    ) async throws -> [Hit] {
        let label = "seed \(seed): \(query.text)"
        var lists: [(String, [Message])] = []
        for (id, naive) in plain {
            let hits = naive.all.filter { isHit(id, $0) }
            lists.append((id, hits))
            let request = SearchRequest(query, in: ConversationID(id))
            try await #expect(store.hits(request).map(\.message) == hits.reversed().map(\.id), "\(label)")
            let places = try await store.places(query, in: id)
            #expect(places == self.places(naive, hits), "\(label) in \(id)")
            // Tests of loaded messages agree with the search.
            let conversation = try await store.conversation(ConversationID(id))
            #expect(naive.all.filter { query.accepts(conversation) && query.accepts($0) } == hits, "\(label) in \(id)")
        }
        // All hits are counted even if only a few are requested.
        var few = SearchRequest(query, limit: 2)
        few.countsAll = true
        try await #expect(
            store.counts(few) == lists.reduce(into: [:]) { $0[$1.0] = $1.1.isEmpty ? nil : $1.1.count }, "\(label)")
        // The source with the newest next hit first, then the order of conversation IDs.
        var merged: [Hit] = []
        while let best = lists.indices.filter({ !lists[$0].1.isEmpty }).max(by: {
            let (a, b) = (lists[$0].1.last?.at.milliseconds ?? 0, lists[$1].1.last?.at.milliseconds ?? 0)
            return (a, -$0) < (b, -$1)
        }) {
            let message = lists[best].1.removeLast()
            merged.append(
                Hit(
                    conversation: ConversationID(lists[best].0), message: message.id, at: message.at,
                    sender: message.sender, text: message.text, files: message.attachments.map(\.name)))
        }
        // The order of two conversations depends on the excluded messages too, the set of hits does not.
        if query.times.isEmpty, !query.query.filters.nameConversations {
            try await #expect(store.hits(SearchRequest(query)) == merged, "\(label)")
        } else {
            try await #expect(Set(store.hits(SearchRequest(query))) == Set(merged), "\(label)")
        }
        return merged
    }

    private func filters(_ store: JSONArchive, _ typed: String, _ merged: [Hit], _ seed: UInt64) async throws {
        var request = SearchRequest(Query(typed))
        try await #expect(store.hits(request) == merged, "seed \(seed): \(typed)")
        for limit in [1, 2, 5, 1_000] {
            request.limit = limit
            try await #expect(store.hits(request) == Array(merged.prefix(limit)), "seed \(seed): \(typed)")
        }
        request.limit = nil
        let (since, until) = (try #require(Timestamp(iso8601: time(8))), try #require(Timestamp(iso8601: time(20))))
        (request.since, request.until) = (since, until)
        let between = merged.filter { $0.at >= since && $0.at < until }
        // The order of two conversations depends on the excluded messages too, the set of hits does not.
        try await #expect(Set(store.hits(request)) == Set(between), "seed \(seed): \(typed)")
        (request.since, request.until) = (nil, nil)
        for (sender, id) in [
            ("ana", "ana"), ("RUIZ", "ana"), ("Ana Ruiz", "ana"), ("ben", "ben"), ("cy", "cy"), ("an", ""),
        ] {
            request.sender = QueryName(sender)
            let own = Set(merged.filter { $0.sender?.id.rawValue == id })
            try await #expect(Set(store.hits(request)) == own, "seed \(seed): \(typed) from \(sender)")
        }
    }

    private func places(_ naive: NaiveConversation, _ hits: [Message]) -> [HitPlace] {
        let ids = Set(hits.map(\.id))
        let isMain = { (message: Message) in message.thread == nil || message.isBroadcast }
        var order = 0
        var places: [HitPlace] = []
        for message in naive.all {
            if ids.contains(message.id) {
                let root = naive.mains.firstIndex { $0.id == message.thread } ?? max(0, order - 1)
                places.append(
                    HitPlace(order: order, index: isMain(message) ? order : root, isReply: !isMain(message)))
            }
            if isMain(message) { order += 1 }
        }
        return places.reversed()
    }
}

extension JSONArchive {
    /// All hits, from batches whose progress never falls and ends at 1.
    func hits(_ request: SearchRequest) async throws -> [Hit] {
        var hits: [Hit] = []
        var progress = 0.0
        for await batch in search(request) {
            let batch = try batch.get()
            #expect(batch.progress >= progress && batch.progress <= 1)
            progress = batch.progress
            hits += batch.hits
        }
        #expect(progress == 1)
        return hits
    }

    /// The number of hits in each conversation, from a search that returns only the newest ones.
    func counts(_ request: SearchRequest) async throws -> [String: Int] {
        var counts: [String: Int] = [:]
        var given = 0
        for await batch in search(request) {
            let batch = try batch.get()
            given += batch.hits.count
            for hit in batch.hits { counts[hit.conversation.rawValue, default: 0] += 1 }
            for (id, count) in batch.more { counts[id.rawValue, default: 0] += count }
        }
        #expect(given <= request.limit ?? .max)
        return counts
    }

    func places(_ query: String, in conversation: String) async throws -> [HitPlace] {
        try await places(ResolvedQuery(Query(query)), in: conversation)
    }

    func places(_ query: ResolvedQuery, in conversation: String) async throws -> [HitPlace] {
        var places: [HitPlace] = []
        for await batch in self.places(of: query, in: ConversationID(conversation)) {
            places += try batch.get().places
        }
        return places
    }
}
