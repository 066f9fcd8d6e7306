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
