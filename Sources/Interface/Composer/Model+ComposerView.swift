import Display
import Messages
import Timeline

/// The composer on the screen.
extension Model {
    /// Columns of the text.
    var composerColumns: Int { ComposerView.columns(size, margin: grid.margin) }

    /// The rows that the composer takes; 0 when it is closed.
    var composerRows: Int { panel == .composer ? composerView?.height ?? 0 : 0 }

    /// Nil when nothing is being written here.
    var composerView: ComposerView? {
        composer.map { composer in
            var quoted: Quote?
            if case .reply(let quote) = composer.intent {
                quoted = pane.loaded(quote.id).map { Quote(of: $0) }
            }
            return ComposerView(composer, quoted: quoted, isInThread: isInThread, size: size, margin: grid.margin)
        }
    }

    /// The last event in the status line while the composer is open.
    var composerStatus: Line {
        let waiting = conversation.flatMap { writing.outbox[$0.id]?.count { !$0.isWaiting && $0.state != .sent } } ?? 0
        return statusNotice.map { [$0] } ?? (waiting > 0 ? [Span("sending…", Style(.standard, .dim))] : .empty)
    }

    /// The candidates of a completion in the status line; nil when there is none.
    var completionCandidates: Line? {
        guard let completion = composer?.completion else { return nil }
        var line = Line.empty
        for (index, candidate) in completion.candidates.enumerated() {
            let style = index == completion.selected ? Style(.accent, .reverse) : Style(.standard, .dim)
            line.append(Span(" " + CleanText(candidate.shown) + " ", style))
        }
        return line
    }
}
