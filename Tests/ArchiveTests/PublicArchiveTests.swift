import Archive
import Foundation
import Logging
import Messages
import Testing

struct PublicArchiveTests {
    static let path: String? = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let places: [String?] = [
            ProcessInfo.processInfo.environment["KEDGE_PUBLIC_ARCHIVE"],
            root.appendingPathComponent("shared/data/public-irc").path,
            root.deletingLastPathComponent().appendingPathComponent("shared/data/public-irc").path,
        ]
        return places.compactMap { $0 }.first { FileManager.default.fileExists(atPath: $0 + "/archive.json") }
    }()

    static let ubuntu = ConversationID("ubuntu")

    @Test(.enabled(if: path != nil, "there is no public archive; KEDGE_PUBLIC_ARCHIVE may name one"))
    func `Paging from one end to the other and back gives every message of the file`() async throws {
        let path = try #require(PublicArchiveTests.path)
        let store = try JSONArchive.open(path: path, logger: Logger(label: "test"))
        let lines = try PublicArchiveTests.lines(path + "/conversations/ubuntu")
        #expect(lines.count == 247_963)
        for forwards in [true, false] {
            var seen: [String] = []
            seen.reserveCapacity(lines.count)
            var page = try await store.page(
                PageRequest(conversation: Self.ubuntu, position: forwards ? .earliest : .latest, limit: 1_000))
            while true {
                let messages = page.messages.map {
                    "\($0.id) \($0.at.iso8601) \($0.sender?.id.rawValue ?? "") \($0.text)"
                }
                seen += forwards ? messages : messages.reversed()
                guard case .more(let cursor, _) = forwards ? page.newer : page.older else { break }
                page = try await store.page(
                    PageRequest(
                        conversation: Self.ubuntu, position: forwards ? .after(cursor) : .before(cursor), limit: 1_000))
            }
            // Compared line by line, because a failed `#expect` would print the whole log.
            let expected = forwards ? lines : lines.reversed()
            #expect(seen.count == expected.count)
            let difference = zip(seen, expected).first { $0 != $1 }
            #expect(difference?.0 == difference?.1)
        }
        #expect(await store.problems() == [])
    }

    private static func lines(_ folder: String) throws -> [String] {
        var lines: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        where name.hasPrefix("messages-") {
            let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
            for line in data.split(separator: 0x0A) {
                let json = try JSONSerialization.jsonObject(with: escapingMarks(line)) as? [String: Any] ?? [:]
                let field = { (key: String) in json[key] as? String ?? "" }
                lines.append("\(field("id")) \(field("at")) \(field("from")) \(field("text"))")
            }
        }
        return lines
    }

    /// Foundation drops a U+FEFF at the start of a string unless it is escaped; some old messages have one.
    private static func escapingMarks(_ line: Data) -> Data {
        guard line.range(of: Data([0xEF, 0xBB, 0xBF])) != nil else { return line }
        return Data(String(decoding: line, as: UTF8.self).replacing("\u{FEFF}", with: "\\ufeff").utf8)
    }
}
