internal import Files
internal import JSON
package import Messages

/// The last message of each conversation when a person first opened an archive: a file in the state folder for each
/// archive and reader. It is separate from `read.json`, because it is written once and may name many conversations.
///
/// A failure here stops nothing: it is returned as one line for people.
package struct Baseline: Sendable {
    private let file: StateFile
    private let archive: String
    private let reader: PersonID?

    /// - Parameters:
    ///   - folder: where the file is, or will be; nil without a home.
    ///   - archive: the real path of the archive.
    ///   - reader: the person who reads; nil when it is not known.
    package init(folder: String?, archive: String, reader: PersonID?) {
        file = StateFile(folder: folder, name: Baseline.name(of: archive, reader))
        self.archive = archive
        self.reader = reader
    }

    /// Reads the file; nil when there is none. May wait for the disk.
    package func load() -> (last: [ConversationID: MessageID]?, problem: String?) {
        do throws(FileError) {
            return (try read(), nil)
        } catch {
            return (nil, Baseline.text(error))
        }
    }

    /// Writes the file, unless another process has done so. May wait for the disk and for that process.
    /// - Returns: the messages that count from now on, and the failure.
    package func keep(
        _ last: [ConversationID: MessageID]
    ) -> (last: [ConversationID: MessageID], problem: String?) {
        var kept = last
        var problem: String?
        do throws(FileError) {
            try file.locked { () throws(FileError) in
                let known = try file.known(read)
                if let earlier = known.content ?? nil { return kept = earlier }
                problem = known.problem
                try file.replace(with: encoded(last))
            }
        } catch {
            problem = Baseline.text(error)
        }
        return (kept, problem)
    }
}

// MARK: - The file

extension Baseline {
    /// FNV-1a over the path and the reader, with a byte between them that no text in UTF-8 has.
    private static func name(of archive: String, _ reader: PersonID?) -> String {
        let bytes = Array(archive.utf8) + (reader.map { [0xFF] + Array($0.rawValue.utf8) } ?? [])
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return "baseline-" + String(repeating: "0", count: 16 - digits.count) + digits + ".json"
    }

    private static func text(_ error: FileError) -> String {
        error.text(
            unread: "Kedge does not know which messages were there when the archive was first opened",
            unkept: "the messages there now cannot be saved as read")
    }

    private func read() throws(FileError) -> [ConversationID: MessageID]? {
        try file.content { bytes in
            let reader = JSONReader(names: "version archive reader last")
            guard let values = try? reader.object(bytes), let version = try? values.number(0) else { return (nil, nil) }
            return (version, try? last(in: values))
        }
    }

    /// - Returns: nil if the file is that of another archive or of another reader, or has an odd number of texts.
    private func last(in values: JSONFields) throws(JSONReader.Failure) -> [ConversationID: MessageID]? {
        let pairs = try values.strings(3)
        guard pairs.count.isMultiple(of: 2), try values.string(1).utf8.elementsEqual(archive.utf8),
            try values.optional(2, values.string).map({ PersonID($0) }) == reader
        else { return nil }
        var last: [ConversationID: MessageID] = [:]
        for index in stride(from: 0, to: pairs.count, by: 2) {
            last[ConversationID(pairs[index])] = MessageID(pairs[index + 1])
        }
        return last
    }

    private func encoded(_ last: [ConversationID: MessageID]) -> [UInt8] {
        // Conversations and their last messages, alternating: the keys of an object may not be compared by their bytes, as IDs are.
        let pairs = last.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { [$0.key.rawValue, $0.value.rawValue] }
        let document: JSONText = [
            "archive": JSONText(archive), "last": JSONText(pairs), "reader": JSONText(ifAny: reader?.rawValue),
            "version": JSONText(StateFile.version),
        ]
        return document.line
    }
}
