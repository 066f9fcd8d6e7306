internal import CSimdjson

/// Owns one parser of simdjson and the keys it is asked for. Not for two threads at once.
struct JSONReader: ~Copyable {
    private let parser: OpaquePointer?

    enum Failure: Error {
        case notJSON
        /// JSON, but not an object, or not an array.
        case wrongKind
        case noMemory

        /// For people.
        /// - Parameter wanted: what it is not, unless only memory is missing.
        func reason(_ wanted: String) -> String { self == .noMemory ? "no memory to read it" : "not \(wanted)" }
    }

    /// - Parameter names: of the wanted keys, separated by spaces. `Fields` counts them from 0.
    init(names: String) { parser = csj_parser_create(names) }

    deinit { csj_parser_destroy(parser) }

    /// The wanted values of the one object that the bytes are: valid until the next call, while the bytes are there.
    func object(_ json: Slice) throws(Failure) -> Fields {
        guard let parser else { throw .noMemory }
        var values: UnsafePointer<csj_value>?
        let bytes = json.bytes.assumingMemoryBound(to: CChar.self).baseAddress
        try JSONReader.check(csj_read_object(parser, bytes, json.count, json.readable, &values))
        guard let values else { throw .noMemory }
        return Fields(values: values)
    }

    /// Gives each object of an array, until the closure returns false. Elements of other kinds are passed over.
    func array(_ json: Slice, _ element: (Fields) -> Bool) throws(Failure) {
        guard let parser else { throw .noMemory }
        let bytes = json.bytes.assumingMemoryBound(to: CChar.self).baseAddress
        let status = withoutActuallyEscaping(element) { element in
            var element = element
            return withUnsafeMutablePointer(to: &element) { context in
                csj_read_array(
                    parser, bytes, json.count, json.readable,
                    { context, values in
                        guard let context, let values else { return false }
                        return context.assumingMemoryBound(to: ((Fields) -> Bool).self)
                            .pointee(Fields(values: values))
                    }, context)
            }
        }
        try JSONReader.check(status)
    }

    /// The strings of an array that are not empty.
    func strings(_ json: Slice) throws(Failure) -> [String] {
        guard let parser else { throw .noMemory }
        let bytes = json.bytes.assumingMemoryBound(to: CChar.self).baseAddress
        var strings: [String] = []
        let status = withUnsafeMutablePointer(to: &strings) { context in
            csj_read_strings(
                parser, bytes, json.count, json.readable,
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

/// Bytes that somebody else owns, and how many may be read from their start: simdjson looks a little further.
/// Pointers, since an array a line would be an allocation for each of millions.
struct Slice {
    let bytes: UnsafeRawBufferPointer
    let readable: Int

    init(_ bytes: UnsafeRawBufferPointer, readable: Int) {
        self.bytes = bytes
        self.readable = readable
    }

    init(_ bytes: UnsafeRawBufferPointer) { self.init(bytes, readable: bytes.count) }

    var count: Int { bytes.count }
}

/// The wanted values of one object, by the index of their key.
struct Fields {
    fileprivate let values: UnsafePointer<csj_value>

    enum Kind: UInt8 { case absent, null, string, number, yes, no, object, array }

    /// A set of kinds, made and asked without an allocation: a scan does so millions of times.
    struct Kinds: OptionSet {
        let rawValue: UInt8

        static var string: Kinds { Kinds(rawValue: 1 << Kind.string.rawValue) }
        static var array: Kinds { Kinds(rawValue: 1 << Kind.array.rawValue) }
        static var truth: Kinds { Kinds(rawValue: 1 << Kind.yes.rawValue | 1 << Kind.no.rawValue) }
        static var nothing: Kinds { Kinds(rawValue: 1 << Kind.null.rawValue | 1 << Kind.absent.rawValue) }

        func allows(_ kind: Kind) -> Bool { rawValue & 1 << kind.rawValue != 0 }
    }

    func kind(_ key: Int) -> Kind {
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

    /// The characters of a string, the digits of a number, the JSON of an object or an array; else nothing.
    func bytes(_ key: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: values[key].bytes, count: values[key].length)
    }

    /// Nil unless it is a string that is not empty.
    func text(_ key: Int) -> String? {
        kind(key) == .string && values[key].length > 0 ? String(decoding: bytes(key), as: UTF8.self) : nil
    }

    /// Nil unless it is a whole number.
    func integer(_ key: Int) -> Int64? {
        kind(key) == .number ? Int64(String(decoding: bytes(key), as: UTF8.self)) : nil
    }
}

/// The bytes that simdjson likes to read after the JSON.
enum JSONPadding {
    static let bytes = Int(csj_padding)
}

/// U+FEFF in UTF-8, which some editors write at the start of a file.
enum ByteOrderMark {
    static func length(in bytes: UnsafeRawBufferPointer) -> Int {
        bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
    }
}
