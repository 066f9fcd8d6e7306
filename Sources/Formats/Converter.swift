/// Turns the bytes of one feed into native records, piece by piece.
package protocol Converter: AnyObject {
    /// Converts the whole records at the beginning of `bytes`.
    /// - Parameters:
    ///   - bytes: at least 64 more bytes can be read after them, so that simdjson needs no copy.
    ///   - offset: where they stand in the file, for problems.
    ///   - isEnd: whether nothing follows: an incomplete record is then reported, and all bytes count as consumed.
    /// - Returns: how many bytes were consumed. The others come again, with more bytes after them; when none was consumed, with
    ///   at least twice as many. A converter therefore gives up a record that exceeds `Record.longest`.
    func convert(_ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int

    /// The converter's memory after the bytes that it consumed. When the file has grown, a new converter gets it, and goes on as if
    /// it had read those bytes itself. Empty for formats whose records do not depend on those before them.
    var state: String { get }

    /// Counts on from the end of the feed before. Called before anything is converted, for a feed that is converted from its
    /// beginning.
    /// - Parameter state: of the converter that has converted the end of the feed before.
    func follow(_ state: String)

    /// Whether, at the end of a file that may grow, the converter takes all whole records and leaves an incomplete one for later
    /// by itself. Such a converter is told `isEnd` there: it need not see the next record to know that one is whole.
    var leavesRest: Bool { get }
}

extension Converter {
    package var state: String { "" }
    package func follow(_ state: String) {}
    package var leavesRest: Bool { false }
}
