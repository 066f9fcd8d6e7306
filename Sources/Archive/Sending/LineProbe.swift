package import Messages
internal import Search

/// One line of a log, taken through all that reads and writes lines: for fuzzers.
package enum LineProbe {
    package enum Outcome: Hashable, Sendable {
        /// The fault of the line, for people.
        case bad(String)
        /// A record that is no message, or of a type that Kedge does not know.
        case other
        /// A message that is the same after it was written and read again.
        case message(MessageID)
        /// One that is another then: an error of Kedge.
        case changed(MessageID)
    }

    /// Reads a line as every reader does, takes its text apart into words as the index does, and writes the message anew.
    /// - Parameter bytes: without a line feed.
    /// - Throws: `unavailable` without memory; of a short line, an error of Kedge.
    package static func run(_ bytes: UnsafeRawBufferPointer) throws(StoreError) -> Outcome {
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
            var words = Tokenizer(record.fields.bytes(RecordReader.Key.text).assumingMemoryBound(to: UInt8.self))
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

    private static func line(_ bytes: UnsafeRawBufferPointer) -> Line {
        Line(offset: 0, length: bytes.count + 1, isTerminated: true, content: Slice(bytes))
    }
}
