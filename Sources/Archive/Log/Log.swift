internal import Messages

/// The files of a conversation at one moment, and their lines that need special treatment.
protocol Log {
    var segments: [Segment] { get }
    /// The lines that repeat the ID of an earlier line, sorted. They do not count. Rare.
    var repeats: [LinePlace] { get }
    /// The thread replies without a root before them (see `RootFinder`), sorted; only the known ones. Rare.
    var loose: [LinePlace] { get }
}

extension Log {
    func isRepeat(_ place: LinePlace) -> Bool { repeats.holdsSorted(place) }

    func isLoose(_ place: LinePlace) -> Bool { loose.holdsSorted(place) }
}
