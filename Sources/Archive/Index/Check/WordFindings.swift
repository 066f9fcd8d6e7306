internal import Messages
internal import Words

/// The differences between the words of a conversation in the index and in its files.
struct WordFindings {
    var missing = 0
    var faults = FaultList()
}
