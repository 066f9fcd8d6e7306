import Display
import Messages
import Timeline

/// The top of the screen: the conversation, the place in it, and the day.
struct TitleBar {
    /// The pane that the title is about.
    let pane: Pane
    /// Nil before the first conversation is loaded.
    let conversation: Conversation?
    /// The progress of the store's preparation; nil when it is not shown.
    let preparation: StoreProgress?
    let isMuted: Bool
    /// True if the server of the archive cannot be reached.
    let isOffline: Bool
    /// The failed requests for the place of the window.
    let locating: Retries
    let columns: Int

    var title: Line {
        let margin = pane.grid.margin
        // A screen reader would read the place aloud after each step.
        let place = (pane.grid.isPlain ? nil : self.place).map { place -> Line in
            [Span("  " + place + margin, .dim)]
        }
        guard let conversation = conversation ?? pane.pending?.conversation else {
            return Line.empty.padded(to: columns).on(.bar)
        }
        let name = CleanText(conversation.title) + (pane.isThread ? " › thread" : "")
        var left: Line = [Span(margin), Span(name, Style(.standard, .bold))]
        if isOffline { left.append(Span("   offline", Style(.warning))) }
        if conversation.isEncrypted { left.append(Span("   encrypted", .dim)) }
        if conversation.hasLeft { left.append(Span("   left", .dim)) }
        if isMuted { left.append(Span("   muted", .dim)) }
        let free = columns - (place?.columns ?? 0) - left.columns
        if let topic = conversation.topic, !topic.isEmpty, free >= 8 {
            left.append(Span(("   " + CleanText(topic)).truncated(to: free), .dim))
        }
        return left.justified(with: place ?? .empty, columns: columns).on(.bar)
    }

    /// The day of the topmost message, in a line of its own, so that it covers no message. Empty while a divider below
    /// the topmost row shows it.
    var day: Line {
        let timeline = pane.timeline
        guard let top = timeline.visibleIndices.first else { return .empty }
        // In a thread, the root is between this line and the replies.
        let hidden = pane.isThread ? -1 : 0
        if timeline.list[top].startsDay, timeline.screenRow(of: top) > hidden { return .empty }
        return [Span(pane.grid.margin + CleanText(timeline.list[top].date.long), .dim)]
    }

    /// `indexing 42% · 12,345 of 247,963`, shorter on a narrow screen. The position is known as soon as the index has the
    /// message. The progress is not in the status line, where hints would come and go with it.
    private var place: CleanText? {
        let progress = preparation.map { "\($0.work) \(Int($0.share * 100))%" }
        let timeline = pane.timeline
        guard let index = timeline.selectedIndex else { return progress.map { CleanText($0) } }
        var parts: [String] = []
        if let place = timeline.position(of: index), let total = timeline.totalCount, place < total {
            // For a run of messages, the position of its last one: at the end of the conversation this is the total.
            let position = (place + timeline.span(of: index..<index + 1)).grouped
            let about = pane.isPartial ? "about " : ""
            parts.append(columns >= 32 ? "\(position) of \(about)\(total.grouped)" : position)
        }
        if parts.isEmpty, !pane.isThread, !locating.words.isEmpty {
            parts.append(columns >= 72 ? "place unknown, \(locating.words)" : locating.words)
        }
        if let progress, parts.isEmpty || columns >= 72 { parts.insert(progress, at: 0) }
        return parts.isEmpty ? nil : CleanText(parts.joined(separator: " · "))
    }
}

extension ListRequest {
    /// The name of the requested place, for the status line.
    var name: String {
        if case .place = destination { return "where you were" }
        if case .again = destination { return "the changes" }
        if case .unread = destination { return "the unread messages" }
        if thread != nil { return "the thread" }
        return switch position {
        case .earliest: "the beginning"
        case .latest: "the newest messages"
        case .unread: "the unread messages"
        case .message(let id): "message \(id)"
        case .date: "that day"
        case .index(let index): "message \((index + 1).grouped)"
        case .share(let share): "\(Int(share * 100))%"
        case .before, .after, .survivor: "messages"
        }
    }
}
