internal import CSimdjson

/// The wanted values of one object of a state file, by the index of their key. A value of another kind than it is asked for is
/// an error; of one that may be missing, null is none.
struct StateValues {
    let values: UnsafePointer<csj_value>

    func string(_ key: Int) throws(StateReader.Unexpected) -> String {
        String(decoding: try bytes(key, CSJ_STRING), as: UTF8.self)
    }

    func integer(_ key: Int) throws(StateReader.Unexpected) -> Int {
        guard let number = Int(String(decoding: try bytes(key, CSJ_NUMBER), as: UTF8.self)) else {
            throw StateReader.Unexpected()
        }
        return number
    }

    /// The JSON of an array.
    func array(_ key: Int) throws(StateReader.Unexpected) -> UnsafeRawBufferPointer { try bytes(key, CSJ_ARRAY) }

    /// The value of a key, read by `read`; nil when it is missing or null.
    func optional<Value>(
        _ key: Int, _ read: (Int) throws(StateReader.Unexpected) -> Value
    ) throws(StateReader.Unexpected) -> Value? {
        values[key].kind == CSJ_ABSENT || values[key].kind == CSJ_NULL ? nil : try read(key)
    }

    private func bytes(_ key: Int, _ kind: csj_kind) throws(StateReader.Unexpected) -> UnsafeRawBufferPointer {
        guard values[key].kind == kind else { throw StateReader.Unexpected() }
        return UnsafeRawBufferPointer(start: values[key].bytes, count: values[key].length)
    }
}
