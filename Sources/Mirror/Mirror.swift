internal import Dates
internal import Files
internal import Formats
internal import Messages
internal import Synchronization
internal import Threads

/// Keeps a native copy of an export in the cache: first the parts that are requested, in the end all of it.
///
///     source → format → pieces, requested ones first → segments of the mirror → JSONArchive
///
/// The actor has its own thread, which may block on files. Each step takes the lock of the mirror, continues from the files on
/// the disk, and leaves a mirror that readers can use. So several processes may work on one mirror, and any of them may be
/// killed.
package actor Mirror {
    private nonisolated let executor: SerialThread
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The canonical path of the source.
    nonisolated let path: String
    nonisolated let files: MirrorFiles
    nonisolated let board = StatusBoard()
    private nonisolated let hasBegun = Mutex(false)
    private let zone: Zone
    private let formats: [any Format]
    private let options: ReadingOptions
    private var known: MirrorPlan?
    /// The requested conversations, the latest request first, with the requested message in each.
    private var wanted: [(id: String, message: String?)] = []
    private var finished: Set<String> = []
    /// The index of the first conversation that may not be finished.
    private var place = 0
    /// The people that were written last, and the stamp of their file.
    private var people: (stamp: UInt64, file: PeopleFile)?
    /// The bytes of each conversation's feeds, and the bytes of all finished conversations.
    private var sizes: [String: Int64] = [:]
    private var doneBytes: Int64 = 0
    /// Small files that belong to no conversation.
    private var unused: [SourceFile] = []
    /// True if the header says that the mirror is complete.
    private var isNoted = false
    /// True to compare all bytes of the mirror with their checksums.
    private let readsAll: Bool
    private var firstProblems: [String] = []
    private var allProblems = 0
    private var watch: SourceWatch?
    private var isStopped = false
    private static let mostProblems = 5
    private static let mostUnused = 200
    /// The number of steps in a row that may fail.
    private static let mostFailures = 3

    init(
        path: String, files: MirrorFiles, zone: Zone, formats: [any Format], options: ReadingOptions, plan: MirrorPlan?,
        readsAll: Bool = false
    ) throws(StoreError) {
        guard let thread = SerialThread.started() else {
            throw .unavailable("no thread can be started; close other programs")
        }
        executor = thread
        self.path = path
        self.files = files
        self.zone = zone
        self.formats = formats
        self.readsAll = readsAll
        self.options = options
        known = nil
        if let plan { Task(executorPreference: executor) { await self.adopt(plan) } }
    }

    // MARK: - Requests

    /// Moves a conversation to the front of the queue.
    /// - Parameter message: the message whose piece is made first.
    func want(_ id: ConversationID, message: MessageID?) {
        wanted.removeAll { $0.id == id.rawValue }
        wanted.insert((id.rawValue, message?.rawValue), at: 0)
    }

    /// Makes everything, then stays and follows the source as it grows. Runs until `stop`. Further calls have no effect.
    /// - Parameters:
    ///   - first: the conversation to begin with, and the message in it.
    nonisolated func begin(_ first: ConversationID? = nil, message: MessageID? = nil) {
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        guard isFirst else { return }
        Task(executorPreference: executor) {
            if let first { await self.want(first, message: message) }
            await self.run()
        }
    }

    /// Unpacks an attachment of a packed export. Returns the folder that contains it at its path. Never runs at the same time as
    /// other unpacking.
    func unpack(_ attachment: String) throws(StoreError) -> String {
        try AttachedFiles(source: path, files: files).unpack(attachment)
    }

    nonisolated func stop() {
        board.stop()
        Task(executorPreference: executor) { await self.end() }
    }

    private func end() {
        isStopped = true
        watch?.stop()
    }

    // MARK: - Work

    private func run() async {
        watchSource()
        await makeAll()
    }

    private func makeAll() async {
        var failures = 0
        // Steps may find damage, and so more to do.
        repeat {
            do throws(StoreError) {
                try verify()
                while let id = next(), !isStopped {
                    try advance(id)
                    failures = 0
                    // Lets requests in, which may put another conversation first.
                    await Task.yield()
                }
                if !isStopped { try settle() }
            } catch {
                failures += 1
                // A folder that was deleted during a step is made again by the next one, so single failures are ignored.
                if failures == Mirror.mostFailures { return board.update { $0.failure = error } }
            }
        } while !isStopped && !board.status.isSettled
    }

    /// The conversation to work on.
    private func next() -> String? {
        guard let known else { return nil }
        while let first = wanted.first, finished.contains(first.id) { wanted.removeFirst() }
        if let id = wanted.first(where: { !finished.contains($0.id) && known.places[$0.id] != nil })?.id { return id }
        // The conversations before are finished; there may be a hundred thousand.
        let conversations = known.archive.conversations
        while place < conversations.count, finished.contains(conversations[place].id) { place += 1 }
        return place < conversations.count ? conversations[place].id : nil
    }

    /// Reads the list of files; reads the source too, if the list has changed or nothing is known of it.
    private func verify() throws(StoreError) {
        if known == nil {
            let planner = MirrorPlanner(path: path, files: files, zone: zone, formats: formats, options: options)
            if let header = try planner.currentHeader {
                board.update { $0.settle(header) }
                return
            }
            adopt(try planner.prepare())
        }
        guard known != nil else { return }
        let total = sizes.values.reduce(0, +)
        board.update { status in
            status.total = total
            status.failure = nil
        }
    }

    /// Starts again after a failure.
    func retry() async {
        guard !isStopped, board.status.failure != nil else { return }
        await makeAll()
    }

    private func adopt(_ plan: MirrorPlan) {
        known = plan
        (finished, place) = ([], 0)
        isNoted = false
        sizes = [:]
        doneBytes = 0
        let used = Set(plan.archive.conversations.flatMap { $0.feeds.map(\.file) })
        unused = Array(
            plan.source.files.lazy.filter { $0.size < 4_096 && !used.contains($0.path) }.prefix(Mirror.mostUnused))
        for conversation in plan.archive.conversations {
            sizes[conversation.id] = conversation.feeds.reduce(0) { $0 + plan.source.size(of: $1) }
        }
        note(plan.archive.problems.map(\.description))
        board.update { status in
            status.isSettled = false
            status.isListed = true
            status.stamps = nil
            for conversation in plan.archive.conversations
            where status.conversations[ConversationID(conversation.id)] == nil {
                status.conversations[ConversationID(conversation.id)] = StatusBoard.Progress()
            }
        }
    }

    /// Performs one step for a conversation.
    private func advance(_ id: String) throws(StoreError) {
        guard let known, let place = known.places[id] else { return }
        let conversation = known.archive.conversations[place]
        let builder = ConversationBuilder(
            files: files, source: known.source, format: known.format, zone: zone, key: known.key,
            conversation: conversation, names: known.names)
        let message = wanted.first { $0.id == id }?.message
        var findings = ConversationBuilder.Findings()
        let wasComplete = board.status.conversations[ConversationID(id)]?.isComplete ?? false
        let isShown = board.status.conversations[ConversationID(id)]?.hasTail ?? false
        let state = try files.locked { () throws(StoreError) in
            try ConversationStep(builder: builder, message: message, isShown: isShown, readsAll: readsAll).take(
                &findings)
        }
        if !findings.people.isEmpty {
            let isWhole = try files.locked { () throws(StoreError) in
                let known = people.flatMap { $0.stamp == files.stampOfPeople ? $0.file : nil }
                var people = known ?? PeopleFile(of: files)
                // Pieces are made from the newest to the oldest. Only later additions have newer names.
                try people.add(findings.people, isNewest: wasComplete)
                self.people = (files.stampOfPeople, people)
                return people.isWhole
            }
            // The people file was damaged, so the names from earlier steps are lost.
            if !isWhole { return suspectAll() }
        }
        note(findings.problems.map(\.description))
        if let setting = findings.betterSetting {
            for index in conversation.feeds.indices {
                self.known?.archive.conversations[place].feeds[index].setting = setting
            }
            return
        }
        if state.isComplete, !builder.hasMore(than: state), finished.insert(id).inserted { doneBytes += sizes[id] ?? 0 }
        let (isComplete, hasTail, stamp) = (state.isComplete, state.hasTail, state.stamp)
        let done = finishedBytes(id, state)
        board.update { status in
            var progress = status.conversations[ConversationID(id)] ?? StatusBoard.Progress()
            progress.isComplete = isComplete
            progress.hasTail = hasTail
            progress.stamp = stamp
            // It is made separately, and replaces the old one when it is complete.
            progress.isDamaged = false
            progress.steps += 1
            status.conversations[ConversationID(id)] = progress
            status.done = done
        }
    }

    /// The approximate number of converted bytes of the source.
    private func finishedBytes(_ id: String, _ state: MirrorState) -> Int64 {
        guard !finished.contains(id), !state.pieces.isEmpty else { return doneBytes }
        return doneBytes + (sizes[id] ?? 0) * Int64(state.made.count) / Int64(state.pieces.count)
    }

    /// Records that the mirror contains everything that the source contained.
    private func settle() throws(StoreError) {
        guard let known else { return }
        guard let header = try note(known) else { return suspectAll() }
        Unpacked.removeFiles(files)
        board.update { status in
            status.settle(header)
            for id in status.conversations.keys {
                status.conversations[id]?.isComplete = true
                status.conversations[id]?.hasTail = true
            }
        }
    }

    /// - Returns: nil if the people or the header are damaged.
    private func note(_ known: MirrorPlan) throws(StoreError) -> MirrorHeader? {
        // Logs that have grown since are checked at the next start.
        let listing = isNoted ? nil : known.listing
        isNoted = true
        return try files.locked { () throws(StoreError) in
            guard let old = files.header else { return nil }
            var header = old
            header.listing = listing ?? old.listing
            // The stamps are those that the steps left, so any change since then is noticed.
            let made = board.status.conversations
            header.stamp = files.stampOfAll { made[ConversationID($0)]?.stamp ?? 0 }
            header.labels = files.stampOfLabels
            header.people = files.stampOfPeople
            // The comparison comes last, so that the stamps describe the files compared here.
            guard old.content == files.content, PeopleFile.isWhole(in: files) else { return nil }
            if header != old { try MirrorFiles.replace(files.source, by: header.text) }
            return header
        }
    }

    /// The first parts of the export that were not understood, one line each, and the number of others.
    var problems: [String] {
        let more = allProblems - firstProblems.count
        guard more > 0 else { return firstProblems }
        let places = more == 1 ? "1 more place was" : "\(more) more places were"
        return firstProblems + ["\(places) not understood; `kedge check` lists them all"]
    }

    private func note(_ lines: [String]) {
        allProblems += lines.count
        firstProblems += lines.prefix(max(0, Mirror.mostProblems - firstProblems.count))
    }

    // MARK: - Damage

    /// Checks files that differ from what this process knows: those of a conversation, or all of them.
    ///
    /// If another process has added to them, their state says so. Otherwise somebody has changed them, and they are not shown
    /// until they are made again. Returns at once; tasks that need the conversation wait for it.
    func inspect(_ id: ConversationID?) {
        if let id {
            let stamp = files.stamp(of: id.rawValue)
            if ConversationBuilder.state(of: id.rawValue, in: files)?.stamp == stamp {
                return board.update { $0.conversations[id, default: .init()].stamp = stamp }
            }
        } else if board.status.stamps == nil {
            // The files may have been read while a step was replacing them.
            let isWhole = try? files.locked { () throws(StoreError) in PeopleFile.isWhole(in: files) }
            if known == nil || isWhole == true { return }
        } else if let header = files.header, header.listing != nil,
            header.stamp == files.stampOfAll
        {
            return board.update { $0.stamps = (header.stamp, header.labels, header.people) }
        }
        if board.status.stamps != nil || known != nil { suspectAll() }
        Task(executorPreference: executor) { await self.makeAll() }
    }

    /// Compares the list of conversations with the source while the mirror is being made and has no stamp yet. Wrong files are
    /// written again.
    /// - Returns: true if all were right.
    func checkList() -> Bool {
        guard let known, board.status.stamps == nil else { return board.status.isListed }
        let isIntact = try? files.locked { () throws(StoreError) in
            guard let header = files.header,
                header.content == files.content
            else { return false }
            var isIntact = true
            for conversation in known.archive.conversations {
                let isChanged = try ConversationFolder(files: files).make(conversation)
                isIntact = isIntact && !isChanged
            }
            return isIntact
        }
        if isIntact == true { return true }
        suspectAll()
        Task(executorPreference: executor) { await self.makeAll() }
        return false
    }

    /// Marks all files as damaged until a step has compared them.
    private func suspectAll() {
        known = nil
        let names = MirrorFiles.names(in: files.conversations).map { ConversationID($0) }
        board.update { status in
            status.isSettled = false
            status.isListed = false
            status.stamps = nil
            for id in Set(names).union(status.conversations.keys) {
                status.conversations[id, default: .init()].isComplete = false
                status.conversations[id, default: .init()].isDamaged = true
            }
        }
    }

    // MARK: - Growing sources

    private func watchSource() {
        guard watch == nil, !isStopped else { return }
        watch = SourceWatch(path) { [weak self] in
            guard let self else { return }
            Task(executorPreference: self.executor) { await self.sourceChanged() }
        }
    }

    /// Checks the source after one of its files has changed.
    private func sourceChanged() async {
        guard !isStopped, let known else {
            if !isStopped, board.status.isSettled { await lookAgain() }
            return
        }
        guard watch?.takeNewNames() == false else { return await lookAgain() }
        // A file that no format recognised may have become a log.
        let disk = DiskSource(root: path, isFile: known.source.isFile)
        if unused.contains(where: { disk.status($0.path) != $0 }) { return await lookAgain() }
        // Only files have changed. Files that may grow are checked now; others when a folder changes, or at the next start.
        let source = DiskSource.refreshed(known.source, at: path, known.archive.conversations.compactMap(\.feeds.last))
        guard source.changed else { return }
        self.known?.source = source.source
        for conversation in known.archive.conversations {
            guard let feed = conversation.feeds.last, feed.grows,
                known.source.file(feed.file) != source.source.file(feed.file)
            else { continue }
            place = 0
            if finished.remove(conversation.id) != nil { doneBytes -= sizes[conversation.id] ?? 0 }
            sizes[conversation.id] = conversation.feeds.reduce(0) { $0 + source.source.size(of: $1) }
        }
        await makeAll()
    }

    private func lookAgain() async {
        known = nil
        await makeAll()
    }
}
