import Display

extension Keymap {
    /// Hints for the status line: for each binding with a word for it, its first key and that word. As many as fit.
    /// Those that depend on the selected message stand at the left, so that the others keep their places from step to step.
    /// - Parameters:
    ///   - isUseful: whether an action is worth a hint at this moment.
    ///   - changes: whether that depends on the selected message.
    ///   - word: the word for a binding at this moment.
    func hints(
        in context: Context = .conversation, columns: Int,
        isUseful: (Action) -> Bool = { _ in true }, changes: (Action) -> Bool = { _ in false },
        word: (Binding) -> String? = \.hint
    ) -> Line {
        let bindings = bindings(in: context)
        let fixed = bindings.filter { !changes($0.action) && isUseful($0.action) }
        let changing = bindings.filter { changes($0.action) && isUseful($0.action) }
        // Where there is room for more than the most useful ones, some is kept for those that change.
        let kept = bindings.contains { changes($0.action) } && columns >= 32 ? min(24, columns / 3) : 0
        let right = Keymap.line(of: fixed, columns: columns - kept, word)
        return Keymap.line(of: changing, columns: columns - right.columns, word) + right
    }

    private static func line(of bindings: [Binding], columns: Int, _ word: (Binding) -> String?) -> Line {
        var hints: [(place: Int, line: Line)] = []
        var room = columns
        for (place, binding) in bindings.enumerated().sorted(by: { $0.element.rank < $1.element.rank }) {
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
