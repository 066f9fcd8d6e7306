import Display
import Glibc
import Interface
import Logging
import Messages
import Settings
import Timeline

/// Writes the steps of the event loop into the log, with the milliseconds since the start, to find a slow or lost step. It
/// writes IDs and numbers, and never a text.
struct Trace {
    private let logger: Logger
    private let start = ContinuousClock.now

    /// - Returns: nil unless `KEDGE_LOG` asks for it. Then nothing is formatted.
    /// - Throws: when `KEDGE_LOG` has an unknown value.
    static func wanted(in folders: Folders) throws(Failure) -> Trace? {
        switch getenv("KEDGE_LOG").map({ String(cString: $0) }) ?? "" {
        case "": return nil
        case "debug": return Trace(logger: LogFile.logger(in: folders))
        case let other: throw Failure(.usage, "KEDGE_LOG is \"\(other)\"; it may be debug, or not set")
        }
    }

    private init(logger: Logger) {
        var logger = logger
        logger.logLevel = .debug
        self.logger = logger
    }

    func note(_ event: Event) {
        guard let text = event.traceText else { return }
        note("event " + text)
    }

    func note(_ effect: Effect) { note("effect " + effect.traceText) }

    /// The terminal has got the frame of all events so far.
    func noteFrame() { note("frame") }

    private func note(_ text: String) {
        logger.debug("\(Trace.milliseconds(.now - start)) ms \(text)")
    }

