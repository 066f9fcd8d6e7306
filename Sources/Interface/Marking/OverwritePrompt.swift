import Display

/// Asks whether to replace a file. Only `y` replaces it.
struct OverwritePrompt: Prompt {
    let range: MarkedRange
    let file: String

    var takesText: Bool { false }

    func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        guard case .key(let key) = event else { return [] }
        return key == .character("y") ? [.close, .begin(.write(range, file: file, replaces: true))] : [.close]
    }

    func view(in context: Context) -> PanelView {
        .question(CleanText("\(file) exists: y replaces it, any other key keeps it"), isWarning: true)
    }
}
