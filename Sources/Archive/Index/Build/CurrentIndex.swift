internal import Messages

/// Reads the index of an archive, on one thread, wherever it is at the moment.
final class CurrentIndex {
    private let service: IndexService?
    private var reader: IndexReader?

    /// - Parameter service: knows where the index is; nil for none at all.
    init(_ service: IndexService?) { self.service = service }

    /// Why the last reading did without the index; nil when it did not, or when there is none.
    var failure: (any Error)? { reader?.failure }

    /// How often it was asked, for tests.
    var readings: Int { reader?.readings ?? 0 }

    /// As `IndexReader.read`.
    func read<Result>(
        _ id: ConversationID, _ segments: [Segment], _ body: (IndexView?) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        guard let reader = currentReader else { return try body(nil) }
        return try reader.read(id, segments, body)
    }

    /// As `IndexReader.readMany`.
    func readMany<Result>(_ body: (IndexSession?) -> Result) -> Result {
        currentReader?.readMany(body) ?? body(nil)
    }

    private var currentReader: IndexReader? {
        guard let folder = service?.folder else { return nil }
        if reader?.folder.path != folder.path { reader = IndexReader(folder) }
        return reader
    }
}
