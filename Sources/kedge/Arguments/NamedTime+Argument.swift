import Messages

extension NamedTime {
    static let examples = "2025-03-01, \"1 march\", yesterday, \"3 weeks ago\" or 12:30"

    /// Reads a date from the command line, relative to now.
    /// - Parameter examples: named in the error when the text is no date.
    init(argument text: String, examples: String = NamedTime.examples) throws(Failure) {
        guard let time = Zone.local.time(named: text, now: .now) else {
            throw Failure(
                .usage, "\"\(text.shortened)\" is not a date that Kedge understands; try \(examples)")
        }
        self = time
    }
}
