import Testing

@testable import JSON

struct RecordSplitterTests {
    /// The records of an array's inside, and the kinds of what is broken, read in chunks.
    private func split(_ text: String, chunk: Int) -> (records: [String], broken: [String]) {
        let all = Array(text.utf8)
        var (records, broken) = ([String](), [String]())
        var (start, end) = (0, 0)
        repeat {
            end = min(all.count, max(end + chunk, start + 1))
            let part = Array(all[start..<end])
            part.withUnsafeBytes { bytes in
                var splitter = RecordSplitter(bytes, isEnd: end == all.count)
                while let piece = splitter.next() {
                    switch piece {
                    case .record(let range): records.append(String(decoding: bytes[range], as: UTF8.self))
                    case .broken(_, let kind): broken.append(kind)
                    }
                }
                start = splitter.isArrayEnd ? all.count : start + splitter.consumed
            }
        } while start < all.count && end < all.count
        return (records, broken)
    }

    @Test(arguments: [1, 3, 7, 1_000]) func `records are found by their brackets, wherever the bytes are cut`(
        chunk: Int
    ) {
        let found = split("\n  {\"a\": \"}\"},\n  {\"b\": [\"\\\"{\"]}\n ]\n}", chunk: chunk)
        #expect(found.records == ["{\"a\": \"}\"}", "{\"b\": [\"\\\"{\"]}"])
        #expect(found.broken.isEmpty)
    }

    @Test(arguments: [1, 5, 1_000]) func `a record whose quotes do not match hides no other`(chunk: Int) {
        let found = split(
            "\n  {\n   \"a\": \"x\\\"\n  },\n  {\n   \"b\": 1\n  },\n  {\n   \"c\": 2\n  }\n ]", chunk: chunk)
        #expect(found.records.suffix(2) == ["{\n   \"b\": 1\n  }", "{\n   \"c\": 2\n  }"])
        #expect(found.broken == ["record whose brackets or quotes do not match"])
    }

    @Test func `a file that ends within a record gives those before it`() {
        let found = split("{\"a\":1},{\"b\":", chunk: 1_000)
        #expect(found.records == ["{\"a\":1}"])
        #expect(found.broken == ["the file ends within a record"])
    }
}
