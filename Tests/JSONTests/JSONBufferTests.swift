import Foundation
import TestSupport
import Testing

@testable import JSON

struct JSONBufferTests {
    @Test func `each text can be read again as it was written`() throws {
        var random = SeededGenerator(seed: 18)
        let pieces = [
            "a", "tide ", "\"", "\\", "\n", "\u{1}", "\u{7F}", "ł", "日本", "👩‍👩‍👧", "\u{2028}", "12345678", "\t", "\r",
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            .joined()
            var buffer = JSONBuffer()
            Array(text.utf8).withUnsafeBytes { buffer.append(quoted: $0) }
            let data = Data([UInt8(ascii: "[")] + buffer.bytes + [UInt8(ascii: "]")])
            #expect(try JSONSerialization.jsonObject(with: data) as? [String] == [text], "seed 18")
        }
    }

    @Test func `a text longer than a part is whole`() throws {
        let text = String(repeating: "tide \"ł\"\n", count: 30_000)
        var buffer = JSONBuffer()
        Array(text.utf8).withUnsafeBytes { buffer.append(quoted: $0) }
        let data = Data([UInt8(ascii: "[")] + buffer.bytes + [UInt8(ascii: "]")])
        #expect(try JSONSerialization.jsonObject(with: data) as? [String] == [text])
    }

    @Test func `bytes that are not UTF-8 become replacement characters wherever they stand`() throws {
        for length in 0..<40 {
            var buffer = JSONBuffer()
            (Array(repeating: UInt8(ascii: "a"), count: length) + [0xFF, 0x22]).withUnsafeBytes {
                buffer.append(quoted: $0)
            }
            #expect(
                String(decoding: buffer.bytes, as: UTF8.self)
                    == "\"" + String(repeating: "a", count: length) + "\u{FFFD}\\\"\"")
        }
    }
}
