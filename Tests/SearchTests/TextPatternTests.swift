import Testing

@testable import Search

/// Regular expressions in queries.
struct TextPatternTests {
    private func texts(_ query: String, in text: String) -> [String] {
        let query = Query(query)
        let bytes = Array(text.utf8)
        return query.hits(in: text).map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    @Test(arguments: [
        ("/ti.e/", "High TIDE at nine", ["TIDE"]),
        ("/(?-i)tide/", "TIDE, tide", ["tide"]),
        ("/v\\d+\\.\\d+/", "from v1.2 to v1.10", ["v1.2", "v1.10"]),
        ("/a b|c/", "a b c", ["a b", "c"]),
        ("/^b/", "a\nb c", ["b"]),
        ("/a$/", "b a\nc", ["a"]),
        ("/a\\/b/", "a/b", ["a/b"]),
        ("/ø+/", "SlikØØl", ["ØØ"]),
        ("/x*/", "天xx気x", ["xx", "x"]),
        ("/ti/ tide", "high tide", ["tide"]),
        ("/gh t/ tide", "high tide", ["gh tide"]),
        ("/h/ high", "high h", ["high", "h"]),
        ("-/ebb/ /tide/", "tide", ["tide"]),
    ])
    func `An expression matches anywhere in a text, and its matches are hits`(
        query: String, text: String, hits: [String]
    ) {
        #expect(Query(query).matches(text))
        // "gh t" and "tide" share the t: they are one hit.
        #expect(texts(query, in: text) == hits)
    }

    @Test(arguments: [
        ("/tides/", "tide"), ("-/ti/ high", "high tide"), ("/ti/ low", "tide"), ("/tide/ -/ebb/", "tide ebb"),
    ])
    func `A text that does not match has no hits`(query: String, text: String) {
        #expect(!Query(query).matches(text) && texts(query, in: text).isEmpty)
    }

    @Test(arguments: ["/usr/bin", "and/or", "//", "/", "a/b/", "/foo/bar/ x", "/foo", "\"/a/\"", "/a\\/"])
    func `A slash that does not close is a part of words`(text: String) {
        let query = Query(text)
        #expect(!query.hasPatterns && query.fault == nil)
    }

    @Test(arguments: [
        ("/[a/", "/[a/ is not a valid regular expression: missing ] in \"[a\""),
        ("tide -/(/", "/(/ is not a valid regular expression: missing ) in \"(\""),
        ("/a{1001}/", "/a{1001}/ is not a valid regular expression: invalid repetition size in \"{1001}\""),
        ("/((((a{100}){100}){100}){100})/", "/((((a{100}){100}){100}){100})/ is not a valid regular expression: "),
        ("/\\1/", "/\\1/ is not a valid regular expression: invalid escape sequence in \"\\1\""),
        (String(repeating: "/a/ ", count: 9), "the query has 9 regular expressions, at most 8"),
    ])
    func `An expression that is not valid makes the query empty, and the fault says why`(text: String, fault: String) {
        let query = Query(text)
        #expect(query.fault?.description.hasPrefix(fault) == true, "\(query.fault?.description ?? "")")
        #expect(query.isEmpty && !query.matches("a tide"))
    }

    @Test func `Queries with other expressions differ, and words are not enough to know`() {
        #expect(Query("/a/") == Query("/a/") && Query("/a/") != Query("/A/"))
        #expect(Query("/a/ ").differs(from: Query("/b/")) && !Query("/a/ ").differs(from: Query("/a/")))
        #expect(Query("b -/a/").differs(from: Query("b")))
        #expect(Query("/a/").hasPlaces && !Query("-/a/").hasPlaces)
    }

    @Test func `The piece of a long text has the first match`() {
        let text = String(repeating: "é ", count: 5_000) + "v1.2" + String(repeating: " 天", count: 5_000)
        #expect(Query("/v\\d/").piece(of: text, bytes: 100).contains("v1.2"))
    }
}
