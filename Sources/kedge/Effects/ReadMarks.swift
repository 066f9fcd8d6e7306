import Archive
import Files
import Glibc
import Interface
import Messages
import Settings
import Synchronization
import Threads

/// Saves the user's read positions on the disk.
final class ReadMarks: Sendable {
    private let file: Mutex<ReadPositions>
    private let baseline: Baseline
    /// The positions that the disk's thread has not written yet.
    private let waiting = Mutex<[ConversationID: ReadPosition]>([:])
    /// A slow disk, or another process that holds the lock, must not stop the screen.
    private let disk = SerialThread()
    private let troubles: Troubles
    /// The positions that the event loop knows.
    private let told = Mutex<[ConversationID: ReadPosition]>([:])
    private let watch = Mutex<FolderWatch?>(nil)

    init(_ positions: ReadPositions, _ baseline: Baseline, troubles: Troubles) {
        file = Mutex(positions)
        self.baseline = baseline
        self.troubles = troubles
    }

    /// Reads the files on the calling thread. Before the first frame the program has nothing else to do, and to start a thread
    /// takes longer than to read them.
    func load() -> ReadStates {
        let (positions, problem) = file.withLock { $0.load() }
        troubles.tell(problem)
        told.withLock { $0 = positions }
        let (last, other) = baseline.load()
        troubles.tell(other)
        return ReadStates(positions: positions, baseline: last)
    }

    /// Saves the last message of each conversation at the time when the archive was first opened.
    /// - Returns: the messages that count from now on: another process may have saved others before.
    func keep(baseline last: [ConversationID: MessageID]) async -> [ConversationID: MessageID] {
        await disk.value { [self] in
            let (kept, problem) = baseline.keep(last)
            troubles.tell(problem)
            return kept
        }
    }

    /// Reports from now on what other processes of the user have read: after a change in the folder, a changed file is
    /// read again. Reports nothing where the system cannot watch the folder.
    func watch(_ folder: String?, tellBy mailbox: Mailbox) {
        guard let folder else { return }
        disk.run { [self] in
            // The folder may not exist yet. If it cannot be made, that is reported when something is saved there.
            try? Disk.makeFolder(folder)
            let file = folder + "/read.json"
            let last = Mutex((try? Disk.existing(file))?.stamp)
            let watch = try? FolderWatch { [weak self] _ in
                self?.disk.run { [weak self] in
                    let stamp = (try? Disk.existing(file))?.stamp
                    let isNew = last.withLock { last in
                        defer { last = stamp }
                        return last != stamp
                    }
                    if isNew { self?.tellNews(by: mailbox) }
                }
            }
            guard let watch, (try? watch.add(folder)) != nil else { return }
            self.watch.withLock { $0 = watch }
            tellNews(by: mailbox)
        }
    }

    /// Reports the positions of the file that the event loop does not know, except those still to be written.
    private func tellNews(by mailbox: Mailbox) {
        // A copy: the file itself has to know what this process has read.
        var copy = file.withLock { $0 }
        let (positions, problem) = copy.load()
        guard problem == nil else { return }
        let waiting = waiting.withLock { $0 }
        let news = told.withLock { told in
            let news = positions.filter { told[$0.key] != $0.value && waiting[$0.key] == nil }
            defer { told.merge(news) { $1 } }
            return news.filter { told[$0.key]?.place != $0.value.place }
        }
        if !news.isEmpty { mailbox.post(.news(.readElsewhere(news))) }
    }

    /// The user's read position in a conversation; nil if none was ever recorded.
    func position(of conversation: ConversationID) -> ReadPosition? {
        waiting.withLock { $0[conversation] } ?? told.withLock { $0[conversation] }
    }

    /// Returns at once.
    func keep(_ position: ReadPosition, of conversation: ConversationID) {
        let isFirst = waiting.withLock { waiting in
            var position = position
            position.server = position.server ?? waiting[conversation]?.server
            waiting[conversation] = position
            return waiting.count == 1
        }
        if isFirst { disk.run { [self] in write() } }
    }

    /// Returns at once.
    /// - Parameter expected: the position from which the new one is made.
    /// - Returns: false, and nothing is saved, if the position has changed.
    func keep(_ position: ReadPosition, of conversation: ConversationID, if expected: ReadPosition?) -> Bool {
        guard self.position(of: conversation) == expected else { return false }
        keep(position, of: conversation)
        return true
    }

    /// Waits at most a second for the disk.
    /// - Returns: a line for people when something is not on the disk then.
    func finish() -> String? {
        watch.withLock { $0?.stop() }
        if disk.finish(within: .seconds(1)) { return nil }
        let line = "your read position could not be written within a second"
        troubles.log(line)
        return line
    }

    private func write() {
        let batch = waiting.withLock { waiting in
            defer { waiting = [:] }
            return waiting
        }
        told.withLock { told in
            for (id, position) in batch {
                var position = position
                position.isChosen = false
                position.server = position.server ?? told[id]?.server
                told[id] = position
            }
        }
        if !batch.isEmpty { troubles.tell(file.withLock { $0.advance(batch) }) }
    }
}

/// Takes over the user's read positions from other clients of the same account.
///
/// A mark of the server counts if it is further than the user has read here, and only once: messages marked as unread
/// here stay so, although some servers never move their mark back.
struct ServerReads: Sendable {
    let store: any MessageStore
    let marks: ReadMarks
    let mailbox: Mailbox

    /// Returns when the store reports no more marks.
    func follow() async {
        for await (conversation, message) in store.serverReads() { await take(message, in: conversation) }
    }

    func take(_ message: MessageID, in id: ConversationID) async {
        // The user may read on meanwhile: each time the new position is compared.
        while true {
            let position = marks.position(of: id)
            // A mark may stand at an event that is no message, or at one that is not here.
            guard position?.server != message,
                let known = try? await store.messages([message], in: id), !known.isEmpty
            else { return }
            var new = position ?? ReadPosition(message: message, index: nil)
            var isFurther = position == nil
            if let position, position.message != message, await isFurtherThan(position, message, in: id) {
                new = ReadPosition(message: message, index: nil, threads: position.threads)
                isFurther = true
            }
            new.server = message
            guard marks.keep(new, of: id, if: position) else { continue }
            if isFurther { mailbox.post(.news(.readElsewhere([id: new.place]))) }
            return
        }
    }

    /// True if a message is further than a position: fewer messages after it are unread.
    private func isFurtherThan(_ position: ReadPosition, _ message: MessageID, in id: ConversationID) async -> Bool {
        guard let last = position.message else { return true }
        let here = try? await store.unread(in: id, since: .upTo(last), threads: nil, for: store.me)
        let there = try? await store.unread(in: id, since: .upTo(message), threads: nil, for: store.me)
        guard let here, let there else { return false }
        return there.count < here.count
    }
}
