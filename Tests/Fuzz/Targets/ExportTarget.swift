import Dates
import Foundation
import Formats

/// Reads an export of another program. The bytes are its files: `NAME NUL CONTENT NUL NAME NUL CONTENT`; without a NUL they are
/// the one file of an export.
package enum ExportTarget {
    package static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        // Files grow after they were listed.
        for share in [1, 2, bytes.count + 1] { try run(source(bytes, listed: share)) }
    }

    private static func run(_ source: Source) throws(FuzzFinding) {
        for format in Formats.all where format.recognise(source) == .certain {
            // An export whose list of conversations cannot be read is refused with a reason.
            guard let archive = try? format.archive(in: source) else { continue }
            let names = ForeignNames(archive)
            for conversation in archive.conversations {
                // A damaged export may lack the name of a conversation: the mirror gives it one then.
                for feed in conversation.feeds {
                    try convert(feed, of: conversation, source, format, names)
                }
            }
        }
    }

    /// The formats that recognise an input, and all formats that there are.
    package static func formats(of bytes: [UInt8]) -> (recognised: Set<String>, all: Set<String>) {
        let source = source(bytes)
        let recognised = Formats.all.filter { $0.recognise(source) == .certain }
        return (Set(recognised.map(\.id)), Set(Formats.all.map(\.id)))
    }

    /// - Parameter share: one half, a third … of the bytes of each file was there when it was listed.
    private static func source(_ bytes: [UInt8], listed share: Int = 1) -> Source {
        let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
        var contents = parts.count > 1 ? [:] : ["export": bytes]
        for place in stride(from: 0, to: parts.count - 1, by: 2) {
            contents[String(decoding: parts[place], as: UTF8.self)] = Array(parts[place + 1])
        }
        let files = contents.map { SourceFile(path: $0.key, size: Int64($0.value.count / share)) }
        return Source(name: "export", files: files, isFile: parts.count == 1, reader: MemorySource(contents))
    }

    /// Converts a feed in one piece and in small ones: each record is JSON with an ID, and its paths stay inside the export. Without
    /// damage both give the same records; after damage, the place where records begin again depends on the bytes at hand.
    private static func convert(
        _ feed: Feed, of conversation: ForeignConversation, _ source: Source, _ format: any Format,
        _ names: ForeignNames
    ) throws(FuzzFinding) {
        var results: [[UInt8]] = []
        var isDamaged = false
        for chunk in [1 << 20, 13] {
            let converter = format.converter(for: feed, of: conversation, names: names, state: nil, zone: .utc)
            guard let file = source.file(feed.file) else { continue }
            var reader = FeedReader(source, file, from: feed.start, by: converter, chunk: chunk)
            var writer = RecordWriter()
            let end = feed.end ?? file.size
            while (try? reader.step(to: end, isWhole: !feed.grows, into: &writer)) == true {}
            results.append(writer.lines)
            isDamaged = isDamaged || !writer.problems.isEmpty
        }
        try demand(isDamaged || Set(results).count < 2, "\(format.id): other records in small pieces")
        for line in results.joined().split(separator: UInt8(ascii: "\n")) {
            guard let record = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else {
                throw FuzzFinding("\(format.id): no JSON: \(String(decoding: line, as: UTF8.self))")
            }
            try demand((record["id"] as? String)?.isEmpty == false, "\(format.id): no ID in \(record)")
            for attachment in record["attachments"] as? [[String: Any]] ?? [] {
                let path = attachment["path"] as? String ?? ""
                let isInside = !path.hasPrefix("/") && !path.split(separator: "/").contains("..")
                try demand(isInside, "\(format.id): path \(path)")
            }
        }
    }
}
