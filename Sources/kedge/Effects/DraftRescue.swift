import Display
import FoundationEssentials
import Messages

import Glibc

/// Drafts that cannot be kept in their file: they go into a file of their own, or to stderr.
struct DraftRescue {
    private let drafts: [(id: ConversationID, draft: Draft)]

    init(_ drafts: [ConversationID: Draft]) {
        self.drafts = drafts.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
    }

    /// - Parameter folders: the best first.
    /// - Returns: lines for people that tell where the drafts are.
    func save(in folders: [String], because reason: String) -> [String] {
        for folder in folders {
            if let path = write(into: folder) { return ["\(reason); your draft is in \(path)"] }
        }
        // A text on a terminal that others may see is better than a lost text.
        return ["\(reason); what you were writing:"] + text.split(separator: "\n").map(String.init)
    }

    /// Each text under a line that names its place.
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

    /// Writes a new file that nobody else can read.
    /// - Returns: its path; nil when it cannot be written.
    private func write(into folder: String) -> String? {
        var template = Array((folder + "/kedge-rescued-XXXXXX.txt").utf8CString)
        let file = mkstemps(&template, 4)
        guard file >= 0 else { return nil }
        let path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? ""
        let bytes = Array(text.utf8)
        let isWritten = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } == bytes.count
        guard isWritten, fsync(file) == 0, close(file) == 0 else {
            unlink(path)
            return nil
        }
        return path
    }
}
