import Display

/// The view of an open panel.
enum PanelView {
    /// A frame that covers the screen.
    case screen(Frame)
    /// A line in place of the status line.
    case line(PromptLine)
    /// A question in the status line.
    /// - isWarning: whether one of the replies cannot be taken back.
    case question(CleanText, isWarning: Bool = false)
    /// The composer, above the status line.
    case composer
}
