import Display
import Messages

/// The columns that the names of the members need. They are counted once for a conversation that is opened: when its first list is
/// asked for, not when it arrives and the screen waits.
struct NameRoom: Sendable {
    private var members: [Person] = []
    private var longest: Int?

    /// The columns of the longest name; nil without members.
    mutating func columns(for members: [Person]) -> Int? {
        if members != self.members {
            self.members = members
            longest = members.map { ShownName.of($0).columns }.max()
        }
        return longest
    }
}
