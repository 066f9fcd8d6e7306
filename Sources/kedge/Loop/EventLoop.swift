import CMemory
import Display
import Interface
import Messages
import Settings
import Synchronization
import Terminal

import Glibc

/// The only place where effects run, on the main thread:
///
///     keys, signals ──┐
///     timers ─────────┼→ events → update → model → render → frame → Screen
///     mailbox ────────┘             └→ effects → store (tasks) → mailbox
///
/// All waiting input and events are handled before one frame is drawn. When nothing waits, the loop sleeps in `poll`.
final class EventLoop {
    private let store: any MessageStore
    private let mailbox: Mailbox
    private var model: Model
    private var timers: [(deadline: ContinuousClock.Instant, event: Event)] = []
    private let tasks: StoreTasks
    /// The request for the first page; nil if the program does not begin in a conversation, and after its result was used.
    private var firstPage: FirstPage?
    /// The effects that can wait until the first frame is drawn, in their order; nil after that frame.
    private var held: [Effect]?
    private var exitReason: ExitReason?
    private let clipboard = Clipboard()
    private let browser: Browser
    private let pictures: PictureLoader
    /// The requested picture, while the terminal is asked if it shows pictures.
    private var wantedPicture: PictureRequest?
    private let marks: ReadMarks
    private let drafts: DraftKeeper
    private let bookmarks: BookmarkKeeper
    private let mutes: MuteKeeper
    private let notifier: Notifier
    private let editor: TextEditor
    /// True if the terminal's title is set.
    private let setsTitle: Bool
    /// Nil unless `KEDGE_LOG` asks for it.
    private let trace: Trace?
    /// True if the terminal should ring with the next frame: once, for any number of messages.
    private var mustRing = false

    /// The terminal is left alone for this time while the first list is loaded. Usually the list is there before, so that its
    /// frame is the first thing on the screen, and an unknown message ends the program without a trace of a screen.
    private static let grace = Duration.milliseconds(250)
    /// The longest wait at the end for messages that are being sent.
    private static let farewell = Duration.seconds(1)

    init(
        store: any MessageStore, model: Model, mailbox: Mailbox, marks: ReadMarks, drafts: DraftKeeper,
        bookmarks: BookmarkKeeper, mutes: MuteKeeper, notifier: Notifier, editor: TextEditor, setsTitle: Bool,
        trace: Trace?, firstPage: FirstPage?
    ) {
        self.store = store
        self.firstPage = firstPage
        self.model = model
        self.mailbox = mailbox
        tasks = StoreTasks(store: store, drafts: drafts, mailbox: mailbox)
        browser = Browser(mailbox: mailbox)
        pictures = PictureLoader(store: store, mailbox: mailbox)
        self.marks = marks
        self.drafts = drafts
        self.bookmarks = bookmarks
        self.mutes = mutes
        self.notifier = notifier
        self.editor = editor
        self.setsTitle = setsTitle
        self.trace = trace
    }

