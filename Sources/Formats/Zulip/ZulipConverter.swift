internal import Dates

/// Converts the messages of a topic.
final class ZulipConverter: Converter {
    private let reader: JSONArrayReader
    private let label: [UInt8]
    /// Whether the messages are those of the channel itself, without a topic.
    private let isMain: Bool
    private var root: Int64?
    /// Whether the bracket of the array was read.
    private var isInside = false
    private var digits: [UInt8] = []
    private var rootDigits: [UInt8] = []
    private var text = ZulipText()

    init(_ feed: Feed, state: String?) {
        reader = JSONArrayReader(file: feed.file)
        let setting = ZulipSetting(feed.setting)
        isMain = setting.topic.isEmpty
        var label = MarkedText()
        var topic = setting.topic
        topic.withUTF8 { label.add(Bytes($0), .bold) }
        self.label = label.bytes
        root = state.flatMap { Int64($0) } ?? setting.root
        isInside = state != nil
        if let root { ZulipConverter.write(root, to: &rootDigits) }
    }

    var state: String { root.map { "\($0)" } ?? "" }

    func convert(_ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int {
        var start = 0
        if !isInside {
            start = JSONRecords.start(of: bytes, count: bytes.count)
            isInside = start > 0 && bytes[start - 1] == UInt8(ascii: "[") || bytes.count > 1_024
            // The bytes of a mark of the order, or white space, of which there may be more.
            guard isInside || isEnd else { return 0 }
        }
        return start
            + reader.read(
                Bytes(rebasing: bytes[start...]), at: offset + Int64(start), isEnd: isEnd, into: &writer
            ) { message, writer in
                write(message, into: &writer)
            }.consumed
    }

    // MARK: - Messages

    /// - Returns: the reason why a record is no message.
    private func write(_ message: JSONValue, into writer: inout RecordWriter) -> String? {
        var (id, time) = (Int64?.none, Int64?.none)
        var (sender, content) = (Bytes.empty, Bytes.empty)
        message.forEachField { name, value in
            if name == "content" {
                content = value.bytes ?? .empty
            } else if name == "id" {
                id = value.integer
            } else if name == "sender_full_name" {
                sender = value.bytes ?? .empty
            } else if name == "timestamp" {
                time = value.integer
            }
            return true
        }
        guard let id, id > 0 else { return "message without an ID" }
        guard let time, (0..<253_402_300_800).contains(time) else { return "message without a time" }
        if root == nil {
            root = id
            ZulipConverter.write(id, to: &rootDigits)
        }
        ZulipConverter.write(id, to: &digits)
        digits.withUnsafeBytes {
            writer.message(id: $0, at: Timestamp(milliseconds: time * 1_000), key: id)
        }
        if !sender.isEmpty {
            writer.text("from", sender)
            writer.person(sender, name: sender)
        }
        write(content, isRoot: id == root, isNotice: sender == "Notification Bot", into: &writer)
        if writer.isBlank, let address = HTMLScanner.address(in: content) { writer.text("text", address) }
        let problem = writer.endMessage()
        return content.isEmpty ? nil : problem
    }

    private func write(_ content: Bytes, isRoot: Bool, isNotice: Bool, into writer: inout RecordWriter) {
        text.read(content)
        let isLabelled = isRoot && !isMain
        if isLabelled {
            writer.text("text", text.bytes.isEmpty ? label : label + [UInt8(ascii: "\n")] + text.bytes)
        } else if !isMain {
            writer.text("thread", rootDigits)
        }
        if isNotice { writer.text("kind", "system") }
        if !isLabelled {
            let isAction = text.isAction && !isNotice
            if isAction { writer.text("kind", "action") }
            text.bytes.withUnsafeBytes { bytes in
                writer.text(
                    "text", isAction ? Bytes(rebasing: bytes.dropFirst(ZulipText.action.utf8CodeUnitCount)) : bytes)
            }
        }
        if let quoted = text.quoted { writer.text("replyTo", quoted) }
        writer.attachments(text.files)
    }

    private static func write(_ id: Int64, to digits: inout [UInt8]) {
        digits.removeAll(keepingCapacity: true)
        var rest = id
        repeat {
            digits.append(UInt8(48 + rest % 10))
            rest /= 10
        } while rest > 0
        digits.reverse()
    }
}
