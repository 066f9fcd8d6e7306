import Interface
import Messages
import Timeline

extension Effect {
    /// A line for the log: IDs and numbers alone.
    var traceText: String {
        switch self {
        case .loadList(let list, let request): "loadList \(list.ticket): \(request.traceText)"
        case .loadPage(let ticket, let request): "loadPage \(ticket.load.side): \(request.traceText)"
        case .wait(let duration, let event): "wait \(duration) for \(event.traceText ?? "the clock")"
        case .collectPlaces(let epoch, _, let id): "collectPlaces \(epoch) \(id.traceText)"
        case .stopCollecting: "stopCollecting"
        case .search(let epoch, let request): "search \(epoch) limit \(request.limit.map(String.init) ?? "none")"
        case .stopSearching: "stopSearching"
        case .loadPreview(let epoch, let request): "loadPreview \(epoch): \(request.traceText)"
        case .countUnread(let conversation, _): "countUnread \(conversation.id.traceText)"
        case .loadEnd(let mark, let request): "loadEnd to mark \(mark): \(request.traceText)"
        case .setMuted(let id, let isMuted): "setMuted \(id.traceText) \(isMuted)"
        case .askForSheet(let number, let question): "askForSheet \(number): \(question.traceText)"
        case .stopAsking: "stopAsking"
        case .loadBookmarks: "loadBookmarks"
        case .setBookmark(let mark): "setBookmark \(mark.conversation.traceText) \(mark.message.traceText)"
        case .removeBookmark(let mark): "removeBookmark \(mark.conversation.traceText) \(mark.message.traceText)"
        case .makeConversation: "makeConversation"
        case .join: "join"
        case .decline: "decline"
        case .leave(let conversation): "leave \(conversation.id.traceText)"
        case .loadConversations(let summaries, _): "loadConversations\(summaries ? " with summaries" : "")"
        case .stopLoadingConversations: "stopLoadingConversations"
        case .watch(let id, _): "watch \(id.traceText)"
        case .copyRange(let range): "copyRange \(range.traceText)"
        case .write(let range, _, let replaces): "write \(range.traceText)\(replaces ? " again" : "")"
        case .copy(let text): "copy \(text.utf8.count) bytes"
        case .edit(let text): "edit \(text.utf8.count) bytes"
        case .openLink: "openLink"
        case .findFile(let file): "findFile \(file.conversation.traceText)/\(file.message.traceText)"
        case .openFile: "openFile"
        case .loadPicture(let request): "loadPicture \(request.number) \(request.file.conversation.traceText)"
        case .reportProblems: "reportProblems"
        case .locate(let id, let first, _, let messages):
            "locate \(id.traceText) \(first.traceText), \(messages.count) messages"
        case .markRead(let id, let position): "markRead \(id.traceText) \(position.message?.traceText ?? "nothing")"
        case .askForMembers(let id): "askForMembers \(id.traceText)"
        case .askForObstacle(let id): "askForObstacle \(id.traceText)"
        case .findMissing(let id, let messages): "findMissing \(id.traceText), \(messages.count) messages"
        case .noteTyping(let person, let id): "noteTyping \(id.traceText)\(person == nil ? " ends" : "")"
        case .notify: "notify"
        case .keepDraft(let id, let draft): "keepDraft \(id.traceText), \(draft.outbox.count) posts to send"
        case .send(let id, let post, let isRetry):
            "send \(id.traceText) \(post.id.traceText)\(isRetry ? " again" : "")"
        case .redraw: "redraw"
        case .suspend: "suspend"
        case .quit: "quit"
        }
    }
}

extension MarkedRange {
    fileprivate var traceText: String { "\(conversation.traceText) \(first.traceText) to \(last.traceText)" }
}

extension SheetQuestion {
    fileprivate var traceText: String {
        switch self {
        case .page(let request): request.traceText
        case .message(let id, let conversation): "\(conversation.traceText) \(id.traceText)"
        case .versions(let id, let conversation): "versions of \(conversation.traceText) \(id.traceText)"
        case .own(let kind, _, _, _): "own \(kind)"
        case .members(let id): "members of \(id.traceText)"
        case .writers(let id, _): "writers in \(id.traceText)"
        case .messages(let wanted): "\(wanted.values.reduce(0) { $0 + $1.count }) messages"
        }
    }
}

extension PageRequest {
    fileprivate var traceText: String {
        let thread = thread.map { " thread \($0.traceText)" } ?? ""
        return "\(conversation.traceText)\(thread) \(position.traceText), at most \(limit)"
    }
}

extension PageRequest.Position {
    fileprivate var traceText: String {
        switch self {
        case .earliest: "earliest"
        case .latest: "latest"
        case .unread: "unread"
        case .message(let id): "at \(id.traceText)"
        case .survivor(let ids, _): "at a survivor of \(ids.count)"
        case .date(let time): "at \(time.start.iso8601)"
        case .index(let index): "at index \(index)"
        case .share(let share): "at share \(share)"
        case .before: "before a cursor"
        case .after: "after a cursor"
        }
    }
}
