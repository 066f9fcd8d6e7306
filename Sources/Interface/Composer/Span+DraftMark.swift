import Display

extension Span {
    /// The mark of a draft, in the status line and in the list of conversations.
    init(draftMark text: String) { self.init(CleanText(text), Style(.accent)) }
}
