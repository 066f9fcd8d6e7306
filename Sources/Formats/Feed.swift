/// A range of a file with records of one conversation.
package struct Feed: Hashable, Sendable {
    /// The path of the file in the source.
    package var file: String
    /// The first byte of the records. (The array of a JSON file: the byte after its bracket.)
    package var start: Int64 = 0
    /// The byte after the records; nil for all of the file, also when it grows.
    package var end: Int64?
    /// Further facts for the format's converter, in the format's own notation. The converted copy keeps them, and compares them
    /// with those of a newer export.
    package var setting = ""
    /// The rank among files that overlap: the newest file has the highest rank.
    package var rank = 0
    /// True if a program may still append to the file. An incomplete last record is then left until it is complete.
    package var grows = false
}
