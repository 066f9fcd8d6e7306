internal import Messages

/// Reads the index of an archive, on one thread, wherever it is at the moment.
final class CurrentIndex {
    private let service: IndexService?
    private var reader: IndexReader?

    /// - Parameter service: knows where the index is; nil for none at all.
    init(_ service: IndexService?) { self.service = service }

    /// Why the last reading did without the index; nil when it did not, or when there is none.
    var failure: (any Error)? { reader?.failure }

    /// As `IndexReader.read`.
    func read<Result>(
        _ id: ConversationID, _ segments: [Segment], _ body: (IndexView?) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        guard let folder = service?.folder else { return try body(nil) }
        let known = reader.flatMap { $0.folder.path == folder.path ? $0 : nil }
        let reader = known ?? IndexReader(folder)
        self.reader = reader
        return try reader.read(id, segments, body)
    }
}
