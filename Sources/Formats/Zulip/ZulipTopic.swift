/// A file with the messages of a topic.
struct ZulipTopic {
    let file: SourceFile
    let name: String
    let age: ZulipIndex.Age

    static func isCandidate(_ file: SourceFile) -> Bool {
        file.name.hasSuffix(".json") && file.name != ZulipIndex.name && !file.name.hasPrefix("._")
    }

    /// The facts that the first message of a file tells.
    struct Head {
        let first: Int64
        /// The name of the topic, which old versions of zulip-archive wrote into each message.
        let topic: String?

        private static let sizes = [64 << 10, 4 << 20]

        /// Nil for any other file.
        init?(_ file: SourceFile, in source: Source) throws(SourceError) {
            for size in Head.sizes {
                let head = try source.read(file, count: size)
                guard Head.isArray(head) else { return nil }
                if let found = Head.read(head) {
                    guard let found else { return nil }
                    self = found
                    return
                }
                if head.count < size { return nil }
            }
            return nil
        }

        private init(first: Int64, topic: String?) {
            (self.first, self.topic) = (first, topic)
        }

        private static func isArray(_ head: [UInt8]) -> Bool {
            head.withUnsafeBytes { bytes in
                let start = JSONRecords.start(of: bytes, count: bytes.count)
                return start > 0 && bytes[start - 1] == UInt8(ascii: "[")
            }
        }

        /// - Returns: `.some(nil)` if the first record that is whole is no message; nil if none is there as a whole.
        private static func read(_ head: [UInt8]) -> Head?? {
            head.withUnsafeBytes { bytes in
                let start = JSONRecords.start(of: bytes, count: bytes.count)
                let rest = Bytes(rebasing: bytes[start...])
                var splitter = RecordSplitter(rest, isEnd: false)
                let tree = JSONTree()
                while let piece = splitter.next() {
                    guard case .record(let range) = piece, let value = tree.parse(Bytes(rebasing: rest[range])) else {
                        continue
                    }
                    guard let id = value["id"]?.integer, id > 0, value["sender_full_name"]?.isString == true,
                        value["timestamp"]?.integer != nil, value["content"]?.isString == true
                    else { return .some(nil) }
                    return Head(first: id, topic: value["subject"]?.string)
                }
                return nil
            }
        }
    }
}
