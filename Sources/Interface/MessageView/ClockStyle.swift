/// The precision of times. `T` switches between the two.
enum ClockStyle: Hashable, Sendable {
    /// `09:12`
    case minutes
    /// `09:12:33`
    case seconds

    mutating func toggle() { self = self == .minutes ? .seconds : .minutes }
}
