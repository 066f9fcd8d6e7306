import Display

extension Keymap {
    /// Hints for the status line: for each binding with a word for it, its first key and that word. As many as fit.
    /// - Parameters:
    ///   - isUseful: whether an action is worth a hint at this moment.
    ///   - word: the word for a binding at this moment.
    func hints(
        in context: Context = .conversation, columns: Int,
        isUseful: (Action) -> Bool = { _ in true }, word: (Binding) -> String? = \.hint
    ) -> Line {
        let bindings = bindings(in: context).filter { isUseful($0.action) }.enumerated()
        var hints: [(place: Int, line: Line)] = []
        var room = columns
        for (place, binding) in bindings.sorted(by: { $0.element.rank < $1.element.rank }) {
            guard let hint = word(binding), let key = binding.keys.first else { continue }
            let line: Line = [
                Span(CleanText(key.description), Style(.standard, .bold)),
                Span(CleanText(" \(hint)  "), Style(.standard, .dim)),
            ]
            room -= line.columns
            guard room >= 0 else { break }
            hints.append((place, line))
        }
        return hints.sorted { $0.place < $1.place }.reduce(.empty) { $0 + $1.line }
    }
}
