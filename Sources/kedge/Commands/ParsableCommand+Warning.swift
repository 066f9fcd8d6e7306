import ArgumentParser
import Messages
import Usage

extension ParsableCommand {
    /// Reports unreadable lines and files on stderr.
    /// - Parameters:
    ///   - conversations: conversations whose problems are all reported, even those that the command has not met.
    ///   - failures: more lines. A line that the store reports too is printed once.
    /// - Throws: also the error with which the command ends, without another line, if a file of messages was skipped.
    func warn(
        of store: any ConversationListing, in conversations: [ConversationID] = [], and failures: [String] = []
    ) throws {
        if let skipped = try complain(of: store, in: conversations, and: failures) { throw skipped }
    }

    /// The same for a command that may end with another error.
    /// - Returns: the error about a skipped file; nil if none was skipped.
    func complain(
        of store: any ConversationListing, in conversations: [ConversationID], and failures: [String] = []
    ) throws -> CommandError? {
        let problems = try waiting { () async throws(StoreError) in await store.problems(in: conversations) }
        let lines = problems + failures.filter { !problems.contains($0) }
        for line in lines { Output.complain(line) }
        return lines.contains { $0.hasSuffix(SkippedFile.reason) } ? CommandError(.unreadable, "") : nil
    }
}
