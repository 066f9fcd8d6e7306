internal import CToml

/// A text in TOML, as far as settings need it: the values in its root, and in the tables of the root.
struct TOMLDocument {
    struct Entry {
        let value: Value
        /// Counted from 1.
        let line: Int
    }

    enum Value {
        case text(String)
        case boolean(Bool)
        case integer(Int)
        case table
        /// An array of texts.
        case texts([String])
        /// Another number, a date or another array.
        case other
    }

    enum Failure: Error, Hashable {
        case notTOML(line: Int, reason: String)
        case noMemory
    }

    private(set) var root: [String: Entry] = [:]
    /// The entries of the tables in the root.
    private(set) var tables: [String: [String: Entry]] = [:]
    private var failure: Failure?

    /// - Throws: the first mistake in the text.
    init(_ text: String) throws(Failure) {
        let status = withUnsafeMutablePointer(to: &self) { TOMLDocument.read(text, into: $0) }
        if let failure { throw failure }
        if status != CTOML_OK { throw .noMemory }
    }

    private static func read(_ text: String, into document: UnsafeMutablePointer<TOMLDocument>) -> ctoml_status {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                ctoml_read(
                    bytes.baseAddress, bytes.count, document,
                    { context, entry in
                        guard let entry else { return }
                        context?.assumingMemoryBound(to: TOMLDocument.self).pointee.add(entry.pointee)
                    },
                    { context, line, reason in
                        context?.assumingMemoryBound(to: TOMLDocument.self).pointee.failure =
                            .notTOML(line: line, reason: String(reason))
                    })
            }
        }
    }

    private mutating func add(_ entry: ctoml_entry) {
        let value: Value =
            switch entry.kind {
            case CTOML_TEXT: .text(String(entry.text))
            case CTOML_BOOLEAN: .boolean(entry.boolean)
            case CTOML_INTEGER: .integer(Int(entry.integer))
            case CTOML_TABLE: .table
            case CTOML_TEXTS:
                .texts(UnsafeBufferPointer(start: entry.texts, count: entry.text_count).map { String($0) })
            default: .other
            }
        let new = Entry(value: value, line: entry.line)
        if entry.is_in_table {
            tables[String(entry.table), default: [:]][String(entry.key)] = new
        } else {
            root[String(entry.key)] = new
        }
    }
}

extension String {
    fileprivate init(_ text: ctoml_text) {
        self = String(decoding: UnsafeRawBufferPointer(start: text.bytes, count: text.length), as: UTF8.self)
    }
}
