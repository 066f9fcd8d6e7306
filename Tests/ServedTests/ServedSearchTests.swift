import Foundation
import Logging
import Messages
import Relay
import Search
import Synchronization
import Testing

@testable import Archive
@testable import Served

/// Searches of an archive whose server can be searched as well.
final class ServedSearchTests {
    private static let room = ConversationID("harbour")
    private let path = NSTemporaryDirectory() + "/kedge-served-search-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// - Parameter before: of the only segment: `gap` or `start`.
    private func store(_ scripted: ScriptedHelper, before: String = "gap") async throws -> ServedStore {
        let folder = URL(fileURLWithPath: path + "/conversations/harbour")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(#"{"format":"kedge","version":1,"me":"@me:e.org","server":"matrix"}"#.utf8).write(
            to: URL(fileURLWithPath: path + "/archive.json"))
        let lines = [
            #"{"type":"segment","before":"\#(before)"}"#,
            #"{"type":"message","id":"m5","at":"2025-03-01T09:12:33Z","from":"ana","text":"high tide"}"#,
        ]
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(
            to: folder.appending(path: "messages-500000000000000000.jsonl"))
        let archive = try JSONArchive.open(
            path: path, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let helper = Helper(scripted)
        _ = await helper.reached()
        return ServedStore(archive, helper: helper, searchPause: .zero)
    }

    /// The hits, those on the server with a star, and the errors.
    private func found(_ text: String, _ store: ServedStore, limit: Int? = nil) async -> [String] {
        var all: [String] = []
        for await batch in store.search(SearchRequest(Query(text), limit: limit)) {
            switch batch {
            case .success(let batch): all += batch.hits.map { $0.message.rawValue + ($0.isElsewhere ? "*" : "") }
            case .failure(let error): all.append(error.description)
            }
        }
        return all
    }

    private static func hit(_ id: String, _ text: String, at: Int64 = 0) -> RelayHit {
        RelayHit(
            conversation: room, message: MessageID(id), at: Timestamp(milliseconds: at), sender: PersonID("@ben:e.org"),
            text: text)
    }

    private func searches(_ scripted: ScriptedHelper) -> [RelaySearch] {
        scripted.requests.withLock { $0.compactMap { if case .search(let search, _) = $0 { search } else { nil } } }
    }

    @Test func `What the archive lacks is found on the server, page by page`() async throws {
        let scripted = try ScriptedHelper { request in
            guard case .search(let search, _) = request.content else { return [] }
            let hits =
                search.next == nil
                ? [Self.hit("m1", "the tide", at: 1), Self.hit("m2", "Tide!", at: 2), Self.hit("m5", "high tide")]
                : [Self.hit("m0", "tide"), Self.hit("m9", "tides are other words")]
            return [.response(request.number, .found(hits, next: search.next == nil ? "n" : nil))]
        }
        let store = try await store(scripted)
        let hits = await found("tide", store)
        #expect(hits == ["m5", "m2*", "m1*", "m0*"])
        #expect(searches(scripted).map(\.next) == [nil, "n"] && searches(scripted).allSatisfy { $0.words == "tide" })
    }

    @Test(arguments: ["tide -low", "from:ana tide", "/ti?de/", "tide since:2020-01-01", "has:link", "-tide"])
    func `The server is not asked for what it does not know`(query: String) async throws {
        let scripted = try ScriptedHelper()
        _ = await found(query, try await store(scripted))
        #expect(searches(scripted).isEmpty)
    }

    @Test func `The server is not asked when nothing is missing, or when there are hits enough`() async throws {
        let scripted = try ScriptedHelper()
        let store = try await store(scripted)
        #expect(await found("tide", store, limit: 1) == ["m5"])
        let other = try ScriptedHelper()
        #expect(await found("tide", try await self.store(other, before: "start")) == ["m5"])
        #expect(searches(scripted).isEmpty && searches(other).isEmpty)
    }

    @Test func `A search that the server cannot make says so after the hits of the archive`() async throws {
        let refusing = try ScriptedHelper { [.response($0.number, .failed(reason: "too many requests", retry: 1))] }
        let store = try await store(refusing)
        #expect(await found("\"high tide\"", store) == ["m5", "the server was not searched: too many requests"])
        #expect(searches(refusing).map(\.words) == ["high tide"])
        let away = try ScriptedHelper(
            greeting: #"{"n":1,"version":\#(RelayRequest.version)}"# + "\n"
                + #"{"state":"offline","reason":"no route to host"}"# + "\n")
        #expect(
            await found("tide", try await self.store(away)) == [
                "m5", "the server was not searched: offline: no route to host",
            ])
    }
}
