import Files
import Dates
import Foundation

@testable import Formats

/// A source as a format converts it, read by another JSON library than Kedge's.
struct Converted {
    let archive: ForeignArchive
    /// The native records of each conversation in its order.
    let records: [String: [[String: Any]]]
    let people: [String: String]
    let problems: [ForeignProblem]

    /// - Parameter chunk: how many bytes the converters get at a time.
    init(_ source: Source, by format: any Format, zone: Zone = .utc, chunk: Int = 1 << 20) throws {
        archive = try format.archive(in: source)
        var (records, problems) = ([String: [[String: Any]]](), archive.problems)
        var people = Dictionary(archive.people.map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
        let names = ForeignNames(archive)
        for conversation in archive.conversations {
            var found: [(key: Int64, rank: Int, record: [String: Any])] = []
            for feed in conversation.feeds {
                var writer = RecordWriter(keepsKeys: true)
                try Converted.convert(feed, of: conversation, source, format, names, zone, chunk, into: &writer)
                let lines = try Converted.lines(writer.lines)
                found += zip(writer.keys, lines).map { ($0.key, feed.rank, $1) }
                problems += writer.problems
                for person in writer.people { people[person.id] = person.name }
            }
            if conversation.order == .byKey { found = Converted.merged(found) }
            records[conversation.id] = found.map(\.record)
        }
        (self.records, self.people, self.problems) = (records, people, problems)
    }

    private static func convert(
        _ feed: Feed, of conversation: ForeignConversation, _ source: Source, _ format: any Format,
        _ names: ForeignNames,
        _ zone: Zone, _ chunk: Int, into writer: inout RecordWriter
    ) throws {
        guard let file = source.file(feed.file) else { throw FileError(.read, feed.file, code: ENOENT) }
        let converter = format.converter(for: feed, of: conversation, names: names, state: nil, zone: zone)
        var reader = FeedReader(source, file, from: feed.start, by: converter, chunk: chunk)
        while try reader.step(to: feed.end ?? file.size, isWhole: !feed.grows, into: &writer) {}
    }

    private static func merged(
        _ found: [(key: Int64, rank: Int, record: [String: Any])]
    ) -> [(key: Int64, rank: Int, record: [String: Any])] {
        var newest: [Int64: (key: Int64, rank: Int, record: [String: Any])] = [:]
        for item in found where item.rank >= newest[item.key]?.rank ?? .min { newest[item.key] = item }
        return newest.values.sorted { $0.key < $1.key }
    }

    static func lines(_ bytes: [UInt8]) throws -> [[String: Any]] {
        try bytes.split(separator: UInt8(ascii: "\n")).map { line in
            try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
        }
    }
}
