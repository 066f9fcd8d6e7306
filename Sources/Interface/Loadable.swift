package import Messages
import Timeline

/// A request that is made again when it has failed for a reason that may pass: after 1 s, 2 s, 4 s and so on up to 30 s, until it
/// succeeds, or nobody wants its result any more.
///
///     request ─→ reply ┬→ success
///                      └→ failure ─→ the screen says when the next try is ─→ pause ─→ `Event.retry` ─→ request
package enum Loadable: Sendable {
    /// The list of a pane: an opening, a jump, a thread, or the messages of the screen once more.
    case list(ListRequest)
    /// A page at an edge of a list.
    case page(PageTicket)
    /// The places of the hits in the conversation.
    case places(epoch: Int)
    /// The search everywhere.
    case search(epoch: Int)
    /// The messages around the selected entry of a list.
    case preview(epoch: Int)
    case conversations(epoch: Int)
    /// The place of the window in the conversation.
    case place(ConversationID)
    case task(UserTask)
    case picture(Int)
    /// All members of a conversation, for the composer.
    case members(ConversationID)
    /// A question of the sheet with this number.
    case sheet(Int, SheetQuestion)

    /// The effect that brings the event of the next try.
    func retried(afterFailures count: Int) -> Effect {
        .wait(.seconds(Pager<Messages.Cursor>.retryDelay(attempts: count)), .retry(self))
    }
}

/// The failed tries of a request.
struct Retries: Hashable, Sendable {
    private(set) var count = 0
    /// The reason of the last failure, until the next try begins.
    private(set) var reason: String?
    private var isLast = false

    /// - Returns: the effect that leads to the next try; nil when another try would fail too.
    mutating func fail(_ error: StoreError, _ loadable: Loadable) -> Effect? {
        count += 1
        reason = error.description
        isLast = !error.isTransient
        return isLast ? nil : loadable.retried(afterFailures: count)
    }

    /// The next try begins.
    mutating func begin() { reason = nil }

    /// `next try in 4 s`; empty when there is none.
    var words: String {
        reason == nil || isLast ? "" : "next try in \(Pager<Messages.Cursor>.retryDelay(attempts: count)) s"
    }
}

extension Model {
    /// The pause after a failed try is over.
    mutating func retry(_ loadable: Loadable) -> [Effect] {
        switch loadable {
        case .list(let request): retry(request)
        case .page(let ticket): carryOut(panes.change(ticket.pane) { $0.retry(ticket.load) })
        case .places(let epoch): inFind { $0.retry(epoch, in: $1) }
        case .search(let epoch): inOpenSearch { $0.retry(epoch, in: $1) }
        case .preview(Switcher.previewEpoch): retrySwitcherPreview()
        case .preview(let epoch): inOpenSearch { search, _ in search.retryPreview(epoch) }
        case .conversations(let epoch): retryConversations(epoch)
        case .place(let id): retryPlace(in: id)
        case .task(let task): tasks.retry(task) ? [task.effect] : []
        case .members(let id): retryMembers(of: id)
        case .picture(let number): panel == .picture ? carryOut(pictures.retry(number)) : []
        case .sheet(let number, let question): retry(question, ofSheet: number)
        }
    }
}
