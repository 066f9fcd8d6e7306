/// The messages of a conversation that the index has counted.
struct CountedMessages {
    /// The end of the last counted line.
    let end: LinePlace
    /// The number of counted messages in the main timeline.
    let mainCount: Int
    /// The lines of the whole log that are known to repeat an ID, sorted.
    let repeats: [LinePlace]
}
