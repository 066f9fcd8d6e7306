internal import Matrix

/// The first look at an account, at a server that has sliding sync: the newest rooms are here before all others.
///
///     /sync of no room → a token; sliding sync → 20 rooms; sliding sync → more rooms …; then /sync from the token
///
/// Sliding sync does not say where a gap ends, so it brings new rooms only. All that comes after the token comes by /sync, also
/// what sliding sync has brought already.
struct FirstLook {
    private static let fewRooms = 20
    private static let moreRooms = 250

    /// Everything that comes after it is new; nil before it is known.
    var token: String?
    private var pos: String?
    /// How many rooms are asked for.
    private var count = FirstLook.fewRooms

    init(token: String?) { self.token = token }

    /// - Parameter hasPeople: whether it is wanted how far people have read.
    func request(hasPeople: Bool) -> MatrixRequest {
        token == nil ? .syncToken : .slidingSync(rooms: count, pos: pos, hasPeople: hasPeople)
    }

    /// Takes a response to sliding sync.
    /// - Returns: whether all rooms are here.
    mutating func take(_ page: SlidingPage) -> Bool {
        guard page.count > count else { return true }
        (pos, count) = (page.pos, count + FirstLook.moreRooms)
        return false
    }

    /// The server has forgotten the tokens of its sliding sync: it is asked as if for the first time.
    mutating func forget() -> Bool {
        guard pos != nil else { return false }
        pos = nil
        return true
    }
}
