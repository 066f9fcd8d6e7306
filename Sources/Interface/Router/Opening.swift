import Display
import Messages
import Search
import Timeline

/// The search in all conversations.
extension Model {
    /// - Parameters:
    ///   - words: the words of another search; nil to keep the words.
    ///   - link: the hit of that search.
    mutating func openSearch(words: String? = nil, near link: Link? = nil) -> [Effect] {
        layers.panel = .search
        return [listConversations()]
            + inSearch { $0.open(words: words, near: link, in: $1) }
    }

    /// Tab: switches between the search in the conversation and everywhere, with the same words. Esc then restores the screen
    /// from before both.
    mutating func toggleScope() -> [Effect] {
        if panel == .find, let find {
            let isAtHit = finding.isAtHit(in: main)
            let link = conversation.flatMap { conversation in
                timeline.selection.map { Link(conversation: conversation.id, message: $0) }
            }
            let words = find.field.text
            let effects = carryOut(handle(.action(.cancel)))
            return effects + openSearch(words: words.isEmpty ? nil : words, near: isAtHit ? link : nil)
        }
        guard panel == .search, opening == .shown else { return [] }
        let words = search.field.text
        let effects = carryOut(handle(.action(.cancel)))
        openFind(towards: .newer)
        return effects + carryOut(finding.take(words)) + finishTyping()
    }

    /// Continues a search everywhere in the next conversation of its list, or in the previous one.
    mutating func goOnElsewhere(_ direction: FindDirection) -> [Effect] {
        guard let words = find?.field.text, let here = conversation,
            let (hit, isWrapped) = search.hit(beyond: here.id, direction)
        else { return [] }
        let next = known(hit.conversation)
        let effects = go(to: .found(hit.message, words: words), in: next)
        tell("no more in \(here.title), on to \(next.title)\(isWrapped ? " · search wrapped" : "")")
        return effects
    }

    mutating func inSearch(_ body: (inout SearchPanel, Context) -> [Outcome]) -> [Effect] {
        let context = context
        return carryOut(body(&search, context))
    }

    /// Forwards to the search only while it is open, since a closed search requests nothing.
    mutating func inOpenSearch(_ body: (inout SearchPanel, Context) -> [Outcome]) -> [Effect] {
        panel == .search ? inSearch(body) : []
    }
}

/// Entry to the search in the conversation.
extension Model {
    var find: Find? { finding.find }

    mutating func inFind(_ body: (inout Finding, Context) -> [Outcome]) -> [Effect] {
        let context = context
        return carryOut(body(&finding, context))
    }

    mutating func openFind(towards direction: FindDirection) {
        // The screen from before the last search may still be loading.
        var origin = placeToLeave
        let start = context.thread.flatMap { ReplyPlace($0.selectedReply, in: $0, of: main) }
        leaveThread()
        if let pending, case .place(let place) = pending.destination, pending.isRestoring {
            origin = place
        } else {
            dropPending()
        }
        finding.open(towards: direction, origin: origin, start: start, in: context)
        layers.panel = .find
    }
}

/// The open sheet.
extension Model {
    mutating func open(_ sheet: some Sheet) -> [Effect] {
        stayHere()
        layers.open(sheet)
        return inSheet { $0.begin(in: $1) }
    }

    mutating func inSheet(_ body: (inout any Sheet, Context) -> [Outcome]) -> [Effect] {
        let context = context
        return carryOut(layers.inSheet { body(&$0, context) })
    }

    /// A reply to a sheet that was closed meanwhile has no effect. A failed request is retried while its sheet is open.
    /// - Parameter rest: the request for the remaining replies.
    mutating func receive(_ reply: Reply, forSheet number: Int, rest: Request) -> [Effect] {
        guard layers.hears(reply, forSheet: number) else { return [] }
        if case .members(.success(let people)) = reply, let id = conversation?.id { writing.members[id] = people }
        let effects = inSheet { $0.receive(reply, in: $1) }
        return effects + layers.retryLater(reply, rest: rest)
    }
}