    /// With three digits after the point.
    private static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        let fraction = String(microseconds % 1_000)
        return "\(microseconds / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}

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

extension Event {
    /// A line for the log: IDs and numbers alone. Nil for the clock and for empty input, which come with every turn of the
    /// loop.
    var traceText: String? {
        switch self {
        case .input(let inputs): inputs.isEmpty ? nil : "input \(inputs.count)"
        case .resized(let size): "resized \(size.columns) × \(size.rows)"
        case .focus(let hasFocus): "focus \(hasFocus)"
        case .interrupted: "interrupted"
        case .time: nil
        case .list(let list, let result): "list \(list.ticket): \(result.traceText(\.traceText))"
        case .page(let ticket, let result): "page \(ticket.load.side): \(result.traceText(\.traceText))"
        case .retry(let loadable): "retry \(loadable.traceText)"
        case .pause(let pause): "pause \(pause)"
        case .places(let epoch, let result):
            "places \(epoch): \(result.traceText { "\($0.places.count) at \($0.progress)" })"
        case .placesEnd(let epoch): "placesEnd \(epoch)"
        case .found(let epoch, let result):
            "found \(epoch): \(result.traceText { "\($0.hits.count) at \($0.progress)" })"
        case .foundEnd(let epoch): "foundEnd \(epoch)"
        case .preview(let epoch, let result): "preview \(epoch): \(result.traceText(\.traceText))"
        case .sheet(let number, let answer): "sheet \(number): \(answer.traceText)"
        case .sheetFailed(let number, _, _): "sheetFailed \(number)"
        case .end(let mark, let request, let result):
            "end of \(request.conversation.traceText) to mark \(mark): \(result.traceText(\.traceText))"
        case .muted(let all): "muted: \(all.count)"
        case .edited(let result): "edited: \(result.traceText { "\($0.utf8.count) bytes" })"
        case .bookmarks(let all): "bookmarks: \(all.count)"
        case .made(let result): "made: \(result.traceText { $0.id.traceText })"
        case .conversations(let result): "conversations: \(result.traceText { "\($0.count)" })"
        case .invitations(let all): "invitations: \(all.count)"
        case .listChanged: "listChanged"
        case .joined(_, let result): "joined: \(result.traceText { $0?.id.traceText ?? "a space" })"
        case .declined(_, let result): "declined: \(result.traceText { "done" })"
        case .left(let conversation, let result): "left \(conversation.id.traceText): \(result.traceText { "done" })"
        case .summary(let result):
            "summary: \(result.traceText { "\($0.conversation.id.traceText) \($0.count) messages" })"
        case .counted(let result): "counted: \(result.traceText { $0.conversation.id.traceText })"
        case .summariesEnd: "summariesEnd"
        case .changed(let id, let changes): "changed \(id.traceText): \(changes.count) changes"
        case .arrived(let arrivals): "arrived: \(arrivals.count) messages"
        case .located(let id, let first, let place, let messages):
            "located \(id.traceText) \(first.traceText) \(place.traceText), \(messages.count) messages"
        case .notLocated(let id, _): "notLocated \(id.traceText)"
        case .range(_, let result): "range: \(result.traceText)"
        case .preparing(let progress): "\(progress.work) \(progress.share)"
        case .problems(let problems): "problems: \(problems.count)"
        case .readElsewhere(let positions): "readElsewhere: \(positions.count) conversations"
        case .baseline(let last): "baseline: \(last.count) conversations"
        case .notOpened: "notOpened"
        case .file(let file, let news): "file \(file.message.traceText): \(news.traceText)"
        case .pictureComing(let number, let received): "pictureComing \(number): \(received)"
        case .pictureFailed(let number, _): "pictureFailed \(number)"
        case .picture(let number, let result): "picture \(number): \(result.traceText { "\($0.size)" })"
        case .trouble: "trouble"
        case .obstacle(let id, let reason): "obstacle \(id.traceText): \(reason == nil ? "none" : "one")"
        case .members(let id, let result): "members of \(id.traceText): \(result.traceText { "\($0.count)" })"
        case .missing(let id, let messages): "missing \(id.traceText): \(messages.count) messages"
        case .typingEnds(let epoch): "typingEnds \(epoch)"
        case .sent(let id, let message, let result):
            "sent \(id.traceText) \(message.traceText): \(result.traceText { "done" })"
        case .retrySend(let id, let message): "retrySend \(id.traceText) \(message.traceText)"
        case .lookForSent(let id, let message): "lookForSent \(id.traceText) \(message.traceText)"
        }
    }
}

extension Loadable {
    fileprivate var traceText: String {
        switch self {
        case .list(let list): "list \(list.ticket)"
        case .page(let ticket): "page \(ticket.load.side)"
        case .places(let epoch): "places \(epoch)"
        case .search(let epoch): "search \(epoch)"
        case .preview(let epoch): "preview \(epoch)"
        case .conversations(let epoch): "conversations \(epoch)"
        case .place(let id): "place \(id.traceText)"
        case .task(.open(let file)): "file \(file.message.traceText)"
        case .task(.mark(let mark, let request)): "mark \(request.conversation.traceText) as \(mark)"
        case .task(.copy(let range)), .task(.write(let range, _, _)): "range in \(range.conversation.traceText)"
        case .members(let id): "members of \(id.traceText)"
        case .picture(let number): "picture \(number)"
        case .sheet(let number, _): "sheet \(number)"
        }
    }
}

extension RangeResult {
    fileprivate var traceText: String {
        switch self {
        case .copied(_, let count): "\(count) messages copied"
        case .tooLong(let count): "\(count) messages too long"
        case .written(let count, _): "\(count) messages written"
        case .exists: "there is such a file"
        case .failed: "failed"
        case .unread(_, let messages): "failed after \(messages) messages"
        }
    }
}

extension SheetAnswer {
    fileprivate var traceText: String {
        switch self {
        case .page(let result): result.traceText(\.traceText)
        case .messages(let id, let result): "\(id.traceText) \(result.traceText { "\($0.count) messages" })"
        case .message(let result): result.traceText { $0.id.traceText }
        case .versions(let result): result.traceText { "\($0.count) versions" }
        case .own(let places): "\(places.count) own places"
        case .ownEnd(let error): error == nil ? "end of own places" : "own places failed"
        case .writers(let result): result.traceText { _ in "writers" }
        case .members(let result): result.traceText { "\($0.count) members" }
        case .bookmarks(let all): "\(all.count) bookmarks"
        }
    }
}

extension OpaqueID {
    /// For a line of the log. A long ID is cut.
    var traceText: String { rawValue.shortened }
}

extension Optional<Place> {
    fileprivate var traceText: String { map { "\($0.index) of \($0.total)" } ?? "at an unknown place" }
}

extension Page {
    fileprivate var traceText: String {
        let range = [messages.first, messages.last].compactMap { $0?.id.traceText }.joined(separator: " to ")
        let ends = "older \(older == .end ? "end" : "more"), newer \(newer == .end ? "end" : "more")"
        return "page of \(messages.count) messages \(range), first \(place.traceText), \(ends)"
    }
}

extension Result {
    fileprivate func traceText(_ text: (Success) -> String) -> String {
        switch self {
        case .success(let value): text(value)
        case .failure: "failed"
        }
    }
}

extension FileNews {
    fileprivate var traceText: String {
        switch self {
        case .coming(let received): "\(received) bytes"
        case .here: "here"
        case .failed: "failed"
        }
    }
}
