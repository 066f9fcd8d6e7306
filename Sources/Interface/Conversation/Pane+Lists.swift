import Messages
import Timeline

/// Requests for a list that is to take the place of the one that the pane shows.
extension Pane {
    /// A list that is there in less is not worth a word.
    private static let grace = Duration.milliseconds(150)
    private static let reloadPause = Duration.seconds(2)

    /// Asks for another list. The one there stays until it comes.
    mutating func request(
        _ destination: ListRequest.Destination, in conversation: Conversation, leaving: ListRequest.Leaving,
        _ context: PaneContext
    ) -> [Outcome] {
        if opening == .shown, let pending, pending.destination == destination, pending.conversation == conversation {
            return pending.isWaiting ? retry(pending, in: context) : []
        }
        if opening != .shown { opening = .loading }
        if leaving != .reload { putOffReload() }
        forgetOverruled()
        let request = ListRequest(
            conversation: conversation, thread: thread, destination: destination, leaving: leaving,
            ticket: nextTicket())
        pending = request
        isSlow = false
        let pause = Outcome.effect(.wait(Pane.grace, .pause(.list(request.ticket))))
        return [load(request, in: context)] + (opening == .shown ? [pause] : [])
    }

    private func load(_ request: ListRequest, in context: PaneContext) -> Outcome {
        let id = request.conversation.id
        var limit = Prefetch.standard.limit(height: timeline.viewport.height)
        if case .again = request.destination { limit = max(limit, timeline.roomyCount) }
        var thread = request.thread
        if case .thread(let root, _) = request.destination { thread = root }
        // The line of the unread messages is placed once an opening, by how far one had read then.
        let since = id == context.conversation?.id ? context.reading.opened : context.reading.states[id]
        return .effect(
            .loadList(
                request,
                PageRequest(
                    conversation: id, thread: thread, position: request.position, limit: limit, since: since,
                    threads: context.reading.threads(of: id))))
    }

    /// Loads a failed list again under a ticket of its own, so that its pause and Enter cannot both count.
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
        again.failures = request.failures
        pending = again
        return [load(again, in: context)]
    }

    /// A try of the user does not lengthen the pause before the next one.
    mutating func retryOpening(in context: PaneContext) -> [Outcome] {
        guard case .failed(let reason, let attempts) = opening, let pending else { return [] }
        opening = .failed(reason: reason, attempts: attempts - 1)
        return retry(pending, in: context)
    }

    // MARK: - Failures

    /// The first list did not come.
    mutating func failToOpen(_ request: ListRequest, _ error: StoreError) -> [Outcome] {
        var attempts = 1
        if case .failed(_, let before) = opening { attempts = before + 1 }
        opening = .failed(reason: error.description, attempts: attempts)
        let delay = Duration.seconds(Pager<Messages.Cursor>.retryDelay(attempts: attempts))
        return [.effect(.wait(delay, .retryList(request)))]
    }

    /// The screen does not show the messages of the store: they are read again until it does.
    mutating func reloadLater(_ request: ListRequest) -> [Outcome] {
        pending = request
        return [.effect(.wait(Pane.reloadPause, .retryList(request)))]
    }

    /// At the end stands the user's message that was just sent: it is tried until it is there, or until the user moves on.
    /// - Returns: the request that waits, and the seconds that it does.
    mutating func retryLater(_ request: ListRequest) -> (request: ListRequest, delay: Int, outcome: Outcome) {
        var again = request
        again.failures += 1
        again.isWaiting = true
        pending = again
        let delay = Pager<Messages.Cursor>.retryDelay(attempts: again.failures)
        return (again, delay, .effect(.wait(.seconds(delay), .retryList(again))))
    }

    // MARK: - Giving up

    /// The user moves on: the list on its way is not wanted any more.
    mutating func dropPending() {
        putOffReload()
        pending = nil
    }

    /// A list on its way is given up: a reload, which the user did not ask for, has to be done all the same.
    mutating func putOffReload() {
        if pending?.leaving == .reload { changes.mustReload = true }
    }
}