/// Sheets about the selected message and about the conversation.
extension Model {
    mutating func showReactions() -> [Effect] {
        guard let message = selectedMessage, let id = conversation?.id else { return [] }
        let people = reader.readers.people(whoHaveRead: message.id, in: pane)
        guard !message.reactions.isEmpty || !people.isEmpty else {
            tell(
                "nobody has reacted to this message"
                    + (reader.readers.isEmpty ? "" : ", and who has read it is not known"))
            return []
        }
        return open(ReactionSheet(message, readBy: people, in: id))
    }

    mutating func showVersions() -> [Effect] {
        guard let message = selectedMessage, let id = conversation?.id else { return [] }
        if message.isDeleted {
            tell("this message is deleted; its texts are not shown")
        } else if !message.isEdited {
            tell("this message was never edited")
        } else {
            return open(VersionSheet(message, in: id))
        }
        return []
    }

    mutating func showMembers() -> [Effect] {
        guard let conversation else { return [] }
        return open(MemberSheet(conversation, writing.members[conversation.id]))
    }

    mutating func showOwn(_ kind: OwnPlaces.Kind) -> [Effect] {
        guard let me = addressee else {
            tell("Kedge doesn't know who you are: use --as ID or set me = \"ID\" in config.toml")
            return []
        }
        return [listConversations()] + open(OwnPlacesSheet(kind, of: me, read: reading.states))
    }
}

/// Bookmarks: messages with letters.
extension Model {
    mutating func askForBookmark() {
        guard let message = selectedMessage else { return tell("no message is selected") }
        stayHere()
        ask(BookmarkPrompt(message: message.id))
    }

    mutating func askWhereToGo() -> [Effect] {
        stayHere()
        ask(BookmarkJumpPrompt())
        return [.bookmarks(.none)]
    }

    mutating func listBookmarks() -> [Effect] {
        return [listConversations(), .bookmarks(.none)] + open(BookmarkList(all: reader.bookmarks.all))
    }

    /// Handles bookmarks that were read or have changed.
    mutating func receive(_ all: [Bookmark]) -> [Effect] {
        reader.bookmarks.all = all
        if let wanted = reader.bookmarks.wanted {
            reader.bookmarks.wanted = nil
            return go(to: wanted.letter, in: wanted.conversation)
        }
        return inSheet { $0.take(all, in: $1) }
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
            // The next key may go to the bookmark before it is saved.
            reader.bookmarks.all?.removeAll(where: mark.replaces)
            reader.bookmarks.all?.append(mark)
            return [.bookmarks(.set(mark))]
        case .go(let letter):
            guard let id = conversation?.id else { return [] }
            guard reader.bookmarks.all != nil else {
                reader.bookmarks.wanted = (letter, id)
                return []
            }
            return go(to: letter, in: id)
        case .goBack: return goBackAndForth()
        }
    }

    private mutating func go(to letter: Character, in id: ConversationID) -> [Effect] {
        guard let mark = reader.bookmarks.all?.first(letter, in: id) else {
            tell(
                "there is no bookmark \(letter) here; \(keymap.keyName(.bookmark)) \(letter) sets it, \(keymap.keyName(.bookmarks)) lists all"
            )
            dropHeld()
            return []
        }
        return go(toMain: mark.message, in: known(mark.conversation))
    }

    /// Goes to the place before the last jump, as in vi. This is a jump, too.
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
        let marks = reader.bookmarks.all ?? []
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

