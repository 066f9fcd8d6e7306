package import CSimdjson

/// The requested values of one JSON object, by the index of their key.
package struct JSONFields {
    @usableFromInline let values: UnsafePointer<csj_value>

    @usableFromInline
    init(values: UnsafePointer<csj_value>) { self.values = values }

    package enum Kind: UInt8 { case absent, null, string, number, yes, no, object, array }

    @inlinable
    package func kind(_ key: Int) -> Kind {
        switch values[key].kind {
        case CSJ_NULL: .null
        case CSJ_STRING: .string
        case CSJ_NUMBER: .number
        case CSJ_TRUE: .yes
        case CSJ_FALSE: .no
        case CSJ_OBJECT: .object
        case CSJ_ARRAY: .array
        default: .absent
        }
    }

    /// The characters of a string, the digits of a number, the JSON of an object or an array; empty for other kinds.
    @inlinable
    package func bytes(_ key: Int) -> Bytes { Bytes(start: values[key].bytes, count: values[key].length) }

    /// The value of a string that is not empty; otherwise nil.
    package func text(_ key: Int) -> String? {
        kind(key) == .string && values[key].length > 0 ? bytes(key).string : nil
    }

    /// The value of a whole number; otherwise nil.
    package func integer(_ key: Int) -> Int64? { kind(key) == .number ? Int64(bytes(key).string) : nil }
}

/// Owns a simdjson parser for a fixed set of keys. Not thread-safe.
///
/// The functions take the bytes of one document, and as `readable` the number of bytes that can be read from its start on: if these
/// are `padding` more than the document has, simdjson needs no copy.
package struct JSONReader: ~Copyable {
    private let parser: OpaquePointer?

    package enum Failure: Error {
        case notJSON
        /// Valid JSON, but not of the requested kind, object or array.
        case wrongKind
        case noMemory

        /// The reason for people.
        /// - Parameter wanted: the requested kind, such as "a JSON object".
        package func reason(_ wanted: String) -> String { self == .noMemory ? "no memory to read it" : "not \(wanted)" }
    }

    /// The number of readable bytes after a document with which simdjson needs no copy of it.
    package static let padding = Int(csj_padding)

    /// - Parameter names: the requested keys, separated by spaces. Their indices in `JSONFields` start at 0.
    package init(names: String) { parser = csj_parser_create(names) }

    deinit { csj_parser_destroy(parser) }

    /// Gives back the memory that a long document has needed. The values of the last call are no longer valid.
    package func trim() { if let parser { csj_parser_trim(parser) } }

    /// Parses a single object and returns the requested values. They are valid until the next call, while `json` exists.
    package func object(_ json: Bytes, readable: Int? = nil) throws(Failure) -> JSONFields {
        guard let parser else { throw .noMemory }
        var values: UnsafePointer<csj_value>?
        try JSONReader.check(csj_read_object(parser, json.characters, json.count, readable ?? json.count, &values))
        guard let values else { throw .noMemory }
        return JSONFields(values: values)
    }

    /// Calls `element` with each object of an array until it returns false.
    /// - Parameter isStrict: true if an element of another kind is an error; it is skipped if not.
    package func array(
        _ json: Bytes, readable: Int? = nil, isStrict: Bool = false, _ element: (JSONFields) -> Bool
    ) throws(Failure) {
        guard let parser else { throw .noMemory }
        let status = withoutActuallyEscaping(element) { element in
            var element = element
            return withUnsafeMutablePointer(to: &element) { context in
                csj_read_array(
                    parser, json.characters, json.count, readable ?? json.count, isStrict,
                    { context, values in
                        guard let context, let values else { return false }
                        return context.assumingMemoryBound(to: ((JSONFields) -> Bool).self)
                            .pointee(JSONFields(values: values))
                    }, context)
            }
        }
        try JSONReader.check(status)
    }

    /// The strings of an array.
    /// - Parameter isStrict: true if an element of another kind is an error; it is skipped if not.
    package func strings(
        _ json: Bytes, readable: Int? = nil, isStrict: Bool = false
    ) throws(Failure) -> [String] {
        guard let parser else { throw .noMemory }
        var strings: [String] = []
        let status = withUnsafeMutablePointer(to: &strings) { context in
            csj_read_strings(
                parser, json.characters, json.count, readable ?? json.count, isStrict,
                { context, bytes, length in
                    context?.assumingMemoryBound(to: [String].self).pointee.append(
                        Bytes(start: bytes, count: length).string)
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
