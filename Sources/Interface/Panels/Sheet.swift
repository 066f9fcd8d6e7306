import Display
package import Messages

/// A list that covers the conversation, opened for one purpose and forgotten when it is closed. A new one is a folder, and a call
/// of `open` where it is opened.
protocol Sheet: Component where Surroundings == Context {
    /// The questions that it asks at first.
    mutating func begin(in context: Context) -> [Outcome]
    mutating func receive(_ answer: SheetAnswer, in context: Context) -> [Outcome]
    /// The screen has another size.
    mutating func resized(in context: Context) -> [Outcome]
    /// Whether there is nothing to choose from yet.
    /// - Parameter hasHeld: whether keys wait already: they wait for the whole list, so that they choose the same at any speed.
    func awaitsRows(hasHeld: Bool) -> Bool
    func frame(on screen: ListScreen, in context: Context, looks: Looks) -> Frame
}

extension Sheet {
    mutating func begin(in context: Context) -> [Outcome] { [] }
    mutating func receive(_ answer: SheetAnswer, in context: Context) -> [Outcome] { [] }
    mutating func resized(in context: Context) -> [Outcome] { [] }
    func awaitsRows(hasHeld: Bool) -> Bool { false }
}

/// The reply to a question of a sheet.
package enum SheetAnswer: Sendable {
    case page(Result<Page, StoreError>)
    case messages(ConversationID, Result<[Message], StoreError>)
    case message(Result<Message, StoreError>)
    case versions(Result<[MessageVersion], StoreError>)
    case writers(Result<Writers, StoreError>)
    /// All members of the conversation on the screen.
    case members(Result<[Person], StoreError>)
    case own([OwnPlace])
    /// All conversations were searched, or there was an error.
    case ownEnd(StoreError?)
    /// The bookmarks have been read, or changed.
    case bookmarks([Bookmark])

    /// The reason why the question has no reply.
    package var error: StoreError? {
        switch self {
        case .page(.failure(let error)), .messages(_, .failure(let error)), .message(.failure(let error)),
            .versions(.failure(let error)), .writers(.failure(let error)), .members(.failure(let error)):
            error
        case .ownEnd(let error): error
        case .page, .messages, .message, .versions, .writers, .members, .own, .bookmarks: nil
        }
    }
}

/// A question of a sheet to the store.
package enum SheetQuestion: Hashable, Sendable {
    /// The page of its preview.
    case page(PageRequest)
    /// Messages in their newest form: a reply comes for each conversation.
    case messages([ConversationID: Set<MessageID>])
    /// A message with all people who reacted to it.
    case message(MessageID, ConversationID)
    case versions(MessageID, ConversationID)
    /// All members of a conversation, as its server knows them.
    case members(ConversationID)
    /// The people who have written in a conversation, read backwards from here: replies come until the last one. After a failure
    /// the question goes on from the page that did not come.
    case writers(ConversationID, from: PageRequest.Position)
    /// The messages that concern the user: replies come until `ownEnd`.
    /// - Parameter seen: the messages that were looked at in an earlier try.
    case own(OwnPlaces.Kind, Addressee, ReadStates, seen: Set<Link>)
}

/// The open sheet.
extension Model {
    mutating func open(_ sheet: some Sheet) -> [Effect] {
        stayHere()
        panel = .sheet
        sheets += 1
        sheetRetries = Retries()
        self.sheet = sheet
        return inSheet { $0.begin(in: $1) }
    }

    mutating func inSheet(_ body: (inout any Sheet, Context) -> [Outcome]) -> [Effect] {
        let context = context
        guard panel == .sheet, var open = sheet else { return [] }
        // It would be copied if it were held twice.
        sheet = nil
        let outcomes = body(&open, context)
        sheet = open
        return carryOut(outcomes)
    }

    /// A sheet that is closed needs no replies any more.
    mutating func stopAsking() -> [Effect] {
        guard hasAsked, sheet == nil else { return [] }
        hasAsked = false
        return [.stopAsking]
    }

    /// A reply to a sheet that is closed meanwhile has no effect.
    mutating func receive(_ answer: SheetAnswer, forSheet number: Int) -> [Effect] {
        guard number == sheets else { return [] }
        // A question may have many replies, and each that comes shows that the store responds.
        if answer.error == nil { sheetRetries = Retries() }
        if case .members(.success(let people)) = answer, let id = conversation?.id { writing.members[id] = people }
        return inSheet { $0.receive(answer, in: $1) }
    }

    /// A question that has failed is asked again while its sheet is open.
    mutating func retryLater(_ question: SheetQuestion, ofSheet number: Int, _ error: StoreError) -> [Effect] {
        guard number == sheets, sheet != nil else { return [] }
        return [sheetRetries.fail(error, .sheet(number, question))].compactMap(\.self)
    }

    mutating func retry(_ question: SheetQuestion, ofSheet number: Int) -> [Effect] {
        guard number == sheets, sheet != nil else { return [] }
        sheetRetries.begin()
        return [.askForSheet(number, question)]
    }
}

/// Sheets about the selected message and about the conversation.
extension Model {
    mutating func showReactions() -> [Effect] {
        guard let message = selectedMessage, let id = conversation?.id else { return [] }
        let people = readers.people(whoHaveRead: message.id, in: pane)
        guard !message.reactions.isEmpty || !people.isEmpty else {
            tell("nobody has reacted to this message" + (readers.isEmpty ? "" : ", and who has read it is not known"))
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

    /// Asks for the members of whom only the server knows, for the composer.
    func askForMembers() -> [Effect] {
        guard let conversation, conversation.lacksMembers, writing.members[conversation.id] == nil else { return [] }
        return [.askForMembers(conversation.id)]
    }

    mutating func receive(members result: Result<[Person], StoreError>, of id: ConversationID) -> [Effect] {
        switch result {
        case .success(let people):
            writing.members[id] = people
            writing.memberRetries = Retries()
            if id == conversation?.id, panel == .composer { complete() }
            return []
        case .failure(let error): return [writing.memberRetries.fail(error, .members(id))].compactMap(\.self)
        }
    }

    mutating func retryMembers(of id: ConversationID) -> [Effect] {
        guard id == conversation?.id, panel == .composer, writing.memberRetries.reason != nil else { return [] }
        writing.memberRetries.begin()
        return askForMembers()
    }

    mutating func showOwn(_ kind: OwnPlaces.Kind) -> [Effect] {
        guard let me = addressee else {
            tell("Kedge doesn't know who you are: use --as ID or set me = \"ID\" in config.toml")
            return []
        }
        let titles = Effect.loadConversations(summaries: false, read: ReadStates())
        return [titles] + open(OwnPlacesSheet(kind, of: me, read: reading.states))
    }

    /// Opens the search everywhere with these words.
    mutating func search(for words: String) -> [Effect] {
        let effects = openSearch()
        return effects + inSearch { $0.look(for: words, in: $1) }
    }
}
