/// An item of a timeline: its ID, and the cursor from which the store continues before it.
package protocol TimelineItem: Identifiable, Equatable, Sendable where ID: Sendable {
    associatedtype Cursor: Hashable & Sendable
    var cursor: Cursor { get }
    /// The cursor from which the store continues after the item.
    var endCursor: Cursor { get }
    /// How many messages of the conversation it stands for, at least 1.
    var span: Int { get }
    /// Its approximate size in memory, in bytes.
    var weight: Int { get }
    /// Whether it shows a part of what another item showed, so that it can take the place of that.
    func succeeds(_ other: Self) -> Bool
}

extension TimelineItem {
    package var weight: Int { 0 }
    package var endCursor: Cursor { cursor }
    package var span: Int { 1 }
    package func succeeds(_ other: Self) -> Bool { id == other.id }
}

/// Measures items at one width.
package protocol Ruler: Sendable {
    associatedtype Item: TimelineItem
    associatedtype Measure: Measurement

    /// Called once for an item and a width; the result is kept until either changes.
    func measure(_ item: Item) -> Measure
}

/// The rows of an item at one width. A place is a position in the content of the item, and does not depend on the
/// width: rows begin at rising places, so that a row of one wrapping can be found again in another.
package protocol Measurement: Sendable {
    /// The number of rows, at least 1. The content itself begins at place 0.
    var height: Int { get }

    /// The place at which a row begins. The row is within the height.
    func place(ofRow row: Int) -> Int

    /// The row that shows a place; the nearest row when none does.
    func row(ofPlace place: Int) -> Int
}

/// A row that stays where it is on the screen: a place in an item, and the row of the screen that shows it.
package struct Anchor<ID: Hashable & Sendable>: Hashable, Sendable {
    package let id: ID
    package let place: Int
    /// Rows below the top of the screen. It may exceed a screen that has shrunk, which may grow again.
    package internal(set) var screenRow: Int
    /// Empty rows that the screen shows above and below the content. They stay until the user moves, even where the
    /// user could not scroll to them (any more): so a resize back and forth, or a jump back, gives the same screen.
    var blankAbove = 0
    var blankBelow = 0

    package init(id: ID, place: Int, screenRow: Int) {
        self.id = id
        self.place = place
        self.screenRow = screenRow
    }

    // Empty rows do not count: two anchors that hold the same row are equal.

    package static func == (a: Anchor, b: Anchor) -> Bool {
        a.id == b.id && a.place == b.place && a.screenRow == b.screenRow
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(place)
        hasher.combine(screenRow)
    }
}
