import Messages

/// The question for a date, or for how far in the conversation.
struct DatePrompt: Hashable, Sendable {
    var field = TextField()
    /// What was understood so far.
    var understood: NamedTime?
    /// Where a percentage leads.
    var share: PageRequest.Position?

    /// Whether what stands in the field leads nowhere.
    var isWrong: Bool { !field.isEmpty && understood == nil && share == nil }
}

extension DatePrompt {
    static let advice = "no date: try 2024-03-01, 1 march, yesterday, 3 weeks ago, 12:30, 50%"

    /// What is shown beside the field.
    var answer: String {
        if field.isEmpty { return "2024-03-01, 1 march, yesterday, 3 weeks ago, 12:30, 50%" }
        if share != nil { return "so far in the conversation" }
        return understood?.description ?? "no date so far"
    }
}
