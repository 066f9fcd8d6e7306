import Testing

@testable import JSON

struct JSONTextTests {
    @Test func `An object keeps the order of its fields, and leaves out those that are nil`() {
        let none: String? = nil
        let text: JSONText = [
            "z": 1, "a": ["b": true, "c": [1, "two", []]], "none": JSONText(ifAny: none), "empty": JSONText(ifAny: []),
            "null": .null, "all": JSONText(["x", "y"]),
        ]
        #expect(text.text == #"{"z":1,"a":{"b":true,"c":[1,"two",[]]},"null":null,"all":["x","y"]}"#)
        #expect(text.line == text.bytes + [10])
        #expect("in a text: \(JSONText("a\"b"))" == #"in a text: "a\"b""#)
    }

    @Test(arguments: ["", "plain", "\"\\\n\r\t\u{1}\u{7F}", "é 日本 👩‍👩‍👧", "\u{2028}", "a/b"])
    func `Keys and texts of any characters are read again as they were written`(text: String) throws {
        let written = JSONText(fields: [(text, JSONText(text))])
        let tree = JSONTree()
        let read = written.bytes.withUnsafeBytes { bytes in
            tree.parse(bytes).map { value in
                var found: [String] = []
                value.forEachField { name, value in
                    found += [name.string, value.string ?? "no string"]
                    return true
                }
                return found
            }
        }
        #expect(read == [text, text])
    }

    @Test func `Bytes that are not UTF-8 become replacement characters`() {
        let text = [0x61, 0xFF, 0x62 as UInt8].withUnsafeBytes { JSONText($0).text }
        #expect(text == "\"a\u{FFFD}b\"")
    }

    @Test func `Printable text has no character that garbles a terminal, and is read as the same text`() {
        let text = "\u{7F} \u{85} \u{200E} \u{2028} \u{202E} \u{2066} \u{FEFF} é\u{200D}👩"
        let printable = JSONText(text).printable.text
        #expect(printable == #""\u007f \u0085 \u200e \u2028 \u202e \u2066 \ufeff é\#u{200D}👩""#)
        let tree = JSONTree()
        let read = Array("[\(printable)]".utf8).withUnsafeBytes { bytes in
            withExtendedLifetime(tree) { tree.parse(bytes)?.elements.compactMap(\.string) }
        }
        #expect(read == [text])
    }

    @Test func `An array for people has a line for each value`() {
        #expect(JSONText.lines([["id": 1], ["id": 2]]) == "[{\"id\":1},\n{\"id\":2}]\n")
        #expect(JSONText.lines([]) == "[]\n")
    }
}
