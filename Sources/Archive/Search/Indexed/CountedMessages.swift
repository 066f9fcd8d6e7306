/// The messages of a conversation that are counted.
struct CountedMessages {
    /// After the last line that is.
    let end: LinePlace
    /// Messages of the main timeline among them.
    let mainCount: Int
    /// The lines of the whole log that are known to repeat an ID, sorted.
    let repeats: [LinePlace]
}
