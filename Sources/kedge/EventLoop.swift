import Display
import Interface
import Messages
import Terminal

import Glibc

/// The only place where effects run, on the main thread:
///
///     keys, signals ──┐
///     timers ─────────┼→ events → update → model → render → frame → Screen
///     mailbox ────────┘             └→ effects → store (tasks) → mailbox
///
/// All that is waiting is taken in before one frame is drawn; with nothing waiting the loop sleeps in `poll`.
final class EventLoop {
    private let store: any MessageStore
    private let mailbox: Mailbox
    private var model: Model
    private var timers: [(deadline: ContinuousClock.Instant, event: Event)] = []
    private var departure: Departure?

    /// So long the terminal is left alone for a first list: the usual one is there before, and its frame is the first
    /// thing that is seen; an unknown message leaves no trace of a screen.
    private static let grace = Duration.milliseconds(250)

    init(store: any MessageStore, model: Model, mailbox: Mailbox) {
        self.store = store
        self.model = model
        self.mailbox = mailbox
    }

    /// Shows the conversation until the user leaves.
    /// - Throws: why the screen cannot be opened.
    func run(at position: PageRequest.Position, color: Bool) throws -> Departure {
        perform(model.start(at: position))
        waitForList()
        if let departure { return departure }
        var screen = try Screen(color: color)
        let signals = try SignalPipe()
        handle([.resized(screen.size)])
        listenForChanges()
        screen.draw(render(model))
        while departure == nil {
            wait(for: [screen.inputDescriptor, mailbox.fileDescriptor, signals.fileDescriptor])
            var mustRedraw = false
            var mustStop = false
            for signal in signals.pending() {
                switch signal {
                case .resize: handle([.resized(screen.updateSize())])
                case .terminate(let number): leave(.signal(number))
                case .stop: mustStop = true
                case .continued: mustRedraw = true
                }
            }
            handle(screen.readKeys().map(Event.key))
            if screen.isClosed { leave(.signal(SIGHUP)) }
            handle(mailbox.takeAll())
            handle(dueEvents())
            if departure != nil { break }
            if takeRequest(.suspend) || mustStop {
                screen.suspend()
                handle([.resized(screen.updateSize())])
                mustRedraw = true
            }
            if takeRequest(.redraw) { mustRedraw = true }
            let frame = render(model)
            if mustRedraw { screen.drawAnew(frame) } else { screen.draw(frame) }
        }
        screen.close()
        return departure ?? .done
    }

    // MARK: - Events

    /// What the last events asked of the screen itself.
    private enum ScreenRequest: Hashable { case redraw, suspend }
    private var screenRequests: Set<ScreenRequest> = []

    private func takeRequest(_ request: ScreenRequest) -> Bool { screenRequests.remove(request) != nil }

    private func handle(_ events: [Event]) {
        for event in events { perform(update(&model, event)) }
    }

    private func waitForList() {
        let end = ContinuousClock.now + EventLoop.grace
        while departure == nil, model.isWaiting {
            let left = end - .now
            guard left > .zero else { return }
            wait(for: [mailbox.fileDescriptor], atMost: left)
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
    private static func milliseconds(_ duration: Duration) -> Int32 {
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

    private func perform(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .loadList(let list, let request): ask { [store] in .list(list, await store.answer(request)) }
            case .loadPage(let ticket, let request): ask { [store] in .page(ticket, await store.answer(request)) }
            case .wait(let seconds, let event): timers.append((.now + .seconds(seconds), event))
            case .reportProblems: ask { [store] in .problems(await store.problems()) }
            case .redraw: screenRequests.insert(.redraw)
            case .suspend: screenRequests.insert(.suspend)
            case .quit(let departure): leave(departure)
            }
        }
    }

    /// The first reason to leave is the one that counts.
    private func leave(_ reason: Departure) { departure = departure ?? reason }

    private func ask(_ question: @escaping @Sendable () async -> Event) {
        Task.detached { [mailbox] in mailbox.post(await question()) }
    }

    private func listenForChanges() {
        let changes = store.changes(in: model.conversation.id)
        Task.detached { [mailbox] in
            for await change in changes { mailbox.post(.changed(change)) }
        }
    }
}

extension MessageStore {
    fileprivate func answer(_ request: PageRequest) async -> Result<Page, StoreError> {
        do throws(StoreError) {
            return .success(try await page(request))
        } catch {
            return .failure(error)
        }
    }
}
