package import Files
package import Dates
package import JSON

/// A format of another program: it recognises its exports by their content, lists their conversations, and converts their
/// records.
///
///     Source → recognise → archive (conversations and their feeds) → converter → native records
///
/// A format has no state and reads the disk only through `Source`.
package protocol Format: Sendable {
    /// A short name that the converted copy stores: `slack`, `telegram`.
    var id: String { get }
    /// The name to show: `Slack export`.
    var name: String { get }
    /// Increased with each change of the converter, so that conversations are converted again.
    var version: Int { get }

    /// Reads as few bytes as possible. File names are hints; contents decide.
    func recognise(_ source: Source) -> Recognition

    /// Lists people and conversations, with the places of their records. Called only for a source that the format recognised.
    func archive(in source: Source) throws(FileError) -> ForeignArchive

    /// Makes a converter for one feed, or for a part of it that begins at a `cut`.
    func converter(for feed: Feed, in context: FeedContext) -> any Converter

    /// The offset of the first record in these bytes, from the middle of a feed, at which a converter can begin without the bytes
    /// before it; nil if there is no such record.
    func cut(_ bytes: Bytes, of feed: Feed) -> Int?

    /// True if a converter needs the state at the end of the feed before: because IDs made from lines count repeats, and a
    /// program may continue its log in another file at any time.
    var countsAcrossFeeds: Bool { get }

    /// Bytes that every record with this ID contains (other places may contain them too), to find the record in a large file; nil
    /// if files of this format do not contain the ID.
    func needle(of id: String, in feed: Feed) -> [UInt8]?
}

extension Format {
    package var version: Int { 1 }
    package var countsAcrossFeeds: Bool { false }

    package func cut(_ bytes: Bytes, of feed: Feed) -> Int? { nil }
    package func needle(of id: String, in feed: Feed) -> [UInt8]? { nil }

    package func converter(
        for feed: Feed, of conversation: ForeignConversation, names: ForeignNames, state: String?, zone: Zone
    ) -> any Converter {
        converter(
            for: feed, in: FeedContext(conversation: conversation, names: names, state: state, zone: zone))
    }
}

/// The values that a converter needs besides the feed.
package struct FeedContext: Sendable {
    package let conversation: ForeignConversation
    /// For mentions of people and conversations by their IDs.
    package let names: ForeignNames
    /// The state of the converter that read the bytes before; nil at the beginning and after a cut.
    package let state: String?
    /// The zone of times that are written without one.
    package let zone: Zone
}

/// A format's answer about a source.
package enum Recognition: Hashable, Sendable {
    case certain
    /// The format understands a part of it, and is used if no other format is certain.
    case weak
    /// It looks like an export of the format, but is not one. The reason completes "this looks like …".
    /// (`a Slack export without channels.json`)
    case unsure(String)
    case no
}

/// Turns the bytes of one feed into native records, piece by piece.
package protocol Converter: AnyObject {
    /// Converts all complete records at the beginning of `bytes`.
    /// - Parameters:
    ///   - bytes: followed by at least 64 readable bytes, so that simdjson needs no copy.
    ///   - offset: the offset of these bytes in the file, for error places.
    ///   - isEnd: true if nothing follows: an incomplete record is then an error, and all bytes count as consumed.
    /// - Returns: the number of bytes consumed. The other bytes come again, with more after them; if none was consumed, at least
    ///   twice as many come. So a converter must skip a record that is longer than `Record.longest`.
    func convert(_ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int

    /// The converter's state after the bytes that it consumed. When the file has grown, a new converter receives it and continues
    /// from there. Empty for formats whose records do not depend on the records before.
    var state: String { get }

    /// Receives the counts of the feed before. Called before a feed is converted from its beginning.
    /// - Parameter state: the state of the converter at the end of the feed before.
    func follow(_ state: String)

    /// True if the converter itself keeps back an incomplete record at the end of a file that may grow. It is then called with
    /// `isEnd` there, because it can tell that a record is complete without the next one.
    var leavesRest: Bool { get }
}

extension Converter {
    package var state: String { "" }
    package func follow(_ state: String) {}
    package var leavesRest: Bool { false }
}
