internal import CSimdjson

/// Reads the JSON of state files by simdjson: before its first value Foundation's decoder takes as long as all else that is
/// read from the state folder.
final class StateReader {
    /// The JSON is not as this program would have written it.
    struct Unexpected: Error {}

    private let parser: OpaquePointer?

    /// - Parameter names: of the wanted keys, separated by spaces. `StateValues` counts them from 0.
    init(names: String) { parser = csj_parser_create(names) }

    deinit { csj_parser_destroy(parser) }

    /// The values of an object: valid until the next call, while the bytes are there.
    func object(_ json: UnsafeRawBufferPointer) throws(Unexpected) -> StateValues {
        var values: UnsafePointer<csj_value>?
        let bytes = json.assumingMemoryBound(to: CChar.self).baseAddress
        guard let parser, csj_read_object(parser, bytes, json.count, json.count, &values) == CSJ_OK, let values else {
            throw Unexpected()
        }
        return StateValues(values: values)
    }

    /// Calls `body` with the values of each object of an array, and returns its results.
    func objects<Result>(
        _ json: UnsafeRawBufferPointer, _ body: @escaping (StateValues) throws(Unexpected) -> Result
    ) throws(Unexpected) -> [Result] {
        guard let parser else { throw Unexpected() }
        var results: [Result] = []
        var isExpected = true
        var take = { (values: StateValues) -> Bool in
            do throws(Unexpected) { results.append(try body(values)) } catch { isExpected = false }
            return isExpected
        }
        let status = withUnsafeMutablePointer(to: &take) { context in
            csj_read_array(
                parser, json.assumingMemoryBound(to: CChar.self).baseAddress, json.count, json.count, true,
                { context, values in
                    guard let context, let values else { return false }
                    return context.assumingMemoryBound(to: ((StateValues) -> Bool).self)
                        .pointee(StateValues(values: values))
                }, context)
        }
        guard status == CSJ_OK, isExpected else { throw Unexpected() }
        return results
    }

    /// The strings of an array.
    static func strings(_ json: UnsafeRawBufferPointer) throws(Unexpected) -> [String] {
        guard let parser = csj_parser_create("") else { throw Unexpected() }
        defer { csj_parser_destroy(parser) }
        var strings: [String] = []
        let status = withUnsafeMutablePointer(to: &strings) { context in
            csj_read_strings(
                parser, json.assumingMemoryBound(to: CChar.self).baseAddress, json.count, json.count, true,
                { context, bytes, length in
                    let text = String(decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self)
                    context?.assumingMemoryBound(to: [String].self).pointee.append(text)
                }, context)
        }
        guard status == CSJ_OK else { throw Unexpected() }
        return strings
    }
}
