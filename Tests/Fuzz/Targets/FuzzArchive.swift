import Archive
import Foundation
import Logging
import Messages
import Search

/// An archive with one conversation of one segment, in a folder of its own.
struct FuzzArchive {
    private static let talk = ConversationID("talk")

    private let folder: String
    private var archive: String { folder + "/archive" }
    private var segment: String { archive + "/conversations/talk/messages-000001.jsonl" }
    private var index: IndexFolder { IndexFolder(cache: folder + "/cache", archive: archive) }

    init(segment bytes: [UInt8]) throws {
        folder = NSTemporaryDirectory() + "/kedge-fuzz-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: archive + "/conversations/talk", withIntermediateDirectories: true)
        try write("archive.json", #"{"format":"kedge","version":1,"name":"Fuzz","me":"ana"}"#)
        try write("people.json", #"[{"id":"ana","name":"Ana Ruiz"},{"id":"ben","name":"Ben"}]"#)
        try Data(bytes).write(to: URL(fileURLWithPath: segment))
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: archive + "/" + name))
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// Reads the archive without an index and with one, appends to it, and compares.
    func check() async throws {
        try makeIndex()
        let indexed = try FuzzReader(open(index: index), Self.talk)
        let known = try await indexed.messages()
        try await indexed.checkProblems()
        let hasRepeats = try await indexed.hasRepeats
        let plain = try FuzzReader(open(index: nil), Self.talk, showsRepeats: hasRepeats)
        let bare = try await plain.messages()
        try await plain.checkProblems()
        if !hasRepeats {
            let (bareIDs, knownIDs) = (bare.map(\.id), known.map(\.id))
            try demand(bareIDs == knownIDs, "\(bareIDs) without an index, \(knownIDs) with one")
            for (one, other) in zip(bare, known) {
                try demand(one == other, "\(one.id) without an index: \(one)\nand with one: \(other)")
            }
            for query in FuzzReader.queries(of: known) {
                let (hits, found) = (try await plain.hits(query), try await indexed.hits(query))
                try demand(hits == found, "\(query.text) finds \(hits) without an index, \(found) with one")
            }
        }
        try await send(known)
    }

    /// Any log can be appended to, and the new message is then the last one.
    private func send(_ before: [Message]) async throws {
        let store = try open(index: index)
        let post = Post(
            id: MessageID("01JV0000000000000000000000"), at: Timestamp(milliseconds: 1_740_000_000_000),
            sender: PersonID("ana"), content: .message(text: "after all that", replyTo: nil, thread: nil))
        guard !before.contains(where: { $0.id == post.id }) else { return }
        try await store.send(post, to: Self.talk, isRetry: false)
        let last = try await store.page(PageRequest(conversation: Self.talk, position: .latest, limit: 1)).messages.last
        try demand(last?.id == post.id, "what was sent is not the last message, but \(String(describing: last))")
        try makeIndex()
        let after = try await FuzzReader(open(index: index), Self.talk).messages()
        let (idsBefore, idsAfter) = (before.map(\.id), after.map(\.id))
        try demand(idsAfter == idsBefore + [post.id], "before it was sent: \(idsBefore), after: \(idsAfter)")
    }

    private func open(index: IndexFolder?) throws -> JSONArchive {
        try JSONArchive.open(
            path: archive, index: index,
            logger: Logger(label: "fuzz", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    /// Makes the index cover everything that is there now.
    private func makeIndex() throws {
        for failure in try ArchiveIndex(archive: archive, in: index).make() { throw failure }
        switch try ArchiveIndex(archive: archive, in: index).check() {
        case .missing(let reason): throw FuzzFinding("the index that was just made is missing: \(reason)")
        case .broken(let reason): throw FuzzFinding("the index that was just made is broken: \(reason)")
        case .compared(let checks):
            let faults = checks.flatMap(\.faults.lines)
            try demand(faults.isEmpty, "the index that was just made has faults: \(faults)")
        }
    }
}
