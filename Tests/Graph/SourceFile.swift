import Foundation

/// A file: the types that it declares, and the places where it names a type.
struct SourceFile {
    /// Relative to the folder of the room.
    let path: String
    /// The types that other files see: their names, each after those of the types around it, as in "Page.Edge".
    private(set) var types: Set<String> = []
    /// The types that no other file sees.
    private(set) var privateTypes: Set<String> = []
    private(set) var uses: [Use] = []

    /// A name such as `Page.Edge`, in pieces, and the names of the types around its place.
    struct Use: Hashable {
        let name: [String]
        let scope: [String]
    }

    private static let declaring: Set = ["struct", "class", "enum", "actor", "protocol", "typealias", "extension"]
    private static let modifiers: Set = [
        "private", "fileprivate", "internal", "package", "public", "open", "final", "indirect", "nonisolated",
        "distributed",
    ]

    init(path: String, code: String) {
        self.path = path
        read(Tokens.of(code))
    }

    private mutating func read(_ tokens: [Token]) {
        // For each open brace, the types around its contents.
        var scopes: [[String]] = [[]]
        var nextScope: [String]?
        var index = 0
        while index < tokens.count {
            let scope = scopes.last ?? []
            let token = tokens[index]
            if token == .symbol("{") {
                scopes.append(nextScope ?? scope)
                nextScope = nil
            } else if token == .symbol("}") {
                if scopes.count > 1 { scopes.removeLast() }
            } else if let inner = declaration(tokens, at: index, in: scope) {
                if token != .name("typealias") { nextScope = inner }
                // An extension uses the type that it names.
                if token != .name("extension") { index += 1 }
            } else if token == .name("import") {
                // The name of a module is not a type, even when a type of this room has the same name.
                index += 1
            } else if token.isTypeName, index == 0 || tokens[index - 1] != .symbol(".") {
                let name = SourceFile.name(tokens, at: index)
                uses.append(Use(name: name, scope: scope))
            }
            index += 1
        }
    }

    /// The name that begins here, with the names after its dots.
    private static func name(_ tokens: [Token], at start: Int) -> [String] {
        var (name, index) = ([tokens[start].name ?? ""], start)
        while index + 2 < tokens.count, tokens[index + 1] == .symbol("."), tokens[index + 2].isTypeName {
            index += 2
            name.append(tokens[index].name ?? "")
        }
        return name
    }

    /// The scope within the declaration here; nil when this neither declares a type nor extends one.
    private mutating func declaration(_ tokens: [Token], at index: Int, in scope: [String]) -> [String]? {
        guard let keyword = tokens[index].name, SourceFile.declaring.contains(keyword),
            index + 1 < tokens.count, tokens[index + 1].isTypeName,
            index == 0 || tokens[index - 1] != .symbol(".") && tokens[index - 1] != .name("import")
        else { return nil }
        let name = SourceFile.name(tokens, at: index + 1)
        if keyword == "extension" { return name }
        let inner = scope + name
        let modifiers = tokens[..<index].reversed().prefix { SourceFile.modifiers.contains($0.name ?? "") }
        if modifiers.contains(.name("private")) || modifiers.contains(.name("fileprivate")) {
            privateTypes.insert(inner.joined(separator: "."))
        } else {
            types.insert(inner.joined(separator: "."))
        }
        return inner
    }
}
