internal import CMemory
internal import Locks
internal import Messages
internal import Synchronization
internal import Threads

/// Keeps the index of an archive up to its files, on a thread of its own, whenever somebody says that they have changed.
/// Asleep otherwise.
final class IndexService: Sendable {
    private struct State {
        var folder: IndexFolder
        /// Whether a run that is wanted has to wait for `release`.
        var isHeld: Bool
        var isRunning = false
        /// What the next run begins with; nil when none is wanted.
        var wanted: Run?
        var control: IndexControl?
        var isShutDown = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watchers: [Int: Watcher] = [:]
        var nextWatcher = 0
        var problems = ProblemList()
        /// Whether another process did not let go of the index in time: who can do without does not wait for it again.
        var isLocked = false
        var waits = 0
    }

    private struct Run {
        var first: ConversationID?
        var withWords: Bool
        var isRebuilding: Bool
    }

    /// Is told how far a run is, 0 to 1, and when records or words are there.
    struct Watcher: Sendable {
        let progress: @Sendable (Double) -> Void
        let settled: @Sendable () -> Void
    }

    private let catalogue: Catalogue
    private let state: Mutex<State>

    /// - Parameter isHeld: whether the first run has to wait until a caller watches the service or waits for its records.
    init(_ catalogue: Catalogue, _ folder: IndexFolder, isHeld: Bool = false) {
        self.catalogue = catalogue
        state = Mutex(State(folder: folder, isHeld: isHeld))
        if !isHeld { closeToOthers() }
    }

    /// Readers of the index do the same, and do without it where that fails; here the reason is noted.
    private func closeToOthers() {
        do throws(StoreError) { try folder.closeToOthers() } catch {
            note("\(IndexFailure(reason: error.description))")
        }
    }

    /// Where the index is now.
    var folder: IndexFolder { state.withLock { $0.folder } }

    /// Whether a run is under way, for tests.
    var isAtWork: Bool { state.withLock { $0.isRunning } }

    /// How often another process was waited for in vain, for tests.
    var waits: Int { state.withLock { $0.waits } }

    /// What kept an index from being made, in lines for people.
    var problems: ProblemList { state.withLock { $0.problems } }

    /// Brings the index up to the files; a run under way does it again when it is through. Does not wait.
    /// - Parameters:
    ///   - first: the conversation to begin with.
    ///   - isRebuilding: whether to forget what there is.
    func update(first: ConversationID? = nil, withWords: Bool = true, isRebuilding: Bool = false) {
        let starts = state.withLock { state in
            if state.isShutDown || (state.isLocked && !withWords) { return false }
            state.wanted = Run(
                first: first, withWords: withWords || state.wanted?.withWords ?? false,
                isRebuilding: isRebuilding || state.wanted?.isRebuilding ?? false)
            if state.isHeld { return false }
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { start() }
    }

    /// Starts the run that had to wait, if one is wanted; later runs start at once.
    private func release() {
        let (wasHeld, starts) = state.withLock { state in
            let wasHeld = state.isHeld
            state.isHeld = false
            guard state.wanted != nil, !state.isRunning else { return (wasHeld, false) }
            state.isRunning = true
            return (wasHeld, true)
        }
        if wasHeld { closeToOthers() }
        if starts { start() }
    }

    private func start() {
        do throws(NoThread) {
            // It ends with the run: an index is made seldom.
            try SerialThread.started().run { [self] in runAll() }
        } catch {
            withoutThread()
        }
    }

    private func withoutThread() {
        note("no thread for making the index; what it would give is read from the files")
        state.withLock { $0.isRunning = false }
        resumeWaiting()
    }

    /// Waits until the records of the run under way are there, or it has failed.
    func recordsSettled() async {
        release()
        await withCheckedContinuation { continuation in
            let isSettled = state.withLock { state in
                if state.isRunning { state.waiting.append(continuation) }
                return !state.isRunning
            }
            if isSettled { continuation.resume() }
        }
    }

    /// - Returns: what ends the watching.
    func watch(_ watcher: Watcher) -> @Sendable () -> Void {
        let number = state.withLock { state in
            state.nextWatcher += 1
            state.watchers[state.nextWatcher] = watcher
            return state.nextWatcher
        }
        release()
        return { [weak self] in self?.state.withLock { _ = $0.watchers.removeValue(forKey: number) } }
    }

    /// Ends what is under way, soon; what is written stays.
    func shutDown() {
        let isRunning = state.withLock { state in
            state.isShutDown = true
            state.wanted = nil
            state.control?.cancel()
            return state.isRunning
        }
        if !isRunning { TemporaryIndexes.remove(folder) }
    }

    private func runAll() {
        while let run = state.withLock({ state -> Run? in
            defer { state.wanted = nil }
            state.isRunning = state.wanted != nil
            if !state.isRunning { state.control = nil }
            return state.wanted
        }) {
            self.run(run)
        }
        if state.withLock({ $0.isShutDown }) { TemporaryIndexes.remove(folder) }
        // What making an index took is not needed again for long.
        cmemory_trim()
        resumeWaiting()
    }

    private func resumeWaiting() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    private func run(_ run: Run) {
        let control = IndexControl(
            observer: { [weak self] progress in self?.tell { $0.progress(progress.share) } },
            whenRecordsAreThere: { [weak self] in
                self?.resumeWaiting()
                self?.tell { $0.settled() }
            })
        state.withLock { $0.control = control }
        defer { tell { $0.progress(1) } }
        do {
            try make(run, folder, control)
            state.withLock { $0.isLocked = false }
        } catch is CancellationError {
            return
        } catch let error as IndexLocked {
            state.withLock { state in
                state.isLocked = true
                state.waits += 1
            }
            note("\(error); what it does not have yet is read from the files")
        } catch {
            // One for this time is better than none.
            note("\(error); there is one in \(TemporaryIndexes.parent) as long as Kedge runs")
            guard let folder = moveToTemporary() else { return }
            do {
                // What failed has stopped the threads of the making; they begin anew.
                control.restart()
                try make(run, folder, control)
            } catch is CancellationError {
                return
            } catch {
                note("\(error)")
            }
        }
        tell { $0.settled() }
    }

    private func make(_ run: Run, _ folder: IndexFolder, _ control: IndexControl) throws {
        let patience = run.withWords ? LockPatience.long : .short
        let failures = try IndexBuilder(catalogue: catalogue, folder: folder, control: control, patience: patience)
            .run(first: run.first, withWords: run.withWords, renewal: run.isRebuilding ? .inPlace : .none)
        for (id, error) in failures { note("\(id): \(error)") }
    }

    /// Each line once, though it may come with every run.
    private func note(_ problem: String) {
        state.withLock { if !$0.problems.lines.contains(problem) { $0.problems.add(problem) } }
    }

    private func tell(_ body: (Watcher) -> Void) {
        for watcher in state.withLock({ Array($0.watchers.values) }) { body(watcher) }
    }

    private func moveToTemporary() -> IndexFolder? {
        if TemporaryIndexes.contains(folder) { return folder }
        guard let temporary = TemporaryIndexes.make() else { return nil }
        state.withLock { $0.folder = temporary }
        return temporary
    }
}
