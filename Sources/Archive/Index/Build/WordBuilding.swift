internal import Messages
internal import Threads

/// Builds the words of an index on a thread of its own, while the caller's thread builds the records.
final class WordBuilding: Sendable {
    private typealias Made = Result<[ConversationID: StoreError], any Error>

    /// Nil until the thread has finished.
    private let made = Monitor<Made?>(nil)

    /// - Parameter make: builds the words; returns the conversations that could not be read, with the errors.
    init(_ make: @escaping @Sendable () throws -> [ConversationID: StoreError]) {
        guard let thread = SerialThread.started() else {
            made.change { $0 = .failure(IndexFailure(reason: "there is no thread for the words; try again")) }
            return
        }
        thread.run { [made] in
            let result = Made { try make() }
            made.change { $0 = result }
        }
    }

    /// Waits for the thread to finish.
    /// - Returns: the conversations that could not be read, with the errors.
    func finish() throws -> [ConversationID: StoreError] { try made.wait { $0 }.get() }
}
