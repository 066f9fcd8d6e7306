import Display
import Messages
import Timeline

/// The bookmarks as they were last read. They are read when they are first needed, and not at the start.
struct KnownBookmarks: Hashable, Sendable {
    /// Nil before they were read.
    var all: [Bookmark]?
    /// The letter that was typed before they were read, and the conversation then.
    var wanted: Wanted?

    struct Wanted: Hashable, Sendable {
        let letter: Character
        let conversation: ConversationID
    }
}

/// A wish of a prompt or a list of bookmarks.
enum BookmarkWish: Hashable, Sendable {
    /// Sets a bookmark at a message of the conversation on the screen.
    case set(Character, MessageID)
    case go(Character)
    /// Goes to where the last jump started; again, back to here.
    case goBack
    case open(Bookmark)
    case remove(Bookmark)
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

/// Bookmarks: messages under letters.
extension Model {
    mutating func askForBookmark() {
        guard let message = selectedMessage else { return tell("no message is selected") }
        stayHere()
        ask(BookmarkPrompt(message: message.id))
    }

    mutating func askWhereToGo() -> [Effect] {
        stayHere()
        ask(BookmarkJumpPrompt())
        return [.loadBookmarks]
    }

    mutating func listBookmarks() -> [Effect] {
        let loads: [Effect] = [.loadConversations(summaries: false, read: ReadStates()), .loadBookmarks]
        return loads + open(BookmarkList(all: bookmarks.all))
    }

    /// The bookmarks have been read or changed.
    mutating func receive(_ all: [Bookmark]) -> [Effect] {
        bookmarks.all = all
        if let wanted = bookmarks.wanted {
            bookmarks.wanted = nil
            return go(to: wanted.letter, in: wanted.conversation)
        }
        return inSheet { $0.receive(.bookmarks(all), in: $1) }
    }

    mutating func carryOut(_ wish: BookmarkWish) -> [Effect] {
        switch wish {
        case .set(let letter, let message):
            guard let id = conversation?.id, let mark = Bookmark(letter, conversation: id, message: message) else {
                return []
            }
            let key = keymap.keyName(.goToBookmark)
            tell(
                "bookmark \(letter) is here; \(key) \(letter) goes to it\(mark.isForArchive ? " from everywhere" : "")")
            // The next key may go to it before it is on the disk.
            bookmarks.all?.removeAll(where: mark.replaces)
            bookmarks.all?.append(mark)
            return [.setBookmark(mark)]
        case .go(let letter):
            guard let id = conversation?.id else { return [] }
            guard bookmarks.all != nil else {
                bookmarks.wanted = KnownBookmarks.Wanted(letter: letter, conversation: id)
                return []
            }
            return go(to: letter, in: id)
        case .goBack: return goBackAndForth()
        case .open(let mark): return open(mark)
        case .remove(let mark): return [.removeBookmark(mark)]
        }
    }

    private mutating func go(to letter: Character, in id: ConversationID) -> [Effect] {
        guard let mark = bookmarks.all?.first(letter, in: id) else {
            tell(
                "there is no bookmark \(letter) here; \(keymap.keyName(.bookmark)) \(letter) sets it, \(keymap.keyName(.bookmarks)) lists all"
            )
            dropHeld()
            return []
        }
        return open(mark)
    }

    private mutating func open(_ mark: Bookmark) -> [Effect] {
        go(toMain: mark.message, in: known(mark.conversation))
    }

    /// As in vi: to the place before the last jump, which becomes a jump itself.
    private mutating func goBackAndForth() -> [Effect] {
        pane.history.skip(place)
        guard let last = history.back.last else {
            tell("nothing to go back to")
            return []
        }
        return go(to: .place(last), in: known(last.conversation), leaving: .jump)
    }

    /// The reason why a bookmark leads nowhere; nil for any other failed jump.
    func lostBookmark(of request: ListRequest, _ error: StoreError) -> String? {
        guard case .position(.message(let id)) = request.destination else { return nil }
        let marks = bookmarks.all ?? []
        guard let mark = marks.first(where: { $0.message == id && $0.conversation == request.conversation.id }) else {
            return nil
        }
        switch error {
        case .noSuchMessage: return "the message of bookmark \(mark.letter) does not exist any more"
        case .noSuchConversation: return "the conversation of bookmark \(mark.letter) does not exist any more"
        case .unavailable, .unreadable, .notSent, .editedMeanwhile: return nil
        }
    }
}
