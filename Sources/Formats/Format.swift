package import Dates

/// A foreign format: it recognises its exports by their content, lists their conversations, and converts their records.
///
///     Source → recognise → archive (conversations and their feeds) → converter → native records
///
/// A format has no state and touches no disk but through `Source`.
package protocol Format: Sendable {
    /// A short name that is kept in the cache: `slack`, `telegram`.
    var id: String { get }
    /// The name for people: `Slack export`.
    var name: String { get }
    /// Raised with each change of the converter, so that earlier conversions are made again.
    var version: Int { get }

    /// Looks at as few bytes as possible: names of files are hints, contents decide.
    func recognise(_ source: Source) -> Recognition

    /// Lists people and conversations, with the places of their records. Called only for a source that was recognised.
    func archive(in source: Source) throws(SourceError) -> ForeignArchive

    /// Makes a converter for one feed, or for a part of it that begins at a `cut`.
    /// - Parameters:
    ///   - names: for mentions of people and conversations by their IDs.
    ///   - state: what a converter of the same feed remembered after the bytes before; nil at the beginning and after a cut.
    ///   - zone: the zone of times that are written without one.
    func converter(
        for feed: Feed, of conversation: ForeignConversation, names: ForeignNames, state: String?, zone: Zone
    ) -> any Converter

    /// The offset of the first record, in bytes from the middle of a feed, at which a converter can begin without having read
    /// what stands before; nil if there is none in these bytes.
    func cut(_ bytes: UnsafeRawBufferPointer, of feed: Feed) -> Int?

    /// Whether a converter has to know the end of the feed before: IDs that are made from lines count repeats, and a log is
    /// continued in another file at any moment.
    var countsAcrossFeeds: Bool { get }

    /// Bytes that stand in each record with this ID in a feed (and perhaps elsewhere), by which the record is found in a large
    /// file; nil if the ID is not written in files of this format.
    func needle(of id: String, in feed: Feed) -> [UInt8]?
}

extension Format {
    package var version: Int { 1 }
    package var countsAcrossFeeds: Bool { false }

    package func cut(_ bytes: UnsafeRawBufferPointer, of feed: Feed) -> Int? { nil }
    package func needle(of id: String, in feed: Feed) -> [UInt8]? { nil }
}

/// Whether a format recognises a source.
package enum Recognition: Hashable, Sendable {
    case certain
    /// A part of it is understood: such a format is taken if there is no other.
    case weak
    /// It looks like an export of the format and is none: the reason completes "this looks like …".
    /// (`a Slack export without channels.json`)
    case unsure(String)
    case no
}

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
