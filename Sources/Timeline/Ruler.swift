/// What the timeline must know of an item: who it is and where the store continues from it.
package protocol TimelineItem: Identifiable, Equatable, Sendable where ID: Sendable {
    associatedtype Cursor: Hashable & Sendable
    var cursor: Cursor { get }
    /// Bytes that it takes in memory, nearly.
    var weight: Int { get }
}

extension TimelineItem {
    package var weight: Int { 0 }
}

/// Measures items at one width.
package protocol Ruler: Sendable {
    associatedtype Item: TimelineItem
    associatedtype Measure: Measurement

    /// Asked once for an item and a width: the answer is kept as long as both stay what they are.
    func measure(_ item: Item) -> Measure
}

/// What an item takes at one width. A place is where something stands in its content, whatever the width: the rows of an
/// item begin at rising places, so that a row of one wrapping can be found again in another.
package protocol Measurement: Sendable {
    /// Rows, at least 1. The content itself begins at place 0.
    var height: Int { get }

    /// The place at which a row begins. The row is within the height.
    func place(ofRow row: Int) -> Int

    /// The row that shows a place; places that no row shows give the nearest one.
    func row(ofPlace place: Int) -> Int
}

/// A row that stays on the screen: a place in an item and the row of the screen it is shown on.
package struct Anchor<ID: Hashable & Sendable>: Hashable, Sendable {
    package let id: ID
    package let place: Int
    /// Rows below the top of the screen. May lie beyond a screen that has become smaller, for when it grows again.
    package internal(set) var screenRow: Int
    /// Empty rows that the screen shows above the content and below it. They stay until the user moves, also where one
    /// could not scroll to them (any more): so a resize to and fro, or a jump back, gives the same screen.
    var blankAbove = 0
    var blankBelow = 0

    package init(id: ID, place: Int, screenRow: Int) {
        self.id = id
        self.place = place
        self.screenRow = screenRow
    }

    // The empty rows are no part of the place: two anchors that hold the same row are one.

    package static func == (a: Anchor, b: Anchor) -> Bool {
        a.id == b.id && a.place == b.place && a.screenRow == b.screenRow
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(place)
        hasher.combine(screenRow)
    }
}
