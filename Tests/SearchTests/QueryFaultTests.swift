import TestSupport
import Testing

@testable import Search

/// Queries that are too large, and those that name many people at once.
struct QueryFaultTests {
    @Test(arguments: [
        "w%d ", "a* ", "from:a%d ", "in:general ", "-x%d ", "- -a ", "\"a b\" ", "since:2024-01-01 ", "has:link ",
        "天気 ", "from:\"a b c\" ", "a,b,c,d,",
    ])
    func `Five thousand words or filters are refused with their number, and find nothing`(piece: String) {
        let text = (0..<5_000).map { piece.replacing("%d", with: "\($0)") }.joined()
        for typed in [text, String(text.prefix(QuerySize.maximumBytes))] {
            let query = Query(typed, isTyping: true)
            #expect(query.fault != nil, "\(typed.prefix(40))")
            #expect(query.isEmpty && query.filters.isEmpty && query.required.isEmpty && query.excluded.isEmpty)
            #expect(!query.matches("a"))
        }
        #expect(
            "\(Query(text).fault.map { "\($0)" } ?? "")"
                == "the query is too long: \(text.utf8.count) bytes, at most 10000")
    }

    @Test func `A query of exactly the largest size is allowed`() {
        let most = (0..<QuerySize.maximumTerms).map { "w\($0)" }
        #expect(Query(most.joined(separator: " ")).required.count == QuerySize.maximumTerms)
        #expect(Query((most + ["x"]).joined(separator: " ")).fault == .terms(QuerySize.maximumTerms + 1))
        #expect(Query("\"" + most.joined(separator: " ") + "\"").required.first?.count == QuerySize.maximumTerms)
        #expect(Query(String(repeating: "x", count: QuerySize.maximumBytes)).fault == nil)
        #expect(
            Query(String(repeating: "x", count: QuerySize.maximumBytes + 1)).fault
                == .bytes(QuerySize.maximumBytes + 1))
    }

    @Test func `Repeats in a query count once`() {
        let query = Query(String(repeating: "from:a -in:b since:monday ", count: 100))
        #expect(query.filters.senders.count == 1)
        #expect(query.filters.excludedConversations.count == 1)
        #expect(query.filters.dates.count == 1)
    }

    @Test func `Many names match the same as each name by itself`() {
        var random = SeededGenerator(seed: 26)
        let words = ["ana", "Ruiz", "ben", "Åsa", "@ana", "b", "#b", "ana ruiz", "", "an"]
        for _ in 0..<500 {
            let names = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                QueryName(words.randomElement(using: &random) ?? "", isPrefix: Bool.random(using: &random))
            }
            let together = QueryNames(names)
            for _ in 0..<10 {
                let text = [words.randomElement(using: &random) ?? "", words.randomElement(using: &random) ?? ""]
                    .joined(separator: Bool.random(using: &random) ? " " : "")
                #expect(together.areID(text.utf8) == names.contains { $0.isID(text.utf8) })
                #expect(together.arePart(of: text) == names.contains { $0.isPart(of: text) })
                #expect(together.whole(text).sorted() == names.indices.filter { names[$0].isWhole(text) })
            }
        }
    }

    @Test func `A piece of a long text contains the first match and whole characters, within its limit of bytes`() {
        let text = String(repeating: "é ", count: 5_000) + "needle" + String(repeating: " 天", count: 5_000)
        for limit in [16, 17, 18, 19, 400, 50_000] {
            let piece = Query("needle absent").piece(of: text, bytes: limit)
            #expect(piece.utf8.count <= limit + 3 && text.contains(piece))
            #expect(Query("needle absent").occurrences(in: piece).count == 1)
        }
        #expect(
            Query("nowhere").piece(of: text, bytes: 4) == "é é" || Query("nowhere").piece(of: text, bytes: 4) == "é ")
    }
}
