import ArgumentParser
import Messages

extension ParsableCommand {
    /// Reports unreadable lines and files on stderr.
    /// - Parameters:
    ///   - conversations: conversations whose problems are all reported, even those that the command has not met.
    ///   - failures: more lines. A line that the store reports too is printed once.
    func warn(
        of store: any ConversationListing, in conversations: [ConversationID] = [], and failures: [String] = []
    ) throws {
        let problems = try waiting { () async throws(StoreError) in await store.problems(in: conversations) }
        for problem in problems { Output.complain(problem) }
        for failure in failures where !problems.contains(failure) { Output.complain(failure) }
    }
}