    /// Shows a place of a conversation, or the list of conversations, until the user leaves.
    /// - Throws: when the screen cannot be opened.
    func run(
        _ start: (conversation: Conversation, position: PageRequest.Position)?, atUnread: Bool, color: Bool,
        theme: ThemeSettings
    ) throws -> ExitReason {
        handle([.time(.now)])
        if let start {
            held = []
            perform(
                atUnread
                    ? model.startAtUnread(in: start.conversation)
                    : model.start(in: start.conversation, at: start.position))
        } else {
            tasks.watchPreparation()
            perform(model.startInSwitcher())
        }
        // Work that leaves no trace on the terminal is done while the store reads.
        let signals = try SignalPipe(delaysRealtime: true)
        let kind = Result { () throws(TerminalError) in try TerminalKind.ofEnvironment() }
        waitForList(heeding: signals)
        if let exitReason { return exitReason }
        var screen = try Screen(
            color: color, theme: theme, kind: try kind.get(), watching: signals,
            environment: Environment.variables)
        handle([.resized(screen.size)])
        screen.draw(render(model))
        signals.watchRealtime()
        cmemory_narrow()
        trace?.noteFrame()
        if setsTitle { screen.setTitle(model.terminalTitle) }
        performHeld()
        keepReads()
        mutes.load()
        marks.watch(Folders.ofUser.state, tellBy: mailbox)
        tasks.watchArrivals(isFirstOpening: model.isFirstOpening, keeping: marks)
        tasks.followServerReads(keeping: marks)
        tasks.watchList()
        while exitReason == nil {
            let limit = screen.inputDeadline.map { max(.zero, $0 - .now) }
            wait(for: [screen.inputDescriptor, mailbox.fileDescriptor, signals.fileDescriptor], atMost: limit)
            handle([.time(.now)])
            var mustRedraw = false
            var mustStop = false
            for signal in signals.pending() {
                switch signal {
                case .resize: handle([.resized(screen.updateSize())])
                case .terminate(let number): leave(.signal(number))
                case .stop: mustStop = true
                case .continued:
                    handle([.interrupted])
                    mustRedraw = true
                }
            }
            let inputs = screen.readInput()
            // Keys are typed with the focus, whichever report came first.
            let focus = screen.takeFocus()
            handle(
                focus == true
                    ? [.focus(true), .input(inputs)] : [.input(inputs)] + (focus == nil ? [] : [.focus(false)]))
            if screen.isClosed { leave(.signal(SIGHUP)) }
            handle(mailbox.takeAll())
            handle(dueEvents())
            // The pane has refused a text that is too long already.
            for text in copies { clipboard.copy(text, by: screen) }
            copies = []
            loadWantedPicture(on: &screen, color: color)
            if exitReason != nil { break }
            if takeRequest(.suspend) || mustStop {
                screen.suspend()
                handle([.interrupted, .resized(screen.updateSize())])
                mustRedraw = true
            }
            if let text = edited {
                edited = nil
                if screen.handOver() { handle([.edited(editor.edit(text))]) }
                handle([.interrupted, .resized(screen.updateSize())])
                mustRedraw = true
            }
            if takeRequest(.redraw) { mustRedraw = true }
            let frame = render(model)
            if mustRedraw { screen.drawAnew(frame) } else { screen.draw(frame) }
            trace?.noteFrame()
            if setsTitle { screen.setTitle(model.terminalTitle) }
            if mustRing { screen.ring() }
            mustRing = false
            keepReads()
        }
        screen.close()
        perform(model.keepAllDrafts())
        finishSending()
        clipboard.finish()
        let unread = marks.finish()
        let unkept = bookmarks.keeper.finish()
        let lost = drafts.finish()
        let unmuted = mutes.keeper.finish()
        for line in [unread, unkept, unmuted].compactMap(\.self) + lost { Output.complain(line, waits: false) }
        if lost.isEmpty { tellOfUnsent() }
        // The signals are caught until here: when a terminal closes, several of them come, and none may stop drafts from being
        // saved.
        withExtendedLifetime(signals) {}
        return exitReason ?? .done
    }

    // MARK: - Events

    /// Requests of effects for the screen itself.
    private enum ScreenRequest: Hashable { case redraw, suspend }
    private var screenRequests: Set<ScreenRequest> = []
    /// Texts for the clipboard.
    private var copies: [String] = []
    /// The text for the user's editor, which takes the terminal.
    private var edited: String?
    /// The positions that count as read as soon as the screen has shown them.
    private var reads: [(ConversationID, ReadPosition)] = []

    private func takeRequest(_ request: ScreenRequest) -> Bool { screenRequests.remove(request) != nil }

    private func keepReads() {
        for (conversation, position) in reads {
            marks.keep(position, of: conversation)
            if let message = position.message { tasks.noteRead(message, in: conversation) }
        }
        reads = []
    }

    private func handle(_ events: [Event]) {
        for event in events {
            trace?.note(event)
            perform(update(&model, event))
        }
    }

    /// Returns early at a signal, which must end the program at once.
    private func waitForList(heeding signals: SignalPipe) {
        takeAnswers(for: EventLoop.grace, orAt: signals) {
            exitReason == nil && model.isWaiting && !signals.isReadable
        }
    }

    /// Waits a second at most until the last posts are sent. The posts that are not sent by then are kept, and the user is told.
    private func finishSending() {
        takeAnswers(for: EventLoop.farewell) { model.isSending }
    }

    private func tellOfUnsent() {
        let count = model.unsentCount
        guard count > 0 else { return }
        let what = count == 1 ? "1 message is not sent yet: it is" : "\(count) messages are not sent yet: they are"
        Output.complain("\(what) kept, and sent when this archive is next opened", waits: false)
    }

    /// Handles the store's results as long as a condition holds, but no longer than a limit.
    /// - Parameter signals: a signal ends the wait; nil to wait for results alone.
    private func takeAnswers(
        for limit: Duration, orAt signals: SignalPipe? = nil, while isWanted: () -> Bool
    ) {
        let end = ContinuousClock.now + limit
        while isWanted() {
            let left = end - .now
            guard left > .zero else { return }
            wait(for: [mailbox.fileDescriptor] + (signals.map { [$0.fileDescriptor] } ?? []), atMost: left)
            handle(mailbox.takeAll())
        }
    }

