internal import CSimdjson

/// Parses JSON documents, one at a time, by simdjson. Use it on one thread only.
package final class JSONTree {
    private let tree: OpaquePointer?

    package init() { tree = csj_tree_create() }

    deinit { csj_tree_destroy(tree) }

    /// The document that fills the bytes; nil if they are not JSON. Valid until the next call. Lone surrogates and invalid UTF-8
    /// become U+FFFD.
    /// - Parameter padding: how many bytes after these can be read; with 64, simdjson needs no copy.
    package func parse(_ bytes: UnsafeRawBufferPointer, padding: Int = 0) -> JSONValue? {
        guard let tree, let start = bytes.baseAddress else { return nil }
        var tape: UnsafePointer<UInt64>?
        var strings: UnsafePointer<UInt8>?
        let status = csj_tree_parse(
            tree, start.assumingMemoryBound(to: CChar.self), bytes.count, bytes.count + padding, &tape, &strings)
        guard status == CSJ_OK, let tape, let strings else { return nil }
        // The first word is the root of the document.
        return JSONValue(tape: tape, strings: strings, index: 1)
    }
}
