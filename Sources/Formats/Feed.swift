/// Records of a conversation that stand together in a file.
package struct Feed: Hashable, Sendable {
    /// The path of the file in the source.
    package var file: String
    /// The first byte of the records. (The array of a JSON file: the byte after its bracket.)
    package var start: Int64
    /// The byte after the records; nil for the end of the file, however it grows.
    package var end: Int64?
    /// Further facts for the format's converter, in a form of the format's own. The mirror keeps it, and compares it with that of a
    /// newer export.
    package var setting: String
    /// The age of the file among those that overlap: that with the highest rank is the newest.
    package var rank: Int
    /// Whether a program may still append to the file. An incomplete last record is then left for later.
    package var grows: Bool

    package init(
        file: String, start: Int64 = 0, end: Int64? = nil, setting: String = "", rank: Int = 0, grows: Bool = false
    ) {
        self.file = file
        self.start = start
        self.end = end
        self.setting = setting
        self.rank = rank
        self.grows = grows
    }
}
