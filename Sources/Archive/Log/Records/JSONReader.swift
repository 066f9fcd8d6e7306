internal import CSimdjson

/// Owns a simdjson parser for a fixed set of keys. Not thread-safe.
struct JSONReader: ~Copyable {
    private let parser: OpaquePointer?

    enum Failure: Error {
        case notJSON
        /// Valid JSON, but not of the requested kind, object or array.
        case wrongKind
        case noMemory

        /// The reason for people.
        /// - Parameter wanted: the requested kind, such as "a JSON object".
        func reason(_ wanted: String) -> String { self == .noMemory ? "no memory to read it" : "not \(wanted)" }
    }

    /// - Parameter names: the requested keys, separated by spaces. Their indices in `Fields` start at 0.
    init(names: String) { parser = csj_parser_create(names) }

    deinit { csj_parser_destroy(parser) }

    /// Gives back the memory that a long document has needed. The values of the last call are no longer valid.
    func trim() { if let parser { csj_parser_trim(parser) } }

    /// Parses a single object and returns the requested values. They are valid until the next call, while `json`
    /// exists.
    func object(_ json: Slice) throws(Failure) -> Fields {
        guard let parser else { throw .noMemory }
        var values: UnsafePointer<csj_value>?
        let bytes = json.bytes.assumingMemoryBound(to: CChar.self).baseAddress
        try JSONReader.check(csj_read_object(parser, bytes, json.count, json.readable, &values))
        guard let values else { throw .noMemory }
        return Fields(values: values)
    }

    /// Calls `element` with each object of an array until it returns false. Skips elements of other kinds.
    func array(_ json: Slice, _ element: (Fields) -> Bool) throws(Failure) {
        guard let parser else { throw .noMemory }
        let bytes = json.bytes.assumingMemoryBound(to: CChar.self).baseAddress
        let status = withoutActuallyEscaping(element) { element in
            var element = element
            return withUnsafeMutablePointer(to: &element) { context in
                csj_read_array(
                    parser, bytes, json.count, json.readable, false,
                    { context, values in
                        guard let context, let values else { return false }
                        return context.assumingMemoryBound(to: ((Fields) -> Bool).self)
                            .pointee(Fields(values: values))
                    }, context)
            }
        }
        try JSONReader.check(status)
    }

    /// The strings of an array, without empty ones.
    func strings(_ json: Slice) throws(Failure) -> [String] {
        guard let parser else { throw .noMemory }
        let bytes = json.bytes.assumingMemoryBound(to: CChar.self).baseAddress
        var strings: [String] = []
        let status = withUnsafeMutablePointer(to: &strings) { context in
            csj_read_strings(
                parser, bytes, json.count, json.readable, false,
                { context, bytes, length in
                    guard length > 0 else { return }
                    let text = String(decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self)
                    context?.assumingMemoryBound(to: [String].self).pointee.append(text)
                }, context)
        }
        try JSONReader.check(status)
        return strings
    }

    private static func check(_ status: csj_status) throws(Failure) {
        switch status {
        case CSJ_OK: return
        case CSJ_WRONG_KIND: throw .wrongKind
        case CSJ_NO_MEMORY: throw .noMemory
        default: throw .notJSON
        }
    }
}
