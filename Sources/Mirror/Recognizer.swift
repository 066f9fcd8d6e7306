internal import Formats
internal import Messages

/// Finds the format of a source.
enum Recognizer {
    /// Whether a format is certain that a source is an export, or holds one.
    static func knows(_ source: Source, among formats: [any Format]) -> Bool {
        formats.contains { if case .certain = $0.recognise(source) { true } else { false } }
    }

    /// The first that is certain wins; else the one that understands a part, unless there are several. The user may name one.
    /// - Throws: `unreadable` with a line that says how the source looks, or which formats Kedge reads.
    static func format(of source: Source, at path: String, among formats: [any Format]) throws(StoreError) -> any Format
    {
        var looks: [String] = []
        var weak: [any Format] = []
        let named = source.options.format.map { id in formats.filter { $0.id == id } } ?? formats
        for format in named {
            switch format.recognise(source) {
            case .certain: return format
            case .weak: weak.append(format)
            case .unsure(let look): looks.append(look)
            case .no: break
            }
        }
        // Of a folder, what is understood is shown.
        if source.options.format == nil, weak.isEmpty || source.isFile, let look = UnsupportedSource.look(of: source) {
            throw .unreadable("\(path): this looks like \(look)")
        }
        if weak.count > 1 {
            let choices = weak.map { "--format \($0.id)" }.joined(separator: " or ")
            throw .unreadable("\(path): can be of several formats: \(choices) decides")
        }
        if let format = weak.first { return format }
        if let look = looks.first { throw .unreadable("\(path): this looks like \(look)") }
        if source.options.format != nil {
            throw .unreadable(
                "\(path): nothing in it is of the format that was named (\(named.map(\.name).joined(separator: ", ")))")
        }
        let names = formats.map(\.name).joined(separator: ", ")
        guard !source.files.isEmpty else {
            let content = source.packed.isEmpty ? "there is nothing in it" : "no file in it is one that Kedge reads"
            throw .unreadable("\(path): \(content); name an archive of Kedge or one of: \(names)")
        }
        throw .unreadable("\(path): neither an archive of Kedge nor an export that it reads (\(names))")
    }
}
