import Display
import Search

/// The keys of the user in the table of keys.
extension Keymap {
    /// Keys that always get the user out. They belong to one action in every context.
    private static let reserved: [(key: Key, action: Action)] = [
        (.escape, .cancel), (.control("c"), .interrupt),
    ]

    /// Commands that mean the same everywhere: their keys of the conversation count in texts too.
    private static let everywhere: [Action] = [.help, .redraw, .suspend, .interrupt]

    /// The table after some changes. A key in a change is taken from the command that had it before.
    /// - Parameter changes: in the order of the settings: of two that give away the same key, the first counts.
    /// - Returns: also the mistakes, one line each.
    package func changed(by changes: [KeyChange]) -> (keymap: Keymap, problems: [String]) {
        var problems: [String] = []
        var wanted: [Context: [String: [Key]]] = [:]
        var owners: [Stroke: KeyChange] = [:]
        for change in changes {
            guard let binding = bindings(in: change.context).first(where: { $0.name == change.name }) else {
                problems.append(unknown(change))
                continue
            }
            var keys: [Key] = []
            for key in change.keys where !keys.contains(key) {
                if let reason = refusal(of: key, for: binding, in: change.context)
                    ?? owners[Stroke(key: key, context: change.context)].map(Keymap.isOf)
                {
                    problems.append("\(change.place): \(change.fullName): \"\(key.notation)\" \(reason); ignored")
                } else {
                    owners[Stroke(key: key, context: change.context)] = change
                    keys.append(key)
                }
            }
            // A command that gets none of its new keys keeps those that it has.
            if keys.isEmpty, !change.keys.isEmpty { continue }
            wanted[change.context, default: [:]][change.name] = keys
        }
        let (keymap, refused) = settled(wanted, owners)
        return (keymap, problems + refused)
    }

    /// The table with the keys that are wanted. A command gets no sequence whose first key alone has a command; if it gets
    /// none of its new keys for that, it keeps those that it has.
    /// - Parameter owners: the changes by the keys that they give away.
    private func settled(
        _ wanted: [Context: [String: [Key]]], _ owners: [Stroke: KeyChange]
    ) -> (keymap: Keymap, problems: [String]) {
        var (wanted, owners) = (wanted, owners)
        var problems: [String] = []
        while true {
            let (keymap, hidden) = with(wanted, taken: Set(owners.keys)).withoutHiddenSequences
            let known = problems.count
            for (stroke, name) in hidden {
                guard let change = owners.removeValue(forKey: stroke) else { continue }
                let (key, other) = (stroke.key.notation, "\(stroke.context.table).\(name)")
                problems.append(
                    "\(change.place): \(change.fullName): \"\(key)\" begins with the key of \(other); ignored")
                let others = wanted[change.context]?[change.name]?.filter { $0 != stroke.key } ?? []
                wanted[change.context]?[change.name] = others.isEmpty ? nil : others
            }
            if problems.count == known { return (keymap, problems) }
        }
    }

    /// The table without sequences whose first key alone has a command, and these with the names of those commands.
    private var withoutHiddenSequences: (keymap: Keymap, hidden: [(Stroke, name: String)]) {
        var hidden: [(Stroke, name: String)] = []
        let kept = sections.map { section in
            Section(
                title: section.title, context: section.context,
                bindings: section.bindings.map { binding in
                    binding.with(
                        binding.keys.filter { key in
                            guard let first = key.first, let taken = action(for: first, in: section.context) else {
                                return true
                            }
                            let name = bindings(in: section.context).first { $0.action == taken }?.name ?? taken.name
                            hidden.append((Stroke(key: key, context: section.context), name))
                            return false
                        })
                })
        }
        return (Keymap(sections: kept), hidden)
    }

    private static func isOf(_ other: KeyChange) -> String { "is the key of \(other.fullName) (\(other.place))" }

    private func unknown(_ change: KeyChange) -> String {
        let names = bindings(in: change.context).map(\.name)
        let advice =
            Spelling.nearest(to: change.name, among: names).map { "did you mean \(change.context.table).\($0)?" }
            ?? "`kedge config --keys` lists them"
        return "\(change.place): unknown command \(change.fullName.shortened(to: 60)); ignored (\(advice))"
    }

    /// The reason why a command cannot have a key.
    private func refusal(of key: Key, for binding: Binding, in context: Context) -> String? {
        if let reserved = Keymap.reserved.first(where: { $0.key == key }), reserved.action != binding.action {
            return reserved.action == .cancel ? "always cancels" : "always quits"
        }
        if case .character = key.first ?? key, context != .conversation { return "is text there" }
        return nil
    }

    private func with(_ wanted: [Context: [String: [Key]]], taken: Set<Stroke>) -> Keymap {
        func keys(of binding: Binding, in context: Context) -> [Key] {
            let fixed = Keymap.reserved.filter { $0.action == binding.action }.map(\.key)
            if let keys = wanted[context]?[binding.name] { return keys + fixed.filter { !keys.contains($0) } }
            return binding.keys.filter { !taken.contains(Stroke(key: $0, context: context)) }
        }
        let common = sections.filter { $0.context == .conversation }.flatMap(\.bindings).filter { binding in
            Keymap.everywhere.contains(binding.action) && wanted[.conversation]?[binding.name] != nil
        }
        return Keymap(
            sections: sections.map { section in
                let context = section.context
                let used = Set(section.bindings.flatMap { keys(of: $0, in: context) })
                let bindings = section.bindings.map { binding in
                    guard context != .conversation, wanted[context]?[binding.name] == nil,
                        let other = common.first(where: { $0.action == binding.action })
                    else { return binding.with(keys(of: binding, in: context)) }
                    let own = binding.keys
                    return binding.with(
                        keys(of: other, in: .conversation).filter { key in
                            if case .character = key { return false }
                            return own.contains(key) || !used.contains(key)
                        })
                }
                return Section(title: section.title, context: context, bindings: bindings)
            })
    }
}

extension String {
    fileprivate func shortened(to count: Int) -> String { self.count > count ? prefix(count) + "…" : self }
}
