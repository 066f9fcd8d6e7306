internal import Formats
internal import Messages

/// Finds the format of a source.
enum Recognizer {
    /// Whether a format knows a source, or something in it.
    static func knows(_ source: Source, among formats: [any Format]) -> Bool {
        formats.contains { if case .no = $0.recognise(source) { false } else { true } }
    }

    /// - Throws: `unreadable` with a line that says how the source looks, or which formats Kedge reads.
    static func format(of source: Source, at path: String, among formats: [any Format]) throws(StoreError) -> any Format
    {
        var looks: [String] = []
        for format in formats {
            switch format.recognise(source) {
            case .certain: return format
            case .unsure(let look): looks.append(look)
            case .no: break
            }
        }
        if let look = looks.first { throw .unreadable("\(path): this looks like \(look)") }
        if let look = UnsupportedSource.look(of: source) { throw .unreadable("\(path): this looks like \(look)") }
        let names = formats.map(\.name).joined(separator: ", ")
        guard !source.files.isEmpty else {
            throw .unreadable("\(path): there is nothing in it; name an archive of Kedge or one of: \(names)")
        }
        throw .unreadable("\(path): neither an archive of Kedge nor an export that it reads (\(names))")
    }
}
