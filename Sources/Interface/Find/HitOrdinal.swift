/// The place of a hit among the collected ones: 0 is the newest. It has a type of its own, so that it cannot be mistaken for the
/// index of a message in the conversation or in the loaded window.
struct HitOrdinal: Hashable, Comparable, Sendable {
    let value: Int

    init(_ value: Int) { self.value = value }

    static let newest = HitOrdinal(0)

    static func < (a: HitOrdinal, b: HitOrdinal) -> Bool { a.value < b.value }
}
