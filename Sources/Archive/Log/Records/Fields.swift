internal import CSimdjson

/// The requested values of one JSON object, by the index of their key.
struct Fields {
    let values: UnsafePointer<csj_value>

    enum Kind: UInt8 { case absent, null, string, number, yes, no, object, array }

    /// A set of kinds. It needs no allocation, because a scan tests kinds millions of times.
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

    /// The characters of a string, the digits of a number, the JSON of an object or an array; empty for other kinds.
    func bytes(_ key: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: values[key].bytes, count: values[key].length)
    }

    /// The value of a string that is not empty; otherwise nil.
    func text(_ key: Int) -> String? {
        kind(key) == .string && values[key].length > 0 ? String(decoding: bytes(key), as: UTF8.self) : nil
    }

    /// The value of a whole number; otherwise nil.
    func integer(_ key: Int) -> Int64? {
        kind(key) == .number ? Int64(String(decoding: bytes(key), as: UTF8.self)) : nil
    }
}
