import Display
import Interface
import Messages
import Timeline

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
