package import Messages
internal import Words

/// The result of comparing the index of a conversation with its files.
package struct ConversationCheck: Sendable {
    package let id: ConversationID
    /// The number of records in the files.
    package internal(set) var records = 0
    package internal(set) var messages = 0
    /// The bytes of whole lines that are not indexed yet. Not a fault.
    package internal(set) var missingBytes: Int64 = 0
    /// Whether the conversation is not indexed yet. Not a fault.
    package internal(set) var isUnknown = false
    /// The number of messages whose words, or whose edits, are not indexed yet. Not a fault.
    package internal(set) var missingWords = 0
    /// The differences between index and files, one line each.
    package internal(set) var faults = FaultList()

    /// Why the check could not be completed; nil if it was.
    package internal(set) var obstacle: String?

    /// Whether the check was completed and found no difference. Some lines may not be indexed yet.
    package var isRight: Bool { faults.lines.isEmpty && obstacle == nil }

    init(id: ConversationID) { self.id = id }

    mutating func add(_ words: WordFindings) {
        missingWords += words.missing
        faults.add(words.faults)
    }
}
