internal import Messages
internal import Threads

/// Makes the words of an index on a thread of its own, while the thread of the caller makes the records.
final class WordBuilding: Sendable {
    private typealias Made = Result<[ConversationID: StoreError], any Error>

    /// Nil until the thread is through.
    private let made = Monitor<Made?>(nil)

    /// - Parameter make: makes them, and returns the conversations that could not be read, and why.
    init(_ make: @escaping @Sendable () throws -> [ConversationID: StoreError]) {
        do throws(NoThread) {
            try SerialThread.started().run { [made] in
                let result = Made { try make() }
                made.change { $0 = result }
            }
        } catch {
            made.change { $0 = .failure(IndexFailure(reason: "there is no thread for the words; try again")) }
        }
    }

    /// Waits for the end.
    /// - Returns: the conversations that could not be read, and why.
    func finish() throws -> [ConversationID: StoreError] { try made.wait { $0 }.get() }
}
