import Index
import JSON
import Messages
import Search

@testable import Archive

/// Runs one line through all code that reads and writes lines.
enum LineProbe {
    enum Outcome: Hashable, Sendable {
        /// The line is invalid, with the reason for people.
        case bad(String)
        /// A record other than a message, or of an unknown type.
        case other
        /// A message that is unchanged after being written and read again.
        case message(MessageID)
        /// A message that differs after being written and read again: a bug in Kedge.
        case changed(MessageID)
    }

    /// Reads a line, splits its text into words as the index does, and writes the message and reads it again.
    /// - Parameter bytes: the line without its line feed.
    /// - Throws: `unavailable` without memory. For a short line, that is a bug in Kedge.
    static func run(_ bytes: UnsafeRawBufferPointer) throws(StoreError) -> Outcome {
        let records = RecordReader()
        switch try records.read(line(bytes)) {
        case .failure(let fault): return .bad(fault.reason)
        case .success(nil): return .other
        case .success(let record?):
            let place = LinePlace(segment: 0, offset: 0)
            guard record.head.isMessage else {
                _ = records.amendment(record.head, record.fields, at: place)
                return .other
            }
            _ = RecordKind(record.head, record.fields)
            var words = Tokenizer(record.fields.bytes(RecordKey.text).assumingMemoryBound(to: UInt8.self))
            while words.next() {}
            let message = try records.message(record.head, record.fields, at: place)
            return try isSame(message) ? .message(message.id) : .changed(message.id)
        }
    }

    private static func isSame(_ message: StoredMessage) throws(StoreError) -> Bool {
        let written = RecordEncoder.line(
            Post(
                id: message.id, at: message.at, sender: message.sender ?? PersonID("nobody"),
                content: .message(text: message.text, replyTo: message.replyTo, thread: message.thread)))
        return try written.withUnsafeBufferPointer { (bytes) throws(StoreError) in
            let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes).dropLast())
            let records = RecordReader()
            guard case .success(let record?) = try records.read(line(bytes)), record.head.isMessage else {
                return false
            }
            let again = try records.message(record.head, record.fields, at: message.place)
            return again.id == message.id && again.at == message.at && again.replyTo == message.replyTo
                && again.thread == message.thread && again.text.utf8.elementsEqual(message.text.utf8)
                && again.sender == message.sender ?? PersonID("nobody")
        }
    }

    private static func line(_ bytes: UnsafeRawBufferPointer) -> LogLine {
        LogLine(offset: 0, length: bytes.count + 1, isTerminated: true, content: Slice(bytes))
    }
}
