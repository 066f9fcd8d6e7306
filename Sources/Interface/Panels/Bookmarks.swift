import Display
import Messages
import Timeline

/// The list of all bookmarks, with the messages around the selected one.
struct BookmarkList: Sendable {
    struct Row: ListedRow {
        let bookmark: Bookmark
        /// The title of the conversation.
        var title: String
        var message: Found

        var id: Bookmark { bookmark }

        var searched: String {
            var words = "\(bookmark.letter) \(title)"
            if case .found(let message) = message { words += " \(message.sender?.name ?? "") \(message.text)" }
            return words
        }
    }

    /// The message of a bookmark, as far as it is known.
    enum Found: Hashable, Sendable {
        case pending
        case found(Message)
        case gone
        case failed(String)
    }

    private var list = RowList<Row>()
    private var preview = LinkPreview()
    /// True if the bookmarks have been read.
    private var isKnown: Bool
    private var bookmarks: [Bookmark]
    private var messages: [Link: Found] = [:]

    /// - Parameter all: the bookmarks as last read; nil before that.
    init(all: [Bookmark]?) {
        isKnown = all != nil
        bookmarks = all ?? []
    }

    /// Shows the bookmarks of the current conversation first, then the others by conversation and letter.
    private mutating func show(in context: Context) {
        let here = context.conversation?.id
        let rows = bookmarks.map { mark in
            Row(
                bookmark: mark, title: context.directory.conversation(mark.conversation).title,
                message: messages[BookmarkList.link(to: mark)] ?? .pending)
        }
        func rank(_ row: Row) -> (Int, String, String, String) {
            let mark = row.bookmark
            return (mark.conversation == here ? 0 : 1, row.title, mark.conversation.rawValue, String(mark.letter))
        }
        list.show(rows.sorted { rank($0) < rank($1) })
    }

    private static func link(to mark: Bookmark) -> Link { Link(conversation: mark.conversation, message: mark.message) }

    private var selectedLink: Link? { list.selectedRow.map { BookmarkList.link(to: $0.bookmark) } }

    private mutating func wantPreview(in context: Context) -> [Outcome] {
        preview.want(selectedLink, in: context).map { [.ask(.page($0))] } ?? []
    }

    private mutating func askForMessages() -> [Outcome] {
        let unknown = bookmarks.filter { messages[BookmarkList.link(to: $0)] == nil }
        let wanted = Dictionary(grouping: unknown, by: \.conversation).mapValues { Set($0.map(\.message)) }
        return wanted.isEmpty ? [] : [.ask(.messages(wanted))]
    }
}

extension BookmarkList: Sheet {
    mutating func begin(in context: Context) -> [Outcome] {
        show(in: context)
        return askForMessages() + wantPreview(in: context)
    }

    func awaitsRows(hasHeld: Bool) -> Bool { !isKnown }

    mutating func resized(in context: Context) -> [Outcome] { wantPreview(in: context) }

    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        switch list.handle(event, in: PreviewLayout.switcher(context.size, on: context.main.grid).list) {
        case .typed: return [.typed]
        case .left: return [.close]
        case .chosen:
            guard let mark = list.selectedRow?.bookmark else { return [] }
            let conversation = context.directory.conversation(mark.conversation)
            return [.close, .go(.position(.message(mark.message)), in: conversation)]
        case .other(.fieldDelete): return list.selectedRow.map { [.effect(.bookmarks(.remove($0.bookmark)))] } ?? []
        case .moved, .none, .other: return wantPreview(in: context)
        }
    }

    mutating func take(_ bookmarks: [Bookmark], in context: Context) -> [Outcome] {
        isKnown = true
        self.bookmarks = bookmarks
        show(in: context)
        return askForMessages() + wantPreview(in: context)
    }

    mutating func receive(_ reply: Reply, in context: Context) -> [Outcome] {
        switch reply {
        case .messages(let id, let result):
            take(result, in: id)
            show(in: context)
            return []
        case .page(let result):
            preview.receive(result, in: context)
            return wantPreview(in: context)
        default: return []
        }
    }

    private mutating func take(_ result: Result<[Message], StoreError>, in id: ConversationID) {
        for mark in bookmarks where mark.conversation == id {
            let found: Found =
                switch result {
                case .success(let all): all.first { $0.id == mark.message }.map { .found($0) } ?? .gone
                case .failure(.noSuchConversation): .gone
                case .failure(let error): .failed(error.description)
                }
            messages[BookmarkList.link(to: mark)] = found
        }
    }
}

