internal import CMemory
internal import Files
internal import Index
internal import Messages
internal import Synchronization
internal import Threads

/// Updates the index of an archive on a thread of its own whenever `update` is called.
final class IndexService: Sendable {
    private struct State {
        var folder: IndexFolder
        /// True if a requested run waits for `release`.
        var isHeld: Bool
        var isRunning = false
        /// The parameters of the next run; nil if none is requested.
        var wanted: Run?
        var control: IndexControl?
        var isShutDown = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watchers: [Int: Watcher] = [:]
        var nextWatcher = 0
        var problems = ProblemList()
        /// True if another process did not release the index in time. Callers that can do without the index do not wait
        /// again.
        var isLocked = false
        /// True after the files of the index were compared with their checksums.
        var isChecked = false
        var waits = 0
    }

    private struct Run {
        var first: ConversationID?
        var withWords: Bool
        var isRebuilding: Bool
    }

    /// Receives the progress of a run, 0 to 1, and a call when its records or words are complete.
    struct Watcher: Sendable {
        let progress: @Sendable (Double) -> Void
        let settled: @Sendable () -> Void
    }

    private let catalogue: Catalogue
    private let state: Mutex<State>

    /// - Parameter isHeld: whether the first run waits until a caller watches the service or waits for its records.
    init(_ catalogue: Catalogue, _ folder: IndexFolder, isHeld: Bool = false) {
        self.catalogue = catalogue
        state = Mutex(State(folder: folder, isHeld: isHeld))
        if !isHeld { closeToOthers() }
    }

    /// Readers of the index do this too, and use no index if it fails. Here the reason is noted.
    private func closeToOthers() {
        do throws(StoreError) { try folder.closeToOthers() } catch {
            note("\(StoreError.savingIndex(error.description))")
        }
    }

    /// The current folder of the index.
    var folder: IndexFolder { state.withLock { $0.folder } }

    /// True if a run is in progress, for tests.
    var isAtWork: Bool { state.withLock { $0.isRunning } }

    /// The number of waits for another process that have timed out, for tests.
    var waits: Int { state.withLock { $0.waits } }

    /// The reasons why the index could not be built, in lines for people.
    var problems: ProblemList { state.withLock { $0.problems } }

    /// Requests a run that updates the index to the current files, and returns immediately. If a run is in progress,
    /// another one follows it.
    /// - Parameters:
    ///   - first: the conversation to begin with.
    ///   - isRebuilding: whether to delete the existing index first.
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

    /// Starts the run that is held back, if one is requested. From now on, runs start at once.
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
        // The thread ends with the run, because runs are rare.
        if let thread = SerialThread.started() { return thread.run { [self] in runAll() } }
        note("no thread can be started for the index; the files are read instead")
        state.withLock { $0.isRunning = false }
        resumeWaiting()
    }

    /// Waits until the records of the current run are complete or the run has failed.
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

    /// - Returns: a closure that ends the watching.
    func watch(_ watcher: Watcher) -> @Sendable () -> Void {
        let number = state.withLock { state in
            state.nextWatcher += 1
            state.watchers[state.nextWatcher] = watcher
            return state.nextWatcher
        }
        release()
        return { [weak self] in self?.state.withLock { _ = $0.watchers.removeValue(forKey: number) } }
    }

    /// Stops the current run soon. Completed work is kept.
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
        // Runs are rare, so the memory of this one is returned to the system.
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
            observer: { [weak self] progress in
                // The last step is not in the index yet: 1 follows at the end of the run.
                if progress.share < 1 { self?.notifyWatchers { $0.progress(progress.share) } }
            },
            whenRecordsAreThere: { [weak self] in
                self?.resumeWaiting()
                self?.notifyWatchers { $0.settled() }
            })
        state.withLock { $0.control = control }
        defer { notifyWatchers { $0.progress(1) } }
        do {
            try make(run, folder, control)
            state.withLock { $0.isLocked = false }
        } catch is CancellationError {
            return
        } catch let error as IndexFault where error.isLocked {
            state.withLock { state in
                state.isLocked = true
                state.waits += 1
            }
            note("\(error); the rest is read from the files")
        } catch {
            // An index for the time of this process is better than none.
            note("\(error); there is one in \(TemporaryIndexes.parent) as long as Kedge runs")
            guard let folder = moveToTemporary() else { return }
            do {
                // The failure has stopped the threads of the build, so they are restarted.
                control.restart()
                try make(run, folder, control)
            } catch is CancellationError {
                return
            } catch {
                note("\(error)")
            }
        }
        notifyWatchers { $0.settled() }
    }

    private func make(_ run: Run, _ folder: IndexFolder, _ control: IndexControl) throws {
        var builder = IndexBuilder(catalogue: catalogue, folder: folder, control: control)
        builder.patience = run.withWords ? .long : .short
        builder.isChecking = run.withWords && !state.withLock { $0.isChecked }
        let failures = try builder.run(
            first: run.first, withWords: run.withWords, renewal: run.isRebuilding ? .inPlace : .none)
        state.withLock { $0.isChecked = $0.isChecked || run.withWords }
        for (id, error) in failures { note("\(id): \(error)") }
    }

    /// Adds each line only once, even if every run reports it.
    private func note(_ problem: String) {
        state.withLock { if !$0.problems.lines.contains(problem) { $0.problems.add(problem) } }
    }

    private func notifyWatchers(_ body: (Watcher) -> Void) {
        for watcher in state.withLock({ Array($0.watchers.values) }) { body(watcher) }
    }

    private func moveToTemporary() -> IndexFolder? {
        if TemporaryIndexes.contains(folder) { return folder }
        guard let temporary = TemporaryIndexes.make() else { return nil }
        state.withLock { $0.folder = temporary }
        return temporary
    }
}
