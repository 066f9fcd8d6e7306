import ArgumentParser
import Display
import Interface
import Messages
import Mirror
import Settings
import Terminal
import Usage

struct Open: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open a conversation at its newest message, or at the one you name.",
        discussion: """
            Without a place it opens at the newest message, without a conversation at a list to choose from (unless there is \
            only one). A conversation is named by its ID or its title. Press h for the keys.

              kedge open general/m-001500              a link of Kedge's own
              kedge open work:general                  in the archive called work
              kedge open ~/Downloads/result.json       an export, or an archive
              kedge open ~/irclogs libera.kedge        a conversation in it
              kedge open 'https://x.slack.com/...'     a link that such a service copies
              kedge search deploy | fzf | cut -f1 | xargs -r kedge open

            The keys come from the terminal, also when stdin is a pipe.

            KEDGE_SIMULATE=latency:250ms,failures:0.2,after:1,seed:7 makes the archive behave like a slow, failing \
            server (failures begin after the given number of requests).

            KEDGE_LOG=debug writes each step with its time into the log, $XDG_STATE_HOME/kedge/kedge.log: IDs and numbers, \
            no texts.
            """)

    @OptionGroup var options: ArchiveOptions
    @OptionGroup var person: PersonOptions

    @Argument(help: ArgumentHelp("A conversation, a link or a path.", valueName: "conversation[/message-id]"))
    var link: String?

    @Argument(help: ArgumentHelp("After a path: a conversation or a link in it.", valueName: "conversation-in-path"))
    var linkInPath: String?

    @Option(help: ArgumentHelp("Open at this message.", valueName: "message-id"))
    var at: String?

    @Option(
        help: ArgumentHelp(
            "Open at the first message on or after a day or time: 2025-03-01, \"1 march\", yesterday, \"3 weeks ago\", 12:30; or at a share of the conversation: 50%.",
            valueName: "date"))
    var date: String?

    @Flag(help: "Open at the very first message.")
    var start = false

    @Flag(help: "Open at the first message that is new since the conversation was last read.")
    var unread = false

    @Flag(
        name: .customLong("plain"),
        help: "Show nothing but words, linearly, with the cursor on the selected message: for a screen reader.")
    var isPlain = false

    /// True if a screen can be shown. To be asked when the terminal is the source of keys.
    private static let isOnTerminal = Screen.isTerminal

    func run() throws {
        // The choice of a program such as fzf is empty when the user leaves it: `kedge open "$(… | fzf | cut -f1)"`.
        if link?.isEmpty ?? false || linkInPath?.isEmpty ?? false { throw CommandError.interrupted }
        TerminalInput.takeOver()
        var open = self
        if let link, let linkInPath {
            guard open.options.takesArchive(link) else { throw CommandLineWords.excess(linkInPath, of: "open") }
            open.link = linkInPath
        } else if let link, try open.options.takesPath(link) {
            open.link = nil
        }
        if open.link == nil, Open.isOnTerminal, try open.options.foundPath() == nil {
            guard try open.takeFromWelcome() else { return }
        }
        try open.runInArchive()
    }

    /// Shows the screen of a start without an archive.
    /// - Returns: true if the user chose something to open.
    private mutating func takeFromWelcome() throws -> Bool {
        let welcome = WelcomeScreen(Welcome(hasDemo: DemoArchive.installed != nil))
        guard try welcome.opensDemo() else { return false }
        options.archive = DemoArchive.folder()
        person.person = DemoArchive.reader
        link = DemoArchive.place
        return true
    }

    private func runInArchive() throws {
        var options = self.options
        let wanted = try self.link.map { try options.resolve($0) }
        let place = try self.place(in: wanted)
        let position = place ?? .latest
        let (me, problem) = try person.identify(in: options)
        let first = wanted.map { Link(conversation: $0.conversation, message: $0.message ?? at.map { MessageID($0) }) }
        let isNew = try sayThatItReads(options)
        let opened = try options.opened(logs: true, keepsIndex: true, me: me, first: first, isServed: true)
        if isNew { Output.replaceLine(by: "") }
        let store = opened.store
        let link = try wanted.map(opened.resolved) ?? opened.only(at: options.realPath())
        guard link != nil || place == nil && !unread else {
            throw CommandError(.usage, "name the conversation, as in `kedge open general --start`")
        }
        guard Open.isOnTerminal else {
            if let link { _ = try opened.conversation(of: link) }
            throw CommandError(
                .usage,
                "open needs a terminal; to print messages use `kedge show CONVERSATION/MESSAGE-ID` or `kedge list`")
        }
        let exitReason: ExitReason
        do {
            exitReason = try run(opened, link, at: position, in: options, problem: problem)
        } catch StoreError.noSuchConversation(let id, let nearest) {
            guard let wanted, let found = try Open.place(named: wanted, in: store) else {
                throw StoreError.noSuchConversation(id, nearest: nearest)
            }
            let place = wanted.message == nil ? found.message.map { .message($0) } ?? position : position
            exitReason = try run(opened, found, at: place, in: options, problem: problem)
        }
        // In an archive with one conversation, a name that is not its own was taken for a message.
        if let wanted, wanted.message == nil, case .failed(.noSuchMessage(let id, let conversation)) = exitReason,
            id.rawValue == wanted.conversation.rawValue
        {
            throw StoreError.noSuchConversation(wanted.conversation, nearest: [conversation])
        }
        switch exitReason {
        case .done: return
        case .interrupted: throw CommandError.interrupted
        case .signal(let number): throw CommandError(signal: number)
        case .failed(let error): throw error
        }
    }

    /// Prints a notice while a new export is read: with thousands of conversations that takes a while, and no screen
    /// can be shown before.
    /// - Returns: true if it was printed.
    private func sayThatItReads(_ options: ArchiveOptions) throws -> Bool {
        let path = try options.path()
        guard Open.isOnTerminal, Export.isExport(path), !Export.isKnown(try options.indexFolder()) else { return false }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        Output.replaceLine(by: "reading \(name.shortened) …")
        return true
    }

    /// The place of a link whose conversation is not an ID: it may be a title, or the ID of a message alone, in the first
    /// conversation that has it.
    private static func place(named link: Link, in store: any MessageStore) throws -> Link? {
        let name = link.conversation.rawValue
        if let conversation = try OpenedArchive.conversation(named: name, in: store) {
            return Link(conversation: conversation.id, message: link.message)
        }
        guard link.message == nil, let conversation = try conversation(with: MessageID(name), in: store) else {
            return nil
        }
        return Link(conversation: conversation, message: MessageID(name))
    }

    /// The first conversation that holds a message. The only conversation of an archive is not searched: opening it there finds
    /// out.
    private static func conversation(
        with id: MessageID, in store: any ConversationListing & MessageReading
    ) throws -> ConversationID? {
        try waiting { () async throws(StoreError) in
            let conversations = try await store.conversations()
            if conversations.count == 1 { return conversations.first?.id }
            for conversation in conversations {
                if (try? await store.message(id, in: conversation.id)) != nil { return conversation.id }
            }
            return nil
        }
    }

    private func run(
        _ opened: OpenedArchive, _ link: Link?, at position: PageRequest.Position, in options: ArchiveOptions,
        problem: String?
    ) throws -> ExitReason {
        guard let mailbox = Mailbox() else {
            throw CommandError(.unreadable, "no file descriptor is left; raise `ulimit -n`")
        }
        let (store, folders) = (opened.store, Folders.ofUser)
        let trace = try Trace.wanted(in: folders)
        let archive = try options.realPath()
        let positions = ReadPositions(folder: folders.state, archive: archive, reader: store.me)
        let baseline = Baseline(folder: folders.state, archive: archive, reader: store.me)
        let troubles = Troubles(logger: LogFile.logger(in: folders), mailbox: mailbox)
        let marks = ReadMarks(positions, baseline, troubles: troubles)
        let read = marks.load()
        let size = Screen.terminalSize
        // First of all the page, which takes the store longest; the rest is made ready meanwhile.
        let firstPage = link.map { link in
            FirstPage(
                .first(
                    in: link.conversation, at: unread ? .unread : position, rows: size.rows,
                    read: read),
                of: store)
        }
        let conversation = link.map { link in
            Inquiry { () async throws(StoreError) in try await store.conversation(link.conversation) }
        }
        let rescueFolders = [folders.state, Environment.variables["TMPDIR"], "/tmp"].compactMap { $0 }
        let keeper = DraftKeeper(
            Drafts(folder: folders.state, archive: archive, writer: store.me), troubles: troubles,
            rescueFolders: rescueFolders)
        let drafts = keeper.load()
        if let problem = Config.problemForScreen(besides: problem) { mailbox.post(.trouble(problem)) }
        if !Width.isUTF8 { mailbox.post(.trouble(Output.localeAdvice)) }
        let config = Config.ofUser
        let isPlain = isPlain || config.isPlain
        let hidesList = !config.showsList || SingleConversation.id(in: opened.mirror, at: archive) != nil
        var preferences = config.preferences(isPlain: isPlain, hidesList: hidesList)
        preferences.obstacleToMaking = opened.obstacleToMaking
        preferences.canJoin = opened.isServed
        let model = Model(
            size: size, zone: config.zoneOfScreen, read: read, me: store.me, drafts: drafts,
            preferences: preferences)
        let bookmarks = BookmarkKeeper(
            Bookmarks(folder: folders.state, archive: archive, reader: store.me),
            troubles: troubles, mailbox: mailbox)
        let mutes = MuteKeeper(
            MutedConversations(folder: folders.state, archive: archive, reader: store.me),
            troubles: troubles, mailbox: mailbox)
        let loop = EventLoop(
            store: store, model: model, mailbox: mailbox, marks: marks, drafts: keeper, bookmarks: bookmarks,
            mutes: mutes, notifier: Notifier(config.notify),
            editor: TextEditor(environment: Environment.variables, folders: rescueFolders),
            setsTitle: config.setsTitle, trace: trace, firstPage: firstPage)
        let start = try conversation.map { (try $0.wait(), position) }
        return try loop.run(
            start, atUnread: unread, color: Output.allowsColor && !isPlain,
            theme: ThemeSettings(config.theme, changes: config.colors))
    }

    private static func position(named date: String) throws(CommandError) -> PageRequest.Position {
        if let position = PageRequest.Position(percentage: date) { return position }
        return .date(try NamedTime(argument: date, examples: NamedTime.examples + ", or 50%"))
    }

    /// The place that the options name; nil when they name none.
    private func place(in link: Link?) throws -> PageRequest.Position? {
        var positions: [PageRequest.Position] = []
        if let id = link?.message { positions.append(.message(id)) }
        if let at { positions.append(.message(MessageID(at))) }
        if let date { positions.append(try Open.position(named: date)) }
        if start { positions.append(.earliest) }
        guard positions.count + (unread ? 1 : 0) <= 1 else {
            throw CommandError(.usage, "name one place to open at: by a link, --at, --date, --unread or --start")
        }
        return positions.first
    }
}
