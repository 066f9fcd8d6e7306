import Messages

extension NamedTime {
    static let examples = "2025-03-01, \"1 march\", yesterday, \"3 weeks ago\" or 12:30"

    /// Reads a date from the command line, as seen from now.
    /// - Parameter examples: what may stand there.
    init(argument text: String, examples: String = NamedTime.examples) throws(Failure) {
        guard let time = Zone.local.time(named: text, now: .now) else {
            throw Failure(
                .usage, "\"\(text.shortened)\" is no date that Kedge understands; write \(examples)")
        }
        self = time
    }
}
