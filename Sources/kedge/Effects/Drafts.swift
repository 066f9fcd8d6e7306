import Display
import Files
import Glibc
import Messages
import Settings
import Synchronization
import Threads

/// Saves the user's drafts on the disk.
final class DraftKeeper: Sendable {
    private let drafts: Mutex<Drafts>
    /// The drafts that may not be on the disk: not written yet, or not writable.
    private let unkept = Mutex<[ConversationID: Draft]>([:])
    /// A slow disk, or another process that holds the lock, must not stop the screen.
    private let disk = SerialThread()
    private let troubles: Troubles
    /// The latest problem.
    private let problem = Mutex<String?>(nil)
    private let rescueFolders: [String]

    /// - Parameter rescueFolders: folders for drafts that cannot be saved at the end, the best first.
    init(_ drafts: Drafts, troubles: Troubles, rescueFolders: [String]) {
        self.drafts = Mutex(drafts)
        self.rescueFolders = rescueFolders
        self.troubles = troubles
    }

    /// Reads the drafts on the calling thread. Before the first frame the program has nothing else to do.
    func load() -> [ConversationID: Draft] {
        let (known, problem) = drafts.withLock { $0.load() }
        tell(problem)
        // From now on they belong to this process.
        for (id, draft) in known { keep(draft, of: id) }
        return known
    }

    /// Returns at once.
    func keep(_ draft: Draft, of conversation: ConversationID) {
        unkept.withLock { $0[conversation] = draft }
        disk.run { [self] in write() }
    }

    /// Waits until each draft given to `keep` so far is on the disk, or could not be written.
    func settled() async { await disk.value {} }

    /// Waits at most a second for the disk. Drafts that cannot be saved there are saved elsewhere.
    /// - Returns: lines for people with the places of these drafts; none when all drafts are saved.
    func finish() -> [String] {
        // A write that failed before may work now.
        if unkept.withLock({ !$0.isEmpty }) { disk.run { [self] in write() } }
        disk.finish(within: .seconds(1))
        let lost = unkept.withLock { $0.filter { !$0.value.isEmpty } }
        guard !lost.isEmpty else { return [] }
        let reason = problem.withLock(\.self) ?? "the disk is too slow"
        let lines = DraftRescue(lost).save(in: rescueFolders, because: reason)
        for line in lines { troubles.log(line) }
        return lines
    }

    private func tell(_ problem: String?) {
        if let problem { self.problem.withLock { $0 = problem } }
        troubles.tell(problem)
    }

    private func write() {
        let batch = unkept.withLock { $0 }
        if batch.isEmpty { return }
        let (problem, isKept) = drafts.withLock { drafts in
            let problem = drafts.keep(batch)
            return (problem, drafts.isKept)
        }
        tell(problem)
        guard isKept else { return }
        // A draft that was changed during the write is not on the disk yet.
        unkept.withLock { unkept in
            for (id, draft) in batch where unkept[id] == draft { unkept[id] = nil }
        }
    }
}

/// Drafts that cannot be saved in their file: they go into another file, or to stderr.
struct DraftRescue {
    private let drafts: [(id: ConversationID, draft: Draft)]

    init(_ drafts: [ConversationID: Draft]) {
        self.drafts = drafts.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
    }

    /// - Parameter folders: the best first.
    /// - Returns: lines for people with the places of the drafts.
    func save(in folders: [String], because reason: String) -> [String] {
        for folder in folders {
            let path = try? Disk.createTemporary(in: folder, "kedge-rescued-", ".txt", Array(text.utf8))
            if let path { return ["\(reason); your draft is in \(path)"] }
        }
        // A text on a terminal that others may see is better than a lost text.
        return ["\(reason); what you were writing:"] + text.split(separator: "\n").map(String.init)
    }

    /// The texts, each under a line that names its place.
    var text: String {
        drafts.flatMap { id, draft in
            texts(of: draft).map { "[\(id)\($0.place)]\n\($0.text)\n" }
        }.joined(separator: "\n")
    }

    private func texts(of draft: Draft) -> [(place: String, text: String)] {
        var texts = [(place(of: draft.purpose), draft.text)]
        texts += draft.replies.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { (", in the thread of \($0.key)" + place(of: $0.value.purpose), $0.value.text) }
        texts += draft.edits.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            (", an edit of \($0.key)", $0.value.text)
        }
        for post in draft.outbox {
            switch post.content {
            case .message(let text, _, _):
                texts.append((", not sent yet", TypedText.typed(text, isAction: post.isAction)))
            case .edit(let target, let text): texts.append((", an edit of \(target), not sent yet", text))
            case .deletion, .reaction: break
            }
        }
        return texts.filter { !$0.1.isEmpty }
    }

    private func place(of purpose: Draft.Purpose) -> String {
        if case .reply(let id) = purpose { ", a reply to \(id)" } else { "" }
    }
}
