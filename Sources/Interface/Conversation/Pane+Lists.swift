import Display
import Messages
import Timeline

/// Requests for a list that takes the place of the one in the pane.
extension Pane {
    /// A list that arrives earlier is not announced.
    private static let grace = Duration.milliseconds(150)

    /// Asks for another list. The current one stays until it arrives.
    mutating func request(
        _ destination: ListRequest.Destination, in conversation: Conversation, leaving: ListRequest.Leaving,
        _ context: PaneContext
    ) -> [Outcome] {
        if opening == .shown, let pending, pending.destination == destination, pending.conversation == conversation {
            return pending.isWaiting ? retry(pending, in: context) : []
        }
        if opening != .shown {
            opening = .loading
            // While the store reads the first page.
            _ = nameRoom.columns(for: conversation.members)
        }
        if leaving != .reload { putOffReload() }
        forgetOverruled()
        let request = ListRequest(
            conversation: conversation, thread: thread, destination: destination, leaving: leaving,
            ticket: nextTicket())
        pending = request
        isSlow = false
        let pause = Outcome.effect(.wait(Pane.grace, .pause(.list(request.ticket))))
        return [load(request, in: context)] + (opening == .shown || isThread ? [pause] : [])
    }

    private func load(_ request: ListRequest, in context: PaneContext) -> Outcome {
        let id = request.conversation.id
        var limit = Prefetch.standard.limit(height: timeline.viewport.height)
        if case .again = request.destination { limit = max(limit, timeline.roomyCount) }
        // The line of unread messages is placed once for each opening, by how far the user had read then.
        let since = id == context.conversation?.id ? context.reading.opened : context.reading.states[id]
        return .effect(
            .loadList(
                request,
                PageRequest(
                    conversation: id, thread: request.thread, position: request.position, limit: limit, since: since,
                    threads: context.reading.threads(of: id))))
    }

    /// Loads a failed list again, with a new ticket, so that a pause and a press of Enter do not load it twice.
    mutating func retry(_ request: ListRequest, in context: PaneContext) -> [Outcome] {
        guard request.ticket == pending?.ticket else { return [] }
        switch opening {
        case .failed: break
        case .shown where request.leaving == .reload || request.isWaiting: break
        default: return []
        }
        var destination = request.destination
        if case .again = destination { destination = .again(remains(at: context.now)) }
        var again = ListRequest(
            conversation: request.conversation, thread: request.thread, destination: destination,
            leaving: request.leaving, ticket: nextTicket())
        again.beside = request.beside
        again.failures = request.failures
        pending = again
        return [load(again, in: context)]
    }

    /// A try by the user does not make the next pause longer.
    mutating func retryOpening(in context: PaneContext) -> [Outcome] {
        guard case .failed(let reason, let attempts) = opening, let pending else { return [] }
        opening = .failed(reason: reason, attempts: attempts - 1)
        return retry(pending, in: context)
    }

    /// Where more people than these write, others have written messages that are not loaded yet.
    private static let fewPeople = 4
    /// The columns that all but a few names of such a conversation need.
    private static let usualNameColumns = 13

    /// Gives the names of another conversation as many columns as the longest of them needs: of its members, if they are known,
    /// else of the people who wrote the first messages.
    /// - Parameter isWhole: whether there are no more messages, in which others may have written.
    mutating func makeRoom(forNamesIn entries: [Entry], of conversation: Conversation, isWhole: Bool) {
        let longestOfMembers = nameRoom.columns(for: conversation.members)
        let senders = Dictionary(entries.map { ($0.message.sender?.id, $0.sender?.columns ?? 0) }) { $1 }
        let longest = senders.values.max()
        let mayBeLonger = !isWhole && senders.count > Pane.fewPeople
        nameColumns = longestOfMembers ?? longest.map { mayBeLonger ? max($0, Pane.usualNameColumns) : $0 }
        let wanted = grid.with(columns: grid.columns, names: nameColumns)
        if grid != wanted { timeline.resize(ruler: MessageRuler(grid: wanted), height: timeline.viewport.height) }
    }

    // MARK: - Failures

    /// The first list could not be loaded.
    mutating func failToOpen(_ request: ListRequest, _ error: StoreError) -> [Outcome] {
        var attempts = 1
        if case .failed(_, let before) = opening { attempts = before + 1 }
        opening = .failed(reason: error.description, attempts: attempts)
        return [.effect(Loadable.list(request).retried(afterFailures: attempts))]
    }

    /// A list is tried until it comes, or until the user moves on.
    /// - Returns: the waiting request, and its pause in seconds.
    mutating func retryLater(_ request: ListRequest) -> (request: ListRequest, delay: Int, outcome: Outcome) {
        var again = request
        again.failures += 1
        again.isWaiting = true
        isSlow = true
        pending = again
        let delay = Pager<Messages.Cursor>.retryDelay(attempts: again.failures)
        return (again, delay, .effect(Loadable.list(again).retried(afterFailures: again.failures)))
    }

    // MARK: - Giving up

    /// The user moves on and does not want the list on its way.
    mutating func dropPending() {
        putOffReload()
        pending = nil
    }

    /// A list on its way is given up. If it is a reload, which no user asked for, it has to be done later.
    mutating func putOffReload() {
        if pending?.leaving == .reload { changes.mustReload = true }
    }
}
