internal import Messages

/// Reads the index of an archive on one thread. Follows the index if the service moves it to another folder.
final class CurrentIndex {
    private let service: IndexService?
    private var reader: IndexReader?

    /// - Parameter service: knows the folder of the index; nil if there is no index.
    init(_ service: IndexService?) { self.service = service }

    /// The reason why the last read could not use the index; nil if it could, or if there is no index.
    var failure: (any Error)? { reader?.failure }

    /// The number of reads of the index, for tests.
    var readings: Int { reader?.readings ?? 0 }

    /// See `IndexReader.read`.
    func read<Result>(
        _ id: ConversationID, _ segments: [Segment], _ body: (IndexView?) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        guard let reader = currentReader else { return try body(nil) }
        return try reader.read(id, segments, body)
    }

    /// See `IndexReader.readMany`.
    func readMany<Result>(_ body: (IndexSession?) -> Result) -> Result {
        currentReader?.readMany(body) ?? body(nil)
    }

    private var currentReader: IndexReader? {
        guard let folder = service?.folder else { return nil }
        if reader?.folder.path != folder.path { reader = IndexReader(folder) }
        return reader
    }
}
