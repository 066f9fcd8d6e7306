internal import Archive
internal import Messages

/// A page out of a conversation of which only a part is mirrored yet: it is given only if it says nothing false about the rest.
struct PartialPage {
    private let request: PageRequest
    private let hasTail: Bool

    init(_ request: PageRequest, hasTail: Bool) {
        self.request = request
        self.hasTail = hasTail
    }

    /// Whether the part may hold the page. Dates, shares and threads need the whole.
    var canBeThere: Bool {
        guard request.thread == nil else { return false }
        switch request.position {
        case .latest: return hasTail
        case .message, .before, .after: return true
        case .earliest, .unread, .survivor, .date, .index, .share: return false
        }
    }

    /// Nil if the page reaches an edge of the part.
    /// - Parameter failure: why there will be no more; the page then ends one message before such an edge, so that asking for
    ///   more gives the reason.
    func read(from archive: JSONArchive, failure: StoreError?) async throws(StoreError) -> Page? {
        do throws(StoreError) {
            let page = try await archive.page(request)
            let isOpenAbove = page.older == .end
            let isOpenBelow = page.newer == .end && !hasTail
            guard isOpenAbove || isOpenBelow else { return partial(page) }
            return failure == nil ? nil : partial(page, isOpenAbove: isOpenAbove, isOpenBelow: isOpenBelow)
        } catch {
            if case .noSuchMessage = error { return nil }
            throw error
        }
    }

    private func partial(_ page: Page, isOpenAbove: Bool = false, isOpenBelow: Bool = false) -> Page? {
        var (messages, older, newer) = (page.messages[...], page.older, page.newer)
        if isOpenAbove, let first = messages.popFirst(), let next = messages.first {
            older = .more(next.cursor, Neighbour(first))
        }
        if isOpenBelow, let last = messages.popLast(), let next = messages.last {
            newer = .more(next.cursor, Neighbour(last))
        }
        guard !messages.isEmpty, page.focus.map({ id in messages.contains { $0.id == id } }) ?? true else { return nil }
        return Page(
            messages: messages.map(waiting), root: page.root, older: older, newer: newer, focus: page.focus,
            thread: page.thread, place: nil, asOf: hasTail ? page.asOf : nil, firstUnread: page.firstUnread,
            threads: page.threads)
    }

    /// A quoted message that is not here may be in a part that comes later.
    private func waiting(_ message: Message) -> Message {
        guard let quote = message.quote, quote.content == .missing else { return message }
        var message = message
        message.quote = Quote(id: quote.id, content: .pending)
        return message
    }
}
