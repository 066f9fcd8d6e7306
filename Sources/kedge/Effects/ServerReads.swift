import Interface
import Messages

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
