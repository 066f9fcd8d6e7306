import ArgumentParser
import Messages

extension ParsableCommand {
    /// Tells on stderr what could not be read.
    /// - Parameters:
    ///   - conversations: those in which everything is looked at, whether it was asked for or not.
    ///   - failures: more lines. A line that the store reports too is printed once.
    func warn(
        of store: any ConversationListing, in conversations: [ConversationID] = [], and failures: [String] = []
    ) throws {
        let problems = try waiting { () async throws(StoreError) in await store.problems(in: conversations) }
        for problem in problems { Output.complain(problem) }
        for failure in failures where !problems.contains(failure) { Output.complain(failure) }
    }
}
