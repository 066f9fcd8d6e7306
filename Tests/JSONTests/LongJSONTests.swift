import Testing

@testable import JSON

struct LongJSONTests {
    private func read<Value>(_ text: String, _ body: (LongJSON?) throws -> Value) rethrows -> Value {
        let bytes = Array(text.utf8)
        return try bytes.withUnsafeBytes { try body(LongJSON(document: $0, by: JSONTree())) }
    }

    private let text =
        #" {"a" : [1, "]}\"\\" ,{"b":[]},true,[[null]]],"\u0063":{"d":"\u00e9"},"a":2, "e":-1.5e3 ,"f":""} "#

    @Test func `values are found by their keys and places`() throws {
        try read(text) { document in
            let document = try #require(document)
            #expect(document.fields.map(\.name) == ["a", "c", "a", "e", "f"])
            let list = try #require(document["a"])
            #expect(list.elements.map { $0.string ?? "" } == ["", "]}\"\\", "", "", ""])
            #expect(list.elements.map(\.isObject) == [false, false, true, false, false])
            #expect(list.elements.map(\.isArray) == [false, false, false, false, true])
            #expect(list.elements.map(\.isTrue) == [false, false, false, true, false])
            #expect(list.elements.first { _ in true }?.integer == 1)
            #expect(document["c"]?["d"]?.string == "é" && document["f"]?.string == "")
            #expect(document.fields(named: ["a", "e", "x"]).keys.sorted() == ["a", "e"])
            #expect(document["x"] == nil && document["f"]?["y"] == nil && document["c"]?.elements.map(\.count) == [])
        }
    }

    @Test func `a document that is cut off anywhere is none, and neither are two`() {
        for end in text.utf8.indices where end < text.utf8.index(text.utf8.endIndex, offsetBy: -1) {
            #expect(read(String(text[..<end])) { $0 == nil })
        }
        #expect(read(text + text) { $0 == nil } && read("<html>") { $0 == nil } && read("7") { $0 == nil })
    }

    @Test func `a fault in a value hides that value`() {
        read(#"{"a":tru,"b":"x","c":[1,{"d":},{"e":1}]}"#) { document in
            #expect(document?["a"]?.value == nil && document?["b"]?.string == "x")
            #expect(document?["c"]?.objects.map { $0["e"]?.integer } == [1])
        }
    }

    @Test func `bytes are told of as they are read, and what is too long is not parsed`() throws {
        let long = String(repeating: "x", count: 9 << 20)
        let bytes = Array(#"{"a":"\#(long)","b":1}"#.utf8)
        var parts: [Int] = []
        bytes.withUnsafeBytes { bytes in
            let document = LongJSON(document: bytes, by: JSONTree()) { parts.append($0.count) }
            #expect(document?["a"]?.count == long.utf8.count + 2 && document?["a"]?.value == nil)
            #expect(document?["b"]?.integer == 1)
        }
        // Once for the end of the document, and once for each value that was asked for.
        #expect(parts.reduce(0, +) > 3 * 8 << 20 && parts.max() ?? 0 <= 10 << 20)
        #expect(parts.prefix(9).allSatisfy { $0 == 1 << 20 })
    }
}
