import Display

/// The look of an open panel.
enum PanelView {
    /// It covers the screen.
    case screen(Frame)
    /// A line in place of the status line.
    case line(PromptLine)
    /// A question in the status line.
    case question(CleanText)
    /// The text that is being written, above the status line.
    case composer
}