/// Files that the user opens.
extension Model {
    mutating func take(_ news: FileNews, about file: MessageFile) -> [Effect] {
        switch news {
        case .coming(let received):
            // From now on the status line shows the progress, so the notice of this file goes. Other notices stay.
            if tasks.note(received: received, of: .open(file)), notice?.text == opening(file) { notice = nil }
        case .here(let path, let isExecutable):
            guard let wasFetched = tasks.end(.open(file)) else { return [] }
            if let risk = FileRisk(path, isExecutable: isExecutable, shownAs: file.attachment.name) {
                askBeforeOpening(risk)
                return []
            }
            if wasFetched { tell(opening(file)) }
            return [.openFile(path: path)]
        case .failed(let error):
            if let again = tasks.fail(.open(file), error) {
                if notice?.text == opening(file) { notice = nil }
                return [again]
            }
            if tasks.end(.open(file)) != nil { warn(error.reason) }
        }
        return []
    }

    /// Asks only if no panel is open: otherwise the next key would answer by accident.
    private mutating func askBeforeOpening(_ risk: FileRisk) {
        guard panel == nil || panel == .picture else { return warn("not opened: \(risk.reason)") }
        if notice?.isWarning == false { notice = nil }
        ask(risk.permission)
    }

    private func opening(_ file: MessageFile) -> String { "opening \(file.attachment.name)" }
}

/// Copies and writes the selected messages.
extension Model {
    mutating func askForFile() {
        guard let range = pane.markedRange else { return tell("no message is selected") }
        stayHere()
        ask(FilePrompt(range))
    }

    /// Nil when no selection of several messages was begun.
    mutating func copyMarked() -> [Effect]? {
        guard pane.mark != nil, let range = pane.markedRange else { return nil }
        pane.mark = nil
        return begin(.copy(range))
    }

    mutating func receive(_ result: RangeResult, of task: UserTask) -> [Effect] {
        if case .unread(let error, let messages) = result {
            let work = if case .copy = task { "not copied" } else { "not written" }
            if let again = tasks.fail(task, error, received: Int64(messages)) { return [again] }
            if tasks.end(task) != nil { warn("\(work): \(error)") }
            return []
        }
        let isWanted = tasks.end(task) != nil
        switch result {
        // The task was cancelled.
        case .copied where !isWanted: break
        case .copied(let text, let count):
            tell(count == 1 ? "1 message copied" : "\(count.grouped) messages copied")
            return [.copy(text)]
        case .tooLong(let count):
            let messages = count == 1 ? "1 message is" : "\(count.grouped) messages are"
            warn("\(messages) too long for the clipboard; \(keymap.keyName(.writeFile)) writes to a file")
        case .written(let count, let file):
            pane.mark = nil
            tell(count == 1 ? "1 message written to \(file)" : "\(count.grouped) messages written to \(file)")
        case .exists(let range, let file):
            guard panel == nil else {
                warn("\(file) exists; nothing was written")
                break
            }
            ask(Permission.toReplace(file, by: range))
        case .failed(let reason): warn(reason)
        case .unread: break
        }
        return []
    }

    /// Refuses an action for a single message while several are selected, and shows the reason.
    mutating func refusesForMarked(_ action: Action) -> Bool {
        guard pane.hasSeveralMarked, [.reply, .edit, .delete, .react].contains(action) else { return false }
        let keys = "\(keymap.keyName(.copyText)) and \(keymap.keyName(.writeFile))"
        warn("only \(keys) work on several messages; Esc ends")
        return true
    }

    /// `12 messages selected   y copies · S writes · Esc ends`
    var markedStatus: Span? {
        guard pane.mark != nil else { return nil }
        let count = pane.markedCount.map { $0 == 1 ? "1 message selected" : "\($0.grouped) messages selected" }
        let keys =
            "\(keymap.keyName(.copyText)) copies · \(keymap.keyName(.writeFile)) writes to a file · Esc ends"
        return Span(CleanText("\(count ?? "selecting")   \(keys)"), Style(.accent))
    }
}

extension Model {
    mutating func begin(_ task: UserTask) -> [Effect] { tasks.begin(task) ? [task.effect] : [] }

    /// - Parameter key: the words about the key that cancels the tasks; empty if none does.
    func taskStatus(_ key: String = "") -> Span? {
        tasks.status { known($0).title }.map { Span(CleanText($0 + key), Style(.accent)) }
    }
}
