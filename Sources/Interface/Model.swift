package import Display
package import Messages
package import Timeline

/// All that the screen is made of. A value: `update` changes it, `render` draws it, neither looks at anything else.
package struct Model: Sendable {
    package let conversation: Conversation
    let keymap: Keymap
    let zone: Zone
    package internal(set) var size: Size
    var timeline: Timeline<MessageRuler>
    var opening: Opening
    /// The message that was asked for: it stays marked.
    var target: MessageID?
    /// A list that is to replace this one, on its way.
    var pending: ListRequest?
    /// Rows that the help is scrolled by; nil when it is not shown.
    var help: Int?
    /// One line for the status bar, until the next key.
    var notice: Notice?
    /// Arrivals below the screen since one scrolled back.
    var newCount = 0
    /// Problems of the store that were told already.
    var knownProblems = 0
    /// Counts the lists asked for: an answer for an earlier one is dropped.
    var epoch = 0

    /// Whether there is nothing to show yet.
    package var isWaiting: Bool { opening == .loading }

    enum Opening: Hashable, Sendable {
        case loading
        case failed(reason: String, attempts: Int)
        case shown
    }

    struct Notice: Hashable, Sendable {
        let text: String
        var isWarning = false
    }

    package init(conversation: Conversation, size: Size, zone: Zone) {
        self.conversation = conversation
        self.size = size
        self.zone = zone
        keymap = .standard
        opening = .loading
        let ruler = MessageRuler(grid: Grid(columns: size.columns))
        timeline = Timeline(ruler: ruler, height: Rows(rows: size.rows).messages)
    }

    /// The columns that the whole screen keeps to.
    var grid: Grid { timeline.ruler.grid }
}

/// A list to be shown in place of the one there is.
package struct ListRequest: Hashable, Sendable {
    package let position: PageRequest.Position
    /// Names this request among all of a session.
    package let epoch: Int

    /// Where the message asked for is to appear.
    var alignment: Alignment {
        if case .earliest = position { .top } else { .middle }
    }
}

/// What happened.
package enum Event: Sendable {
    case key(Key)
    case resized(Size)
    case list(ListRequest, Result<Page, StoreError>)
    case page(Pager<Messages.Cursor>.Ticket, Result<Page, StoreError>)
    /// The time has come to try a failed opening again.
    case retryList(ListRequest)
    /// The time has come to try a failed page again, unless it has been tried since.
    case retryPage(Pager<Messages.Cursor>.Ticket)
    case changed(StoreChange)
    case problems([String])
}

/// What is to be done outside: the loop does it and answers with an event.
package enum Effect: Sendable {
    case loadList(ListRequest, PageRequest)
    case loadPage(Pager<Messages.Cursor>.Ticket, PageRequest)
    /// Gives the event after so many seconds.
    case wait(seconds: Int, Event)
    case reportProblems
    case redraw
    case suspend
    case quit(Departure)
}

/// How the program ends.
package enum Departure: Error, Hashable, Sendable {
    case done
    case interrupted
    /// The process was told to go.
    case signal(Int32)
    case failed(StoreError)
}
