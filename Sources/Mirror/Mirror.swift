internal import Dates
internal import Formats
internal import Locks
internal import Messages
internal import Synchronization
internal import Threads

import Glibc

/// Keeps a native copy of an export in the cache, as far as it is asked for at once, and whole in the end.
///
///     source → format → pieces, those that are wanted first → segments of the mirror → JSONArchive
///
/// The actor has its own thread, where files may block. Each step takes the lock of the mirror, goes on from what it finds on
/// the disk, and leaves a mirror that readers can use: several processes may work on one mirror, and any of them may be
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
    /// Conversations that are asked for, the latest first, and the message that is wanted in each.
    private var wanted: [(id: String, message: String?)] = []
    private var finished: Set<String> = []
    /// The index of the first conversation that may not be finished.
    private var place = 0
    /// The people as they were written last, and the stamp of their file.
    private var people: (stamp: UInt64, file: PeopleFile)?
    /// The bytes of each conversation's feeds, and those of all that are finished.
    private var sizes: [String: Int64] = [:]
    private var doneBytes: Int64 = 0
    /// Small files that belong to no conversation.
    private var unused: [SourceFile] = []
    /// Whether the mirror is noted as whole.
    private var isNoted = false
    /// Whether all bytes of the mirror are compared with their checksums.
    private let readsAll: Bool
    private var firstProblems: [String] = []
    private var allProblems = 0
    private var watch: SourceWatch?
    private var isStopped = false
    private static let mostProblems = 5
    private static let mostUnused = 200
    /// Steps in a row that may fail.
    private static let mostFailures = 3

    init(
        path: String, files: MirrorFiles, zone: Zone, formats: [any Format], options: ReadingOptions, plan: MirrorPlan?,
        readsAll: Bool = false
    ) throws(StoreError) {
        do throws(NoThread) { executor = try SerialThread.started() } catch {
            throw .unavailable("no thread can be started; close other programs")
        }
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

    /// Puts a conversation before the others.
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

    /// The folder under which an attachment of a packed export stands by its path. Runs beside no other unpacking.
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
        // Damage is found on the way, too.
        repeat {
            do throws(StoreError) {
                try verify()
                while let id = next(), !isStopped {
                    try advance(id)
                    failures = 0
                    // Lets requests in: they may want another conversation first.
                    await Task.yield()
                }
                if !isStopped { try settle() }
            } catch {
                failures += 1
                // A folder that is deleted during a step is there again after the next one.
                if failures == Mirror.mostFailures { return board.update { $0.failure = error } }
            }
        } while !isStopped && !board.status.isSettled
    }

    /// The conversation to work on.
    private func next() -> String? {
        guard let known else { return nil }
        while let first = wanted.first, finished.contains(first.id) { wanted.removeFirst() }
        if let id = wanted.first(where: { !finished.contains($0.id) && known.places[$0.id] != nil })?.id { return id }
        // Those before are finished: there may be a hundred thousand.
        let conversations = known.archive.conversations
        while place < conversations.count, finished.contains(conversations[place].id) { place += 1 }
        return place < conversations.count ? conversations[place].id : nil
    }

    /// Reads the list of files, and the source itself if that has changed or nothing is known of it.
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

    /// Tries again after a failure.
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
            sizes[conversation.id] = size(of: conversation, in: plan.source)
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

    /// Does one step for a conversation.
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
        let state = try locked { () throws(StoreError) in
            try ConversationStep(builder: builder, message: message, isShown: isShown, readsAll: readsAll).take(
                &findings)
        }
        if !findings.people.isEmpty {
            let isWhole = try locked { () throws(StoreError) in
                let known = people.flatMap { $0.stamp == files.stampOfPeople ? $0.file : nil }
                var people = known ?? PeopleFile(of: files)
                // Pieces are made from the newest to the oldest; only what comes after that has newer names.
                try people.add(findings.people, isNewest: wasComplete)
                self.people = (files.stampOfPeople, people)
                return people.isWhole
            }
            // The names that earlier steps found are gone.
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
            // It is made aside, and takes its place when it is whole.
            progress.isDamaged = false
            progress.steps += 1
            status.conversations[ConversationID(id)] = progress
            status.done = done
        }
    }

    /// The bytes of the source that are done, about.
    private func finishedBytes(_ id: String, _ state: MirrorState) -> Int64 {
        guard !finished.contains(id), !state.pieces.isEmpty else { return doneBytes }
        return doneBytes + (sizes[id] ?? 0) * Int64(state.made.count) / Int64(state.pieces.count)
    }

    private func size(of conversation: ForeignConversation, in source: Source) -> Int64 {
        conversation.feeds.reduce(0) { sum, feed in
            guard let end = feed.end ?? source.file(feed.file)?.size else { return sum }
            return sum + max(0, end - feed.start)
        }
    }

    /// Notes that the mirror holds all that the source held.
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
        // A log that has grown since is looked at again at the next start.
        let listing = isNoted ? nil : known.listing
        isNoted = true
        return try locked { () throws(StoreError) in
            guard let old = MirrorFiles.text(files.source).flatMap(MirrorHeader.init(text:)) else { return nil }
            var header = old
            header.listing = listing ?? old.listing
            // As the steps left the conversations: what has changed since is noticed.
            let made = board.status.conversations
            header.stamp = files.stampOfAll { made[ConversationID($0)]?.stamp ?? 0 }
            header.labels = files.stampOfLabels
            header.people = files.stampOfPeople
            // Last, so that the stamps stand for what is compared here.
            guard old.content == files.content, PeopleFile.isWhole(in: files) else { return nil }
            if header != old { try MirrorFiles.replace(files.source, by: header.text) }
            return header
        }
    }

    /// The first places that were not understood, one line each, and how many others there are.
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

    /// Runs a step that changes the mirror, alone among all processes.
    private func locked<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try MirrorLock.hold(files, body)
    }

    // MARK: - Damage

    /// Looks at the files of a conversation, or at all of them, that are not as this process knows them.
    ///
    /// Another process may have added to them: then its state says so. Else somebody has changed them, and nothing of them is
    /// shown until they are made again. Returns at once; whoever waits for the conversation waits for that.
    func inspect(_ id: ConversationID?) {
        if let id {
            let stamp = files.stamp(of: id.rawValue)
            if ConversationBuilder.state(of: id.rawValue, in: files)?.stamp == stamp {
                return board.update { $0.conversations[id, default: .init()].stamp = stamp }
            }
        } else if board.status.stamps == nil {
            // It may have been seen between two files that a step replaces.
            let isWhole = try? locked { () throws(StoreError) in PeopleFile.isWhole(in: files) }
            if known == nil || isWhole == true { return }
        } else if let header = MirrorFiles.text(files.source).flatMap(MirrorHeader.init(text:)), header.listing != nil,
            header.stamp == files.stampOfAll
        {
            return board.update { $0.stamps = (header.stamp, header.labels, header.people) }
        }
        if board.status.stamps != nil || known != nil { suspectAll() }
        Task(executorPreference: executor) { await self.makeAll() }
    }

    /// Compares the list of conversations with the source while the mirror is being made: no stamp stands for it yet. What differs
    /// is written again.
    /// - Returns: whether nothing differed.
    func checkList() -> Bool {
        guard let known, board.status.stamps == nil else { return board.status.isListed }
        let isIntact = try? locked { () throws(StoreError) in
            guard let header = MirrorFiles.text(files.source).flatMap(MirrorHeader.init(text:)),
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

    /// Believes nothing of the files until each step has compared them.
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

    /// Looks at the source again after a file in it has changed.
    private func sourceChanged() async {
        guard !isStopped, let known else {
            if !isStopped, board.status.isSettled { await lookAgain() }
            return
        }
        guard watch?.takeNewNames() == false else { return await lookAgain() }
        // A file in which no format saw anything yet may have become a log.
        let disk = DiskSource(root: path, isFile: known.source.isFile)
        if unused.contains(where: { disk.status($0.path) != $0 }) { return await lookAgain() }
        // Only files have changed. Those that may grow are looked at; the others count when a folder changes, or at the next
        // start.
        let source = DiskSource.refreshed(known.source, at: path, known.archive.conversations.compactMap(\.feeds.last))
        guard source.changed else { return }
        self.known?.source = source.source
        for conversation in known.archive.conversations {
            guard let feed = conversation.feeds.last, feed.grows,
                known.source.file(feed.file) != source.source.file(feed.file)
            else { continue }
            place = 0
            if finished.remove(conversation.id) != nil { doneBytes -= sizes[conversation.id] ?? 0 }
            sizes[conversation.id] = size(of: conversation, in: source.source)
        }
        await makeAll()
    }

    private func lookAgain() async {
        known = nil
        await makeAll()
    }
}
