import Messages

/// A word of the command line for which the command has no place.
struct ExcessWord: Error {
    let word: String
    var command = "open"

    var failure: Failure {
        Failure(.usage, "\"\(word.shortened)\" is one word too many (see `kedge \(command) --help`)")
    }
}
