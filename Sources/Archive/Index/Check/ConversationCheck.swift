package import Messages
internal import Words

/// How the index of a conversation compares with its files.
package struct ConversationCheck: Sendable {
    package let id: ConversationID
    /// As the files have them.
    package internal(set) var records = 0
    package internal(set) var messages = 0
    /// Whole lines that the index does not have yet: no fault.
    package internal(set) var missingBytes: Int64 = 0
    /// Whether the index does not know the conversation yet.
    package internal(set) var isUnknown = false
    /// Messages whose words are not there yet, or not as they were edited: no fault.
    package internal(set) var missingWords = 0
    /// What the index says, and what the files say: one line each.
    package internal(set) var faults = FaultList()

    /// Why it could not be checked to its end; nil when it was.
    package internal(set) var obstacle: String?

    /// Whether all of it was checked and nothing differs; what is not in the index yet may be missing.
    package var isRight: Bool { faults.lines.isEmpty && obstacle == nil }

    init(id: ConversationID) { self.id = id }

    mutating func add(_ words: WordFindings) {
        missingWords += words.missing
        faults.add(words.faults)
    }
}