    /// Sleeps until one of the descriptors has something to read, or the next timer is due.
    private func wait(for descriptors: [Int32], atMost limit: Duration? = nil) {
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let due = timers.map(\.deadline).min().map { max(.zero, $0 - .now) }
        let timeout = [limit, due].compactMap { $0 }.min()
        _ = poll(&polled, nfds_t(polled.count), timeout.map(EventLoop.milliseconds) ?? -1)
    }

    /// Rounded up, so that a timer is due when `poll` returns.
    static func milliseconds(_ duration: Duration) -> Int32 {
        let parts = duration.components
        let (seconds, nanoseconds) = (parts.seconds, parts.attoseconds / 1_000_000_000)
        return Int32(clamping: seconds * 1_000 + (nanoseconds + 999_999) / 1_000_000)
    }

    private func dueEvents() -> [Event] {
        let now = ContinuousClock.now
        let due = timers.filter { $0.deadline <= now }
        timers.removeAll { $0.deadline <= now }
        return due.map(\.event)
    }

    // MARK: - Effects

    /// Performs the effects that were held until after the first frame.
    private func performHeld() {
        guard let effects = held else { return }
        held = nil
        // First, so that problems with the index are known before an effect asks for the problems.
        tasks.watchPreparation()
        perform(effects)
    }

    /// Loads a list of messages. The first frame needs no more messages than the screen has rows; later pages bring the
    /// others.
    private func askForList(_ list: ListRequest, _ request: PageRequest) {
        guard held != nil else { return tasks.ask(.page(request), .list(list)) }
        let request = request.filling(rows: model.size.rows)
        if let firstPage, firstPage.request == request {
            self.firstPage = nil
            return firstPage.take { [mailbox] page in mailbox.post(.reply(.list(list), .page(page))) }
        }
        tasks.ask(.page(request), .list(list), promptly: true)
    }

    private func perform(_ effects: [Effect]) {
        for effect in effects {
            if held != nil, !effect.leadsToFirstFrame {
                held?.append(effect)
                continue
            }
            trace?.note(effect)
            switch effect {
            case .ask(.page(let request), .list(let list)): askForList(list, request)
            case .ask(.picture(let file, let room), .picture(let number)):
                wantedPicture = PictureRequest(number: number, file: file, room: room)
            case .ask(let request, let ticket): tasks.ask(request, ticket)
            case .stop(let stream): tasks.stop(stream)
            case .wait(let duration, let event): timers.append((.now + duration, event))
            case .watch(let id, let since): tasks.watch(id, since: since)
            case .copy(let text): copies.append(text)
            case .edit(let text): edited = text
            case .openLink(let address): browser.open(address)
            case .openFile(let path): browser.open(path, as: "file")
            case .markRead(let id, let position): reads.append((id, position))
            case .setMuted(let id, let isMuted): mutes.set(id, isMuted)
            case .bookmarks(let change): bookmarks.make(change)
            case .noteTyping(let person, let id): tasks.noteTyping(by: person, in: id)
            case .notify(let name, let text, let link):
                mustRing = mustRing || notifier.rings
                notifier.notify(from: name, text, link: link)
            case .keepDraft(let id, let draft): drafts.keep(draft, of: id)
            case .redraw: screenRequests.insert(.redraw)
            case .suspend: screenRequests.insert(.suspend)
            case .quit(let exitReason): leave(exitReason)
            }
        }
    }

    /// Leaves the program. The first reason counts.
    private func leave(_ reason: ExitReason) { exitReason = exitReason ?? reason }

    /// Loads the requested picture, as soon as the terminal has reported how it shows pictures.
    private func loadWantedPicture(on screen: inout Screen, color: Bool) {
        guard let request = wantedPicture else { return }
        guard let support = color ? screen.pictureSupport : PictureSupport.none else {
            screen.askForPictures(through: Multiplexer(environment: Environment.variables))
            return
        }
        wantedPicture = nil
        pictures.load(request, for: support)
    }
}

extension Effect {
    /// True if the first frame depends on it, or the decision to leave without a frame.
    fileprivate var leadsToFirstFrame: Bool {
        switch self {
        case .ask(_, .list), .wait, .quit: true
        default: false
        }
    }
}
