/// The presence of its sender that a system line reports: IRC logs consist mostly of such lines.
///
/// They are messages like others, but never unread, and a search finds them only when it asks for them.
package struct Presence: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        case join
        case leave
        /// The sender takes this name.
        case nick(String)
        /// The rights of somebody, or the settings of the conversation.
        case mode
    }

    package let change: Change
    /// Successive presence lines of one stretch are a run, which pages never split. A store gives a line its stretch by the
    /// line alone, and ends a stretch after a bounded number of lines.
    package let stretch: Int

    package init(_ change: Change, stretch: Int) {
        self.change = change
        self.stretch = stretch
    }

    /// Whether a message belongs to the same run as the message right before it.
    package static func continues(_ before: Presence?, _ after: Presence?) -> Bool {
        guard let before, let after else { return false }
        return before.stretch == after.stretch
    }
}

/// The units in which pages count: a run of presence lines is one, any other message is one.
package struct PageUnits: Sendable {
    /// The index at which each unit begins, and the number of messages at the end.
    private let borders: [Int]

    package init<Message>(_ messages: [Message], presence: (Message) -> Presence?) {
        var borders: [Int] = []
        var before: Presence?
        // `enumerated` would be a generic type that the runtime makes for the first page.
        for index in messages.indices {
            let own = presence(messages[index])
            if index == 0 || !Presence.continues(before, own) { borders.append(index) }
            before = own
        }
        self.borders = borders + [messages.count]
    }

    package var count: Int { borders.count - 1 }

    /// The unit that holds the message with this index.
    package func unit(of index: Int) -> Int { max(0, (borders.firstIndex { $0 > index } ?? borders.count) - 1) }

    /// The messages of some units.
    package func messages(of units: Range<Int>) -> Range<Int> {
        borders[min(units.lowerBound, count)]..<borders[min(units.upperBound, count)]
    }

    /// Whether a unit begins at this index, or the messages end there.
    package func isBorder(_ index: Int) -> Bool { borders.contains(index) }
}