extension BookmarkList {
    func frame(on screen: ListScreen, in context: Context, looks: Looks) -> Frame {
        let count = list.rows.count
        let prompt = PromptLine(
            name: "Bookmarks: ", field: list.field, answer: count == 1 ? "1 bookmark" : "\(count) bookmarks")
        let layout = PreviewLayout.switcher(screen.size, on: screen.grid)
        let rows = screen.lines(of: list, in: layout.list, otherwise: Span(advice(screen), .dim)) { row, columns in
            line(row, columns, screen, looks)
        }
        let lines = screen.lines(rows, isEmpty: list.rows.isEmpty, in: layout) {
            preview.lines(of: selectedLink, in: $0, looks: looks)
        }
        let link = selectedLink.map { Span(CleanText($0.description), .dim) }
        return screen.frame(prompt, lines, selected: link, aside: link.map { _ in Span("Del removes", .dim) })
    }

    private func advice(_ screen: ListScreen) -> CleanText {
        guard isKnown else { return "loading…" }
        guard list.all.isEmpty else { return "no match" }
        return "no bookmarks yet; \(screen.keymap.keyName(.bookmark)) and a letter set one in a conversation"
    }

    /// Letter, title, time, name and text.
    private func line(_ row: Row, _ columns: Int, _ screen: ListScreen, _ looks: Looks) -> Line {
        var line: Line = [
            Span(CleanText(String(row.bookmark.letter)).padded(to: 3), Style(.accent, .bold)),
            Span(CleanText(row.title).padded(to: columns < 60 ? 10 : 16) + "  "),
        ]
        switch row.message {
        case .pending: break
        case .gone: line.append(Span("this message does not exist any more", Style(.warning)))
        case .failed(let reason): line.append(Span(CleanText("not loaded: \(reason)"), Style(.warning)))
        case .found(let message):
            if columns >= 60 {
                line.append(Span(screen.time(message.at).padded(to: screen.timeColumns + 2), .dim))
            }
            line.append(screen.excerpt(of: message, names: columns < 60 ? nil : 14, looks: looks))
        }
        return line
    }
}

/// The bookmarks as last read. They are read when they are first needed, not at the start.
struct KnownBookmarks: Sendable {
    /// Nil before they were read.
    var all: [Bookmark]?
    /// The letter that the user typed before the bookmarks were read, and the conversation at that time.
    var wanted: (letter: Character, conversation: ConversationID)?
}

/// Asks for the letter of a new bookmark.
struct BookmarkPrompt: Prompt {
    let message: MessageID

    var takesText: Bool { false }

    func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        guard case .key(let key) = event else { return [] }
        guard case .character(let letter) = key else { return [.close] }
        guard letter.isLetter else { return [.close, .tell("a bookmark is a letter; nothing was set")] }
        return [.close, .bookmark(.set(letter, message))]
    }

    func view(in context: Context) -> PanelView {
        .question("bookmark: a letter for this conversation, a capital for the whole archive")
    }
}

/// Asks for the letter of the bookmark to go to.
struct BookmarkJumpPrompt: Prompt {
    var takesText: Bool { false }
    var isAboutMessage: Bool { false }

    func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        guard case .key(let key) = event else { return [] }
        switch key {
        case _ where context.keymap.action(for: key) == .goToBookmark: return [.close, .bookmark(.goBack)]
        case .enter: return [.close, .perform(.bookmarks)]
        case .character(let letter): return [.close, .bookmark(.go(letter))]
        default: return [.close]
        }
    }

    func view(in context: Context) -> PanelView {
        .question("go to bookmark: its letter · \(context.keymap.keyName(.goToBookmark)) goes back · Enter lists them")
    }
}
