import ArgumentParser
import Messages

extension ParsableCommand {
    /// What could not be read, on stderr: what was printed is all the rest.
    /// - Parameter failures: lines of what could not be read besides; what the store says as well is said once.
    func warn(of store: any ConversationListing, and failures: [String] = []) throws {
        let problems = try waiting { () async throws(StoreError) in await store.problems() }
        for problem in problems { Output.complain(problem) }
        for failure in failures where !problems.contains(failure) { Output.complain(failure) }
    }
}
