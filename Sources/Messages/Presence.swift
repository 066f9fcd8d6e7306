/// The change of presence in a system line. IRC logs consist mostly of such lines.
///
/// They are messages like others, but never unread, and a search finds them only if it asks for them.
package struct Presence: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        case join
        case leave
        /// The sender changes to this name.
        case nick(String)
        /// A change of somebody's rights, or of the settings of the conversation.
        case mode
    }

    package let change: Change
    /// Successive presence lines with the same stretch are a run, which pages never split. A store computes the stretch from the
    /// line alone, and begins a new one after a limited number of lines.
    package let stretch: Int

    package init(_ change: Change, stretch: Int) {
        self.change = change
        self.stretch = stretch
    }

    /// True if a message belongs to the same run as the message right before it.
    package static func continues(_ before: Presence?, _ after: Presence?) -> Bool {
        guard let before, let after else { return false }
        return before.stretch == after.stretch
    }
}

/// The units that pages count: a run of presence lines is one unit, and so is any other message.
package struct PageUnits: Sendable {
    /// The index at which each unit begins, and the number of messages at the end.
    private let borders: [Int]

    package init<Message>(_ messages: [Message], presence: (Message) -> Presence?) {
        var borders: [Int] = []
        var before: Presence?
        // Avoids `enumerated`, a generic type that the runtime would instantiate before the first page.
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

    /// True if a unit begins at this index, or if it is the end of the messages.
    package func isBorder(_ index: Int) -> Bool { borders.contains(index) }
}
