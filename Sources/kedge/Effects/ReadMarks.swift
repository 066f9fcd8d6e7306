import Archive
import Glibc
import Interface
import Messages
import Settings
import Synchronization
import Threads

/// Keeps on the disk how far the user has read.
final class ReadMarks: Sendable {
    private let file: Mutex<ReadPositions>
    private let baseline: Baseline
    /// The positions that the disk's thread has not written yet.
    private let waiting = Mutex<[ConversationID: ReadPosition]>([:])
    /// A slow disk, or another process that holds the lock, must not stop the screen.
    private let disk = SerialThread()
    private let troubles: Troubles
    /// The positions of which the event loop knows.
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

    /// Keeps the last message of each conversation at the time when the archive was first opened.
    /// - Returns: the messages that count from now on: another process may have kept others before.
    func keep(baseline last: [ConversationID: MessageID]) async -> [ConversationID: MessageID] {
        await disk.value { [self] in
            let (kept, problem) = baseline.keep(last)
            troubles.tell(problem)
            return kept
        }
    }

    /// Tells from now on what other processes of the user have read: when something changes in the folder of the file, the file
    /// is read again if it is another one. Sleeps in between. Where the system cannot watch the folder, nothing is told.
    func watch(_ folder: String?, tellBy mailbox: Mailbox) {
        guard let folder else { return }
        disk.run { [self] in
            // It may have been made by nobody yet. When it cannot be made, that is told where something is to be kept.
            try? PrivateFolder.make(folder)
            let last = Mutex(FileMark(folder + "/read.json"))
            let watch = try? FolderWatch { [weak self] _ in
                self?.disk.run { [weak self] in
                    let mark = FileMark(folder + "/read.json")
                    let isNew = last.withLock { last in
                        defer { last = mark }
                        return last != mark
                    }
                    if isNew { self?.tellNews(by: mailbox) }
                }
            }
            guard let watch, (try? watch.add(folder)) != nil else { return }
            self.watch.withLock { $0 = watch }
            tellNews(by: mailbox)
        }
    }

    /// Tells what the file says otherwise than the event loop knows, but for what is still to be written.
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
        if !news.isEmpty { mailbox.post(.readElsewhere(news)) }
    }

    /// How far the user has read in a conversation; nil when that was never noted.
    func position(of conversation: ConversationID) -> ReadPosition? {
        waiting.withLock { $0[conversation] } ?? told.withLock { $0[conversation] }
    }

    /// Does not wait.
    func keep(_ position: ReadPosition, of conversation: ConversationID) {
        let isFirst = waiting.withLock { waiting in
            var position = position
            position.server = position.server ?? waiting[conversation]?.server
            waiting[conversation] = position
            return waiting.count == 1
        }
        if isFirst { disk.run { [self] in write() } }
    }

    /// Does not wait.
    /// - Parameter expected: the position that the new one is made from.
    /// - Returns: false, and nothing is kept, if it is another one by now.
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
        let line = "how far you have read could not be written within a second"
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

/// Tells a file from another one that has taken its place.
private struct FileMark: Hashable, Sendable {
    private let inode: UInt64
    private let size: Int64
    private let second: Int
    private let nanosecond: Int

    init(_ path: String) {
        var status = stat()
        _ = stat(path, &status)
        (inode, size) = (UInt64(status.st_ino), Int64(status.st_size))
        (second, nanosecond) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
}

/// Takes over how far the user has read in other clients of the same account.
///
/// A mark of the server counts if it is further than the user has read here, and only once: what the user marks as unread here stays
/// so, although some servers never move their mark back.
struct ServerReads: Sendable {
    let store: any MessageStore
    let marks: ReadMarks
    let mailbox: Mailbox

    /// Returns when the store tells nothing any more.
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
            if isFurther { mailbox.post(.readElsewhere([id: new.place])) }
            return
        }
    }

    /// Whether less is unread after this message.
    private func isFurtherThan(_ position: ReadPosition, _ message: MessageID, in id: ConversationID) async -> Bool {
        guard let last = position.message else { return true }
        let here = try? await store.unread(in: id, since: .upTo(last), threads: nil, for: store.me)
        let there = try? await store.unread(in: id, since: .upTo(message), threads: nil, for: store.me)
        guard let here, let there else { return false }
        return there.count < here.count
    }
}
